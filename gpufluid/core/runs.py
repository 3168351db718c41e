"""`Runs`: a set of cells as runs of adjacent cells in rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """A set of cells as runs of adjacent cells in rows.

    Args:
        table: (runs, 3) int32: row, first column, column after the last. No run is empty, and no two overlap.
    """

    table: np.ndarray

    @classmethod
    def of_rows(cls, top: int, first: np.ndarray, end: np.ndarray, size: tuple[int, int]) -> Runs:
        """One run in each of several adjacent rows, clipped to the world; empty runs are left out.

        Args:
            top: the row of the first run.
            first, end: (rows,) int64, the first column of each run and the column after its last.
            size: (width, height) of the world in cells.
        """
        rows = top + np.arange(len(first))
        table = np.stack([rows, np.clip(first, 0, size[0]), np.clip(end, 0, size[0])], axis=1)
        inside = (rows >= 0) & (rows < size[1]) & (table[:, 1] < table[:, 2])
        return cls(table[inside].astype(np.int32))

    @classmethod
    def of_mask(cls, left: int, top: int, mask: np.ndarray) -> Runs:
        """The marked cells of a rectangle of the world.

        Args:
            left, top: first column and row of the rectangle.
            mask: (height, width) bool.
        """
        edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
        (rows, first), (_, end) = np.nonzero(edges == 1), np.nonzero(edges == -1)
        return cls(np.stack([rows + top, first + left, end + left], axis=1).astype(np.int32))

    def __bool__(self) -> bool:
        """True if the set has at least one cell."""
        return len(self.table) > 0

    @property
    def count(self) -> int:
        """The number of cells."""
        return int((self.table[:, 2] - self.table[:, 1]).sum(dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self.table.nbytes

    @property
    def at(self) -> tuple[int, int]:
        """(column, row) of the top left cell of the smallest rectangle with all cells; the set must not be empty."""
        return int(self.table[:, 1].min()), int(self.table[:, 0].min())

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the smallest rectangle with all cells; the set must not be empty."""
        left, top = self.at
        return int(self.table[:, 2].max()) - left, int(self.table[:, 0].max()) + 1 - top

    @property
    def mask(self) -> np.ndarray:
        """(height, width) bool: the cells of the set in the smallest rectangle that contains them."""
        (left, top), (width, height) = self.at, self.size
        ends = np.zeros((height, width + 1), np.int32)
        rows = self.table[:, 0] - top
        np.add.at(ends, (rows, self.table[:, 1] - left), 1)
        np.add.at(ends, (rows, self.table[:, 2] - left), -1)
        return np.cumsum(ends, axis=1)[:, :-1] > 0
