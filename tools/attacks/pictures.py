"""Attacks on pictures, as maps and as worlds: PNG files of every type, whole, damaged, or made to cost memory and time.

The encoder is written from the specification and shares no code with gpufluid: Portable Network Graphics (PNG)
Specification, third edition, W3C 2025.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

from attacks.cost import measured
from gpufluid import scene
from gpufluid.core.errors import SceneError, UsageError
from gpufluid.scene.matched_picture import MatchedPicture

MAGIC = b"\x89PNG\r\n\x1a\n"

TYPES = {0: (1, 2, 4, 8), 2: (8,), 3: (1, 2, 4, 8), 4: (8,), 6: (8,)}
"""Bits of a sample by colour type, of the pictures that gpufluid reads."""

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Adam7: first column, first row, step of columns, step of rows."""

Parts = list[tuple[bytes, bytes]]
"""The chunks of a file: type and content."""

COLOURS = (0x808080, 0x3070E0, 0xFFFFFF, 0x000000, 0x123456, 0xFEDCBA)
MATERIALS = ("wall", "stone")
LEGEND = ", ".join(f'"#{colour:06x}" = "{MATERIALS[number % 2]}"' for number, colour in enumerate(COLOURS))

SECONDS_MOST, MEMORY_MOST = 2.0, 64 << 20
"""Seconds of a processor, and bytes of memory beside its own size, that a bad file may cost."""


