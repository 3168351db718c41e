"""The chunks of a PNG file, with their checksums compared, and its inflated data in pieces.

Source: Portable Network Graphics (PNG) Specification, third edition, W3C 2025, chapters 5 and 10.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_MAGIC = b"\x89PNG\r\n\x1a\n"

_OTHERS = (
    (b"%!PS", "PostScript"),
    (b"\xc5\xd0\xd3\xc6", "PostScript"),
    (b"%PDF", "a PDF document"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"RIFF", "a WebP picture or another RIFF file"),
    (b"8BPS", "a Photoshop picture"),
    (b"<", "XML, such as an SVG picture"),
    (b"PK\3\4", "a zip archive"),
)
"""The first bytes of files that could be taken for a PNG picture."""

_PIECE = 1 << 16
"""Bytes that are read from a file at once."""

_CHUNKS, _CHUNK = 4096, 1024
"""A file may have so many chunks, and one more for each so many bytes: an empty chunk takes time, too."""

RATIO = 1032
"""Most bytes that one byte of deflated data gives."""


class PngError(ValueError):
    """A file that cannot be read as a picture; the message is a predicate of the file, such as ``is empty``."""


class OtherFileError(PngError):
    """A file that does not begin like a PNG; ``found`` says what it is, such as ``a GIF picture``."""

    def __init__(self, found: str) -> None:
        super().__init__(f"is {found}; expected a PNG picture")
        self.found = found


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk whose checksum was compared.

    Args:
        kind: its type, four letters.
        at: its place in the file, in bytes.
        length: of its content, in bytes.
        content: the content; only its beginning, if it is longer than 64 KiB.
    """

    kind: bytes
    at: int
    length: int
    content: bytes

    @property
    def name(self) -> str:
        """Its type, for messages."""
        return self.kind.decode("ascii")


def chunks(file: BinaryIO) -> Iterator[Chunk]:
    """The chunks of a PNG file, up to and with IEND; what follows IEND is not read.

    Args:
        file: a regular file at its start.
    Raises: PngError: no PNG, a wrong checksum, an end before IEND, or far more chunks than pictures have.
    """
    size = os.fstat(file.fileno()).st_size
    _check_magic(file.read(12))
    file.seek(len(_MAGIC))
    most = _CHUNKS + size // _CHUNK
    for _ in range(most):
        chunk = _next(file, size)
        yield chunk
        if chunk.kind == b"IEND":
            return
    raise PngError(f"is damaged: it has more than {most} chunks in {size} bytes")


def _check_magic(start: bytes) -> None:
    """Raise PngError, with the kind of file that was found, unless a file begins as a PNG."""
    if start.startswith(_MAGIC):
        return
    if start.startswith(_MAGIC[:4]):
        raise PngError("is a damaged PNG picture: its first bytes were changed, as by a copy in text mode")
    other = next((name for first, name in _OTHERS if start.startswith(first)), f"no picture; it begins with {start!r}")
    raise OtherFileError(other if start else "empty")


def _next(file: BinaryIO, size: int) -> Chunk:
    """The chunk that begins at the file's position; ``size`` is that of the file in bytes."""
    at = file.tell()
    head = file.read(8)
    if len(head) < 8:
        raise PngError("is damaged: it ends before its chunk IEND")
    length, kind = struct.unpack(">I4s", head)
    if not kind.isalpha():
        raise PngError(f"is damaged: {kind!r} at byte {at} is no type of a chunk")
    if at + 12 + length > size:
        raise PngError(f"is damaged: it ends at byte {size}, within its chunk {kind.decode('ascii')} at byte {at}")
    content = piece = file.read(min(length, _PIECE))
    checksum, left = zlib.crc32(piece, zlib.crc32(kind)), length - len(piece)
    while left and piece:
        piece = file.read(min(left, _PIECE))
        checksum, left = zlib.crc32(piece, checksum), left - len(piece)
    if file.read(4) != checksum.to_bytes(4, "big"):
        raise PngError(f"is damaged: the checksum of its chunk {kind.decode('ascii')} at byte {at} is wrong")
    return Chunk(kind, at, length, content)


class InflatedData:
    """The inflated content of the IDAT chunks of a PNG file, which is taken from its start in pieces of any length.

    Args:
        file: a file whose chunks were checked by `chunks`.
        at: the place of its first IDAT chunk, in bytes.
    """

    def __init__(self, file: BinaryIO, at: int) -> None:
        self._file = file
        self._file.seek(at)
        self._left = 0  # bytes of the present chunk that were not read yet
        self._is_first, self._is_over = True, False
        self._inflating = zlib.decompressobj()
        self._waiting = b""  # bytes that were read and not inflated yet

    def take(self, count: int) -> bytes:
        """The next ``count`` bytes. Raises PngError: the data is damaged, or shorter."""
        parts = []
        while count:
            part = self._inflated(count)
            if not part:
                raise PngError("is damaged: its data ends before its last row")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def finish(self) -> None:
        """Check that all was taken. Raises PngError: there is more data, or its end or checksum is missing."""
        if self._inflated(1) or self._inflating.unused_data or self._piece():
            raise PngError("is damaged: it has more data than its rows take")
        if not self._inflating.eof:
            raise PngError("is damaged: the end of its data is missing")

    def _inflated(self, most: int) -> bytes:
        """At least one byte and at most ``most``; no byte at the end of the data."""
        found = b""
        while not found and not self._inflating.eof:
            if not self._waiting:
                self._waiting = self._piece()
            try:
                found = self._inflating.decompress(self._waiting, most)
            except zlib.error as error:
                raise PngError(f"is damaged: its data cannot be inflated ({error})") from None
            if not found and not self._waiting:
                break
            self._waiting = self._inflating.unconsumed_tail
        return found

    def _piece(self) -> bytes:
        """The next bytes of the content of IDAT chunks; none after the last such chunk."""
        while not self._left and not self._is_over:
            if not self._is_first:
                self._file.seek(4, os.SEEK_CUR)  # the checksum of the chunk before
            self._is_first = False
            head = self._file.read(8)
            self._left, self._is_over = int.from_bytes(head[:4], "big"), head[4:] != b"IDAT"
        if self._is_over:
            return b""
        piece = self._file.read(min(self._left, _PIECE))
        if not piece:
            raise PngError("was changed while it was read")
        self._left -= len(piece)
        return piece
