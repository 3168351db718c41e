"""Rule ``atoms``: falling powders, liquids and gases, one atom to a cell.

An atom is the whole word of a cell: material, velocity and grain move together. A tick moves atoms in four ways:

1. In rows of one fluid (`seek`, `spread`): an atom with matter on top passes through its own material to a hole at the
   end of the run, and gets the speed that belongs to its depth. So levels even out over many cells at once. Each such
   move lowers the energy, so the fluid comes to rest. A hole must lie on matter or below a roof, as in an orifice: a
   vertical surface of fluid flows out at its foot first. A short run of a liquid with nothing on top moves cell by cell
   to the nearest run of its row, so that the uppermost row of a liquid gathers in long runs. Under a less dense fluid
   the uppermost atom of a column moves into the hole, and the content of the hole takes its place. So the content need
   not rise through the fluid, and two fluids side by side form level layers.
2. Along columns, then rows (`survey`, `fall`, `rise`, `glide`): an atom with a speed moves by that speed, up to 7.9
   cells. A scan of each line from front to back moves each atom as far as the atom ahead has made room. The seeds visit
   cells from bottom to top instead; the scan works on all lines and strips at once. So a falling body keeps its inside,
   and a jet does not block itself; the edges of a body fray, because atoms are pushed to a side at random.
   In every other tick (`find_drops`, `form_drops`) atoms of a liquid that fall freely gain speed toward others of their
   liquid up to four cells away, unless they already touch some in column and row. So a stream stays together and tears
   in drops, although each atom falls by its own speed.
   Before the fall (`touch`, `join`, `bounce`) a body of an elastic powder, one with a cohesion of 1, reverses its
   velocity as a whole if one of its columns or rows would hit an obstacle.
3. In 2x2 blocks (`settle`): atoms at rest slide, moving neighbours of one material share their speeds, gases diffuse.
4. In columns (`weigh`, `sink`): where denser matter lies on a less dense fluid, or a fluid on a less dense powder, the
   two runs of cells pass each other. So sand enters a liquid with the speed that it has, and a bubble rises as a whole.
   A bubble one cell wide rises a quarter as fast for each cell that it has, up to four: those behind it join it.
   A light powder comes to lie on the surface. To float deeper it must lift liquid at its sides, which may be far away;
   rule ``pressure`` does this. Beside rule ``inertia`` the pressure of water by mass tells how deep it must float.

Beside rule ``flow`` a cell holds an atom or water by mass, beside rule ``mixture`` an atom or amounts. All passes see
both as a liquid that nothing pulls on; in `settle`, `spread` and `sink` atoms change places with it. A liquid that is
denser than the water in a partly full cell moves there as into an empty cell. Full cells of water spread below a less
dense liquid of atoms, such as oil, and lift it to the surface; so oil comes to lie level on water.

All passes work in the gravity frame, in which gravity points down. ``docs/trials.md`` describes the alternatives that
were tried.

Source: seed 004, "Spraying Fluids"; seed 002, "Movable cells".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gpufluid.core.fields import ATOM_PLANE, FULL, SPEED_LIMIT, VELOCITY_ONE, Field, Quantity
from gpufluid.matter.materials import COHESION_ONE, COLUMNS, State
from gpufluid.matter.ports import PORTS_MOST
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import (
    AHEAD,
    AHEAD_ACROSS,
    OWN_CELLS,
    ROW_STRETCHES,
    ROW_SUMS,
    SEGMENT,
    STRETCHES,
    SUMS,
    UNBOUNDED,
    Layout,
    Over,
    Pass,
    Scratch,
)
from gpufluid.rules.schema import Numbers, Overlay, Parameter, Requirements, Rule, Stream, Variant, Word

REACH = -(-SPEED_LIMIT // VELOCITY_ONE)
"""The most cells that an atom moves in a tick."""

LIFT_PAIRS = 64
"""A column has heads before holes with a less dense fluid only in one of so many consecutive pairs of rows."""

WATER_STEPS = 20
"""The steps of density of water by mass, up to that of a full cell. So many numbers, after those of a world's
materials, stand for such water among atoms; see `properties`.
"""

WATER_DENSITY = 1000
"""The density of a full cell of water by mass. Pressure makes water no denser, so what sinks goes to the bottom."""

STEP_DENSITY = WATER_DENSITY // WATER_STEPS
"""The densities of two successive steps differ by this, in kg/m3."""

MIXTURE_STEPS = 64
"""The steps of density of a cell with a mixture, of `STEP_DENSITY` each, up to 3200. Lava with water is denser."""

STEPS = {"mass": WATER_STEPS, "mixture": MIXTURE_STEPS}
"""The number of steps by the plane of the amounts; see `gpufluid.rules.laws.amounts_beside_atoms`."""

WEIGHT_SHIFT = 10
"""An amount is shifted right by so many bits, and rounded up, before a density multiplies it: see `STEP_WEIGHT`."""

STEP_WEIGHT = STEP_DENSITY * (FULL >> WEIGHT_SHIFT)
"""The weight of a full cell of density `STEP_DENSITY`, in kg/m3 times 1/1024 of a cell."""

DROP_LOOKS = (
    ((1, 1), (3, 0), (0, 3), (4, 2)),
    ((2, 2), (1, 0), (0, 1), (1, 4)),
    ((3, 3), (2, 0), (0, 2), (3, 1)),
    ((2, 1), (4, 0), (0, 4), (1, 3)),
)
"""The cells at which an atom of a falling liquid looks for others, in every other tick, in four turns: (columns, rows)
away, on both sides, above and below.
"""

DROP_REACH = max(max(cell) for looks in DROP_LOOKS for cell in looks)
"""The most columns or rows between an atom of a falling liquid and one that it sees."""

CONSTANTS = {
    "reach": REACH,
    "clear": REACH + 1,  # free cells ahead are counted up to this number
    "hard_none": 0,  # the obstacle that stops an atom: none, or an atom that moves itself;
    "hard_atom": 1,  # an atom at rest;
    "hard_solid": 2,  # a solid;
    "hard_soft": 3,  # a powder that is about to sink into a fluid, at which other powders keep their speed;
    "hard_amount": 4,  # an amount, at which powders that sink in it keep their speed, and what has just fallen
    "slide_speed": VELOCITY_ONE // 2,  # speed down after a slide: one cell of fall; faster atoms do not slide
    "slide_across": 10,  # speed to the side after a slide, by which the atom leaves the column; less slows down slopes
    "shed_liquid": 8,  # 256ths: the probability that a loaded atom of a liquid slides out of a face,
    "shed_powder": 96,  # and a loaded atom of a powder; more sheds every second row of a face at once, as stripes
    "stray_push": 2,  # speed to the side, up to which a falling or rising atom is pushed in a tick
    "cohesion_one": COHESION_ONE,
    "run_most": 64,  # cells of a run that passes another at once
    "step_most": 3,  # cells that it moves in a tick, at most
    "liquid_drift": 4,  # a liquid moves through another so many times as fast as a powder of its density would
    "powder_rise": 2 * VELOCITY_ONE,  # the speed at which a powder without weight would rise
    "wall_bounce": 64,  # 256ths: the smallest part of a speed that a wall returns, so that water sloshes
    "exchange_least": 64,  # 256ths: the probability that an atom slides into a fluid of nearly the same density,
    "exchange_more": 96,  # and the most that is added to it
    "exchange_growth": 64,  # 256ths that are added for each doubling of the ratio of densities
    "reach_fluid": 256,  # cells between a head and a hole that holds a less dense fluid, at most
    "thin_layer": 12,  # atoms over a hole; with fewer the layer is thin,
    "shallow": 4,  # and a head with at most so many atoms of its fluid on top moves into the hole itself
    "lift_pairs": LIFT_PAIRS,  # pairs of rows of which a column serves one
    "lift_most": 2 * LIFT_PAIRS - 3,  # rows from a head up to the atom that leaves: they end short of the next pair
    "bubble": 4,  # cells from which on a bubble of gas one cell wide is as fast as any other
    "roof": 8,  # cells over the end of a run in which a solid makes the end part of an orifice
    "toe": 16,  # a free face flows out over a hole that lies higher than its floor by a cell for each so many cells
    "toe_depth": 32,  # of depth; depths are counted up to this number
    "layer": 4,  # rows of a less dense fluid into which a denser one spreads, at least
    "depth_most": 64,  # depths are counted up to this number
    "segment": SEGMENT,
    "body_most": 64,  # cells of an elastic body that are searched along a row or a column
    "free_fall": 3,  # a liquid falls freely at a speed above so many times its pull
    "drop_pull": 8,  # an atom to one side counts as much as a difference of speed of so many 1/16 cell a tick
    "drop_push": 4,  # the change of a speed in two ticks, in 1/16 cell a tick
    "gather": 64,  # cells of a run that gathers, and before the next run, at most
    "span": 31,  # cells behind a head, and beyond a run's end, that are searched for further heads and holes
}

HEADS_MOST = 16
"""The most heads of a run that spread at once."""

HEADS_DEPTH = 256
"""The most that the number of heads times their depth may be: deeper heads are faster, so fewer of them spread."""

PULL_MOST = 127
"""The largest pull, in 1/16 cell a tick a tick; more makes no difference to an atom that moves at most 8 cells a tick.
"""

NEVER = 1 << 30
"""The period, in ticks, of something that no number of ticks makes certain."""

SUBSTEPS_MOST = 64
"""The most times that blocks settle, or fluids spread, in a tick."""

STREAMS = (
    *map(Stream, ("fall", "rise", "side", "order", "weigh")),
    *(Stream(name, count=SUBSTEPS_MOST) for name in ("settle", "seek")),
    *(Stream(name, count=PORTS_MOST) for name in ("emit", "drain")),
)

WORDS = {
    "matter": Word({"state": 3, "density": 16, "slide": 9, "cohesion": 4}),
    "contact": Word({"weight": 12, "stick": 9, "spread": 9}),  # weight: the logarithm of the density
    "motion": Word({"pull": 8, "terminal": 7, "drag": 7, "bounce": 9}, signed=frozenset({"pull"})),
    "spray": Word({"stray": 9, "splash": 9, "resistance": 9}),
}
"""The tables of packed words; what is asked of a material together lies in one word. A pull is in 1/16 cell a tick a
tick.
"""

SURVEY = Scratch("survey", Over.COLUMNS)
RUNS = Scratch("runs", Over.COLUMNS, "rgba32ui")
MOVING, STOPPED, JOINED = (Scratch(name, Over.COLUMNS, "rgba32ui") for name in ("moving", "stopped", "joined"))
DROPS = Scratch("drops", Over.COLUMNS, "rgba32ui")
SLOTS = Scratch("slots", Over.SEGMENTS, "rgba32ui")


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """The tables by material, in as few words as possible, because a look-up on the device costs as much as a load.

    Returns:
        the columns of `WORDS`, packed.
        ``pull_reciprocal``: 2**32 / (32 * pull) of each material, rounded up.
        ``drop_looks``: a word for each turn of `DROP_LOOKS`, with four bits for each number of columns and of rows.
        ``heads``: the number of heads of a run that spread at once, by depth.
    """
    fixed, columns = laws.constants["atoms"], properties(laws)
    acceleration = fixed["acceleration"] if laws.gravity != "off" else 0
    pull = [_pull(factor, acceleration) for factor in columns["gravity"]]
    columns["pull"] = pull
    columns["weight"] = [(density ** fixed["exchange_growth"]).bit_length() for density in columns["density"]]
    depths = range(fixed["depth_most"] + 1)
    return {
        **{name: word.packed(columns) for name, word in WORDS.items()},
        "pull_reciprocal": [-(-(1 << 32) // (32 * abs(each))) if each else 0 for each in pull],
        "drop_looks": [sum((x | y << 4) << 8 * i for i, (x, y) in enumerate(looks)) for looks in DROP_LOOKS],
        "heads": [max(1, min(HEADS_MOST, HEADS_DEPTH // max(depth, 1))) for depth in depths],
    }


def properties(laws: Laws) -> dict[str, list[int]]:
    """The properties of each material, by the names of `COLUMNS`; each list is indexed by material number.

    In a world with water by mass and atoms the passes see water as a liquid of `WATER_STEPS` further materials, one for
    each step of density, rounded up: the thinnest water is denser than a gas. Nothing pulls on this liquid: atoms move
    through it, and rule ``flow`` moves it. Else it is as material water; thin water slows down less. In a world with a
    mixture and atoms the same holds for what the cells hold of the mixture, in `MIXTURE_STEPS` steps.
    """
    materials, plane = laws.materials, laws.amounts_beside_atoms
    columns = {name: materials.column(name)[: len(materials)].tolist() for name in COLUMNS}
    if not plane:
        return columns
    steps = range(1, STEPS[plane] + 1)
    like = materials["water" if "water" in materials else laws.mixture.names[0]]
    own = {name: [column[like]] * len(steps) for name, column in columns.items()}
    own |= {name: [0] * len(steps) for name in ("gravity", "cohesion")}
    own["state"] = [State.LIQUID.value] * len(steps)
    own["density"] = [STEP_DENSITY * step for step in steps]
    own["resistance"] = [columns["resistance"][like] * min(step, WATER_STEPS) // WATER_STEPS for step in steps]
    return {name: column + own[name] for name, column in columns.items()}


def open_below(laws: Laws) -> int:
    """The density, in kg/m3, of the least dense full cell of amounts beside atoms, of those that are no gas.

    A cell with less dense amounts is partly full, or holds gas: liquid of atoms moves there as into an empty cell.
    """
    records = [laws.materials.records[laws.materials[name]] for name in laws.mixture.names]
    dense = [each.density for each in records if each.state is not State.GAS]
    return min(dense, default=WATER_DENSITY) if laws.amounts_beside_atoms == "mixture" else WATER_DENSITY


def layer_densities(laws: Laws) -> list[int]:
    """The density of each layer of a mixture beside atoms, in kg/m3, at least 1; empty: there is no such mixture."""
    names = laws.mixture.names if laws.amounts_beside_atoms == "mixture" else ()
    return [max(laws.materials.records[laws.materials[name]].density, 1) for name in names]


def _pull(factor: int, acceleration: int) -> int:
    """The pull on a material, in 1/16 cell a tick a tick: at least one unit up or down, unless it is weightless.

    One unit is the smallest change of a velocity.
    """
    size = min(max(1, (abs(factor) * acceleration + 128) >> 8), PULL_MOST) if factor and acceleration else 0
    return size if factor > 0 else -size


def _settle_ticks(laws: Laws) -> int | None:
    """The number of ticks in which all partition offsets, both rows and both sides have certainly been used."""
    ticks = _turns(laws.constants["atoms"])
    return None if NEVER in ticks.values() else max(ticks.values())


def _turns(fixed: Mapping[str, int]) -> dict[str, int]:
    """The ticks of a full turn: ``settle_period`` of the partition offsets, ``seek_period`` of the rows and sides."""
    settle = -(-7 // fixed["substeps"]) if fixed["substeps"] else NEVER
    seek = {0: 1, 1: NEVER, 2: 2, 3: 2}.get(fixed["spreads"], 1)  # one run a tick draws its side at random
    return {"settle_period": settle, "seek_period": seek}


def _blocks_shown(laws: Laws, tick: int) -> dict[str, int]:
    """The uniforms by which the overlay ``blocks`` shows the partition of the next tick's first substep."""
    fixed = laws.constants["atoms"]
    return {"block_count": tick * fixed["substeps"] & 0xFFFFFFFF, "block_use": fixed["use_order"]}


