"""Reads the arrays of an ``.npz`` file that may be damaged or hostile.

An ``.npz`` file is a zip file with one NPY file for each array. All that such a file says of itself is compared with
what the reader expects before memory is allocated for it: names, sizes, compression methods, shapes and types. A wrong
file costs little memory and time, however large the arrays are that it claims to hold.

Source: PKWARE, ".ZIP File Format Specification" 6.3.10; NumPy Enhancement Proposal 1, the NPY format.
"""

from __future__ import annotations

import errno
import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, BinaryIO, Self, cast

import numpy as np

from gpufluid.core.errors import UsageError, named, shown

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression methods of members. NumPy writes no other; others can need unbounded memory."""

_UNREADABLE = 0x2061
"""The flags of a member that is encrypted (bits 0, 6 and 13) or a patch (bit 5)."""

_CHUNK = 1 << 18
"""Bytes that are read at once, from a member and from the file. The directory of the zip file is one such read."""

_HEADER_MOST = 1 << 10
"""Longest header of an NPY file, in bytes. NumPy writes 128."""

_MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    r"\{\s*'descr':\s*'(?P<type>[^']*)',\s*'fortran_order':\s*(?P<fortran>True|False),"
    r"\s*'shape':\s*\((?P<shape>[0-9,\s]*)\),?\s*\}\s*"
)
"""The header of an array of plain numbers, as NumPy writes it: the text of a Python dictionary."""

_LOCAL_HEADER = 30
"""Least bytes before a member's name in the file."""

_ENDING = ".npy"

_DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(ValueError, OverflowError, IndexError),  # wrong offsets, sizes and texts in the directory
    RuntimeError,  # of which NotImplementedError is one: a feature that zipfile does not have
)
"""The errors that `zipfile` raises for a damaged file."""


class NoArchiveError(UsageError):
    """The file is no zip file."""


class _BoundedReads:
    """A file of which no single read takes more than `_CHUNK` bytes.

    `zipfile` reads the directory of a zip file as a whole. Its size is one of the numbers that can be wrong.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Read at most ``size`` bytes; negative: to the end. Raises BadZipFile: more than `_CHUNK` bytes."""
        found = self._file.read(min(size, _CHUNK + 1) if size >= 0 else _CHUNK + 1)
        if len(found) > _CHUNK:
            raise zipfile.BadZipFile(f"a read of over {_CHUNK} bytes")
        return found


