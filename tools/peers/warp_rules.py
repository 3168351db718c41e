"""Rule flow and the plain Margolus sand in NVIDIA Warp: a thread for each cell or block, on a CUDA GPU if there is one.

On a processor Warp runs its kernels on one thread. Warp reads the annotations of functions when it compiles them, so
this module must not postpone their evaluation.
"""
# pyright: reportInvalidTypeForm=false

import numpy as np
import warp as wp

from gpufluid import World
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.oracle.flow import first_side
from peers.layouts import PAD, SOLID, masses_in, masses_of, ranks_of
from peers.plain_sand import HASH, WATER, offset, tick_word
from peers.turns import Peer

wp.config.log_level = wp.LOG_ERROR  # standard output is for results
wp.config.enable_backward = False

Masses = wp.array2d(dtype=wp.int32)
Ranks = wp.array2d(dtype=wp.uint8)


class _Warp(Peer):
    """Base class of both programs."""

    def __init__(self, world: World, threads: int) -> None:  # noqa: ARG002 - Warp has one thread on a processor
        wp.init()
        self._device = "cuda" if wp.is_cuda_available() else "cpu"
        self.where = "CUDA" if self._device == "cuda" else "1 thread"
        self._world = world

    def _array(self, values: np.ndarray, dtype):
        return wp.array(values, dtype=dtype, device=self._device)

    def finish(self) -> None:
        """Wait for the device."""
        wp.synchronize_device(self._device)


class Flow(_Warp):
    """The law of ``gpufluid/oracle/flow.py``: a thread for each cell computes the five outflows it needs."""

    def __init__(self, world: World, threads: int) -> None:
        super().__init__(world, threads)
        self._first, self._kernel = masses_of(world), _gather(_outflow(world.fixed("flow")))
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._tick = self._world.tick
        self._read, self._write = self._array(self._first, wp.int32), self._array(self._first, wp.int32)

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        fixed, schedule = self._world.fixed("flow"), self._world.schedule()
        inside = self._world.height, self._world.width
        for _ in range(ticks):
            for call in schedule.calls(self._tick):
                arguments = [self._read, self._write, first_side(fixed, call)]
                wp.launch(self._kernel, inside, arguments, device=self._device)
                self._read, self._write = self._write, self._read
            self._tick += 1

    def state(self) -> np.ndarray:
        """Return the mass of each cell: (height, width) int32, units."""
        return masses_in(self._read.numpy())


def _outflow(fixed):
    """Compile the function of a cell's four outflows, down, left, right and up, for the rule's constants."""
    most, compress = wp.constant(fixed["max_mass"]), wp.constant(fixed["max_compress"])
    ratio, divisor = wp.constant(wp.uint64(fixed["stable_ratio"])), wp.constant(wp.uint32(fixed["side_divisor"]))
    least, speed = wp.constant(fixed["min_flow"]), wp.constant(fixed["max_speed"])
    both_full = wp.constant(2 * fixed["max_mass"] + fixed["max_compress"])
    solid, mass_limit = wp.constant(SOLID), wp.constant(MASS_LIMIT)

    @wp.func
    def stable_below(total: wp.int32) -> wp.int32:
        if total >= both_full:
            return (total + compress) >> 1
        excess = wp.uint64(wp.max(total - most, 0))
        return most + wp.int32((excess * ratio) >> wp.uint64(32))

    @wp.func
    def bounded(wished: wp.int32, at_most: wp.int32, receiver: wp.int32) -> wp.int32:
        if receiver == solid:
            return 0
        damped = wished
        if wished > least:
            damped = wished >> 1
        return wp.min(wp.max(damped, 0), wp.min(at_most, (mass_limit - receiver) >> 2))

    @wp.func
    def aside(mass: wp.int32, side: wp.int32, rest: wp.int32) -> wp.int32:
        return bounded(wp.int32(wp.uint32(wp.max(mass - side, 0)) / divisor), rest, side)

    @wp.func
    def outflow(masses: Masses, y: wp.int32, x: wp.int32, coin: wp.int32) -> wp.vec4i:
        mass = masses[y, x]
        below = masses[y + 1, x]
        above = masses[y - 1, x]
        near = masses[y, x - 1 + 2 * coin]
        far = masses[y, x + 1 - 2 * coin]
        rest = wp.max(mass, 0)
        down = bounded(stable_below(rest + below) - below, wp.min(speed, rest), below)
        rest -= down
        first = aside(mass, near, rest)
        rest -= first
        second = aside(mass, far, rest)
        rest -= second
        up = bounded(rest - stable_below(rest + above), wp.min(speed, rest), above)
        if coin == 0:
            return wp.vec4i(down, first, second, up)
        return wp.vec4i(down, second, first, up)

    return outflow