def _has_fluids(laws: Laws, numbers: Collection[int]) -> bool:
    """True if a fluid is among some materials. Amounts beside atoms count as a liquid."""
    return bool(laws.amounts_beside_atoms) or any(laws.materials.records[n].state >= State.LIQUID for n in numbers)


def _has_bodies(laws: Laws, numbers: Collection[int]) -> bool:
    """True if an elastic powder is among some materials: one with a cohesion of 1."""
    return any(laws.materials.records[n].elastic for n in numbers)


def _has_layers(laws: Laws, numbers: Collection[int]) -> bool:
    """True if one of some materials can sink in another: two that move, of different density, one of them a fluid.

    Amounts beside atoms have many densities.
    """
    moving = [laws.materials.records[n] for n in numbers if laws.materials.records[n].state >= State.POWDER]
    return bool(laws.amounts_beside_atoms) or (
        _has_fluids(laws, numbers) and len({each.density for each in moving}) > 1
    )


_LIFT_ROWS = CONSTANTS["lift_most"]
"""The most rows from a head up to the atom that leaves in its place, see `seek`."""

REACH_SHARED = CONSTANTS["reach_fluid"]
"""The largest `reach_open` of a world of which ranks share the rows: a wider halo would be needed."""

_SEEK_COLUMNS = REACH_SHARED + CONSTANTS["span"] + CONSTANTS["gather"] + SEGMENT
"""More columns than lie between a segment and what `seek` reads for it: a run, its followers, and the next run."""

