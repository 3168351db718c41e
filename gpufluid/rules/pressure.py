"""Rule ``pressure``: vessels that communicate. What stands high in a body of liquid goes to where the body stands low.

A body is all that is connected of one liquid: from each of its cells a path through others leads to any other. Without
this rule atoms, and what falls and spreads in a mixture, level out within a row; neither ever rises in the other arm of
a bent tube. Here something of a body's highest surface goes at once to its lowest open surface, if that is low enough.
So energy falls with all that goes, and a level surface rests. It does not pass through the cells between, nor push what
lies in them.

1. Labelling (`label`, `merge_labels`, `compress_labels`): the bodies, by union-find. Each strip of a column links its
   own cells, then neighbours link their roots under the smaller number, by an atomic minimum that any order of work
   leaves the same, then every cell takes the root of its links: the number of the first cell of its body.
2. Matching (`offer`): each open surface cell of a body makes two offers, to give and to take; the highest and the
   lowest win by an atomic maximum of a word that holds the row and, so that no two are alike, a lot of the column.
3. Transfer (`transfer`): the winner gives, for each body. Matching and transfer are repeated several times in a tick.

Of rule `atoms` a body is of one liquid at rest, and an atom goes where the surface is two rows lower or more. In a
`mixture` cells that hold enough of a material are connected, each material in bodies of its own, one after the other.
There a surface has also those cells that hold too little to connect any, but lie on top of the body or beside it:
`adopt` gives each to one body. A level is then a row and a part of it, so the highest and the lowest are found by two
maxima: of levels (`bid`), then of lots among those that stand so high. Half the difference of levels goes, at most what
there is and what there is room for; where the seed halves the difference of amounts only, a surface a row lower
would wait for ever while it is as full. Source of the numbers: seed 003, `doPressureFlow`.

What rule `pressure` asks of a cell is in ``shaders/pressure/of_<matter>.glsl``. The rest knows of no kind of it.

Source: seed 003, "Fixing pressure", after Dwarf Fortress; Playne & Hawick 2018, "A New Algorithm for Parallel
Connected-Component Labelling on GPUs", IEEE TPDS 29(6), for the union by atomic minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpufluid.core.fields import FULL
from gpufluid.matter.mixtures import PressureFlow
from gpufluid.rules.laws import Laws
from gpufluid.rules.schema import (
    OWN_CELLS,
    Numbers,
    Over,
    Overlay,
    Parameter,
    Pass,
    Requirements,
    Rule,
    Scratch,
    Stream,
    Variant,
)

LABELS = Scratch("labels", Over.CELLS)
"""The body of each cell of gravity's frame: 1 and the smallest place of its cells, counted along rows; 0 of none."""

ADOPTED = 1 << 31
"""Added to the label of a cell of a mixture that only lies on a body, or beside it."""

SURFACES = Scratch("surfaces", Over.COLUMNS)
"""Which cells of a strip of a column are open surfaces, a bit each."""

SOURCES, SINKS = Scratch("sources", Over.CELLS), Scratch("sinks", Over.CELLS)
"""In the first cell of each body its best offer, to give and to take; 0 is none."""

HIGHEST, LOWEST = Scratch("highest", Over.CELLS), Scratch("lowest", Over.CELLS)
"""In the first cell of each body of a mixture the level of what may give, and of what may take; 0 is none."""

LEVEL_SHIFT = 4
"""A level is 1/65536 of a row: so many bits less than an amount has."""

ROUNDS_MOST = 32
"""A surface rises by so many rows in a tick at most, which keeps it in its tile or the one above."""

LOT_FACTORS = (0x88B5, 0xDB2D)
"""By which lots are mixed, in 16 bits. Source: Wellons, "Hash Prospector", its 16-bit permutations."""

CONSTANTS = {
    "least_drop": 2,  # rows by which a surface must be lower than another, so that an atom goes from one to the other
    "level_shift": LEVEL_SHIFT,
    "lot_first": LOT_FACTORS[0],
    "lot_second": LOT_FACTORS[1],
    "unlot_first": pow(LOT_FACTORS[0], -1, 1 << 16),
    "unlot_second": pow(LOT_FACTORS[1], -1, 1 << 16),
}

