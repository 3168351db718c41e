"""Speed against size as a picture: a panel for each world's rules, a line for each workload, the ceiling dashed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from gpufluid.benchmark.report import Row, key
from gpufluid.files import written_whole

_PANEL = (460, 380)
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 34, 16, 44
_HEAD, _FOOT = 46, 56
_FINE = 2  # drawn so many times as large, and then made smaller: lines without stairs
_PAPER, _INK, _GRID, _CEILING = "#ffffff", "#22252b", "#e2e4e8", "#5c626e"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c564b")
"""Of Okabe and Ito, which those with any colour vision can tell apart; by turns if there are more lines."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie in a panel, both axes logarithmic.

    Args:
        sides: the least and the greatest side of a world.
        speeds: the least and the greatest speed, in Mcell/s.
        corner: of the panel's picture.
    """

    sides: tuple[float, float]
    speeds: tuple[float, float]
    corner: Point

    def at(self, side: float, speed: float) -> Point:
        """The pixel of a value."""
        across = _PANEL[0] - _LEFT - _RIGHT
        down = _PANEL[1] - _TOP - _BOTTOM
        x = self.corner[0] + _LEFT + across * _part(side, *self.sides)
        return x, self.corner[1] + _PANEL[1] - _BOTTOM - down * _part(speed, *self.speeds)


def save(answer: Mapping[str, Any], path: Path) -> None:
    """Draw an answer that has rows, and write it as PNG. Raises OutputError."""
    picture = draw(answer)
    with written_whole(path) as file:
        picture.save(file, "PNG")


def draw(answer: Mapping[str, Any]) -> Image.Image:
    """The same as a picture."""
    panels: dict[str, dict[str, list[Row]]] = {}
    for row in answer["rows"]:
        rules, workload, _, _, variant = key(row)
        name = workload if variant == "auto" else f"{workload} {variant}"
        panels.setdefault(rules, {}).setdefault(name, []).append(row)
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    colours = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(names)}
    size = _FINE * max(2 * _PANEL[0], _PANEL[0] * len(panels)), _FINE * (_HEAD + _PANEL[1] + _FOOT)
    picture = Image.new("RGB", size, _PAPER)
    pen = _Pen(ImageDraw.Draw(picture))
    environment = answer["environment"]
    kind = "software OpenGL" if environment["software"] else "GPU"
    pen.text((16, 10), f"gpufluid bench, {environment['renderer']} ({kind}), {answer['date']}", 15)
    sides, speeds = _bounds(answer["rows"])
    for number, (rules, lines) in enumerate(panels.items()):
        scale = Scale(sides, speeds, (number * _PANEL[0], _HEAD))
        _axes(pen, scale, rules)
        _ceiling(pen, scale, [row for rows in lines.values() for row in rows])
        for name, rows in lines.items():
            _line(pen, scale, rows, colours[name])
    _legend(pen, colours, _HEAD + _PANEL[1] + 6, size[0] // _FINE)
    return picture.resize((size[0] // _FINE, size[1] // _FINE), Image.Resampling.LANCZOS)


def _side(row: Row) -> float:
    return math.sqrt(row["width"] * row["height"])


def _ceiling_speed(row: Row) -> float:
    """Mcell/s, if a tick's least bytes moved as fast as the copy does."""
    return row["copy_bytes_per_second"] / row["bytes_a_tick"] * row["width"] * row["height"] / 1e6


