"""The NumPy twin of rule ``inertia``; its pass equals ``shaders/inertia/move.comp`` bit for bit.

Arrays are int64, (height, width) with a border of `BORDER` cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import FULL, MASS_LIMIT
from gpufluid.core.small_floats import LARGEST, decoded, encoded
from gpufluid.oracle.state import load_mass, load_momentum, store_mass, store_momentum
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import Ledger

BORDER = 4

SPEED_ONE = 14
"""Speeds of donors are in 2**-14 cells a tick."""

MASS_BITS = 20
"""``FULL`` is 2**20 units."""

CARRIED_MOST = (1 << 22) - 1
"""The most mass of a flow that carries momentum, in units."""

_INSIDE = (slice(BORDER, -BORDER),) * 2

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
"""Steps to the four neighbours as (row, column)."""


@dataclass(frozen=True, slots=True)
class _Water:
    """The water of a world after the forces have changed its momentum, with a border.

    Attributes:
        mass: units, 0 in solid cells.
        solid: bool; True beyond a closed edge.
        top, bottom: the pressure at the top and at the bottom of a cell's water, in units.
        held: bool, whether the water lies on something.
        hangs: bool, whether nothing at all holds it.
        momentum: to the right and down, in units of mass times cells a tick.
        speed: the same as a speed, in 2**-`SPEED_ONE` cells a tick.
    """

    mass: np.ndarray
    solid: np.ndarray
    top: np.ndarray
    bottom: np.ndarray
    held: np.ndarray
    hangs: np.ndarray
    momentum: tuple[np.ndarray, np.ndarray]
    speed: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, slots=True)
class _Sent:
    """What each cell sends, in units: to each side what flows, and what a fuller neighbour draws from a thin cell."""

    down: np.ndarray
    up: np.ndarray
    left: np.ndarray
    right: np.ndarray
    drawn_left: np.ndarray
    drawn_right: np.ndarray

    @property
    def total(self) -> np.ndarray:
        return self.down + self.up + self.left + self.right + self.drawn_left + self.drawn_right


def move(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Compute each new mass and momentum from the old ones of the cells around."""
    fixed = world.fixed("inertia")
    water = _after_forces(world, fixed)
    sent = _scaled(water.mass, _wanted(water, fixed))
    left, right = sent.left + sent.drawn_left, sent.right + sent.drawn_right
    mass = water.mass - sent.total + _at(sent.down, UP) + _at(sent.up, DOWN) + _at(right, LEFT) + _at(left, RIGHT)
    components = []
    for momentum, speed, tension in zip(water.momentum, water.speed, (fixed["tension"], 0), strict=True):
        arrived = _at(_carried(sent.down, speed), UP) + _at(_carried(sent.up, speed), DOWN)
        arrived += _at(_carried(right, speed), LEFT) + _at(_carried(left, speed), RIGHT)
        pulled = _at(sent.drawn_right * tension >> SPEED_ONE, LEFT) - _at(sent.drawn_left * tension >> SPEED_ONE, RIGHT)
        components.append(momentum - _carried(sent.total, speed) + arrived + pulled)
    solid, mass = world.solid, mass[_INSIDE]
    codes = np.stack([encoded(np.clip(each[_INSIDE], -LARGEST, LARGEST)) for each in components], axis=-1)
    codes[solid | (mass <= fixed["dry"])] = 0
    store_mass(world, np.where(solid, load_mass(world), mass))
    store_momentum(world, codes)
    gone = 0
    if world.edges == "open":
        beyond = (sent.down[_INSIDE][-1], sent.up[_INSIDE][0], left[_INSIDE][:, 0], right[_INSIDE][:, -1])
        gone = sum(int(units.sum()) for units in beyond)
    return Tally(moved=int(sent.total[_INSIDE].sum()), mass=Ledger(left=gone))


