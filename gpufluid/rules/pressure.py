"""Rule ``pressure``: communicating vessels. Liquid moves from the highest to the lowest open surface of a body.

A body is a connected set of cells of one liquid. Without this rule, atoms and mixtures level out only within a row;
liquid never rises in the other arm of a bent tube. With it, liquid from a body's highest surface moves at once to the
body's lowest open surface, if that surface is low enough. Each move lowers the potential energy; level liquid rests.
The liquid does not pass through the cells between both surfaces, and does not push their contents.

1. Labelling (`label`, `merge_labels`, `compress_labels`) finds the bodies by union-find. Each strip of a column links
   its own cells. Then neighbours link their roots to the smaller label by an atomic minimum, whose result does not
   depend on the order of work. Then every cell takes the root of its links: the label of the body's first cell.
2. Matching (`offer`): each surface cell of a body bids its level, to give and to take. Of the cells at the best levels
   each makes an offer; the cell that gives and the cell that takes are drawn. An offer is a word: the row, a bit of
   those that go first, then the column's *lot*, a random number that no other column has in this round. No two offers
   are equal, and the greatest wins. In a row of atoms that is not full the ends give first, and the places beside atoms
   take first; so the row stays in one piece. In a part of a world pass `bid` comes before, because the parts join their
   levels before they make offers.
3. Transfer (`transfer`): in each body the winner that gives sends liquid to the winner that takes.

Matching and transfer are repeated several times in a tick; each repetition is a *round*.

With rule `atoms`, a body consists of one liquid at rest, and an atom moves to a surface at least two rows lower. A
surface has nothing on top, or powder floats on it: a stack at rest, not denser than the liquid, with nothing on top. In
its level the stack counts as so many rows of the liquid as weigh the same. The surfaces of a body bid only if powder
floats on one of them; in other bodies the row in an offer decides. If a surface under a stack gives, the stack comes
down by a row; if it takes, the stack is lifted. So the share of floating powder under the level of the liquid is the
ratio of the densities, to a row of each column.

Then each body in which the last round moved nothing may move one atom more, under a *load*: a run of another liquid at
rest, open above, that lies on a cell of the body (`offer_under_load`, `transfer_under_load`). The load counts as so
many rows of the body's own liquid as weigh the same. The atom under it moves to the body's lowest surface, if that is
at least two rows lower still, and the uppermost atom of the load comes to its place. So oil on one arm of a bent tube
pushes up the water in the other. This too lowers the potential energy. A surface under a load takes nothing.

With rule `mixture`, the connected cells are those that hold enough of a material. Each material has its own bodies, and
the materials are processed one after the other. Cells that hold too little to be connected, but lie on top of a body or
beside one, belong to its surface too: `adopt` assigns each of them to one body. The *level* of a surface cell is the
height of its row plus the filled fraction of the cell. The winners are those with the greatest lots among the cells at
the best levels. Half the difference of levels moves, at most the amount that is there and the room that is left. Beside
rule ``heat`` it takes along its share of the heat of its cell. A body in which a round moves nothing rests in the
others, because nothing could move, unless another body has closed one of its surfaces and may open it again. The seed
halves the difference of amounts only, so two equally full surfaces one row apart never level there. Source of the
numbers: seed 003, `doPressureFlow`.

In a world with rules ``mixture`` and ``atoms`` all passes run for the mixture, then for atoms. Neither kind enters a
cell that holds the other.

``shaders/pressure/of_<matter>.glsl`` holds all that depends on the kind of cell, atoms or mixture.

Source: seed 003, "Fixing pressure", after Dwarf Fortress; Playne & Hawick 2018, "A New Algorithm for Parallel
Connected-Component Labelling on GPUs", IEEE TPDS 29(6), for the union by atomic minimum.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gpufluid.core.fields import FULL
from gpufluid.matter.materials import State
from gpufluid.matter.mixtures import PressureFlow
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import NEAR_COLUMNS, NEAR_ROWS, OWN_CELLS, Over, Pass, Scratch
from gpufluid.rules.schema import Numbers, Overlay, Parameter, Requirements, Rule, Stream, Variant

ROUNDS_MOST = 32
"""The most rounds in a tick. A surface rises by at most a row a round, so it stays in its tile or in the tile above."""

_SETS = 4 * (ROUNDS_MOST + NEAR_ROWS)
"""`Scratch.sets`: as many rows as lie near the two borders of a part, for any number of rounds; see `rows_near`."""

LABELS = Scratch("labels", Over.CELLS, sets=_SETS)
"""The label of each cell of the gravity frame: 1 plus the index of its body's first cell, row by row; 0: no body."""

