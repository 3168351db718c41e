"""Connected sets of cells that cross the borders between ranks, such as falling pieces of solid.

Each rank labels the sets within its part: its own rows, and its halo. So a set that crosses borders has a label of its
own in each part. The rows near a border are in the parts of both ranks. Ranks send the labels that these rows have, and
all of them find alike which labels belong to one set: those of the same cell, and so on from border to border. Where
own cells of two ranks touch, the cell of one is in the halo of the other, and connected there. So no other row is
needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
    def of(cls, near: Sequence[np.ndarray], rows: Sequence[Sequence[int]]) -> SharedSets:
        """Unite the labels of the same cells.

        Args:
            near: by rank: the labels of some rows of its part, (rows, columns) of any integer type; 0: no set.
            rows: by rank: the place of each of these rows in the whole world; -1: it lies beyond the world.
        """
        ranks = len(near)
        nodes = [rank << _LABEL_BITS | each.astype(np.int64) for rank, each in enumerate(near)]
        of_row: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}  # the nodes of a row, and where it has labels
        for rank in range(ranks):
            for row, labels, own in zip(rows[rank], near[rank], nodes[rank], strict=True):
                if row >= 0:
                    of_row.setdefault(row, []).append((own, labels != 0))
        pairs = [np.zeros((2, 0), np.int64)]
        for (first, there), *others in of_row.values():
            for other, also in others:
                same = there & also
                pairs.append(np.unique(np.stack([first[same], other[same]]), axis=1))
        found, places = np.unique(np.concatenate(pairs, axis=1), return_inverse=True)
        roots, numbers = np.unique(_roots(len(found), places.reshape(2, -1)), return_inverse=True)
        own = [found >> _LABEL_BITS == rank for rank in range(ranks)]
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


def rows_near_borders(shares: Shares, rank: int, near: int, torus: bool) -> list[int]:
    """The rows of the whole world near the borders of a rank: ``near`` rows on each side of the upper, then the lower.

    The number of a row beyond the edge of a world that is no torus is -1.
    """
    rows = shares.own[-1][1]
    beside = (row for border in shares.own[rank] for row in range(border - near, border + near))
    return [row % rows if torus or 0 <= row < rows else -1 for row in beside]


@dataclass(frozen=True, slots=True)
class Ends:
    """Where the columns of sets go on beyond one border of a rank, and end.

    Args:
        cells: the cells of each column from the border to its end, (columns,) int64.
        row: the row of the whole world that follows, (columns,) int64; -1: the column ends at the edge of the world.
        rank: the rank that computes it, (columns,) int64.
        density: of what is there, (columns,) int64.
        closed: whether the column closes around a torus instead, (columns,) bool.
    """

    cells: np.ndarray
    row: np.ndarray
    rank: np.ndarray
    density: np.ndarray
    closed: np.ndarray

    def through(self, rank: int, own: tuple[int, int], texels: np.ndarray, down: bool) -> Ends:
        """The ends as seen from the near border of a rank, if these are those beyond its far border.

        Args:
            rank: the rank, whose own rows lie between.
            own: these rows.
            texels: (columns, 2) int64: how many of its cells follow each other from its near border, and the density of
                the next one.
            down: whether the far border is the lower one.
        """
        cells, density = texels[:, 0], texels[:, 1]
        rows = own[1] - own[0]
        goes_on = cells == rows
        end = own[0] + cells if down else own[1] - 1 - cells
        return Ends(
            np.where(goes_on, rows + self.cells, cells),
            np.where(goes_on, self.row, end),
            np.where(goes_on, self.rank, rank),
            np.where(goes_on, self.density, density),
            goes_on & self.closed,
        )


def ends_beyond(shares: Shares, seen: Sequence[np.ndarray], torus: bool, down: bool) -> list[Ends]:
    """The ends of columns beyond the lower border of each rank, or the upper one.

    Args:
        shares: the rows of all ranks.
        seen: by rank: (2, columns, 2) int64, the texels for `Ends.through` from its upper, then its lower border.
        torus: whether the world is a torus.
        down: whether the lower border is meant.
    """
    ranks, columns = len(seen), seen[0].shape[1]
    order = range(ranks)[::-1] if down else range(ranks)
    none = np.zeros(columns, np.int64)
    ends = Ends(none, none - 1, none, none, np.full(columns, torus))

    def through(ends: Ends, rank: int) -> Ends:
        return ends.through(rank, shares.own[rank], seen[rank][0 if down else 1], down)

    for rank in order if torus else ():
        ends = through(ends, rank)
    found: dict[int, Ends] = {}
    for rank in order:
        found[rank] = ends
        ends = through(ends, rank)
    return [found[rank] for rank in range(ranks)]
