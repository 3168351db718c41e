"""Pictures of maps: each type of PNG gives its cells; any other file is one error, which costs little."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from attacks import pictures
from attacks.pictures import Drawn, Parts, chunk, drawn, plain, png
from PIL import Image

import gpufluid
from gpufluid.core.errors import SceneError
from gpufluid.scene import png as reading

KINDS = [(kind, depth) for kind, depths in pictures.TYPES.items() for depth in depths]
SAME = np.arange(1 << 24, dtype=np.uint32)
FILTERS = (0, 1, 2, 3, 4, 4, 3, 2, 1, 0)


def random_picture(kind: int, depth: int, height: int, width: int, is_interlaced: bool = False) -> Drawn:
    """A picture whose samples have any value of their type, and are opaque."""
    values = np.random.default_rng([kind, depth, height, width])
    samples = values.integers(0, 1 << depth, (height, width, pictures.CHANNELS[kind])).astype(np.uint8)
    if kind > 3:
        samples[..., -1] = 255
    palette = values.bytes(3 << depth) if kind == 3 else b""
    return Drawn(kind, depth, samples, palette, is_interlaced=is_interlaced)


def pixels(path: Path) -> np.ndarray:
    """The colours of a picture as they are read, band by band; each pixel comes exactly once."""
    picture = reading.PngPicture.open(path)
    found = np.full(picture.size[::-1], -1, np.int64)
    for band in picture.bands():
        assert band.transparent is None or not band.transparent.any()
        assert (found[band.rows, band.columns] == -1).all()
        found[band.rows, band.columns] = band.look_up(SAME)
    return found


@pytest.mark.parametrize("is_interlaced", [False, True], ids=["", "interlaced"])
@pytest.mark.parametrize(("kind", "depth"), KINDS)
def test_every_type_of_png_is_read_as_it_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: int, depth: int, is_interlaced: bool
) -> None:
    """In bands of one row, of some rows and of all rows, with all filters, and chunks of any length."""
    for height, width, most, piece in ((1, 1, 1, 1), (9, 5, 1, 3), (33, 17, 40, 100), (40, 61, 1 << 18, 1 << 16)):
        monkeypatch.setattr(reading, "_BAND", most)
        picture = random_picture(kind, depth, height, width, is_interlaced)
        path = tmp_path / f"{width}.png"
        path.write_bytes(png(picture.parts(FILTERS, piece)))
        np.testing.assert_array_equal(pixels(path), picture.colours())
        with Image.open(path) as seen:  # the encoder of the tests is right, too
            np.testing.assert_array_equal(np.asarray(seen.convert("RGB"))[..., 0], picture.colours() >> 16)


def test_additions_to_a_png_are_passed_over(tmp_path: Path) -> None:
    """Text, a colour profile and a chunk that is not known, and bytes after the end."""
    picture = random_picture(2, 8, 5, 7)
    first, *rest = picture.parts()
    text, profile = (b"tEXt", b"Title\0x"), (b"iCCP", b"x\0\0" + zlib.compress(b"no profile"))
    (tmp_path / "x.png").write_bytes(png([first, text, profile, (b"abCd", b"?"), *rest]) + b"more")
    np.testing.assert_array_equal(pixels(tmp_path / "x.png"), picture.colours())


SCENE = '[map]\nimage = "map.png"\nlegend = { "#808080" = "wall", "#3070e0" = "water" }\n'


@pytest.fixture
def refused(read, tmp_path: Path) -> Callable[[bytes], str]:
    """``refused(file)``: the message on ``map.png`` with this content, which is one problem of the scene."""

    def message(file: bytes) -> str:
        (tmp_path / "map.png").write_bytes(file)
        with pytest.raises(SceneError) as caught:
            read(SCENE)
        (problem,) = caught.value.problems
        assert (problem.field, problem.line) == ("map.image", 2)
        return problem.message

    return message


@pytest.mark.parametrize(
    ("ending", "found"),
    {
        "JPEG": "a JPEG picture",
        "GIF": "a GIF picture",
        "BMP": "a BMP picture",
        "TIFF": "a TIFF picture",
        "WEBP": "a WebP picture or another RIFF file",
        "EPS": "PostScript",
        "PDF": "a PDF document",
        "PPM": "no picture; it begins with b'P6\\n10 8\\n255\\n",
    }.items(),
)
def test_only_a_png_is_a_picture_whatever_its_name(refused, tmp_path: Path, ending: str, found: str) -> None:
    Image.new("RGB", (10, 8), "#808080").save(tmp_path / "x", format=ending)
    message = refused((tmp_path / "x").read_bytes())
    assert message.startswith(f"'map.png' is {found}")
    assert message.endswith("; expected a PNG picture")


def test_no_other_program_and_no_other_decoder_sees_a_picture(tmp_path: Path) -> None:
    """PostScript would be given to Ghostscript by Pillow: the one on the path here leaves a mark when it is run."""
    program, mark = tmp_path / "bin" / "gs", tmp_path / "was run"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)
    Image.new("RGB", (10, 8), "#808080").save(tmp_path / "map.png", format="EPS")
    (tmp_path / "scene.toml").write_text(SCENE)
    code = (
        "import sys, gpufluid\n"
        "try: gpufluid.load(sys.argv[1])\n"
        "except gpufluid.core.errors.SceneError as error: print(error)\n"
        "print(sorted(name for name in sys.modules if name.startswith('PIL.') and name.endswith('Plugin')))\n"
    )
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    answer = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "scene.toml"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        timeout=100,
    )
    assert answer.stdout.splitlines() == [
        f"{tmp_path}/scene.toml:2: map.image: 'map.png' is PostScript; expected a PNG picture",
        "[]",
    ]
    assert (answer.stderr, answer.returncode, mark.exists()) == ("", 0, False)


def test_pillow_opens_only_photographs() -> None:
    """`PngPicture` reads every other picture of a user's: Pillow would take any format, and the whole of it."""
    folder = Path(gpufluid.__file__).parent
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if "Image.open" in path.read_text()]
    assert names == ["scene/photographs.py"]


