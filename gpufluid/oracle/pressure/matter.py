"""What rule ``pressure`` asks of a kind of cells; twin of ``shaders/pressure/of_<matter>.glsl``."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gpufluid.oracle.tally import Tally

HALF = 0xFFFF

Place = tuple[int, int]
"""(row, column) of gravity's frame."""


class Matter(Protocol):
    """The cells of one world as rule ``pressure`` sees them. All arrays are [row, column] of the gravity frame."""

    def liquid(self) -> np.ndarray:
        """(height, width) integers of any type: the number of the liquid in each cell, or 0.

        Neighbours with the same number belong to one body; any integer type will do, such as int32.
        """
        ...

    def is_open(self) -> np.ndarray:
        """(height, width) bool: whether the cell above allows each cell to be an open surface."""
        ...

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether each cell may offer to give, and to take.

        Args:
            bodies: (height, width) int64, the label of the body of which the cell is an open surface; -1: of none.
        Returns: (giving, taking), each (height, width) bool.
        """
        ...

    def give(self, label: int, source: Place, sink: Place) -> None:
        """Let one surface cell of a body give to another, if that is low enough."""
        ...

    def begin_next_round(self, body: Place) -> None:
        """Forget what was found out about a body, by the place of its first cell."""
        ...

    def write(self) -> Tally:
        """Put the cells back into the world."""
        ...
