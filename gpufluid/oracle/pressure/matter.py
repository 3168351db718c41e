"""The interface of rule ``pressure`` to a kind of cells; twin of ``shaders/pressure/of_<matter>.glsl``."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gpufluid.oracle.tally import Tally

LOW_HALF = 0xFFFF
"""The lower half of a word: its mask, and the largest lot in an offer."""

FrameCell = tuple[int, int]
"""(row, column) of a cell of gravity's frame."""


class Matter(Protocol):
    """The cells of one world for rule ``pressure``. All arrays are [row, column] of the gravity frame."""

    def liquid(self) -> np.ndarray:
        """The number of the liquid in each cell, or 0: (height, width) of any integer type.

        Neighbours with the same number belong to one body.
        """
        ...

    def is_open(self) -> np.ndarray:
        """The cells that could be an open surface, because the cell above has room: (height, width) bool."""
        ...

    def has_bids(self, bodies: np.ndarray) -> np.ndarray:
        """Find the cells whose body chooses its surfaces by bids: (height, width) bool.

        Args:
            bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
        """
        ...

    def levels_to_give(self) -> np.ndarray:
        """The bid of each surface cell to give, the highest the greatest: (height, width) uint32; 0: may not give."""
        ...

    def levels_to_take(self) -> np.ndarray:
        """The bid of each surface cell to take, the lowest the greatest: (height, width) uint32; 0: may not take."""
        ...

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the cells that may offer to give, and those that may offer to take.

        Args:
            bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
        Returns: (giving, taking), each (height, width) bool.
        """
        ...

    def has_giver(self, body: FrameCell) -> bool:
        """True if a cell of a body may give; the body is given by its first cell."""
        ...

    def goes_first(self) -> tuple[np.ndarray, np.ndarray]:
        """Find the cells that give before others of their row, and those that take before others.

        Returns: (giving, taking), each (height, width) bool.
        """
        ...

    def give(self, label: int, source: FrameCell, sink: FrameCell) -> bool:
        """Move liquid from one surface cell of a body to another, if the second cell is low enough.

        Args:
            label: the label of the body.
            source, sink: the cell that gives and the cell that takes.
        Returns: whether liquid has moved.
        """
        ...

    def begin_next_round(self, body: FrameCell) -> None:
        """Reset what a round has stored for a body, which is given by its first cell."""
        ...

    def write(self) -> Tally:
        """Write the cells back to the world. Returns the units that moved."""
        ...
