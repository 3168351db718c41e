"""The settings of a picture, and their checks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gpufluid.core.errors import UsageError, shown
from gpufluid.render.framing import Crop, Framing, is_whole
from gpufluid.render.look import DAY, Look
from gpufluid.render.scale import LARGEST, Scale


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """The settings of a picture of a world; `Simulation.frame` takes the same.

    Args:
        scale: pixels a cell; see `Scale.of`.
        overlay: the name of an overlay; None: the plain picture.
        overlay_max: the value of the overlay's last colour; None: the overlay's default.
        look: the theme and the background.
        crop: the cells to draw, (x, y, width, height); None: all.
        size: (width, height) of the picture in pixels; None: that of the cells at the scale.
    """

    scale: float | str = 1
    overlay: str | None = None
    overlay_max: float | None = None
    look: Look = DAY
    crop: object = None
    size: object = None

    @property
    def keeps_pixels(self) -> bool:
        """Whether a video has the pixels of its frames, not 2 x 2 for each; see `film.Film`.

        True if cells consist of blocks of 2 x 2 pixels, or if the size is given.
        """
        return self.size is not None or Scale.of(self.scale).zoom % 2 == 0

    def check(self) -> None:
        """Check what does not depend on the world. Raises: UsageError: a bad scale or size, or both of them."""
        scale = Scale.of(self.scale)
        if self.size is None:
            return
        if not isinstance(self.size, Sequence) or len(self.size) != 2 or not all(map(is_whole, self.size)):
            raise UsageError(f"size: {shown(self.size)}; expected width and height in pixels, such as (1280, 720)")
        if min(self.size) < 1:
            raise UsageError(f"size: {self.size[0]}x{self.size[1]}; expected at least one pixel a side")
        if scale != Scale():
            raise UsageError(f"scale: {self.scale}; has no effect beside size {self.size[0]}x{self.size[1]}")

    def layout(self, world: tuple[int, int], most: int) -> Layout:
        """Lay the picture out.

        Args:
            world: (width, height) of the world, in cells.
            most: the largest side of a picture, in pixels.
        Raises: UsageError: invalid settings, or a picture that is too large.
        """
        self.check()
        part = Crop.of(self.crop, world)
        if self.size is None:
            scale = Scale.of(self.scale)
            size = scale.picture_size(part.width, part.height)
            words = f"scale: {self.scale}"
        else:
            size = int(self.size[0]), int(self.size[1])  # pyright: ignore[reportIndexIssue]
            words = f"size: {size[0]}x{size[1]}"
        if max(size) > most:
            limit = f"this device's limit of {most} a side"
            raise UsageError(f"{words}; a picture of {size[0]} by {size[1]} pixels is over {limit}")
        return Layout(size, Framing(Scale.of(self.scale), part)) if self.size is None else _fitted(part, size, most)


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's size, and how the cells are drawn in it.

    Args:
        size: (width, height) of the picture, in pixels.
        framing: how the cells are drawn.
        place: None: the cells are drawn in the picture itself. Else they are drawn in a picture of their own, which is
            averaged into the rectangle (x, y, width, height) of this one, in pixels.
    """

    size: tuple[int, int]
    framing: Framing
    place: tuple[int, int, int, int] | None = None


def _fitted(part: Crop, size: tuple[int, int], most: int) -> Layout:
    """Fit cells into a picture of a size, as large as possible, in its middle.

    Cells that do not fit exactly at a scale are drawn at the next larger one, if that is not over ``most`` pixels a
    side, else at the largest that is not, and then averaged.
    """
    pixels = min(Fraction(size[0], part.width), Fraction(size[1], part.height))  # a cell
    if pixels > 1:
        scale = Scale(zoom=max(1, min(math.ceil(pixels), LARGEST, most // max(part.width, part.height))))
    else:
        least = math.ceil(max(part.width, part.height) / most)  # more than 1 only for a world that several ranks share
        scale = Scale(cells_a_pixel=min(max(int(1 / pixels), least), LARGEST))
    if pixels == Fraction(scale.zoom, scale.cells_a_pixel):
        inner = scale.picture_size(part.width, part.height)
        return Layout(size, Framing(scale, part, _middle(size, inner)))
    inner = max(round(part.width * pixels), 1), max(round(part.height * pixels), 1)
    return Layout(size, Framing(scale, part), (*_middle(size, inner), *inner))


def _middle(size: tuple[int, int], inner: tuple[int, int]) -> tuple[int, int]:
    """The top left corner of a rectangle in the middle of a picture, both (width, height), in pixels."""
    return (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
