"""Divides a world into a grid of ranks, and finds for each cell of a halo the rank that computes it.

By default each rank has whole rows of gravity's frame. A grid with several columns of ranks divides these, too: so a
row can be wider than a texture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from gpufluid.cluster.shares import Overlap, Shares, check_shares, strips_in
from gpufluid.core.errors import UsageError, shown
from gpufluid.core.frame import Area
from gpufluid.core.numeric import is_whole

Shape = tuple[int, int]
"""(rows, columns) of a grid of ranks."""

Strips = tuple[tuple[int, ...], tuple[int, ...]]
"""The strips of columns of each column of ranks, and the strips of rows of each row of ranks."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Cells that one rank computes and another needs, in its halo or for a picture.

    Args:
        sender, receiver: the ranks.
        sent: these cells in the frame of the sender's part, halo included.
        received: these cells among those that the receiver has with them: of its part, halo included, or of a picture.
        whole: these cells in the frame of the whole world.
    """

    sender: int
    receiver: int
    sent: Area
    received: Area
    whole: Area


@dataclass(frozen=True)
class Grid:
    """The parts of all ranks. They are numbered along the first row of the grid, then along the second, and so on.

    Args:
        columns, rows: the shares of the axis across gravity, and of the axis along it.
    """

    columns: Shares
    rows: Shares

    @classmethod
    def of(
        cls,
        frame: tuple[int, int],
        shape: Shape,
        depth: tuple[int, int],
        wrap: bool,
        strips: Strips | None = None,
    ) -> Grid:
        """Divide a world.

        Args:
            frame: (columns, rows) of gravity's frame.
            shape: of the grid.
            depth: (columns, rows) of a halo on each side, at least 1.
            wrap: whether the world is a torus.
            strips: those of each column and row of ranks; None: as many for all, to within one.
        Raises: UsageError: more rows or columns of ranks than strips of cells.
        """
        rows, columns = shape
        several = columns > 1
        check_shares(rows, frame[1], "rows along gravity", "rows of ranks" if several else "ranks")
        check_shares(columns, frame[0], "columns across gravity", "columns of ranks")
        # On a torus even one row of ranks has a halo: the columns of a part do not close around.
        halos = rows * columns > 1
        across, along = (None, None) if strips is None else strips
        return cls(
            Shares.of(frame[0], columns, depth[0], wrap, across),
            Shares.of(frame[1], rows, depth[1], wrap, along, has_halos=halos),
        )

    @property
    def shape(self) -> Shape:
        """(rows, columns) of ranks."""
        return len(self.rows.own), len(self.columns.own)

    @property
    def strips(self) -> Strips:
        """The strips of each column and row of ranks."""
        return self.columns.strips, self.rows.strips

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return len(self.rows.own) * len(self.columns.own)

    def place_of(self, rank: int) -> tuple[int, int]:
        """(column, row) of a rank in the grid."""
        row, column = divmod(rank, len(self.columns.own))
        return column, row

    def own_of(self, rank: int) -> Area:
        """The cells of the whole world that a rank computes."""
        column, row = self.place_of(rank)
        return self.columns.own[column], self.rows.own[row]

    def part_of(self, rank: int) -> Area:
        """The cells of a rank's part, halo included; on a torus they may lie beyond the world."""
        column, row = self.place_of(rank)
        return self.columns.part_of(column), self.rows.part_of(row)

    def halo_of(self, rank: int) -> Area:
        """The columns and the rows of a rank's halo, (before, after) its own."""
        column, row = self.place_of(rank)
        return self.columns.halos[column], self.rows.halos[row]

    def own_in_part(self, rank: int) -> Area:
        """The own cells of a rank in its part."""
        column, row = self.place_of(rank)
        return self.columns.own_in_part(column), self.rows.own_in_part(row)

    def spans_of(self, rank: int) -> Iterator[tuple[Area, Area]]:
        """The cells of a rank's part: rectangles of the world without a gap, and their places in the part."""
        column, row = self.place_of(rank)
        for rows, columns in product(self.rows.spans_of(row), self.columns.spans_of(column)):
            yield (columns[0], rows[0]), (columns[1], rows[1])

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """All crossings of halos, in an order that is the same for all ranks."""
        return tuple(self.crossings_to([self.part_of(rank) for rank in range(self.ranks)]))

    def crossings_to(self, needed: Sequence[Area | None]) -> list[Crossing]:
        """The crossings that bring to each rank the cells that it needs beside its own.

        A rank of a torus may be sender and receiver of a crossing. Received cells are counted from the first that it
        needs.

        Args:
            needed: by rank: the cells of the whole world, which may lie beyond a torus; None: it needs none.
        """
        found: list[Crossing] = []
        for rank, area in enumerate(needed):
            if area is None:
                continue
            column, row = self.place_of(rank)
            for (rows, own_rows), (columns, own_columns) in product(
                self.rows.overlaps_of(row, area[1]), self.columns.overlaps_of(column, area[0])
            ):
                if not (own_rows and own_columns):
                    found.append(self._crossing(rank, columns, rows))
        return found

    def inner_of(self, rank: int) -> Area:
        """The cells so far inside a part that no pass that visits their tiles changes cells that other ranks copy.

        A rank copies at most as many lines beside a border as the deepest halo has. A pass changes cells beside the
        tiles that it visits, too, but none as far away as that.

        Returns: the columns and the rows of the part, halo included; there are none if the first is not before the end.
        """
        deepest = (max(map(max, shares.halos)) for shares in (self.columns, self.rows))
        columns, rows = (
            (before + 2 * deep * (before > 0), before + end - first - 2 * deep * (after > 0))
            for (first, end), (before, after), deep in zip(self.own_of(rank), self.halo_of(rank), deepest, strict=True)
        )
        return columns, rows

    def moves_to(self, other: Grid) -> list[Crossing]:
        """The cells of each rank's part, halo included, in another division, and who computes them in this one.

        A rank may be sender and receiver of a crossing. Sent cells are those of the sender's part in this division,
        received ones those of the receiver's part in the other.
        """
        return [
            self._crossing(rank, columns, rows)
            for rank in range(other.ranks)
            for area in [other.part_of(rank)]
            for rows, columns in product(
                self.rows.overlaps(area[1], area[1][0]), self.columns.overlaps(area[0], area[0][0])
            )
        ]

    def _crossing(self, receiver: int, columns: Overlap, rows: Overlap) -> Crossing:
        return Crossing(
            rows.sender * len(self.columns.own) + columns.sender,
            receiver,
            (columns.sent, rows.sent),
            (columns.received, rows.received),
            (columns.whole, rows.whole),
        )