@dataclass(frozen=True)
class Drawn:
    """A picture before it is encoded.

    Args:
        colour_type, depth: as in chunk IHDR.
        samples: (height, width, channels) uint8.
        palette: the content of chunk PLTE; empty: no such chunk.
        transparency: the content of chunk tRNS; empty: no such chunk.
        is_interlaced: whether the rows come in seven passes.
    """

    colour_type: int
    depth: int
    samples: np.ndarray
    palette: bytes = b""
    transparency: bytes = b""
    is_interlaced: bool = False

    def header(self) -> bytes:
        """The content of chunk IHDR."""
        height, width = self.samples.shape[:2]
        return struct.pack(">2I5B", width, height, self.depth, self.colour_type, 0, 0, self.is_interlaced)

    def rows(self, filters: Sequence[int] = (0,)) -> bytes:
        """The filtered rows of all passes, before they are deflated; the rows take their filters by turns."""
        parts, number = [], 0
        for left, top, columns, rows in PASSES if self.is_interlaced else ((0, 0, 1, 1),):
            part = self.samples[top::rows, left::columns]
            if not part.size:
                continue
            bits = np.unpackbits(part.reshape(len(part), -1, 1), axis=2)[..., 8 - self.depth :]
            lines = np.packbits(bits.reshape(len(part), -1), axis=1)
            above = np.zeros(lines.shape[1], np.uint8)
            for line in lines:
                how = filters[number % len(filters)]
                parts += [bytes([how]), _filtered(line, above, how, max(1, part.shape[2] * self.depth // 8))]
                above, number = line, number + 1
        return b"".join(parts)

    def parts(self, filters: Sequence[int] = (0,), piece: int = 1 << 16) -> Parts:
        """The chunks of the picture, of which those of type IDAT have ``piece`` bytes each."""
        data = zlib.compress(self.rows(filters))
        tables = [(b"PLTE", self.palette), (b"tRNS", self.transparency)]
        pieces = [(b"IDAT", data[at : at + piece]) for at in range(0, len(data), piece)]
        return [(b"IHDR", self.header()), *((kind, found) for kind, found in tables if found), *pieces, (b"IEND", b"")]

    def colours(self) -> np.ndarray:
        """(height, width) int64: the colours of the pixels, 0xRRGGBB."""
        values = self.samples.astype(np.int64)
        if self.colour_type in (2, 6):
            return values[..., 0] << 16 | values[..., 1] << 8 | values[..., 2]
        if self.colour_type == 3:
            found = np.frombuffer(self.palette, np.uint8).reshape(-1, 3)[values[..., 0]].astype(np.int64)
            return found[..., 0] << 16 | found[..., 1] << 8 | found[..., 2]
        return values[..., 0] * (255 // ((1 << self.depth) - 1)) * 0x010101


def _filtered(line: np.ndarray, above: np.ndarray, how: int, pixel: int) -> bytes:
    """A row after one of the filters 0 to 4; ``pixel`` is the number of bytes of a pixel."""
    a, c = np.zeros_like(line), np.zeros_like(line)
    a[pixel:], c[pixel:] = line[:-pixel], above[:-pixel]
    a, b, c = (part.astype(np.int64) for part in (a, above, c))
    far_a, far_b, far_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    paeth = np.where((far_a <= far_b) & (far_a <= far_c), a, np.where(far_b <= far_c, b, c))
    return ((line - [0 * a, a, b, (a + b) // 2, paeth][how]) & 255).astype(np.uint8).tobytes()


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk with its length and its checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(parts: Parts) -> bytes:
    """A file of chunks."""
    return MAGIC + b"".join(chunk(*part) for part in parts)


def repeated(block: bytes, count: int) -> bytes:
    """``block * count`` deflated, in the time that one block takes: each copy begins anew, at a whole byte."""
    deflating = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = deflating.compress(block) + deflating.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(count):
        checksum = zlib.adler32(block, checksum)
    return b"\x78\xda" + part * count + b"\x03\0" + struct.pack(">I", checksum)


def plain(width: int, height: int, colour_type: int = 0, depth: int = 1, sample: int = 0, count: int = 0) -> Parts:
    """The chunks of a picture of one colour, whose samples are bytes of one value. Its size costs no memory here.

    Args:
        width, height: in pixels.
        colour_type, depth: as in chunk IHDR.
        sample: each byte of a row.
        count: rows in the data; 0: all.
    """
    row = b"\0" + bytes([sample]) * ((width * CHANNELS[colour_type] * depth + 7) // 8)
    count = count or height
    at_once = max(1, min(count, (1 << 18) // len(row)))
    while count % at_once:
        at_once -= 1
    header = struct.pack(">2I5B", width, height, depth, colour_type, 0, 0, 0)
    return [(b"IHDR", header), (b"IDAT", repeated(row * at_once, count // at_once)), (b"IEND", b"")]


def drawn(chance: Random) -> Drawn:
    """A picture of any type and of at most 40 by 40 pixels, of the colours of `LEGEND` where its type has them."""
    colour_type = chance.choice(list(TYPES))
    depth, size = chance.choice(TYPES[colour_type]), (chance.randint(1, 40), chance.randint(1, 40))
    values = np.random.default_rng(chance.getrandbits(32))
    channels = CHANNELS[colour_type]
    colours = np.array([[colour >> shift & 255 for shift in (16, 8, 0)] for colour in COLOURS], np.uint8)
    palette = b""
    if colour_type == 3:
        entries = min(len(colours), 1 << depth)
        palette = colours[:entries].tobytes()
        samples = values.integers(0, entries, (*size, 1), np.uint8)
    elif channels > 2:
        samples = np.full((*size, channels), 255, np.uint8)
        samples[..., :3] = colours[values.integers(0, len(colours), size)]
    else:
        samples = np.full((*size, channels), 255, np.uint8)
        greys = np.array([0, (1 << depth) - 1, *([0x80] if depth == 8 else [])], np.uint8)
        samples[..., 0] = values.choice(greys, size)
    return Drawn(colour_type, depth, samples, palette, is_interlaced=chance.random() < 0.3)


def attacks(chance: Random) -> Iterator[tuple[str, bytes]]:
    """Hostile pictures without end: the attack in words, and the file."""
    while True:
        picture = drawn(chance)
        filters = [chance.randint(0, 4) for _ in range(5)]
        attack = _Attack(chance, picture, picture.parts(filters, chance.choice((1, 7, 100, 1 << 16))))
        what, file = chance.choice(_Attack.WAYS)(attack)
        name = f"type {picture.colour_type}, {picture.depth} bits, {picture.samples.shape[:2]}"
        yield f"{what}: {name}{', interlaced' * picture.is_interlaced}", file


class _Attack:
    """Ways to make a hostile file from a picture; each returns the attack in words, and the file."""

    def __init__(self, chance: Random, picture: Drawn, parts: Parts) -> None:
        self.chance, self.picture, self.parts = chance, picture, parts
        self.before_data = [part for part in parts if part[0] not in (b"IDAT", b"IEND")]

    def whole(self) -> tuple[str, bytes]:
        return "whole", png(self.parts)

    def flipped_byte(self) -> tuple[str, bytes]:
        file = bytearray(png(self.parts))
        at = self.chance.randrange(len(file))
        file[at] ^= 1 << self.chance.randrange(8)
        return f"bit flipped at byte {at}", bytes(file)

    def flipped_in_chunk(self) -> tuple[str, bytes]:
        """The checksum is right."""
        number = self.chance.choice([number for number, (_, content) in enumerate(self.parts) if content])
        kind, content = self.parts[number]
        changed = bytearray(content)
        for _ in range(self.chance.randint(1, 3)):
            changed[self.chance.randrange(len(changed))] ^= 1 << self.chance.randrange(8)
        parts = [*self.parts[:number], (kind, bytes(changed)), *self.parts[number + 1 :]]
        return f"bits flipped in chunk {kind!r}", png(parts)

    def cut(self) -> tuple[str, bytes]:
        file = png(self.parts)
        at = self.chance.randrange(len(file))
        return f"cut at byte {at} of {len(file)}", file[:at]

    def moved_chunk(self) -> tuple[str, bytes]:
        others = list(self.parts)
        moved, to = others.pop(self.chance.randrange(len(others))), self.chance.randint(0, len(others))
        return f"chunk {moved[0]!r} moved to {to}", png([*others[:to], moved, *others[to:]])

    def repeated_chunk(self) -> tuple[str, bytes]:
        at = self.chance.randrange(len(self.parts))
        to = self.chance.randint(at, len(self.parts))
        return f"chunk {at} repeated at {to}", png([*self.parts[:to], self.parts[at], *self.parts[to:]])

    def missing_chunk(self) -> tuple[str, bytes]:
        at = self.chance.randrange(len(self.parts))
        return f"chunk {at} missing", png([*self.parts[:at], *self.parts[at + 1 :]])

    def added_chunk(self) -> tuple[str, bytes]:
        known = (b"acTL", b"fcTL", b"fdAT", b"PLTE", b"tRNS", b"iCCP", b"IDAT", b"ID\0T")
        kind = self.chance.choice((*known, bytes(self.chance.choice(b"abzABZ") for _ in range(4))))
        content = self.chance.randbytes(self.chance.choice((0, 1, 3, 6, 13, 300, 70000)))
        to = self.chance.randint(0, len(self.parts))
        parts = [*self.parts[:to], (kind, content), *self.parts[to:]]
        return f"chunk {kind!r} of {len(content)} bytes added at {to}", png(parts)

    def other_header(self) -> tuple[str, bytes]:
        values = list(struct.unpack(">2I5B", self.parts[0][1]))
        field = self.chance.randrange(7)
        sizes = (0, 1, values[field] ^ 1, values[field] + 1, 16384, 65535, 65536, 65537, 2**31 - 1, 2**31, 2**32 - 1)
        values[field] = self.chance.choice(sizes if field < 2 else (*range(9), 16, 32, 255))
        return f"header {values}", png([(b"IHDR", struct.pack(">2I5B", *values)), *self.parts[1:]])

    def other_palette(self) -> tuple[str, bytes]:
        palette = self.chance.randbytes(self.chance.choice((0, 1, 2, 3, 4, 6, 47, 48, 51, 300, 768, 771, 70000)))
        return f"palette of {len(palette)} bytes", png(replace(self.picture, palette=palette).parts())

    def transparency(self) -> tuple[str, bytes]:
        length = self.chance.choice((0, 1, 2, 3, 4, 6, 16, 17, 256, 257, 70000))
        found = self.chance.choice((b"\0" * length, b"\xff" * length, b"\0\x80" * 3))
        return f"transparency of {len(found)} bytes", png(replace(self.picture, transparency=found).parts())

    def other_rows(self) -> tuple[str, bytes]:
        rows = self.picture.rows()
        cut, more = self.chance.randrange(len(rows)), self.chance.choice((1, 100, 1 << 20))
        what, rows = self.chance.choice(
            (
                ("unknown filter", bytes([self.chance.randint(5, 255)]) + rows[1:]),
                (f"rows cut at byte {cut} of {len(rows)}", rows[:cut]),
                (f"{more} bytes after the rows", rows + bytes(more)),
            )
        )
        return what, png([*self.before_data, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")])

    def other_data(self) -> tuple[str, bytes]:
        data = zlib.compress(self.picture.rows())
        cut, more = self.chance.randrange(len(data)), self.chance.choice((1, 70000))
        what, data = self.chance.choice(
            (
                (f"data cut at byte {cut} of {len(data)}", data[:cut]),
                (f"{more} bytes after the data", data + bytes(more)),
                ("no deflated data", self.chance.randbytes(len(data))),
            )
        )
        return what, png([*self.before_data, (b"IDAT", data), (b"IEND", b"")])

    def text_bomb(self) -> tuple[str, bytes]:
        kind, text = self.chance.choice(((b"zTXt", b"x\0\0"), (b"iTXt", b"x\0\1\0\0\0"), (b"iCCP", b"x\0\0")))
        return f"bomb in {kind!r}", png([self.parts[0], (kind, text + _zeros()), *self.parts[1:]])

    def data_bomb(self) -> tuple[str, bytes]:
        return "256 MiB of data", png([*self.before_data, (b"IDAT", _zeros()), (b"IEND", b"")])

    def size_bomb(self) -> tuple[str, bytes]:
        side, rows = self.chance.choice((3000, 16384, 65536, 65537, 1 << 20)), self.chance.choice((1, 100, 1000))
        first, data, end = plain(side, side, *self.chance.choice(((0, 1), (2, 8))), count=rows)
        added = [(b"teXt", bytes(1 << 20))] * self.chance.randint(0, 1)
        return f"{side} square, {rows} rows of data", png([first, *added, data, end])

    def chunk_bomb(self) -> tuple[str, bytes]:
        return "50,000 empty chunks", png([self.parts[0], *[(b"teXt", b"")] * 50_000, *self.parts[1:]])

    def no_png(self) -> tuple[str, bytes]:
        starts = (b"", b"GIF89a", b"%!PS-Adobe-3.0 EPSF-3.0\n", b"BM", b"\xff\xd8\xff", b"II*\0", MAGIC[:5], bytes(9))
        start = self.chance.choice(starts)
        return f"begins with {start!r}", start + self.chance.randbytes(self.chance.choice((0, 5, 1000)))

    WAYS = (
        *(whole, flipped_byte, flipped_in_chunk, cut, moved_chunk, repeated_chunk, missing_chunk, added_chunk),
        *(other_header, other_palette, transparency, other_rows, other_data),
        *(text_bomb, data_bomb, size_bomb, chunk_bomb, no_png),
    )


@cache
def _zeros() -> bytes:
    """256 MiB of zeros, deflated."""
    return repeated(bytes(1 << 20), 256)


def judge(path: Path) -> str | None:
    """The fault of gpufluid with a picture as a map; None: it is refused in words, or read as Pillow reads it.

    Args:
        path: the picture; a scene file is written beside it.
    """
    written = path.with_suffix(".toml")
    written.write_text(f'[map]\nimage = "{path.name}"\nlegend = {{ {LEGEND} }}\n')
    message, world, cells = "", None, 0
    with measured() as cost:
        try:
            world = scene.read(written).world
            cells = sum(world[name].nbytes for name in world.fields)
        except SceneError as error:
            message = str(error)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    if cost.seconds > SECONDS_MOST or cost.memory > MEMORY_MOST + path.stat().st_size + cells:
        return f"took {cost.seconds:.1f} s and {cost.memory >> 20} MiB"
    if world is None:
        return _problem_as_world(path) if path.stem in message and "\n" not in message else f"message {message!r}"
    try:
        colours = _as_pillow_reads(path)
    except Exception as error:
        return f"Pillow cannot read it: {error}"
    kinds = np.zeros(1 << 24, np.uint8)
    kinds[list(COLOURS)] = [world.materials[MATERIALS[number % 2]] for number in range(len(COLOURS))]
    if not (world["material"] == kinds[colours]).all():
        return "the world is not the picture"
    return _problem_as_world(path)


def _problem_as_world(path: Path) -> str | None:
    """The fault of gpufluid with a picture that becomes a world; None: it is refused in words, or read."""
    with measured() as cost:
        try:
            picture = MatchedPicture.read(path)
            cells = picture.numbers.size
            if sum(group.cells for group in picture.groups) != cells:
                return "a cell has no group of colours"
        except UsageError as error:
            if path.stem not in str(error) or "\n" in str(error):
                return f"message {str(error)!r}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    if cost.seconds > SECONDS_MOST or cost.memory > MEMORY_MOST + path.stat().st_size:
        return f"as a world it took {cost.seconds:.1f} s and {cost.memory >> 20} MiB"
    return None


def _as_pillow_reads(path: Path) -> np.ndarray:
    """(height, width) int64: the colours of a picture, 0xRRGGBB, from the chunks that say how it is decoded.

    Pillow also refuses pictures for texts, profiles and parts of animations that it cannot read.
    """
    parts, at, file = [], len(MAGIC), path.read_bytes()
    while not parts or parts[-1][0] != b"IEND":
        length, kind = struct.unpack(">I4s", file[at : at + 8])
        parts.append((kind, file[at + 8 : at + 8 + length]))
        at += 12 + length
    needed = [part for part in parts if part[0] in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")]
    with Image.open(BytesIO(png(needed)), formats=["PNG"]) as picture:
        values = np.asarray(picture.convert("RGBA")).astype(np.int64)
    return values[..., 0] << 16 | values[..., 1] << 8 | values[..., 2]
