"""The pass ``settle`` of rule atoms in numba, with two arrays; threads share the rows of blocks.

The law is exactly that of ``gpufluid/oracle/atoms/blocks.py``, on the same packed words. A processor can skip work that
the lanes of a GPU cannot: a block in which no atom can move is copied without drawing random words.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numba import int32, njit, prange, set_num_threads

from gpufluid import World
from gpufluid.core.fields import PLANES, SPEED_LIMIT
from gpufluid.core.hashing import stream_seed
from gpufluid.matter.materials import COHESION_ONE, State
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
        self._world, self._first, matter = world, words_of(world), world.laws.once(MaterialProperties)
        columns = (matter.state, matter.density, matter.slide, matter.stick, matter.spread, matter.weight)
        rows = [column[: len(world.materials)] for column in (*columns, matter.cohesion)]
        self._table = np.stack(rows, axis=1).astype(np.int32)
        names = ("slide_speed", "slide_across", "exchange_least", "exchange_more", "shed_liquid", "shed_powder")
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
def _diffuses(left, right, draw, table):
    readiness = int32(0)
    for material in (left, right):
        if table[material, 0] == GAS:
            readiness = max(readiness, table[material, 4])
    return left != right and _is_thin(left, table) and _is_thin(right, table) and draw < readiness


@njit
def _is_thin(material, table):
    return material == 0 or table[material, 0] == GAS


@njit
def _is_at_rest(word):
    return _speed(word, ACROSS) == 0 and _speed(word, ALONG) == 0


@njit
def _diffuses_along(upper, lower, draw, table):
    moves = not _is_at_rest(upper) or not _is_at_rest(lower)
    above, under = _material(upper), _material(lower)
    return moves and (above == 0 or under == 0) and _diffuses(above, under, draw, table)


@njit
def _given(difference, cohesion):
    part = abs(difference) * cohesion // (2 * COHESION_ONE)
    return part if difference > 0 else -part


@njit
def _moving(word, across, along):
    return np.uint32((word & KEPT) | np.uint32((across & 0xFF) << ACROSS | (along & 0xFF) << ALONG))


@njit
def _cohered(one, other, table):
    """Two atoms with their speeds made more alike, if both move and are of one material."""
    if _material(one) != _material(other) or _is_at_rest(one) or _is_at_rest(other):
        return one, other
    cohesion = table[_material(one), 6]
    x, y = _speed(one, ACROSS), _speed(one, ALONG)
    other_x, other_y = _speed(other, ACROSS), _speed(other, ALONG)
    shares = table[_material(one), 0] >= LIQUID or x * other_x > 0
    across = _given(x - other_x, cohesion) if shares else 0
    along = _given(y - other_y, cohesion) if y * other_y > 0 else 0
    return _moving(one, x - across, y - along), _moving(other, other_x + across, other_y + along)


@njit
def _exchange_chance(heavy, light, table, constants):
    return constants[2] + min(table[heavy, 5] - table[light, 5], constants[3])


@njit
def _slid(atom, below, target, side, loaded, words, table, constants):
    """Decide whether an atom slides to the target. Returns the target's new word, and whether the atom slides."""
    material, under, there = _material(atom), _material(below), _material(target)
    if (under == material or table[under, 0] == SOLID) and _drawn(words[2], 2) < table[material, 3]:
        return atom, False
    if loaded and there == 0 and _drawn(words[3], 2) >= constants[4 if table[material, 0] == LIQUID else 5]:
        return atom, False
    if there != 0:
        return atom, _drawn(words[2], 3) < _exchange_chance(material, there, table, constants)
    across = min(max(_speed(atom, ACROSS) + side * constants[1], -SPEED_LIMIT), SPEED_LIMIT)
    return _moving(atom, across, constants[0]), True


@njit
def _block(block, slides, loaded, words, table, constants):
    """Update a block (upper left, upper right, lower left, lower right) in which an atom may move."""
    a, b, c, d = block
    fell = False
    coin = words[0] >> np.uint32(31)
    for turn in range(2):  # the coin's column first
        if fell:
            break
        if coin == turn and slides[0]:
            moved, fell = _slid(a, c, d, 1, loaded[0], words, table, constants)
            if fell:
                a, d = d, moved
        elif coin != turn and slides[1]:
            moved, fell = _slid(b, d, c, -1, loaded[1], words, table, constants)
            if fell:
                b, c = c, moved
    a, b = _cohered(a, b, table)
    c, d = _cohered(c, d, table)
    a, c = _cohered(a, c, table)
    b, d = _cohered(b, d, table)
    along = words[3] >> np.uint32(31)
    first, second = _drawn(words[3], 0), _drawn(words[3], 1)
    if not fell and along == 0:
        if _diffuses(_material(a), _material(b), first, table):
            a, b = b, a
        if _diffuses(_material(c), _material(d), second, table):
            c, d = d, c
    if not fell and along == 1:
        if _diffuses_along(a, c, first if coin == 0 else second, table):
            a, c = c, a
        if _diffuses_along(b, d, second if coin == 0 else first, table):
            b, d = d, b
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
            moving = not (_is_at_rest(a) and _is_at_rest(b) and _is_at_rest(c) and _is_at_rest(d))
            if moving or not _material(a) == _material(b) == _material(c) == _material(d):
                slides = (
                    _could_slide(a, c, b, d, over[i], table, constants),
                    _could_slide(b, d, a, c, over[i + 1], table, constants),
                )
                loaded = _is_heavy(_material(over[i]), table), _is_heavy(_material(over[i + 1]), table)
                words = _random(np.uint32(i - PAD), np.uint32(y), noise[0], noise[1])
                a, b, c, d = _block((a, b, c, d), slides, loaded, words, table, constants)
            new_upper[i], new_upper[i + 1], new_lower[i], new_lower[i + 1] = a, b, c, d
