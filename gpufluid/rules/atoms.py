"""Rule ``atoms``: falling powders, liquids and gases, one atom to a cell.

An atom is a cell's whole word: its material, its velocity and its grain move together. A tick moves atoms

1. along columns, then rows (`survey`, `fall`, `rise`, `glide`): what has speed moves by it, up to 7.9 cells. A scan of
   each line from the front to the back lets each atom go as far as the one ahead has made room: what seeds do by
   visiting cells from bottom to top, done for all lines and strips at once. So a body that falls stays whole, and a
   jet is not held up by itself;
2. in 2x2 blocks (`settle`): what lies still slides, sinks or diffuses, as the seeds' first rules have it;
3. within runs of one fluid (`seek`, `spread`): an atom with matter on top passes through its own kind to the hole at
   the end of the run, and leaves with the speed that the depth gives. So levels even out over many cells at once,
   and since energy only falls, come to rest.

All of it is written in gravity's frame, in which gravity points down. ``docs/trials.md`` tells what else was tried.

Source: seed 004, "Spraying Fluids"; seed 002, "Movable cells".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpufluid.core.fields import ATOM_PLANE, SPEED_LIMIT, VELOCITY_ONE, Field, Quantity
from gpufluid.matter.materials import COLUMNS, State
from gpufluid.matter.ports import PORTS_MOST
from gpufluid.rules.laws import Laws
from gpufluid.rules.schema import (
    OWN_CELLS,
    SEGMENT,
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
    Word,
)

REACH = -(-SPEED_LIMIT // VELOCITY_ONE)
"""No atom moves more cells in a tick."""

CONSTANTS = {
    "reach": REACH,
    "clear": REACH + 1,  # more free cells ahead need not be told apart
    "slide_speed": VELOCITY_ONE // 2,  # down, of an atom that has slid: one cell of fall; what is faster does not slide
    "slide_across": 10,  # and to the side, by which it clears the column that it fell into: by less, faces fall slowly
    "wall_bounce": 64,  # 256ths: what comes back from a wall at least, so that water sloshes
    "exchange_least": 64,  # 256ths: the chance that a denser atom sinks through a fluid of nearly its own density,
    "exchange_more": 96,  # and how much more it is at most
    "exchange_growth": 64,  # 256ths for each time that it is twice as dense
    "reach_fluid": 16,  # cells between a head and a hole that holds a lighter fluid
    "depth_most": 64,  # depths beyond are not told apart
    "segment": SEGMENT,
    "span": 31,  # cells behind a head, and beyond a run's end, in which others are found that spread with it
}

HEADS_MOST = 16
"""So many heads of a run spread at once, at most."""

HEADS_DEPTH = 256
"""The deeper they are the faster they leave, and the fewer: their number times their depth is this at most."""

HEAVY = (State.POWDER, State.LIQUID)

PULL_MOST = 127
"""In 1/16 cell a tick a tick: more makes no difference to what moves 8 cells a tick at most."""

NEVER = 1 << 30
"""Ticks in which not everything has its turn for certain: as good as never."""

SUBSTEPS_MOST = 64
"""Neither blocks settle nor fluids spread more often in a tick."""

STREAMS = (
    *map(Stream, ("fall", "rise", "side", "order")),
    *(Stream(name, count=SUBSTEPS_MOST) for name in ("settle", "seek")),
    *(Stream(name, count=PORTS_MOST) for name in ("emit", "drain")),
)

WORDS = {
    "matter": Word({"state": 3, "slide": 9, "stick": 9, "spread": 9}),
    "heft": Word({"density": 16, "weight": 12}),  # weight is the logarithm of the density, by which exchange grows
    "motion": Word({"pull": 8, "terminal": 7, "drag": 7, "bounce": 9}, signed=frozenset({"pull"})),
}
"""The tables of packed words; a pull is in 1/16 cell a tick a tick."""

SURVEY = Scratch("survey", Over.COLUMNS)
SLOTS = Scratch("slots", Over.SEGMENTS, "rgba32ui")


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """What the passes look up by material, as few words as possible: on the device a look-up costs as much as a load.

    Returns: the columns of `WORDS`, packed; ``pull_reciprocal``, 2**32 / 32 of each pull, rounded up; ``heads``, how
    many spread at once, by depth; ``heavy_falls``, one word: whether all powders and liquids fall where they can.
    """
    fixed, materials = laws.constants["atoms"], laws.materials
    columns = {name: materials.column(name)[: len(materials)].tolist() for name in COLUMNS}
    acceleration = fixed["acceleration"] if laws.gravity != "off" else 0
    pull = [_pull(factor, acceleration) for factor in columns["gravity"]]
    columns["pull"] = pull
    columns["weight"] = [(density ** fixed["exchange_growth"]).bit_length() for density in columns["density"]]
    motion = zip(pull, columns["terminal"], columns["state"], strict=True)
    falls = all(each > 0 and speed > 0 for each, speed, state in motion if state in HEAVY)
    depths = range(fixed["depth_most"] + 1)
    return {
        **{name: word.packed(columns) for name, word in WORDS.items()},
        "pull_reciprocal": [-(-(1 << 32) // (32 * abs(each))) if each else 0 for each in pull],
        "heavy_falls": [int(falls)],
        "heads": [max(1, min(HEADS_MOST, HEADS_DEPTH // max(depth, 1))) for depth in depths],
    }


def _pull(factor: int, acceleration: int) -> int:
    """What is not weightless is pulled by a unit at least; a unit is the least that a velocity can change."""
    size = min(max(1, (abs(factor) * acceleration + 128) >> 8), PULL_MOST) if factor and acceleration else 0
    return size if factor > 0 else -size


def _settle_ticks(laws: Laws) -> int | None:
    """The ticks in which all partition offsets, and both rows and sides, surely have had their turn."""
    ticks = _turns(laws.constants["atoms"])
    return None if NEVER in ticks.values() else max(ticks.values())


def _turns(fixed: Mapping[str, int]) -> dict[str, int]:
    """The same of each: for blocks ``settle_period``, for rows and sides ``seek_period``."""
    settle = -(-7 // fixed["substeps"]) if fixed["substeps"] else NEVER
    seek = {0: 1, 1: NEVER, 2: 2, 3: 2}.get(fixed["spreads"], 1)  # a single run draws its side by a coin
    return {"settle_period": settle, "seek_period": seek}


def _blocks_shown(laws: Laws, tick: int) -> dict[str, int]:
    """Which partition the overlay ``blocks`` shows: that of the coming tick's first substep."""
    fixed = laws.constants["atoms"]
    return {"block_count": tick * fixed["substeps"] & 0xFFFFFFFF, "block_use": fixed["use_order"]}


