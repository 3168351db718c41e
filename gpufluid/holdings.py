"""What a `World` tells of what is in it: exact sums, counts, its digest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.cell import Plane, pack, planes_of
from gpufluid.digest import digest_text, header_lanes, plane_lanes
from gpufluid.errors import WorldError, did_you_mean
from gpufluid.laws import moved_by
from gpufluid.materials import MaterialTable
from gpufluid.mixtures import MixtureTable
from gpufluid.rules import RULES
from gpufluid.statistics import Statistics, amounts_of, statistics_of


class Holdings:
    """The half of a `World` that changes nothing; it makes what is told here."""

    height: int
    width: int
    rules: tuple[str, ...]
    seed: int
    tick: int
    materials: MaterialTable
    mixture: MixtureTable
    _arrays: Mapping[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a field, to be read and written: (height, width), or as `cell.Field.shape` has it."""
        try:
            return self._arrays[name]
        except KeyError:
            hint = did_you_mean(name, self._arrays)
            raise WorldError(name, f"a world with rules {list(self.rules)} has no such field{hint}") from None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the arrays that this world has."""
        return tuple(self._arrays)

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The textures that hold these arrays on a device, in the order in which a digest takes them."""
        return planes_of(self._arrays)

    @property
    def solid(self) -> np.ndarray:
        """(height, width) bool: the walls."""
        return self.materials.solid[self["material"]]

    def total(self, name: str = "mass") -> int:
        """The exact sum of a field over the world, in its units; of velocity, both components together.

        Raises: WorldError: a field that the world does not have.
        """
        if name == "mass" and name not in self._arrays:
            raise WorldError(name, "total() counts mass; for atoms see census()")
        return int(self[name].sum(dtype=np.int64))

    @property
    def has_amounts(self) -> bool:
        """Whether any of its rules keeps amounts: of mass, or of a mixture."""
        return any(RULES[rule].held(self.mixture.names) for rule in self.rules)

    def contents(self) -> dict[str, int]:
        """The units of each material of its mixture; empty in a world without."""
        return amounts_of(self["mixture"], self.mixture) if "mixture" in self.fields else {}

    def census(self) -> dict[str, int]:
        """The number of atoms of each material that there are any of: cells whose material a rule moves."""
        counts = np.bincount(self["material"].ravel(), minlength=len(self.materials)).tolist()
        records = enumerate(self.materials)
        return {
            record.name: counts[number] for number, record in records if counts[number] and moved_by(self.rules, record)
        }

    def heat_held(self) -> int:
        """All heat in the world, exactly, in units of temperature: that of every atom, with its latent heat.

        Counted from 0 degrees C, so that cold is negative. Raises: WorldError: a world without temperatures.
        """
        if "temperature" not in self._arrays:
            raise WorldError("temperature", f"a world with rules {list(self.rules)} has no heat; see rule heat")
        return self.statistics().heat

    def statistics(self) -> Statistics:
        """What is in it, as exact sums; the same that `Simulation.statistics` counts on the device."""
        return statistics_of(self.tick, self._arrays, self.materials, self.mixture)

    def digest(self) -> str:
        """32 hex digits that stand for the state: size, tick, seed and every cell of every plane.

        A sum of hashes modulo 2**32 in four lanes, so that it can be taken in any order and on any device.
        """
        lanes = header_lanes(self.width, self.height, self.tick, self.seed)
        for plane in self.planes:
            lanes += plane_lanes(pack(plane, self._arrays), plane.number)
        return digest_text(lanes)
