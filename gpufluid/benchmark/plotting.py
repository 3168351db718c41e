"""Speed against size as a picture: a panel for each world's rules, a line for each workload, the ceiling dashed."""

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
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    pen = Pen(max(2 * _PANEL[0], _PANEL[0] * len(panels)), _HEAD + _PANEL[1] + _FOOT)
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
    _legend(pen, colours)
    return pen.picture()


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


def _axes(pen: Pen, scale: Scale, title: str) -> None:
    left, bottom = scale.at(scale.sides[0], scale.speeds[0])
    right, top = scale.at(scale.sides[1], scale.speeds[1])
    for power in range(round(math.log10(scale.speeds[0])), round(math.log10(scale.speeds[1])) + 1):
        y = scale.at(scale.sides[0], 10.0**power)[1]
        pen.line([(left, y), (right, y)], GRID)
        pen.text((left - 8, y), f"{10.0**power:,g}", anchor="rm")
    powers = range(math.ceil(math.log2(scale.sides[0])), math.floor(math.log2(scale.sides[1])) + 1)
    every = max(1, len(powers) // 6)
    for power in powers[::every]:
        x = scale.at(2.0**power, scale.speeds[0])[0]
        pen.line([(x, bottom), (x, top)], GRID)
        pen.text((x, bottom + 6), str(2**power), anchor="ma")
    pen.line([(left, top), (left, bottom), (right, bottom)], INK)
    pen.text(((left + right) / 2, top - 22), f"{title}: Mcell/s", 14, "ma")
    pen.text(((left + right) / 2, bottom + 23), "side of the world, in cells", anchor="ma")


def _ceiling(pen: Pen, scale: Scale, rows: Sequence[Row]) -> None:
    """By size, the median of what all rows of it measured: they differ in their copies' noise, and in ports."""
    by_side: dict[float, list[float]] = {}
    for row in rows:
        by_side.setdefault(_side(row), []).append(_ceiling_speed(row))
    points = [scale.at(side, sorted(found)[len(found) // 2]) for side, found in sorted(by_side.items())]
    if len(points) == 1:  # a short dash stands for the line
        points = [(points[0][0] - 24, points[0][1]), (points[0][0] + 24, points[0][1])]
    pen.dashes(points, _CEILING)


def _line(pen: Pen, scale: Scale, rows: Sequence[Row], colour: str) -> None:
    points = [scale.at(_side(row), row["cells_per_second"] / 1e6) for row in sorted(rows, key=_side)]
    if len(points) > 1:
        pen.line(points, colour, 2)
    for point in points:
        pen.dot(point, colour)


def _legend(pen: Pen, colours: Mapping[str, str]) -> None:
    """The lines' names, and what the dashes are; a second row where one does not hold them."""
    entries = [*colours.items(), ("ceiling: the copy's bandwidth by the least bytes a cell", _CEILING)]
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
