"""Rule flow and the plain Margolus sand in Taichi: a kernel over cells or blocks, on a CUDA GPU if there is one.

Taichi reads the annotations of kernels when it compiles them, so this module must not postpone their evaluation.
"""
# pyright: reportInvalidTypeForm=false

import os

import numpy as np

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")  # standard output is for results
import taichi as ti

from gpufluid import World
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.oracle.flow import first_side
from peers.layouts import PAD, SOLID, masses_in, masses_of, ranks_of
from peers.plain_sand import HASH, WATER, offset, tick_word
from peers.turns import Peer


class _Taichi(Peer):
    """Base class of both programs. Only one can exist at a time: Taichi has one state for each process."""

    def __init__(self, world: World, threads: int) -> None:
        # Without CUDA, Taichi itself falls back to the processor.
        ti.init(arch=ti.cuda, cpu_max_num_threads=threads, log_level=ti.ERROR, offline_cache=False)
        self.where = "CUDA" if ti.cfg.arch == ti.cuda else f"{threads} threads"
        self._world = world

    def finish(self) -> None:
        """Wait for the device."""
        ti.sync()

    def close(self) -> None:
        """Release the memory."""
        ti.reset()


@ti.data_oriented
class Flow(_Taichi):
    """The law of ``gpufluid/oracle/flow.py``: a kernel over cells; each computes the five outflows it depends on."""

    def __init__(self, world: World, threads: int) -> None:
        super().__init__(world, threads)
        fixed = world.fixed("flow")
        self.most, self.compress, self.ratio = fixed["max_mass"], fixed["max_compress"], fixed["stable_ratio"]
        self.least, self.speed, self.divisor = fixed["min_flow"], fixed["max_speed"], fixed["side_divisor"]
        self._first = masses_of(world)
        self.height, self.width = self._first.shape
        self._read, self._write = (ti.field(ti.i32, self._first.shape) for _ in range(2))
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._tick = self._world.tick
        for field in (self._read, self._write):
            field.from_numpy(self._first)

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
        return masses_in(self._read.to_numpy())

    @ti.func
    def _stable_below(self, total):
        partly = self.most
        if total > self.most:
            partly += ti.i32(ti.u64(total - self.most) * ti.u64(self.ratio) >> 32)
        if total >= 2 * self.most + self.compress:
            partly = (total + self.compress) >> 1
        return partly

    @ti.func
    def _bounded(self, wished, most, receiver):
        damped = ti.select(wished > self.least, wished >> 1, wished)
        flow = ti.min(ti.max(damped, 0), ti.min(most, (MASS_LIMIT - receiver) >> 2))
        return ti.select(receiver == SOLID, 0, flow)

    @ti.func
    def _aside(self, mass, side, rest):
        return self._bounded(ti.i32(ti.u32(ti.max(mass - side, 0)) // ti.u32(self.divisor)), rest, side)

    @ti.func
    def _outflow(self, masses, y, x, coin):
        mass, below, above = masses[y, x], masses[y + 1, x], masses[y - 1, x]
        first_at, second_at = x - 1 + 2 * coin, x + 1 - 2 * coin
        rest = ti.max(mass, 0)
        down = self._bounded(self._stable_below(rest + below) - below, ti.min(self.speed, rest), below)
        rest -= down
        first = self._aside(mass, masses[y, first_at], rest)
        rest -= first
        second = self._aside(mass, masses[y, second_at], rest)
        rest -= second
        up = self._bounded(rest - self._stable_below(rest + above), ti.min(self.speed, rest), above)
        return ti.Vector([down, ti.select(coin == 0, first, second), ti.select(coin == 0, second, first), up])

    @ti.kernel
    def _gather(self, read: ti.template(), write: ti.template(), coin: ti.i32):
        for y, x in ti.ndrange((PAD, self.height - PAD), (PAD, self.width - PAD)):
            came = self._outflow(read, y - 1, x, coin)[0] + self._outflow(read, y + 1, x, coin)[3]
            came += self._outflow(read, y, x + 1, coin)[1] + self._outflow(read, y, x - 1, coin)[2]
            write[y, x] = read[y, x] - self._outflow(read, y, x, coin).sum() + came


@ti.data_oriented
class Margolus(_Taichi):
    """The law of ``plain_sand``: a kernel over blocks, in place."""

    def __init__(self, world: World, threads: int) -> None:
        super().__init__(world, threads)
        self._first = ranks_of(world)
        self.height, self.width = self._first.shape
        self._cells = ti.field(ti.u8, self._first.shape)
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._tick = 0
        self._cells.from_numpy(self._first)

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        for _ in range(ticks):
            self._exchange_in_blocks(*offset(self._tick), tick_word(self._tick))
            self._tick += 1

    def state(self) -> np.ndarray:
        """Return the rank of each cell's material: (height, width) uint8."""
        return self._cells.to_numpy()

    @ti.kernel
    def _exchange_in_blocks(self, offset_x: ti.i32, offset_y: ti.i32, word_of_tick: ti.u32):
        for row, column in ti.ndrange((self.height - offset_y) // 2, (self.width - offset_x) // 2):
            y, x = 2 * row + offset_y, 2 * column + offset_x
            word = ti.u32(x) * ti.u32(HASH[0]) ^ ti.u32(y) * ti.u32(HASH[1]) ^ word_of_tick
            word = (word ^ (word >> 15)) * ti.u32(HASH[3])
            near = x + ti.i32(word >> 31)
            far = 2 * x + 1 - near
            a, b = ti.i32(self._cells[y, near]), ti.i32(self._cells[y, far])
            c, d = ti.i32(self._cells[y + 1, near]), ti.i32(self._cells[y + 1, far])
            if a > c or b > d:
                a, c = ti.min(a, c), ti.max(a, c)
                b, d = ti.min(b, d), ti.max(b, d)
            elif a > d and a > b:
                a, d = d, a
            elif b > c and b > a:
                b, c = c, b
            else:
                if a + b == WATER:
                    a, b = b, a
                if c + d == WATER:
                    c, d = d, c
            self._cells[y, near], self._cells[y, far] = ti.u8(a), ti.u8(b)
            self._cells[y + 1, near], self._cells[y + 1, far] = ti.u8(c), ti.u8(d)
