"""What is in a world, as exact sums: cells of each material, mass, amounts of a mixture, temperatures, heat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from gpufluid.core.fields import LATENT_ONE, TEMPERATURE_ONE
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is in a world at a tick. All of it is whole numbers; degrees are made of them when they are asked for.

    Args:
        tick: which.
        cells: the number of cells of each material of its table, by name; where mass lies they are empty ones.
        mass: its units of mass; 0 in a world without.
        temperatures: the sum of the temperatures of all atoms, solid ones too, in units of 1/8 degree C; 0 in a world
            without temperatures.
        coldest, hottest: the least and the largest of them; None where there are none.
        latent: the latent heat that all of them have taken in, less what they have given off, in `cell.LATENT_ONE`.
        amounts: the units of each material of its mixture, by name; empty in a world without.
    """

    tick: int
    cells: Mapping[str, int]
    mass: int = 0
    temperatures: int = 0
    coldest: int | None = None
    hottest: int | None = None
    latent: int = 0
    amounts: Mapping[str, int] = field(default_factory=dict)

    @property
    def matter(self) -> int:
        """The number of cells that are not empty."""
        return sum(self.cells.values()) - next(iter(self.cells.values()))  # number 0 of a table is empty

    def units_of(self, name: str, field: str) -> int:
        """The units of a material that lies in cells as an amount, in the field ``mass`` or ``mixture``."""
        return self.mass if field == "mass" else self.amounts[name]

    @property
    def heat(self) -> int:
        """All heat held, in units of 1/8 degree of one atom, counted from 0 degrees C; see `World.heat_held`."""
        return self.temperatures + LATENT_ONE * self.latent

    @property
    def least(self) -> float | None:
        """The temperature of the coldest atom, in degrees C, exactly; None where no atom has one."""
        return None if self.coldest is None else self.coldest / TEMPERATURE_ONE

    @property
    def mean(self) -> float | None:
        """The mean temperature of all atoms, in degrees C; None where no atom has one."""
        return None if self.coldest is None else self.temperatures / self.matter / TEMPERATURE_ONE

    @property
    def largest(self) -> float | None:
        """The temperature of the hottest atom, in degrees C, exactly; None where no atom has one."""
        return None if self.hottest is None else self.hottest / TEMPERATURE_ONE


def statistics_of(
    tick: int, arrays: Mapping[str, np.ndarray], materials: MaterialTable, mixture: MixtureTable
) -> Statistics:
    """The same of a world's arrays by NumPy: the twin of ``shaders/count/``.

    Args:
        tick: which.
        arrays: the fields of the world, by name.
        materials, mixture: its tables.
    """
    material = arrays["material"]
    cells = np.bincount(material.ravel(), minlength=len(materials)).tolist()
    counted = dict(zip((record.name for record in materials), cells, strict=True))
    mass = int(arrays["mass"].sum(dtype=np.int64)) if "mass" in arrays else 0
    amounts = amounts_of(arrays["mixture"], mixture) if "mixture" in arrays else {}
    if "temperature" not in arrays:
        return Statistics(tick, counted, mass, amounts=amounts)
    warm = arrays["temperature"][material != 0]
    coldest, hottest = (int(warm.min()), int(warm.max())) if warm.size else (None, None)
    latent = arrays["age"].view(np.int8)[materials.keeps_latent[material]]
    sums = int(warm.sum(dtype=np.int64)), coldest, hottest, int(latent.sum(dtype=np.int64))
    return Statistics(tick, counted, mass, *sums, amounts)


def amounts_of(layers: np.ndarray, mixture: MixtureTable) -> dict[str, int]:
    """The units of each material of a mixture, whose array is (materials, height, width)."""
    return dict(zip(mixture.names, layers.sum(axis=(1, 2), dtype=np.int64).tolist(), strict=True))
