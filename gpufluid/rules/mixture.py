"""Rule ``mixture``: cells that hold fractions of several materials at once, with the flows of seed 003.

1. `look`: each cell records which of its materials are supported from below (from above, if the material rises), and
   which materials are in adjacent cells. This happens before anything moves in the tick, because a cell that has just
   flowed to its sides no longer supports materials that need a full cell.
2. `sink`: falling materials move to the cell below and rising ones to the cell above, as far as their speed and the
   room there allow, the foremost cell of each column first. That is the seed's `doVerticalFlow` in a visit of the cells
   from the foremost one on. So a body falls whole, by one cell a tick, and a column of water sinks at its surface while
   it flows out at its foot. What a cell sends on is the least of its wish and a limit, and the limit of the cell behind
   it is what it has sent on and its room: limit -> min(limit + gain, cap). Such functions compose, so all parts of a
   column are scanned at once. First all materials that move down in the tick move, then all that move up.
3. `spread`: a supported cell and those of its two neighbours in the row that hold less flow toward a common level, as
   the seed's `getSideOutFlow` does. As in the seed, only what has not just fallen flows: a cell from which `sink` has
   taken all, or all but what sticks, is not supported. The middle cells of a set of triples are three columns apart, so
   the triples have no cell in common. A tick runs three such sets; the first set and the side to count from are drawn
   in each tick.
4. `convert`: within each cell materials become other materials, unit for unit, by a table.

Columns and rows are those of gravity's frame, so the rule is the same for every direction of gravity. Without gravity
nothing falls, rises or is supported: only `convert`, emitters and drains change a cell.

Beside rule ``atoms`` a cell holds an atom or parts of the mixture. To this rule every atom is a wall; `see_atoms` and
`walls` keep the marks of such cells.

Beside rule ``heat`` all that a cell holds has one temperature. What moves takes along its share of the heat that the
cell had before the pass, rounded, and all of the heat if it is all that the cell held: so in `sink` all that moves
down, then all that moves up; in each set of triples of `spread` what goes to either side. A cell takes no heat beyond
`WATER_HEAT_MOST`; what it has no room for goes to the air and is counted. Conversions leave the heat in the cell.

No two invocations own the same cell. So the result does not depend on the order of work, no cell is overfilled, and no
unit is lost. Where the seed lets a cell act by chance, each cell draws once a tick for each material.

Source: seed 003, "Grid Based Fluid Systems".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gpufluid.core.fields import ATOM_PLANE, FULL, Field, Plane, Quantity, Summary
from gpufluid.matter.mixtures import CONSTITUENTS_MOST, Conversion, HorizontalFlow, MixtureTable, VerticalFlow
from gpufluid.matter.ports import CHANCE_ONE, PORTS_MOST
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import OWN_CELLS, Layout, Over, Pass, Scratch
from gpufluid.rules.schema import Fault, Numbers, Overlay, Parameter, Requirements, Rule, Stream, Variant

DOWN, UP = 1, -1

TRIPLE = 3
"""The columns of a triple of cells, which level in `spread`."""

NONE = -1
"""No layer."""

AROUND = Scratch("around", Over.CELLS)
"""One bit for each supported layer of a cell and, from bit 8 on, for each adjacent layer.

`look` sets the bits. `sink` clears those of layers that it has moved away from the cell."""

BESIDE_SHIFT = 8

LIMITS = Scratch("limits", Over.COLUMNS, "rg32ui", texels=CONSTITUENTS_MOST)
"""In a part of a world: gain and cap of each strip for each limit (`shaders/mixture/wishes.glsl`), one row for each.
From these the simulations of the parts find what replaces the first rows: each limit ahead of the part's columns."""