_BODY_ROWS = CONSTANTS["body_most"]
"""The most rows of an elastic body that are searched."""

_GAP_ROWS = (2 * SPEED_LIMIT + PULL_MOST) // VELOCITY_ONE + 3
"""The rows beyond an elastic body in which `touch` looks for an obstacle, and the obstacle."""

_RUN_ROWS = CONSTANTS["run_most"]
"""The most cells of a run that passes another at once; `weigh` searches twice as many above."""

BLOCK_REACH = (1, 2)
"""The reach of `settle`: the result in a lower cell of a block depends on the cell above the block, two rows up."""

_EMIT = Pass(
    "atoms", "emit", Over.EMITTERS, updates=("cells",), counts=("emitted",), marks_active=True, reach=OWN_CELLS
)
_DRAIN = Pass(
    "atoms", "drain", Over.DRAINS, updates=("cells",), counts=("drained",), marks_active=True, reach=OWN_CELLS
)
_CROSSING = replace(_DRAIN, reach=UNBOUNDED, rows=REACH + 1, columns=0)
"""The passes of drains before passes of motion; they read the cells before the drain."""
_DRAIN_FALLING = replace(_CROSSING, name="drain_falling", port_reach=(0, REACH))
_DRAIN_RISING = replace(_CROSSING, name="drain_rising", port_reach=(0, REACH))
_DRAIN_GLIDING = replace(
    _CROSSING, name="drain_gliding", before="glide", times=2, rows=0, columns=REACH + 1, port_reach=(REACH, 0)
)
_SEEK = Pass(
    "atoms",
    "seek",
    Over.SEGMENTS,
    reads=("cells",),
    writes=(SLOTS,),
    repeats="spreads",
    marks_active=True,
    needs=("fluids",),
    activated_by="seek",
    rows=max(_LIFT_ROWS + 1, CONSTANTS["depth_most"], CONSTANTS["toe_depth"]),
    columns=_SEEK_COLUMNS,
)
_SPREAD = Pass(
    "atoms",
    "spread",
    Over.SEGMENTS,
    updates=("cells",),
    takes=(SLOTS,),
    repeats="spreads",
    needs=("fluids",),
    activated_by="seek",
    rows=_LIFT_ROWS,
    columns=_SEEK_COLUMNS + CONSTANTS["span"],
)
_FIND_RUN_ENDS = Pass(
    "atoms",
    "find_run_ends",
    Over.TILES,
    reads=("cells",),
    activated_by="find_run_ends",
    analysis_only=True,
    needs=("fluids", "bodies"),
    reach=(1, 0),
)