ADOPTED = 1 << 31
"""The bit of a label that marks an adopted cell: it lies on the body or beside it, and is not connected with it.

At the first cell of a mixture's body, which is connected, it marks a body that may not rest: another body has closed
one of its surfaces.
"""

SURFACES = Scratch("surfaces", Over.COLUMNS)
"""The open surface cells of each strip of a column, one bit for each cell."""

SOURCES, SINKS = (Scratch(name, Over.CELLS, sets=_SETS) for name in ("sources", "sinks"))
"""The best offers to give and to take of each body, stored at its first cell; 0: no offer."""

RUN_ABOVE_ROWS = 3
"""Rows of texels with the run above the own rows of a part of a world; see `HIGHEST`."""

HIGHEST = Scratch("highest", Over.CELLS, sets=_SETS + RUN_ABOVE_ROWS)
"""The highest level that may give of each body, stored at its first cell; for bodies of atoms, a bid.

In a part of a world with atoms the rows below those of sets have, for each column, the run of powder or liquid that
goes on above the own rows: twice the number of its cells, plus 1 if the cell above it is empty; the sum of the
densities of powder; and the label of liquid, or 0.
"""

LOWEST = Scratch("lowest", Over.CELLS, sets=_SETS)
"""The lowest level that may take of each body, stored at its first cell; for bodies of atoms, a bid."""

RUNS = Scratch("sums_of_runs", Over.COLUMNS, "rgba32ui")
"""The first row has, for each column of a part of a world, the run of powder or liquid that goes on upward from the
lowest of its own rows: its cells, 1 if the cell above it is empty, the sum of the densities of powder, and the label of
liquid, or 0.
"""