def check_shape(ranks: object, count: int) -> Shape | None:
    """The shape of a grid that a caller asks for.

    Args:
        ranks: (rows, columns), or None.
        count: the number of ranks that there are.
    Raises: UsageError: no two numbers of at least 1, or not so many ranks.
    """
    if ranks is None:
        return None
    if not isinstance(ranks, Sequence) or len(ranks) != 2 or not all(is_whole(each, 1) for each in ranks):
        raise UsageError(f"ranks: {shown(ranks)}; expected (rows, columns), two whole numbers of at least 1")
    rows, columns = int(ranks[0]), int(ranks[1])
    if rows * columns != count:
        raise UsageError(f"ranks: a grid of {rows} x {columns} has {rows * columns}; there are {count}")
    return rows, columns


def shape_for(frame: tuple[int, int], count: int, depth: tuple[int, int], wrap: bool, most: int) -> Shape:
    """The grid of ranks, if none is asked for: one column of ranks, unless rows of cells are wider than a texture.

    Then it is the grid with the fewest columns whose parts fit into textures, if there is one.

    Args:
        frame, depth, wrap: as for `Grid.of`.
        count: the number of ranks.
        most: the longest side of a texture.
    """
    for columns in range(2, min(count, strips_in(frame[0])) + 1) if frame[0] > most else ():
        if count % columns or count // columns > strips_in(frame[1]):
            continue
        grid = Grid.of(frame, (count // columns, columns), depth, wrap)
        if all(end - first <= most for rank in range(count) for first, end in grid.part_of(rank)):
            return grid.shape
    return count, 1
