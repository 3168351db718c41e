"""The materials, one record each; every table, in Python and in GLSL, is derived from these records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from gpufluid.errors import UsageError, did_you_mean


class State(IntEnum):
    """How matter behaves. The numbers are those that shaders see."""

    EMPTY = 0
    SOLID = 1
    POWDER = 2
    LIQUID = 3
    GAS = 4


@dataclass(frozen=True, slots=True)
class Material:
    """One material.

    Args:
        name: as scenes write it.
        state: how it behaves.
        density: kg/m3; compared between materials, never summed.
        colour: sRGB, 0 to 255, in light.
    """

    name: str
    state: State
    density: int
    colour: tuple[int, int, int]


# A material's place in this tuple is its number in every array, snapshot and digest: append, never insert.
SHIPPED = (
    Material("empty", State.EMPTY, 0, (245, 246, 248)),
    Material("wall", State.SOLID, 2400, (110, 112, 120)),
    Material("stone", State.SOLID, 2600, (133, 124, 112)),
    Material("water", State.LIQUID, 1000, (66, 146, 222)),
    Material("wood", State.SOLID, 700, (158, 112, 68)),
)


class MaterialTable:
    """The materials of one world: names to numbers, numbers to records.

    Args:
        records: the materials in the order of their numbers; number 0 is ``empty``.
    """

    def __init__(self, records: tuple[Material, ...] = SHIPPED) -> None:
        self.records = records
        self._numbers = {record.name: number for number, record in enumerate(records)}

    def __getitem__(self, name: str) -> int:
        """The number of a material. Raises UsageError with the near names where there is none."""
        try:
            return self._numbers[name]
        except KeyError:
            raise UsageError(f"unknown material {name!r}{did_you_mean(name, self._numbers)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[Material]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def solid(self) -> np.ndarray:
        """(256,) bool: which numbers are solids, so that ``table.solid[material]`` is the walls of a world."""
        solid = np.zeros(256, bool)
        solid[: len(self)] = [record.state is State.SOLID for record in self]
        return solid