_DROPS = Pass("atoms", "", Over.COLUMNS, needs=("fluids",), activated_by="find_drops")
_FIND_DROPS = replace(_DROPS, name="find_drops", reads=("cells",), writes=(DROPS,), reach=(DROP_REACH, DROP_REACH))
_FORM_DROPS = replace(_DROPS, name="form_drops", updates=("cells",), takes=(DROPS,), marks_active=True, reach=OWN_CELLS)
_BODY = {"rows": _BODY_ROWS, "columns": _BODY_ROWS}
_BODIES = Pass("atoms", "", Over.COLUMNS, needs=("bodies",), activated_by="touch")
_TOUCH = replace(
    _BODIES,
    name="touch",
    reads=("cells",),
    writes=(MOVING, STOPPED),
    rows=_BODY_ROWS + _GAP_ROWS,
    columns=_BODY_ROWS + _GAP_ROWS,
)
_JOIN = replace(_BODIES, name="join", takes=(MOVING, STOPPED), writes=(JOINED,), **_BODY)
_BOUNCE = replace(_BODIES, name="bounce", updates=("cells",), takes=(MOVING, JOINED), marks_active=True, **_BODY)
_WEIGH = Pass(
    "atoms",
    "weigh",
    Over.COLUMNS,
    reads=("cells",),
    writes=(RUNS,),
    marks_active=True,
    needs=("layers",),
    activated_by="weigh",
    rows=2 * _RUN_ROWS + 2,
    columns=1,
)
_SINK = Pass(
    "atoms",
    "sink",
    Over.COLUMNS,
    updates=("cells",),
    takes=(RUNS,),
    needs=("layers",),
    activated_by="weigh",
    rows=2 * (_RUN_ROWS + CONSTANTS["step_most"] + 1),
    columns=0,
)
_MARCH = Pass("atoms", "", Over.COLUMNS, counts=("left",), marks_active=True)
_STRIP = replace(_MARCH, gathers=("cells",), layout=Layout("strips"))
_FREE = Pass(
    "atoms", "", Over.WHOLE_COLUMNS, reads=("cells",), analysis_only=True, rows=0, columns=0, looks_ahead=AHEAD
)
"""A pass that flags the sleeping tiles in which atoms start to move in the next pass, because atoms ahead make room."""

