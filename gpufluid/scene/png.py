"""PNG pictures, read in bands of rows, so that a picture takes little memory.

Pillow opens many formats, and decodes a picture whole. Here a file is a PNG by its content or it is refused. Its
chunks are checked before a pixel is decoded; text, colour profiles and other additions are not interpreted. The
standard library inflates the rows of a band, and Pillow's decoder of rows undoes their filters.

Source: Portable Network Graphics (PNG) Specification, third edition, W3C 2025.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from PIL import Image

from gpufluid.core.files import open_regular
from gpufluid.scene.png_chunks import RATIO, Chunk, InflatedData, PngError, chunks

_GREY, _RGB, _PALETTE = 0, 2, 3
"""Colour types of a PNG."""

_CHANNELS = {_GREY: 1, _RGB: 3, _PALETTE: 1, 4: 2, 6: 4}
"""Samples of a pixel by colour type; 4 is grey with alpha, and 6 is RGB with alpha."""

_DEPTHS = {_GREY: (1, 2, 4, 8, 16), _RGB: (8, 16), _PALETTE: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
"""Bits of a sample by colour type."""

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
"""Modes of Pillow by bytes of a pixel, as filters count them: smaller pixels are filtered in whole bytes."""

_NONE, _UP = 0, 2
"""Filters of a row: none, and the difference from the row above."""

_WHOLE = ((0, 0, 1, 1),)
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Passes: first column, first row, step between columns, step between rows."""

_BAND = 1 << 18
"""Most pixels of a band that has more than one row: its arrays stay in a processor's cache."""


@dataclass(frozen=True, slots=True)
class Band:
    """The pixels of some rows and columns of a picture.

    Args:
        rows, columns: their places in the picture.
        values: (rows, columns) uint8 or uint32: the place of each pixel's colour in ``colours``, or its colour.
        colours: (n,) uint32, 0xRRGGBB; None: ``values`` are colours.
        transparent: (rows, columns) bool: the pixels that are not opaque; None: all are opaque.
    """

    rows: slice
    columns: slice
    values: np.ndarray
    colours: np.ndarray | None
    transparent: np.ndarray | None

    def look_up(self, table: np.ndarray) -> np.ndarray:
        """The entry of each pixel's colour in a table.

        Args:
            table: (2**24,) of any integer type, by colour.
        Returns: (rows, columns) of the same type.
        """
        return np.take(table if self.colours is None else table[self.colours], self.values)

    def colours_of(self, mask: np.ndarray) -> np.ndarray:
        """(n,) uint32, 0xRRGGBB: the colours of the pixels of a mask, (rows, columns) bool."""
        return self.values[mask] if self.colours is None else self.colours[self.values[mask]]

    def first_of(self, mask: np.ndarray) -> tuple[int, int]:
        """(row, column) in the picture of the first pixel of a mask, (rows, columns) bool, which is not all False."""
        row, column = divmod(int(mask.argmax()), mask.shape[1])
        return self.rows.start + row * self.rows.step, self.columns.start + column * self.columns.step


