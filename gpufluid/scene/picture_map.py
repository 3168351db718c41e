"""Maps: a picture of a world with one pixel per cell, and a legend from colours to materials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
from PIL import Image

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.files import irregular, open_regular
from gpufluid.matter.materials import colour_of
from gpufluid.world import SIZE_LIMIT


class MapError(ValueError):
    """An invalid picture or legend.

    Args:
        field: the key of the map that is wrong, such as ``image`` or ``legend.#ff0000``.
        message: what was found and what was expected.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def picture_size(scene: Path, image: str) -> tuple[int, int]:
    """(width, height) of a picture in pixels, read from its header without allocating the pixels.

    Args:
        scene: the scene file.
        image: the name of the picture in the scene; the picture lies beside or below the scene file.
    Raises: MapError: the picture is outside the folder of the scene, missing, or no picture.
    """
    with _opened(scene, image) as picture:
        return picture.size


def read_picture(scene: Path, image: str) -> np.ndarray:
    """The pixels of a picture: (height, width) uint32, 0xRRGGBB.

    Args:
        scene, image: as for `picture_size`.
    Raises: MapError: as `picture_size`; also a picture that is damaged or has transparent pixels.
    """
    with _opened(scene, image) as picture:
        return _packed(picture, image)


@contextmanager
def _opened(scene: Path, image: str) -> Iterator[Image.Image]:
    """Open a picture file; an error while it is open becomes a MapError."""
    path = _path_of(scene.resolve().parent, image)
    try:
        with _pillow_bound(SIZE_LIMIT**2), open_regular(path) as file, Image.open(file) as picture:
            yield picture
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        if isinstance(error, MapError):
            raise
        raise MapError("image", f"{shown(image)} cannot be read as a picture: {error}") from None


@contextmanager
def _pillow_bound(pixels: int) -> Iterator[None]:
    """Set the size limit of Pillow, whose default of 179 million pixels is below the largest world."""
    before, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, pixels
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS = before


def _packed(picture: Image.Image, image: str) -> np.ndarray:
    if "A" in picture.getbands() or "transparency" in picture.info:
        opaque = np.asarray(picture.convert("RGBA").getchannel("A")) == 255
        if not opaque.all():
            row, column = (int(i) for i in np.argwhere(~opaque)[0])
            raise MapError("image", f"pixel ({column}, {row}) of {shown(image)} is transparent; expected opaque ones")
    rgb = np.asarray(picture.convert("RGB"))
    packed = rgb[..., 0].astype(np.uint32)
    for channel in (1, 2):
        packed <<= 8
        packed |= rgb[..., channel]
    return packed


def _path_of(folder: Path, image: str) -> Path:
    try:
        path = (folder / image).resolve()
        inside, is_file, other = path.is_relative_to(folder), path.is_file(), irregular(folder / image)
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of symbolic links, a zero byte
        raise MapError(
            "image", f"{shown(image)} is no file name: {getattr(error, 'strerror', None) or error}"
        ) from None
    if not inside:
        raise MapError("image", f"{shown(image)} is not beside or below the scene file")
    if other is not None:
        raise MapError("image", f"{shown(image)} is {other}")
    if not is_file:
        near = [file.relative_to(folder).as_posix() for file in islice(folder.glob("**/*.png"), 1000)]
        raise MapError("image", f"there is no {shown(image)}{did_you_mean(image, near)}")
    return path


def read_legend(legend: Mapping[str, str]) -> dict[int, str]:
    """A legend with colours as 0xRRGGBB. Raises MapError: an invalid colour, or a colour given twice."""
    colours = {}
    for colour, material in legend.items():
        try:
            value = int.from_bytes(colour_of(colour), "big")
        except ValueError as error:
            raise MapError(f"legend.{colour}", str(error)) from None
        if value in colours:
            raise MapError(f"legend.{colour}", f"the colour {colour} is given twice")
        colours[value] = material
    return colours


def check_colours(pixels: np.ndarray, known: Mapping[int, str]) -> None:
    """Check that the legend has all colours of a picture.

    Args:
        pixels: (height, width) uint32, 0xRRGGBB.
        known: the legend, as `read_legend` returns it.
    Raises: MapError: the legend lacks a colour; names the first such pixel and the nearest colour of the legend.
    """
    strange = ~np.isin(pixels, np.array(sorted(known), np.uint32))
    if not strange.any():
        return
    row, column = (int(i) for i in np.argwhere(strange)[0])
    found = int(pixels[row, column])
    kinds = len(np.unique(pixels[strange]))
    hint = f"; {kinds} colours are unknown: was it smoothed, or saved as a JPEG?" if kinds > 8 else ""
    nearest = min(known, key=lambda colour: _distance(colour, found))
    raise MapError(
        "image",
        f"pixel ({column}, {row}) is #{found:06x}, which the legend lacks ({int(strange.sum())} such pixels);"
        f" the nearest is #{nearest:06x}, {known[nearest]}{hint}",
    )


def _distance(a: int, b: int) -> int:
    return sum(((a >> shift & 255) - (b >> shift & 255)) ** 2 for shift in (0, 8, 16))
