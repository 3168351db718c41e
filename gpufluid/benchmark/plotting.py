"""Plot of a benchmark: speed against size, a panel for each set of rules, a line for each workload, and the ceiling."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from gpufluid.benchmark.report import Row, key
from gpufluid.core.files import written_whole
from gpufluid.render.pen import COLOURS, GRID, INK, Pen, Point

_PANEL = (460, 380)
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 34, 16, 44
_HEAD, _FOOT = 46, 56
_CEILING = "#5c626e"


@dataclass(frozen=True, slots=True)
class LogAxes:
    """Logarithmic axes of a panel: maps sizes and speeds to pixels.

    Args:
        sides: (low, high) of the horizontal axis: side of the world, in cells.
        speeds: (low, high) of the vertical axis, in Mcell/s.
        corner: pixel (x, y) of the panel's top left corner.
    """

    sides: tuple[float, float]
    speeds: tuple[float, float]
    corner: Point

    def at(self, side: float, speed: float) -> Point:
        """Return the pixel (x, y) of a speed at a side."""
        across = _PANEL[0] - _LEFT - _RIGHT
        down = _PANEL[1] - _TOP - _BOTTOM
        x = self.corner[0] + _LEFT + across * _part(side, *self.sides)
        return x, self.corner[1] + _PANEL[1] - _BOTTOM - down * _part(speed, *self.speeds)


def save(results: Mapping[str, Any], path: Path) -> None:
    """Draw results with at least one row, and write the picture as PNG. Raises: OutputError: it cannot be written."""
    picture = draw(results)
    with written_whole(path) as file:
        picture.save(file, "PNG")


def draw(results: Mapping[str, Any]) -> Image.Image:
    """Draw results with at least one row. Returns the picture."""
    panels: dict[str, dict[str, list[Row]]] = {}
    for row in results["rows"]:
        rules, workload, _, _, variant = key(row)
        name = workload if variant == "auto" else f"{workload} {variant}"
        panels.setdefault(rules, {}).setdefault(name, []).append(row)
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    pen = Pen(max(2 * _PANEL[0], _PANEL[0] * len(panels)), _HEAD + _PANEL[1] + _FOOT)
    environment = results["environment"]
    kind = "software OpenGL" if environment["software"] else "GPU"
    pen.text((16, 10), f"gpufluid bench, {environment['renderer']} ({kind}), {results['date']}", 15)
    sides, speeds = _bounds(results["rows"])
    for number, (rules, lines) in enumerate(panels.items()):
        axes = LogAxes(sides, speeds, (number * _PANEL[0], _HEAD))
        _axes(pen, axes, rules)
        _ceiling(pen, axes, [row for rows in lines.values() for row in rows])
        for name, rows in lines.items():
            _line(pen, axes, rows, colours[name])
    _legend(pen, colours)
    return pen.picture()


def _side(row: Row) -> float:
    return math.sqrt(row["width"] * row["height"])


def _ceiling_speed(row: Row) -> float:
    """Largest possible speed in Mcell/s: the copy's bandwidth divided by a tick's least bytes for each cell."""
    return row["copy_bytes_per_second"] / row["bytes_a_tick"] * row["width"] * row["height"] / 1e6


def _bounds(rows: Sequence[Row]) -> tuple[tuple[float, float], tuple[float, float]]:
    """(low, high) of both axes: sides with a margin, speeds between powers of ten."""
    sides = [_side(row) for row in rows]
    speeds = [value for row in rows for value in (row["cells_per_second"] / 1e6, _ceiling_speed(row))]
    low, high = (round_(math.log10(end)) for round_, end in ((math.floor, min(speeds)), (math.ceil, max(speeds))))
    return (min(sides) / 1.4, max(sides) * 1.4), (10.0**low, 10.0 ** max(high, low + 1))


def _part(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


def _axes(pen: Pen, axes: LogAxes, title: str) -> None:
    left, bottom = axes.at(axes.sides[0], axes.speeds[0])
    right, top = axes.at(axes.sides[1], axes.speeds[1])
    for power in range(round(math.log10(axes.speeds[0])), round(math.log10(axes.speeds[1])) + 1):
        y = axes.at(axes.sides[0], 10.0**power)[1]
        pen.line([(left, y), (right, y)], GRID)
        pen.text((left - 8, y), f"{10.0**power:,g}", anchor="rm")
    powers = range(math.ceil(math.log2(axes.sides[0])), math.floor(math.log2(axes.sides[1])) + 1)
    every = max(1, len(powers) // 6)
    for power in powers[::every]:
        x = axes.at(2.0**power, axes.speeds[0])[0]
        pen.line([(x, bottom), (x, top)], GRID)
        pen.text((x, bottom + 6), str(2**power), anchor="ma")
    pen.line([(left, top), (left, bottom), (right, bottom)], INK)
    pen.text(((left + right) / 2, top - 22), f"{title}: Mcell/s", 14, "ma")
    pen.text(((left + right) / 2, bottom + 23), "side of the world, in cells", anchor="ma")


def _ceiling(pen: Pen, axes: LogAxes, rows: Sequence[Row]) -> None:
    """Draw the median ceiling for each size; rows of one size differ by measuring noise and by emitters and drains."""
    by_side: dict[float, list[float]] = {}
    for row in rows:
        by_side.setdefault(_side(row), []).append(_ceiling_speed(row))
    points = [axes.at(side, sorted(found)[len(found) // 2]) for side, found in sorted(by_side.items())]
    if len(points) == 1:  # one size: draw a short dash
        points = [(points[0][0] - 24, points[0][1]), (points[0][0] + 24, points[0][1])]
    pen.dashes(points, _CEILING)


def _line(pen: Pen, axes: LogAxes, rows: Sequence[Row], colour: str) -> None:
    points = [axes.at(_side(row), row["cells_per_second"] / 1e6) for row in sorted(rows, key=_side)]
    if len(points) > 1:
        pen.line(points, colour, 2)
    for point in points:
        pen.dot(point, colour)


def _legend(pen: Pen, colours: Mapping[str, str]) -> None:
    """Draw the legend, in as many rows as needed."""
    entries = [*colours.items(), ("ceiling: bandwidth of a copy / least bytes a cell", _CEILING)]
    x, y = 16.0, _HEAD + _PANEL[1] + 6.0
    for name, colour in entries:
        needed = 34 + pen.text_width(name) + 18
        if x + needed > pen.width and x > 16:
            x, y = 16.0, y + 20
        sample = [(x, y + 8), (x + 26, y + 8)]
        if name in colours:
            pen.line(sample, colour, 2)
            pen.dot((x + 13, y + 8), colour)
        else:
            pen.dashes(sample, colour)
        pen.text((x + 34, y + 8), name, anchor="lm")
        x += needed
