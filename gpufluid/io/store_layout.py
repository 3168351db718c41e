"""The file layout of the arrays of a store: shards, each a file with chunks that can be read alone.

A chunk has about 1 MB before compression. Its bits are shuffled and compressed (Blosc with Zstandard), and it has a
checksum (CRC-32C). A shard has at most the rows and columns of `SHARD`. All chunks are written, also those of zeros: of
a store in which a shard is missing zarr itself would read zeros.

Source: zarr v3 core specification; ZEP 2, the codec ``sharding_indexed``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gpufluid.core.errors import OutputError, UsageError, named, shown
from gpufluid.core.files import irregular, open_regular
from gpufluid.io.labels import COLUMN, COMPONENT, ROW

if TYPE_CHECKING:
    import zarr

CHUNK_BYTES = 1 << 20
"""Bytes of a chunk before compression."""

SHARD = {ROW: 1024, COLUMN: 8192}
"""The most rows and columns of a shard of a world."""

METADATA = "zarr.json"
"""The file with the metadata of an array or a group."""

_CHUNK_BYTES_MOST = 1 << 26
"""The most bytes of a chunk that is read."""

_CHECKSUM_BYTES = 4
"""Bytes of a CRC-32C, of a chunk or of the index of a shard."""

_CHUNK_OVERHEAD = 16 + _CHECKSUM_BYTES
"""The most bytes by which a chunk is longer than its numbers: the header of Blosc, and the checksum."""

_INDEX_BYTES = 16
"""Bytes of the index of a shard for a chunk: its place and length."""

_SHARDS_MOST = 1 << 20
"""The most shards of an array that is read."""

_METADATA_MOST = 1 << 16
"""The most bytes of the metadata of an array."""

_CODECS = ["bytes", "blosc", "crc32c"]
"""The codecs of a chunk, by name."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The shards and chunks of an array.

    Args:
        shape: the shape of the array.
        chunks, shards: the shape of a chunk and of a shard, which is a multiple of it.
    """

    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    shards: tuple[int, ...]

    @classmethod
    def of_cells(cls, shape: Sequence[int], axes: Sequence[str], itemsize: int) -> Self:
        """The grid of an array of a world; ``axes``: the names of its axes; ``itemsize``: bytes of a number."""
        sizes = dict(zip(axes, shape, strict=True))
        cells = CHUNK_BYTES // (itemsize * sizes.get(COMPONENT, 1))
        power = cells.bit_length() - 1
        sides = {ROW: 1 << power // 2, COLUMN: 1 << (power + 1) // 2}
        chunk, shard = [], []
        for axis, size in sizes.items():
            if axis not in SHARD:
                side = most = size if axis == COMPONENT else 1
            else:
                side = min(sides[axis], size)
                most = min(SHARD[axis], side * -(-size // side)) if side < size else side
            chunk.append(side)
            shard.append(most)
        return cls(tuple(shape), tuple(chunk), tuple(shard))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of shards along each axis."""
        return tuple(-(-size // side) for size, side in zip(self.shape, self.shards, strict=True))

    def parts(self, window: Sequence[slice] | None = None) -> Iterator[tuple[int, ...]]:
        """The numbers of the shards that a window touches, or of all shards; ``window``: a slice for each axis."""
        spans = [range(count) for count in self.counts]
        if window is not None:
            spans = [
                range(each.start // side, -(-each.stop // side)) for each, side in zip(window, self.shards, strict=True)
            ]
        return product(*spans)

    def cells_of(self, part: Sequence[int]) -> tuple[slice, ...]:
        """The part of the array that a shard holds."""
        return tuple(
            slice(number * side, min((number + 1) * side, size))
            for number, side, size in zip(part, self.shards, self.shape, strict=True)
        )


def create(
    group: zarr.Group, name: str, grid: Grid, dtype: np.dtype, axes: Sequence[str], labels: Mapping[str, Any]
) -> zarr.Array:
    """Create an array in a group of a store.

    Args:
        group: the group.
        name: the name of the array in it.
        grid: its shards and chunks.
        dtype: its type, of integers.
        axes: the names of its axes.
        labels: its attributes.
    """
    from zarr.codecs import BloscCodec, Crc32cCodec

    return group.create_array(
        name,
        shape=grid.shape,
        chunks=grid.chunks,
        shards=grid.shards or None,  # zarr has no shards of a single number
        dtype=dtype,
        compressors=[BloscCodec(cname="zstd", clevel=3, shuffle="bitshuffle"), Crc32cCodec()],
        fill_value=0,
        dimension_names=list(axes),
        attributes=dict(labels),
        config={"write_empty_chunks": True},
    )


def open_to_write(folder: Path, names: Iterable[str]) -> dict[str, zarr.Array]:
    """Open arrays that `create` has made, by name. Empty chunks are written, too, as by `create`."""
    import zarr

    with zarr.config.set({"array.write_empty_chunks": True}):  # which an array does not keep in its metadata
        return {name: zarr.open_array(folder / name, mode="r+", zarr_format=3) for name in names}


@contextmanager
def output_errors_of(path: Path) -> Iterator[None]:
    """Turn an error of the system while a store is written into an OutputError that names the store."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: could not be written: {error.strerror or error}") from None


def metadata_of(folder: Path, most: int = _METADATA_MOST) -> dict[str, Any]:
    """The metadata of an array or a group of a store, at most so many bytes of JSON.

    Raises: UsageError: they are too long, or no object of JSON. OSError: the file cannot be read.
    """
    with open_regular(folder / METADATA) as file:
        text = file.read(most + 1)
    if len(text) > most:
        raise UsageError(f"{METADATA}: over {most} bytes")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{METADATA}: no JSON") from None
    if not isinstance(found, dict):
        raise UsageError(f"{METADATA}: {shown(found)}; expected an object")
    return found


def checked_grid(folder: Path, name: str, shape: Sequence[int], dtype: np.dtype) -> Grid:
    """The grid of an array that is to be read.

    Args:
        folder: the folder of the store.
        name: the name of the array.
        shape, dtype: those that it must have.
    Raises: UsageError: the array is missing, or is not as gpufluid writes it; its name comes first in the message.
    """
    try:
        found = metadata_of(folder / name)
    except OSError as error:
        raise UsageError(f"{named(name)}: {METADATA} is missing or cannot be read: {error.strerror or error}") from None
    except UsageError as error:
        raise UsageError(f"{named(name)}: {error}") from None
    wanted: dict[str, object] = {"zarr_format": 3, "node_type": "array", "data_type": dtype.name}
    wanted |= {"shape": list(shape), "fill_value": 0, "storage_transformers": []}
    wanted["chunk_key_encoding"] = {"name": "default", "configuration": {"separator": "/"}}
    found.setdefault("storage_transformers", [])
    for key, value in wanted.items():
        if found.get(key) != value or type(found.get(key)) is not type(value):
            raise UsageError(f"{named(name)}: {key} {shown(found.get(key))}; expected {shown(value)}")
    try:
        (sharding,) = found["codecs"]
        inside, codecs = sharding["configuration"], _names(sharding["configuration"]["codecs"])
        is_known = (
            sharding["name"] == "sharding_indexed" and codecs == _CODECS and found["chunk_grid"]["name"] == "regular"
        )
        is_known &= _names(inside["index_codecs"]) == ["bytes", "crc32c"] and inside["index_location"] == "end"
        sides = [tuple(inside["chunk_shape"]), tuple(found["chunk_grid"]["configuration"]["chunk_shape"])]
    except (KeyError, TypeError, ValueError):
        is_known, sides = False, []
    if not is_known:
        raise UsageError(f"{named(name)}: expected shards of chunks with the codecs {', '.join(_CODECS)}")
    grid = Grid(tuple(shape), *sides)
    _check_sides(name, grid, dtype.itemsize)
    return grid


def _names(codecs: Iterable[Mapping[str, object]]) -> list[object]:
    return [each["name"] for each in codecs]


def _check_sides(name: str, grid: Grid, itemsize: int) -> None:
    """Raise UsageError for chunks and shards that cannot be, or that are too large or too many to be read."""
    for sides in (grid.chunks, grid.shards):
        if len(sides) != len(grid.shape) or not all(type(side) is int and 1 <= side <= 1 << 30 for side in sides):
            raise UsageError(f"{named(name)}: chunks of {shown(sides)}; expected a side for each of {grid.shape}")
    if any(side % inner for side, inner in zip(grid.shards, grid.chunks, strict=True)):
        raise UsageError(f"{named(name)}: shards of {grid.shards}; expected a multiple of its chunks, {grid.chunks}")
    if math.prod(grid.chunks) * itemsize > _CHUNK_BYTES_MOST or math.prod(grid.counts) > _SHARDS_MOST:
        raise UsageError(f"{named(name)}: chunks of {grid.chunks} in shards of {grid.shards} are too large or too many")
    inside = math.prod(side // inner for side, inner in zip(grid.shards, grid.chunks, strict=True))
    if inside > _SHARDS_MOST:
        raise UsageError(f"{named(name)}: {inside} chunks in a shard; expected at most {_SHARDS_MOST}")


def check_shards(folder: Path, name: str, grid: Grid, dtype: np.dtype, window: Sequence[slice] | None = None) -> None:
    """Raise UsageError unless all shards of an array that a window touches are regular files of a possible size.

    Args:
        folder, name: as for `checked_grid`.
        grid, dtype: those of the array.
        window: a slice for each axis; None: all shards.
    """
    most = _shard_bytes_most(grid, dtype.itemsize)
    for part in grid.parts(window):
        place = "/".join(["c", *map(str, part)])
        file = folder / name / place
        try:
            other = irregular(file)
            missing = other is None and not file.is_file()
            size = 0 if missing else file.stat().st_size
        except OSError as error:
            raise UsageError(f"{named(name)}: shard {place} cannot be read: {error.strerror or error}") from None
        if other is not None or missing:
            raise UsageError(f"{named(name)}: shard {place} {'is missing' if missing else f'is {other}'}")
        if size > most:  # zarr would hold all of it in memory
            raise UsageError(f"{named(name)}: shard {place} has {size} bytes; expected at most {most}")


def _shard_bytes_most(grid: Grid, itemsize: int) -> int:
    """The most bytes of a shard whose chunks cannot be compressed, with an index of all chunks."""
    indexed = math.prod(shard // chunk for shard, chunk in zip(grid.shards, grid.chunks, strict=True))
    sides = zip(grid.shape, grid.shards, grid.chunks, strict=True)
    written = math.prod(min(shard // chunk, -(-size // chunk)) for size, shard, chunk in sides)
    return written * (math.prod(grid.chunks) * itemsize + _CHUNK_OVERHEAD) + indexed * _INDEX_BYTES + _CHECKSUM_BYTES
