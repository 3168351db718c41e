"""The pass ``settle`` of rule atoms in numba, with two arrays; threads share the rows of blocks.

The law is exactly that of ``gpufluid/oracle/atoms/blocks.py``, on the same packed words. A processor can skip work that
the lanes of a GPU cannot: a block in which no atom can move is copied without drawing random words.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numba import int32, njit, prange, set_num_threads  # pyright: ignore[reportMissingImports]

from gpufluid import World
from gpufluid.core.fields import PLANES, SPEED_LIMIT
from gpufluid.core.hashing import stream_seed
from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.blocks import block_offset
from gpufluid.oracle.atoms.cells import MaterialProperties
from peers.layouts import PAD, with_words, words_of
from peers.ours import fields_side_by_side, settles
from peers.turns import Peer

_PLACES = PLANES["cells"].layout.fields or {}
_BITS = {name: 8 * place[1] for name, place in _PLACES.items()}
ACROSS, ALONG, GRAIN = np.uint32(_BITS["velocity"]), np.uint32(_BITS["velocity"] + 8), np.uint32(_BITS["grain"])
BYTE = np.uint32(0xFF)
KEPT = np.uint32(0xFFFFFFFF ^ (0xFFFF << _BITS["velocity"]))
POWDER, LIQUID, GAS, SOLID = int(State.POWDER), int(State.LIQUID), int(State.GAS), int(State.SOLID)


class Settle(Peer):
    """Runs the pass ``settle`` alone, in a closed world with gravity down. One call counts as a tick."""

    def __init__(self, world: World, threads: int) -> None:
        set_num_threads(threads)
        self.where = f"{threads} threads"
        self._world, self._first, matter = world, words_of(world), MaterialProperties(world)
        columns = (matter.state, matter.density, matter.slide, matter.stick, matter.spread)
        weight = np.pad(matter.weight, (0, 256 - len(matter.weight)))
        self._table = np.stack([*columns, weight], axis=1).astype(np.int32)
        names = ("slide_speed", "slide_across", "exchange_least", "exchange_more")
        self._constants = tuple(matter.fixed[name] for name in names)
        self._use = matter.fixed["use_settle"]
        self.begin()

    def begin(self) -> None:
        """Return to the initial state and the first call."""
        self._read, self._write, self._calls = self._first.copy(), self._first.copy(), settles(self._world)

    def step(self, ticks: int) -> None:
        """Run the pass `ticks` times."""
        for call in islice(self._calls, ticks):
            key = stream_seed(self._world.seed, self._use + call.substep)
            noise = (np.uint32(call.tick & 0xFFFFFFFF), np.uint32(key))
            offset = block_offset(self._world, call)
            _settle(self._read, self._write, offset, noise, self._table, self._constants)
            self._read, self._write = self._write, self._read

    def state(self) -> np.ndarray:
        """Return material, velocity and grain of each cell: (height, width, 4) int32."""
        return fields_side_by_side(with_words(self._world, self._read))


@njit
def _active(x, y, z, w):
    x = np.uint32(x + np.uint32(y * w))
    y = np.uint32(y + np.uint32(z * x))
    z = np.uint32(z + np.uint32(x * y))
    w = np.uint32(w + np.uint32(y * z))
    return x, y, z, w


@njit
def _seeded(word):
    return np.uint32(np.uint32(word * np.uint32(1664525)) + np.uint32(1013904223))


@njit
def _random(x, y, z, w):
    """Twin of `gpufluid.core.hashing.pcg4d`."""
    x, y, z, w = _active(_seeded(x), _seeded(y), _seeded(z), _seeded(w))
    shift = np.uint32(16)
    return _active(x ^ (x >> shift), y ^ (y >> shift), z ^ (z >> shift), w ^ (w >> shift))


@njit
def _drawn(word, use):
    return int32(word >> np.uint32(8 * use) & BYTE)


@njit
def _material(word):
    return int32(word & BYTE)


@njit
def _speed(word, shift):
    return int32(np.int8(word >> shift & BYTE))


@njit
def _gives_way(material, to, table):
    return material == 0 or (table[material, 0] >= LIQUID and table[material, 1] < table[to, 1])


@njit
def _could_sink(upper, lower, table):
    return table[upper, 0] >= POWDER and lower != 0 and _gives_way(lower, upper, table)


@njit
def _is_heavy(material, table):
    return table[material, 0] == POWDER or table[material, 0] == LIQUID


@njit
def _could_slide(atom, below, beside, target, above, table, constants):
    material, under = _material(atom), _material(below)
    if not _is_heavy(material, table) or abs(_speed(atom, ALONG)) > constants[0] or _speed(below, ALONG) != 0:
        return False
    if _gives_way(under, material, table) or not _gives_way(_material(beside), material, table):
        return False
    loaded = _is_heavy(_material(above), table)
    return _gives_way(_material(target), material, table) and (loaded or int32(atom >> GRAIN) < table[material, 2])


@njit
def _could_diffuse(left, right, table):
    gas, other = table[left, 0] == GAS, table[right, 0] == GAS
    return left != right and ((gas and (other or right == 0)) or (left == 0 and other))


@njit
def _diffuses(left, right, draw, table):
    readiness = int32(0)
    for material in (left, right):
        if table[material, 0] == GAS:
            readiness = max(readiness, table[material, 4])
    return _could_diffuse(left, right, table) and draw < readiness


@njit
def _exchange_chance(heavy, light, table, constants):
    return constants[2] + min(table[heavy, 5] - table[light, 5], constants[3])


@njit
def _slid(atom, below, target, side, word, table, constants):
    """Decide whether an atom slides to the target. Returns the target's new word, and whether the atom slides."""
    material, under, there = _material(atom), _material(below), _material(target)
    if (under == material or table[under, 0] == SOLID) and _drawn(word, 2) < table[material, 3]:
        return atom, False
    if there != 0:
        return atom, _drawn(word, 3) < _exchange_chance(material, there, table, constants)
    across = min(max(_speed(atom, ACROSS) + side * constants[1], -SPEED_LIMIT), SPEED_LIMIT)
    moving = np.uint32((across & 0xFF) << ACROSS | constants[0] << ALONG)
    return np.uint32((atom & KEPT) | moving), True


