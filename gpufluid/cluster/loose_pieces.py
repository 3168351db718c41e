"""`LoosePieces`: the pieces of rule ``collapse`` that lie in the parts of several ranks.

In each substep the ranks join what they know of these pieces.

- Before `collapse.join_labels` they unite the labels (`cluster.joined_sets`), and find where the columns of pieces end
  that go on beyond their borders.
- Before `collapse.weigh`, with several columns of ranks, they find the fluid beside the rows that go on beyond their
  borders (`cluster.row_ends`).
- Before `collapse.move` they combine the bits, and add the weights, which each has found of its own cells. A run of
  cells that moves changes places with one cell, which may lie beyond any number of parts. So its content is sent to
  the rank with the other end of the run, which puts it at the end of its own halo: there the run seems to end. The halo
  is copied after the pass anyway. Beside rule ``inertia`` the water below a run gives way to it, which depends on all
  these cells and on two above the run. Then all of them are put there, also for a run that ends in the rows of another
  rank not far above the own water.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.bodies import Ends, ends_beyond
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.ranks import wait_for
from gpufluid.cluster.row_ends import RowEnds
from gpufluid.core.fields import ATOM_PLANE
from gpufluid.core.frame import area_in_world, cell_in_world
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.rules import Pass
from gpufluid.rules.collapse import (
    ABOVE_RUN,
    BELOW_RUN,
    BORDERS,
    FIXED,
    HELD,
    LOOSE,
    NO_FALL,
    NO_RISE,
    PIECES,
    WEIGHT_HIGH,
    WEIGHT_LOW,
    WET,
)
from gpufluid.world import World

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

_STORED = (HELD, WEIGHT_LOW, WEIGHT_HIGH)


@dataclass(frozen=True, slots=True)
class Passed:
    """Cells beyond the ends of runs, whose contents one rank sends to another.

    Args:
        sender, receiver: the ranks; the same one if a run goes around a torus.
        rows: the row of each cell in the whole world, (cells,) int64.
        columns: its column in the parts of both, which have the same columns, (cells,) int64.
        places: the row of the receiver's part at which it is put, (cells,) int64.
    """

    sender: int
    receiver: int
    rows: np.ndarray
    columns: np.ndarray
    places: np.ndarray


class LoosePieces:
    """The pieces that cross the borders of one rank.

    Args:
        sets: the connected sets of cells of rule ``collapse``.
        comm: the communicator of all ranks.
        same_rows: that of the ranks with the same rows, from the first column of the grid on.
        costs: those of the rank.
        grid: the parts of all ranks.
        part: the rank's part; its arrays are not read.
        planes: the planes of the part.
        moved: the names of the planes that pieces take along.
        near: the rows on each side of a border whose labels are compared.
    """

    def __init__(
        self,
        sets: JoinedSets,
        comm: Comm,
        same_rows: Comm,
        costs: Costs,
        grid: Grid,
        part: World,
        planes: PlaneTextures,
        moved: Sequence[str],
        near: int,
    ) -> None:
        self._sets, self._comm, self._costs, self._grid, self._near = sets, comm, costs, grid, near
        self._planes, self._moved = planes, moved
        self._size, self._gravity, self._torus = (part.width, part.height), part.gravity, part.edges == "wrap"
        self._gives_way = "inertia" in part.rules
        self._roles = np.array(part.tables("collapse")["role"])
        self._columns, self._rows = sets.columns, sets.rows
        self._first_row = grid.part_of(comm.rank)[1][0]
        self._row_ends = RowEnds(sets, same_rows, costs, part.domain.own_rows(self._gravity), self._torus)
        self._seen: list[np.ndarray] = []  # by rank: the first rows of `BORDERS`
        self._below: list[Ends] = []
        self._above: list[Ends] = []

    def forget(self) -> None:
        """Begin a tick in which no piece at a border is active."""
        self._sets.forget()

    def join(self, pass_: Pass, run: int, tick: int) -> None:
        """Join what `Pass.joins` names before a pass. All ranks call it.

        Args:
            pass_: the pass.
            run: the number of its run in the tick, from 0 on.
            tick: the tick in progress.
        """
        if pass_.joins == "labels":
            self._join_labels()
        elif self._sets.shared.count == 0:
            return  # on all ranks
        elif pass_.joins == "row_ends":
            if self._grid.columns.is_divided:
                self._row_ends.share()
        else:
            self._join_sums(time_to_rise=run == 0 and tick % 2 == 1)

    def _join_labels(self) -> None:
        """Give each piece that crosses borders one label in this part, and tell this part where its columns end."""
        self._seen = self._sets.unite(_STORED)
        self._below, self._above = (self._ends(down) for down in (True, False))
        closed = self._below[self._comm.rank].closed.astype(np.uint32)
        self._sets.write_rows(BORDERS, 0, np.stack([closed, np.zeros_like(closed)], axis=-1)[None])

    def _ends(self, down: bool) -> list[Ends]:
        """By rank: the ends of the columns of its part beyond its lower border, or the upper one."""
        rows, columns = self._grid.shape
        seen = [each[:2, :, 0] for each in self._seen]
        found = [ends_beyond(self._grid.rows, seen[column::columns], self._torus, down) for column in range(columns)]
        return [found[column][row] for row in range(rows) for column in range(columns)]

    def _join_sums(self, time_to_rise: bool) -> None:
        """Find which of the pieces that cross borders move, and fetch the cells with which their runs change places.

        Args:
            time_to_rise: whether pieces that touch a liquid may rise, and do not fall.
        """
        count, own = self._sets.shared.count, self._sets.own
        bits, weights = np.zeros(count, np.uint32), np.zeros(count, np.uint64)
        for sets, (held, low, high) in self._sets.joined(_STORED):
            bits[sets] |= held
            weights[sets] += low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
        words = bits[own], weights[own] & np.uint64(0xFFFFFFFF), weights[own] >> np.uint64(32)
        for each, values in zip(_STORED, words, strict=True):
            self._sets.write(each, values.astype(np.uint32))
        if self._gravity != "off":
            self._fetch(self._passed(rows_down(bits, weights.view(np.int64), time_to_rise)))

    def _passed(self, down: np.ndarray) -> list[Passed]:
        """The cells beyond the ends of runs on which the own cells of a rank depend, and that are beyond its part.

        Args:
            down: the rows by which each piece moves down, (pieces,) int64: 1, 0 or -1.
        """
        found: list[Passed] = []
        for rank in range(self._grid.ranks):
            before, after = self._grid.halo_of(rank)[1]
            _, (first, end) = self._grid.own_of(rank)
            for falls, ends, halo in ((True, self._below[rank], after), (False, self._above[rank], before)):
                _, labels = self._sets.near[rank]
                upper, lower = ((labels[row - 1], labels[row]) for row in (self._near, 3 * self._near))
                one, other = lower if falls else upper  # on both sides of the border
                moving = self._move_of(rank, one, down)
                behind = upper[0] if falls else lower[1]
                begins = (self._seen[rank][1 if falls else 0, :, 0] < end - first) | (behind == 0)  # among own rows
                moves = moving == 1 if falls else moving != 0 if self._gives_way else moving == -1
                columns = self._own_columns(rank, (one != 0) & (other != 0) & moves & begins & (ends.row >= 0))
                found += self._beyond(rank, falls, halo, columns, ends.cells[columns], ends.row[columns])
            if self._gives_way and (self._torus or first > 0):
                found += self._beyond(rank, False, before, *self._over_water(rank, down))
        return found

    def _own_columns(self, rank: int, mask: np.ndarray) -> np.ndarray:
        """The own columns of a rank, counted in its part, where a mask, (columns of the part,) bool, is true."""
        first, end = self._grid.own_in_part(rank)[0]
        return first + np.flatnonzero(mask[first:end])

    def _move_of(self, rank: int, labels: np.ndarray, down: np.ndarray) -> np.ndarray:
        """The rows by which the pieces of some labels in a rank's part move down; 0 for labels of no shared piece."""
        sets = self._sets.shared.numbers_of(rank, labels)
        return np.where((labels != 0) & (sets >= 0), down[sets], 0)

    def _over_water(self, rank: int, down: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The runs that move, and end above a rank's upper border, with own cells among those that may give way.

        Returns: of each the column, the number of rows from the border up to its upper end, and the row above it in the
        whole world; (runs,) int64 each.
        """
        over = (rank - self._grid.shape[1]) % self._grid.ranks
        (_, (first, end)), (_, labels), ends = self._grid.own_of(over), self._sets.near[rank], self._above[over]
        under, cells = self._seen[over][2].T
        is_near = (cells > 0) & (under + 1 < BELOW_RUN) & (labels[self._near] == 0)
        place = np.where(is_near, self._near - 1 - under, 0)
        moves = self._move_of(rank, np.take_along_axis(labels, place[None], axis=0)[0], down) != 0
        goes_on = under + cells == end - first
        rows = under + cells + np.where(goes_on, ends.cells, 0)
        row = np.where(goes_on, ends.row, end - 1 - under - cells)
        columns = self._own_columns(rank, is_near & moves & (row >= 0))
        return columns, rows[columns], row[columns]

    def _beyond(
        self, rank: int, falls: bool, halo: int, columns: np.ndarray, cells: np.ndarray, row: np.ndarray
    ) -> list[Passed]:
        """The cells that a rank must know beyond the ends of runs, if its part has not all of them.

        Args:
            rank: the rank.
            falls: whether the cells lie below the runs.
            halo: the rows of its halo on that side.
            columns: those of the runs, (runs,) int64.
            cells: the rows between the border and the first such cell, (runs,) int64.
            row: the row of the first such cell in the whole world, (runs,) int64.
        """
        most = (BELOW_RUN if falls else ABOVE_RUN) if self._gives_way else 1
        shares = self._grid.rows
        there = shares.lines - row if falls else row + 1
        count = np.full(len(row), most) if self._torus else np.minimum(there, most)
        far = cells + count > halo
        columns, row, count = columns[far], row[far], count[far]
        _, (first, end) = self._grid.part_of(rank)
        found: list[Passed] = []
        number = np.arange(most)
        there = number < count[:, None]
        rows = ((row[:, None] + (number if falls else -number)) % shares.lines)[there]
        places = (end - first - count[:, None] + number if falls else count[:, None] - 1 - number)[there]
        across = np.broadcast_to(columns[:, None], there.shape)[there]
        senders = np.searchsorted([end for _, end in shares.own], rows, side="right") * self._grid.shape[1]
        senders += self._grid.place_of(rank)[0]
        for sender in np.unique(senders).tolist():
            own = senders == sender
            found.append(Passed(sender, rank, rows[own], across[own], places[own]))
        return found

    def _fetch(self, passed: Sequence[Passed]) -> None:
        """Send the contents of cells to the ranks that need them, and put those that this rank needs into its halo."""
        from mpi4py.MPI import BYTE

        rank, held = self._comm.rank, {}
        sending, receiving = [], []
        for tag, each in enumerate(passed):
            if each.sender == rank:
                words = self._contents(each.rows - self._first_row, each.columns)
                if each.receiver == rank:
                    held[tag] = words
                else:
                    self._costs.bytes_sent += words.nbytes
                    sending.append(self._comm.Isend([words, BYTE], each.receiver, tag))
            elif each.receiver == rank:
                held[tag] = np.empty(len(each.columns) * self._bytes_a_cell, np.uint8)
                receiving.append(self._comm.Irecv([held[tag], BYTE], each.sender, tag))
        with self._costs.waiting():
            wait_for([*receiving, *sending])
        for tag, words in held.items():
            self._put(passed[tag], words)

    def _row(self, row: int) -> tuple[tuple[int, int, int, int], np.ndarray]:
        """The cells of a row of the frame: their rectangle in the world, and the index in it of each column."""
        box = area_in_world(((0, self._columns), (row, row + 1)), self._size, self._gravity)
        cells = [cell_in_world(column, row, *self._size, self._gravity) for column in (0, self._columns - 1)]
        first, last = (x - box[0] + y - box[1] for x, y in cells)
        return box, np.linspace(first, last, self._columns).round().astype(np.int64)

    def _texels(self, name: str, box: tuple[int, int, int, int]) -> np.ndarray:
        """The texels of a row of a plane, (layers, cells) of the type of its image."""
        texels = self._planes.read_texels(name, box)
        return texels.reshape(texels.shape[0] // box[3], -1)

    @property
    def _bytes_a_cell(self) -> int:
        return sum(self._planes.texel_bytes(name, (0, 0, 1, 1)) for name in self._moved)

    def _contents(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The contents of some cells of the part, (bytes,) uint8: one plane and layer after the other."""
        found: list[list[np.ndarray]] = [[] for _ in self._moved]
        order = np.argsort(rows, kind="stable")
        for row in np.unique(rows).tolist():
            box, index = self._row(row)
            for plane, name in zip(found, self._moved, strict=True):
                plane.append(self._texels(name, box)[:, index[columns[rows == row]]])
        words = []
        for plane in found:
            texels = np.concatenate(plane, axis=1)
            placed = np.empty_like(texels)
            placed[:, order] = texels
            words.append(placed.reshape(-1).view(np.uint8))
        return np.concatenate(words)

    def _put(self, passed: Passed, words: np.ndarray) -> None:
        """Put the contents of cells at an end of the halo. Loose solid there is of a piece, other cells are of none."""
        cells = len(passed.columns)
        contents: dict[str, np.ndarray] = {}
        first = 0
        for name in self._moved:
            texels = self._texels(name, self._row(0)[0])
            end = first + cells * len(texels) * texels.itemsize
            contents[name] = words[first:end].view(texels.dtype).reshape(len(texels), -1)
            first = end
        is_loose = self._roles[contents[ATOM_PLANE][0] & 0xFF] == LOOSE
        for row in np.unique(passed.places).tolist():
            own = passed.places == row
            box, index = self._row(row)
            columns = passed.columns[own]
            for name, found in contents.items():
                texels = self._texels(name, box)
                texels[:, index[columns]] = found[:, own]
                self._planes.put_texels(name, box, texels.reshape(-1).view(np.uint8))
            labels = self._sets.read_rows(PIECES, (row, row + 1))
            labels[0, columns] = np.where(is_loose[own], np.maximum(labels[0, columns], 1), 0)
            self._sets.write_rows(PIECES, row, labels)

    def release(self) -> None:
        """Release what reads the scratch; call it before the scratch is released."""
        self._sets.release()


def rows_down(bits: np.ndarray, weights: np.ndarray, time_to_rise: bool) -> np.ndarray:
    """The rows by which pieces move down: 1, 0 or -1 for each, (pieces,) int64. Twin: ``shaders/collapse/weight.glsl``.

    Args:
        bits: of scratch `HELD`, (pieces,) uint32.
        weights: (pieces,) int64.
        time_to_rise: whether pieces that touch a liquid may rise, and do not fall.
    """
    falls = (weights > 0) & (bits & (FIXED | NO_FALL) == 0)
    rises = (weights < 0) & (bits & (FIXED | NO_RISE) == 0)
    return np.where(time_to_rise & (bits & WET != 0), -rises.astype(np.int64), falls.astype(np.int64))
