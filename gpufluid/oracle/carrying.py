"""The NumPy twin of pass ``inertia.carry``: streams of water by mass carry powder along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpufluid.core.frame import in_frame, in_world, turned_to_frame, turned_to_world
from gpufluid.core.small_floats import decoded, encoded
from gpufluid.oracle.atoms.cells import Cells
from gpufluid.oracle.chance import noise, partition_offset
from gpufluid.oracle.partition import block_places
from gpufluid.oracle.state import load_momentum, store_momentum
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.world import World


@dataclass(frozen=True, slots=True)
class _Part:
    """The state of one cell of each block, as far as moves depend on it; all arrays have the shape of the blocks.

    Attributes:
        threshold: of powder, in 2**-speed_bits cells a tick; 0: nothing carries what is there.
        gain: of powder that rolls: its chance to move, in 65536ths, is the speed of the water times 2**gain.
        mass: of water, in units; 0 in other cells.
        filled: bool, an atom, a wall or a cell outside the world.
        ahead, aside: the speed of water that can carry, in 2**-speed_bits cells a tick, along the stream and across it.
    """

    threshold: np.ndarray
    gain: np.ndarray
    mass: np.ndarray
    filled: np.ndarray
    ahead: np.ndarray
    aside: np.ndarray

    def turned_back(self) -> _Part:
        """The cell for a stream in the opposite direction."""
        return _Part(self.threshold, self.gain, self.mass, self.filled, -self.ahead, self.aside)


class _Moves:
    """The move of each block: powder changes places with water, and the water in one of the cells pays for it.

    Attributes:
        made: bool, True where powder moves.
        cells: the numbers of the cells of the powder, of the water and of the water that pays, as (3, ...) int64.
        axis: the axis along which that water pays, 0 across gravity and 1 down.
        threshold: of the powder, in 2**-speed_bits cells a tick.
    """

    def __init__(self, shape: tuple[int, ...], fixed: Mapping[str, int], gravity: str) -> None:
        self.made = np.zeros(shape, bool)
        self.cells = np.zeros((3, *shape), np.int64)
        self.axis, self.threshold = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self._fixed, self._weightless = fixed, gravity == "off"

    def try_stream(
        self, parts: Sequence[_Part], number: tuple[int, int, int, int], axis: np.ndarray, draws: Sequence[np.ndarray]
    ) -> None:
        """Try the moves by a stream from the near column to the far one.

        Args:
            parts: a and b of the upper row, c and d of the lower one; a and c lie in the near column.
            number: the numbers of these four cells.
            axis: of the stream in each block.
            draws: four random numbers of 16 bits for each block.
        """
        (a, b, c, d), (at_a, at_b, at_c, at_d) = parts, number
        beside, ahead = np.where(d.ahead >= a.ahead, at_d, at_a), np.where(b.ahead >= c.ahead, at_b, at_c)
        slow, fast = self._fixed["weightless_bits" if self._weightless else "drift_bits"], self._fixed["roll_bits"]
        roll, drift = np.maximum(d.ahead, a.ahead), np.maximum(b.ahead, c.ahead)
        self._try(d.mass > 0, c.threshold, c.threshold, roll, c.gain, (at_c, at_d, beside), axis, draws[0])
        self._try(b.mass > 0, a.threshold, a.threshold, drift, slow, (at_a, at_b, ahead), axis, draws[1])
        if self._weightless:
            return
        room, lifts_at = b.mass >= self._fixed["carries_from"], self._fixed["lifts_at"]
        over, falls = np.maximum(a.ahead, a.aside), (a.aside > a.ahead).astype(np.int64)
        may = room & (c.gain == fast) & d.filled
        self._try(may, c.threshold, c.threshold * lifts_at, over, fast, (at_c, at_b, at_a), falls, draws[2])
        may = room & (d.gain == fast)
        self._try(may, d.threshold, d.threshold * lifts_at, c.ahead, fast, (at_d, at_b, at_c), axis, draws[3])

    def _try(
        self,
        may: np.ndarray,
        threshold: np.ndarray,
        least: np.ndarray,
        speed: np.ndarray,
        gain: np.ndarray | int,
        cells: tuple[int, int, np.ndarray | int],
        axis: np.ndarray,
        draw: np.ndarray,
    ) -> None:
        possible = may & ~self.made & (threshold > 0) & (speed > least)
        made = possible & (draw < (speed - (least - threshold)) << gain)
        self.made |= made
        for place, cell in zip(self.cells, cells, strict=True):
            place[made] = np.broadcast_to(cell, made.shape)[made]
        self.axis[made], self.threshold[made] = np.broadcast_to(axis, made.shape)[made], threshold[made]


def carry(world: World, call: Call) -> Tally:
    """Let streams of water by mass carry powder along; see `gpufluid.rules.inertia`.

    In each 2x2 block at most one cell with powder and one with water change places, with all that they carry. The water
    that moves the powder loses half of the momentum that it has above the threshold of the material.
    """
    fixed, cells = world.fixed("inertia"), Cells.of(world)
    codes = in_frame(load_momentum(world), world.gravity)
    water = [np.array(each) for each in turned_to_frame(codes[..., 0], codes[..., 1], world.gravity)]
    offset = partition_offset(world, call.tick, fixed["use_offset"])
    x, y = block_places(cells.shape, offset, world.edges == "wrap")
    words = noise(world, x, y, call.tick, fixed["use_carry"])
    across, axis, down = ((words[0] >> np.uint32(shift) & np.uint32(1)).astype(np.int64) for shift in (31, 30, 29))
    weightless = world.gravity == "off"
    axis = axis if weightless else np.zeros_like(axis)
    near = np.where(axis == 0, across, down)
    first = np.where(axis == 0, down, across) if weightless else np.zeros_like(axis)
    along, aside = np.stack((1 - axis, axis)), np.stack((axis, 1 - axis))
    places = [np.stack((x, y)) + along * np.abs(near - column) + aside * np.abs(first - row) for row, column in _CELLS]
    parts = [_part(world, cells, water, place, along * (1 - 2 * near), aside) for place in places]
    moves = _Moves(near.shape, fixed, world.gravity)
    halves = [word.astype(np.int64) >> shift & 0xFFFF for word in words[1:3] for shift in (0, 16)]
    moves.try_stream(parts, (0, 1, 2, 3), axis, halves)
    a, b, c, d = (part.turned_back() for part in parts)
    moves.try_stream((b, a, d, c), (1, 0, 3, 2), axis, halves)
    grain, target, mover = (_chosen(world, cells.shape, places, number)[:, moves.made] for number in moves.cells)
    _pay(cells, water, mover, moves.axis[moves.made], moves.threshold[moves.made])
    for part in (*cells.parts().values(), *water):
        here, there = part[grain[1], grain[0]].copy(), part[target[1], target[0]].copy()
        part[grain[1], grain[0]], part[target[1], target[0]] = there, here
    cells.write(world)
    turned = np.stack(turned_to_world(water[0], water[1], world.gravity), axis=-1)
    store_momentum(world, in_world(turned, world.gravity))
    return Tally()


_CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""The cells of a block as (row, column); column 0 is the near one, row 0 the upper one, or one drawn by chance."""


