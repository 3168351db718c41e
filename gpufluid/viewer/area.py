"""Rectangles of the window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the window, in pixels from its top left."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom

    @property
    def width(self) -> float:
        """In pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """In pixels."""
        return self.bottom - self.top

    def holds(self, x: float, y: float) -> bool:
        """Whether a pixel lies in it."""
        return self.left <= x < self.right and self.top <= y < self.bottom
