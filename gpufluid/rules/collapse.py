"""Rule ``collapse``: loose solids fall, and float in liquids. Without this rule no solid ever moves.

A *piece* is a connected set of solid cells whose materials are not anchored (key ``anchored`` of a material), of any
mix of materials. A piece is *held* if one of its cells touches an anchored solid or the edge of the world, on any side;
on a torus, which has no edge, if a column of it closes around the world. An open edge holds too: the ground of a scene
goes on beyond it. A piece that is not held and lies on no powder falls by one cell, `steps` times a tick, if it is
heavier than the fluid that it would displace; over a liquid once a tick, in a liquid once in two. A lighter one rises
in a liquid, if no powder lies on it.

1. Labelling (`label`, `merge_labels`, `compress_labels`) finds the pieces by union-find, as rule ``pressure`` finds
   bodies of liquid.
2. `hold` finds the pieces that are held, that cannot fall, and that cannot rise.
3. `weigh` computes the weight of each other piece, less that of the fluid that it displaces (below).
4. `move` moves the runs of the pieces that fall or rise. A *run* is a stack of touching cells of a piece; it changes
   places with the one cell below it, or above. A run and that cell hold no cell of another run: so all pieces move at
   once, nothing is lost, and each piece keeps its shape.
5. `find_spills`, `claim_spills` and `spill` let liquid of atoms run off floating pieces: what a piece displaces comes
   to lie on it first. An atom of liquid at rest on a run that ends at a liquid, with nothing on top, looks for the
   *shore*: the nearest column, on either side, in which liquid lies lower. It changes places with the empty cell above
   that liquid, in the column as far beyond the shore as the atom lies before it, so that all atoms of a row find room
   at once; or, if something is there, at the shore. A cell takes one atom in a tick, the one that falls by the fewest
   rows. Each such move lowers the energy.

A piece floats as deep as Archimedes' law says, in liquids of atoms, in water by mass and in mixtures, and rises if it
lies deeper. The displaced fluid rises only to the surface beside the piece, not over the piece. So each row of the
piece weighs less by the mean density of the fluids beside its two ends, at `GAP_SAMPLES` places spread over what is
seen of the *gap* there: the uppermost row of a liquid is seldom full. Beside amounts, whose surfaces are exact, the
nearest place is enough. Where the piece overhangs an end, the next place beyond the overhang counts instead: below an
overhang the fluid follows a move of the piece late, and the piece would go up and down for ever. A piece rises if it is
lighter than what it displaces in the middle of the move. It falls only if it is heavier than what it displaces at the
end of the fall: otherwise it would rise again, because the fluid that it pushed aside stands higher beside it. Between
the two it stays: so no piece can both fall and rise, each comes to rest, and it lies up to a row higher, or half a row
deeper, than its density says. In a narrow gap the fluid rises by several rows as the piece sinks by one: if the gaps
beside a row are together narrower than twice the row, the fluid that far ahead counts (`gaps_beside` in
``collapse/gaps.glsl``), and the piece lies within half of one such move. Half of a gap up to another piece counts for
each of the two. In the first substep of every second tick pieces that touch a liquid may rise and do not fall; so they
sink at half the speed.

At a surface of water with momentum (rule ``inertia``) the water does not pass through the piece to its other side. Up
to 24 cells of water below each run share what the run displaces, with its heat, or each give a part of theirs to the
cell that the run leaves; their pressure then moves the water around the piece. A run changes places with the water as
elsewhere if half a cell of water or more lies on it, or if no water below it gives way: there is none, or one and a
half cells of it or more in a cell, or another piece near by, or the heat of a cell is half of what it can hold.

Nothing is drawn at random. A piece falls and rises at a constant speed and has no velocity; it does not turn or break.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gpufluid.matter.materials import State
from gpufluid.rules.atoms import properties
from gpufluid.rules.inertia import FLOATS_OVER
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import NEAR_COLUMNS, NEAR_ROWS, OWN_CELLS, Over, Pass, Scratch
from gpufluid.rules.schema import Numbers, Parameter, Requirements, Rule, Variant

BELOW_RUN = FLOATS_OVER + 2
"""Rows below a run on which its move can depend beside rule ``inertia``: the cell that it enters, the water that gives
way, and one cell more, which may be of another piece.
"""

ABOVE_RUN = 2
"""Rows above a run on which its move can depend beside rule ``inertia``: its own cell of air, and another piece."""

_NEAR_MOST = max(NEAR_ROWS, BELOW_RUN)

_SETS = 4 * _NEAR_MOST
"""`Scratch.sets`: as many rows as lie near the two borders of a part; see `rows_near`."""

PIECES = Scratch("pieces", Over.CELLS, sets=_SETS)
"""The label of each cell of the gravity frame: 1 plus the index of its piece's first cell, row by row; 0: no piece."""

