"""Zip files that claim to hold much more than they do."""

from __future__ import annotations

import struct
import zlib
from functools import cache

_LOCAL, _ENTRY, _END = struct.Struct("<4s5H3I2H"), struct.Struct("<4s6H3I5H2I"), struct.Struct("<4s4H2IH")
_BLOCK = 1 << 24
_DATE = 33
"""1 January 1980."""


@cache
def zeros(count: int) -> bytes:
    """At least so many bytes of zeros, deflated; at once, because one block of compressed zeros is repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    begun = packer.compress(bytes(_BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(_BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH)
    return begun + block * (count // _BLOCK) + packer.flush()


def with_member(content: bytes, name: str, size: int, deflated: bytes) -> bytes:
    """A zip file with one more member before the others.

    Args:
        content: the zip file.
        name: the name of the member.
        size: of the member, as the directory says.
        deflated: the member, compressed.
    """
    sizes = 0, len(deflated), size  # a checksum of 0
    first = _LOCAL.pack(b"PK\x03\x04", 20, 0, 8, 0, _DATE, *sizes, len(name), 0) + name.encode() + deflated
    start, entries = _directory(content)
    moved, at = bytearray(entries), 0
    while (at := moved.find(b"PK\x01\x02", at)) >= 0:
        struct.pack_into("<I", moved, at + 42, struct.unpack_from("<I", moved, at + 42)[0] + len(first))
        at += 4
    own = _ENTRY.pack(b"PK\x01\x02", 20, 20, 0, 8, 0, _DATE, *sizes, len(name), 0, 0, 0, 0, 0, 0) + name.encode()
    return _finished(first + content[:start], own + bytes(moved))


def with_many_members(content: bytes, times: int) -> bytes:
    """A zip file whose directory has each member so many times."""
    start, entries = _directory(content)
    return _finished(content[:start], entries * times)


def _directory(content: bytes) -> tuple[int, bytes]:
    end = content.rindex(b"PK\x05\x06")
    start = struct.unpack_from("<I", content, end + 16)[0]
    return start, content[start:end]


def _finished(members: bytes, entries: bytes) -> bytes:
    count = entries.count(b"PK\x01\x02") & 0xFFFF
    return members + entries + _END.pack(b"PK\x05\x06", 0, 0, count, count, len(entries), len(members), 0)
