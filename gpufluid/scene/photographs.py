"""JPEG and WebP pictures, read by Pillow: photographs, whose colours need not be exact."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from gpufluid.core.errors import UsageError
from gpufluid.core.files import open_regular

ENDINGS = (".jpg", ".jpeg", ".webp")
"""The endings of their names. The content of a file decides how it is read."""

_FORMATS = ("JPEG", "WEBP")
"""What Pillow may read: it takes many formats, and starts a program for one of them."""


def is_photograph(path: Path) -> bool:
    """Whether a file begins like a JPEG or WebP picture. Raises: OSError, ValueError: it cannot be read."""
    with open_regular(path) as file:
        start = file.read(12)
    return start.startswith(b"\xff\xd8\xff") or (start[:4], start[8:]) == (b"RIFF", b"WEBP")


def size_of(path: Path) -> tuple[int, int]:
    """(width, height) in pixels, as the camera was held. No pixel is decoded.

    Raises: UsageError: a damaged file. OSError: it cannot be read.
    """
    with _opened(path) as picture:
        width, height = picture.size
        is_turned = picture.getexif().get(_ORIENTATION, 1) >= _FIRST_TURNED
    return (height, width) if is_turned else (width, height)


_ORIENTATION, _FIRST_TURNED = 0x0112, 5
"""The Exif tag of how a camera was held, and the first of its values, 1 to 8, that swap width and height."""


def sampled(path: Path, every: int) -> tuple[np.ndarray, np.ndarray]:
    """The colour in the middle of each square of pixels; of a film those of the first picture.

    Args:
        path: the file.
        every: the side of a square, in pixels.
    Returns: (rows, columns) uint32, 0xRRGGBB, and bool of the same shape: not opaque.
    Raises: UsageError: a damaged file. OSError: it cannot be read.
    """
    with _opened(path) as picture:
        pixels = np.asarray(ImageOps.exif_transpose(picture).convert("RGBA"))[every // 2 :: every, every // 2 :: every]
    red, green, blue, alpha = np.moveaxis(pixels.astype(np.uint32), -1, 0)
    return red << 16 | green << 8 | blue, alpha < 255


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a picture. What Pillow raises for damaged data becomes a UsageError."""
    with open_regular(path) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a size that the caller limits, and of additions that are not interpreted
        try:
            with Image.open(file, formats=_FORMATS) as picture:
                yield picture
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            raise UsageError(f"{path}: is damaged or too large: {error}") from None
