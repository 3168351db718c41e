"""`JoinedSets`: the connected sets of cells that cross the borders of one rank, and what the device stores of them.

Each rank labels the sets within its part, and stores what it finds of a set at the set's first cell. A set that lies in
several parts has a place of its own below the cells of each, in the rows that `Scratch.rows_of_sets` counts. The label
of this place is the link of the root of each label that is part of the set. So after pass ``join_labels`` all cells of
the set have that label, and what they add is stored at that place, which ranks read and write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.bodies import NearLabels, SharedSets, cells_near_borders
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.gathering import Gathering
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.ranks import meet_before
from gpufluid.core.frame import frame_size
from gpufluid.gpu.device import Device
from gpufluid.gpu.readback import WindowCopies
from gpufluid.gpu.textures import FORMATS, write_texels
from gpufluid.rules.passes import LINE_STRIP, NEAR_COLUMNS, Over, Scratch
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl
    from mpi4py.MPI import Comm

_NO_SETS = SharedSets(0, (), ())


class JoinedSets:
    """The sets of one rule that lie in the parts of several ranks.

    Args:
        device: the device of the rank.
        comm: the communicator of all ranks.
        costs: those of the rank.
        grid: the parts of all ranks.
        part: the rank's part; its arrays are not read.
        textures: the scratch of the part, by name.
        labels: the scratch with the label of each cell.
        borders: the scratch with what a part has at its borders, ``rg32ui``: the last of its rows have the labels near
            the upper border, then those near the lower one, two rows of cells in each.
        sides: the scratch with the labels near the left border, then those near the right one, ``r32ui``: each of its
            rows has one column of cells. It is read in a part that has not whole rows.
        near: the rows near a border on each side of it, whose labels are compared.
        rows_before: rows of that scratch before these, which ranks exchange, too.
    """

    def __init__(
        self,
        device: Device,
        comm: Comm,
        costs: Costs,
        grid: Grid,
        part: World,
        textures: dict[str, moderngl.Texture],
        labels: Scratch,
        borders: Scratch,
        sides: Scratch,
        near: int,
        rows_before: int = 0,
    ) -> None:
        self._device, self._comm, self._costs = device, comm, costs
        self._textures, self._labels, self._rows_before = textures, labels, rows_before
        self._borders, self._sides = borders, sides
        self.columns, self.rows = frame_size(part.width, part.height, part.gravity)
        self._across = grid.shape[1] > 1
        self._whole = grid.columns.lines, grid.rows.lines
        torus = part.edges == "wrap"
        self._lines = [cells_near_borders(grid, rank, (NEAR_COLUMNS, near), torus) for rank in range(comm.size)]
        self._seen_rows = rows_before + 2 * near
        self._rows_in_use: dict[str, int] = {}  # by scratch: rows with texels of sets that are not 0
        self._parts = [tuple(end - first for first, end in grid.part_of(rank)) for rank in range(comm.size)]
        sizes = [self._seen_rows * columns * 8 + self._seen_columns * rows * 4 for columns, rows in self._parts]
        self._gathering = Gathering(comm, costs, sizes)
        self._copies: dict[str, WindowCopies] = {}
        self.shared = _NO_SETS
        self.own = np.zeros(0, np.int64)  # the numbers of those that lie in this rank's part
        self.marked = np.zeros(0, bool)  # whether a rank has marked each set
        self.near: list[NearLabels] = []  # by rank

    def forget(self) -> None:
        """Begin a tick in which the ranks do not look for sets."""
        self.shared, self.own = _NO_SETS, np.zeros(0, np.int64)

    def unite(self, stored: Sequence[Scratch], mark: int = 0) -> list[np.ndarray]:
        """Find the sets that lie in the parts of several ranks, and link the labels in this part. All ranks call it.

        Args:
            stored: the scratch in which passes store something of each set; its texels of sets become 0.
            mark: a bit of the labels at borders that marks a set, see `marked`; 0: none does.
        Returns: by rank: the rows before the labels in the scratch of its borders, (rows, columns, 2) int64.
        """
        self._device.barrier()
        seen = self._exchanged()
        self.near = [(sides & ~mark, borders & ~mark) for _, sides, borders in seen]
        self.shared = SharedSets.of(self.near, self._lines, self._whole)
        self.marked = np.zeros(self.shared.count, bool)
        for rank, (_, *marked) in enumerate(seen):
            for labels, each in zip(self.near[rank], marked, strict=True):
                numbers = self.shared.numbers_of(rank, labels[each & mark != 0])
                self.marked[numbers[numbers >= 0]] = True
        self.own, places = np.unique(self.shared.numbers[self._comm.rank], return_inverse=True)
        texture, below = self._textures[self._labels.name], self.places()
        self.write(self._labels, below)
        for label, place in zip(self.shared.labels[self._comm.rank].tolist(), places.tolist(), strict=True):
            root = (label - 1) % self.columns, (label - 1) // self.columns
            write_texels(texture, root, below[place].reshape(1, 1))
        for each in stored:
            self.clear(each)
        return [before for before, _, _ in seen]

    def places(self) -> np.ndarray:
        """The labels of the places below the cells at which what is stored of this rank's sets lies, (sets,) uint32."""
        first = self.rows * self.columns + 1
        return np.arange(first, first + len(self.own), dtype=np.uint32)

    def numbers_of(self, labels: np.ndarray) -> np.ndarray:
        """The number of the set of each label of this part after `join_labels`; -1: it is none of these sets.

        Args:
            labels: (labels,) uint32.
        Returns: (labels,) int64.
        """
        places = labels.astype(np.int64) - (self.rows * self.columns + 1)
        is_shared = (places >= 0) & (places < len(self.own))
        return np.where(is_shared, np.append(self.own, 0)[np.where(is_shared, places, len(self.own))], -1)

    def labels_of(self, numbers: np.ndarray) -> np.ndarray:
        """The label in this part of the set of each number; 0: the part has none of it, or the number is -1.

        Args:
            numbers: (numbers,) int64.
        Returns: (numbers,) int64.
        """
        places = np.searchsorted(self.own, numbers)
        is_there = np.append(self.own, -2)[places] == numbers
        return np.where(is_there, self.rows * self.columns + 1 + places, 0)

    @property
    def _seen_columns(self) -> int:
        return 4 * NEAR_COLUMNS if self._across else 0

    def _exchanged(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Exchange the labels near all borders, and what columns have there; int64.

        Returns: by rank: the rows before the labels, (rows, columns, 2); and both arrays of `NearLabels`, with marks.
        """
        own = self.read_rows(self._borders, (0, self._seen_rows)), self.read_rows(self._sides, (0, self._seen_columns))
        every = self._gathering.every(np.concatenate([each.reshape(-1) for each in own]))
        found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for each, (columns, rows) in zip(every, self._parts, strict=True):
            words = each.astype(np.int64)
            before, borders, sides = np.split(words, [2 * columns * self._rows_before, 2 * columns * self._seen_rows])
            borders = borders.reshape(-1, columns, 2).transpose(0, 2, 1).reshape(-1, columns)
            found.append((before.reshape(-1, columns, 2), sides.reshape(-1, rows), borders))
        return found

    def joined(self, scratch: Sequence[Scratch]) -> list[tuple[np.ndarray, list[np.ndarray]]]:
        """The texels that each rank has stored for its sets. All ranks call it.

        Args:
            scratch: where.
        Returns: by rank: the numbers of its sets, (sets,) int64, and what `read` reads of each scratch.
        """
        self._device.barrier()
        own = self.own, [self.read(each) for each in scratch]
        self._costs.bytes_sent += sum(each.nbytes for each in (own[0], *own[1]))
        with self._costs.waiting():
            meet_before(self._comm)
            return self._comm.allgather(own)

    def read(self, scratch: Scratch) -> np.ndarray:
        """The texels of the sets of this rank.

        Returns: uint32 of shape (sets,), or (sets, components) if a texel has several.
        """
        first = self._first_row(scratch)
        rows = -(-len(self.own) // self.columns)
        found = self.read_rows(scratch, (first, first + rows))
        return found.reshape(-1, *found.shape[2:])[: len(self.own)]

    def write(self, scratch: Scratch, texels: np.ndarray) -> None:
        """Write the texels of the first sets of this rank; those of all others get 0.

        Args:
            scratch: where.
            texels: uint32 of shape (sets,), or (sets, components) if a texel has several.
        """
        needed = -(-len(texels) // self.columns)
        rows = max(needed, self._rows_in_use.get(scratch.name, 0))
        self._rows_in_use[scratch.name] = needed
        if rows:
            padded = np.zeros((rows * self.columns, *texels.shape[1:]), np.uint32)
            padded[: len(texels)] = texels
            self.write_rows(scratch, self._first_row(scratch), padded.reshape(rows, self.columns, *texels.shape[1:]))

    def clear(self, scratch: Scratch) -> None:
        """Set all texels of sets to 0."""
        components = FORMATS[scratch.image][0]
        none = np.zeros(0 if components == 1 else (0, components), np.uint32)
        rows = -(-len(self.own) // self.columns)  # passes may have written those of the present sets
        self._rows_in_use[scratch.name] = max(self._rows_in_use.get(scratch.name, 0), rows)
        self.write(scratch, none)

    def join_greatest(self, scratch: Sequence[Scratch], marks: int = 0) -> None:
        """Give each set the greatest texels that a rank has stored of it, component by component. All ranks call it.

        Args:
            scratch: where.
            marks: the bits of labels that are joined, in the scratch with the labels: a label has another number in
                each part.
        """
        every = self.joined(scratch)
        for number, each in enumerate(scratch):
            greatest = np.zeros((self.shared.count, *every[0][1][number].shape[1:]), np.uint32)
            is_label = each == self._labels
            for sets, texels in every:
                np.maximum.at(greatest, sets, texels[number] & np.uint32(marks) if is_label else texels[number])
            own = greatest[self.own]
            self.write(each, own | self.places() if is_label else own)

    def end_of_sets(self, scratch: Scratch) -> int:
        """The row of a scratch after the last one for sets."""
        return self._first_row(scratch) + scratch.rows_of_sets((self.columns, self.rows), self._across)

    def wait_for_device(self) -> None:
        """Wait until what passes have stored can be read."""
        self._device.barrier()

    def _first_row(self, scratch: Scratch) -> int:
        """The first row of a scratch with texels of sets: below those of cells, or of strips."""
        return self.rows if scratch.over is Over.CELLS else -(-self.rows // LINE_STRIP)

    def read_rows(self, scratch: Scratch, rows: tuple[int, int]) -> np.ndarray:
        """Read some rows of a scratch.

        Args:
            scratch: where.
            rows: the first row, and the one after the last.
        Returns: uint32 of shape (rows, columns), or (rows, columns, components) if a texel has several.
        """
        components = FORMATS[scratch.image][0]
        width = self.rows if scratch.over is Over.ROWS else self.columns
        shape = rows[1] - rows[0], width, components
        found = np.empty(shape[:2] if components == 1 else shape, np.uint32)
        if found.size:
            if scratch.image not in self._copies:
                self._copies[scratch.image] = WindowCopies(self._device, scratch.image)
            self._copies[scratch.image].copy(
                self._textures[scratch.name], (0, rows[0], width, rows[1] - rows[0]), found
            )
        return found

    def write_rows(self, scratch: Scratch, row: int, texels: np.ndarray) -> None:
        """Write some rows of a scratch.

        Args:
            scratch: where.
            row: the first row.
            texels: uint32 of shape (rows, columns), or (rows, columns, components) if a texel has several.
        """
        write_texels(self._textures[scratch.name], (0, row), texels)

    def release(self) -> None:
        """Release what reads the scratch; call it before the scratch is released."""
        for copies in self._copies.values():
            copies.release()