BODY_BORDERS = Scratch("body_borders", Over.COLUMNS, "rg32ui", sets=_SETS // 2)
"""The labels that a part of a world has near both ends of its own rows, a texel for each column in each row: those of
the rows on each side of the upper end, then of the lower end, two rows in each texel; 0: no liquid. See `rows_near`.
"""

BODY_SIDES = Scratch("body_sides", Over.ROWS, sets=4 * NEAR_COLUMNS)
"""The labels that a part of a world without whole rows has near the left and the right end of its own columns: each row
of the image is one of the `NEAR_COLUMNS` columns on each side of an end, with a texel for each row of the part; 0: no
liquid.
"""

WINNERS = Scratch("winners", Over.COLUMNS, "rgba32ui", sets=_SETS)
"""Of each body that lies in several parts of a world, in the order of their places below the cells of the part.

- Of a mixture: the amount in the cell that gives, the amount in the cell that takes, and the room there.
- Of atoms: 1 plus the column of the cell that gives, its row, both in the whole world, and the same of the cell that
  takes; the upper half of a row is the number of atoms that float there. The first is 0 if nothing moves.
- Of atoms, after the rounds: 1 plus the column of the cell under a load that gives; and its row in the whole world with
  the row of the top of the load in the upper half.

The first row has the same of other bodies of atoms, in which something moves that reaches above the own rows, in a
column in which that happens. After the rounds the third and fourth word are those of the cell that takes.
"""

HEATS = Scratch("heats", Over.COLUMNS, "rgba32ui", sets=_SETS)
"""Of each body of a mixture that lies in several parts of a world, beside rule heat, placed as in `WINNERS`: the heat
and the mass of the cell that gives, and the heat of the cell that takes.
"""

STORED = (HIGHEST, LOWEST, SOURCES, SINKS, WINNERS)
"""The scratch in which passes store something of each body."""

RESTS = 0xFFFFFFFF
"""The highest level of a mixture's body that takes no part in the rounds that are left; no surface is so high."""

LEVEL_SHIFT = 4
"""An amount is shifted right by so many bits to become the fraction of a level, in 1/65536 of a row."""

LOT_FACTORS = (0x88B5, 0xDB2D)
"""The factors of the permutation of 16-bit numbers that makes lots. Source: Wellons, "Hash Prospector"."""

LEVEL_ONE = 1 << 11
"""A row in units of the levels of atoms. So the level of a row takes 27 bits, and a bid has 5 more for its round."""

CONSTANTS = {
    "adopted": ADOPTED,
    "rests": RESTS,
    "least_drop": 2,  # the smallest difference of rows between two surfaces for which an atom moves
    "level_one": LEVEL_ONE,
    "round_shift": 27,  # of the number of the round in a bid of atoms
    "level_shift": LEVEL_SHIFT,
    "near_rows": NEAR_ROWS,
    "near_columns": NEAR_COLUMNS,
    "set_rows": _SETS,
    "lot_first": LOT_FACTORS[0],
    "lot_second": LOT_FACTORS[1],
    "unlot_first": pow(LOT_FACTORS[0], -1, 1 << 16),  # the inverse factors, which turn a lot back into its column
    "unlot_second": pow(LOT_FACTORS[1], -1, 1 << 16),
}

UP, DOWN = 1, -1
"""The side of a surface: liquid that falls has it above (up), liquid that rises has it below (down)."""


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """The tables, each with a number for each layer of the mixture; amounts are in units of mass."""
    mixture = laws.mixture
    if not len(mixture):
        return {}
    flows = [each.pressure or PressureFlow() for each in mixture.constituents]
    weightless = laws.gravity == "off"  # then no cell holds enough to be connected, and there are no bodies
    return {
        "presses": [int(each.pressure is not None) for each in mixture.constituents],
        "open_toward": [UP if flow.direction == "up" else DOWN for flow in flows],
        "least_liquid": [round(flow.minliquid * FULL) for flow in flows],
        "least_room": [round(flow.minpressure * FULL) for flow in flows],
        "connected": [FULL if weightless else round(flow.connectedliquid * FULL) for flow in flows],
        "least_flow": [round(flow.minflow * FULL) for flow in flows],
    }


_ANALYSIS = Pass("pressure", "", Over.TILES, analysis_only=True)


def _analyses(matter: str, plane: str) -> tuple[Pass, ...]:
    """The passes that find the tiles with work, for one kind of cell."""
    analysis = replace(_ANALYSIS, wakes=matter, matter=matter, follows_sets=True)
    return (
        replace(
            analysis,
            name="find_liquid_tiles",
            reads=(plane,),
            over=Over.COLUMNS,
            joins="runs" if matter == "atoms" else "",
            activated_by="find_liquid_tiles",
            tests_tiles=True,
            reach=OWN_CELLS,
        ),
        replace(analysis, name="merge_tiles", rows=0, columns=0),
        replace(analysis, name="activate_components", rows=0, columns=0),
    )


def _transfers(matter: str, plane: str) -> tuple[Pass, ...]:
    """The passes that label bodies and transfer matter in them, for one kind of cell."""
    own = Pass("pressure", "", Over.COLUMNS, wakes=matter, matter=matter, activated_by="label", tests_tiles=True)
    own = replace(own, for_each="pressure" if matter == "mixture" else "", rows=0, columns=0)
    return *_labelling(own, plane), *_round(own, plane), *(_under_load(own, plane) if matter == "atoms" else ())


def _labelling(own: Pass, plane: str) -> tuple[Pass, ...]:
    """The passes that find bodies and their surfaces; their other attributes are those of ``own``."""
    mixed, levels, offers = own.matter == "mixture", (HIGHEST, LOWEST), (SOURCES, SINKS)
    own = replace(own, follows_sets=True)
    reading = replace(own, reads=(plane,))
    found = (
        replace(reading, name="label", writes=(LABELS,) if mixed else (LABELS, *levels), joins="tiles"),
        replace(reading, name="merge_labels", refines=(LABELS,)),
        replace(
            reading,
            name="compress_labels",
            writes=offers if mixed else (SURFACES, *offers),
            refines=(LABELS,) if mixed else (LABELS, HIGHEST),
        ),
        replace(own, name="join_labels", refines=(LABELS,), analysis_only=True, joins="labels", only_in_part=True),
    )
    adopt = replace(reading, name="adopt", writes=(*levels, SURFACES), refines=(LABELS,))
    return (*found, adopt) if mixed else found


def _round(own: Pass, plane: str) -> tuple[Pass, ...]:
    """The passes of a round; their other attributes are those of ``own``.

    Pass `bid` runs only in a part of a world; elsewhere `offer` bids. Only bodies of a mixture rest, so of atoms `bid`
    and `offer` change no labels and no surfaces.
    """
    mixed, levels, offers = own.matter == "mixture", (HIGHEST, LOWEST), (SOURCES, SINKS)
    reading = replace(own, reads=(plane,), repeats="rounds")
    bid = replace(reading, name="bid", refines=(LABELS, SURFACES, *levels), only_in_part=True)
    offer = replace(reading, name="offer", refines=(SURFACES, *levels, *offers), joins="levels")
    transfer = replace(
        own,
        name="transfer",
        updates=(plane,),
        refines=(LABELS, SURFACES, *offers),
        repeats="rounds",
        marks_active=True,
        follows_sets=True,
    )
    if not mixed:
        return replace(bid, joins="runs"), replace(offer, takes=(LABELS,)), _across(own, plane)[0], transfer
    transfer = replace(transfer, counts=("moved",), updates_there=("warmth",), counts_there=("air",))
    transfer = replace(transfer, refines=(*transfer.refines, *levels), also_wakes="atoms")
    return bid, replace(offer, refines=(LABELS, *offer.refines)), transfer


def _in_parts(matter: str, plane: str) -> tuple[Pass, ...]:
    """The other passes that run only in a part of a world, for one kind of cell; they do not run over tiles."""
    own = Pass("pressure", "", Over.COLUMNS, wakes=matter, matter=matter, rows=0, columns=0)
    mixed, offers = matter == "mixture", (SOURCES, SINKS)
    own = replace(own, for_each="pressure" if mixed else "", only_in_part=True)
    return (
        replace(
            own,
            name="see_borders",
            reads=(plane,),
            takes=(LABELS,) if mixed else (LABELS, HIGHEST),
            writes=(BODY_BORDERS, BODY_SIDES),
            analysis_only=True,
        ),
        replace(
            own,
            name="see_winners",
            reads=(plane,),
            takes=offers if mixed else (*offers, HIGHEST, LOWEST),
            writes=(WINNERS,),
            analysis_only=True,
            repeats="rounds",
            joins="offers",
        ),
        *(_heat_in_parts(own) if mixed else ()),
        replace(
            own,
            name="transfer_in_part",
            updates=(plane,),
            takes=(WINNERS,),
            refines=(LABELS, SURFACES, *offers, HIGHEST, LOWEST) if mixed else (LABELS, SURFACES),
            counts=("moved",) if mixed else (),
            repeats="rounds",
            marks_active=True,
            also_wakes="atoms" if mixed else "",
            follows_sets=True,
            joins="winners",
        ),
    )


def _heat_in_parts(own: Pass) -> tuple[Pass, ...]:
    """The passes that send heat along with what flows between parts; their other attributes are those of ``own``.

    `transfer_in_part` has as many images as a pass may have.
    """
    own = replace(own, beside="heat", takes=(SOURCES, SINKS), repeats="rounds")
    return (
        replace(own, name="see_heat", reads=("mixture", "warmth"), writes=(HEATS,), analysis_only=True),
        replace(
            own,
            name="transfer_heat",
            updates=("warmth",),
            takes=(SOURCES, SINKS, WINNERS, HEATS),
            counts=("air",),
            follows_sets=True,
            joins="heats",
        ),
    )


def _across(own: Pass, plane: str) -> tuple[Pass, Pass]:
    """The passes that record what moves across the upper end of a part; their other attributes are those of ``own``."""
    own = replace(own, reads=(plane,), only_in_part=True, marks_active=True)
    labelled = (LABELS, SURFACES, SOURCES, SINKS, WINNERS)
    transfers = replace(
        own, name="transfer_across", takes=(HIGHEST,), refines=labelled, repeats="rounds", needs=("floats",)
    )
    loads = replace(
        own,
        name="transfer_load_across",
        takes=(LABELS, SOURCES, SINKS, HIGHEST),
        refines=(SURFACES, WINNERS),
        needs=("loads",),
        joins="offers",
    )
    return transfers, loads


def _under_load(own: Pass, plane: str) -> tuple[Pass, ...]:
    """The passes that move liquid under the weight of another liquid; their other attributes are those of ``own``."""
    own = replace(own, needs=("loads",))
    offers = replace(
        own,
        name="offer_under_load",
        reads=(plane,),
        takes=(LABELS, SINKS, HIGHEST, LOWEST),
        refines=(SURFACES, SOURCES),
        joins="runs",
    )
    transfers = replace(
        own,
        name="transfer_under_load",
        updates=(plane,),
        takes=(LABELS, SURFACES, SOURCES, SINKS),
        marks_active=True,
        follows_sets=True,
        joins="loads",
    )
    return offers, _across(own, plane)[1], transfers


def _sums(plane: str) -> tuple[Pass, ...]:
    """The passes that sum up what goes on from the own rows of a part of a world into the part below."""
    own = Pass("pressure", "", Over.COLUMNS, reads=(plane,), writes=(RUNS,), wakes="atoms", matter="atoms")
    own = replace(own, needs=("floats",), analysis_only=True, only_in_part=True, rows=0, columns=0)
    return (
        replace(own, name="sum_stacks"),
        replace(own, name="sum_again", repeats="rounds"),
        replace(own, name="sum_loads", takes=(LABELS,), needs=("loads",)),
    )


def _beside_amounts(passes: tuple[Pass, ...]) -> tuple[Pass, ...]:
    """Return passes that see water by mass as a liquid without gravity, which is part of no body."""
    reading = (pass_.moves_atoms or "cells" in pass_.reads for pass_ in passes)
    return tuple(replace(each, amounts="sees") if reads else each for each, reads in zip(passes, reading, strict=True))


# In a world with both the mixture moves first, because its marks of cells with an atom are valid until atoms move.
_IN_STRIPS = (*_transfers("mixture", "mixture"), *_beside_amounts(_transfers("atoms", "cells")))
_IN_PARTS = (*_in_parts("mixture", "mixture"), *_beside_amounts((*_sums("cells"), *_in_parts("atoms", "cells"))))
_ANALYSES = (*_analyses("mixture", "mixture"), *_beside_amounts(_analyses("atoms", "cells")))


def rows_near(matter: str, laws: Laws) -> int:
    """The rows on each side of a border between parts of a world whose labels are compared, for one kind of cell.

    The surface of a body of atoms rises by at most a row in a round, so bodies count that can come near to a border.
    """
    return NEAR_ROWS + (int(laws.parameters["pressure"]["rounds"]) if matter == "atoms" else 0)


def _has_loads(laws: Laws, numbers: Collection[int]) -> bool:
    """True if two liquids are among some materials: one of them can lie on the other."""
    return sum(laws.materials.records[number].state is State.LIQUID for number in numbers) > 1


def _has_floats(laws: Laws, numbers: Collection[int]) -> bool:
    """True if a powder is among some materials: it can float on liquid."""
    return any(laws.materials.records[number].state is State.POWDER for number in numbers)


RULE = Rule(
    name="pressure",
    about="Connected liquid finds one level, even where it must rise.",
    fields=(),
    requires=Requirements(works_on=("atoms", "mixture")),
    parameters=(Parameter("rounds", 8, "the most transfers within each body in a tick", 0, ROUNDS_MOST, whole=True),),
    variants=(
        Variant(
            "strips",
            "each invocation works on a strip of a column, in components of tiles that have changed",
            (*_ANALYSES, *_IN_STRIPS, *_IN_PARTS),
        ),
    ),
    # searched: the last tick in which liquid and powder were searched for in the tile.
    # liquid: the tick after the last search that found liquid at rest.
    # powder: the same of powder at rest, which may float on liquid of a tile below.
    # component: the smallest number of the tiles that are connected with the tile. The tile of that number has the
    #   flags unfinished and activated for the whole component.
    # unfinished: the last tick whose last round still transferred something.
    # held: the last tick in which the tile was in an unfinished component, which it may have left since.
    # activated: the last tick in which the passes ran on the tiles of the component.
    awake="is_awake",
    kinds={"loads": _has_loads, "floats": _has_floats},
    tile_flags=("searched", "liquid", "powder", "component", "unfinished", "held", "activated"),
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
    numbers=Numbers(constants=CONSTANTS, tables=_tables, unsigned=frozenset({"adopted", "rests"})),
    streams=(Stream("offer", count=ROUNDS_MOST),),
    settle_ticks=lambda _laws: 1,
)
