"""Writes the states of a data set: to arrays in memory, for a ``.npz`` file, or to a store, shard by shard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.files import written_whole
from gpufluid.core.memory import check_free
from gpufluid.core.new_folders import NewFolder, reserved
from gpufluid.io import stores
from gpufluid.io.labels import COORDINATES, TICK, WORLD, axes_of, for_others, labels_of
from gpufluid.io.store_layout import CHUNK_BYTES, Grid, create, output_errors_of
from gpufluid.world import World

if TYPE_CHECKING:
    import zarr

KIND = "data set"
"""The kind of a store that holds a data set; see `stores.WORLD`."""

_SHARD_BYTES = 1 << 26
"""Bytes of the states, with all fields, that lie in the same shards."""

_HELD_BYTES = 1 << 29
"""Bytes of the states that are held until their shards are complete."""

_AXES = (WORLD, TICK)
"""The names of the first axes."""


class Sink(Protocol):
    """Takes the states of a data set, group by group in the order of the worlds, and of a group moment by moment."""

    together: int
    """The most worlds of a group."""

    shapes: dict[str, tuple[int, ...]]
    """The shapes of all arrays that were written, by name; complete after `end`."""

    def put(self, numbers: Sequence[int], moment: int, arrays: Mapping[str, np.ndarray]) -> None:
        """Take the states of a group at a moment.

        Args:
            numbers: of the worlds, one after the other.
            moment: the number of the moment.
            arrays: by field (worlds, height, width) or with more axes, of the field's type.
        """

    def end(self, described: Mapping[str, np.ndarray]) -> None:
        """Complete the data set.

        Args:
            described: further arrays by name, of any shape and any integer type, float64 or text.
        """


def check_fields(fields: Sequence[str] | None, world: World) -> None:
    """Raise UsageError unless the worlds of a data set have these fields; None: all that they have."""
    for name in fields or ():
        if name not in world.fields:
            raise UsageError(f"--fields: the worlds have no {shown(name)}{did_you_mean(name, world.fields)}")


@contextmanager
def sink_of(
    path: Path,
    world: World,
    kept: Sequence[str],
    count: int,
    moments: int,
    manifest: Mapping[str, Any],
    most: int,
) -> Iterator[Sink]:
    """Yield the sink of a data set. What is at the path changes only in `Sink.end`.

    Args:
        path: the file or store; its ending says which.
        world: a world of the data set.
        kept: the names of the fields to write.
        count, moments: the numbers of its worlds and moments.
        manifest: what a store says of the data set, of JSON's types.
        most: the most worlds that may run at once.
    Raises: UsageError: a ``.npz`` file of states that do not fit into the free memory, or another run writes the store.
    """
    if path.suffix.lower() != stores.ENDING:
        yield _InMemory(path, world, kept, count, moments, most)
        return
    with reserved(path, stores.refusal) as folder:
        yield _InStore(path, folder, world, kept, count, moments, manifest, most)


def _as_written(fields: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of fields by name, of any shape, in the form in which a data set has them; see `for_others`."""
    return {name: for_others(name, array) for name, array in fields.items()}


class _InMemory:
    """Holds all states, and writes them as one file."""

    def __init__(self, path: Path, world: World, kept: Sequence[str], count: int, moments: int, most: int) -> None:
        self._path, self.together = path, most
        fields = _as_written({name: world[name] for name in kept})
        states = count * moments
        size = states * sum(field.nbytes for field in fields.values())
        check_free(size, f"a data set of {states} states of {world.width} by {world.height} cells")
        self._arrays = {name: np.empty((count, moments, *each.shape), each.dtype) for name, each in fields.items()}
        self.shapes: dict[str, tuple[int, ...]] = {}

    def put(self, numbers: Sequence[int], moment: int, arrays: Mapping[str, np.ndarray]) -> None:
        for name, array in self._arrays.items():
            array[numbers[0] : numbers[-1] + 1, moment] = for_others(name, arrays[name])

    def end(self, described: Mapping[str, np.ndarray]) -> None:
        every = {**self._arrays, **described}
        with written_whole(self._path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **every)
        self.shapes = {name: array.shape for name, array in every.items()}