@njit
def _block(block, slides, words, table, constants):
    """Update a block (upper left, upper right, lower left, lower right) in which an atom may move."""
    a, b, c, d = block
    fell = False
    if _could_sink(_material(a), _material(c), table):
        fell = _drawn(words[1], 0) < _exchange_chance(_material(a), _material(c), table, constants)
        if fell:
            a, c = c, a
    if _could_sink(_material(b), _material(d), table):
        falls = _drawn(words[1], 1) < _exchange_chance(_material(b), _material(d), table, constants)
        if falls:
            b, d = d, b
        fell = fell or falls
    coin = words[0] >> np.uint32(31)
    for turn in range(2):  # the coin's column first
        if fell:
            break
        if coin == turn and slides[0]:
            moved, fell = _slid(a, c, d, 1, words[2], table, constants)
            if fell:
                a, d = d, moved
        elif coin != turn and slides[1]:
            moved, fell = _slid(b, d, c, -1, words[2], table, constants)
            if fell:
                b, c = c, moved
    if not fell:
        if _diffuses(_material(a), _material(b), _drawn(words[3], 0), table):
            a, b = b, a
        if _diffuses(_material(c), _material(d), _drawn(words[3], 1), table):
            c, d = d, c
    return a, b, c, d


@njit(parallel=True)
def _settle(read, write, offset, noise, table, constants):
    height, width = read.shape
    for row in prange((height - 2 * PAD + offset[1] + 1) // 2):
        y = 2 * row - offset[1]
        over, upper, lower = read[y + PAD - 1], read[y + PAD], read[y + PAD + 1]
        new_upper, new_lower = write[y + PAD], write[y + PAD + 1]
        for i in range(PAD - offset[0], width - PAD, 2):
            a, b, c, d = upper[i], upper[i + 1], lower[i], lower[i + 1]
            left, right, low_left, low_right = _material(a), _material(b), _material(c), _material(d)
            if not left == right == low_left == low_right:
                slides = (
                    _could_slide(a, c, b, d, over[i], table, constants),
                    _could_slide(b, d, a, c, over[i + 1], table, constants),
                )
                sinks = _could_sink(left, low_left, table) or _could_sink(right, low_right, table)
                spreads = _could_diffuse(left, right, table) or _could_diffuse(low_left, low_right, table)
                if slides[0] or slides[1] or sinks or spreads:
                    words = _random(np.uint32(i - PAD), np.uint32(y), noise[0], noise[1])
                    a, b, c, d = _block((a, b, c, d), slides, words, table, constants)
            new_upper[i], new_upper[i + 1], new_lower[i], new_lower[i + 1] = a, b, c, d
