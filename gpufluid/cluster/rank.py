"""`RankSimulation`: the part of a world that one rank simulates, and the copies of its halo from other ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.schedule import ExchangePlan
from gpufluid.cluster.shares import Crossing, Rows, Shares
from gpufluid.core.frame import rows_in_world
from gpufluid.rules import Pass
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class RankSimulation(Simulation):
    """A simulation of the rows of one rank, which copies its halo from other ranks in the middle of ticks.

    Args:
        part: the rank's part of the world.
        comm: the communicator of all ranks.
        shares: the rows of all ranks.
        plan: the places in a tick at which halos are copied.
        variants: the variant of each rule.
        sleeping: as for `Simulation`.
    """

    def __init__(
        self,
        part: World,
        comm: Comm,
        shares: Shares,
        plan: ExchangePlan,
        variants: Mapping[str, str],
        sleeping: bool,
    ) -> None:
        super().__init__(part, variant=dict(variants), sleeping=sleeping, any_matter=True)
        self._comm, self._plan = comm, plan
        numbered = list(enumerate(shares.crossings))
        self._sending = [(tag, each) for tag, each in numbered if each.sender == comm.rank]
        self._receiving = [(tag, each) for tag, each in numbered if each.receiver == comm.rank]
        passes, carried = self._schedule.passes, ()
        changed = {name for pass_ in passes for name in (*pass_.gathered(carried), *pass_.updated(carried))}
        self._exchanged = [plane.name for plane in part.planes if plane.name in changed]
        self._points: frozenset[tuple[str, int]] = frozenset()
        self._runs: Counter[str] = Counter()
        self.bytes_sent = 0
        self._runner.exchange = self

    def begin(self, tick: int) -> None:
        """Begin a tick."""
        self._points = self._plan.points(tick)
        self._runs.clear()

    def before(self, pass_: Pass) -> None:
        """Copy halos, if this is due before a run of a pass."""
        if pass_.over.serves_ports:
            return
        name = pass_.full_name
        if (name, self._runs[name]) in self._points:
            self._copy_halos()
        self._runs[name] += 1

    def own_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """The fields of a rectangle of the part by name, each (height, width) or with more axes, of the field's type.

        Args:
            at: (column, row) of the top left cell in the part.
            size: (width, height) in cells.
        """
        with self._current():
            return self._planes.read_window(at, size)

    def _copy_halos(self) -> None:
        """Send own rows to the ranks that have them in their halos, and receive those of this rank's halo."""
        from mpi4py.MPI import BYTE, Request

        self._device.barrier()
        received = [np.empty(self._bytes_of(each.received), np.uint8) for _, each in self._receiving]
        requests = [
            self._comm.Irecv([words, BYTE], each.sender, tag)
            for (tag, each), words in zip(self._receiving, received, strict=True)
        ]
        sent = [self._texels(each.sent) for _, each in self._sending]
        requests += [
            self._comm.Isend([words, BYTE], each.receiver, tag)
            for (tag, each), words in zip(self._sending, sent, strict=True)
        ]
        self.bytes_sent += sum(words.nbytes for words in sent)
        Request.Waitall(requests)
        for (_, crossing), words in zip(self._receiving, received, strict=True):
            self._write(crossing, words)

    def _box(self, rows: Rows) -> tuple[int, int, int, int]:
        return rows_in_world(rows, self._size, self._blank.gravity)

    def _bytes_of(self, rows: Rows) -> int:
        return sum(self._planes.texel_bytes(name, self._box(rows)) for name in self._exchanged)

    def _texels(self, rows: Rows) -> np.ndarray:
        """The texels of some rows of all exchanged planes, one plane after the other: (bytes,) uint8."""
        found = [self._planes.read_texels(name, self._box(rows)) for name in self._exchanged]
        return np.concatenate([each.reshape(-1).view(np.uint8) for each in found])

    def _write(self, crossing: Crossing, words: np.ndarray) -> None:
        """Write the received texels of a crossing, (bytes,) uint8, unless the halo has them already."""
        if np.array_equal(self._texels(crossing.received), words):
            return  # so that tiles at rest beside the halo go on sleeping
        box, first = self._box(crossing.received), 0
        for name in self._exchanged:
            end = first + self._planes.texel_bytes(name, box)
            self._planes.put_texels(name, box, words[first:end])
            first = end
        self._runner.wake(box[:2], box[2:], self.tick)