@dataclass(frozen=True, slots=True)
class Share:
    """The worlds and moments of a shard, powers of two.

    Args:
        worlds, moments: their numbers.
    """

    worlds: int
    moments: int

    @classmethod
    def of(cls, state_bytes: int, count: int, moments: int) -> Share:
        """The share of a data set: all moments of as many worlds as `_SHARD_BYTES` has room for, or some of one."""
        if state_bytes * moments <= _SHARD_BYTES:
            room = _SHARD_BYTES // (state_bytes * moments)
            return cls(min(_power_below(room), _power_above(count)), _power_above(moments))
        return cls(1, _power_below(_SHARD_BYTES // state_bytes))

    def grid(self, count: int, moments: int, cells: Grid, itemsize: int) -> Grid:
        """The grid of a field: small states of several moments and worlds lie in one chunk of about 1 MB.

        Args:
            count, moments: of the data set.
            cells: the grid of one state.
            itemsize: bytes of a number.
        """
        room = CHUNK_BYTES // (itemsize * math.prod(cells.chunks)) if cells.chunks == cells.shape else 1
        in_time = min(_power_below(room), self.moments)
        chunk = min(_power_below(room // in_time), self.worlds), in_time
        shape = count, moments, *cells.shape
        return Grid(shape, (*chunk, *cells.chunks), (self.worlds, self.moments, *cells.shards))


def _power_below(number: int) -> int:
    """The largest power of two up to a number, at least 1."""
    return 1 << max(number.bit_length() - 1, 0)


def _power_above(number: int) -> int:
    """The least power of two from a number on."""
    return 1 << (number - 1).bit_length()


class _InStore:
    """Writes each shard as soon as all its states are there, so only some shards are held in memory."""

    def __init__(
        self,
        path: Path,
        folder: NewFolder,
        world: World,
        kept: Sequence[str],
        count: int,
        moments: int,
        manifest: Mapping[str, Any],
        most: int,
    ) -> None:
        self._path, self._folder, self._size = path, folder, (count, moments)
        fields = _as_written({name: array for name, array in world.complete_arrays().items() if name in kept})
        state_bytes = sum(array.nbytes for array in fields.values())
        self._share = Share.of(state_bytes, count, moments)
        held = max(_HELD_BYTES // (state_bytes * min(moments, self._share.moments)), 1)
        self.together = min(most, max(held - held % self._share.worlds, 1))
        self._held: dict[tuple[int, int], tuple[dict[str, np.ndarray], int]] = {}
        self._arrays: dict[str, zarr.Array] = {}
        with output_errors_of(path):
            self._group = stores.begin(folder.path, KIND, {"manifest": dict(manifest)}, COORDINATES)
            for name, array in fields.items():
                cells = Grid.of_cells(array.shape, axes_of(name), array.dtype.itemsize)
                grid = self._share.grid(count, moments, cells, array.dtype.itemsize)
                axes, labels = (*_AXES, *axes_of(name)), labels_of(world, name, decoded=True)
                self._arrays[name] = create(self._group, name, grid, array.dtype, axes, labels)
        self.shapes = {name: array.shape for name, array in self._arrays.items()}

    def put(self, numbers: Sequence[int], moment: int, arrays: Mapping[str, np.ndarray]) -> None:
        end = numbers[-1] + 1
        side = self._share.worlds
        for first in range(numbers[0] - numbers[0] % side, end, side):
            begin, stop = max(first, numbers[0]), min(first + side, end)
            own = slice(begin - numbers[0], stop - numbers[0])
            part = {name: for_others(name, arrays[name][own]) for name in self._arrays}
            self._put_into(first, moment, begin - first, part, stop - begin)

    def _put_into(self, first: int, moment: int, row: int, arrays: Mapping[str, np.ndarray], worlds: int) -> None:
        """Put states of a moment into the shard of world ``first``, from its world ``row`` on; write it if complete."""
        start = moment - moment % self._share.moments
        count, moments = self._size
        size = min(self._share.worlds, count - first), min(self._share.moments, moments - start)
        key = first, start
        if key not in self._held:
            made = {name: np.empty((*size, *each.shape[1:]), each.dtype) for name, each in arrays.items()}
            self._held[key] = made, math.prod(size)
        held, missing = self._held[key]
        for name, array in arrays.items():
            held[name][row : row + worlds, moment - start] = array
        self._held[key] = held, missing - worlds
        if missing == worlds:
            del self._held[key]
            with output_errors_of(self._path):
                for name, array in held.items():
                    self._arrays[name][first : first + size[0], start : start + size[1]] = array

    def end(self, described: Mapping[str, np.ndarray]) -> None:
        with output_errors_of(self._path):
            for name, array in described.items():
                if name == "manifest":  # which the attributes have
                    continue
                axes = (TICK,) if name == TICK else (WORLD,)
                numbers = array
                if array.dtype.kind == "U":  # digests, of which a number has two digits: zarr has no texts yet
                    digits = [bytearray.fromhex(each) for each in array]
                    numbers, axes = np.array(digits, np.uint8), (*axes, "byte")
                axes = (*axes, *(f"{name}.axis_{axis}" for axis in range(len(axes), numbers.ndim)))
                grid = Grid(numbers.shape, numbers.shape, numbers.shape)
                create(self._group, name, grid, numbers.dtype, axes, {})[...] = numbers
                self.shapes[name] = numbers.shape
            stores.end(self._folder.path)
            self._folder.place()
