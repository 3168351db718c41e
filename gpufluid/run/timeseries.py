"""The course of a run: what was in its world, tick by tick, as a table and as a picture."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gpufluid.core.fields import FULL, TEMPERATURE_ONE
from gpufluid.core.files import written_whole
from gpufluid.render.curves import Curve, Panel, draw
from gpufluid.scene.matter import held
from gpufluid.world import World
from gpufluid.world.statistics import Statistics

ENDINGS = (".csv", ".png")

_WARMTH = {"least": "#0072b2", "mean": "#22252b", "largest": "#d55e00"}
_HEAT = "#8c564b"


class TimeSeries:
    """The statistics of a world at some of its ticks.

    Args:
        world: whose laws hold.
        title: of the picture.
    """

    def __init__(self, world: World, title: str = "") -> None:
        self._materials = world.materials
        self._title = title
        self._held = held(world)
        self._warm = "temperature" in world.fields
        self._ticks: list[int] = []
        self._cells: list[np.ndarray] = []  # a row each
        self._amounts: list[list[int]] = []  # of what is held, in units
        self._heat: list[int] = []
        self._warmths: list[tuple[float, float, float]] = []  # least, mean and largest; nan where no atom is

    def note(self, found: Statistics) -> None:
        """Keep what was found at a tick, unless that tick is kept already."""
        if self._ticks and found.tick == self._ticks[-1]:
            return
        self._ticks.append(found.tick)
        self._cells.append(np.fromiter(found.cells.values(), np.int64))
        self._amounts.append([found.units_of(name, field) for name, field in self._held.items()])
        self._heat.append(found.heat)
        ends = (found.least, found.mean, found.largest)
        self._warmths.append(tuple(np.nan if each is None else each for each in ends))  # pyright: ignore[reportArgumentType]

    def save(self, path: Path) -> None:
        """Write it by its ending, one of `ENDINGS`, whole or not at all. Raises OutputError."""
        with written_whole(path) as file:
            if path.suffix.lower() == ".png":
                draw(self._title, self._ticks, list(self._panels())).save(file, "PNG")
                return
            with file.open("w", newline="", encoding="utf-8") as text:
                csv.writer(text, lineterminator="\n").writerows(self._rows())

    def _found(self) -> dict[str, np.ndarray]:
        """The cells of each material that ever was there, by name."""
        columns = np.stack(self._cells, 1)
        named = ((record.name, columns[number]) for number, record in enumerate(self._materials) if number)
        return {name: cells for name, cells in named if cells.any()}

    def _rows(self) -> Iterator[list[object]]:
        """A header, which names the units, and a row a tick."""
        columns: dict[str, list[object]] = {"tick": list(self._ticks)}
        columns |= {f"{name} (cells)": cells.tolist() for name, cells in self._found().items()}
        for (name, field), units in zip(self._held.items(), zip(*self._amounts, strict=True), strict=False):
            columns[f"{'mass' if field == 'mass' else name} (1/{FULL} cell)"] = list(units)
        if self._warm:
            for name, values in zip(_WARMTH, zip(*self._warmths, strict=True), strict=True):
                columns[f"{name} temperature (degrees C)"] = [
                    "" if np.isnan(each) else f"{each:.3f}" for each in values
                ]
            columns[f"heat (1/{TEMPERATURE_ONE} degree of a cell)"] = list(self._heat)
        yield list(columns)
        yield from map(list, zip(*columns.values(), strict=True))

    def _panels(self) -> Iterator[Panel]:
        """What is drawn: matter that is always as much is only named, if there is other."""
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
        if self._warm:
            warmths = np.array(self._warmths)
            ways = enumerate(_WARMTH.items())
            yield Panel("temperature, degrees C", [Curve(name, way, warmths[:, at]) for at, (name, way) in ways])
            heat = np.array(self._heat, float) / TEMPERATURE_ONE
            yield Panel("heat held, degrees of a cell, from 0 degrees C", [Curve("heat", _HEAT, heat)])

    def _colour(self, name: str) -> str:
        red, green, blue = self._materials.records[self._materials[name]].colour
        return f"#{red:02x}{green:02x}{blue:02x}"
