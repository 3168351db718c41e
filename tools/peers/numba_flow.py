"""Rule flow in numba, on all threads: gathers each cell's next mass from the old masses, in two arrays.

The law is exactly that of ``gpufluid/oracle/flow.py``. The rule's parameters are constants in the compiled code, as in
GLSL. Casts to 32 bits prevent numba from computing in 64 bits, which would halve the vector width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numba import int32, njit, prange, set_num_threads

from gpufluid import World
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.oracle.flow import first_side
from peers.layouts import PAD, SOLID, masses_in, masses_of
from peers.turns import Peer

BAND = 32
"""Rows of a band, which one thread computes; the outflows of the rows at its ends are computed twice."""

Gather = Callable[[np.ndarray, np.ndarray, int], None]


class Plain(Peer):
    """A straightforward program: a loop over cells; each computes the five outflows it depends on."""

    def __init__(self, world: World, threads: int) -> None:
        set_num_threads(threads)
        self.where = f"{threads} threads"
        self._world, self._first = world, masses_of(world)
        self._gather = self._compiled(world.fixed("flow"))
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._tick, self._read, self._write = self._world.tick, self._first.copy(), self._first.copy()

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        fixed, schedule = self._world.fixed("flow"), self._world.schedule()
        for _ in range(ticks):
            for call in schedule.calls(self._tick):
                self._gather(self._read, self._write, first_side(fixed, call))
                self._read, self._write = self._write, self._read
            self._tick += 1

    def state(self) -> np.ndarray:
        """Return the mass of each cell: (height, width) int32, units."""
        return masses_in(self._read)

    @staticmethod
    def _compiled(fixed: Mapping[str, int]) -> Gather:
        return _plain_gather(_outflow(fixed))


class Rows(Plain):
    """An optimised program: bands of rows, each cell's outflow computed once, vectorised loops."""

    @staticmethod
    def _compiled(fixed: Mapping[str, int]) -> Gather:
        return _gather_by_rows(_outflow(fixed))


def _outflow(fixed: Mapping[str, int]) -> Callable:
    """Compile the function of a cell's outflow (down, left, right, up) from its mass, its neighbours' and the coin."""
    most, compress, ratio = fixed["max_mass"], fixed["max_compress"], fixed["stable_ratio"]
    full, both_full = most + compress, 2 * most + compress
    least, speed, divisor = fixed["min_flow"], fixed["max_speed"], fixed["side_divisor"]

    @njit
    def stable_below(total):
        excess = min(max(int32(total - most), int32(0)), int32(full))
        partly = int32(most + int32(np.uint64(np.uint64(np.uint32(excess)) * np.uint64(ratio)) >> np.uint64(32)))
        return int32(int32(total + compress) >> 1) if total >= both_full else partly

    @njit
    def bounded(wished, at_most, receiver):
        damped = int32(wished >> 1) if wished > least else wished
        flow = min(max(damped, int32(0)), min(at_most, int32(int32(MASS_LIMIT - receiver) >> 2)))
        return int32(0) if receiver == SOLID else flow

    @njit
    def aside(mass, side, rest):
        return bounded(int32(np.uint32(max(int32(mass - side), int32(0))) // np.uint32(divisor)), rest, side)

    @njit
    def outflow(mass, below, left, right, above, coin):
        rest = max(mass, int32(0))
        down = bounded(int32(stable_below(int32(rest + below)) - below), min(int32(speed), rest), below)
        rest = int32(rest - down)
        first = aside(mass, left if coin == 0 else right, rest)
        rest = int32(rest - first)
        second = aside(mass, right if coin == 0 else left, rest)
        rest = int32(rest - second)
        up = bounded(int32(rest - stable_below(int32(rest + above))), min(int32(speed), rest), above)
        return down, first if coin == 0 else second, second if coin == 0 else first, up

    return outflow


def _plain_gather(outflow: Callable) -> Gather:
    @njit(parallel=True)
    def gather(read, write, coin):
        height, width = read.shape
        for y in prange(PAD, height - PAD):
            top, above, here, below, bottom = read[y - 2], read[y - 1], read[y], read[y + 1], read[y + 2]
            for x in range(PAD, width - PAD):
                down, left, right, up = outflow(here[x], below[x], here[x - 1], here[x + 1], above[x], coin)
                fell = outflow(above[x], here[x], above[x - 1], above[x + 1], top[x], coin)[0]
                from_right = outflow(here[x + 1], below[x + 1], here[x], here[x + 2], above[x + 1], coin)[1]
                from_left = outflow(here[x - 1], below[x - 1], here[x - 2], here[x], above[x - 1], coin)[2]
                rose = outflow(below[x], bottom[x], below[x - 1], below[x + 1], here[x], coin)[3]
                write[y, x] = here[x] - (down + left + right + up) + (fell + from_right + from_left + rose)

    return gather


def _gather_by_rows(outflow: Callable) -> Gather:
    @njit(parallel=True)
    def gather(read, write, coin):
        height, width = read.shape
        for band in prange((height - 2 * PAD + BAND - 1) // BAND):
            first = PAD + band * BAND
            last = min(first + BAND, height - PAD)
            sent, kept, fell = np.zeros((4, width), np.int32), np.zeros(width, np.int32), np.zeros(width, np.int32)
            down, left, right, up = sent[0], sent[1], sent[2], sent[3]
            for y in range(first - 1, last + 1):
                above, here, below = read[y - 1], read[y], read[y + 1]
                for x in range(1, width - 1):
                    down[x], left[x], right[x], up[x] = outflow(
                        here[x], below[x], here[x - 1], here[x + 1], above[x], coin
                    )
                if y > first:  # the outflow upwards of this row completes the row above
                    row = write[y - 1]
                    for x in range(PAD, width - PAD):
                        row[x] = int32(kept[x] + up[x])
                for x in range(1, width - 1):
                    total = int32(int32(down[x] + left[x]) + int32(right[x] + up[x]))
                    kept[x] = int32(int32(here[x] - total) + int32(int32(right[x - 1] + left[x + 1]) + fell[x]))
                    fell[x] = down[x]

    return gather
