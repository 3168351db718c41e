"""The camera: which part of the world the window shows, at which zoom; converts between pixels and cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import ceil

from gpufluid.render.scale import Scale

_STEPS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)

ZOOMS = (*(Scale(cells_a_pixel=n) for n in reversed(_STEPS)), Scale(), *(Scale(zoom=n) for n in _STEPS))
"""All zoom levels, from far to near. Only whole factors: cells have sharp edges near, and pixels average whole
cells far away, so a moving picture does not shimmer."""

STRETCH_LEAST = 1.15
"""A fitted view is stretched if it gets at least so many times as wide and high as it is at a whole factor."""

_PIXELS_A_CELL = [scale.zoom / scale.cells_a_pixel for scale in ZOOMS]

MARGIN = 32
"""Least number of pixels of the world that stay in the window however far the world is dragged."""


class Camera:
    """A view of a world. Pixels are framebuffer pixels (x, y) from the window's top left corner.

    The world is drawn at a whole factor. The picture of a fitted view may then be stretched, so that the world fills
    the free part of the window; all other views are shown as they are drawn.

    Args:
        world: (width, height) in cells.
        window: (width, height) in pixels.

    Attributes:
        offset: (x, y) of the world's top left corner in the drawn picture, in its pixels.
        stretch: the window's pixels for each pixel of the drawn picture, along each axis.
        margins: widths in pixels of the borders (left, top, right, bottom) that panels cover; `fit` avoids them.
        fitted: whether the view was neither zoomed nor moved since `fit`.
    """

    def __init__(self, world: tuple[int, int], window: tuple[int, int]) -> None:
        self.world, self.window = world, window
        self.margins: tuple[int, int, int, int] = (0, 0, 0, 0)
        self._zoom = ZOOMS.index(Scale())
        self.offset: tuple[int, int] = (0, 0)
        self.stretch = 1.0
        self._rest = (0.0, 0.0)  # the part of a drag that is less than a pixel of the drawn picture
        self.fitted = True
        self.fit()

    @property
    def scale(self) -> Scale:
        """The factor at which the world is drawn."""
        return ZOOMS[self._zoom]

    @property
    def drawn_size(self) -> tuple[int, int]:
        """(width, height) of the drawn picture, in its pixels. Stretched it covers the window."""
        return ceil(self.window[0] / self.stretch), ceil(self.window[1] / self.stretch)

    def fit(self) -> None:
        """Show the whole world as large as it fits, and centre it in the free part of the window.

        The factor is the nearest whole one, unless the view gets `STRETCH_LEAST` times as large if it is stretched.
        """
        fitting = max((number for number, scale in enumerate(ZOOMS) if self._fits(scale)), default=None)
        self._zoom, self.stretch, self.fitted = fitting or 0, 1.0, True
        if fitting is not None and fitting + 1 < len(ZOOMS) and self._room(fitting) >= STRETCH_LEAST:
            self._zoom = fitting if ZOOMS[fitting].cells_a_pixel == 1 else fitting + 1  # a smaller picture loses cells
            self.stretch = self._room(self._zoom)
        self._centre()

    def one_to_one(self) -> None:
        """Zoom to one pixel a cell about the middle of the window."""
        self._zoom_to(ZOOMS.index(Scale()), (self.window[0] / 2, self.window[1] / 2))

    def zoom_at(self, pixel: tuple[float, float], steps: int) -> None:
        """Zoom in by `steps` levels (negative: out); the position at the pixel stays there.

        From a stretched view the first step is to the next whole factor.
        """
        shown = self._pixels_a_cell
        level = bisect_right(_PIXELS_A_CELL, shown) - 1 if steps > 0 else bisect_left(_PIXELS_A_CELL, shown)
        self._zoom_to(min(max(level + steps, 0), len(ZOOMS) - 1) if steps else level, pixel)

    def _zoom_to(self, level: int, pixel: tuple[float, float]) -> None:
        """Show a zoom level without stretching; the position at the pixel stays there."""
        x, y = self.position_at(pixel)
        self.fitted, self._zoom, self.stretch = False, level, 1.0
        pixels = self._pixels_a_cell
        self.offset = round(pixel[0] - x * pixels), round(pixel[1] - y * pixels)
        self._clamp_offset()

    def pan(self, x: float, y: float) -> None:
        """Move the world by (x, y) pixels."""
        self.fitted = False
        self._move(x, y)

    def resize(self, window: tuple[int, int]) -> None:
        """Set the window's size in pixels; the position in its middle stays there."""
        right, down = (new - old for new, old in zip(window, self.window, strict=True))
        self.window = window
        self._move(right / 2, down / 2)

    def position_at(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """The world position of a pixel, in cells from the world's top left corner; may lie outside the world."""
        drawn, (x, y) = self.scale.zoom / self.scale.cells_a_pixel, (part / self.stretch for part in pixel)
        return (x - self.offset[0]) / drawn, (y - self.offset[1]) / drawn

    def cell_at(self, pixel: tuple[float, float]) -> tuple[int, int] | None:
        """The cell (column, row) at a pixel; None outside the world."""
        column, row = self.nearest_cell(pixel)
        return (column, row) if 0 <= column < self.world[0] and 0 <= row < self.world[1] else None

    def nearest_cell(self, pixel: tuple[float, float]) -> tuple[int, int]:
        """The cell (column, row) at a pixel on an unbounded grid; may lie outside the world."""
        x, y = self.position_at(pixel)
        return int(x // 1), int(y // 1)

    def pixel_of(self, cell: tuple[float, float]) -> tuple[float, float]:
        """The pixel of a world position in cells. A cell's top left corner is (column, row)."""
        pixels = self._pixels_a_cell
        left, top = (part * self.stretch for part in self.offset)
        return cell[0] * pixels + left, cell[1] * pixels + top

    def _move(self, x: float, y: float) -> None:
        """Move the world by pixels of the window. The part that a stretched picture cannot show is kept for later."""
        wanted = tuple(
            at + by / self.stretch + rest for at, by, rest in zip(self.offset, (x, y), self._rest, strict=True)
        )
        self.offset = round(wanted[0]), round(wanted[1])
        stretched = self.stretch != 1
        self._rest = (wanted[0] - self.offset[0], wanted[1] - self.offset[1]) if stretched else (0.0, 0.0)
        self._clamp_offset()

    @property
    def _pixels_a_cell(self) -> float:
        """The window's pixels for each cell, along each axis."""
        return self.scale.zoom / self.scale.cells_a_pixel * self.stretch

    @property
    def _free_size(self) -> tuple[int, int]:
        left, top, right, bottom = self.margins
        return max(self.window[0] - left - right, 1), max(self.window[1] - top - bottom, 1)

    def _fits(self, scale: Scale) -> bool:
        return all(
            pixels <= room for pixels, room in zip(scale.picture_size(*self.world), self._free_size, strict=True)
        )

    def _room(self, level: int) -> float:
        """The ratio of the free part of the window to the picture of the world at a zoom level; 1 or more: it fits.

        A stretched picture needs a pixel more on each side, because its place is a whole number of its own pixels.
        """
        picture = ZOOMS[level].picture_size(*self.world)
        return min(free / (pixels + 2) for free, pixels in zip(self._free_size, picture, strict=True))

    def _centre(self) -> None:
        picture = (pixels * self.stretch for pixels in self.scale.picture_size(*self.world))
        left, top = (
            margin + (room - pixels) / 2
            for margin, room, pixels in zip(self.margins, self._free_size, picture, strict=False)
        )
        self.offset, self._rest = (int(left / self.stretch // 1), int(top / self.stretch // 1)), (0.0, 0.0)

    def _clamp_offset(self) -> None:
        picture = self.scale.picture_size(*self.world)
        (x, y), (width, height) = self.offset, self.drawn_size
        self.offset = _clamped(x, picture[0], width), _clamped(y, picture[1], height)


def _clamped(at: int, picture: int, window: int) -> int:
    margin = min(MARGIN, picture)
    return min(max(at, margin - picture), window - margin)
