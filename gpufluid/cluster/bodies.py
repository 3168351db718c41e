"""Connected sets of cells that cross the borders between ranks, such as falling pieces of solid.

Each rank labels the sets within its part: its own cells, and its halo. So a set that crosses borders has a label of its
own in each part. The cells near a border are in the parts of both ranks. Ranks send the labels that these cells have,
and all of them find alike which labels belong to one set: those of the same cell, and so on from border to border.
Where own cells of two ranks touch, the cell of one is in the halo of the other, and connected there. So no other cell
is needed. Near a corner four ranks meet. So a line of compared cells goes on beyond the own cells, by as many
cells as are compared on each side of the other border.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpufluid.cluster.grid import Grid
from gpufluid.cluster.shares import Shares

_LABEL_BITS = np.int64(32)


@dataclass(frozen=True, slots=True)
class SharedSets:
    """The sets that lie in the parts of several ranks, in an order that is the same for all ranks.

    Args:
        count: their number.
        labels: by rank: the labels in its part of such sets, (labels,) int64 in ascending order.
        numbers: by rank: the number of the set of each of these labels, (labels,) int64.
    """

    count: int
    labels: tuple[np.ndarray, ...]
    numbers: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, near: Sequence[NearLabels], lines: Sequence[Sequence[NearCells]], whole: tuple[int, int]) -> SharedSets:
        """Unite the labels of the same cells.

        Args:
            near: by rank: the labels near its borders; 0: no set.
            lines: by rank: the places of these labels in the whole world.
            whole: (columns, rows) of the whole world.
        """
        nodes = [
            tuple(rank << _LABEL_BITS | each.astype(np.int64) for each in labels) for rank, labels in enumerate(near)
        ]
        of_line: dict[tuple[int, int], list[tuple[int, NearCells]]] = {}
        for rank, every in enumerate(lines):
            for cells in every:
                of_line.setdefault((cells.axis, cells.line), []).append((rank, cells))
        pairs = [np.zeros((2, 0), np.int64)]
        for (axis, _), found_there in of_line.items():
            known = np.full(whole[1 - axis], -1, np.int64)  # of each cell of the line a node that has it
            for rank, cells in found_there:
                own, is_there = nodes[rank][axis][cells.place], near[rank][axis][cells.place] != 0
                before = known[cells.first : cells.first + len(own)]
                same = is_there & (before >= 0)
                pairs.append(np.unique(np.stack([before[same], own[same]]), axis=1))
                before[is_there] = own[is_there]
        found, places = np.unique(np.concatenate(pairs, axis=1), return_inverse=True)
        roots, numbers = np.unique(_roots(len(found), places.reshape(2, -1)), return_inverse=True)
        own = [found >> _LABEL_BITS == rank for rank in range(len(near))]
        return cls(
            len(roots),
            tuple(found[each] & ((1 << _LABEL_BITS) - 1) for each in own),
            tuple(numbers[each] for each in own),
        )

    def numbers_of(self, rank: int, labels: np.ndarray) -> np.ndarray:
        """The number of the set of each label in a rank's part; -1: it is no label of a shared set.

        Args:
            rank: the rank.
            labels: integers of any shape.
        Returns: int64 of the same shape.
        """
        known = self.labels[rank]
        if not len(known):
            return np.full(labels.shape, -1)
        places = np.minimum(np.searchsorted(known, labels), len(known) - 1)
        return np.where(known[places] == labels, self.numbers[rank][places], -1)


def _roots(count: int, pairs: np.ndarray) -> np.ndarray:
    """The least of the numbers that are connected with each number below a count, (count,) int64.

    Args:
        count: how many numbers there are.
        pairs: (2, pairs) int64, connected numbers.
    """
    roots = np.arange(count)
    while True:
        one, other = roots[pairs]
        if (one == other).all():
            return roots
        np.minimum.at(roots, np.maximum(one, other), np.minimum(one, other))
        while (roots[roots] != roots).any():
            roots = roots[roots]


NearLabels = tuple[np.ndarray, np.ndarray]
"""The labels near the borders of a rank's own cells, of any integer type: near the left border, then the right one,
(4 near columns, rows of the part); and near the upper, then the lower border, (4 near rows, columns of the part). Half
of the columns or rows lie on each side of a border.
"""


@dataclass(frozen=True, slots=True)
class NearCells:
    """Cells of one line of the whole world, without a gap, near a border of a rank.

    Args:
        axis: 0 if the line is a column, 1 if it is a row.
        line: its number in the whole world.
        first: the place of the first of the cells along the line, in the whole world.
        place: where the labels of the cells are, in `NearLabels` of the axis.
    """

    axis: int
    line: int
    first: int
    place: tuple[int, slice]


def cells_near_borders(grid: Grid, rank: int, near: tuple[int, int], torus: bool) -> list[NearCells]:
    """The cells near the borders of a rank.

    Args:
        grid: the parts of all ranks.
        rank: the rank.
        near: the columns, and the rows, on each side of a border.
        torus: whether the world is a torus.
    """
    found: list[NearCells] = []
    for axis, (shares, others) in enumerate(((grid.columns, grid.rows), (grid.rows, grid.columns))):
        share, other = grid.place_of(rank)[axis], grid.place_of(rank)[1 - axis]
        begin, end = others.part_of(other)
        own = others.own[other]
        first, last = max(begin, own[0] - near[1 - axis]), min(end, own[1] + near[1 - axis])
        for number, line in enumerate(lines_near_borders(shares, share, near[axis], torus)):
            for turn in range(first // others.lines, (last - 1) // others.lines + 1) if line >= 0 else ():
                cells = max(first, turn * others.lines), min(last, (turn + 1) * others.lines)
                place = number, slice(cells[0] - begin, cells[1] - begin)
                found.append(NearCells(axis, line, cells[0] - turn * others.lines, place))
    return found


def lines_near_borders(shares: Shares, share: int, near: int, torus: bool) -> list[int]:
    """The lines of the whole world near the borders of a share: ``near`` on each side of the first, then of the last.

    The number of a line beyond the edge of a world that is no torus is -1, and so is that of all lines of an axis that
    is not divided.
    """
    lines = shares.lines
    beside = (line for border in shares.own[share] for line in range(border - near, border + near))
    return [line % lines if shares.is_divided and (torus or 0 <= line < lines) else -1 for line in beside]


@dataclass(frozen=True, slots=True)
class Ends:
    """Where the columns of sets go on beyond one border of a rank, and end.

    Args:
        cells: the cells of each column from the border to its end, (columns,) int64.
        row: the row of the whole world that follows, (columns,) int64; -1: the column ends at the edge of the world.
        rank: the rank that computes it, (columns,) int64.
        closed: whether the column closes around a torus instead, (columns,) bool.
    """

    cells: np.ndarray
    row: np.ndarray
    rank: np.ndarray
    closed: np.ndarray

    def through(self, rank: int, own: tuple[int, int], cells: np.ndarray, down: bool) -> Ends:
        """The ends as seen from the near border of a rank, if these are those beyond its far border.

        Args:
            rank: the rank, whose own rows lie between.
            own: these rows.
            cells: (columns,) int64: how many of its cells follow each other from its near border.
            down: whether the far border is the lower one.
        """
        rows = own[1] - own[0]
        goes_on = cells == rows
        end = own[0] + cells if down else own[1] - 1 - cells
        return Ends(
            np.where(goes_on, rows + self.cells, cells),
            np.where(goes_on, self.row, end),
            np.where(goes_on, self.rank, rank),
            goes_on & self.closed,
        )


def ends_beyond(shares: Shares, seen: Sequence[np.ndarray], torus: bool, down: bool) -> list[Ends]:
    """The ends of columns beyond the lower border of each rank, or the upper one.

    Args:
        shares: the rows of all ranks.
        seen: by rank: (2, columns) int64, the cells for `Ends.through` from its upper, then its lower border.
        torus: whether the world is a torus.
        down: whether the lower border is meant.
    """
    ranks, columns = len(seen), seen[0].shape[1]
    order = range(ranks)[::-1] if down else range(ranks)
    none = np.zeros(columns, np.int64)
    ends = Ends(none, none - 1, none, np.full(columns, torus))

    def through(ends: Ends, rank: int) -> Ends:
        return ends.through(rank, shares.own[rank], seen[rank][0 if down else 1], down)

    for rank in order if torus else ():
        ends = through(ends, rank)
    found: dict[int, Ends] = {}
    for rank in order:
        found[rank] = ends
        ends = through(ends, rank)
    return [found[rank] for rank in range(ranks)]