_LINE = replace(_MARCH, updates=("cells",), layout=Layout("cpu/lines"))

_COLUMN = {"rows": REACH, "columns": 0, "looks_ahead": AHEAD}
"""The reach of passes that move atoms along columns: atoms from so many rows behind can come to a cell."""

_SUM = Pass(
    "atoms",
    "",
    Over.WHOLE_COLUMNS,
    reads=("cells",),
    takes=(STRETCHES,),
    writes=(SUMS,),
    analysis_only=True,
    rows=1,
    columns=0,
)
_SUM_FALLING = replace(_SUM, name="sum_falling", sums_up="down")
_SUM_RISING = replace(_SUM, name="sum_rising", sums_up="up")
_SUM_GLIDING = replace(
    _SUM,
    name="sum_gliding",
    over=Over.WHOLE_ROWS,
    takes=(ROW_STRETCHES,),
    writes=(ROW_SUMS,),
    sums_up="across",
    before="glide",
    times=2,
    rows=0,
    columns=1,
)
_ROW = {"over": Over.ROWS, "times": 2, "rows": 0, "columns": REACH, "looks_ahead": AHEAD_ACROSS}
"""The same of the pass that moves atoms along rows."""

_MOVE_AMOUNTS = ("spread", "settle", "sink")
"""The passes in which atoms change places with water by mass; in all others water is in the way of atoms."""


