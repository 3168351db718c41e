"""World statistics: the number of cells of each material, and exact sums and extremes of the fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core import html
from gpufluid.core.errors import MissingExtraError, listed
from gpufluid.core.fields import FIELDS, LATENT_ONE, TEMPERATURE_ONE, Field, Summary
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.rules import RULES, Laws

if TYPE_CHECKING:
    import pandas as pd  # pyright: ignore[reportMissingImports] no dependency

_HELD = 80
"""The most characters of what a world holds, in its ``repr``."""


@dataclass(frozen=True, slots=True, repr=False)
class Statistics:
    """The sums of a world at a tick, in whole numbers. Fields that the world does not have are missing.

    Its ``repr`` leaves out the materials that are not there.

    Args:
        tick: the tick of the state.
        cells: the number of cells of each material, by name. Cells with mass only count as empty.
        sums: the sum of each field that declares one, by the field's name, in its units.
        extremes: the least and the largest value of a field over all cells with an atom; None: no atoms.
        layers: for each layered field the sum of each material of the mixture, by name, in units.
    """

    tick: int
    cells: Mapping[str, int]
    sums: Mapping[str, int] = field(default_factory=dict)
    extremes: Mapping[str, tuple[int, int] | None] = field(default_factory=dict)
    layers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def quantities(self) -> list[tuple[str, float, str]]:
        """The content of the world as (name, value, unit): cells of each material, amounts, temperatures and heat.

        Quantities of 0 are left out, such as materials without a cell.
        """
        found: list[tuple[str, float, str]] = [(name, count, "cells") for name, count in self.census.items()]
        for name, units in self.sums.items():
            stored = FIELDS[name]
            if stored.summary is Summary.SUM and stored.measure is None and units:
                found.append((name, units / stored.one, stored.unit))
        for name, amounts in self.layers.items():
            found += [(each, units / FIELDS[name].one, FIELDS[name].unit) for each, units in _present(amounts).items()]
        for name, ends in self.extremes.items():
            if ends is not None:
                stored, mean = FIELDS[name], self.sums[name] / self.matter
                of_atoms = {"least": ends[0], "mean": mean, "largest": ends[1]}
                found += [(f"{kind} {name}", value / stored.one, stored.unit) for kind, value in of_atoms.items()]
        if self.heat:
            found.append(("heat", self.heat / TEMPERATURE_ONE, "degrees times cells"))
        return found

    def to_frame(self) -> pd.DataFrame:
        """`quantities` as a pandas table: columns ``value`` and ``unit``, with the names as the index.

        Raises: MissingExtraError: pandas is not installed; gpufluid does not need it for anything else.
        """
        try:
            import pandas as pd  # pyright: ignore[reportMissingImports]
        except ModuleNotFoundError:
            raise MissingExtraError("Statistics.to_frame() needs pandas: pip install pandas") from None
        found = self.quantities()
        index = pd.Index([name for name, _, _ in found], name=f"tick {self.tick}")
        return pd.DataFrame({"value": [each[1] for each in found], "unit": [each[2] for each in found]}, index)

    def rows(self) -> list[html.Row]:
        """`quantities` as texts, for a table."""
        return [(name, _in_digits(value), unit) for name, value, unit in self.quantities()]

    def _repr_html_(self) -> str:
        """The quantities as a table, in a notebook."""
        return html.panel(f"Statistics of tick {self.tick}", [], html.table(self.rows()))

    def __repr__(self) -> str:
        layers = {name: _present(amounts) for name, amounts in self.layers.items()}
        shown = {"cells": _present(self.cells), "sums": self.sums, "extremes": self.extremes, "layers": layers}
        parts = "".join(f", {name}={dict(value)}" for name, value in shown.items() if value)
        return f"Statistics(tick={self.tick}{parts})"

    @property
    def census(self) -> dict[str, int]:
        """The number of cells of each material that is there, solids too, by name; without empty cells."""
        empty = next(iter(self.cells))  # number 0 of a table
        return {name: count for name, count in _present(self.cells).items() if name != empty}

    @property
    def matter(self) -> int:
        """The number of cells that are not empty."""
        return sum(self.cells.values()) - next(iter(self.cells.values()))  # number 0 of a table is empty

    def units_of(self, name: str, field: str) -> int:
        """The units of a material that ``field`` stores as an amount."""
        return self.layers[field][name] if field in self.layers else self.sums.get(field, 0)

    @property
    def mass(self) -> int:
        """Units of mass; 0 in a world without mass."""
        return self.sums.get("mass", 0)

    @property
    def amounts(self) -> Mapping[str, int]:
        """The units of each material of the mixture, by name; empty in a world without one."""
        return self.layers.get("mixture", {})

    @property
    def temperatures(self) -> int:
        """The sum of the temperatures of all atoms, solids included, in 1/8 degree C; 0 without temperatures."""
        return self.sums.get("temperature", 0)

    @property
    def latent(self) -> int:
        """The latent heat taken in by all atoms, less that given off; one unit is `LATENT_ONE` units of heat."""
        return self.sums.get("age", 0)

    @property
    def coldest(self) -> int | None:
        """The least temperature of an atom, in 1/8 degree C; None: no atoms, or no temperatures."""
        return self._ends[0]

    @property
    def hottest(self) -> int | None:
        """The largest temperature of an atom, in 1/8 degree C; None: no atoms, or no temperatures."""
        return self._ends[1]

    @property
    def _ends(self) -> tuple[int | None, int | None]:
        return self.extremes.get("temperature") or (None, None)

    @property
    def heat(self) -> int:
        """The heat of all atoms, in units of 1/8 degree of one atom, 0 at 0 degrees C; see `World.heat_held`."""
        return self.temperatures + LATENT_ONE * self.latent

    @property
    def least(self) -> float | None:
        """The temperature of the coldest atom, in degrees C, exactly; None: no atoms, or no temperatures."""
        return None if self.coldest is None else self.coldest / TEMPERATURE_ONE

    @property
    def mean(self) -> float | None:
        """The mean temperature of all atoms, in degrees C; None: no atoms, or no temperatures."""
        return None if self.coldest is None else self.temperatures / self.matter / TEMPERATURE_ONE

    @property
    def largest(self) -> float | None:
        """The temperature of the hottest atom, in degrees C, exactly; None: no atoms, or no temperatures."""
        return None if self.hottest is None else self.hottest / TEMPERATURE_ONE


def _in_digits(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _present(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def census_of(material: np.ndarray, materials: MaterialTable) -> dict[str, int]:
    """The number of atoms of each material, solids too, by name; materials without atoms are left out.

    Args:
        material: (height, width) uint8, the material of each cell.
        materials: the material table. Cells with other numbers are not counted.
    """
    counts = np.bincount(material.ravel(), minlength=len(materials)).tolist()
    counted = list(zip(materials, counts, strict=False))[1:]
    return {record.name: count for record, count in counted if count}


def contents_text(arrays: Mapping[str, np.ndarray], laws: Laws) -> str:
    """The atoms and amounts in a world as a short text, the most frequent atoms first.

    Args:
        arrays: the fields of the world by name, each (height, width) or with more axes, of the field's type.
        laws: those of the world.
    """
    census = census_of(arrays["material"], laws.materials)
    parts = [f"{count} {name}" for name, count in sorted(census.items(), key=lambda each: -each[1])]
    for rule in laws.rules:
        for name, held in RULES[rule].held(laws.mixture.names).items():
            array = arrays[held][laws.mixture[name]] if FIELDS[held].layered else arrays[held]
            if amount := int(array.sum(dtype=np.int64)):
                parts.append(f"{amount / FIELDS[held].one:.6g} {FIELDS[held].unit} of {name}")
    return listed(parts, _HELD) if parts else "empty"


def statistics_of(
    tick: int, arrays: Mapping[str, np.ndarray], materials: MaterialTable, mixture: MixtureTable
) -> Statistics:
    """Compute the statistics of a world by NumPy: the twin of ``shaders/count/``.

    Args:
        tick: the tick of the state.
        arrays: the fields of the world by name, each (height, width) or with more axes, of the field's type.
        materials, mixture: the tables of the world.
    """
    material = arrays["material"]
    cells = np.bincount(material.ravel(), minlength=len(materials)).tolist()
    counted = dict(zip((record.name for record in materials), cells, strict=True))
    sums, extremes, layers = {}, {}, {}
    for name in arrays:
        field = FIELDS[name]
        if field.summary is Summary.NONE:
            continue
        if field.layered:
            layers[name] = layer_sums(arrays[name], mixture)
            continue
        values = _measured(field, materials, arrays)
        sums[name] = int(values.sum(dtype=np.int64))
        if field.summary is Summary.EXTREMES:
            there = values[material != 0]
            extremes[name] = (int(there.min()), int(there.max())) if there.size else None
    return Statistics(tick, counted, sums, extremes, layers)


def _measured(field: Field, materials: MaterialTable, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The value of each cell in the sum of a field, (height, width) of whole numbers."""
    measure = field.measure
    return arrays[field.name] if measure is None else measure.twin(materials, arrays["material"], arrays)


def layer_sums(layers: np.ndarray, mixture: MixtureTable) -> dict[str, int]:
    """The units of each material of a mixture, by name; ``layers`` is (materials, height, width) int32."""
    return dict(zip(mixture.names, layers.sum(axis=(1, 2), dtype=np.int64).tolist(), strict=True))
