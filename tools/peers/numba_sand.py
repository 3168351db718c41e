"""Falling sand in numba: the usual loop on one thread, and the plain Margolus law on all threads."""

from __future__ import annotations

import numpy as np
from numba import njit, prange, set_num_threads

from gpufluid import World
from peers.layouts import ranks_of
from peers.plain_sand import HASH, WATER, offset, tick_word
from peers.turns import Peer

SAND = 2


class Loop(Peer):
    """The usual loop: from the bottom row up, sand falls, slides and sinks, water falls, slides or moves aside."""

    where = "1 thread"

    def __init__(self, world: World, threads: int) -> None:  # noqa: ARG002 - each cell depends on the previous cell
        self._first = ranks_of(world)
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._cells, self._tick = self._first.copy(), 0

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        for _ in range(ticks):
            _fall(self._cells, self._tick)
            self._tick += 1

    def state(self) -> np.ndarray:
        """Return the rank of each cell's material: (height, width) uint8."""
        return self._cells


class Margolus(Loop):
    """The law of ``plain_sand``."""

    def __init__(self, world: World, threads: int) -> None:
        set_num_threads(threads)
        self.where = f"{threads} threads"
        super().__init__(world, threads)

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        for _ in range(ticks):
            _exchange_in_blocks(self._cells, *offset(self._tick), tick_word(self._tick))
            self._tick += 1


@njit
def _fall(cells, tick):
    """Run a tick in place; the side tried first alternates with row and tick."""
    height, width = cells.shape
    for y in range(height - 2, -1, -1):
        first = 1 if (y + tick) % 2 == 0 else -1
        for i in range(width):
            x = i if first == 1 else width - 1 - i
            atom = cells[y, x]
            if atom == 0:
                continue
            for aside in (0, first, -first):
                to = x + aside
                if 0 <= to < width and cells[y + 1, to] < atom:
                    cells[y, x], cells[y + 1, to] = cells[y + 1, to], atom
                    break
            else:
                for aside in (first, -first):
                    to = x + aside
                    if atom == WATER and 0 <= to < width and cells[y, to] == 0:
                        cells[y, to], cells[y, x] = atom, 0
                        break


@njit
def _block(a, b, c, d):
    """Return a block after its tick: near upper, far upper, near lower, far lower rank."""
    sank = a > c or b > d
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if sank:
        return a, b, c, d
    if a > d and a > b:
        return d, b, c, a
    if b > c and b > a:
        return a, c, b, d
    if a + b == WATER:
        a, b = b, a
    if c + d == WATER:
        c, d = d, c
    return a, b, c, d


@njit(parallel=True)
def _exchange_in_blocks(cells, offset_x, offset_y, tick_word):
    height, width = cells.shape
    for row in prange((height - offset_y) // 2):
        y = 2 * row + offset_y
        upper, lower = cells[y], cells[y + 1]
        row_word = np.uint32(np.uint32(y * HASH[1]) ^ np.uint32(tick_word))
        for x in range(offset_x, width - 1, 2):
            a, b, c, d = upper[x], upper[x + 1], lower[x], lower[x + 1]
            if a == b == c == d:
                continue
            word = np.uint32(np.uint32(x * HASH[0]) ^ row_word)
            word = np.uint32(np.uint32(word ^ (word >> np.uint32(15))) * np.uint64(HASH[3]))
            if word >> np.uint32(31):
                upper[x + 1], upper[x], lower[x + 1], lower[x] = _block(b, a, d, c)
            else:
                upper[x], upper[x + 1], lower[x], lower[x + 1] = _block(a, b, c, d)