def _beside_amounts(pass_: Pass) -> Pass:
    """Return a pass with its `Pass.amounts`, the way in which it treats water by mass; drops are of atoms alone."""
    if pass_.activated_by == _DROPS.activated_by:
        return pass_
    if pass_.moves_atoms or ATOM_PLANE in pass_.reads:
        return replace(pass_, amounts="moves" if pass_.name in _MOVE_AMOUNTS else "sees")
    return pass_


_BEFORE_FALL = (
    _EMIT,
    _FIND_RUN_ENDS,
    _FIND_DROPS,
    _FORM_DROPS,
    _SEEK,
    _SPREAD,
    _TOUCH,
    _JOIN,
    _BOUNCE,
    _DRAIN_FALLING,
)
_STRIPS = (
    *_BEFORE_FALL,
    _SUM_FALLING,
    Pass(
        "atoms",
        "survey",
        Over.COLUMNS,
        reads=("cells",),
        writes=(SURVEY,),
        activated_by="survey",
        reach=OWN_CELLS,
        looks_ahead=AHEAD,
    ),
    replace(_FREE, name="free_falling", activated_by="free_falling"),
    replace(_STRIP, name="fall", takes=(SURVEY,), activated_by="fall", **_COLUMN),
    _DRAIN_RISING,
    _SUM_RISING,
    replace(_FREE, name="free_rising", activated_by="free_rising"),
    replace(_STRIP, name="rise", activated_by="rise", **_COLUMN),
    _DRAIN_GLIDING,
    _SUM_GLIDING,
    replace(_STRIP, name="glide", activated_by="glide", **_ROW),
    Pass(
        "atoms",
        "settle",
        Over.BLOCKS,
        gathers=("cells",),
        repeats="substeps",
        marks_active=True,
        activated_by="settle",
        layout=Layout("single_blocks"),
        reach=BLOCK_REACH,
    ),
    _WEIGH,
    _SINK,
    _DRAIN,
)

