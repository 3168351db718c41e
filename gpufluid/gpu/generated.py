"""Generates the GLSL texts behind ``#include "generated/..."`` from the declarations in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gpufluid.core import packing
from gpufluid.core.fields import AMOUNT_PLANES, ATOM_PLANE, PLANES, WATER_PLANE, Plane
from gpufluid.gpu.carried import carried_glsl, carried_image, count_carried_glsl
from gpufluid.gpu.images import Access, Image, Part
from gpufluid.gpu.ledger import ledger_glsl
from gpufluid.gpu.ports import emitted_glsl, ports_glsl
from gpufluid.gpu.shares import share
from gpufluid.gpu.textures import PlaneTexture
from gpufluid.gpu.tick_block import tick_glsl
from gpufluid.matter.materials import MaterialTable, State
from gpufluid.rules import MOVED, RULES, Pass
from gpufluid.rules.atoms import STEP_WEIGHT, STEPS, WEIGHT_SHIFT, layer_densities, open_below
from gpufluid.world import World
from gpufluid.world.laws import EDGES, GRAVITIES

DRAWN = ("state",)
"""The columns of the material table that every shader can look up. The columns of rules are packed, see `Word`."""


_CONSTANTS_FOR_ATOMS = (
    *("dry", "largest", "pushed_most", "pushed_depth", "pushed_step", "pushed_reach", "fallen_cells"),
    *("acceleration", "head_bits", "floats_over", "floats_bits"),
)
"""The constants of rule ``inertia`` that passes over atoms need."""


def for_world(world: World, batched: bool = False) -> dict[str, str]:
    """Includes for all shaders of a world: ``cell``, its laws, ``materials``, ``tick`` and one file a rule.

    Args:
        world: the world; of a batch any of its worlds.
        batched: whether the programs are for a batch.
    """
    texts = {
        "generated/cell.glsl": packing.cell_glsl(),
        "generated/edges.glsl": _choice("EDGES", world.edges, EDGES) + _halo(world),
        "generated/gravity.glsl": _choice("GRAVITY", world.gravity, GRAVITIES),
        "generated/materials.glsl": _materials(world.materials),
        "generated/tick.glsl": tick_glsl(batched),
        "generated/laws_of_amounts.glsl": _laws_of_amounts(world),
    }
    for rule in world.rules:
        texts[f"generated/{rule}.glsl"] = _rule_constants(world, rule)
    return texts


def for_pass(
    pass_: Pass,
    strip: tuple[int, int],
    carried: Sequence[str] = (),
    fetch_ahead: bool = False,
    batched: bool = False,
) -> dict[str, str]:
    """Further includes for the shader of one pass: its ledger entries, the cells an invocation owns, its layout.

    Args:
        pass_: the pass.
        strip: (columns, rows) of a strip, in cells.
        carried: the planes whose words atoms carry, in the order of `all_carried`.
        fetch_ahead: as in `images`.
        batched: whether the program is for a batch.
    """
    ahead = "#define FETCH_AHEAD\n" if fetch_ahead and pass_.layout.fetches else ""
    hosts = dict.fromkeys((pass_.tiled_by, *RULES[pass_.rule].requires.needs, pass_.rule))
    tile_flags = list(dict.fromkeys(flag for rule in hosts for flag in RULES[rule].tile_flags))
    return {
        "generated/ledger.glsl": ledger_glsl(pass_.counts, pass_.marks_active, batched),
        "generated/carried.glsl": carried_glsl(carried if pass_.moves_atoms else (), _amounts_moved(pass_)),
        "generated/amounts.glsl": amounts_glsl(pass_),
        "generated/count_carried.glsl": count_carried_glsl(carried, pass_.counts),
        "generated/matter.glsl": f'#include "{pass_.rule}/of_{pass_.matter}.glsl"\n' if pass_.matter else "",
        "generated/tiles_of_matter.glsl": tiles_of_matter_glsl(pass_),
        "generated/ports.glsl": ports_glsl(carried, batched),
        "generated/emitted.glsl": emitted_glsl(carried),
        "generated/waking.glsl": waking_glsl(pass_),
        "generated/layout.glsl": f'#include "{pass_.rule}/{pass_.layout.file}.glsl"\n' if pass_.layout.file else "",
        "generated/tiles.glsl": tile_flags_glsl(tile_flags),  # `Tiles.glsl` replaces it where tiles sleep
        "generated/listed.glsl": "",  # `Tiles.tested_glsl` replaces it where groups test their tiles
        "generated/other_tiles.glsl": "",  # `Tiles.glsl_for_others` replaces it where such tiles sleep
        "generated/strip.glsl": ahead + strip_glsl(pass_, strip),
        "generated/unit.glsl": '#include "lib/all_units.glsl"\n',  # `Tiles.unit_glsl` replaces it for listed tiles
    }


def tile_flags_glsl(tile_flags: Sequence[str]) -> str:
    """The numbers of tile flags as GLSL constants, from their names."""
    return "".join(f"const int {name.upper()} = {number};\n" for number, name in enumerate(tile_flags))


def amounts_glsl(pass_: Pass) -> str:
    """``generated/amounts.glsl``: what the world's laws say of amounts, and ``SEES_AMOUNTS`` if the pass sees them.

    Amounts are water by mass, or those of a mixture. A pass over atoms sees them where a cell holds an atom or amounts.
    """
    sees_amounts = pass_.amounts and not set(AMOUNT_PLANES).isdisjoint((*pass_.reads, *pass_.gathers, *pass_.updates))
    return '#include "generated/laws_of_amounts.glsl"\n' + "#define SEES_AMOUNTS\n" * bool(sees_amounts)


def _amounts_moved(pass_: Pass) -> str:
    """The plane of the amounts that a pass over atoms moves along with what it changes; empty: none."""
    changed = (*pass_.gathers, *pass_.updates) if pass_.moves_atoms else ()
    return next((plane for plane in AMOUNT_PLANES if plane in changed), "")


def waking_glsl(pass_: Pass) -> str:
    """``generated/waking.glsl``: how a pass marks tiles of another rule as changed; empty if it has its own tiles."""
    host = pass_.wakes
    return f'#include "{host}/waking.glsl"\n' if host else ""


def tiles_of_matter_glsl(pass_: Pass) -> str:
    """``generated/tiles_of_matter.glsl``: how sleep differs by the kind of cell; empty if the pass is for all kinds."""
    return f'#include "{pass_.rule}/tiles_of_{pass_.matter}.glsl"\n' if pass_.matter else ""


def images(
    pass_: Pass,
    carried: Sequence[str] = (),
    fetch_ahead: bool = False,
    textures: Mapping[str, PlaneTexture] | None = None,
) -> list[Image]:
    """The images that the shader of a pass binds: planes, scratch, lookup tables, and ``moved`` if it measures.

    Args:
        pass_: the pass. If it moves atoms, the carried planes are among its images.
        carried: as in `for_pass`.
        fetch_ahead: whether a pass that declares ``fetches`` can also read the texels that it will overwrite.
        textures: the planes on the device, by name; None: none of them lies in a buffer.
    """
    fours = pass_.layout.fours

    def image(name: str, access: Access, part: Part = "") -> Image:
        found = Image.of(PLANES[name], access, part)
        return found if textures is None else found.holding(textures[name], fours and bool(part))

    written: Access = "both" if fetch_ahead and pass_.layout.fetches else "writeonly"
    found = [image(name, "readonly") for name in pass_.reads]
    for name in pass_.gathers:
        found += [image(name, "readonly", "old"), image(name, written, "new")]
    found += [image(name, "both") for name in pass_.updates]
    found += [Image(scratch.name, scratch.image, "readonly") for scratch in pass_.takes]
    found += [Image(scratch.name, scratch.image, "writeonly") for scratch in pass_.writes]
    found += [Image(scratch.name, scratch.image, "shared") for scratch in pass_.refines]
    found += [Image(lookup.name, lookup.image, "readonly", is_table=True) for lookup in pass_.looks_up]
    for name in carried if pass_.moves_atoms else ():
        if ATOM_PLANE in pass_.gathers:
            found += [carried_image(name, "readonly", "old"), carried_image(name, "writeonly", "new")]
        else:
            found.append(carried_image(name, "both"))
    return [*found, Image("moved", MOVED, "both")] if pass_.measures else found


def strip_glsl(pass_: Pass, strip: tuple[int, int]) -> str:
    """The GLSL of a strip: its size in cells, the columns beside it that the pass reads, ``TICKS``, ``FOR_COLUMNS``.

    ``KNOWS_AHEAD`` is defined if the pass takes what lies ahead of the lines of a part of a world; ``load_ahead`` loads
    a texel of this. So is ``KNOWS_ACROSS`` if it takes what lies beyond the rows of the part.
    ``FOR_COLUMNS(f)`` is written out, not a loop: it calls ``f(k)`` for each column k of the strip and those beside it.

    Args:
        pass_: the pass that works on the strips.
        strip: (columns, rows) of a strip, in cells.
    """
    width, height = share(pass_.over, strip)
    beside = pass_.reach[0] if pass_.reach else 0
    calls = " ".join(f"F({column});" for column in range(-beside, width + beside))
    numbers = {"STRIP_WIDTH": width, "STRIP_HEIGHT": height, "STRIP_REACH": beside, "TICKS": pass_.ticks}
    lines = [f"const int {name} = {number};" for name, number in numbers.items()]
    if pass_.looks_ahead is not None and pass_.looks_ahead in pass_.takes:
        lines += ["#define KNOWS_AHEAD", f"#define load_ahead load_{pass_.looks_ahead.name}"]
    lines += ["#define KNOWS_ACROSS"] if pass_.looks_across in pass_.takes else []
    return "\n".join([*lines, f"#define FOR_COLUMNS(F) {calls}", ""])


def for_plane(plane: Plane, rows: int) -> dict[str, str]:
    """Includes of the digest's shader for one plane: its number, the mask of its state, the rows an invocation."""
    mask = f"const uint VALUE_MASK = {plane.value_mask}u;\n"
    return {"generated/plane.glsl": f"{mask}const uint PLANE_NUMBER = {plane.number}u;\nconst int ROWS = {rows};\n"}


