"""Copies of the cells that an edit changes, before and after the edit, in tiles on the device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import moderngl
import numpy as np

from gpufluid.core.fields import Plane
from gpufluid.core.packing import from_texels, separate
from gpufluid.core.runs import Runs
from gpufluid.gpu.device import Device
from gpufluid.gpu.editing_texts import COPIED_TILE, Member, kept_after, members_of, slot_words
from gpufluid.gpu.textures import FORMATS
from gpufluid.world import World

_CHUNK_BYTES = 1 << 26
"""Most bytes of one buffer, if it can hold a row of tiles: software OpenGL has storage buffers of 128 MiB at most."""

_FIRST_SLOTS = 4
"""Least number of slots of a new buffer."""


@dataclass(slots=True)
class _Chunk:
    """The copies of some rows of tiles: a buffer with a slot for each tile that the edit has touched."""

    buffer: moderngl.Buffer
    slots: np.ndarray
    """(rows, tiles across) int32: the slot of each tile; -1: it has none."""
    capacity: int
    used: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a stroke whose copies lie in one buffer.

    Args:
        runs: its cells.
        buffer: the buffer.
        first_tile: (column, row) of the first tile that its cells touch.
        slots: (rows, columns) int32, the slots of the tiles from there on.
    """

    runs: Runs
    buffer: moderngl.Buffer
    first_tile: tuple[int, int]
    slots: np.ndarray


@dataclass(frozen=True, slots=True)
class CopiedCells:
    """The copies of an edit on the host, for the smallest rectangle of tiles that holds them.

    Args:
        at: (column, row) of the top left cell of the rectangle.
        moments: (height, width) uint32, when the edit first changed each cell; 0: it has not.
        before: all fields before the edit by name, each (height, width) or with more axes, of the field's type.
        after: the fields that say what is in a cell, as the edit has left them.
    """

    at: tuple[int, int]
    moments: np.ndarray
    before: dict[str, np.ndarray]
    after: dict[str, np.ndarray]


