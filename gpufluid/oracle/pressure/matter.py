"""What rule ``pressure`` asks of a kind of cells; twin of ``shaders/pressure/of_<matter>.glsl``."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gpufluid.oracle.tally import Tally

HALF = 0xFFFF

Place = tuple[int, int]
"""(row, column) of gravity's frame."""


class Matter(Protocol):
    """The cells of one world. All arrays are [row, column] of gravity's frame."""

    def liquid(self) -> np.ndarray:
        """The liquid in each cell, by a number; 0 where there is none. Neighbours of one number are of one body."""
        ...

    def is_open(self) -> np.ndarray:
        """Whether each cell could be an open surface, for what lies above it."""
        ...

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether each cell may offer to give, and to take, if it is an open surface of the body given for it."""
        ...

    def give(self, label: int, source: Place, sink: Place) -> None:
        """Let one surface cell of a body give to another, if that is low enough."""
        ...

    def begin_next_round(self, body: int) -> None:
        """Forget what was found out about a body, by the place of its first cell."""
        ...

    def write(self) -> Tally:
        """Put the cells back into the world."""
        ...