@pytest.mark.parametrize("is_interlaced", [0, 1], ids=["", "interlaced"])
@pytest.mark.parametrize("kind", [0, 2, 4, 6], ids=["grey", "RGB", "grey with alpha", "RGB with alpha"])
def test_picture_of_16_bits_is_refused(refused, kind: int, is_interlaced: int) -> None:
    """Its values beside those of a legend cannot be told: 257 of 65,535 was white."""
    header = struct.pack(">2I5B", 1, 1, 16, kind, 0, 0, is_interlaced)
    row = b"\0" + struct.pack(">H", 257) * pictures.CHANNELS[kind]
    file = png([(b"IHDR", header), (b"IDAT", zlib.compress(row)), (b"IEND", b"")])
    assert refused(file) == "'map.png' has 16 bits a channel; expected at most 8, as the colours of a legend have"


GREY = Drawn(0, 8, np.full((4, 3, 1), 0x80, np.uint8))


def transparent(kind: int, transparency: bytes = b"") -> bytes:
    """A picture of 3 by 4 pixels of #808080, those at (2, 1) and (0, 3) transparent."""
    samples = np.full((4, 3, pictures.CHANNELS[kind]), 0x80, np.uint8)
    if kind == 3:
        samples[:] = 0
    if kind > 3:
        samples[..., -1] = 255
    samples[[1, 3], [2, 0], -1] = 1 if kind == 3 else 254
    palette = b"\x80" * 6 if kind == 3 else b""
    return png(Drawn(kind, 8, samples, palette, transparency).parts())


@pytest.mark.parametrize(
    "file",
    {
        "grey of one value": transparent(0, b"\0\xfe"),
        "a colour": transparent(2, b"\0\x80\0\x80\0\xfe"),
        "an entry of the palette": transparent(3, b"\xff\xfe"),
        "grey with alpha": transparent(4),
        "RGB with alpha": transparent(6),
    }.items(),
    ids=lambda item: item[0],
)
def test_transparent_pixel_is_named(refused, file: tuple[str, bytes]) -> None:
    assert refused(file[1]) == "pixel (2, 1) of 'map.png' is transparent; expected opaque ones"


@pytest.mark.parametrize("transparency", [b"\0\x01", b"\x01\x80"], ids=["of no pixel", "of more than 8 bits"])
def test_transparent_value_that_no_pixel_has_changes_nothing(tmp_path: Path, transparency: bytes) -> None:
    for kind in (0, 2):
        samples = np.full((4, 3, pictures.CHANNELS[kind]), 0x80, np.uint8)
        picture = Drawn(kind, 8, samples, transparency=transparency * samples.shape[2])
        (tmp_path / "x.png").write_bytes(png(picture.parts()))
        assert (pixels(tmp_path / "x.png") == 0x808080).all()