UP, DOWN = 1, -1


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """What the passes look up by layer of a mixture; amounts in units."""
    mixture = laws.mixture
    if not len(mixture):
        return {}
    flows = [each.pressure or PressureFlow() for each in mixture.constituents]
    return {
        "presses": [int(each.pressure is not None) for each in mixture.constituents],
        "open_toward": [UP if flow.direction == "up" else DOWN for flow in flows],
        "least_liquid": [round(flow.minliquid * FULL) for flow in flows],
        "least_room": [round(flow.minpressure * FULL) for flow in flows],
        "connected": [round(flow.connectedliquid * FULL) for flow in flows],
        "least_flow": [round(flow.minflow * FULL) for flow in flows],
    }


_ANALYSIS = Pass("pressure", "", Over.TILES, analysis_only=True)


def _passes(matter: str, plane: str) -> tuple[tuple[Pass, ...], tuple[Pass, ...]]:
    """Of one kind of cells, those that find which tiles have work, and those that work on strips of columns."""
    mixed = matter == "mixture"
    analysis = replace(_ANALYSIS, wakes=matter, matter=matter)
    analyses = (
        replace(
            analysis,
            name="find_liquid_tiles",
            reads=(plane,),
            activated_by="find_liquid_tiles",
            layout="cpu/tile_strips",
            reach=OWN_CELLS,
        ),
        replace(analysis, name="merge_tiles"),
        replace(analysis, name="activate_components"),
    )
    own = Pass("pressure", "", Over.COLUMNS, wakes=matter, matter=matter, layout="whole_strips")
    own = replace(own, for_each="pressure") if mixed else own
    offers, levels = (SOURCES, SINKS), (HIGHEST, LOWEST) if mixed else ()
    adopt = replace(own, name="adopt", reads=(plane,), writes=(*levels, SURFACES), refines=(LABELS,))
    bid = replace(own, name="bid", reads=(plane,), takes=(LABELS, SURFACES), refines=levels, repeats="rounds")
    labelling = (
        replace(own, name="label", reads=(plane,), writes=(LABELS,)),
        replace(own, name="merge_labels", reads=(plane,), refines=(LABELS,)),
        replace(
            own,
            name="compress_labels",
            reads=(plane,),
            writes=offers if mixed else (SURFACES, *offers),
            refines=(LABELS,),
        ),
    )
    exchange = (
        replace(
            own,
            name="offer",
            reads=(plane,),
            takes=(LABELS, SURFACES, *levels),
            refines=offers,
            repeats="rounds",
        ),
        replace(
            own,
            name="transfer",
            updates=(plane,),
            refines=(LABELS, SURFACES, *offers, *levels),
            counts=("moved",) if mixed else (),
            repeats="rounds",
            marks_active=True,
        ),
    )
    return analyses, (*labelling, *((adopt, bid) if mixed else ()), *exchange)


_KINDS = (_passes("atoms", "cells"), _passes("mixture", "mixture"))
_IN_STRIPS = tuple(each for _, working in _KINDS for each in working)
_IN_TILES = tuple(replace(each, over=Over.TILES, activated_by="label", layout="cpu/tile_strips") for each in _IN_STRIPS)
_ANALYSES = tuple(each for analyses, _ in _KINDS for each in analyses)

RULE = Rule(
    name="pressure",
    about="Connected liquid finds one level, also where it would have to rise.",
    fields=(),
    requires=Requirements(works_on=("atoms", "mixture")),
    parameters=(
        Parameter("rounds", 8, "how many transfers of each body there are in a tick", 0, ROUNDS_MOST, whole=True),
    ),
    variants=(
        Variant("strips", "each invocation works on a strip of a column", _IN_STRIPS, software=False),
        Variant(
            "tiles",
            "each invocation works on a column of a tile of a body that has changed",
            (*_ANALYSES, *_IN_TILES),
            software=True,
        ),
    ),
    # liquid: 1 where the tile holds liquid at rest. component: the smallest number of the tiles connected with it.
    # unfinished: of a component, the tick in which its last round still transferred something. held: the tick in
    # which the tile was in an unfinished component, which it may have left since. activated: of a component, the tick
    # in which its tiles run.
    tile_flags=("liquid", "component", "unfinished", "held", "activated"),
    overlays=(
        Overlay(
            "bodies",
            "bodies of connected liquid, a colour each",
            "",
            "turbo",
            lambda _laws: (0.0, 1.0),
            takes=(LABELS,),
        ),
    ),
    numbers=Numbers(constants=CONSTANTS, tables=_tables),
    streams=(Stream("offer", count=ROUNDS_MOST),),
    settle_ticks=lambda _laws: 1,
)
