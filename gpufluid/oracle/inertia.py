"""The NumPy twin of rule ``inertia``; each pass equals its shader in ``shaders/inertia/`` bit for bit.

Arrays [row, column] have a border of `BORDER` cells, wide enough for the reach of a pass. A speed lies at the right or
at the lower face of its cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import FULL, MASS_LIMIT
from gpufluid.oracle.state import (
    load_head,
    load_mass,
    load_sent,
    load_speed_down,
    load_speed_right,
    store_head,
    store_mass,
    store_sent,
    store_speed_down,
    store_speed_right,
)
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import Ledger

BORDER = 6

_INSIDE = slice(BORDER, -BORDER)


@dataclass(frozen=True, slots=True)
class _Water:
    """The state that all passes read, with a border: int64 arrays, masses in units, speeds in units.

    Args:
        mass: 0 in solid cells.
        solid: bool; True beyond a closed edge.
        right, down: the speed through the right and the lower face of each cell.
    """

    mass: np.ndarray
    solid: np.ndarray
    right: np.ndarray
    down: np.ndarray

    @classmethod
    def of(cls, world: World) -> _Water:
        fixed = world.fixed("inertia")
        mass = np.where(world.solid, 0, load_mass(world)).astype(np.int64)
        speeds = [load_speed_right(world).astype(np.int64), load_speed_down(world).astype(np.int64)]
        right, down = (_bordered(world, speed, 0) for speed in speeds)
        if world.edges == "open":
            _open_edges(right, fixed["leaving"], sucks_back=True)
            _open_edges(down.T, fixed["leaving"], sucks_back=False)
        return cls(_bordered(world, mass, 0), _bordered(world, world.solid, world.edges == "closed"), right, down)


def press(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Compute the pressure of each cell from what it would hold in excess of a full cell after the next flow."""
    water = _Water.of(world)
    through_right = _provisional(water.mass, _at(water.mass, 0, 1), water.right)
    through_down = _provisional(water.mass, _at(water.mass, 1, 0), water.down)
    sent = through_right - _at(through_right, 0, -1) + through_down - _at(through_down, -1, 0)
    excess = np.clip(np.minimum(water.mass, 2 * FULL) - FULL - sent, 0, FULL)
    excess[water.solid] = 0
    fill = np.clip(water.mass - (FULL - FULL // 8), 0, FULL // 8) >> 10
    fill[water.solid] = 0
    first = (50 * excess - 3 * (_spread(excess, water.solid) * fill >> 7)) >> 6
    second = (270 * excess >> 6) - (_spread(first, water.solid) * fill >> 7)
    smooth = np.clip(excess - ((_spread(second, water.solid) >> 3) * fill >> 7), 0, FULL)
    store_head(world, (smooth * fill * 10 >> 10)[_INSIDE, _INSIDE].astype(np.int32))
    return Tally()


def push(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Change the speed at each face by the difference of pressure and by weight."""
    water, fixed = _Water.of(world), world.fixed("inertia")
    head = _bordered(world, load_head(world).astype(np.int64), 0)
    weight = fixed["acceleration"] * (np.minimum(water.mass, FULL) >> 6) >> 14
    below = _at(head, 1, 0)
    floor = _at(water.solid, 1, 0)
    side = head + np.where(floor, weight, np.minimum(weight, below))

    wished = water.right + side - _at(side, 0, 1)
    pressed = (head > 0) | (_at(head, 0, 1) > 0) | floor | _at(floor, 0, 1)
    ahead, behind = np.maximum(_at(water.right, 0, 1), 0), np.minimum(_at(water.right, 0, -1), 0)
    right = _slowed(wished, pressed, fixed)
    next_mass, dry = _at(water.mass, 0, 1), fixed["dry"]
    right = np.where((right > 0) & (water.mass <= dry), ahead, right)
    right = np.where((right < 0) & (next_mass <= dry), behind, right)
    blocked = water.solid | _at(water.solid, 0, 1) | ((water.mass <= dry) & (next_mass <= dry))
    right[blocked] = 0

    lower = _at(water.mass, 1, 0)
    hung = np.minimum(FULL, np.minimum(water.mass, FULL) + np.maximum(FULL - lower, 0))
    wished = water.down + (fixed["acceleration"] * (hung >> 6) >> 14) - (below - head)
    down = _slowed(wished, (head > 0) | (below > 0), fixed)
    own = np.where(water.mass > FULL // 8, FULL, FULL // 16 + 8 * water.mass)
    own[water.mass <= dry] = 0
    most = np.maximum(_at(water.down, 1, 0), 0) + own
    free = (lower <= dry) & (water.mass > dry)
    down = np.where((down > 0) & ~free, np.minimum(down, most), down)
    down = np.where((down < 0) & (lower <= dry), np.minimum(_at(water.down, -1, 0), 0), down)
    blocked = water.solid | floor | ((water.mass <= dry) & (lower <= dry))
    down[blocked] = 0
    for values, store in ((right, store_speed_right), (down, store_speed_down)):
        store(world, _kept(world, values, down=values is down))
    return Tally()


def send(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Compute the mass that each cell sends down, to the left, to the right and up."""
    water = _Water.of(world)
    to_right, to_left = _shared(np.maximum(water.right, 0), np.maximum(-_at(water.right, 0, -1), 0))
    to_down, to_up = _shared(np.maximum(water.down, 0), np.maximum(-_at(water.down, -1, 0), 0))
    down, up = _sent(water, to_down, (1, 0)), _sent(water, to_up, (-1, 0))
    rest = water.mass - down - up
    left, right = (
        np.minimum(rest * speed >> 20, _room(water, step)) for speed, step in ((to_left, (0, -1)), (to_right, (0, 1)))
    )
    every = [np.where(water.solid, 0, part)[_INSIDE, _INSIDE] for part in (down, left, right, up)]
    store_sent(world, np.stack(every, axis=-1).astype(np.uint32))
    return Tally()


def carry(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Add and subtract what the cells sent; the water that passes takes its speed along."""
    water = _Water.of(world)
    sent = load_sent(world).astype(np.int64)
    down, left, right, up = (_bordered(world, sent[..., part], 0) for part in range(4))
    through_right, through_down = right - _at(left, 0, 1), down - _at(up, 1, 0)
    mass = water.mass - through_right + _at(through_right, 0, -1) - through_down + _at(through_down, -1, 0)
    limit = 4 * FULL
    across, along = np.clip(through_right, -limit, limit), np.clip(through_down, -limit, limit)
    speeds = _mixed(water.right, water, across, along, (0, 1)), _mixed(water.down, water, along, across, (1, 0))
    inner = mass[_INSIDE, _INSIDE].astype(np.int32)
    store_mass(world, np.where(world.solid, load_mass(world), inner))
    store_speed_right(world, _kept(world, speeds[0], down=False))
    store_speed_down(world, _kept(world, speeds[1], down=True))
    gone = 0
    if world.edges == "open":
        beyond = (sent[-1, :, 0], sent[:, 0, 1], sent[:, -1, 2], sent[0, :, 3])
        gone = sum(int(units.sum()) for units in beyond)
    return Tally(moved=int(sent.sum()), mass=Ledger(left=gone))


def _mixed(
    speed: np.ndarray, water: _Water, ahead: np.ndarray, beside: np.ndarray, step: tuple[int, int]
) -> np.ndarray:
    """The mean speed at each face of the water that stays there and of the water that comes.

    Args:
        speed: at the faces of one direction.
        water: the state before the flow.
        ahead: the mass that passes in this direction, through each face.
        beside: the mass that passes across it.
        step: (row, column) to the cell beyond the face.
    """
    back, side = (-step[0], -step[1]), (step[1], step[0])
    aback = (-side[0], -side[1])
    arrivals = (
        (_at(ahead, *back) + ahead, _at(speed, *back), None),
        (-(ahead + _at(ahead, *step)), _at(speed, *step), None),
        (_at(beside, *aback) + _at(beside, step[0] - side[0], step[1] - side[1]), _at(speed, *aback), aback),
        (-(beside + _at(beside, *step)), _at(speed, *side), side),
    )
    kept = np.minimum(water.mass, 4 * FULL) + np.minimum(_at(water.mass, *step), 4 * FULL)
    kept = np.maximum(kept - sum(np.maximum(-come, 0) for come, _, _ in arrivals), 0) >> 9
    shares = [np.maximum(come, 0) >> 9 for come, _, _ in arrivals]
    inverse = (1 << 28) // np.maximum(kept + sum(shares), 1)
    mixed = speed.copy()
    for share, (_, other, place) in zip(shares, arrivals, strict=True):
        difference = other - speed
        part = (np.abs(difference) >> 2) * (share * inverse >> 16) >> 10
        if place is not None:
            blocked = _at(water.solid, *place) | _at(water.solid, place[0] + step[0], place[1] + step[1])
            part[blocked] = 0
        mixed += np.where(difference < 0, -part, part)
    mixed[water.solid | _at(water.solid, *step)] = 0
    return mixed


def _provisional(mass: np.ndarray, beyond: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """The mass that would pass through each face at the present speed, in units; at most a full cell moves."""
    donor = np.minimum(np.where(speed > 0, mass, beyond), FULL)
    units = (donor >> 8) * (np.abs(speed) >> 2) >> 10
    return np.where(speed < 0, -units, units)


def _spread(values: np.ndarray, solid: np.ndarray) -> np.ndarray:
    """The sum of the differences between each cell and its neighbours that are not solid."""
    found = np.zeros_like(values)
    for step in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        found += np.where(_at(solid, *step), 0, values - _at(values, *step))
    return found


def _slowed(speed: np.ndarray, pressed: np.ndarray, fixed: Mapping[str, int]) -> np.ndarray:
    """Speeds after drag, friction and the limits of speed."""
    size = np.abs(speed)
    size -= np.where(pressed, (size >> 2) * fixed["drag"] >> 10, 0)
    size = np.minimum(
        np.maximum(size - fixed["friction"], 0), np.where(pressed, fixed["fastest_pressed"], fixed["fastest"])
    )
    size[size < fixed["noticed"]] = 0
    return np.where(speed < 0, -size, size)


def _shared(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Limit two opposite speeds at which a cell sends, so that their sum is at most one cell a tick."""
    half = FULL // 2
    return np.minimum(one, np.maximum(half, FULL - other)), np.minimum(other, np.maximum(half, FULL - one))


def _sent(water: _Water, speed: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    return np.minimum(water.mass * speed >> 20, _room(water, step))


def _room(water: _Water, step: tuple[int, int]) -> np.ndarray:
    """A quarter of the room in the receiving cell, so that four neighbours together cannot overfill it."""
    return np.where(_at(water.solid, *step), 0, (MASS_LIMIT - _at(water.mass, *step)) >> 2)


def _kept(world: World, speed: np.ndarray, *, down: bool) -> np.ndarray:
    """The speeds that the state keeps: 0 at the edges of a world that is no torus."""
    inner = speed[_INSIDE, _INSIDE].astype(np.int32)
    if world.edges != "wrap":
        inner[(-1,) if down else (slice(None), -1)] = 0
    return inner


def _open_edges(speed: np.ndarray, leaving: int, *, sucks_back: bool) -> None:
    """Set the speeds at both ends of each row, where the world is open: that of the next face, outward.

    Args:
        speed: at the faces to the right, with a border; changed in place.
        leaving: the least speed outward.
        sucks_back: False if water leaves at the left end only as fast as it moves there.
    """
    first, last = BORDER - 1, speed.shape[1] - BORDER - 1
    rows = slice(BORDER, speed.shape[0] - BORDER)
    alone = last - first == 1
    left = np.zeros_like(speed[rows, first]) if alone else speed[rows, first + 1]
    right = np.zeros_like(left) if alone else speed[rows, last - 1]
    left = np.minimum(left, -leaving if sucks_back else 0)
    speed[rows, last] = np.maximum(right, leaving)
    speed[rows, first] = left


def _bordered(world: World, array: np.ndarray, outside: int | bool) -> np.ndarray:
    """Add a border: the opposite cells on a torus, else the value ``outside``."""
    if world.edges == "wrap":
        return np.pad(array, BORDER, mode="wrap")
    return np.pad(array, BORDER, constant_values=outside)


def _at(array: np.ndarray, row: int, column: int) -> np.ndarray:
    """The value at an offset from each cell; what comes from beyond the border has no meaning."""
    return np.roll(array, (-row, -column), (0, 1))
