"""GLSL of carried planes: their words belong to the atom of a cell and move with its word."""

from __future__ import annotations

from collections.abc import Sequence

from gpufluid.core.fields import FIELDS, PLANES, QUANTITIES, Quantity, carried_planes
from gpufluid.gpu.images import Access, Image, Part
from gpufluid.matter.mixtures import CONSTITUENTS_MOST
from gpufluid.rules.passes import TRACE

_CROSSING = ("emitted", "drained", "left", "used")
"""The ledger entries of atoms that enter or leave the world, or that reactions use up."""


def all_carried() -> tuple[str, ...]:
    """The names of all planes that atoms can carry, in the order in which shaders bind them."""
    return TRACE, *carried_planes()


def carried_image(name: str, access: Access, part: Part = "") -> Image:
    """The image of a carried plane: one uint a cell."""
    return Image.of(PLANES[name], access, part) if name in PLANES else Image(name, "r32ui", access, part)


_LOAD_AMOUNT = "load_{0}(cell)"
_STORE_AMOUNT = "    store_{0}_texel(cell, displaced_texel(load_{0}_texel(cell), carried.{0}));\n"
_LOAD_LAYER = "AMOUNT_LAYERS > {1} ? load_{0}(cell, {1}) : 0"
_STORE_LAYER = """    if (AMOUNT_LAYERS > {1})
        store_{0}_texel(cell, {1}, displaced_texel(load_{0}_texel(cell, {1}), carried.amount_{1}));
"""


def _amounts_of(plane: str) -> list[tuple[str, str, str]]:
    """The members for the amounts of a plane: the name of each, how it is loaded, and how it is stored."""
    if not plane:
        return []
    if not PLANES[plane].layered:
        return [(plane, _LOAD_AMOUNT.format(plane), _STORE_AMOUNT.format(plane))]
    layers = range(CONSTITUENTS_MOST)
    return [(f"amount_{each}", _LOAD_LAYER.format(plane, each), _STORE_LAYER.format(plane, each)) for each in layers]


def carried_glsl(carried: Sequence[str], amounts: str = "") -> str:
    """``generated/carried.glsl``: ``struct Carried``, the carried words of one atom.

    The struct has one member for each carried plane, with the plane's name; ``CARRIES_<PLANE>`` is defined for each.

    - ``load_carried(cell)`` and ``store_carried(cell, carried)`` read and write all these planes.
    - ``has_amounts(carried)`` tests for water by mass, or parts of a mixture, that the pass moves.
    - ``NOTHING_CARRIED`` is the value of empty cells.
    - ``forget_carried(carried)`` sets the words of all planes but the trace to 0, for an atom that is gone.
    - ``begin_trace(carried, cell)`` sets the origin of a new atom to its cell.

    Args:
        carried: the names of the planes.
        amounts: the plane of the amounts that the pass moves; empty: none. The struct then has further members: one
            with the plane's name, or ``amount_<layer>`` for each layer. They are 0 in the cell of an atom.
    """
    further = _amounts_of(amounts)
    own = "".join(f"    int {name};\n" for name, _, _ in further)
    placeholder = "" if carried or further else "    uint nothing; // GLSL has no empty struct\n"
    members = "".join(f"    uint {name};\n" for name in carried) + own + placeholder
    loaded = ", ".join([*(f"load_{name}(cell)" for name in carried), *(load for _, load, _ in further)])
    stores = "".join([
        *(f"    store_{name}(cell, carried.{name});\n" for name in carried),
        *(store for _, _, store in further),
    ])  # fmt: skip
    has = " || ".join(f"carried.{name} != 0" for name, _, _ in further) or "false"
    begins = "    carried.trace = uint(cell.y) << 16 | uint(cell.x);\n" if TRACE in carried else ""
    nothing = ", ".join(["0u"] * len(carried) + ["0"] * len(further) or ["0u"])
    forgets = "".join(f"    carried.{name} = 0u;\n" for name in carried if name != TRACE)
    return (
        ('#include "generated/laws_of_amounts.glsl"\n' if further else "")
        + "".join(f"#define CARRIES_{name.upper()}\n" for name in carried)
        + f"struct Carried {{\n{members}}};\n\nconst Carried NOTHING_CARRIED = Carried({nothing});\n\n"
        + f"Carried load_carried(ivec2 cell) {{ return Carried({loaded or nothing}); }}\n\n"
        + f"void store_carried(ivec2 cell, Carried carried)\n{{\n{stores}}}\n\n"
        + f"bool has_amounts(Carried carried) {{ return {has}; }}\n\n"
        + f"void forget_carried(inout Carried carried)\n{{\n{forgets}}}\n\n"
        + f"void begin_trace(inout Carried carried, ivec2 cell)\n{{\n{begins}}}\n"
    )


def count_carried_glsl(carried: Sequence[str], counts: Sequence[str]) -> str:
    """``generated/count_carried.glsl``: ``count_carried_<entry>(material, carried)``.

    The function adds the carried quantities of an atom to the ledgers when the atom enters or leaves the world.

    Args:
        carried: the names of the planes.
        counts: the ledger entries of the pass.
    """
    held = [measure for name in carried if name in PLANES for measure in _measures(name)]
    includes = dict.fromkeys(include for _, include, _ in held if include)
    text = "".join(
        f'#include "{name}"\n'
        for name in ("generated/ledger.glsl", "generated/tick.glsl", "generated/carried.glsl", *includes)
    )
    for entry in counts:
        if entry in _CROSSING:
            body = "".join(_count(quantity, entry, amount) for quantity, _, amount in held if entry in quantity.entries)
            text += f"\nvoid count_carried_{entry}(uint material, Carried carried)\n{{\n{body}}}\n"
    return text


def _measures(plane: str) -> list[tuple[Quantity, str, str]]:
    """The quantities of a carried plane, each with the include of its measure and its amount as a GLSL expression."""
    conserving = {FIELDS[name].quantity: name for name in PLANES[plane].fields if FIELDS[name].quantity}
    found = []
    for quantity, field in ((QUANTITIES[name], field) for name, field in conserving.items()):
        if quantity.measure is None:
            found.append((quantity, "generated/cell.glsl", f"{field}_of(carried.{plane})"))
        else:
            measure = quantity.measure
            found.append((quantity, measure.include, f"{measure.glsl}(material, carried.{plane})"))
    return found


def _count(quantity: Quantity, entry: str, amount: str) -> str:
    """The GLSL call that counts an amount; `ledger.ledger_glsl` describes its forms."""
    given = f"int({amount})" if quantity.signed else f"uvec2({amount}, 0), tick"
    return f"    count_{entry}{quantity.glsl}({given});\n"