_LINES = (
    *_BEFORE_FALL,
    _SUM_FALLING,
    replace(_LINE, name="fall", over=Over.WHOLE_COLUMNS, activated_by="fall", **_COLUMN),
    _DRAIN_RISING,
    _SUM_RISING,
    replace(_LINE, name="rise", over=Over.WHOLE_COLUMNS, activated_by="rise", **_COLUMN),
    _DRAIN_GLIDING,
    _SUM_GLIDING,
    replace(_LINE, name="glide", activated_by="glide", **(_ROW | {"over": Over.WHOLE_ROWS})),
    Pass(
        "atoms",
        "settle",
        Over.BLOCK_COLUMNS,
        updates=("cells",),
        repeats="substeps",
        marks_active=True,
        activated_by="settle",
        layout=Layout("cpu/block_columns"),
        reach=BLOCK_REACH,
    ),
    _WEIGH,
    _SINK,
    _DRAIN,
)

RULE = Rule(
    name="atoms",
    about="Falling powders, liquids and gases, one atom to a cell.",
    fields=("material", "velocity", "grain"),
    declares=(
        Quantity("atoms", "atoms of each material", by="material", glsl="_atom"),
        Field(
            "velocity",
            "int8",
            (ATOM_PLANE,),
            components=2,
            one=VELOCITY_ONE,
            unit="cells a tick",
            low=-SPEED_LIMIT,
            high=SPEED_LIMIT,
            empty=0,
            solid=0,
            carried=True,
            in_scene=True,
            loss="velocity in %s: not kept; the atoms begin at rest",
        ),
        Field(
            "grain",
            "uint8",
            (ATOM_PLANE,),
            empty=0,
            carried=True,
            drawn=True,
            loss="grain in %s: not kept; it is drawn again, by position and seed",
        ),
    ),
    moves=frozenset({State.POWDER, State.LIQUID, State.GAS}),
    kinds={"fluids": _has_fluids, "bodies": _has_bodies, "layers": _has_layers},
    requires=Requirements(in_blocks=True),
    parameters=(
        Parameter("acceleration", 0.1875, "gravity, in cells a tick a tick", 0.0, 2.0, one=VELOCITY_ONE),
        Parameter("substeps", 2, "the number of times 2x2 blocks settle in a tick", 0, SUBSTEPS_MOST, whole=True),
        Parameter(
            "spreads",
            4,
            "the number of times fluids spread in a tick, to one side in every other row",
            0,
            SUBSTEPS_MOST,
            whole=True,
        ),
        Parameter(
            "reach_open", 256, "the most cells from the end of a run back to its first head", 1, 4096, whole=True
        ),
    ),
    variants=(
        Variant(
            "strips",
            "each invocation writes a strip of an awake tile to a second texture",
            tuple(_beside_amounts(replace(pass_, tests_tiles=bool(pass_.activated_by))) for pass_ in _STRIPS),
            software=False,
        ),
        Variant(
            "lines",
            "each invocation changes a whole line in place; tiles sleep",
            tuple(map(_beside_amounts, _LINES)),
            software=True,
        ),
    ),
    # Each flag but run_ends is the last tick in which something was found in the tile.
    # changed: a cell changed, or holds a moving atom. sticking: a run of fluid sticks, and may spread in another tick.
    # unsettled: another draw could have moved atoms of a block. rising, gliding: an atom may rise or glide in this
    # tick. sinking: two runs of a column pass each other, now or later. walked: fall ran over the whole tile in this
    # tick. bodies: an elastic atom moves. drops: a liquid falls freely. freed, lifted: atoms at rest start to fall, to
    # rise. run_ends: the rows of the tile in which a run of fluid ended at a hole at the last test, one bit each.
    awake="activate_settle",
    tile_flags=(
        *("changed", "sticking", "unsettled", "rising", "gliding", "sinking", "walked", "bodies"),
        *("freed", "lifted", "drops", "run_ends"),
    ),
    draws_air=True,
    overlays=(
        Overlay("speed", "speed", "cells a tick", "viridis", lambda _laws: (0.0, 8.0), "square root"),
        Overlay(
            "blocks",
            "groups of 2 x 2 cells that slide and mix next; 2 and 3: with matter",
            "",
            "cividis",
            lambda _laws: (0.0, 3.0),
            uniforms=_blocks_shown,
        ),
        Overlay("moves", "moves in the last tick", "cells", "viridis", lambda _laws: (0.0, 8.0), lines=True),
    ),
    numbers=Numbers(
        constants=CONSTANTS,
        derived=_turns,
        tables=_tables,
        words=WORDS,
        unsigned=frozenset({"pull_reciprocal", "drop_looks", *WORDS}),
    ),
    streams=STREAMS,
    settle_ticks=_settle_ticks,
)