BLOCK_REACH = (1, 2)
"""The lower atoms of a block fare as its upper ones do, for which it counts what lies on top of them."""

_EMIT = Pass(
    "atoms", "emit", Over.EMITTERS, updates=("cells",), counts=("emitted",), marks_active=True, reach=OWN_CELLS
)
_DRAIN = Pass(
    "atoms", "drain", Over.DRAINS, updates=("cells",), counts=("drained",), marks_active=True, reach=OWN_CELLS
)
_SEEK = Pass(
    "atoms",
    "seek",
    Over.SEGMENTS,
    reads=("cells",),
    writes=(SLOTS,),
    repeats="spreads",
    marks_active=True,
    layout="single_segments",
)
_SPREAD = Pass(
    "atoms", "spread", Over.SEGMENTS, updates=("cells",), takes=(SLOTS,), repeats="spreads", layout="single_segments"
)


_MARCH = Pass("atoms", "", Over.COLUMNS, counts=("left",), marks_active=True)
_STRIP = replace(_MARCH, gathers=("cells",), layout="strips")
_LINE = replace(_MARCH, updates=("cells",), layout="cpu/lines")

_STRIPS = (
    _EMIT,
    Pass("atoms", "survey", Over.COLUMNS, reads=("cells",), writes=(SURVEY,), reach=OWN_CELLS),
    replace(_STRIP, name="fall", takes=(SURVEY,)),
    replace(_STRIP, name="rise"),
    replace(_STRIP, name="glide", over=Over.ROWS, times=2),
    Pass(
        "atoms",
        "settle",
        Over.BLOCKS,
        gathers=("cells",),
        repeats="substeps",
        marks_active=True,
        layout="single_blocks",
        reach=BLOCK_REACH,
    ),
    _SEEK,
    _SPREAD,
    _DRAIN,
)