def _gather(outflow):
    """Compile the kernel, in which each cell computes the five outflows that it depends on."""
    pad = wp.constant(PAD)

    @wp.kernel(module="unique")
    def gather(read: Masses, write: Masses, coin: wp.int32):
        row, column = wp.tid()
        y = row + pad
        x = column + pad
        sent = outflow(read, y, x, coin)
        came = outflow(read, y - 1, x, coin)[0] + outflow(read, y + 1, x, coin)[3]
        came += outflow(read, y, x + 1, coin)[1] + outflow(read, y, x - 1, coin)[2]
        write[y, x] = read[y, x] - (sent[0] + sent[1] + sent[2] + sent[3]) + came

    return gather


class Margolus(_Warp):
    """The law of ``plain_sand``: a thread for each block, in place."""

    def __init__(self, world: World, threads: int) -> None:
        super().__init__(world, threads)
        self._first = ranks_of(world)
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._cells, self._tick = self._array(self._first, wp.uint8), 0

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        height, width = self._first.shape
        for _ in range(ticks):
            x, y = offset(self._tick)
            blocks = (height - y) // 2, (width - x) // 2
            arguments = [self._cells, x, y, wp.uint32(tick_word(self._tick))]
            wp.launch(_exchange_in_blocks, blocks, arguments, device=self._device)
            self._tick += 1

    def state(self) -> np.ndarray:
        """Return the rank of each cell's material: (height, width) uint8."""
        return self._cells.numpy()


WATER_RANK = wp.constant(wp.uint8(WATER))
HASH_X, HASH_Y, HASH_LAST = (wp.constant(wp.uint32(HASH[i])) for i in (0, 1, 3))


@wp.kernel
def _exchange_in_blocks(cells: Ranks, offset_x: wp.int32, offset_y: wp.int32, tick_word: wp.uint32):
    row, column = wp.tid()
    y = 2 * row + offset_y
    x = 2 * column + offset_x
    word = (wp.uint32(x) * HASH_X) ^ (wp.uint32(y) * HASH_Y) ^ tick_word
    word = (word ^ (word >> wp.uint32(15))) * HASH_LAST
    near = x + wp.int32(word >> wp.uint32(31))
    far = 2 * x + 1 - near
    a = cells[y, near]
    b = cells[y, far]
    c = cells[y + 1, near]
    d = cells[y + 1, far]
    if a > c or b > d:
        cells[y, near] = wp.min(a, c)
        cells[y + 1, near] = wp.max(a, c)
        cells[y, far] = wp.min(b, d)
        cells[y + 1, far] = wp.max(b, d)
    elif a > d and a > b:
        cells[y, near] = d
        cells[y + 1, far] = a
    elif b > c and b > a:
        cells[y, far] = c
        cells[y + 1, near] = b
    else:
        if a + b == WATER_RANK:
            cells[y, near] = b
            cells[y, far] = a
        if c + d == WATER_RANK:
            cells[y + 1, near] = d
            cells[y + 1, far] = c
