"""Line plots over the ticks of a run: one panel for each unit, one below the other, each with a legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageColor

from gpufluid.render.pen import GRID, INK, Pen, Point

_ACROSS = 640
_LOWEST = 190
_LEFT, _HEAD, _TITLE, _FOOT, _GAP = 76, 44, 30, 46, 22
_ENTRY = 18
_LIGHT = 0.7

_EXACT = 10**12
"""Labels of the tick axis are computed from the remainder of each tick by this number: floats represent the remainder
exactly, but not ticks from 2**53 on."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a plot. Without values, only its entry in the legend is drawn.

    Args:
        name: in the legend.
        colour: "#rrggbb"; a light colour is drawn with a dark edge.
        values: (ticks,) float, one for each recorded tick; NaN where there is no value.
    """

    name: str
    colour: str
    values: Sequence[float] | np.ndarray = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot of curves of one unit.

    Args:
        title: with the unit.
        curves: at least one.
    """

    title: str
    curves: Sequence[Curve]

    @property
    def height(self) -> int:
        """Height of the plot area, in pixels."""
        return max(_LOWEST, _ENTRY * len(self.curves))

    @property
    def span(self) -> tuple[float, float]:
        """(low, high) of the value axis, at least 1 long: contains all values, and 0 unless all are far from 0."""
        found = np.concatenate([np.asarray(curve.values, float) for curve in self.curves])
        found = found[np.isfinite(found)]
        least, most = (float(found.min()), float(found.max())) if found.size else (0.0, 0.0)
        low = 0.0 if 0 < least < 0.5 * most else least
        high = 0.0 if 0 > most > 0.5 * least else most
        high += 0.04 * (high - low)
        missing = max(1 - (high - low), 0.0) / 2
        low, high = low - missing, high + missing
        return (0.0, high - low) if low < 0 <= least else (low, high)


@dataclass(frozen=True, slots=True)
class LinearAxes:
    """Linear axes of a panel: maps ticks and values to pixels.

    Args:
        ticks: (first, last) of the horizontal axis.
        span: (low, high) of the value axis.
        top, height: of the plot area, in pixels.
    """

    ticks: tuple[int, int]
    span: tuple[float, float]
    top: float
    height: float

    def at(self, since: float, value: float) -> Point:
        """Return the pixel (x, y) of a value, ``since`` ticks after the first tick."""
        across = since / (self.ticks[1] - self.ticks[0])
        up = (value - self.span[0]) / (self.span[1] - self.span[0])
        return _LEFT + _ACROSS * across, self.top + self.height * (1 - up)


def draw(title: str, ticks: Sequence[int], panels: Sequence[Panel]) -> Image.Image:
    """Draw panels below one another. Returns the picture.

    Args:
        title: above the panels.
        ticks: the recorded ticks, increasing; at least one.
        panels: from top to bottom.
    """
    names = [curve.name for panel in panels for curve in panel.curves]
    beside = max(Pen(1, 1).text_width(name) for name in names)
    tall = sum(_TITLE + panel.height + _GAP for panel in panels)
    pen = Pen(math.ceil(_LEFT + _ACROSS + 16 + 34 + beside + 16), _HEAD + tall + _FOOT)
    pen.text((16, 12), title, 15)
    top = _HEAD
    last = max(ticks[-1], ticks[0] + 1)
    for panel in panels:
        axes = LinearAxes((ticks[0], last), panel.span, top + _TITLE, panel.height)
        _axes(pen, axes, panel.title)
        for curve in panel.curves:
            _curve(pen, axes, np.array([tick - ticks[0] for tick in ticks], float), curve)
        _legend(pen, axes, panel.curves)
        top += _TITLE + panel.height + _GAP
    pen.text((_LEFT + _ACROSS / 2, pen.height - 24), "tick", anchor="ma")
    return pen.picture()


def axis_values(low: float, high: float, about: int = 5) -> list[float]:
    """Choose about `about` round values from low to high: multiples of 1, 2 or 5 times a power of ten."""
    wanted = (high - low) / about
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= wanted * 0.999)
    return [number * step for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _axes(pen: Pen, axes: LinearAxes, title: str) -> None:
    (first, last), (low, high) = axes.ticks, axes.span
    bottom = axes.top + axes.height
    for value in axis_values(low, high, max(3, round(axes.height / 45))):
        left, y = axes.at(0, value)
        pen.line([(left, y), (left + _ACROSS, y)], GRID)
        pen.text((left - 8, y), f"{value:,g}" if abs(value) < 1e5 else f"{value:,.0f}", anchor="rm")
    base = first - first % _EXACT
    for value in axis_values(first - base, last - base, 6):
        if value == int(value):
            x = axes.at(base + int(value) - first, low)[0]
            pen.line([(x, axes.top), (x, bottom)], GRID)
            pen.text((x, bottom + 5), f"{base + int(value):,}", anchor="ma")
    pen.line([(_LEFT, axes.top), (_LEFT, bottom), (_LEFT + _ACROSS, bottom)], INK)
    pen.text((_LEFT, axes.top - 20), title, 13)


def _curve(pen: Pen, axes: LinearAxes, since: np.ndarray, curve: Curve) -> None:
    """Draw a curve; its ticks are counted from the first one, (n,) float."""
    if not len(curve.values):
        return
    for run in _runs(since, np.asarray(curve.values, float)):
        points = [axes.at(tick, value) for tick, value in run]
        if len(points) == 1:
            pen.dot(points[0], curve.colour)
            continue
        _stroke(pen, points, curve.colour)


def _runs(ticks: np.ndarray, values: np.ndarray) -> Iterator[np.ndarray]:
    """Split a curve at its NaN values.

    Args:
        ticks, values: (n,) float.
    Yields: (m, 2) float, rows of (tick, value). Values that share a pixel are reduced to their least and largest.
    """
    if len(ticks) > 4 * _ACROSS:
        starts = np.linspace(0, len(ticks), 2 * _ACROSS, endpoint=False).astype(int)
        ends = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
        ticks, values = ticks[starts].repeat(2), np.stack(ends, 1).ravel()
    there = np.flatnonzero(np.isfinite(values))
    for part in np.split(there, np.flatnonzero(np.diff(there) > 1) + 1):
        if part.size:
            yield np.stack([ticks[part], values[part]], 1)


def _stroke(pen: Pen, points: Sequence[Point], colour: str) -> None:
    red, green, blue = ImageColor.getrgb(colour)[:3]
    if (0.299 * red + 0.587 * green + 0.114 * blue) / 255 > _LIGHT:
        edge = f"#{red * 5 // 9:02x}{green * 5 // 9:02x}{blue * 5 // 9:02x}"
        pen.line(points, edge, 3)
        pen.line(points, colour, 1.5)
    else:
        pen.line(points, colour, 2)


def _legend(pen: Pen, axes: LinearAxes, curves: Sequence[Curve]) -> None:
    x = _LEFT + _ACROSS + 16
    for number, curve in enumerate(curves):
        y = axes.top + _ENTRY * (number + 0.5)
        _stroke(pen, [(x, y), (x + 26, y)], curve.colour)
        pen.text((x + 34, y), curve.name, anchor="lm")