@dataclass(eq=False, slots=True)
class EditCopies:
    """Copies of the cells that one edit changes.

    When the object is no longer used, its buffers are listed in `Device.unused`, because OpenGL cannot be called at any
    time. They are released when the device next makes a buffer.

    Args:
        device: the device that holds them.
        world: a world with the laws; its arrays are not read.
    """

    device: Device
    world: World
    _chunks: dict[int, _Chunk] = field(default_factory=dict, init=False)
    _found: moderngl.Buffer | None = field(default=None, init=False)
    _any: bool = field(default=False, init=False)
    _slot_bytes: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._slot_bytes = 4 * slot_words(self.world)

    @property
    def found(self) -> moderngl.Buffer:
        """The buffer in which strokes note that a cell was written, and the lowest material that was spared."""
        if self._found is None:
            self._found = self.device.buffer(data=bytes(8))
        return self._found

    @property
    def any(self) -> bool:
        """True if the edit has written a cell. Reads from the device, unless this is known to be true."""
        self._any = self._any or bool(self._read_found()[0])
        return self._any

    @property
    def spared(self) -> int:
        """The lowest number of a material that the edit has spared; 0: none. Reads from the device."""
        word = int(self._read_found()[1])
        return ~word & 0xFF if word else 0

    def _read_found(self) -> np.ndarray:
        with self.device:
            return np.frombuffer(self.found.read(), "<u4")

    @property
    def nbytes(self) -> int:
        """Bytes of device memory."""
        return sum(chunk.capacity for chunk in self._chunks.values()) * self._slot_bytes

    def bytes_with(self, runs: Runs) -> int:
        """The bytes of device memory once the edit has also changed some cells."""
        more = 0
        for number, _, _, new in self._by_chunk(runs):
            chunk = self._chunks.get(number)
            used, capacity = (chunk.used, chunk.capacity) if chunk else (0, 0)
            more += self._capacity(used + int(new.sum()), capacity) - capacity
        return self.nbytes + more * self._slot_bytes

    @property
    def _across(self) -> int:
        """Tiles in a row of the world."""
        return -(-self.world.width // COPIED_TILE)

    @property
    def _chunk_rows(self) -> int:
        """Rows of tiles in a chunk."""
        return max(1, _CHUNK_BYTES // (self._across * self._slot_bytes))

    def parts(self, runs: Runs) -> Iterator[Part]:
        """Divide a stroke by the buffers of its copies, and make room for them. Call within a block of the device."""
        for number, part, first_tile, new in self._by_chunk(runs):
            chunk = self._chunks.get(number)
            if chunk is None:
                slots = np.full((self._chunk_rows, self._across), -1, np.int32)
                capacity = self._capacity(int(new.sum()), 0)
                buffer = self.device.buffer(data=bytes(capacity * self._slot_bytes))
                chunk = self._chunks[number] = _Chunk(buffer, slots, capacity=capacity)
            count = int(new.sum())
            self._reserve(chunk, chunk.used + count)
            own = _tiles_of(chunk.slots, number * self._chunk_rows, first_tile, new.shape)
            own[new] = chunk.used + np.arange(count)
            chunk.used += count
            yield Part(part, chunk.buffer, first_tile, own)

    def _by_chunk(self, runs: Runs) -> Iterator[tuple[int, Runs, tuple[int, int], np.ndarray]]:
        """Divide some cells by chunks.

        Yields: the number of the chunk; its cells; (column, row) of the first tile that they touch; and, from there
            on, the tiles that they touch and that have no slot yet, (rows, columns) bool.
        """
        numbers = runs.table[:, 0] // (COPIED_TILE * self._chunk_rows)
        for number in np.unique(numbers).tolist():
            part = Runs(runs.table[numbers == number])
            first_tile, tiles = _touched(part)
            chunk = self._chunks.get(number)
            if chunk is not None:
                tiles &= _tiles_of(chunk.slots, number * self._chunk_rows, first_tile, tiles.shape) < 0
            yield number, part, first_tile, tiles

    def _capacity(self, slots: int, before: int) -> int:
        """The capacity of a chunk that is to have some slots: at least twice the one before, at most all its tiles."""
        if slots <= before:
            return before
        return min(max(slots, 2 * before, _FIRST_SLOTS), max(self._chunk_rows * self._across, slots))

    def _reserve(self, chunk: _Chunk, slots: int) -> None:
        """Give a chunk a larger buffer if it has fewer slots; new slots hold zeros."""
        capacity = self._capacity(slots, chunk.capacity)
        if capacity == chunk.capacity:
            return
        size, held = capacity * self._slot_bytes, chunk.capacity * self._slot_bytes
        larger = self.device.buffer(size)
        larger.write(bytes(size - held), offset=held)
        self.device.context.copy_buffer(larger, chunk.buffer, held)
        chunk.buffer.release()
        chunk.buffer, chunk.capacity = larger, capacity

    def read(self) -> CopiedCells | None:
        """Read the copies; waits for the device. None: the edit has changed no cell."""
        tiles, words = [], []
        side, parts = COPIED_TILE, slot_words(self.world) // COPIED_TILE**2
        with self.device:
            for number, chunk in self._chunks.items():
                if chunk.used:
                    read = np.frombuffer(chunk.buffer.read(chunk.used * self._slot_bytes), "<u4")
                    places = np.argwhere(chunk.slots >= 0)
                    order = chunk.slots[places[:, 0], places[:, 1]]
                    words.append(read.reshape(chunk.used, parts, side, side)[order])
                    tiles.append(places + np.array([number * self._chunk_rows, 0]))
        if not tiles:
            return None
        return self._assembled(np.concatenate(tiles), np.concatenate(words))

    def _assembled(self, tiles: np.ndarray, words: np.ndarray) -> CopiedCells | None:
        """The copies as arrays of a rectangle.

        Args:
            tiles: (tiles, 2) int64, row and column of each tile.
            words: (tiles, parts, side, side) uint32, the copies of each tile.
        """
        changed = words[:, 0].any(axis=(1, 2))
        tiles, words = tiles[changed], words[changed]
        if not len(tiles):
            return None
        first, end = tiles.min(axis=0), tiles.max(axis=0) + 1
        (rows, columns), side = (end - first).tolist(), COPIED_TILE
        whole = np.zeros((words.shape[1], rows, side, columns, side), np.uint32)
        row, column = (tiles - first).T
        whole[:, row, :, column, :] = words
        top, left = (first * side).tolist()
        height, width = min(rows * side, self.world.height - top), min(columns * side, self.world.width - left)
        whole = np.ascontiguousarray(whole.reshape(-1, rows * side, columns * side)[:, :height, :width])
        before = members_of(self.world)
        arrays = self._fields(before, whole[1 : 1 + len(before)])
        left_there = self._fields(kept_after(self.world), whole[1 + len(before) :])
        return CopiedCells((left, top), whole[0], arrays, left_there)

    def _fields(self, members: list[Member], texels: np.ndarray) -> dict[str, np.ndarray]:
        """The fields of some planes; ``texels`` is (members, height, width) uint32."""
        found: dict[str, np.ndarray] = {}
        shared: dict[Plane, np.ndarray] = {}
        for plane in dict.fromkeys(each.plane for each in members):
            own = np.concatenate([texels[number] for number, each in enumerate(members) if each.plane is plane])
            layers = len(own) // max(texels.shape[1], 1)
            found |= from_texels(plane, own.astype(FORMATS[plane.image][2]), layers)
            if plane.instead in self.world.fields:
                shared[plane] = own
        for plane, words in shared.items():
            found |= separate(plane, words, found["material"] != 0)
        return found

    def __del__(self) -> None:
        buffers = [chunk.buffer for chunk in self._chunks.values()]
        self.device.unused += buffers if self._found is None else [*buffers, self._found]


def _tiles_of(slots: np.ndarray, top: int, first: tuple[int, int], shape: tuple[int, ...]) -> np.ndarray:
    """A view of the slots of some tiles of a chunk.

    Args:
        slots: (rows, tiles across) int32, the slots of the chunk.
        top: the row of tiles with which the chunk begins.
        first: (column, row) of the first tile.
        shape: (rows, columns) of tiles.
    """
    left, row = first[0], first[1] - top
    return slots[row : row + shape[0], left : left + shape[1]]


def _touched(runs: Runs) -> tuple[tuple[int, int], np.ndarray]:
    """The tiles that some cells touch: (column, row) of the first one, and (rows, columns) bool from there on."""
    row, first, last = runs.table[:, 0] // COPIED_TILE, runs.table[:, 1] // COPIED_TILE, runs.table[:, 2] - 1
    last = last // COPIED_TILE
    left, top = int(first.min()), int(row.min())
    ends = np.zeros((int(row.max()) + 1 - top, int(last.max()) + 2 - left), np.int32)
    np.add.at(ends, (row - top, first - left), 1)
    np.add.at(ends, (row - top, last + 1 - left), -1)
    return (left, top), np.cumsum(ends, axis=1)[:, :-1] > 0
