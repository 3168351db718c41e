"""Liquid that lies on a floating piece, and the cell to which it runs off. Twin of ``collapse/spills.glsl``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.displacing import roles_of
from gpufluid.rules import Call
from gpufluid.rules.collapse import FLOAT_ROWS, HOLDS, LOOSE, SLOWS, SPILL_COLUMNS, SPILL_ROWS, YIELDS
from gpufluid.world import World

RUNS_OFF = 1 << 30
CLAIM = 1 << 31


@dataclass(frozen=True, slots=True)
class Spill:
    """Liquid that runs off.

    Args:
        row, column: its cell.
        word: of scratch ``spills``.
        to_row, to_column: the cell that it is to enter.
    """

    row: int
    column: int
    word: int
    to_row: int
    to_column: int

    def claim(self, call: Call) -> int:
        """The claim of the cell: the greater, the fewer rows the liquid falls, then the fewer columns it moves."""
        return CLAIM | (self.word ^ (RUNS_OFF - 1) ^ _first_side(call))


def words_of_spills(world: World, call: Call) -> np.ndarray:
    """The words of scratch ``spills`` of liquid that runs off floating pieces.

    Returns: (rows, columns) uint32 of the frame, 0 in all other cells.
    """
    cells = Cells.of(world)
    matter = world.laws.once(MaterialProperties)
    shores = _Shores(roles_of(world), world.edges == "wrap")
    liquid = (matter.state[cells.material] == State.LIQUID.value) & ~matter.is_amount(cells.material)
    words = np.zeros(shores.roles.shape, np.uint32)
    for row, column in np.argwhere(liquid & (cells.along == 0)).tolist():
        above = shores.role(row - 1, column)
        if above == YIELDS and shores.floats(row + 1, column):
            words[row, column] = shores.spill_from(row, column, call)
    return words


def spills_among(words: np.ndarray) -> list[Spill]:
    """The liquid that runs off, as found by `words_of_spills`.

    Args:
        words: (rows, columns) uint32 of the frame, scratch ``spills``. Those with `RUNS_OFF` that are no claims count.
    """
    found = []
    for row, column in np.argwhere(words & (RUNS_OFF | CLAIM) == RUNS_OFF).tolist():
        word = int(words[row, column])
        side = 1 if word & 1 else -1
        to_row = (row + (word >> 16 & 0xFF)) % words.shape[0]
        to_column = (column + side * (word >> 1 & 0xFF)) % words.shape[1]
        found.append(Spill(row, column, word, to_row, to_column))
    return found


def _first_side(call: Call) -> int:
    """The side that goes first where both are alike: 1 for the right one."""
    return call.tick >> 1 & 1


@dataclass(frozen=True, slots=True)
class _Shores:
    """The cells around floating pieces.

    Args:
        roles: the role of each cell, [row, column] int64.
        wrap: True on a torus.
    """

    roles: np.ndarray
    wrap: bool

    def role(self, row: int, column: int) -> int:
        """The role of a place, which may lie outside."""
        height, width = self.roles.shape
        if not self.wrap and not (0 <= row < height and 0 <= column < width):
            return HOLDS
        return int(self.roles[row % height, column % width])

    def lets_pass(self, row: int, column: int) -> bool:
        """True if a place holds a fluid or nothing."""
        return self.role(row, column) in (YIELDS, SLOWS)

    def rows_to_liquid(self, row: int, column: int) -> int:
        """The rows down to the cell above the nearest liquid; 0: there is none that lies lower than the place."""
        rows = 0
        while rows <= SPILL_ROWS and self.role(row + rows, column) == YIELDS:
            rows += 1
        return rows - 1 if 0 < rows <= SPILL_ROWS and self.role(row + rows, column) == SLOWS else 0

    def floats(self, row: int, column: int) -> bool:
        """True if a run of loose solid, from a place on down, ends at a liquid."""
        rows = 0
        while rows < FLOAT_ROWS and self.role(row + rows, column) == LOOSE:
            rows += 1
        return rows > 0 and self.role(row + rows, column) == SLOWS

    def columns_to_shore(self, row: int, column: int, side: int, most: int) -> int:
        """The columns to the nearest one, on a side, in which liquid lies lower; ``most + 1`` if there is none."""
        for columns in range(1, most + 1):
            if not self.lets_pass(row, column + side * columns):
                break
            if self.rows_to_liquid(row, column + side * columns):
                return columns
        return most + 1

    def spill_from(self, row: int, column: int, call: Call) -> int:
        """The word of scratch ``spills`` for liquid at a place; 0: it stays."""
        most = min(SPILL_COLUMNS, self.roles.shape[1])
        left, right = (self.columns_to_shore(row, column, side, most) for side in (-1, 1))
        if min(left, right) > most:
            return 0
        bit = _first_side(call) if left == right else int(right < left)
        side, shore = (1 if bit else -1), min(left, right)
        last = 2 * shore - 1
        is_free = all(self.lets_pass(row, column + side * columns) for columns in range(shore + 1, last + 1))
        columns = last if is_free and self.rows_to_liquid(row, column + side * last) else shore
        return RUNS_OFF | self.rows_to_liquid(row, column + side * columns) << 16 | columns << 1 | bit
