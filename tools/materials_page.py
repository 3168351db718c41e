"""Draw docs/materials/ and write docs/materials.md: ``python tools/materials_page.py [--check | --text]``.

Run this after any change to materials.toml or reactions.toml. ``--check`` writes nothing and exits 1 if the page or a
picture is out of date; ``--text`` writes only the page, and needs no OpenGL.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from gallery import DOCS, same
from PIL import Image

from gpufluid import Simulation, World
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.outcomes import members
from gpufluid.matter.reactions import (
    ANY,
    BESIDE,
    COPY,
    COPYING,
    EMPTY,
    OTHER,
    OVER,
    SAME,
    WATER,
    WHOLE,
    Reaction,
)
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.transitions import Transition

PAGE = DOCS / "materials.md"
PICTURES = DOCS / "materials"

_SIZE = 64, 48
_BASIN = 4
"""Thickness of the basin's floor and sides, in cells."""

_RADIUS = 15
_SCALE = 2
_TICKS = {State.SOLID: 1, State.POWDER: 60, State.LIQUID: 60, State.GAS: 24}
"""Ticks before a picture is taken, by state: powders and liquids have fallen, gases have begun to spread."""

_COLOURS = 64
"""Colours of a picture's palette; fewer make a smaller file."""

_TABLE = MaterialTable()

_HEAD = """# Materials

The {count} shipped materials and the {reactions} shipped reactions between them. A scene can change them and add
its own. [materials.toml](../gpufluid/matter/materials.toml) and [reactions.toml](../gpufluid/matter/reactions.toml)
document each key. `tools/materials_page.py` writes this page from these files.

Each picture shows a lump of the material in a basin of 64 by 48 cells, with rules `atoms` and `heat`: powders and
liquids after {fallen} ticks, gases after {risen}, solids at once. The column "carried at" is the speed of water by
mass, in cells a tick, above which rule `inertia` carries a powder along. The column "by heat" applies in worlds with
rule `heat`, the column "reactions" in worlds with rule `reactions`. The latent heat, in brackets, is in the degrees by
which it would warm the atom; `cooling`, where it is not 1, is the factor on the conductivity of the air.
These reactions are with any material, and are not repeated in the rows: {any}.
"""

_REACTIONS = """
## Reactions

In the order in which they are tried. A chance holds for a tick in which one block holds both atoms, which is two
ticks of four for neighbours; for a reaction of one atom it holds for each tick. "Any matter" and states leave out
materials with the tag `inert`. Air stands for empty cells. Water by mass is that of rule `flow`.

| reaction | |
|---|---|
"""

_STATES = {state.name.lower() for state in State if state is not State.EMPTY}


def page() -> str:
    """Return the text of docs/materials.md."""
    shown = [record for record in SHIPPED if record.state is not State.EMPTY]
    head = _HEAD.format(
        count=len(shown),
        reactions=len(REACTIONS),
        fallen=_TICKS[State.POWDER],
        risen=_TICKS[State.GAS],
        any=", ".join(link(each) for each in REACTIONS if ANY in each.between) or "none",
    )
    lines = [
        "| material | | state | kg/m³ | carried at | by heat | reactions | tags |",
        "|---|---|---|---:|---:|---|---|---|",
    ]
    lines += [row(record) for record in shown]
    told = "".join(f"| <a id='{anchor(each)}'></a>{each.name} | {words(each)} |\n" for each in REACTIONS)
    return f"{head}\n" + "\n".join(lines) + f"\n{_REACTIONS}{told}"


def row(record: Material) -> str:
    """Return the table row of a material."""
    mine = [link(each) for each in REACTIONS if takes_part(record, each)]
    changes = [change(way, each) for way, each in record.transitions.items()]
    if record.temperature is not None:
        changes.insert(0, f"new at {degrees(record.temperature)}")
    if record.cooling != 1 and record.conductivity:
        changes.append(f"cooling {record.cooling:g}")
    picture = f"![{record.name}](materials/{file_name(record)})"
    cells = (record.name, picture, record.state.name.lower(), f"{record.density:,}")
    carried = f"{record.carried_at:g}" if record.carried_at else ""
    return f"| {' | '.join([*cells, carried, '; '.join(changes), ', '.join(mine), ', '.join(record.tags)])} |"


def link(reaction: Reaction) -> str:
    """Return a reaction's name as a link to its row."""
    return f"[{reaction.name}](#{anchor(reaction)})"


def change(way: str, transition: Transition) -> str:
    """Describe a change of state; `way` is ``above`` or ``below``."""
    latent = f" ({'takes' if way == 'above' else 'gives'} {transition.latent:g})" if transition.latent else ""
    return f"{way} {degrees(transition.threshold)} {transition.product}{latent}"


def takes_part(record: Material, reaction: Reaction) -> bool:
    """True if a reaction makes the material, or names it by name, tag or state; ``any`` does not count."""
    too_strong = reaction.strength is not None and _TABLE.column("strength")[_TABLE[record.name]] > reaction.strength
    named = (name for side, name in enumerate(reaction.between) if name != ANY and not (side == 1 and too_strong))
    return record.name in reaction.become or any(_TABLE[record.name] in (members(name, _TABLE) or ()) for name in named)


def words(reaction: Reaction) -> str:
    """Describe a reaction in a sentence without a full stop."""
    names = [meant(name) for name in reaction.between]
    side = reaction.water_side
    if side is not None:
        names[side] = "air or water by mass" if reaction.between[side] == EMPTY else "water by mass"
    ends = [end(reaction, side) for side in range(len(names))]
    placed = f" {'over' if reaction.place == OVER else 'beside'} ".join(names)
    if len(names) == 1:
        told = f"{placed} {ends[0]}"
    elif reaction.become == (SAME, SAME):
        told = f"{placed}: both stay"
    else:
        told = f"{placed}: {names[0]} {ends[0]}, and {names[1]} {ends[1]}"
    return "; ".join([told, *conditions(reaction)])