def _bounds(rows: Sequence[Row]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Of both axes: sides with room beside them, speeds from one power of ten to another."""
    sides = [_side(row) for row in rows]
    speeds = [value for row in rows for value in (row["cells_per_second"] / 1e6, _ceiling_speed(row))]
    low, high = (round_(math.log10(end)) for round_, end in ((math.floor, min(speeds)), (math.ceil, max(speeds))))
    return (min(sides) / 1.4, max(sides) * 1.4), (10.0**low, 10.0 ** max(high, low + 1))


def _part(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


class _Pen:
    """Draws in the picture's own pixels what is given in those of the finished one."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def line(self, points: Iterable[Point], colour: str, width: float = 1) -> None:
        fine = [(_FINE * x, _FINE * y) for x, y in points]
        self._draw.line(fine, colour, round(_FINE * width), joint="curve")

    def dashes(self, points: Sequence[Point], colour: str) -> None:
        for (x, y), (to_x, to_y) in pairwise(points):
            steps = max(1, round(math.hypot(to_x - x, to_y - y) / 5))
            for step in range(0, steps, 2):
                ends = (step / steps, min(step + 1, steps) / steps)
                self.line([(x + (to_x - x) * end, y + (to_y - y) * end) for end in ends], colour, 1.5)

    def dot(self, at: Point, colour: str) -> None:
        x, y, radius = _FINE * at[0], _FINE * at[1], 3.5 * _FINE
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)

    def text(self, at: Point, words: str, size: int = 12, anchor: str = "la", colour: str = _INK) -> None:
        font = ImageFont.load_default(_FINE * size)
        self._draw.text((_FINE * at[0], _FINE * at[1]), words, colour, font, anchor)

    def width(self, words: str, size: int = 12) -> float:
        return ImageFont.load_default(_FINE * size).getlength(words) / _FINE


def _axes(pen: _Pen, scale: Scale, title: str) -> None:
    left, bottom = scale.at(scale.sides[0], scale.speeds[0])
    right, top = scale.at(scale.sides[1], scale.speeds[1])
    for power in range(round(math.log10(scale.speeds[0])), round(math.log10(scale.speeds[1])) + 1):
        y = scale.at(scale.sides[0], 10.0**power)[1]
        pen.line([(left, y), (right, y)], _GRID)
        pen.text((left - 8, y), f"{10.0**power:,g}", anchor="rm")
    powers = range(math.ceil(math.log2(scale.sides[0])), math.floor(math.log2(scale.sides[1])) + 1)
    every = max(1, len(powers) // 6)
    for power in powers[::every]:
        x = scale.at(2.0**power, scale.speeds[0])[0]
        pen.line([(x, bottom), (x, top)], _GRID)
        pen.text((x, bottom + 6), str(2**power), anchor="ma")
    pen.line([(left, top), (left, bottom), (right, bottom)], _INK)
    pen.text(((left + right) / 2, top - 22), f"{title}: Mcell/s", 14, "ma")
    pen.text(((left + right) / 2, bottom + 23), "side of the world, in cells", anchor="ma")


def _ceiling(pen: _Pen, scale: Scale, rows: Sequence[Row]) -> None:
    """By size, the median of what all rows of it measured: they differ in their copies' noise, and in ports."""
    by_side: dict[float, list[float]] = {}
    for row in rows:
        by_side.setdefault(_side(row), []).append(_ceiling_speed(row))
    points = [scale.at(side, sorted(found)[len(found) // 2]) for side, found in sorted(by_side.items())]
    if len(points) == 1:  # a short dash stands for the line
        points = [(points[0][0] - 24, points[0][1]), (points[0][0] + 24, points[0][1])]
    pen.dashes(points, _CEILING)


def _line(pen: _Pen, scale: Scale, rows: Sequence[Row], colour: str) -> None:
    points = [scale.at(_side(row), row["cells_per_second"] / 1e6) for row in sorted(rows, key=_side)]
    if len(points) > 1:
        pen.line(points, colour, 2)
    for point in points:
        pen.dot(point, colour)


def _legend(pen: _Pen, colours: Mapping[str, str], y: float, width: int) -> None:
    """The lines' names, and what the dashes are; a second row where one does not hold them."""
    entries = [*colours.items(), ("ceiling: the copy's bandwidth by the least bytes a cell", _CEILING)]
    x = 16.0
    for name, colour in entries:
        needed = 34 + pen.width(name) + 18
        if x + needed > width and x > 16:
            x, y = 16.0, y + 20
        sample = [(x, y + 8), (x + 26, y + 8)]
        if name in colours:
            pen.line(sample, colour, 2)
            pen.dot((x + 13, y + 8), colour)
        else:
            pen.dashes(sample, colour)
        pen.text((x + 34, y + 8), name, anchor="lm")
        x += needed
