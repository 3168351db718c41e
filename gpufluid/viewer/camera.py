"""Which part of a world is seen, and how large: pixels to cells and back."""

from __future__ import annotations

from gpufluid.render.scale import Scale

_STEPS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)

ZOOMS = (*(Scale(cells_a_pixel=n) for n in reversed(_STEPS)), Scale(), *(Scale(zoom=n) for n in _STEPS))
"""All that there are, from far to near. Whole cells or whole averages only: crisp when near, no shimmer when far."""

MARGIN = 32
"""So many pixels of the world stay in the window at least, however far it is dragged."""


class Camera:
    """A view of a world. Pixels are (x, y) from the window's top left, as the framebuffer has them.

    Args:
        world: (width, height) in cells.
        window: (width, height) in pixels.

    Attributes:
        margins: pixels at the left, top, right and bottom that something else covers; `fit` leaves them out.
    """

    def __init__(self, world: tuple[int, int], window: tuple[int, int]) -> None:
        self.world, self.window = world, window
        self.margins: tuple[int, int, int, int] = (0, 0, 0, 0)
        self._zoom = ZOOMS.index(Scale())
        self.offset: tuple[int, int] = (0, 0)
        self.fit()

    @property
    def scale(self) -> Scale:
        """How large a cell is drawn."""
        return ZOOMS[self._zoom]

    def fit(self) -> None:
        """As near as the whole world can be seen, in the middle of what is free of the window."""
        fitting = [number for number, scale in enumerate(ZOOMS) if self._fits(scale)]
        self._zoom = max(fitting, default=0)
        self._centre()

    def one_to_one(self) -> None:
        """A pixel a cell, the middle of the window staying where it is in the world."""
        middle = self.window[0] / 2, self.window[1] / 2
        self.zoom_at(middle, ZOOMS.index(Scale()) - self._zoom)

    def zoom_at(self, pixel: tuple[float, float], steps: int) -> None:
        """Nearer by so many steps, or farther by a negative number; what lies at the pixel stays there."""
        x, y = self.position_at(pixel)
        self._zoom = min(max(self._zoom + steps, 0), len(ZOOMS) - 1)
        pixels = self._pixels_a_cell
        self.offset = round(pixel[0] - x * pixels), round(pixel[1] - y * pixels)
        self._stay()

    def pan(self, x: float, y: float) -> None:
        """Move the world by so many pixels."""
        self.offset = self.offset[0] + round(x), self.offset[1] + round(y)
        self._stay()

    def resize(self, window: tuple[int, int]) -> None:
        """The window has another size; what was in its middle stays there."""
        right, down = (new - old for new, old in zip(window, self.window, strict=True))
        self.window = window
        self.pan(right / 2, down / 2)

    def position_at(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """Where a pixel lies in the world, in cells from its top left corner; also outside it."""
        pixels = self._pixels_a_cell
        return (pixel[0] - self.offset[0]) / pixels, (pixel[1] - self.offset[1]) / pixels

    def cell_at(self, pixel: tuple[float, float]) -> tuple[int, int] | None:
        """The (column, row) of the cell at a pixel, None outside the world."""
        column, row = self.nearest_cell(pixel)
        return (column, row) if 0 <= column < self.world[0] and 0 <= row < self.world[1] else None

    def nearest_cell(self, pixel: tuple[float, float]) -> tuple[int, int]:
        """The (column, row) at a pixel as if the world went on outside its edges."""
        x, y = self.position_at(pixel)
        return int(x // 1), int(y // 1)

    def pixel_of(self, cell: tuple[float, float]) -> tuple[float, float]:
        """The pixel at a place in the world, in cells; of a cell's middle, add a half."""
        pixels = self._pixels_a_cell
        return cell[0] * pixels + self.offset[0], cell[1] * pixels + self.offset[1]

    @property
    def _pixels_a_cell(self) -> float:
        return self.scale.zoom / self.scale.cells_a_pixel

    @property
    def _room(self) -> tuple[int, int]:
        left, top, right, bottom = self.margins
        return max(self.window[0] - left - right, 1), max(self.window[1] - top - bottom, 1)

    def _fits(self, scale: Scale) -> bool:
        return all(pixels <= room for pixels, room in zip(scale.picture_size(*self.world), self._room, strict=True))

    def _centre(self) -> None:
        picture, room = self.scale.picture_size(*self.world), self._room
        self.offset = self.margins[0] + (room[0] - picture[0]) // 2, self.margins[1] + (room[1] - picture[1]) // 2

    def _stay(self) -> None:
        picture = self.scale.picture_size(*self.world)
        (x, y), (width, height) = self.offset, self.window
        self.offset = _held(x, picture[0], width), _held(y, picture[1], height)


def _held(at: int, picture: int, window: int) -> int:
    margin = min(MARGIN, picture)
    return min(max(at, margin - picture), window - margin)
