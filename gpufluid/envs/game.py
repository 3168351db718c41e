"""`Game`: the state of the worlds of a task, which the task reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gpufluid.core.errors import UnknownNameError, did_you_mean, shown
from gpufluid.world import World


class Game:
    """The state of all worlds of a task: their cells, their steps, and the entries that the task keeps for each.

    ``game["spout"]`` is the entry of that name, (worlds,) int64, which a task may change.

    Args:
        count: the number of worlds.
        entries: the names of the entries.
    """

    def __init__(self, count: int, entries: Sequence[str]) -> None:
        self.steps = np.zeros(count, np.int64)
        """(worlds,) int64: the steps of each episode so far."""
        self._entries = {name: np.zeros(count, np.int64) for name in entries}
        self._materials = np.zeros((count, 1, 1), np.uint8)
        self._numbers: Mapping[str, int] = {}

    def __len__(self) -> int:
        """The number of worlds."""
        return len(self.steps)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._entries:
            raise UnknownNameError(f"{shown(name)}: no entry of this task{did_you_mean(str(name), self._entries)}")
        return self._entries[name]

    def __setitem__(self, name: str, values: np.ndarray) -> None:
        self[name][...] = values

    @property
    def names(self) -> list[str]:
        """The names of the entries."""
        return list(self._entries)

    @property
    def materials(self) -> np.ndarray:
        """(worlds, height, width) uint8: the number of the material of each cell; only to be read."""
        return self._materials

    def look(self, materials: np.ndarray, world: World) -> None:
        """Take the materials of all cells, (worlds, height, width) uint8; any world gives the names of materials."""
        self._materials = materials
        if not self._numbers:
            self._numbers = {record.name: number for number, record in enumerate(world.materials)}

    def cells(self, *names: str) -> np.ndarray:
        """(worlds, height, width) bool: the cells of some materials. Raises UnknownNameError: an unknown name."""
        for name in names:
            if name not in self._numbers:
                raise UnknownNameError(f"unknown material {shown(name)}{did_you_mean(str(name), self._numbers)}")
        return np.isin(self._materials, [self._numbers[name] for name in names])

    def count(self, *names: str, rows: slice = slice(None), columns: slice = slice(None)) -> np.ndarray:
        """(worlds,) int64: the number of cells of some materials, in some rows and columns; raises as `cells`."""
        return np.count_nonzero(self.cells(*names)[:, rows, columns], axis=(1, 2))