_STILL, _LEVEL = VerticalFlow(speed=0.0), HorizontalFlow(chance=0.0)


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """The tables by layer, and by the number of a conversion; amounts in units."""
    materials, mixture = laws.materials, laws.mixture
    weightless = laws.gravity == "off"  # nothing falls or rises, and nothing is supported
    falls = [_STILL if weightless else each.vertical or _STILL for each in mixture.constituents]
    spreads = [_LEVEL if weightless else each.horizontal or _LEVEL for each in mixture.constituents]
    moves = [flow.chance > 0 for flow in falls]
    return {
        "layer_material": [materials[name] for name in mixture.names],
        "falls": [DOWN if flow.direction == "down" else UP for flow in falls],
        "speed": [_units(flow.speed) * (may and flow.astray < 1) for flow, may in zip(falls, moves, strict=True)],
        "astray_speed": [
            _units(flow.astray_speed) * (may and flow.astray > 0) for flow, may in zip(falls, moves, strict=True)
        ],
        "chance": [_chance(flow.chance) for flow in falls],
        "astray": [_chance(flow.astray) for flow in falls],
        "support": [(DOWN if flow.direction == "down" else UP) * (flow.chance > 0) for flow in spreads],
        "viscosity": [_units(flow.viscosity) for flow in spreads],
        "stickiness": [_units(flow.stickiness) for flow in spreads],
        "fluidity": [int(flow.fluidity) for flow in spreads],
        "side_chance": [_chance(flow.chance) for flow in spreads],
        "slides": [int(flow.slides) for flow in spreads],
        **_conversions(mixture),
    }


def _conversions(mixture: MixtureTable) -> dict[str, Sequence[int]]:
    """The table of conversions, one column for each key.

    An empty table gets one record without effect, because GLSL has no empty arrays.
    """
    records = mixture.conversions or (Conversion("", mixture.names[:1], mixture.names[:1], most=0.0),)

    def layers(key: str, place: int) -> list[int]:
        return [mixture[named[place]] if len(named := getattr(each, key)) > place else NONE for each in records]

    besides = {each.beside for each in mixture.conversions}
    return {
        "first": layers("between", 0),
        "second": layers("between", 1),
        "first_becomes": layers("become", 0),
        "second_becomes": layers("become", 1),
        "beside_layer": [NONE if each.beside is None else mixture[each.beside] for each in records],
        "most": [_units(each.most) for each in records],
        "looked_for": [int(name in besides) for name in mixture.names],
    }


def _overlay(layer: int, material: str) -> Overlay:
    """The overlay of the fraction of one material in each cell."""
    return Overlay(
        material,
        f"{material} in a cell",
        "cells",
        "viridis",
        lambda _laws: (0.0, 1.0),
        uniforms=lambda _laws, _tick: {"layer_shown": layer},
        shader="fraction",
    )


def _units(cells: float) -> int:
    return round(cells * FULL)


def _chance(chance: float) -> int:
    return round(chance * CHANCE_ONE)


_PORT = Pass(
    "mixture",
    "emit",
    Over.EMITTERS,
    updates=("mixture",),
    counts=("emitted",),
    also_wakes="atoms",
    updates_there=("warmth",),
    reach=OWN_CELLS,
)
_LOOK = Pass(
    "mixture",
    "look",
    Over.CELLS,
    reads=("mixture",),
    writes=(AROUND,),
    activated_by="look",
    layout=Layout("single_cells"),
    reach=(1, 1),
)
_SINK = Pass(
    "mixture",
    "sink",
    Over.COLUMN_PARTS,
    updates=("mixture",),
    refines=(AROUND,),
    counts=("left", "moved"),
    marks_active=True,
    also_wakes="atoms",
    updates_there=("warmth",),
    counts_there=("air",),
    activated_by="sink",
    layout=Layout("column_parts"),
    rows=1,
    columns=0,
    looks_ahead=LIMITS,
)
_RISE = replace(_SINK, name="rise", activated_by="rise", only_in_part=True)
_SUM = Pass("mixture", "", Over.COLUMNS, reads=("mixture",), writes=(LIMITS,), analysis_only=True, reach=OWN_CELLS)
_SUM_SINKING = replace(_SUM, name="sum_sinking", sums_up="down")
_SUM_RISING = replace(_SUM, name="sum_rising", sums_up="up")
_SPREAD = replace(
    _SINK,
    name="spread",
    over=Over.TRIPLES,
    refines=(),
    takes=(AROUND,),
    times=3,
    activated_by="spread",  # a fall can reach into any tile of a column, so tiles are listed again after it
    layout=Layout("single_triples"),
    rows=0,
    columns=TRIPLE - 1,
    looks_ahead=None,
)
_CONVERT = replace(
    _SPREAD,
    name="convert",
    over=Over.CELLS,
    columns=0,
    counts=("made", "used"),
    updates_there=(),
    counts_there=(),
    times=1,
    layout=Layout("counted_cells"),
)
_DRAIN = replace(_PORT, name="drain", over=Over.DRAINS, counts=("drained",))
_WALLS = Pass(
    "mixture",
    "walls",
    Over.COLUMNS,
    reads=(ATOM_PLANE,),
    updates=("mixture",),
    wakes="atoms",
    also_wakes="mixture",
    activated_by="walls",
    if_obstacles_change=True,
    reach=OWN_CELLS,
)
_SEE_ATOMS = replace(_WALLS, name="see_atoms", activated_by="see_atoms")
_CELLS = (_SEE_ATOMS, _LOOK, _SUM_SINKING, _SINK, _SUM_RISING, _RISE, _SPREAD, _CONVERT)
_CPU_LAYOUTS = {
    "look": (Over.TILES, Layout("cpu/tile_cells")),
    **dict.fromkeys(("sink", "rise"), (Over.WHOLE_COLUMNS, Layout("cpu/tile_columns"))),
    "spread": (Over.TILES, Layout("cpu/tile_triples")),
    "convert": (Over.TILES, Layout("cpu/tile_cells")),
}


