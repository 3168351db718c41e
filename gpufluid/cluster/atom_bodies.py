"""`AtomBodies`: the bodies of atoms, of rule ``pressure``, that lie in the parts of several ranks.

In each round the ranks join the best offers of these bodies before `pressure.see_winners`, so all know the cell that
gives and the cell that takes. Before `pressure.transfer_in_part` they send the contents of these two places, and each
rank writes what comes to its own cells, and to those of its halo near a border. So halos are not copied between rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.costs import Costs
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.ranks import meet_before
from gpufluid.cluster.shares import Rows
from gpufluid.core.fields import ATOM_PLANE, carried_planes
from gpufluid.core.frame import cell_in_world
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.rules import Pass
from gpufluid.rules.pressure import SINKS, SOURCES, STORED, WINNERS
from gpufluid.world import World

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

_Place = tuple[int, int]
"""The column of gravity's frame, and the row in the whole world."""


class AtomBodies:
    """The bodies of atoms that cross the borders of one rank.

    Args:
        sets: the sets of connected cells of rule ``pressure``.
        comm: the communicator of all ranks.
        costs: those of the rank.
        own: the rank's own rows in the whole world.
        part: its part; its arrays are not read.
        planes: the planes of the part.
        planes_there: the names of all planes that passes change.
        near: rows of the halo on each side that are kept right between rounds.
    """

    def __init__(
        self,
        sets: JoinedSets,
        comm: Comm,
        costs: Costs,
        own: Rows,
        part: World,
        planes: PlaneTextures,
        planes_there: Sequence[str],
        near: int,
    ) -> None:
        self._sets, self._comm, self._costs, self._own, self._near = sets, comm, costs, own, near
        self._planes, self._size, self._gravity = planes, (part.width, part.height), part.gravity
        self._moved = [name for name in planes_there if name in (ATOM_PLANE, *carried_planes())]
        self._first = part.domain.own_rows(part.gravity)[0]
        across = part.gravity in ("left", "right")
        self._whole_rows = part.domain.whole_size[0 if across else 1]
        self._torus = part.edges == "wrap"

    def forget(self) -> None:
        """Begin a tick in which no body at a border is active."""
        self._sets.clear(WINNERS)  # the last round of an earlier tick may have left some
        self._sets.forget()

    def join(self, pass_: Pass, run: int, tick: int) -> None:
        """Join what `Pass.joins` names before a pass. All ranks call it.

        Args:
            pass_: the pass.
            run, tick: not used.
        """
        del run, tick
        if pass_.joins == "labels":
            self._sets.unite(STORED)
        elif self._sets.shared.count == 0:
            return  # on all ranks
        elif pass_.joins == "offers":
            self._sets.join_greatest((SOURCES, SINKS))
        else:
            self._exchange()

    def _exchange(self) -> None:
        """Let the cells that won change places, wherever they lie."""
        self._sets.wait_for_device()
        moves = dict(self._moves())
        for scratch in (SOURCES, SINKS):  # for the next round
            self._sets.clear(scratch)
        own = {
            (number, which): self._content(place)
            for number, places in moves.items()
            for which, place in enumerate(places)
            if self._own[0] <= place[1] < self._own[1]
        }
        self._costs.bytes_sent += sum(words.nbytes for words in own.values())
        with self._costs.waiting():
            meet_before(self._comm)
            contents = {key: words for each in self._comm.allgather(own) for key, words in each.items()}
        for number, places in moves.items():
            for which, place in enumerate(places):
                for row in self._rows_of(place[1]):
                    self._put((place[0], row), contents[number, 1 - which])

    def _moves(self) -> Iterator[tuple[int, tuple[_Place, _Place]]]:
        """Of each body of this rank in which an atom moves: its number, the cell of the atom, and that it comes to."""
        winners = self._sets.read(WINNERS).astype(np.int64)
        for number, (giving, source, taking, sink) in zip(self._sets.own.tolist(), winners.tolist(), strict=True):
            if giving:
                yield number, ((giving - 1, source), (taking - 1, (sink - 1) % self._whole_rows))

    def _rows_of(self, row: int) -> list[int]:
        """The rows of the part's frame with a row of the whole world: own ones, and those of the halo near a border."""
        local = row - self._own[0] + self._first
        turns = (-self._whole_rows, 0, self._whole_rows) if self._torus else (0,)
        first, end = self._first - self._near, self._first + self._own[1] - self._own[0] + self._near
        return [local + each for each in turns if max(first, 0) <= local + each < min(end, self._sets.rows)]

    def _cell(self, column: int, row: int) -> tuple[int, int, int, int]:
        return (*cell_in_world(column, row, *self._size, self._gravity), 1, 1)

    def _content(self, place: _Place) -> np.ndarray:
        """The content of an own cell, (bytes,) uint8: all that an atom takes along, one plane after the other."""
        cell = self._cell(place[0], place[1] - self._own[0] + self._first)
        return np.concatenate([self._planes.read_texels(name, cell).reshape(-1).view(np.uint8) for name in self._moved])

    def _put(self, place: _Place, words: np.ndarray) -> None:
        """Write the content of a cell, (bytes,) uint8, by its place in the part's frame."""
        cell, first = self._cell(*place), 0
        for name in self._moved:
            end = first + self._planes.texel_bytes(name, cell)
            self._planes.put_texels(name, cell, words[first:end])
            first = end

    def release(self) -> None:
        """Release what reads the scratch; call it before the scratch is released."""
        self._sets.release()
