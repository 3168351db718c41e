"""Time series of a run: the statistics of its world at some ticks, saved as a table or a picture."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gpufluid.core.fields import FIELDS, FULL, TEMPERATURE_ONE, Field, Summary
from gpufluid.core.files import written_whole
from gpufluid.render.curves import Curve, Panel, draw
from gpufluid.scene.matter import amount_fields
from gpufluid.world import World
from gpufluid.world.statistics import Statistics

ENDINGS = (".csv", ".png")

_RANGE = {"least": "#0072b2", "mean": "#22252b", "largest": "#d55e00"}
_HEAT = "#8c564b"


class TimeSeries:
    """The statistics of a world at some of its ticks.

    Args:
        world: a world with the same laws; its arrays are not read.
        title: the title of the picture.
    """

    def __init__(self, world: World, title: str = "") -> None:
        self._materials = world.materials
        self._title = title
        self._held = amount_fields(world)
        fields = [FIELDS[name] for name in world.fields]
        self._ranged = [field for field in fields if field.summary is Summary.EXTREMES and field.measure is None]
        self._warm = any(field.quantity == "heat" for field in fields)
        self._ticks: list[int] = []
        self._cells: list[np.ndarray] = []  # one row a tick
        self._amounts: list[list[int]] = []  # units of each material that is stored as an amount, one row a tick
        self._heat: list[int] = []
        self._ranges: list[list[tuple[float, ...]]] = []  # least, mean and largest of each field; nan: no atoms

    def note(self, found: Statistics) -> None:
        """Add the statistics of a tick, unless that tick has been added already."""
        if self._ticks and found.tick == self._ticks[-1]:
            return
        self._ticks.append(found.tick)
        self._cells.append(np.fromiter(found.cells.values(), np.int64))
        self._amounts.append([found.units_of(name, field) for name, field in self._held.items()])
        self._heat.append(found.heat)
        self._ranges.append([_range_of(field, found) for field in self._ranged])

    def save(self, path: Path) -> None:
        """Write a table or a picture, by the file's ending, one of `ENDINGS`.

        Raises: OutputError: the file could not be written; no part of it is left.
        """
        with written_whole(path) as file:
            if path.suffix.lower() == ".png":
                draw(self._title, self._ticks, list(self._panels())).save(file, "PNG")
                return
            with file.open("w", newline="", encoding="utf-8") as text:
                csv.writer(text, lineterminator="\n").writerows(self._rows())

    def _found(self) -> dict[str, np.ndarray]:
        """The number of cells at each tick, (ticks,) int64, of each material that ever occurred, by name."""
        columns = np.stack(self._cells, 1)
        named = ((record.name, columns[number]) for number, record in enumerate(self._materials) if number)
        return {name: cells for name, cells in named if cells.any()}

    def _rows(self) -> Iterator[list[object]]:
        """The rows of the table: a header with the units, then one row a tick."""
        columns: dict[str, list[object]] = {"tick": list(self._ticks)}
        columns |= {f"{name} (cells)": cells.tolist() for name, cells in self._found().items()}
        for (name, field), units in zip(self._held.items(), zip(*self._amounts, strict=True), strict=False):
            columns[f"{'mass' if field == 'mass' else name} (1/{FULL} cell)"] = list(units)
        for field, ranges in zip(self._ranged, zip(*self._ranges, strict=True), strict=False):
            for kind, values in zip(_RANGE, zip(*ranges, strict=True), strict=True):
                texts = ["" if np.isnan(each) else f"{each:.3f}" for each in values]
                columns[f"{kind} {field.name} ({field.unit})"] = list(texts)
        if self._warm:
            columns[f"heat (1/{TEMPERATURE_ONE} degree of a cell)"] = list(self._heat)
        yield list(columns)
        yield from map(list, zip(*columns.values(), strict=True))

    def _panels(self) -> Iterator[Panel]:
        """The panels of the picture. A material whose cells do not change has no curve if other materials have one."""
        found = self._found()
        changing = {name: cells for name, cells in found.items() if np.ptp(cells)}
        curves = []
        for (name, field), units in zip(self._held.items(), np.transpose(self._amounts), strict=False):
            curves.append(Curve(f"{name} ({field})", self._colour(name), units / FULL))
        for name, cells in (changing | found).items():
            if name in changing or not (changing or curves):
                curves.append(Curve(name, self._colour(name), cells))
            else:
                curves.append(Curve(f"{name} ({cells[0]:,} throughout)", self._colour(name)))
        yield Panel("cells of each material", curves or [Curve("nothing", "#22252b", [0] * len(self._ticks))])
        for field, ranges in zip(self._ranged, zip(*self._ranges, strict=True), strict=False):
            values, named = np.array(ranges), enumerate(_RANGE.items())
            curves = [Curve(kind, colour, values[:, column]) for column, (kind, colour) in named]
            yield Panel(f"{field.name}, {field.unit}", curves)
        if self._warm:
            heat = np.array(self._heat, float) / TEMPERATURE_ONE
            yield Panel("heat held, degrees of a cell, from 0 degrees C", [Curve("heat", _HEAT, heat)])

    def _colour(self, name: str) -> str:
        red, green, blue = self._materials.records[self._materials[name]].colour
        return f"#{red:02x}{green:02x}{blue:02x}"


def _range_of(field: Field, found: Statistics) -> tuple[float, ...]:
    """The least, the mean and the largest value of a field over all atoms, in `Field.unit`; nan if there are none."""
    ends = found.extremes.get(field.name)
    if ends is None:
        return (np.nan,) * 3
    return ends[0] / field.one, found.sums[field.name] / found.matter / field.one, ends[1] / field.one