@dataclass(frozen=True, slots=True)
class _Header:
    """The content of chunk IHDR: size in pixels, bits of a sample, colour type, and order of the pixels."""

    width: int
    height: int
    depth: int
    colour_type: int
    is_interlaced: bool

    @classmethod
    def of(cls, chunk: Chunk) -> Self:
        """The checked header. Raises PngError: another chunk, or values that no picture or none that is read has."""
        if chunk.kind != b"IHDR" or chunk.length != 13:
            found = f"chunk {chunk.name} of {chunk.length} bytes"
            raise PngError(f"is damaged: it begins with {found}; expected IHDR of 13 bytes")
        width, height, depth, colour_type, *methods, interlacing = struct.unpack(">2I5B", chunk.content)
        if not (0 < width < 1 << 31 and 0 < height < 1 << 31):
            raise PngError(f"is damaged: its size is {width} by {height} pixels")
        if depth not in _DEPTHS.get(colour_type, ()):
            raise PngError(f"is damaged: its colour type is {colour_type}, of {depth} bits a channel")
        if any(methods) or interlacing > 1:
            raise PngError("is damaged: it names a method of compression, filtering or interlacing that is not known")
        if depth == 16:
            raise PngError("has 16 bits a channel; expected at most 8, as the colours of a legend have")
        return cls(width, height, depth, colour_type, bool(interlacing))

    @property
    def channels(self) -> int:
        """Samples of a pixel: grey or a place in the palette; grey and alpha; RGB; RGB and alpha."""
        return _CHANNELS[self.colour_type]

    @property
    def passes(self) -> Iterator[tuple[int, int, int, int, int, int]]:
        """The passes that have pixels: left, top, step of columns, step of rows, width and height in pixels."""
        for left, top, column_step, row_step in _ADAM7 if self.is_interlaced else _WHOLE:
            width, height = -(-(self.width - left) // column_step), -(-(self.height - top) // row_step)
            if width > 0 and height > 0:
                yield left, top, column_step, row_step, width, height

    def row_bytes(self, width: int) -> int:
        """Bytes of a row of ``width`` pixels, without the byte that names its filter."""
        return (width * self.channels * self.depth + 7) // 8

    def check_size(self, size: int) -> None:
        """Raise PngError if a file of ``size`` bytes is too small for the pixels, however well it is compressed."""
        if sum(height * (1 + self.row_bytes(width)) for *_, width, height in self.passes) > RATIO * size:
            raise PngError(f"is damaged: {size} bytes cannot hold its {self.width} by {self.height} pixels")


@dataclass(frozen=True, slots=True)
class PngPicture:
    """A PNG picture of at most 8 bits a channel, whose file `open` has checked.

    Args:
        path: the file.
        header: what its chunk IHDR says.
        data_at: the place of its first chunk IDAT, in bytes.
        colours: (n,) uint32, 0xRRGGBB: the colour of each value of the first channel; None: the channels are RGB.
        see_through: (n,) bool: the entries of ``colours`` that are not opaque; None: none.
        key: 0xRRGGBB: the transparent colour of a picture of RGB; None: none.
    """

    path: Path
    header: _Header
    data_at: int
    colours: np.ndarray | None
    see_through: np.ndarray | None
    key: int | None

    @classmethod
    def open(cls, path: Path) -> Self:
        """Check the chunks of a file, their order and their checksums. No pixel is decoded.

        Raises: PngError: no PNG picture, a damaged one, one of 16 bits a channel, or an animated one. OSError: the file
            cannot be read.
        """
        with open_regular(path) as file:
            found = chunks(file)
            first = next(found)
            header = _Header.of(first)
            header.check_size(os.fstat(file.fileno()).st_size)
            kept = _kept(first, found)
        return cls(path, header, kept[b"IDAT"].at, *_colours(header, kept))

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return self.header.width, self.header.height

    def bands(self) -> Iterator[Band]:
        """The pixels, in bands of rows from the top; those of an interlaced picture pass by pass.

        Raises: PngError: the compressed data is damaged, too short or too long. OSError: the file cannot be read.
        """
        header = self.header
        filtered_bytes = max(1, header.channels * header.depth // 8)
        with open_regular(self.path) as file:
            data = InflatedData(file, self.data_at)
            for left, top, column_step, row_step, width, _ in header.passes:
                length = header.row_bytes(width)
                above, most = bytes(length), max(1, _BAND // width)
                columns = slice(left, header.width, column_step)
                for first in range(top, header.height, most * row_step):
                    rows = slice(first, min(header.height, first + most * row_step), row_step)
                    count = len(range(header.height)[rows])
                    found = _unfiltered(data.take(count * (1 + length)), above, filtered_bytes)
                    above = found[-1].tobytes()
                    yield self._band(rows, columns, found, width)
            data.finish()

    def _band(self, rows: slice, columns: slice, found: np.ndarray, width: int) -> Band:
        """The band of unfiltered rows, (rows, bytes) uint8, of ``width`` pixels each."""
        channels, transparent = self.header.channels, None
        if self.colours is None:
            samples = found.reshape(len(found), width, channels)
            values = _packed(samples)
            if channels == 4:
                transparent = samples[..., 3] != 255
            elif self.key is not None:
                transparent = values == self.key
        elif channels == 2:
            values, transparent = found[:, ::2], found[:, 1::2] != 255
        else:
            values = _expanded(found, self.header.depth)[:, :width]
            most = int(values.max())
            if most >= len(self.colours):
                raise PngError(f"is damaged: a pixel has entry {most} of a palette of {len(self.colours)} entries")
            if self.see_through is not None:
                transparent = self.see_through[values]
        return Band(rows, columns, values, self.colours, transparent)


def _kept(first: Chunk, others: Iterator[Chunk]) -> dict[bytes, Chunk]:
    """The chunks that say how to decode the pixels, by type; of IDAT the first.

    Raises: PngError: chunks in a wrong order or repeated, no IDAT, an animation, or a chunk that must be known.
    """
    kept, last = {first.kind: first}, first.kind
    for chunk in others:
        if chunk.kind == b"acTL":
            raise PngError("is animated; expected a single picture")
        if chunk.kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            if chunk.kind in kept and not chunk.kind == last == b"IDAT":
                raise PngError(f"is damaged: its chunk {chunk.name} is repeated at byte {chunk.at}")
            if chunk.kind in (b"PLTE", b"tRNS") and b"IDAT" in kept:
                raise PngError(f"is damaged: its chunk {chunk.name} at byte {chunk.at} comes after the first IDAT")
            kept.setdefault(chunk.kind, chunk)
        elif chunk.kind[:1].isupper():
            raise PngError(f"is damaged: its chunk {chunk.name} at byte {chunk.at} is not known")
        last = chunk.kind
    if b"IDAT" not in kept:
        raise PngError("is damaged: it has no pixels, in a chunk IDAT")
    return kept


def _colours(header: _Header, kept: Mapping[bytes, Chunk]) -> tuple[np.ndarray | None, np.ndarray | None, int | None]:
    """``colours``, ``see_through`` and ``key`` of a `PngPicture`, from the chunks that `_kept` returns."""
    alpha = kept[b"tRNS"].content if b"tRNS" in kept else b""
    if header.colour_type == _PALETTE:
        colours = _palette(kept.get(b"PLTE"), 1 << header.depth)
        if len(alpha) > len(colours):
            raise PngError(f"is damaged: its chunk tRNS has {len(alpha)} entries, and its palette {len(colours)}")
        opaque = np.frombuffer(alpha.ljust(len(colours), b"\xff"), np.uint8) == 255
        return colours, None if opaque.all() else ~opaque, None
    needed = {_GREY: 2, _RGB: 6}.get(header.colour_type, 0)
    if b"tRNS" in kept and len(alpha) != needed:
        raise PngError(f"is damaged: its chunk tRNS has {len(alpha)} bytes; expected {needed}")
    key = struct.unpack(f">{len(alpha) // 2}H", alpha)
    if header.channels > 2:
        is_colour = bool(key) and max(key) < 256  # no pixel has a larger one
        return None, None, key[0] << 16 | key[1] << 8 | key[2] if is_colour else None
    greys = np.arange(1 << header.depth, dtype=np.uint32)
    colours = greys * (255 // (len(greys) - 1)) * 0x010101
    return colours, np.isin(greys, key) if key else None, None


def _palette(chunk: Chunk | None, most: int) -> np.ndarray:
    """(n,) uint32, 0xRRGGBB: the colours of chunk PLTE. Raises PngError: no such chunk, or a wrong length."""
    if chunk is None:
        raise PngError("is damaged: it has no palette, in a chunk PLTE")
    if not chunk.length or chunk.length % 3 or chunk.length > 3 * most:
        raise PngError(f"is damaged: its palette has {chunk.length} bytes; expected 3 for each of 1 to {most} colours")
    return _packed(np.frombuffer(chunk.content, np.uint8).reshape(1, -1, 3))[0]


def _unfiltered(data: bytes, above: bytes, filtered_bytes: int) -> np.ndarray:
    """Undo the filters of rows.

    Args:
        data: the rows, each after a byte that names its filter.
        above: the row before the first of them, unfiltered; zeros at the start of a pass.
        filtered_bytes: bytes of a pixel, as filters count them.
    Returns: (rows, bytes) uint8.
    Raises: PngError: a filter that is not known.
    """
    rows = np.frombuffer(data, np.uint8).reshape(-1, 1 + len(above))
    filters = set(rows[:, 0].tolist())
    if max(filters) > 4:
        raise PngError(f"is damaged: a row has filter {max(filters)}; expected 0 to 4")
    if filters == {_NONE}:
        return rows[:, 1:]
    if filters <= {_NONE, _UP}:
        found, before = np.empty_like(rows[:, 1:]), np.frombuffer(above, np.uint8)
        for row, into in zip(rows, found, strict=True):
            before = np.add(row[1:], before if row[0] else 0, out=into)
        return found
    mode, size = _MODES[filtered_bytes], (len(above) // filtered_bytes, 1 + len(rows))
    stream = zlib.compress(b"".join((b"\0", above, data)), 0)
    return np.asarray(Image.frombytes(mode, size, stream, "zip", mode, 0)).reshape(1 + len(rows), -1)[1:]


def _expanded(found: np.ndarray, depth: int) -> np.ndarray:
    """(rows, n) uint8: the values of ``depth`` bits in the bytes of rows, (rows, bytes) uint8, the high bits first."""
    if depth == 8:
        return found
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    values = np.arange(256, dtype=np.uint8)[:, None] >> shifts & ((1 << depth) - 1)
    return np.take(values, found, axis=0).reshape(len(found), -1)


def _packed(samples: np.ndarray) -> np.ndarray:
    """(rows, columns) uint32, 0xRRGGBB: the colours of samples, (rows, columns, n) uint8, RGB first."""
    rows, columns, channels = samples.shape
    padded = np.zeros(1 + samples.size, np.uint8)  # each pixel, with the byte before it, is a word
    padded[1:].reshape(samples.shape)[...] = samples
    words = np.ndarray((rows, columns), ">u4", padded, strides=(columns * channels, channels))
    packed = words.astype(np.uint32)
    packed &= 0xFFFFFF
    return packed