HEADER, DATA, END = GREY.parts()
ROWS = GREY.rows()


def header(**given: int) -> tuple[bytes, bytes]:
    """The header of GREY with other values."""
    usual = {"width": 3, "height": 4, "depth": 8, "kind": 0, "compression": 0, "filter": 0, "interlacing": 0}
    return b"IHDR", struct.pack(">2I5B", *{**usual, **given}.values())


def deflated(rows: bytes) -> Parts:
    """GREY with other rows."""
    return [HEADER, (b"IDAT", zlib.compress(rows)), END]


def checksum_of(number: int) -> bytes:
    """GREY with a wrong checksum of one chunk, and a text before its pixels."""
    parts = [chunk(*part) for part in (HEADER, (b"tEXt", b"x\0y"), DATA, END)]
    parts[number] = parts[number][:-1] + bytes([parts[number][-1] ^ 1])
    return pictures.MAGIC + b"".join(parts)


PALETTE = b"\x80\x80\x80\x30\x70\xe0"
DAMAGED = {
    "empty": (b"", "is empty; expected a PNG"),
    "text mode": (png(GREY.parts()).replace(b"\r\n", b"\n", 1), "is a damaged PNG picture: its first bytes"),
    "header's checksum": (checksum_of(0), "the checksum of its chunk IHDR at byte 8 is wrong"),
    "text's checksum": (checksum_of(1), "the checksum of its chunk tEXt at byte 33 is wrong"),
    "data's checksum": (checksum_of(2), "the checksum of its chunk IDAT at byte 48 is wrong"),
    "end's checksum": (checksum_of(3), "the checksum of its chunk IEND"),
    "no header": (png([DATA, END]), "it begins with chunk IDAT of"),
    "short header": (png([(b"IHDR", HEADER[1][:12]), DATA, END]), "chunk IHDR of 12 bytes; expected IHDR of 13"),
    "two headers": (png([HEADER, HEADER, DATA, END]), "its chunk IHDR is repeated at byte 33"),
    "no width": (png([header(width=0), DATA, END]), "its size is 0 by 4 pixels"),
    "no height": (png([header(height=0), DATA, END]), "its size is 3 by 0 pixels"),
    "width of 2**31": (png([header(width=1 << 31), DATA, END]), "its size is 2147483648 by 4 pixels"),
    "too large for its data": (png([header(width=1 << 30), DATA, END]), "bytes cannot hold its 1073741824 by 4 pixels"),
    "depth": (png([header(depth=3), DATA, END]), "its colour type is 0, of 3 bits a channel"),
    "colour type": (png([header(kind=7), DATA, END]), "its colour type is 7, of 8 bits a channel"),
    "RGB of 4 bits": (png([header(kind=2, depth=4), DATA, END]), "its colour type is 2, of 4 bits a channel"),
    "compression": (png([header(compression=1), DATA, END]), "a method of compression"),
    "filtering": (png([header(filter=64), DATA, END]), "a method of compression"),
    "interlacing": (png([header(interlacing=2), DATA, END]), "a method of compression"),
    "no pixels": (png([HEADER, END]), "it has no pixels"),
    "no end": (png([HEADER, DATA]), "it ends before its chunk IEND"),
    "length over the end": (png([HEADER])[:-4] + b"\0\0\0\0" + b"\x7f\xff\xff\xffIDAT", "is damaged"),
    "length within the file": (png([HEADER]) + b"\0\1\0\0IDAT" + bytes(9), "it ends at byte 50, within its chunk IDAT"),
    "type of a chunk": (png([HEADER, (b"ID\0T", b""), DATA, END]), "b'ID\\x00T' at byte 33 is no type of a chunk"),
    "unknown critical chunk": (png([HEADER, (b"ABCD", b""), DATA, END]), "its chunk ABCD at byte 33 is not known"),
    "animated": (png([HEADER, (b"acTL", bytes(8)), DATA, END]), "is animated; expected a single picture"),
    "data in two places": (png([HEADER, DATA, (b"tEXt", b"x\0y"), DATA, END]), "its chunk IDAT is repeated at byte"),
    "palette twice": (png([HEADER, (b"PLTE", PALETTE), (b"PLTE", PALETTE), DATA, END]), "PLTE is repeated at byte 51"),
    "palette after data": (png([HEADER, DATA, (b"PLTE", PALETTE), END]), "comes after the first IDAT"),
    "no palette": (png([header(kind=3), DATA, END]), "it has no palette"),
    "palette of 4 bytes": (png([header(kind=3), (b"PLTE", bytes(4)), DATA, END]), "its palette has 4 bytes"),
    "palette of 3 colours": (
        png([header(kind=3, depth=1), (b"PLTE", bytes(9)), DATA, END]), "for each of 1 to 2 colours",
    ),
    "no such entry": (png([header(kind=3), (b"PLTE", PALETTE), DATA, END]), "entry 128 of a palette of 2 entries"),
    "transparency": (png([HEADER, (b"tRNS", b"\0"), DATA, END]), "its chunk tRNS has 1 bytes; expected 2"),
    "empty transparency": (png([HEADER, (b"tRNS", b""), DATA, END]), "its chunk tRNS has 0 bytes; expected 2"),
    "transparency of a palette": (
        png([header(kind=3), (b"PLTE", PALETTE), (b"tRNS", bytes(3)), DATA, END]), "3 entries, and its palette 2",
    ),
    "no deflated data": (png([HEADER, (b"IDAT", b"?" * 30), END]), "its data cannot be inflated (Error -3"),
    "no data": (png([HEADER, (b"IDAT", b""), END]), "its data ends before its last row"),
    "data cut off": (png([HEADER, (b"IDAT", DATA[1][:6]), END]), "its data ends before its last row"),
    "end of the data cut off": (png([HEADER, (b"IDAT", DATA[1][:-1]), END]), "the end of its data is missing"),
    "checksum of the data": (png([HEADER, (b"IDAT", DATA[1][:-1] + b"?"), END]), "incorrect data check"),
    "a row too few": (png(deflated(ROWS[:-4])), "its data ends before its last row"),
    "a byte too many": (png(deflated(ROWS + b"\0")), "it has more data than its rows take"),
    "bytes after the data": (png([HEADER, (b"IDAT", DATA[1] + b"\0"), END]), "it has more data than its rows take"),
    "a chunk after the data": (png([HEADER, DATA, (b"IDAT", b"\0"), END]), "it has more data than its rows take"),
    "filter": (png(deflated(b"\x05" + ROWS[1:])), "a row has filter 5; expected 0 to 4"),
    "too many chunks": (png([HEADER, *[(b"teXt", b"")] * 5000, DATA, END]), "it has more than 4154 chunks in 60071"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_picture_is_one_message_that_names_the_fault(refused, name: str) -> None:
    file, words = DAMAGED[name]
    message = refused(file)
    assert message.startswith("'map.png' ")
    assert words in message
    assert len(message) < 200


def test_picture_cut_anywhere_is_refused(refused) -> None:
    file = png(random_picture(3, 4, 9, 7).parts(FILTERS, piece=20))
    assert file[-12:] == chunk(b"IEND", b"")
    for length in range(len(file)):
        assert refused(file[:length]).startswith("'map.png' is ")


def test_picture_that_cannot_be_read_says_why(read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "map.png").write_bytes(png(GREY.parts()))

    def broken(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(reading, "open_regular", broken)
    with pytest.raises(SceneError, match=r"scene\.toml:2: map\.image: 'map\.png' cannot be read: Permission denied$"):
        read(SCENE)


UNKNOWN = "pixel ({}) is #3070e1, which the legend lacks ({} such pixels); the nearest is #3070e0, water"


def odd_picture(height: int, width: int, odd: list[tuple[int, int]], is_interlaced: bool = False) -> Drawn:
    """A picture of #808080 with #3070e1 at some (row, column)."""
    samples = np.full((height, width, 3), 0x80, np.uint8)
    for place in odd:
        samples[place] = 0x30, 0x70, 0xE1
    return Drawn(2, 8, samples, is_interlaced=is_interlaced)


@pytest.mark.parametrize("most", [1, 40, 1 << 18])
def test_the_first_unknown_pixel_and_the_number_of_all_are_said(
    refused, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Whatever the bands, and also if the passes of an interlaced picture come in another order."""
    monkeypatch.setattr(reading, "_BAND", most)
    odd = [(5, 3), (5, 4), (6, 0), (8, 8), (19, 1)]
    for is_interlaced in (False, True):
        assert refused(png(odd_picture(20, 9, odd, is_interlaced).parts())) == UNKNOWN.format("3, 5", 5)


def test_many_unknown_colours_are_a_hint_at_a_smoothed_picture(refused) -> None:
    samples = np.full((1, 20, 3), 0x80, np.uint8)
    samples[0, 3:15, 1] = np.arange(12)
    assert refused(png(Drawn(2, 8, samples).parts())) == (
        "pixel (3, 0) is #800080, which the legend lacks (12 such pixels); the nearest is #808080, wall;"
        " 12 colours are unknown: was it smoothed, or saved as a JPEG?"
    )


def test_unknown_pixels_are_counted_for_a_while_only(refused, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of 16,384 by 16,384 unknown pixels would take seconds to count, and its damaged end is not reached."""
    monkeypatch.setattr("gpufluid.scene.picture_map._COUNTED", 300)
    monkeypatch.setattr(reading, "_BAND", 10)
    parts = odd_picture(100, 10, [(row, 2) for row in range(20, 100)]).parts()
    assert refused(png(parts)) == UNKNOWN.format("2, 20", "at least 30")


CHILD = """
import json, sys
import gpufluid
from attacks.cost import measured
from gpufluid.core.errors import SceneError
from gpufluid.world import footprint

footprint.machine_memory = lambda: 8 << 30
small, *others = sys.argv[1:]
gpufluid.load(small)  # what is loaded with the first scene is no cost of another one
found = []
for other in others:
    message, world = "", None
    with measured() as cost:
        try:
            world = gpufluid.load(other)
        except SceneError as error:
            message = str(error)
    cells = 0 if world is None else sum(world[name].nbytes for name in world.fields)
    found.append([message, cost.seconds, cost.memory, cells])
json.dump(found, sys.stdout)
"""

Cost = tuple[str, float, int, int]
"""The message of a scene, seconds of a processor, bytes of memory at most, and bytes of its cells."""


def costs(folder: Path, files: dict[str, tuple[Parts, str]]) -> dict[str, Cost]:
    """The cost of scenes, each a picture and a text with ``map.png``, in a process of their own."""
    written = []
    for name, (parts, text) in {"small": (GREY.parts(), SCENE), **files}.items():
        (folder / f"{name}.png").write_bytes(png(parts))
        written.append(folder / f"{name}.toml")
        written[-1].write_text(text.replace("map.png", f"{name}.png"))
    path = os.pathsep.join(sys.path)
    answer = subprocess.run(
        [sys.executable, "-c", CHILD, *written],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert answer.stderr == ""
    return dict(zip(files, json.loads(answer.stdout), strict=True))


@cache
def large() -> bytes:
    """1 GiB of zeros, deflated to 1 MB."""
    return pictures.repeated(bytes(1 << 20), 1 << 10)


FILLING = (b"teXt", bytes(1 << 20))
"""An addition without which a file would be too small for the pixels that its header names."""


def few_rows() -> Parts:
    """A picture of 16,384 rows in RGB, of which the data has the first 1,024. No memory is taken for their cells."""
    first, data, end = plain(16384, 16384, 2, 8, 0x80, count=1024)
    return [first, FILLING, data, end]


RED = {"colour_type": 2, "depth": 8, "sample": 0x90}
BOMBS = {
    "text": (lambda: [HEADER, (b"zTXt", b"x\0\0" + large()), (b"IDAT", b""), END], "its data ends"),
    "language": (lambda: [HEADER, (b"iTXt", b"x\0\1\0\0\0" + large()), (b"IDAT", b""), END], "its data ends"),
    "profile": (lambda: [HEADER, (b"iCCP", b"x\0\0" + large()), (b"IDAT", b""), END], "its data ends"),
    "many texts": (lambda: [HEADER, *[(b"zTXt", b"x\0\0" + large())] * 20, (b"IDAT", b""), END], "its data ends"),
    "data after the rows": (lambda: [HEADER, (b"IDAT", large()), END], "it has more data than its rows take"),
    "over the largest size": (lambda: plain(65537, 65537), "is over the limit of 65536 a side"),
    "over the free memory": (lambda: plain(65536, 65536), "36.0 GiB of the machine's memory, and 8.0 GiB are free"),
    "of an unknown colour": (lambda: plain(16384, 16384, **RED), "the legend lacks (at least 16777216 such pixels)"),
    "no data": (lambda: [header(width=16384, height=16384), DATA, END], "bytes cannot hold its 16384 by 16384 pixels"),
    "few rows": (few_rows, "its data ends before its last row"),
    "no end": (lambda: [*plain(16384, 16384, 2, 8, 0x80)[:2], FILLING], "it ends before its chunk IEND"),
}  # fmt: skip


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Cost, int]]:
    """The cost of each of BOMBS, and the size of its file."""
    folder = tmp_path_factory.mktemp("bombs")
    found = costs(folder, {name: (parts(), SCENE) for name, (parts, _) in BOMBS.items()})
    return {name: (cost, (folder / f"{name}.png").stat().st_size) for name, cost in found.items()}


@pytest.mark.parametrize("name", BOMBS)
def test_bad_picture_costs_at_most_its_size_and_64_mb_and_two_seconds(
    bombs: dict[str, tuple[Cost, int]], name: str
) -> None:
    (message, seconds, taken, _), size = bombs[name]
    assert BOMBS[name][1] in message
    assert taken <= size + pictures.MEMORY_MOST
    assert seconds <= pictures.SECONDS_MOST


def test_the_free_memory_is_compared_before_the_pixels_are_read(
    read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpufluid.world.footprint.machine_memory", lambda: 10 << 20)
    (tmp_path / "map.png").write_bytes(png(plain(3000, 4000)))
    wanted = r"scene\.toml:{}: a world of 3000 by 4000 cells .* takes about 103 MiB .*, and 10\.0 MiB are free$"
    with pytest.raises(SceneError, match=wanted.format("2: map.image")):
        read(SCENE)
    with pytest.raises(SceneError, match=wanted.format("1: size")):
        read("size = [3000, 4000]\n" + SCENE)


BANDS = (0x808080, 0x3070E0, 0xFFFFFF)


def striped(side: int, colour_type: int) -> Parts:
    """A large picture of three colours, in stripes and with filters of every kind."""
    values = np.arange(side) // 5 % 3
    colours = np.array([[colour >> shift & 255 for shift in (16, 8, 0)] for colour in BANDS], np.uint8)
    samples = values[None, :, None].astype(np.uint8) if colour_type == 3 else colours[values][None]
    picture = Drawn(colour_type, 8, np.repeat(samples, 16, axis=0), colours.tobytes() if colour_type == 3 else b"")
    parts = picture.parts()
    parts[0] = (b"IHDR", struct.pack(">2I5B", side, side, 8, colour_type, 0, 0, 0))
    parts[-2:] = [(b"IDAT", pictures.repeated(picture.rows((0, 1, 2, 4)), side // 16)), parts[-1]]
    return parts


def check_large_maps(folder: Path, side: int) -> None:
    """Maps in RGB and with a palette, of worlds with the rules flow and atoms."""
    legend = '{ "#808080" = "wall", "#3070e0" = "water", "#ffffff" = "empty" }'
    files = {
        f"{kind} {rules}": (parts, f'rules = ["{rules}"]\n[map]\nimage = "map.png"\nlegend = {legend}\n')
        for kind, parts in (("RGB", striped(side, 2)), ("palette", striped(side, 3)))
        for rules in ("flow", "atoms")
    }
    for name, (message, seconds, taken, cells) in costs(folder, files).items():
        print(f"{side} square, {name}: {seconds:.1f} s, {taken >> 20} MiB for {cells >> 20} MiB of cells")
        assert message == ""
        assert cells > side * side
        assert taken <= cells + pictures.MEMORY_MOST, name


@pytest.mark.long("a map of many cells; small ones are read in the short run")
def test_large_map_takes_the_memory_of_its_cells_and_64_mb(tmp_path: Path) -> None:
    check_large_maps(tmp_path, 4096)


@pytest.mark.long("of a map of 67 million cells")
def test_larger_map_takes_the_memory_of_its_cells_and_64_mb(tmp_path: Path) -> None:
    check_large_maps(tmp_path, 8192)


def test_the_judge_of_attacks_sees_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that is read wrongly, an error of another class, and one that takes too long."""
    path = tmp_path / "x.png"
    path.write_bytes(png(drawn(Random(1)).parts()))
    assert pictures.judge(path) is None
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "SECONDS_MOST", 0)
        assert "took 0." in str(pictures.judge(path))
    with monkeypatch.context() as patch:
        patch.setattr(reading.PngPicture, "bands", lambda _: 1 / 0)
        assert pictures.judge(path) == "ZeroDivisionError: division by zero"
    with monkeypatch.context() as patch:
        patch.setattr("gpufluid.scene.drawing.copy_cells", lambda *_: None)
        assert pictures.judge(path) == "the world is not the picture"
