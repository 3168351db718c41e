"""The camera: which part of the world the window shows, at which zoom; converts between pixels and cells."""

from __future__ import annotations

from gpufluid.render.scale import Scale

_STEPS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)

ZOOMS = (*(Scale(cells_a_pixel=n) for n in reversed(_STEPS)), Scale(), *(Scale(zoom=n) for n in _STEPS))
"""All zoom levels, from far to near. Only whole factors: cells have sharp edges near, and pixels average whole
cells far away, so a moving picture does not shimmer."""

MARGIN = 32
"""Least number of pixels of the world that stay in the window however far the world is dragged."""


class Camera:
    """A view of a world. Pixels are framebuffer pixels (x, y) from the window's top left corner.

    Args:
        world: (width, height) in cells.
        window: (width, height) in pixels.

    Attributes:
        margins: widths in pixels of the borders (left, top, right, bottom) that panels cover; `fit` avoids them.
        fitted: whether the view was neither zoomed nor moved since `fit`.
    """

    def __init__(self, world: tuple[int, int], window: tuple[int, int]) -> None:
        self.world, self.window = world, window
        self.margins: tuple[int, int, int, int] = (0, 0, 0, 0)
        self._zoom = ZOOMS.index(Scale())
        self.offset: tuple[int, int] = (0, 0)
        self.fitted = True
        self.fit()

    @property
    def scale(self) -> Scale:
        """The current zoom."""
        return ZOOMS[self._zoom]

    def fit(self) -> None:
        """Choose the nearest zoom that shows the whole world, and centre the world in the free part of the window."""
        fitting = [number for number, scale in enumerate(ZOOMS) if self._fits(scale)]
        self._zoom = max(fitting, default=0)
        self.fitted = True
        self._centre()

    def one_to_one(self) -> None:
        """Zoom to one pixel a cell about the middle of the window."""
        middle = self.window[0] / 2, self.window[1] / 2
        self.zoom_at(middle, ZOOMS.index(Scale()) - self._zoom)

    def zoom_at(self, pixel: tuple[float, float], steps: int) -> None:
        """Zoom in by `steps` levels (negative: out); the position at the pixel stays there."""
        x, y = self.position_at(pixel)
        self.fitted = False
        self._zoom = min(max(self._zoom + steps, 0), len(ZOOMS) - 1)
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
        pixels = self._pixels_a_cell
        return (pixel[0] - self.offset[0]) / pixels, (pixel[1] - self.offset[1]) / pixels

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
        return cell[0] * pixels + self.offset[0], cell[1] * pixels + self.offset[1]

    def _move(self, x: float, y: float) -> None:
        self.offset = self.offset[0] + round(x), self.offset[1] + round(y)
        self._clamp_offset()

    @property
    def _pixels_a_cell(self) -> float:
        return self.scale.zoom / self.scale.cells_a_pixel

    @property
    def _free_size(self) -> tuple[int, int]:
        left, top, right, bottom = self.margins
        return max(self.window[0] - left - right, 1), max(self.window[1] - top - bottom, 1)

    def _fits(self, scale: Scale) -> bool:
        return all(
            pixels <= room for pixels, room in zip(scale.picture_size(*self.world), self._free_size, strict=True)
        )

    def _centre(self) -> None:
        picture, room = self.scale.picture_size(*self.world), self._free_size
        self.offset = self.margins[0] + (room[0] - picture[0]) // 2, self.margins[1] + (room[1] - picture[1]) // 2

    def _clamp_offset(self) -> None:
        picture = self.scale.picture_size(*self.world)
        (x, y), (width, height) = self.offset, self.window
        self.offset = _clamped(x, picture[0], width), _clamped(y, picture[1], height)


def _clamped(at: int, picture: int, window: int) -> int:
    margin = min(MARGIN, picture)
    return min(max(at, margin - picture), window - margin)
