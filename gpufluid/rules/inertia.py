"""Rule ``inertia``: water by mass that keeps its momentum. Its passes take the place of those of rule ``flow``.

A cell has a mass, and the momentum of its water. What flows takes its share of its donor's momentum along. The whole
rule is one gather:

1. Pressure and weight change the momentum of each cell. A cell above its full mass presses on all four neighbours with
   half of its excess. Water that lies on something presses to its sides, too. In still water each cell holds twice
   `acceleration` more than the cell above it, and all forces cancel.
2. Each cell sends mass to its neighbours: the mean momentum of both cells, and a part of the difference of their
   pressures, which damps checkerboards. In the air its own momentum counts. There, the first cell of a stream keeps its
   water until it holds as much as the cell behind it, and the last sends all that it can: so what falls stays whole. A
   thin cell at the side of a stream gives a part of its water to its fuller neighbour, and pulls it inward, like the
   tension of a surface. A fuller cell below resists what flows down into it, on a floor most of all. So a jet that hits
   a floor spreads before a cell holds more than one and a half cells of mass.
3. Each cell adds and subtracts what was sent.

Forces and flows change no momentum, and no surface, that alternates from each column to the next. So water that lies on
something exchanges momentum, and mass of its surface, with its neighbours by third differences. This evens out within
some ticks, and long waves lose next to nothing.

Water that lies on something and moves against the force on it loses `drag` of its momentum in a tick, but of no more
than that of an eighth of a cell a tick; other water on something loses a sixteenth of this. Real flows, too, lose
little where they speed up, and much to eddies where a pressure slows them down. So a front on a dry bed, which its
pressure drives, keeps its speed, and water that swings to and fro comes to rest. Water on something loses `friction`
units more, so that it rests exactly.

Down is where gravity points; momentum is stored in the world's directions. Without gravity no force accelerates water.
Pressure only slows it down, and evens out in all four directions. So a drop that hits a wall stays there as a drop.
Water under pressure, or beside a solid, counts as lying on something.

Beside rule ``atoms``, powder that enters water faster than its steady speed gives the lost momentum to the water below
(`push`). Water that is already pressed harder than still water takes none. Liquid, and powder that is not denser than
the water, stops at the surface; the lowest few atoms of each column give the water what it can take of their momentum.

Light powder at rest floats by the pressure of the water below it (`weigh` and `sink` of rule ``atoms``). A stack of it
sinks or rises by a row if it weighs more or less than the pressure bears. The cells of water below share what the stack
displaces, or fill the cell that it leaves, with mass and heat.

Beside rule ``atoms`` a stream carries powder along, too (`carry`). The water moves powder if its speed is above
`carried_at` of the material, in a cell that is at least half full:

- Powder moves into the water ahead of it if that water, or the water over or under the powder, is so fast in this
  direction. Powder that floats drifts at about the speed of the water. Denser powder rolls at four times the speed of
  the water that touches it, up to half a cell a tick: over a rough bed this water is two to four times slower than the
  stream.
- At twice its threshold the water lifts the denser powder by a cell. A stream over a bed takes an atom of it up and
  ahead. A stream that hits a step takes the uppermost atom of the step straight up. Water that falls on a bed takes an
  atom up and to a side. By gravity the powder sinks again.

The powder and the water change places: mass, heat and all that atoms carry are conserved exactly. The water that moves
the powder loses half of its momentum above the threshold; other water keeps its momentum. The lost part goes to the
powder, which gives it to its bed at once: the velocity of the atom does not change. So momentum is lost to the bed, as
by friction, and none is made; a stream that carries much slows down to the threshold. A stream does not carry an
elastic powder, because it would take its bodies apart. Without gravity there is no bed, and powder only drifts. Still
water carries nothing.

An emitter gives its velocity to the water that it adds, up to `thrown_most` along each axis. What a drain takes has its
share of the momentum, so the rest keeps its speed.

Source: own. Rhie and Chow 1983 for the flux through a face between cells that hold momentum; Hirt and Nichols 1981 for
streams that stay whole; Jameson, Schmidt and Turkel 1981 for smoothing by third differences. ``docs/trials.md`` tells
what else was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from gpufluid.core.fields import FULL, Field, Plane, vector_in_words
from gpufluid.core.small_floats import LARGEST, LARGEST_CODE, decoded
from gpufluid.matter.materials import State
from gpufluid.matter.ports import PORTS_MOST
from gpufluid.rules.atoms import WATER_DENSITY
from gpufluid.rules.flow import MOTION, MOVE_HEAT, PARAMETERS_OF_MOTION, SHARE_HEAT
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import OWN_CELLS, Layout, Over, Pass
from gpufluid.rules.schema import Numbers, Overlay, Parameter, Requirements, Rule, Stream, Variant


def _describe_momentum(laws: Laws, found: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    mass = int(found["mass"])
    right, down = (decoded(found["momentum"]) / mass).tolist() if mass else (0, 0)
    yield "velocity of the water", vector_in_words(right, down, "cells a tick")


def _derived(fixed: Mapping[str, int]) -> dict[str, int]:
    """Constants that follow from the parameters.

    Returns:
        ``drag_along``: the drag of water that moves along the force on it.
        ``pushed_step``: in units; water that holds more than this beyond the cell above takes no momentum of powder. In
            still water the difference is twice the acceleration.
        ``head_bits``: a pressure is compared with the weight of a powder in 2**head_bits units of mass: a quarter to a
            half of what a row of still water adds.
    """
    acceleration = fixed["acceleration"]
    head_bits = max(acceleration.bit_length() - 1, 0)
    return {"drag_along": fixed["drag"] >> 4, "pushed_step": 5 * acceleration >> 1, "head_bits": head_bits}


def _speed_span(laws: Laws) -> tuple[float, float]:
    return 0.0, 8.0 if "atoms" in laws.rules else 1.0


def _rest_below(laws: Laws, mass: int) -> int:
    """The mass at rest of the cell below one with a mass, in units: its excess balances the weight of that mass."""
    weight = (min(mass, FULL) >> 4) * laws.constants["inertia"]["acceleration"] >> 16
    return max(mass, FULL) + 2 * weight


def water_velocity(laws: Laws, mass: np.ndarray, momentum: np.ndarray) -> np.ndarray:
    """The velocity of water by mass in cells a tick; 0 where there is none.

    Args:
        laws: the laws of the world.
        mass: (height, width) int32, field ``mass``.
        momentum: (height, width, 2) int16, field ``momentum``.
    Returns: (height, width, 2) float64, to the right and down.
    """
    is_wet = mass > laws.constants["flow"]["min_mass"]
    return np.where(is_wet[..., None], decoded(momentum) / np.maximum(mass, 1)[..., None], 0.0)


def water_vorticity(laws: Laws, mass: np.ndarray, momentum: np.ndarray) -> np.ndarray:
    """How fast water by mass turns, in 1 / tick: above 0 clockwise, as the world is drawn; 0 where there is none.

    It is half of the difference between the velocities down of the cells at the right and at the left, less that
    between the velocities to the right of the cells below and above. In place of a cell without water, or outside a
    world that is no torus, stands the cell itself.

    Args:
        laws: the laws of the world.
        mass: (height, width) int32, field ``mass``.
        momentum: (height, width, 2) int16, field ``momentum``.
    Returns: (height, width) float64.
    """
    velocity, is_wet = water_velocity(laws, mass, momentum), mass > laws.constants["flow"]["min_mass"]

    def beside(rows: int, columns: int) -> np.ndarray:
        there, wet = (np.roll(array, (-rows, -columns), (0, 1)) for array in (velocity, is_wet))
        if laws.edges != "wrap":
            edge = (
                (-1 if rows > 0 else 0) if rows else slice(None),
                (-1 if columns > 0 else 0) if columns else slice(None),
            )
            wet[edge] = False
        return np.where(wet[..., None], there, velocity)

    right, down = (beside(0, 1) - beside(0, -1))[..., 1], (beside(1, 0) - beside(-1, 0))[..., 0]
    return np.where(is_wet, (right - down) / 2, 0.0)


PUSHED_REACH = 28
"""Cells below an atom that can take its momentum; the last four take what rounding leaves over."""

FALLEN_CELLS = 3
"""Atoms over water, from the lowest one up, that hand it their momentum as they stop."""

FLOATS_OVER = 24
"""Cells of water below a floating powder, or a piece of solid, that make room for it, or fill its place."""

_EMIT = Pass(
    "inertia",
    "emit",
    Over.EMITTERS,
    updates=("mass", "motion"),
    counts=("emitted",),
    repeats="substeps",
    wakes="flow",
    also_wakes="atoms",
    updates_there=("warmth",),
    reach=OWN_CELLS,
)
_DRAIN = replace(_EMIT, name="drain", over=Over.DRAINS, counts=("drained",))
_MOVE = Pass(
    "inertia",
    "move",
    Over.STRIPS,
    gathers=("mass", "motion"),
    counts=("left",),
    repeats="substeps",
    measures=True,
    marks_active=True,
    wakes="flow",
    also_wakes="atoms",
    activated_by="move",
    tests_tiles=True,
    layout=Layout(fetches=True, fours=True, wide=True),
    reach=(3, 3),
)
_HEAT = {"rule": "inertia", "wakes": "flow"}
_SHARE_HEAT = replace(SHARE_HEAT, reads=("mass", "motion", "warmth"), reach=(3, 3), **_HEAT)
_MOVE_HEAT = replace(MOVE_HEAT, **_HEAT)

_PUSH = Pass(
    "inertia",
    "push",
    Over.TILES,
    updates=("cells", "motion"),
    marks_active=True,
    wakes="atoms",
    also_wakes="flow",
    activated_by="push",
    tests_tiles=True,
    amounts="sees",
    if_obstacles_change=True,
    reach=(0, PUSHED_REACH + FALLEN_CELLS - 1),
)

_CARRY = Pass(
    "inertia",
    "carry",
    Over.BLOCK_TILES,
    updates=("cells", "motion"),
    marks_active=True,
    wakes="flow",
    also_wakes="atoms",
    activated_by="carry",
    tests_tiles=True,
    amounts="moves",
    needs=("carried powders",),
    if_obstacles_change=True,
    reach=(1, 1),
)

TURN = 7
"""The number of successive ticks that certainly contain all four partition offsets: four ticks, counted from a multiple
of four, use each once, and any seven ticks contain four such ticks."""

_FLOATS = 1 << 15
"""The bit of table ``carried_at`` that marks powder that floats, because it is less dense than water."""


def _carried_at(laws: Laws) -> list[int]:
    """The speed of water above which it carries each material, in 2**-14 cells a tick, plus `_FLOATS`; 0: never.

    Atoms of an elastic powder belong to bodies, which a stream would take apart atom by atom.
    """
    state, density, speed = (
        laws.materials.column(name)[: len(laws.materials)] for name in ("state", "density", "carried_at")
    )
    elastic = np.array([record.elastic for record in laws.materials])
    codes = speed + np.where(density < WATER_DENSITY, _FLOATS, 0)
    return np.where((state == State.POWDER) & ~elastic & (speed > 0), codes, 0).tolist()


RULE = Rule(
    name="inertia",
    about="Water by mass that keeps its momentum: waves, jets and arcs.",
    fields=("material", "mass", "momentum"),
    declares=(
        Plane("motion", 4),
        Field(
            "momentum",
            "int16",
            ("motion",),
            components=2,
            low=-LARGEST_CODE,
            high=LARGEST_CODE,
            solid=0,
            enclosed=True,
            remark=", codes of small floats",
            describe=_describe_momentum,
            decode=lambda codes: (decoded(codes) / FULL).astype(np.float32),
            decoded_unit="cells of mass times cells a tick",
        ),
    ),
    requires=Requirements(needs=("flow",)),
    replaces=MOTION,
    unused=tuple(f"flow.{name}" for name in PARAMETERS_OF_MOTION),
    kinds={"carried powders": lambda laws, numbers: any(laws.once(_carried_at)[number] for number in numbers)},
    rest_below=_rest_below,
    awake="activate_move",
    parameters=(
        Parameter(
            "acceleration", 0.0042, "the speed that water gains in a tick of fall, in cells a tick", 0.0, 0.0078125
        ),
        Parameter(
            "drag",
            0.035,
            "the part of its momentum that slow water on something loses in a tick if a force slows it down",
            0.0,
            0.0625,
            one=4096,
        ),
        Parameter("substeps", 1, "the number of times the rule runs in a tick", 1, 1000, whole=True),
    ),
    variants=(
        Variant(
            "strips",
            "each invocation works down a strip of cells",
            (_EMIT, _PUSH, _CARRY, _SHARE_HEAT, _MOVE, _MOVE_HEAT, _DRAIN),
        ),
    ),
    numbers=Numbers(
        tables=lambda laws: {"carried_at": laws.once(_carried_at)},
        derived=_derived,
        constants={
            "speed_bits": 14,  # speeds of donors are in 2**-14 cells a tick
            "mass_bits": FULL.bit_length() - 1,  # FULL is a power of 2
            "carried_most": (1 << 22) - 1,  # units: the most mass that carries momentum at once
            "largest": LARGEST,  # units of momentum: the most of a cell
            "holds": 3 * FULL // 4,  # units: a cell with more begins to hold the water above it
            "dry": 104,  # units: water up to this has no momentum of its own
            "shares": 3 * FULL // 10,  # a cell with more counts for the mean momentum at a face
            "follows": FULL // 16,  # a cell with more is a part of the stream ahead of it
            "thin": FULL // 5,  # a cell at the side of a stream with less gives water to its fuller neighbour
            "pressed_bits": 10,  # without weight, 2**10 units above a full cell are a sixteenth of lying on something
            "friction": 3,  # units of momentum that water on something loses in a tick beside its drag
            "fastest_in_air": 11,  # sixteenths of a cell a tick along each axis
            "fastest_in_water": 5,  # the same of water under pressure, whose faster flows would not be stable
            "dense": FULL >> 4,  # units above a full cell: as fast as in air to a side where the next cell has no more
            "thrown_most": 9,  # sixteenths of a cell a tick along each axis from an emitter: faster jets would jam
            "fastest_sum": 15,  # along both axes together
            "pushed_most": 1,  # sixteenths of a cell a tick: the fastest that powder pushes water down
            "pushed_depth": 24,  # cells below the powder whose room limits what the powder loses
            "pushed_reach": PUSHED_REACH,
            "fallen_cells": FALLEN_CELLS,
            "floats_over": FLOATS_OVER,
            "floats_bits": 4,  # such powder moves by a cell in one of 2**floats_bits ticks, by chance
            "carries_from": FULL // 2,  # a cell with less water carries no powder
            "lifts_at": 2,  # times the speed at which powder rolls
            "floats": _FLOATS,
            # A chance, in 65536ths, is the speed of the water times 2 to this power. A pair of cells shares a block
            # only in some ticks, so the powder then moves, on the average:
            "drift_bits": 3,  # as fast as the water
            "weightless_bits": 4,  # as fast as the water, where a coin says along which axis
            "roll_bits": 6,  # four times as fast as the water, at most half a cell a tick
            "turn": TURN,
            "evening": 4,  # sixteenths of a difference of pressure that flow at once
            "smoothing_bits": 6,  # 2**-6 of a third difference of masses flows
            "smooth": FULL >> 7,  # units: a smaller third difference stays, so that water rests exactly
            "exchange_bits": 7,  # 2**-7 of a third difference of momenta is exchanged
            "resists": 1,  # quarters of a flow down that a cell holds back if it is fuller by a quarter or more
            "resists_on_floor": 3,  # the same, of a cell on a floor
            "tension": 1000,  # 2**-14 cells a tick: the speed inward of water that a fuller cell gets
        },
    ),
    overlays=(
        # In place of the overlay of rule atoms, whose speeds it shows, too.
        Overlay("speed", "speed", "cells a tick", "viridis", _speed_span, "square root", shader="speed_of_all"),
        Overlay("vorticity", "turning of the water, above 0 clockwise", "1 / tick", "vik", lambda _laws: (-0.25, 0.25)),
    ),
    settle_ticks=lambda laws: TURN if laws.water_and_atoms else 1,
    streams=(Stream("emit", count=PORTS_MOST, step=1 << 20), Stream("carry"), Stream("offset")),
)