HELD = Scratch("held", Over.CELLS, sets=_SETS)
"""Bits of each piece, from `FIXED` to `WET`, stored at its first cell."""

WEIGHT_LOW, WEIGHT_HIGH = (Scratch(name, Over.CELLS, sets=_SETS) for name in ("weight_low", "weight_high"))
"""The weight of each piece that is not held, signed, 64 bits in two words, stored at its first cell."""

BORDERS = Scratch("borders", Over.COLUMNS, "rg32ui", sets=3 + _SETS // 2)
"""The pieces at both ends of the own rows of a part of a world; each row has a texel for each column.

- Row 0, at the upper end: the number of loose cells from there downward within its own rows, and 0. Row 1 has the same
  from the lower end upward.
- Row 2 has the lowest run within its own rows, if less than `BELOW_RUN` rows lie between the run and the lower end: the
  number of these rows, and the number of cells of the run; 0: there is none.
- The rows from 3 on have the labels of the rows near the upper end, as many on each side as `rows_near` says, then of
  those near the lower end, two rows in each texel; 0: no loose cell.

Then row 0 gets what the simulations of all parts have found: 1 if the column closes around a torus, and 0.
"""

SIDES = Scratch("sides", Over.ROWS, sets=4 * NEAR_COLUMNS)
"""The labels that a part of a world without whole rows has near the left and the right end of its own columns: each row
of the image is one of the `NEAR_COLUMNS` columns on each side of an end, with a texel for each row of the part; 0: no
loose cell.
"""

ROW_ENDS = Scratch("row_ends", Over.ROWS, "rg32ui", sets=2)
"""In a part of a world without whole rows: the fluid beyond the own columns, beside rows of pieces, and overhangs, that
cross a border. `see_row_ends` writes what this part sees; the ranks replace it by what lies beyond this part.

Each row of the part has two texels. The first one has what is seen to the right from the first own column, the second
one what is seen to the left from the last. The two words of a texel are sums of the densities of `GAP_SAMPLES` fluids
beside the end of the row, at the two places ahead that `weigh` looks at, each plus 1; 0: no fluid. The first word can
also have these bits.

- `GOES_ON`: the row of the piece, or the overhang, reaches beyond the other end of the own columns, too. Then the fluid
  there counts, or this one if no place there is open.
- `NOT_OPEN`: no place below the overhang is open.

Then the first texel gets what all parts to the right have found together, the second one what those to the left have.
"""

GOES_ON, NOT_OPEN = 1 << 31, 1 << 30
"""Bits of `ROW_ENDS`."""

WIDE_CELLS = 128
"""The cells of a row of a piece from which on the gaps beside it count as wide, however wide they are."""

GAPS_REACH = 3 * WIDE_CELLS
"""The most columns from a cell of a row to what is seen of the gaps beside the row."""

NEAR_CELLS = 4
"""The least cells of a row by whose number the width of the gaps that are seen beside it is chosen."""

GAP_SAMPLES = 2
"""The places in a gap beside a row whose fluids are averaged."""

AHEAD_MOST = 32
"""The most rows by which fluid in a narrow gap is taken to rise as a piece falls by one."""

SPILLING = Scratch("spilling", Over.COLUMNS)
"""The cells of each strip of a column with liquid that runs off a floating piece, one bit for each cell."""

SPILLS = Scratch("spills", Over.CELLS)
"""How liquid runs off floating pieces: of each cell of such liquid the cell that it is to enter, and of each cell that
liquid is to enter the greatest claim; ``shaders/collapse/spills.glsl`` has the layout of the words.
"""

SPILL_COLUMNS = 64
"""The most columns from liquid on a piece to its shore, the nearest column in which liquid lies lower."""

SPILL_ROWS = 64
"""The most rows from liquid on a piece down to the liquid on which it then lies: so it falls by one row less."""

FLOAT_ROWS = 64
"""The most cells of a run of a piece, from which liquid can run off."""

STEPS_MOST = 8
"""The most cells that a piece falls in a tick: as many as an atom, and less than the rows of a tile."""

YIELDS, LOOSE, SLOWS, BEARS, HOLDS = range(5)
"""The role of a material beside a piece.

- `YIELDS`, of empty cells and gases: a piece falls into such cells in every substep of a tick.
- `LOOSE`, of solids that are not anchored: their cells make up the pieces.
- `SLOWS`, of liquids: a piece falls into such cells in the first substep of a tick only.
- `BEARS`, of powders: a piece that lies on such a cell is held.
- `HOLDS`, of anchored solids: a piece that touches such a cell is held.
"""


FIXED, NO_FALL, NO_RISE, WET = (1 << bit for bit in range(4))
"""Bits of `HELD`: the piece moves neither down nor up; it does not fall; it does not rise; it touches a liquid."""


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """``role``: the role of each material: `YIELDS`, `LOOSE`, `SLOWS`, `BEARS` or `HOLDS`.

    It goes on with the materials of amounts, in a world that has them; see `atoms.properties`.
    """
    roles = {State.LIQUID: SLOWS, State.POWDER: BEARS, State.SOLID: LOOSE}
    found = [HOLDS if each.anchored else roles.get(each.state, YIELDS) for each in laws.materials]
    return {"role": found + [SLOWS] * (len(properties(laws)["state"]) - len(found))}


def rows_near(laws: Laws) -> int:
    """The rows on each side of a border between parts of a world whose labels are compared: an even number.

    Beside rule ``inertia`` a piece changes the water far below it.
    """
    return BELOW_RUN if "inertia" in laws.rules else NEAR_ROWS


def _has_liquids(laws: Laws, numbers: Collection[int]) -> bool:
    """True if a liquid is among some materials, and has a weight by which it runs off pieces."""
    return laws.gravity != "off" and any(laws.materials.records[number].state is State.LIQUID for number in numbers)


def _settle_ticks(laws: Laws) -> int:
    """The number of ticks in which every move is tested: falls in one tick, rises in the next."""
    del laws
    return 2


_OWN = Pass(
    *("collapse", "", Over.COLUMNS),
    wakes="atoms",
    repeats="steps",
    activated_by="label",
    rows=0,
    columns=0,
    follows_sets=True,
)
_SEE_BORDERS = replace(
    _OWN,
    name="see_borders",
    reads=("cells",),
    takes=(PIECES,),
    writes=(BORDERS, SIDES),
    amounts="sees",
    activated_by="",
    analysis_only=True,
    only_in_part=True,
)
_JOIN_LABELS = replace(
    _OWN, name="join_labels", refines=(PIECES,), analysis_only=True, only_in_part=True, joins="labels"
)
_SEE_ROW_ENDS = replace(
    _SEE_BORDERS,
    name="see_row_ends",
    writes=(ROW_ENDS,),
    only_across=True,
    rows=AHEAD_MOST,
    columns=GAPS_REACH,
)
_WEIGHTS = (WEIGHT_LOW, WEIGHT_HIGH)
_IN_STRIPS = (
    replace(_OWN, name="label", reads=("cells",), writes=(PIECES,), amounts="sees", joins="tiles"),
    replace(_OWN, name="merge_labels", reads=("cells",), refines=(PIECES,), amounts="sees"),
    replace(_OWN, name="compress_labels", writes=(HELD, *_WEIGHTS), refines=(PIECES,)),
    _JOIN_LABELS,
    replace(_OWN, name="hold", reads=("cells",), takes=(PIECES,), refines=(HELD,), looks_ahead=BORDERS, amounts="sees"),
    replace(
        _OWN,
        name="weigh",
        reads=("cells",),
        takes=(PIECES, HELD),
        refines=_WEIGHTS,
        looks_across=ROW_ENDS,
        amounts="sees",
        joins="row_ends",
        rows=AHEAD_MOST,
        columns=GAPS_REACH,
    ),
    replace(
        _OWN,
        name="move",
        updates=("cells",),
        takes=(PIECES, HELD, *_WEIGHTS),
        marks_active=True,
        amounts="moves",
        joins="sums",
    ),
)
_SPILLING = Pass(
    "collapse",
    "",
    Over.COLUMNS,
    wakes="atoms",
    activated_by="find_spills",
    needs=("liquids",),
    reach=(2 * SPILL_COLUMNS - 1, SPILL_ROWS - 1),
)
_SPILLS = (
    replace(
        _SPILLING,
        name="find_spills",
        reads=("cells",),
        writes=(SPILLS, SPILLING),
        amounts="sees",
        reach=(2 * SPILL_COLUMNS - 1, FLOAT_ROWS + 1),
    ),
    replace(_SPILLING, name="claim_spills", takes=(SPILLING,), refines=(SPILLS,)),
    replace(_SPILLING, name="spill", updates=("cells",), takes=(SPILLS, SPILLING), marks_active=True),
)
_ANALYSIS = Pass("collapse", "", Over.TILES, analysis_only=True, wakes="atoms", follows_sets=True)
_ANALYSES = (
    replace(
        _ANALYSIS,
        name="find_loose_tiles",
        reads=("cells",),
        over=Over.COLUMNS,
        activated_by="find_loose_tiles",
        reach=OWN_CELLS,
    ),
    replace(_ANALYSIS, name="merge_tiles", rows=0, columns=0),
    replace(_ANALYSIS, name="activate_clusters", rows=0, columns=0),
)

RULE = Rule(
    name="collapse",
    about="Pieces of solid that nothing holds fall.",
    fields=("material", "velocity", "grain"),
    changes_solids=True,
    requires=Requirements(needs=("atoms",)),
    parameters=(
        Parameter("steps", 2, "the cells that a piece falls in a tick; over a liquid, one", 1, STEPS_MOST, whole=True),
    ),
    variants=(
        Variant(
            "strips",
            "each invocation works on a strip of a column, in clusters of tiles that have changed",
            (*_ANALYSES, *_IN_STRIPS, *_SPILLS, _SEE_BORDERS, _SEE_ROW_ENDS),
        ),
    ),
    # loose_solid: 1 if the tile holds loose solid.
    # cluster: the smallest number among the tiles that are connected with the tile.
    # examined: the last tick in which the passes ran on a cluster, stored in the tile whose number the cluster has.
    awake="is_awake",
    kinds={"liquids": _has_liquids},
    tile_flags=("loose_solid", "cluster", "examined"),
    numbers=Numbers(
        constants={
            "yields": YIELDS,
            "loose": LOOSE,
            "slows": SLOWS,
            "bears": BEARS,
            "holds": HOLDS,
            "fixed": FIXED,
            "no_fall": NO_FALL,
            "no_rise": NO_RISE,
            "wet": WET,
            "near_rows": NEAR_ROWS,
            "near_columns": NEAR_COLUMNS,
            "below_run": BELOW_RUN,
            "wide_cells": WIDE_CELLS,
            "gap_samples": GAP_SAMPLES,
            "near_cells": NEAR_CELLS,
            "ahead_most": AHEAD_MOST,
            "spill_columns": SPILL_COLUMNS,
            "spill_rows": SPILL_ROWS,
            "float_rows": FLOAT_ROWS,
            "goes_on": GOES_ON,
            "not_open": NOT_OPEN,
        },
        tables=_tables,
        unsigned=frozenset({"fixed", "no_fall", "no_rise", "wet", "goes_on", "not_open"}),
    ),
    settle_ticks=_settle_ticks,
)
