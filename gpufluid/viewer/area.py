"""Rectangles in the window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in the window; coordinates in pixels from the window's top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) in pixels."""
        return self.left, self.top, self.right, self.bottom

    @property
    def width(self) -> float:
        """The width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height in pixels."""
        return self.bottom - self.top

    def holds(self, x: float, y: float) -> bool:
        """True if pixel (x, y) lies in the rectangle."""
        return self.left <= x < self.right and self.top <= y < self.bottom