def _laws_of_amounts(world: World) -> str:
    """``BESIDE_ATOMS`` in a world in which a cell holds an atom or amounts; empty in others.

    ``FIRST_AMOUNT`` is the number of the first material of such amounts, ``DENSITY_STEPS`` the number of these
    materials, ``OPEN_BELOW`` the density of `gpufluid.rules.atoms.open_below`. If the amounts are those of a
    mixture, ``OF_MIXTURE`` is defined, and ``DENSITY_OF_LAYER`` is the density of each of its ``AMOUNT_LAYERS`` layers.
    If they are water by mass, ``REACTS_WITH_WATER`` is defined if a reaction of the world has a mass;
    ``KEEPS_MOMENTUM`` and the limits of a cell's momentum are defined if the world has rule ``inertia``. The limits
    have the prefix ``WATER_``, because rule ``atoms`` has constants of the same names. ``HAS_<FIELD>``, such as
    ``HAS_WATER_HEAT``, is defined for a field that shares a word with fields of atoms; see `Field.without_atom`.
    """
    plane = world.laws.amounts_beside_atoms
    if not plane:
        return ""
    densities = layer_densities(world.laws)
    numbers = {
        "FIRST_AMOUNT": len(world.materials),
        "DENSITY_STEPS": STEPS[plane],
        "OPEN_BELOW": open_below(world.laws),
    }
    defined, tables = "#define BESIDE_ATOMS\n", ""
    if densities:
        defined += "#define OF_MIXTURE\n"
        numbers |= {"STEP_WEIGHT": STEP_WEIGHT, "WEIGHT_SHIFT": WEIGHT_SHIFT, "AMOUNT_LAYERS": len(densities)}
        tables = f"const int DENSITY_OF_LAYER[{len(densities)}] = int[]({', '.join(map(str, densities))});\n"
    if "inertia" in world.rules:
        defined += "#define KEEPS_MOMENTUM\n"
        limits = world.fixed("inertia")
        numbers |= {f"WATER_{name.upper()}": limits[name] for name in _CONSTANTS_FOR_ATOMS}
    own = [each.instead for each in world.planes if each.instead in world.fields]
    defined += "".join(f"#define HAS_{name.upper()}\n" for name in own)
    defined += "#define REACTS_WITH_WATER\n" * (plane == WATER_PLANE and any(each.mass for each in world.reactions))
    return "".join([defined, *(f"const int {name} = {number};\n" for name, number in numbers.items()), tables])


