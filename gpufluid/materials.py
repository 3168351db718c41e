"""The materials, one record each; every table, in Python and in GLSL, is derived from these records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from gpufluid.errors import UsageError, did_you_mean, shown

_NAME = re.compile("[a-z][a-z0-9_ ]*")


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

    def problem(self) -> str | None:
        """What keeps it from being a material, if anything does. Its name becomes part of shaders, so it is plain."""
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            return f"name {shown(self.name)}; expected small letters, digits, spaces and underlines, a letter first"
        numbers = [self.density, *self.colour]
        if not all(isinstance(number, int) and number >= 0 for number in numbers) or max(self.colour) > 255:
            return f"{self.name}: density {shown(self.density)}, colour {shown(self.colour)}; expected whole numbers"
        return None


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
    Raises: UsageError: no such order, more than 256, two of one name, or a record that cannot be.
    """

    def __init__(self, records: tuple[Material, ...] = SHIPPED) -> None:
        if not 1 <= len(records) <= 256 or records[0].state is not State.EMPTY:
            raise UsageError(f"materials: {len(records)} records; expected 1 to 256, the first of them empty")
        for number, record in enumerate(records):
            problem = record.problem()
            if problem:
                raise UsageError(f"materials[{number}]: {problem}")
        self.records = records
        self._numbers = {record.name: number for number, record in enumerate(records)}
        if len(self._numbers) < len(records):
            raise UsageError("materials: two records have one name")

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
