"""The fluid that the rows of pieces displace. Twin of ``collapse/row_ends.glsl`` and ``collapse/gaps.glsl``."""

from __future__ import annotations

import numpy as np

from gpufluid.oracle.atoms.cells import Cells
from gpufluid.oracle.state import load_pieces
from gpufluid.rules import Call
from gpufluid.rules.collapse import AHEAD_MOST, GAP_SAMPLES, LOOSE, NEAR_CELLS, SLOWS, WIDE_CELLS, YIELDS
from gpufluid.world import World

Place = tuple[int, int]
"""Row and column in the gravity frame."""


def is_time_to_rise(call: Call) -> bool:
    """True in the first substep of every second tick."""
    return call.substep == 0 and call.tick % 2 == 1


def roles_of(world: World) -> np.ndarray:
    """The role of the material in each cell, from `gpufluid.rules.collapse`: [row, column] int64."""
    return np.array(world.tables("collapse")["role"], np.int64)[Cells.of(world).material]


class Displaced:
    """The fluid that the rows of pieces displace in a world, in the middle of a move.

    Args:
        world: the world.
        density: of the cells, [row, column] int64.
        rises: whether pieces would rise; else they would fall.
    """

    def __init__(self, world: World, density: np.ndarray, rises: bool) -> None:
        roles = roles_of(world)
        self._pieces, self._loose, self._rises = load_pieces(world), roles == LOOSE, rises
        self._seen = 1 if world.laws.amounts_beside_atoms else 2 * WIDE_CELLS
        self._ahead = -1 if rises else 1
        self._fluids = np.where((roles == YIELDS) | (roles == SLOWS), density, -1)
        (self._height, self._width), self._wrap = roles.shape, world.edges == "wrap"

    def rows_of_pieces(self) -> list[tuple[int, int, int]]:
        """The rows of all pieces, each from its first cell on: (row, column, number of cells).

        A row that closes around a torus is left out.
        """
        before = np.roll(self._loose, 1, axis=1)
        if not self._wrap:
            before[:, 0] = False
        first = np.argwhere(self._loose & ~before).tolist()
        return [(row, column, self._loose_cells((row, column), (0, 1), self._width)) for row, column in first]

    def beside(self, row: int, column: int, cells: int) -> int:
        """The sum of densities, in kg/m3, of the fluids at two places ahead of `GAP_SAMPLES` places beside both ends.

        The end on each side is the first place beside the row that has no cell of the piece directly above it, if there
        is fluid in all places up to it; else the place next to the row. Next to the row the places are spread over the
        gap.

        Args:
            row, column, cells: one of `rows_of_pieces`.
        """
        halves, *gaps = self._gaps_beside(row, column, cells)
        found = []
        for near, side, gap in ((column - 1, -1, gaps[0]), (column + cells, 1, gaps[1])):
            end = self._open_end(row, column, near, side)
            if end == near:
                places = [near + side * (gap * (2 * number + 1) // (2 * GAP_SAMPLES)) for number in range(GAP_SAMPLES)]
                fluids = [self._fluids_at(row, place, halves) for place in places]
            else:
                fluids = [self._fluids_at(row, end, 1 if self._rises else 2)] * GAP_SAMPLES
            found.append([sum(each) for each in zip(*fluids, strict=True)])
        left, right = (own or other for own, other in (found, found[::-1]))
        return sum(left) + sum(right)

    def _fluid(self, row: int, column: int) -> int:
        """The density of the fluid at a place; -1 if there is none."""
        return int(self._fluids[row % self._height, column % self._width]) if self._is_inside(row, column) else -1

    def _is_loose(self, row: int, column: int) -> bool:
        return self._is_inside(row, column) and bool(self._loose[row % self._height, column % self._width])

    def _is_inside(self, row: int, column: int) -> bool:
        return self._wrap or (0 <= row < self._height and 0 <= column < self._width)

    def _loose_cells(self, at: Place, step: Place, most: int) -> int:
        """The cells of loose solid from a place on, in a direction; at most so many."""
        cells = 0
        while cells < most and self._is_loose(at[0] + step[0] * cells, at[1] + step[1] * cells):
            cells += 1
        return cells

    def _gap_cells(self, row: int, column: int, side: int, most: int) -> int:
        """The cells of a gap beside a row, from a place on, to a side: fluid that has fluid ahead, too."""
        cells = 0
        while cells < most and min(self._fluid(row + by, column + side * cells) for by in (0, self._ahead)) >= 0:
            cells += 1
        return cells

    def _gaps_beside(self, row: int, column: int, cells: int) -> tuple[int, int, int]:
        """The gaps beside a row of a piece.

        Returns: the half rows from the row to where it is in the middle of a move, relative to the fluid beside it; and
            the cells of what is seen of the gaps to the left and to the right.
        """
        is_wide = cells >= min(WIDE_CELLS, self._width)
        most = WIDE_CELLS if is_wide else 2 * max(cells, NEAR_CELLS)
        left, right = (self._gap_cells(row, *end, most) for end in ((column - 1, -1), (column + cells, 1)))
        halves = 1 if self._rises else 2
        beside = left if self._is_loose(row, column - 1 - left) else 2 * left
        beside += right if self._is_loose(row, column + cells + right) else 2 * right
        if not (is_wide or beside >= 4 * cells or beside == 0):
            halves = 2 + (4 * cells + beside - 1) // beside
            middles = column + (cells - 1) // 2, column + cells // 2
            rows = max(self._loose_cells((row, middle), (self._ahead, 0), AHEAD_MOST) for middle in middles)
            halves = min(halves // 2 if self._rises else (halves + 1) // 2, 2 * rows)
        return halves, min(left, self._seen), min(right, self._seen)

    def _fluids_at(self, row: int, column: int, halves: int) -> list[int]:
        """The densities of the fluid at a place beside a row, so many half rows ahead; empty: there is no fluid."""
        if self._fluid(row, column) < 0:
            return []
        found = []
        for last in (halves // 2, (halves + 1) // 2):
            rows = 0
            while rows < last and self._fluid(row + self._ahead * (rows + 1), column) >= 0:
                rows += 1
            found.append(self._fluid(row + self._ahead * rows, column))
        return found

    def _is_covered(self, row: int, column: int, label: int) -> bool:
        """True if a place lies directly under a cell of a piece."""
        return self._is_inside(row - 1, column) and int(self._pieces[row - 1, column % self._width]) == label

    def _open_end(self, row: int, column: int, near: int, side: int) -> int:
        """The end of a row of a piece on one side, as `beside` says; ``near`` is the place next to the row."""
        label = int(self._pieces[row, column])
        for end in range(near, near + side * self._width, side):
            if self._fluid(row, end) < 0:
                return near
            if not self._is_covered(row, end, label):
                return end
        return near
