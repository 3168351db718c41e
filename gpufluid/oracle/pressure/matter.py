"""The interface of rule ``pressure`` to a kind of cells; twin of ``shaders/pressure/of_<matter>.glsl``."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gpufluid.oracle.tally import Tally

HALF = 0xFFFF

Place = tuple[int, int]
"""(row, column) of gravity's frame."""


class Matter(Protocol):
    """The cells of one world for rule ``pressure``. All arrays are [row, column] of the gravity frame."""

    def liquid(self) -> np.ndarray:
        """The number of the liquid in each cell, or 0: (height, width) of any integer type.

        Neighbours with the same number belong to one body.
        """
        ...

    def is_open(self) -> np.ndarray:
        """The cells that could be an open surface, because the next cell has room: (height, width) bool."""
        ...

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the cells that may offer to give, and those that may offer to take.

        Args:
            bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
        Returns: (giving, taking), each (height, width) bool.
        """
        ...

    def give(self, label: int, source: Place, sink: Place) -> None:
        """Move liquid from one surface cell of a body to another, if the second cell is low enough."""
        ...

    def begin_next_round(self, body: Place) -> None:
        """Reset what was stored for a body, given by the index of its first cell."""
        ...

    def write(self) -> Tally:
        """Write the cells back to the world. Returns the units that moved."""
        ...