class Archive:
    """The arrays in an open ``.npz`` file, by name.

    Args:
        file: the open file.
    Raises: NoArchiveError: no zip file. UsageError: a member of the zip file that no ``.npz`` file has; its name comes
        first in the message. OSError: the file cannot be read.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._size = file.seek(0, io.SEEK_END)
        self._zip = _directory(file)
        self._members = self._checked(self._zip.infolist())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arrays, without the ending of their members."""
        return tuple(self._members)

    def _checked(self, infos: Sequence[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        """The members by the names of their arrays. Raises UsageError: see `Archive`."""
        found: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = info.filename.removesuffix(_ENDING)
            if name == info.filename:
                raise UsageError(f"{shown(info.filename)}: expected names that end in {_ENDING}")
            if name in found:
                raise UsageError(f"{named(name)}: is there twice")
            if info.flag_bits & _UNREADABLE:
                raise UsageError(f"{named(name)}: is encrypted")
            if info.compress_type not in _METHODS:
                wanted = f"expected {_METHODS[0]} (stored) or {_METHODS[1]} (deflated)"
                raise UsageError(f"{named(name)}: compression method {info.compress_type}; {wanted}")
            found[name] = info
        end = 0
        for name, info in sorted(found.items(), key=lambda each: each[1].header_offset):
            if info.header_offset < end:
                raise UsageError(f"{named(name)}: overlaps another member")
            end = info.header_offset + _LOCAL_HEADER + len(info.filename) + info.compress_size
            if end > self._size:
                raise UsageError(f"{named(name)}: reaches beyond the end of the file")
        return found

    def read_bytes(self, name: str, most: int) -> bytes:
        """The content of an array (n,) uint8 with at most so many elements.

        Raises: UsageError: another shape or type, or damage; the array's name comes first in the message.
        """
        with self._opened(name) as member:
            header = _Header.read(name, member, np.dtype(np.uint8))
            if len(header.shape) != 1 or header.shape[0] > most:
                wanted = f"expected one axis of at most {most} elements"
                raise UsageError(f"{named(name)}: shape {shown(header.shape)}; {wanted}")
            header.check_size(name, self._members[name].file_size, 1)
            content = np.empty(header.shape, np.uint8)
            _fill(name, member, header.begun, content)
        return content.tobytes()

    def check(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> None:
        """Check that an array has a shape and a type, and that its member has the size of such an array.

        Raises: UsageError: what was found and what was expected; the array's name comes first in the message.
        """
        with self._opened(name) as member:
            self._checked_header(name, member, shape, dtype)

    def read_into(self, name: str, array: np.ndarray) -> None:
        """Read the elements of an array into another one.

        Args:
            name: the name of the array in the file.
            array: the other one, of any shape and any integer type; the one in the file must have the same.
        Raises: UsageError: another shape or type, or damage; the array's name comes first in the message.
        """
        with self._opened(name) as member:
            _fill(name, member, self._checked_header(name, member, array.shape, array.dtype).begun, array)

    def _checked_header(self, name: str, member: IO[bytes], shape: tuple[int, ...], dtype: np.dtype) -> _Header:
        header = _Header.read(name, member, dtype)
        if header.shape != shape:
            raise UsageError(f"{named(name)}: shape {shown(header.shape)}; expected {shape}")
        header.check_size(name, self._members[name].file_size, dtype.itemsize)
        return header

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member. Raises UsageError: it is missing or damaged."""
        if name not in self._members:
            raise UsageError(f"{named(name)}: is missing")
        try:
            with self._zip.open(self._members[name]) as member:
                yield member
        except _DAMAGES as error:
            raise UsageError(f"{named(name)}: is damaged: {shown(str(error))}") from None


def _directory(file: BinaryIO) -> zipfile.ZipFile:
    """Read the directory of a zip file. Raises NoArchiveError: the file has none."""
    file.seek(0)
    if file.read(2) != b"PK":
        raise NoArchiveError("expected a zip file")
    try:
        return zipfile.ZipFile(cast("IO[bytes]", _BoundedReads(file)))
    except OSError as error:
        if error.errno != errno.EINVAL:  # it says that the directory begins before the file
            raise
    except _DAMAGES:
        pass
    raise NoArchiveError("its zip directory is damaged or cut off")


@dataclass(frozen=True, slots=True)
class _Header:
    """The header of an NPY file.

    Args:
        shape: that of the array.
        size: of the header, in bytes.
        begun: the bytes after the header that have been read with it.
    """

    shape: tuple[int, ...]
    size: int
    begun: bytes

    @classmethod
    def read(cls, name: str, member: IO[bytes], dtype: np.dtype) -> Self:
        """Read a header. Raises UsageError: no NPY header, another type, or the order of Fortran."""
        begun = member.read(_HEADER_MOST)
        if begun[:6] != _MAGIC:
            raise UsageError(f"{named(name)}: is no array in the NPY format")
        if begun[6:8] not in (b"\x01\x00", b"\x02\x00"):
            raise UsageError(f"{named(name)}: NPY format {'.'.join(map(str, begun[6:8]))}; expected 1.0 or 2.0")
        first = 10 if begun[6] == 1 else 12
        end = first + int.from_bytes(begun[8:first], "little")
        header = _HEADER.fullmatch(begun[first:end].decode("latin-1")) if end <= len(begun) else None
        if header is None:
            raise UsageError(f"{named(name)}: its NPY header is not that of an array of numbers")
        if header["type"] != dtype.str:
            raise UsageError(f"{named(name)}: type {shown(header['type'])}; expected {dtype.str!r}, which is {dtype}")
        if header["fortran"] == "True":
            raise UsageError(f"{named(name)}: the order of Fortran; expected that of C")
        sides = header["shape"].rstrip().removesuffix(",")
        try:
            shape = tuple(int(side) for side in sides.split(",")) if sides else ()
        except ValueError:
            raise UsageError(f"{named(name)}: shape ({shown(sides)}); expected whole numbers") from None
        return cls(shape, end, begun[end:])

    def check_size(self, name: str, size: int, itemsize: int) -> None:
        """Raise UsageError unless the elements fill a member of so many bytes; itemsize: bytes of an element."""
        wanted = self.size + itemsize * math.prod(self.shape)
        if size != wanted:
            raise UsageError(f"{named(name)}: has {size} bytes; its header says {wanted}")


def _fill(name: str, member: IO[bytes], begun: bytes, array: np.ndarray) -> None:
    """Read the elements of an array from a member, of which some bytes have been read."""
    into = memoryview(array.reshape(-1).view(np.uint8).data)
    done = 0
    while done < len(into):
        part = begun if done == 0 and begun else member.read(min(_CHUNK, len(into) - done))
        if not part:
            raise UsageError(f"{named(name)}: is cut off after {done} of {len(into)} bytes")
        into[done : done + len(part)] = part
        done += len(part)