def _after_forces(world: World, fixed: Mapping[str, int]) -> _Water:
    """Change the momentum of each cell by pressure, weight, drag and walls, and limit its speed."""
    solid = _bordered(world, world.solid, world.edges == "closed")
    mass = np.where(solid, 0, _bordered(world, load_mass(world).astype(np.int64), 0))
    top = np.minimum(np.maximum(mass - FULL, 0), 1 << 25) >> 1
    weight = (np.minimum(mass, FULL) >> 4) * fixed["acceleration"] >> 16
    below = _at(mass, DOWN)
    held = np.where(_at(solid, DOWN), 16, np.clip((below - 3 * FULL // 4) >> 14, 0, 16))  # sixteenths
    bottom = top + (weight * held >> 4)
    from_left = np.where(_at(solid, LEFT), bottom, _at(bottom, LEFT))
    from_right = np.where(_at(solid, RIGHT), bottom, _at(bottom, RIGHT))
    from_above = np.where(_at(solid, UP), top, (top + _at(bottom, UP)) >> 1)
    from_below = np.where(_at(solid, DOWN), bottom, (bottom + _at(top, DOWN)) >> 1)
    forces = _half(from_left - from_right), from_above - from_below + weight
    walls = ((LEFT, RIGHT), (UP, DOWN))
    pair = []
    for axis in (0, 1):
        codes = _bordered(world, load_momentum(world)[..., axis], 0)
        momentum = np.clip(decoded(codes) + forces[axis], -LARGEST, LARGEST)
        size = np.abs(momentum)
        slow = np.minimum(size, mass >> 3)
        size = np.maximum(size - ((slow >> 5) * (held * fixed["drag"]) >> 11) - fixed["friction"] * (held > 0), 0)
        back, ahead = (_at(solid, step) for step in walls[axis])
        size = np.where((back & (momentum < 0)) | (ahead & (momentum > 0)), size >> 1, size)
        fastest = np.where((mass > FULL) & (held > 0), fixed["fastest_in_water"], fixed["fastest_in_air"])
        pair.append((np.minimum(size, (mass >> 4) * fastest), momentum < 0))
    over = (np.maximum(pair[0][0] + pair[1][0] - (mass >> 4) * fixed["fastest_sum"], 0) + 1) >> 1
    still = solid | (mass <= fixed["dry"])
    sizes = [np.where(still, 0, np.maximum(size - over, 0)) for size, _ in pair]
    speeds = [(size << SPEED_ONE) // np.maximum(mass, 1) for size in sizes]
    right, down = (np.where(back, -size, size) for size, (_, back) in zip(sizes, pair, strict=True))
    to_right, to_down = (np.where(back, -speed, speed) for speed, (_, back) in zip(speeds, pair, strict=True))
    return _Water(mass, solid, top, bottom, held >= 8, held == 0, (right, down), (to_right, to_down))


def _wanted(water: _Water, fixed: Mapping[str, int]) -> _Sent:
    """What each cell would send to each neighbour if it had enough for all."""
    right, drawn_right = _aside(water, fixed, RIGHT, LEFT, 1)
    left, drawn_left = _aside(water, fixed, LEFT, RIGHT, -1)
    return _Sent(_downward(water, fixed), _upward(water, fixed), left, right, drawn_left, drawn_right)


def _through(
    water: _Water, fixed: Mapping[str, int], own: np.ndarray, other: np.ndarray, step: tuple[int, int], push: np.ndarray
) -> np.ndarray:
    """The flow through the face to a neighbour by momentum and by a difference of pressure; negative: toward the cell.

    Args:
        own, other: the momenta of the cell and of the neighbour, toward the neighbour.
        step: to the neighbour.
        push: the pressure of the cell less that of the neighbour, at the face.
    """
    there = _at(water.mass, step)
    alike = ((water.mass > fixed["shares"]) & (there > fixed["shares"])) | (water.mass == there)
    mean = np.where(alike, _half(own + other), np.where(water.mass > there, own, other))
    evened = np.abs(push) * fixed["evening"] >> 4
    return mean + np.where(push < 0, -evened, evened)


def _aside(
    water: _Water, fixed: Mapping[str, int], step: tuple[int, int], back: tuple[int, int], sign: int
) -> tuple[np.ndarray, np.ndarray]:
    """What flows to a side, and what a fuller neighbour there draws from a thin cell in the air."""
    mass, there = water.mass, _at(water.mass, step)
    own, speed = sign * water.momentum[0], np.maximum(sign * water.speed[0], 0) << (MASS_BITS - SPEED_ONE)
    push = water.bottom - _at(water.bottom, step)
    through = _through(water, fixed, own, _at(own, step), step, push)
    in_air = ~water.held & ~_at(water.held, step)
    through = np.where(in_air & (own > 0) & (through > 0), own, through)
    leads, lags = _ends(water, fixed, step, back)
    first = _filled(water, _at(water.mass, back), np.maximum(sign * water.speed[0], 0))
    flying = np.where(leads, first, np.where(lags, np.minimum(mass, speed), through))
    flow = np.where(through > 0, np.where(water.held, through, flying), 0)
    near = in_air & (mass < fixed["thin"]) & (there > 2 * mass) & (there < FULL)
    drawn = np.where(near, np.minimum(mass, FULL - there) >> 3, 0)
    return _allowed(water, flow, step), _allowed(water, drawn, step)


def _ends(
    water: _Water, fixed: Mapping[str, int], step: tuple[int, int], back: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Whether a cell is the first of a stream in the direction of a step, and whether it is the last."""
    there = _at(water.mass, step)
    followed = _at(water.mass, back) > fixed["follows"]
    return followed & (there <= fixed["dry"]), ~followed & (there >= np.maximum(water.mass, fixed["follows"]))


def _filled(water: _Water, behind: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """What the first cell of a stream sends on: what comes once it holds as much as the cell behind it."""
    like = np.minimum(behind, FULL)
    return np.maximum(_carried(like, speed) - np.maximum(like - water.mass, 0), 0)


def _downward(water: _Water, fixed: Mapping[str, int]) -> np.ndarray:
    mass, there, own = water.mass, _at(water.mass, DOWN), water.momentum[1]
    through = _through(water, fixed, own, _at(own, DOWN), DOWN, water.bottom - _at(water.top, DOWN))
    through = np.where(there < FULL, np.maximum(through, own), through)
    speed = np.maximum(water.speed[1], 0) << (MASS_BITS - SPEED_ONE)
    leads, lags = _ends(water, fixed, DOWN, UP)
    first = _filled(water, _at(water.mass, UP), np.maximum(water.speed[1], 0))
    last = np.minimum(mass, np.maximum(speed, through))
    flying = np.where(leads, first, np.where(lags & (speed > 0), last, through))
    flow = np.where(through > 0, flying, 0)
    return _allowed(water, np.where(water.hangs & (mass <= fixed["dry"]), mass, flow), DOWN)


def _upward(water: _Water, fixed: Mapping[str, int]) -> np.ndarray:
    mass, own = water.mass, water.momentum[1]
    other = _at(own, UP)
    through = -_through(water, fixed, -own, -other, UP, water.top - _at(water.bottom, UP))
    through = np.where(mass < FULL, np.maximum(through, other), through)
    speed = np.maximum(-water.speed[1], 0) << (MASS_BITS - SPEED_ONE)
    followed = _at(water.solid, DOWN) | (_at(water.mass, DOWN) > fixed["follows"])
    rest = np.where(followed, np.maximum(speed - (FULL - mass), 0), np.minimum(mass, speed))
    flow = np.where(mass >= FULL, -through, rest)
    return _allowed(water, np.where(through < 0, np.maximum(flow, 0), 0), UP)


def _allowed(water: _Water, flow: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    """Limit a flow to a quarter of the receiver's room, so that four neighbours together cannot overfill it.

    What is drawn comes beside this, but only into a cell that is not full.
    """
    room = (MASS_LIMIT - _at(water.mass, step)) >> 2
    return np.where(water.solid | _at(water.solid, step), 0, np.minimum(flow, room))


def _scaled(mass: np.ndarray, wanted: _Sent) -> _Sent:
    """Scale all that a cell sends alike, where it has less than it would send."""
    total = wanted.total
    share = ((mass >> 2) << SPEED_ONE) // ((total >> 2) + 1)
    enough = total <= mass
    parts = (wanted.down, wanted.up, wanted.left, wanted.right, wanted.drawn_left, wanted.drawn_right)
    return _Sent(*(np.where(enough, part, part * share >> SPEED_ONE) for part in parts))


def _carried(flow: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """The momentum that a flow takes along."""
    size = (np.minimum(flow, CARRIED_MOST) >> 6) * np.abs(speed) >> (SPEED_ONE - 6)
    return np.where(speed < 0, -size, size)


def _half(numbers: np.ndarray) -> np.ndarray:
    """Half of numbers, rounded toward zero."""
    return (numbers + (numbers < 0)) >> 1


def _bordered(world: World, array: np.ndarray, outside: int | bool) -> np.ndarray:
    """Add a border: the opposite cells on a torus, else the value ``outside``."""
    if world.edges == "wrap":
        return np.pad(array, BORDER, mode="wrap")
    return np.pad(array, BORDER, constant_values=outside)


def _at(array: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    """The value of each cell's neighbour; what comes from beyond the border has no meaning."""
    return np.roll(array, (-step[0], -step[1]), (0, 1))