def _choice(law: str, chosen: str, known: Sequence[str]) -> str:
    """Constants of a law that is one of several words: ``<LAW>_<WORD>`` for each, and ``<LAW>`` for the chosen one."""
    words = "".join(f"const int {law}_{word.upper()} = {number};\n" for number, word in enumerate(known))
    return f"{words}const int {law} = {law}_{chosen.upper()};\n"


def _halo(world: World) -> str:
    """``HAS_HALO``: whether cells of the world are copies of those that another simulation computes; see `Part`.

    ``HALO_ACROSS``: whether columns of the world are. ``HALO_TURNS``: the most copies of a port's columns, and of its
    rows, in the world; more than one only in a part of a torus.
    """
    halo = world.domain.halo
    turns = world.domain.turns(world.gravity) if world.edges == "wrap" else (1, 1)
    known = {"HAS_HALO": halo is not None, "HALO_ACROSS": halo is not None and halo[0] != (0, 0)}
    flags = "".join(f"const bool {name} = {str(value).lower()};\n" for name, value in known.items())
    return f"{flags}const ivec2 HALO_TURNS = ivec2{turns};\n"


def _materials(table: MaterialTable) -> str:
    """The numbers of states and materials as constants, and the `DRAWN` columns as tables: ``STATE_OF[material]``."""
    numbers = {f"STATE_{state.name}": state.value for state in State}
    numbers |= {record.constant: number for number, record in enumerate(table)}
    lines = [f"const int {name} = {number};\n" for name, number in numbers.items()]
    for name in DRAWN:
        values = ", ".join(map(str, table.column(name)[: len(table)]))
        lines.append(f"const int {name.upper()}_OF[{len(table)}] = int[]({values});\n")
    kept = np.packbits(table.keeps_latent, bitorder="little").view("<u4")
    words = ", ".join(f"{word}u" for word in kept.tolist())
    lines.append(f"const uint KEEPS_LATENT[8] = uint[]({words}); // one bit a material\n")
    lines.append(
        "bool keeps_latent(uint number) { return (KEEPS_LATENT[number >> 5] >> (number & 31u) & 1u) != 0u; }\n"
    )
    return "".join(lines)


def _rule_constants(world: World, rule: str) -> str:
    numbers, lines = RULES[rule].numbers, []
    for name, value in world.fixed(rule).items():
        kind, suffix = ("uint", "u") if name in numbers.unsigned else ("int", "")
        lines.append(f"const {kind} {name.upper()} = {value}{suffix};\n")
    words = numbers.words
    for name, table in world.tables(rule).items():
        kind, suffix = ("uint", "u") if name in numbers.unsigned else ("int", "")
        values = ", ".join(f"{value}{suffix}" for value in table)
        lines.append(f"const {kind} {name.upper()}[{len(table)}] = {kind}[]({values});\n")
        lines.append(words[name].glsl(name.upper()) if name in words else "")
    lines += [word.parts_glsl() for word in numbers.packed]
    for parameter in RULES[rule].parameters:
        for number, choice in enumerate(parameter.choices):
            lines.append(f"const int {parameter.name.upper()}_{choice.upper()} = {number};\n")
    return "".join(lines)
