"""JPEG and WebP pictures, read by Pillow: photographs, whose colours need not be exact."""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from gpufluid.core.errors import UsageError
from gpufluid.core.files import open_regular

ENDINGS = (".jpg", ".jpeg", ".webp")
"""The endings of their names. The content of a file decides how it is read."""

_FORMATS = ("JPEG", "WEBP")
"""The formats that Pillow may read: it takes many, and starts a program for one of them."""

_DAMAGED = (OSError, SyntaxError, ValueError, TypeError, LookupError, struct.error, Image.DecompressionBombError)
"""The errors that Pillow raises for damaged data; a wrong type or key comes from damaged Exif data."""

_ORIENTATION, _TURNED = 0x0112, (5, 6, 7, 8)
"""The Exif tag of how a camera was held, and those of its values that swap width and height."""


def is_photograph(path: Path) -> bool:
    """True if a file begins like a JPEG or WebP picture. Raises: OSError, ValueError: it cannot be read."""
    with open_regular(path) as file:
        start = file.read(12)
    return start.startswith(b"\xff\xd8\xff") or (start[:4], start[8:]) == (b"RIFF", b"WEBP")


@dataclass(frozen=True, slots=True)
class Photograph:
    """An open photograph, turned as the camera was held; of a film the first picture.

    Args:
        stored: the picture as it is stored. Its pixels are not decoded before `sampled`.
    """

    stored: Image.Image

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        width, height = self.stored.size
        return (height, width) if self.stored.getexif().get(_ORIENTATION) in _TURNED else (width, height)

    def sampled(self, every: int) -> tuple[np.ndarray, np.ndarray]:
        """The colour in the middle of each square of pixels.

        Args:
            every: the side of a square, in pixels.
        Returns: (rows, columns) uint32, 0xRRGGBB, and bool of the same shape: not opaque.
        """
        picture = ImageOps.exif_transpose(self.stored).convert("RGBA")
        pixels = np.asarray(picture)[every // 2 :: every, every // 2 :: every]
        red, green, blue, alpha = np.moveaxis(pixels.astype(np.uint32), -1, 0)
        return red << 16 | green << 8 | blue, alpha < 255


@contextmanager
def opened(path: Path) -> Iterator[Photograph]:
    """Open a photograph for the time of a ``with`` block. Raises: UsageError: it is damaged, or cannot be read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a size that the caller limits, and of additions that are not interpreted
        try:
            with open_regular(path) as file, Image.open(file, formats=_FORMATS) as picture:
                yield Photograph(picture)
        except _DAMAGED as error:
            raise UsageError(f"{path}: is damaged or too large: {error}") from None
