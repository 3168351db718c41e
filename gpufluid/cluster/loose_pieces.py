"""`LoosePieces`: the pieces of rule ``collapse`` that lie in the parts of several ranks.

In each substep the ranks join what they know of these pieces, twice.

- Before `collapse.join_labels` they unite the labels (`cluster.joined_sets`), and find where the columns of pieces end
  that go on beyond their borders.
- Before `collapse.move` they combine the bits, and add the weights, which each has found of its own cells. A run of
  cells that moves changes places with one cell, which may lie beyond any number of parts. So its content is sent to
  the rank with the other end of the run, which puts it at the end of its own halo: there the run seems to end. The halo
  is copied after the pass anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.bodies import Ends, ends_beyond
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.ranks import wait_for
from gpufluid.cluster.shares import Shares
from gpufluid.core.frame import cell_in_world, rows_in_world
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.rules import Pass
from gpufluid.rules.collapse import BORDERS, FIXED, HELD, NO_FALL, NO_RISE, PIECES, WEIGHT_HIGH, WEIGHT_LOW, WET
from gpufluid.rules.passes import NEAR_ROWS
from gpufluid.world import World

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

_STORED = (HELD, WEIGHT_LOW, WEIGHT_HIGH)


@dataclass(frozen=True, slots=True)
class Passed:
    """Cells that change places with runs, and whose contents one rank sends to another.

    Args:
        sender, receiver: the ranks; the same one if a run goes around a torus.
        rows: the row of each cell in the whole world, (cells,) int64.
        columns: its column of gravity's frame, (cells,) int64.
        down: whether the runs fall, and so end beyond the lower border of the receiver.
    """

    sender: int
    receiver: int
    rows: np.ndarray
    columns: np.ndarray
    down: bool


class LoosePieces:
    """The pieces that cross the borders of one rank.

    Args:
        sets: the connected sets of cells of rule ``collapse``.
        comm: the communicator of all ranks.
        costs: those of the rank.
        shares: the rows of all ranks.
        part: the rank's part; its arrays are not read.
        planes: the planes of the part.
        moved: the names of the planes that pieces take along.
    """

    def __init__(
        self,
        sets: JoinedSets,
        comm: Comm,
        costs: Costs,
        shares: Shares,
        part: World,
        planes: PlaneTextures,
        moved: Sequence[str],
    ) -> None:
        self._sets, self._comm, self._costs, self._shares = sets, comm, costs, shares
        self._planes, self._moved = planes, moved
        self._size, self._gravity, self._torus = (part.width, part.height), part.gravity, part.edges == "wrap"
        self._rises = bool(part.laws.amounts_beside_atoms)
        self._columns, self._rows = sets.columns, sets.rows
        self._own = part.domain.own_rows(self._gravity)
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
        elif self._sets.shared.count:  # the same on all ranks
            self._join_sums(time_to_rise=self._rises and run == 0 and tick % 2 == 1)

    def _join_labels(self) -> None:
        """Give each piece that crosses borders one label in this part, and tell this part where its columns end."""
        self._seen = self._sets.unite(_STORED)
        self._below, self._above = (ends_beyond(self._shares, self._seen, self._torus, down) for down in (True, False))
        below = self._below[self._comm.rank]
        self._sets.write_rows(BORDERS, 0, np.stack([below.density, below.closed], axis=-1).astype(np.uint32)[None])

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
        """The cells that change places with runs of which a rank has the one end, and the other is beyond its part.

        Args:
            down: the rows by which each piece moves down, (pieces,) int64: 1, 0 or -1.
        """
        found: list[Passed] = []
        for rank, (before, after) in enumerate(self._shares.halos):
            rows = self._shares.own[rank][1] - self._shares.own[rank][0]
            for falls, ends, halo in ((True, self._below[rank], after), (False, self._above[rank], before)):
                labels = self._sets.near[rank]
                upper, lower = ((labels[row - 1], labels[row]) for row in (NEAR_ROWS, 3 * NEAR_ROWS))
                one, other = lower if falls else upper  # on both sides of the border
                sets = self._sets.shared.numbers_of(rank, one)
                moves = (one != 0) & (other != 0) & (sets >= 0) & (down[sets] == (1 if falls else -1))
                behind = upper[0] if falls else lower[1]
                begins = (self._seen[rank][1 if falls else 0, :, 0] < rows) | (behind == 0)  # among its own rows
                columns = np.flatnonzero(moves & begins & (ends.row >= 0) & (ends.cells >= halo))
                found += [
                    Passed(sender, rank, ends.row[own], own, falls)
                    for sender in np.unique(ends.rank[columns]).tolist()
                    for own in [columns[ends.rank[columns] == sender]]
                ]
        return found

    def _fetch(self, passed: Sequence[Passed]) -> None:
        """Send the contents of cells to the ranks that need them, and put those that this rank needs into its halo."""
        from mpi4py.MPI import BYTE

        rank, held = self._comm.rank, {}
        sending, receiving = [], []
        for tag, each in enumerate(passed):
            if each.sender == rank:
                first = self._shares.own[rank][0] - self._own[0]
                words = self._contents(each.rows - first, each.columns)
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
        box = rows_in_world((row, row + 1), self._size, self._gravity)
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
        """Put the contents of cells at the end of the halo, as cells of no piece."""
        row = self._rows - 1 if passed.down else 0
        box, index = self._row(row)
        first = 0
        for name in self._moved:
            texels = self._texels(name, box)
            end = first + len(passed.columns) * len(texels) * texels.itemsize
            texels[:, index[passed.columns]] = words[first:end].view(texels.dtype).reshape(len(texels), -1)
            self._planes.put_texels(name, box, texels.reshape(-1).view(np.uint8))
            first = end
        labels = self._sets.read_rows(PIECES, (row, row + 1))
        labels[0, passed.columns] = 0
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