def _for_cpu(pass_: Pass) -> Pass:
    over, layout = _CPU_LAYOUTS.get(pass_.name, (pass_.over, pass_.layout))
    return replace(pass_, over=over, layout=layout)


def _faults(arrays: Mapping[str, np.ndarray], laws: Laws) -> Iterator[Fault]:
    """Cells that hold more than one full cell of all materials together, in a world whose materials share the room."""
    if laws.parameters["mixture"]["exclusive"]:
        together = np.asarray(arrays["mixture"].sum(axis=0, dtype=np.int64) > FULL)
        yield (
            together,
            "mixture",
            f"; expected at most {FULL} units of all materials together, because they exclude each other",
        )


RULE = Rule(
    name="mixture",
    about="Fractions of several materials in one cell, which fall, rise, spread and convert.",
    fields=("material", "mixture"),
    makes=lambda _laws, _numbers: (),
    declares=(
        Quantity("amounts", "units of each material of a mixture", by="layer", glsl="_amount"),
        Plane("mixture", 3, "r32i", derived=("solid",)),
        Field(
            "mixture",
            "int32",
            ("mixture",),
            one=FULL,
            unit="cells",
            layered=True,
            low=0,
            high=FULL,
            counted="units",
            remark=" of each",
            solid=0,
            enclosed=True,
            quantity="amounts",
            summary=Summary.SUM,
        ),
    ),
    faults=_faults,
    mixes=True,
    requires=Requirements(conflicts=("flow",)),  # both rules would hold water
    parameters=(
        Parameter("exclusive", False, "true: all materials of a cell share the room of one cell", switch=True),
    ),
    variants=(
        Variant(
            "single",
            "each invocation owns a cell or a triple of an awake tile, or a part of a column of such tiles",
            tuple(replace(each, tests_tiles=bool(each.activated_by)) for each in (_PORT, *_CELLS, _WALLS, _DRAIN)),
            software=False,
        ),
        Variant(
            "tiles",
            "each invocation works along a line of an awake tile, or along a column of such tiles",
            (_PORT, *map(_for_cpu, _CELLS), _WALLS, _DRAIN),
            software=True,
        ),
    ),
    # changed: the last tick in which something changed in the tile, or would have changed with another draw.
    awake="activate_look",
    tile_flags=("changed",),
    draws_air=True,
    overlays=(Overlay("total", "all materials together", "cells", "viridis", lambda _laws: (0.0, 2.0)),),
    layer_overlay=_overlay,
    numbers=Numbers(
        constants={"beside_shift": BESIDE_SHIFT},
        tables=_tables,
        unsigned=frozenset({"chance", "astray", "side_chance"}),
    ),
    streams=(
        Stream("emit", count=PORTS_MOST, step=1 << 20),
        Stream("sink", count=CONSTITUENTS_MOST),
        Stream("spread", count=CONSTITUENTS_MOST),
        Stream("turn"),
    ),
    settle_ticks=lambda _laws: 1,
)
