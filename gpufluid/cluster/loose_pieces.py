"""`LoosePieces`: the pieces of rule ``collapse`` that lie in the parts of several ranks.

In each substep the ranks join what they know of these pieces, twice.

- Before `collapse.join_labels` they unite the labels (`cluster.bodies`), and find where the columns of pieces end that
  go on beyond their borders. Each rank then stores the bits and the weight of such a piece at a place below the cells
  of its part, one for all labels of the piece.
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

from gpufluid.cluster.bodies import Ends, SharedSets, ends_beyond, rows_near_borders
from gpufluid.cluster.changes import Receiver, Sender
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.ranks import meet_before, wait_for
from gpufluid.cluster.shares import Shares
from gpufluid.core.frame import cell_in_world, frame_size, rows_in_world
from gpufluid.gpu.device import Device
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.readback import WindowCopies
from gpufluid.gpu.textures import write_texels
from gpufluid.rules.collapse import (
    BORDERS,
    FIXED,
    HELD,
    NEAR_ROWS,
    NO_FALL,
    NO_RISE,
    PIECES,
    WEIGHT_HIGH,
    WEIGHT_LOW,
    WET,
)
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl
    from mpi4py.MPI import Comm

_STORED = (HELD, WEIGHT_LOW, WEIGHT_HIGH)
_SEEN_ROWS = 2 + 2 * NEAR_ROWS


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
        device: the device of the rank.
        comm: the communicator of all ranks.
        costs: those of the rank.
        shares: the rows of all ranks.
        part: the rank's part; its arrays are not read.
        planes: the planes of the part.
        scratch: the scratch of the part, by name.
        moved: the names of the planes that pieces take along.
    """

    def __init__(
        self,
        device: Device,
        comm: Comm,
        costs: Costs,
        shares: Shares,
        part: World,
        planes: PlaneTextures,
        scratch: dict[str, moderngl.Texture],
        moved: Sequence[str],
    ) -> None:
        self._device, self._comm, self._costs, self._shares = device, comm, costs, shares
        self._planes, self._scratch, self._moved = planes, scratch, moved
        self._size, self._gravity, self._torus = (part.width, part.height), part.gravity, part.edges == "wrap"
        self._rises = bool(part.laws.amounts_beside_atoms)
        self._columns, self._rows = frame_size(*self._size, self._gravity)
        self._own = part.domain.own_rows(self._gravity)
        self._near = [rows_near_borders(shares, rank, NEAR_ROWS, self._torus) for rank in range(comm.size)]
        size = _SEEN_ROWS * self._columns * 8
        self._sender, self._receivers = Sender(size), [Receiver(size) for _ in range(comm.size)]
        self._copies, self._wide_copies = WindowCopies(device, PIECES.image), WindowCopies(device, BORDERS.image)
        places = np.arange(PIECES.sets * self._columns, dtype=np.uint32).reshape(PIECES.sets, self._columns)
        self._first_label = self._rows * self._columns + 1  # of the places below the cells
        write_texels(scratch[PIECES.name], (0, self._rows), places + np.uint32(self._first_label))
        self._sets = SharedSets(0, (), ())
        self._own_sets = np.zeros(0, np.int64)  # those that lie in this rank's part
        self._labels: list[np.ndarray] = []  # by rank: those near its borders
        self._seen: list[np.ndarray] = []
        self._below: list[Ends] = []
        self._above: list[Ends] = []

    def join_labels(self) -> None:
        """Give each piece that crosses borders one label in this part, and tell this part where its columns end."""
        self._device.barrier()
        self._look(self._exchanged())
        labels, numbers = self._sets.labels[self._comm.rank], self._sets.numbers[self._comm.rank]
        self._own_sets, places = np.unique(numbers, return_inverse=True)
        for label, place in zip(labels.tolist(), places.tolist(), strict=True):
            root = (label - 1) % self._columns, (label - 1) // self._columns
            write_texels(self._scratch[PIECES.name], root, np.array([[self._first_label + place]], np.uint32))
        for each in _STORED:
            self._write_sets(self._scratch[each.name], np.zeros(len(self._own_sets), np.uint32))
        below = self._below[self._comm.rank]
        texels = np.stack([below.density, below.closed], axis=-1).astype(np.uint32)
        write_texels(self._scratch[BORDERS.name], (0, 0), texels[None])

    def join_sums(self, time_to_rise: bool) -> None:
        """Find which of the pieces that cross borders move, and fetch the cells with which their runs change places.

        Args:
            time_to_rise: whether it is a substep in which pieces may rise.
        """
        if self._sets.count == 0:
            return  # on all ranks
        self._device.barrier()
        own = np.stack([self._read_sets(self._scratch[each.name]) for each in _STORED])
        self._costs.bytes_sent += own.nbytes
        with self._costs.waiting():
            meet_before(self._comm)
            every = self._comm.allgather((self._own_sets, own))
        bits, weights = np.zeros(self._sets.count, np.uint32), np.zeros(self._sets.count, np.uint64)
        for sets, (held, low, high) in every:
            bits[sets] |= held
            weights[sets] += low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
        own_bits, own_weights = bits[self._own_sets], weights[self._own_sets]
        words = own_bits, own_weights & np.uint64(0xFFFFFFFF), own_weights >> np.uint64(32)
        for each, values in zip(_STORED, words, strict=True):
            self._write_sets(self._scratch[each.name], values.astype(np.uint32))
        if self._gravity != "off":
            self._fetch(self._passed(rows_down(bits, weights.view(np.int64), self._rises and time_to_rise)))

    def _exchanged(self) -> list[np.ndarray]:
        """What each rank has at its borders, the texels of scratch `BORDERS`: (rows, columns, 2) int64."""
        own = np.empty((_SEEN_ROWS, self._columns, 2), np.uint32)
        self._wide_copies.copy(self._scratch[BORDERS.name], (0, 0, self._columns, _SEEN_ROWS), own)
        message = self._sender.message(own.reshape(-1).view(np.uint8))
        self._costs.bytes_sent += message.nbytes
        with self._costs.waiting():
            meet_before(self._comm)
            every = self._comm.allgather(message)
        return [
            receiver.array(each).view(np.uint32).reshape(own.shape).astype(np.int64)
            for receiver, each in zip(self._receivers, every, strict=True)
        ]

    def _look(self, seen: list[np.ndarray]) -> None:
        """Find the pieces that cross borders, and the ends of their columns, from what all ranks have seen."""
        self._seen = seen
        self._labels = [each[2:].transpose(0, 2, 1).reshape(-1, self._columns) for each in seen]
        self._sets = SharedSets.of(self._labels, self._near)
        ends = [each[:2] for each in seen]
        self._below, self._above = (ends_beyond(self._shares, ends, self._torus, down) for down in (True, False))

    def _passed(self, down: np.ndarray) -> list[Passed]:
        """The cells that change places with runs of which a rank has the one end, and the other is beyond its part.

        Args:
            down: the rows by which each piece moves down, (pieces,) int64: 1, 0 or -1.
        """
        found: list[Passed] = []
        for rank, (before, after) in enumerate(self._shares.halos):
            rows = self._shares.own[rank][1] - self._shares.own[rank][0]
            for falls, ends, halo in ((True, self._below[rank], after), (False, self._above[rank], before)):
                labels = self._labels[rank]
                upper, lower = ((labels[row - 1], labels[row]) for row in (NEAR_ROWS, 3 * NEAR_ROWS))
                one, other = lower if falls else upper  # on both sides of the border
                sets = self._sets.numbers_of(rank, one)
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
        labels = np.empty((1, self._columns), np.uint32)
        self._copies.copy(self._scratch[PIECES.name], (0, row, self._columns, 1), labels)
        labels[0, passed.columns] = 0
        write_texels(self._scratch[PIECES.name], (0, row), labels)

    def _read_sets(self, texture: moderngl.Texture) -> np.ndarray:
        """The words of the pieces that cross borders of this rank, (pieces,) uint32."""
        rows = -(-len(self._own_sets) // self._columns)
        found = np.empty((rows, self._columns), np.uint32)
        if rows:
            self._copies.copy(texture, (0, self._rows, self._columns, rows), found)
        return found.reshape(-1)[: len(self._own_sets)]

    def _write_sets(self, texture: moderngl.Texture, words: np.ndarray) -> None:
        """Write the words that `_read_sets` reads."""
        rows = -(-len(words) // self._columns)
        if rows:
            padded = np.zeros(rows * self._columns, np.uint32)
            padded[: len(words)] = words
            write_texels(texture, (0, self._rows), padded.reshape(rows, self._columns))

    def release(self) -> None:
        """Release what reads the scratch; call it before the scratch is released."""
        self._copies.release()
        self._wide_copies.release()


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
