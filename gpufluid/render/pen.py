"""A pen for diagrams: antialiased lines, dashes, dots and text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

PAPER, INK, GRID = "#ffffff", "#22252b", "#e2e4e8"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c564b")
"""Line colours, used in turn; the first ones are Okabe and Ito's, distinguishable with colour-blindness."""

_FINE = 2  # supersampling factor: drawn this many times larger, then scaled down, for antialiasing

Point = tuple[float, float]


class Pen:
    """Draws a picture. All positions and sizes are in its pixels, from the top left corner.

    Args:
        width, height: of the picture, in pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._picture = Image.new("RGB", (_FINE * width, _FINE * height), PAPER)
        self._draw = ImageDraw.Draw(self._picture)

    def picture(self) -> Image.Image:
        """Return the picture."""
        return self._picture.resize((self.width, self.height), Image.Resampling.LANCZOS)

    def line(self, points: Iterable[Point], colour: str, width: float = 1) -> None:
        """Draw a line through all points."""
        fine = [(_FINE * x, _FINE * y) for x, y in points]
        self._draw.line(fine, colour, round(_FINE * width), joint="curve")

    def dashes(self, points: Sequence[Point], colour: str) -> None:
        """Draw a dashed line through all points."""
        for (x, y), (to_x, to_y) in pairwise(points):
            steps = max(1, round(math.hypot(to_x - x, to_y - y) / 5))
            for step in range(0, steps, 2):
                ends = (step / steps, min(step + 1, steps) / steps)
                self.line([(x + (to_x - x) * end, y + (to_y - y) * end) for end in ends], colour, 1.5)

    def dot(self, at: Point, colour: str) -> None:
        """Draw a filled circle around a point."""
        x, y, radius = _FINE * at[0], _FINE * at[1], 3.5 * _FINE
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)

    def text(self, at: Point, words: str, size: int = 12, anchor: str = "la", colour: str = INK) -> None:
        """Draw text at a point; `size` in pixels, `anchor` as in Pillow."""
        font = ImageFont.load_default(_FINE * size)
        self._draw.text((_FINE * at[0], _FINE * at[1]), words, colour, font, anchor)

    def text_width(self, words: str, size: int = 12) -> float:
        """Return the width of a text in pixels; `size` in pixels."""
        return ImageFont.load_default(_FINE * size).getlength(words) / _FINE
