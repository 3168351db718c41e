"""Labels that are never longer than their axis, in matplotlib; of the extra ``plot``."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.text import Text

_LINES = 3
"""The most lines of a label; one that is still too long gets smaller."""

_SMALLEST = 5
"""The size of the smallest label, in points; one that is still too long is not shown."""

_SLACK = 4
"""Characters that a line of a broken label may have over its part of the whole."""


@dataclass(slots=True)
class Label:
    """The label of an axis.

    Args:
        text: its text.
        side: the side of the axes along which it lies.
    """

    text: Text
    side: Literal["width", "height"]
    _whole: str = ""
    _shown: tuple[str, float] = ("", 0.0)
    _size: float = 0.0

    def fit(self, longest: float, renderer: RendererBase | None) -> None:
        """Break the text into lines, or make it smaller, if it is longer than this, in pixels."""
        if (self.text.get_text(), self.text.get_fontsize()) != self._shown:  # new, or changed by the caller
            self._whole, self._size = self.text.get_text(), float(self.text.get_fontsize())
        smaller = range(math.ceil(self._size) - 1, _SMALLEST - 1, -1)
        for lines, size in [*((lines, self._size) for lines in range(1, _LINES + 1)), *((_LINES, s) for s in smaller)]:
            width = math.ceil(len(self._whole) / lines) + _SLACK
            self.text.set_text(self._whole if lines == 1 else textwrap.fill(self._whole, width, break_long_words=False))
            self.text.set_fontsize(size)
            length = getattr(self.text.get_window_extent(renderer), self.side)
            if length <= longest:
                break
        else:
            self.text.set_text("")
        self._shown = self.text.get_text(), float(self.text.get_fontsize())


class ShortLabels(Artist):
    """Fits labels to axes each time the axes are drawn, before the labels are.

    Args:
        ax: the axes.
        labels: labels as long as a side of these axes.
    """

    def __init__(self, ax: Axes, labels: Sequence[Label]) -> None:
        super().__init__()
        self._labels = labels
        self.set_zorder(-math.inf)
        self.set_in_layout(False)
        ax.add_artist(self)

    def draw(self, renderer: RendererBase) -> None:
        """Fit the labels; nothing is drawn."""
        assert isinstance(self.axes, Axes)
        sides = self.axes.get_window_extent(renderer)
        for label in self._labels:
            label.fit(getattr(sides, label.side), renderer)