_LINES = (
    _EMIT,
    replace(_LINE, name="fall", over=Over.WHOLE_COLUMNS, activated_by="fall"),
    replace(_LINE, name="rise", over=Over.WHOLE_COLUMNS, activated_by="rise"),
    replace(_LINE, name="glide", over=Over.WHOLE_ROWS, activated_by="glide", times=2),
    Pass(
        "atoms",
        "settle",
        Over.BLOCK_COLUMNS,
        updates=("cells",),
        repeats="substeps",
        marks_active=True,
        activated_by="settle",
        layout="cpu/block_columns",
        reach=BLOCK_REACH,
    ),
    Pass(
        "atoms",
        "find_run_ends",
        Over.TILES,
        reads=("cells",),
        activated_by="find_run_ends",
        analysis_only=True,
        reach=(1, 0),
    ),
    replace(_SEEK, activated_by="seek", layout="cpu/tile_segments"),
    replace(_SPREAD, activated_by="seek", layout="cpu/tile_segments"),
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
            loss="velocity in %s: not kept; what is there begins at rest",
        ),
        Field(
            "grain",
            "uint8",
            (ATOM_PLANE,),
            empty=0,
            carried=True,
            loss="grain in %s: not kept; it is drawn anew, by place and seed",
        ),
    ),
    moves=frozenset({State.POWDER, State.LIQUID, State.GAS}),
    requires=Requirements(in_blocks=True),
    parameters=(
        Parameter("acceleration", 0.1875, "gravity, in cells a tick a tick", 0.0, 2.0, one=VELOCITY_ONE),
        Parameter("substeps", 2, "how often 2x2 blocks settle in a tick", 0, SUBSTEPS_MOST, whole=True),
        Parameter(
            "spreads",
            4,
            "how often fluids spread in a tick, to one side in every other row",
            0,
            SUBSTEPS_MOST,
            whole=True,
        ),
        Parameter("reach_open", 256, "the most cells from a run's end back to its first head", 1, 4096, whole=True),
    ),
    variants=(
        Variant(
            "strips", "each invocation writes a strip of the new state, beside the old one", _STRIPS, software=False
        ),
        Variant(
            "lines", "each invocation walks down a line and changes it in place; tiles sleep", _LINES, software=True
        ),
    ),
    # Changed: a cell did, or holds what moves. Exchanged: only atoms at rest changed places, both of which lie on
    # something, so nothing falls for it. Unsettled: a block could have settled with another draw. Rising and gliding:
    # something may in this tick. Walked: all of it has been through fall in this tick. Facing: 1 where the end of a run
    # of fluid stands before a hole, 0 where none did when last looked at.
    tile_flags=("changed", "exchanged", "unsettled", "rising", "gliding", "walked", "run_ends"),
    overlays=(
        Overlay("speed", "speed", "cells a tick", "viridis", lambda _laws: (0.0, 8.0), "square root"),
        Overlay(
            "blocks",
            "2x2 blocks of the next settling; matter from 2 on",
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
        unsigned=frozenset({"pull_reciprocal", *WORDS}),
    ),
    streams=STREAMS,
    settle_ticks=_settle_ticks,
)