def meant(name: str) -> str:
    """Describe the matter that a name in a reaction stands for."""
    if name in _TABLE:
        return "air" if _TABLE[name] == 0 else name
    return "any matter" if name == ANY else f"any {name}" if name in _STATES else f"`{name}` matter"


def end(reaction: Reaction, side: int) -> str:
    """Describe the result of a reaction for its first (0) or second (1) atom."""
    word, cells = reaction.become[side], _cells_of_water(reaction)
    if side == reaction.water_side and word in (EMPTY, WATER):
        return f"{'gets' if word == WATER else 'gives'} {cells}"
    if side == reaction.water_side and word != SAME:
        return f"gives {cells}, which becomes {word}"
    said = {
        SAME: "stays",
        OTHER: "becomes the other's material",
        COPYING: "records the other's material, once",
        COPY: "becomes the material that the other has recorded",
        _TABLE.records[0].name: "is gone",
    }.get(word, f"becomes {word}")
    worn = reaction.wear[side] if reaction.wear else 0
    return f"loses {worn} of its {WHOLE} parts and with the last {said}" if worn else said


def conditions(reaction: Reaction) -> list[str]:
    """Describe a reaction's conditions and side effects."""
    found: list[tuple[object, Callable[[], str]]] = [
        (reaction.above is not None, lambda: f"from {degrees(reaction.above or 0)}"),
        (reaction.below is not None, lambda: f"below {degrees(reaction.below or 0)}"),
        (reaction.after, lambda: f"after {reaction.after} ticks"),
        (reaction.strength is not None, lambda: f"only up to a strength of {reaction.strength}"),
        (reaction.chance != 1, lambda: f"chance {100 * reaction.chance:g} %"),
        (reaction.heat > 0, lambda: f"gives {reaction.heat:g} degrees"),
        (reaction.heat < 0, lambda: f"takes {-reaction.heat:g} degrees"),
        (reaction.place == BESIDE, lambda: "only if they lie side by side"),
        (_only_touches(reaction), lambda: f"needs at least {_cells_of_water(reaction)}"),
        (reaction.push, lambda: f"drives matter out at {reaction.push:g} cells a tick"),
    ]
    return [say() for holds, say in found if holds]


def _cells_of_water(reaction: Reaction) -> str:
    return f"{reaction.mass:g} {'cell' if reaction.mass == 1 else 'cells'} of water"


def _only_touches(reaction: Reaction) -> bool:
    """True if a reaction needs water by mass and takes none."""
    return reaction.water_side is not None and reaction.become[reaction.water_side] == SAME


def degrees(value: float) -> str:
    """Format a temperature."""
    return f"{value:g} °C"


def anchor(reaction: Reaction) -> str:
    """Return the anchor of a reaction's row."""
    return "".join(letter if letter.isalnum() else "-" for letter in reaction.name.lower())


def file_name(record: Material) -> str:
    """Return the file name of a material's picture."""
    return f"{record.name.replace(' ', '_')}.png"


def draw(record: Material) -> np.ndarray:
    """Draw a lump of a material in a basin after `_TICKS`: (height, width, 3) uint8, sRGB."""
    width, height = _SIZE
    world = World(height, width, ("atoms", "heat"), seed=1, materials=_TABLE)
    world["material"][:, :_BASIN] = world["material"][:, -_BASIN:] = _TABLE["wall"]
    world["material"][-_BASIN:] = _TABLE["wall"]
    x, y = np.arange(width)[None, :] - width / 2 + 0.5, np.arange(height)[:, None]
    lump = np.hypot(x, y - (height - _BASIN - _RADIUS - 1)) < _RADIUS
    if record.state is State.SOLID:
        lump = (np.abs(x) < _RADIUS) & (y < height - _BASIN) & (y >= height - _BASIN - _RADIUS)
    world["material"][lump] = _TABLE[record.name]
    world.draw_temperature()
    world.draw_grain()
    with Simulation(world) as simulation:
        simulation.step(_TICKS[record.state])
        return simulation.frame(_SCALE)


def outputs(pictures: bool) -> Iterator[tuple[Path, bytes]]:
    """Yield every file of the page with its contents."""
    yield PAGE, page().encode()
    for record in SHIPPED if pictures else ():
        if record.state is not State.EMPTY:
            buffer = io.BytesIO()
            Image.fromarray(draw(record)).quantize(_COLOURS, dither=Image.Dither.NONE).save(
                buffer, "PNG", optimize=True
            )
            yield PICTURES / file_name(record), buffer.getvalue()


def main() -> int:
    """Write or check the files. Returns the exit code."""
    asked = argparse.ArgumentParser(description="Draw docs/materials/ and write docs/materials.md.")
    asked.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    asked.add_argument("--text", action="store_true", help="write only the page, without pictures")
    given = asked.parse_args()
    made = dict(outputs(not given.text))
    if given.check:
        differing = [path.relative_to(DOCS).as_posix() for path, content in made.items() if not same(path, content)]
        if differing:
            print(f"out of date, run tools/materials_page.py: {', '.join(differing)}", file=sys.stderr)
        return 1 if differing else 0
    PICTURES.mkdir(exist_ok=True)
    for path, content in made.items():
        path.write_bytes(content)
    for path in [] if given.text else set(PICTURES.glob("*.png")) - set(made):
        path.unlink()  # the picture of a removed material
    return 0


if __name__ == "__main__":
    sys.exit(main())
