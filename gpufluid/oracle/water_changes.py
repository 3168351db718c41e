"""Water by mass that boils and freezes. Twin of ``shaders/heat/water_changes.glsl`` and ``change_water.comp``.

Arrays are int64 of any shape, unless a function says otherwise. Heat is in units of field ``water_heat``, mass in those
of field ``mass``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import (
    FULL,
    MASS_LIMIT,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    WATER_HEAT_LIMIT,
    WATER_HEAT_ONE,
)
from gpufluid.core.heat_shares import heat_along
from gpufluid.rules import RULES, Laws
from gpufluid.rules.heat import WATER_CHANGES

NO_LIMIT = 2**31 - 1

Fields = dict[str, np.ndarray]
"""Some cells, an array each: material, mass and heat of their water, temperature and grain of their atom."""

ORDER = ((0, (1, 2, 3)), (1, (0, 3, 2)), (2, (3, 0, 1)), (3, (2, 1, 0)))
"""The cells of a block in the order in which they change, each with the others: beside it, along gravity, across."""


@dataclass(frozen=True)
class WaterChange:
    """A change of state of water by mass.

    Args:
        threshold: in units of temperature.
        product: the number of the material that it becomes; 0: it does not change so.
        latent: the latent heat of an atom, in units of temperature.
        side: 1 if it takes heat, -1 if it gives heat.
        fixed: the constants of rule ``heat``.
    """

    threshold: int
    product: int
    latent: int
    side: int
    fixed: Mapping[str, int]

    @classmethod
    def both(cls, laws: Laws) -> tuple[WaterChange, WaterChange]:
        """The boiling and the freezing of a world's water."""
        table, count = laws.once(RULES["heat"].numbers.tables)["water_changes"], len(WATER_CHANGES)
        boiling, freezing = (dict(zip(WATER_CHANGES, table[at : at + count], strict=True)) for at in (0, count))
        fixed = laws.constants["heat"]
        return cls(**boiling, side=1, fixed=fixed), cls(**freezing, side=-1, fixed=fixed)

    def stored(self, heat: np.ndarray, mass: np.ndarray) -> np.ndarray:
        """The heat that water of a heat and a mass has stored toward the change, all int64 of any shape.

        Before the change it is below 0.
        """
        beyond = self.threshold - self.fixed["ambient"]
        capacity = np.minimum(mass >> 10, self.fixed["capacity_heat"] // max(abs(beyond), 1))
        return self.side * (heat - beyond * capacity)

    def room_before(self, heat: np.ndarray, mass: np.ndarray) -> np.ndarray:
        """The heat that water of a heat and a mass can still store, all int64 of any shape."""
        most = (self.latent + self.fixed["latent_reserve"]) * WATER_HEAT_ONE
        return np.where(self.product == 0, NO_LIMIT, np.maximum(most - self.stored(heat, mass), 0))

    def is_ready(self, heat: np.ndarray, mass: np.ndarray) -> np.ndarray:
        """True where water of a heat and a mass has the latent heat of an atom: from int64 of any shape to bool."""
        can = (self.product != 0) & (mass >= self.fixed["conducts_from"]) & (mass < self.fixed["changes_below"])
        return can & (self.stored(heat, mass) >= max(self.latent, 1) * WATER_HEAT_ONE)


@dataclass
class Changed:
    """The changes of a call: numbers of atoms, and heat in units of an atom or of water."""

    atoms: int = 0
    bound: int = 0  # latent heat, in units of an atom
    warm: int = 0  # heat of the new atoms, latent heat included, in units of an atom
    air: int = 0  # heat that the air has given, in units of water


def change_blocks(laws: Laws, cells: list[Fields], grains: list[np.ndarray]) -> Changed:
    """Let the water in the cells of blocks boil and freeze, in place, in the order of `ORDER`.

    Args:
        laws: the laws of the world.
        cells: the four cells of each block, int64 [row, column] of blocks.
        grains: for each of the four the grain of a new atom, int64 [row, column] of blocks.
    """
    done = Changed()
    for own, others in ORDER:
        _change_cells(laws, cells, own, others, grains[own], done)
    return done


def _change_cells(
    laws: Laws, cells: list[Fields], own: int, others: tuple[int, ...], grain: np.ndarray, done: Changed
) -> None:
    ambient, cell = laws.constants["heat"]["ambient"], cells[own]
    boiling, freezing = WaterChange.both(laws)
    wet = cell["material"] == 0
    boils = wet & boiling.is_ready(cell["heat"], cell["mass"])
    ready = boils | (wet & freezing.is_ready(cell["heat"], cell["mass"]))
    threshold, product, latent, side = (
        np.where(boils, getattr(boiling, name), getattr(freezing, name))
        for name in ("threshold", "product", "latent", "side")
    )
    mass, heat = cell["mass"], cell["heat"]
    drawn = []
    for number in others:
        there = cells[number]
        held = np.where(there["material"] == 0, there["mass"], 0)
        part = np.where(ready, np.minimum(held, np.maximum(FULL - mass, 0)), 0)
        along = np.where(part > 0, heat_along(there["heat"], held, part), 0)
        mass, heat = mass + part, heat + along
        drawn.append((part, along))
    surplus = heat - (threshold + side * latent - ambient) * WATER_HEAT_ONE
    rest = mass - FULL
    pays = ready & (rest >= 0) & (side * surplus >= 0)
    left = pays & (rest > 0)
    taking = []
    for number in others:
        there = cells[number]
        room = (there["material"] == 0) & (there["mass"] + rest <= MASS_LIMIT)
        takes = left & room & (np.abs(there["heat"] + surplus) <= WATER_HEAT_LIMIT)
        left = left & ~takes
        taking.append(takes)
    acts = pays & ~left
    for number, (part, along), takes in zip(others, drawn, taking, strict=True):
        there = cells[number]
        there["mass"] = there["mass"] + np.where(acts, np.where(takes, rest, 0) - part, 0)
        there["heat"] = there["heat"] + np.where(acts, np.where(takes, surplus, 0) - along, 0)
    units = side * (side * surplus >> 10)
    warmest = np.clip(threshold + units, TEMPERATURE_LEAST, TEMPERATURE_MOST)
    temperature = np.where(rest == 0, warmest, threshold)
    cell["material"] = np.where(acts, product, cell["material"])
    cell["temperature"] = np.where(acts, temperature, cell["temperature"])
    cell["grain"] = np.where(acts, grain, cell["grain"])
    for name in ("mass", "heat"):
        cell[name] = np.where(acts, 0, cell[name])
    done.atoms += int(acts.sum())
    done.bound += int((side * latent)[acts].sum())
    done.warm += int((temperature + side * latent)[acts].sum())
    done.air += int(((temperature - threshold) * WATER_HEAT_ONE - surplus)[acts & (rest == 0)].sum())