def _inside(world: World, shape: tuple[int, int], place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places (2, ...) in the world, by wrapping on a torus, else the nearest; and which ones lay outside, bool."""
    rows, columns = shape
    if world.edges == "wrap":
        return np.stack((place[0] % columns, place[1] % rows)), np.zeros(place[0].shape, bool)
    held = np.stack((place[0].clip(0, columns - 1), place[1].clip(0, rows - 1)))
    return held, (held != place).any(axis=0)


def _part(
    world: World, cells: Cells, water: Sequence[np.ndarray], place: np.ndarray, ahead: np.ndarray, aside: np.ndarray
) -> _Part:
    """The cells at a place of each block, with the speeds of their water along two directions of the frame."""
    fixed, (held, outside) = world.fixed("inertia"), _inside(world, cells.shape, place)
    at = held[1], held[0]
    material, count = cells.material[at], len(world.materials)
    is_water = (material >= count) & ~outside
    mass = np.where(is_water, cells.amounts["mass"][at], 0).astype(np.int64)
    momentum = [decoded(each[at]) for each in water]
    table = np.array([*world.tables("inertia")["carried_at"], 0], np.int64)
    codes = np.where(outside, 0, table[np.minimum(material, count)])
    gain = np.where(codes & fixed["floats"] != 0, fixed["drift_bits"], fixed["roll_bits"])
    gain = np.full_like(codes, fixed["weightless_bits"]) if world.gravity == "off" else gain
    along, across = (
        _speed(momentum[0] * axes[0] + momentum[1] * axes[1], mass, fixed["carries_from"]) for axes in (ahead, aside)
    )
    filled = outside | ((material != 0) & ~is_water)
    return _Part(codes & (fixed["floats"] - 1), gain, mass, filled, along, across)


def _speed(momentum: np.ndarray, mass: np.ndarray, least: int) -> np.ndarray:
    """The speed of water that can carry, in 2**-14 cells a tick; 0 in cells with less than the least mass."""
    size = ((np.abs(momentum) >> 4) << 10) // (np.maximum(mass, least) >> 8)
    return np.where(mass >= least, np.where(momentum < 0, -size, size), 0)


def _chosen(world: World, shape: tuple[int, int], places: Sequence[np.ndarray], number: np.ndarray) -> np.ndarray:
    """The place, (2, ...) as (column, row), of the cell of a number in each block."""
    found = np.stack([_inside(world, shape, place)[0] for place in places])
    return np.take_along_axis(found, number[None, None], axis=0)[0]


def _pay(cells: Cells, water: Sequence[np.ndarray], mover: np.ndarray, axis: np.ndarray, threshold: np.ndarray) -> None:
    """Take from the water in some cells half of the momentum that it has along an axis above a threshold."""
    at = mover[1], mover[0]
    mass = cells.amounts["mass"][at].astype(np.int64)
    for number, codes in enumerate(water):
        momentum = decoded(codes[at])
        excess = np.maximum(np.abs(momentum) - ((mass >> 8) * threshold >> 6), 0)
        left = np.abs(momentum) - (excess >> 1)
        codes[at] = np.where(axis == number, encoded(np.where(momentum < 0, -left, left)), codes[at])
