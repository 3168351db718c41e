"""`Halos`: the copies of cells from the ranks that compute them to those that have them in their halos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.changes import UNCHANGED, Receiver, Sender
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.grid import Crossing
from gpufluid.cluster.ranks import wait_for
from gpufluid.cluster.rest import Rest
from gpufluid.core.frame import Area, area_in_world
from gpufluid.gpu.planes import PlaneTextures, texels_of
from gpufluid.world import World

if TYPE_CHECKING:
    from mpi4py.MPI import Comm, Request

Box = tuple[int, int, int, int]
"""Column and row of the top left cell of a rectangle of a part, width and height."""


class Halos:
    """The cells that a rank sends to the halos of others, and those of its own halo.

    Args:
        comm: the communicator of all ranks.
        costs: those of the rank.
        crossings: the cells of the halos of all ranks.
        part: the rank's part of the world.
        planes: its state on the device.
        exchanged: the names of the planes that passes change.
        rest: whether the part's cells have changed.
    """

    def __init__(
        self,
        comm: Comm,
        costs: Costs,
        crossings: Sequence[Crossing],
        part: World,
        planes: PlaneTextures,
        exchanged: Sequence[str],
        rest: Rest,
    ) -> None:
        self._comm, self._costs, self._planes, self._exchanged, self._rest = comm, costs, planes, exchanged, rest
        self._size, self._gravity = (part.width, part.height), part.gravity
        numbered = list(enumerate(crossings))
        self._sending = [(tag, each) for tag, each in numbered if each.sender == comm.rank]
        self._receiving = [(tag, each) for tag, each in numbered if each.receiver == comm.rank]
        self._senders = [Sender(self._bytes_of(each.sent)) for _, each in self._sending]
        self._receivers = [Receiver(self._bytes_of(each.received)) for _, each in self._receiving]
        self._copied = -1  # the moment of the last copy; -1: there was none
        # The messages of a copy that has begun, received and sent; the buffers of the former; and whether no cells near
        # the borders have changed.
        self._under_way: tuple[list[Request], list[Request], list[np.ndarray], bool] | None = None

    def begin(self) -> None:
        """Begin to send what changed of own cells to the ranks that have them in their halos, and to receive the halo.

        If nothing has changed near the borders since the last copy, these cells are not read.
        """
        from mpi4py.MPI import BYTE

        rests, self._copied = self._rest.is_unchanged(self._copied, near_borders=True), self._rest.now
        buffers = [np.empty(each.longest, np.uint8) for each in self._receivers]
        receiving = [
            self._comm.Irecv([words, BYTE], each.sender, tag)
            for (tag, each), words in zip(self._receiving, buffers, strict=True)
        ]
        sent = [
            UNCHANGED if rests else sender.message(self._texels(each.sent))
            for sender, (_, each) in zip(self._senders, self._sending, strict=True)
        ]
        sending = [
            self._comm.Isend([words, BYTE], each.receiver, tag)
            for (tag, each), words in zip(self._sending, sent, strict=True)
        ]
        self._costs.bytes_sent += sum(words.nbytes for words in sent)
        self._under_way = receiving, sending, buffers, rests

    @property
    def is_under_way(self) -> bool:
        """True if a copy has begun and was not completed."""
        return self._under_way is not None

    def complete(self) -> list[Box]:
        """Complete the copy that has begun. Returns the rectangles of the halo in which cells were written."""
        from mpi4py.MPI import BYTE, Status

        assert self._under_way is not None
        (receiving, sending, buffers, rests), self._under_way = self._under_way, None
        statuses = [Status() for _ in receiving]
        with self._costs.waiting():
            wait_for(receiving, statuses)
            wait_for(sending)
        written: list[Box] = []
        for (_, crossing), receiver, words, status in zip(
            self._receiving, self._receivers, buffers, statuses, strict=True
        ):
            count = status.Get_count(BYTE)
            if not rests or count > UNCHANGED.size:
                written += self._written(crossing, receiver.array(words[:count]))
        return written

    def _box(self, area: Area) -> Box:
        return area_in_world(area, self._size, self._gravity)

    def _bytes_of(self, area: Area) -> int:
        return sum(self._planes.texel_bytes(name, self._box(area)) for name in self._exchanged)

    def _texels(self, area: Area) -> np.ndarray:
        """The texels of some cells of all exchanged planes, one plane after the other: (bytes,) uint8."""
        found = [self._planes.read_texels(name, self._box(area)) for name in self._exchanged]
        return np.concatenate([each.reshape(-1).view(np.uint8) for each in found])

    def _written(self, crossing: Crossing, words: np.ndarray) -> list[Box]:
        """Write the received texels of a crossing, (bytes,) uint8, where the halo has others. Returns where, if so."""
        box, first = self._box(crossing.received), 0
        received: dict[str, np.ndarray] = {}
        differs = np.zeros((box[3], box[2]), bool)
        for name in self._exchanged:
            end = first + self._planes.texel_bytes(name, box)
            received[name], first = texels_of(name, box, words[first:end]), end
            differs |= (self._planes.read_texels(name, box).reshape(received[name].shape) != received[name]).any(axis=0)
        if not differs.any():
            return []
        rows, columns = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
        inner = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        at = box[0] + int(columns[0]), box[1] + int(rows[0])
        size = inner[1].stop - inner[1].start, inner[0].stop - inner[0].start
        for name, texels in received.items():
            words = np.ascontiguousarray(texels[:, *inner]).reshape(-1).view(np.uint8)
            self._planes.put_texels(name, (*at, *size), words)
        return [(*at, *size)]
