"""Building a world where it lies: each rank builds the cells that it computes, and its halo; no rank holds all.

A world that rank 0 holds, because a program made it or a snapshot in one file has it, is cut by rank 0 instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gpufluid.cluster.grid import Grid, Shape, check_shape, shape_for
from gpufluid.cluster.parts import Outline, cells_of, own_cells, put
from gpufluid.cluster.pieces import receive_arrays, send_arrays
from gpufluid.cluster.ranks import abort, agreeing, ending_all, meet_before
from gpufluid.cluster.schedule import check_columns, check_shared, depth_of, schedule_of_parts
from gpufluid.core.errors import GpufluidError, UsageError, shown
from gpufluid.core.frame import Area, area_in_world, frame_size
from gpufluid.gpu.device import shared_device
from gpufluid.gpu.variants import Wanted, decide
from gpufluid.io.loading import WorldName
from gpufluid.io.stores import TRIES, never_at_rest
from gpufluid.world import World
from gpufluid.world.kinds import kinds_among, materials_in
from gpufluid.world.pieces import Box, Unbuilt, WorldPiece

if TYPE_CHECKING:
    from mpi4py.MPI import Comm, Op


@dataclass(frozen=True, slots=True)
class Division:
    """A world that ranks share, and the part of one of them.

    Args:
        blank: a world with the laws and ports of the whole one, without cells.
        variants: the variant of each rule, by the rule's name.
        matter: the numbers of the materials in the whole world, and of those that emitters emit.
        grid: the parts of all ranks.
        depth: the columns and the rows of a halo on each side.
        part: the part of this rank, with its halo.
    """

    blank: World
    variants: Mapping[str, str]
    matter: frozenset[int]
    grid: Grid
    depth: tuple[int, int]
    part: World


def divided(world: object, comm: Comm, variant: Wanted, ranks: Shape | None) -> Division:
    """Divide a world among ranks. All ranks call this; what rank 0 gives counts.

    Args:
        world: a `World`, or the name of one.
        comm: the communicator of all ranks.
        variant: as for `gpufluid.Simulation`.
        ranks: (rows, columns) of the grid of ranks; None: one column, or more if a row is wider than a texture.
    Raises, on all ranks: UsageError: no world, an invalid one, one that cannot be shared, or more ranks than strips.
        DeviceError: a rank has no OpenGL, or too little memory.
    """
    for _ in range(TRIES):
        state = _first_state(world, comm)
        try:
            found = _divided(state, comm, variant, ranks)
        except GpufluidError:  # all ranks have raised it
            if state.was_replaced():
                continue
            raise
        if not state.was_replaced():
            return found
        del state, found  # before the memory for others is asked for
    raise never_at_rest(world.name if isinstance(world, WorldName) else str(world))


def _divided(state: _FirstState, comm: Comm, variant: Wanted, ranks: Shape | None) -> Division:
    variants: dict[str, str] | None = None
    with agreeing(comm):
        if comm.rank == 0:
            ranks = check_shape(ranks, comm.size)
            variants = decide(state.outline.laws.rules, variant, shared_device())
    variants, ranks = comm.bcast((variants, ranks))
    assert variants is not None
    with agreeing(comm):
        most = shared_device().max_side
    most = min(comm.allgather(most))
    blank = state.outline.blank()
    frame, wrap = frame_size(blank.width, blank.height, blank.gravity), blank.edges == "wrap"
    across = frame[0] > most if ranks is None else ranks[1] > 1
    schedule = schedule_of_parts(blank, variants, across)

    def grid_with(matter: Collection[int]) -> tuple[Grid, tuple[int, int]]:
        depth = depth_of(schedule, kinds_among(blank.laws, matter))
        shape = ranks or shape_for(frame, comm.size, depth, wrap, most)
        return Grid.of(frame, shape, depth, wrap), depth

    def check(matter: Collection[int]) -> None:
        kinds = kinds_among(blank.laws, matter)
        with agreeing(comm):
            if comm.size > 1:
                check_shared(blank, schedule, kinds)
                if grid_with(matter)[0].shape[1] > 1:
                    check_columns(blank, schedule, kinds)

    with agreeing(comm):  # before anything large is made
        grid, _ = grid_with(())
    matter = state.materials(own_cells(blank, grid, comm.rank))
    check(matter if state.is_whole else ())  # before it is cut or built
    while True:
        with agreeing(comm):  # a rank may have too little memory, or its rows may be too long for its device
            grid, depth = grid_with(matter)
            part = state.outline.part(comm.rank, grid)
            shared_device().check_side(part.width, part.height, max(len(part.mixture), 1))
        found = state.fill(part, grid)
        if grid_with(found)[1] == depth:
            break
        matter = found  # some material of a scene is in no cell, and without it the halo has another depth
        del part  # before the memory for another is asked for
    check(found)
    return Division(blank, variants, found, grid, depth, part)


class _FirstState(Protocol):
    """The first state of a world that ranks are going to share. All ranks call each method, in the same order."""

    outline: Outline
    """The laws, the ports and the tick of the world."""

    is_whole: bool
    """True if rank 0 holds all cells, so that `materials` are exactly those that are there."""

    def materials(self, own: Box) -> frozenset[int]:
        """The numbers of the materials that cells and emitters may have: at least those that they have, without 0.

        ``own`` are the cells that this rank computes.
        """
        ...

    def fill(self, part: World, grid: Grid) -> frozenset[int]:
        """Fill this rank's part, whose arrays are all 0.

        Returns: the numbers of the materials of all cells and emitters, without 0.
        Raises, on all ranks: GpufluidError.
        """
        ...

    def was_replaced(self) -> bool:
        """True if ranks may have read two files, of which one took the place of the other meanwhile."""
        ...


def _first_state(world: object, comm: Comm) -> _FirstState:
    """The first state of the world that rank 0 gives. Raises, on all ranks: UsageError: no world, or an invalid one."""
    opened: World | Unbuilt | None = None
    outline: Outline | None = None
    name = WorldName(world) if isinstance(world, str) else world
    with agreeing(comm):
        if comm.rank == 0:
            opened = name.open() if isinstance(name, WorldName) else _checked_world(name)
            blank = opened if isinstance(opened, World) else opened.blank
            if not blank.domain.is_whole:
                raise UsageError("domain: a piece of a whole world cannot be shared; expected a whole world")
            outline = Outline.of(blank)
    meet_before(comm)
    outline, is_built_by_all = comm.bcast((outline, not isinstance(opened, World)))
    assert outline is not None
    if not is_built_by_all:
        return _WorldOfFirst(comm, outline, opened if isinstance(opened, World) else None)
    meet_before(comm)
    name = comm.bcast(name)
    assert isinstance(name, WorldName)
    with agreeing(comm):
        opened = name.open() if opened is None else opened
        if isinstance(opened, World):  # it is none on rank 0
            raise _differs(name.name)
    return _BuiltByAll(comm, name.name, opened)


def _differs(name: str) -> UsageError:
    """The error of a rank that does not read what rank 0 reads."""
    return UsageError(f"{name}: differs from what rank 0 reads; expected the same files on all machines")


def _checked_world(world: object) -> World:
    """The first state that a program gives. Raises UsageError: no world, or an invalid one."""
    if not isinstance(world, World):
        raise UsageError(f"expected a World or the name of a scene on rank 0; found {shown(world)}")
    world.validate()
    return world


class _WorldOfFirst:
    """A world that rank 0 has, and cuts into parts; see `_FirstState`.

    Args:
        comm: the communicator of all ranks.
        outline: its outline.
        world: the world, on rank 0; None on the others.
    """

    is_whole = True

    def __init__(self, comm: Comm, outline: Outline, world: World | None) -> None:
        self.outline, self._comm, self._world = outline, comm, world
        self._materials = frozenset[int]()

    def materials(self, own: Box) -> frozenset[int]:
        """The numbers of the materials of all cells and emitters."""
        del own
        world = self._world
        if world is not None:
            self._materials = materials_in(world.own_array("material"), world.emitters, world.laws)
        meet_before(self._comm)
        self._materials = self._comm.bcast(self._materials)
        return self._materials

    def fill(self, part: World, grid: Grid) -> frozenset[int]:
        """Fill this rank's part. Rank 0 cuts one part at a time from the world."""
        with ending_all(self._comm):
            if self._world is None:
                arrays = receive_arrays(self._comm, 0)
            else:
                for rank in range(1, self._comm.size):
                    send_arrays(self._comm, cells_of(self._world, grid.part_of(rank)), rank)
                arrays = cells_of(self._world, grid.part_of(0))
                part.ledgers = dict(self._world.ledgers)  # those of the other ranks begin with zeros
            put(part, (0, 0), arrays)
        return self._materials

    def was_replaced(self) -> bool:
        """False: it is in memory."""
        return False


class _BuiltByAll:
    """A world of which each rank builds its own part; see `_FirstState`.

    Args:
        comm: the communicator of all ranks.
        name: the name of the world, for messages.
        unbuilt: the world, opened on each rank.
    """

    is_whole = False

    def __init__(self, comm: Comm, name: str, unbuilt: Unbuilt) -> None:
        self.outline = Outline.of(unbuilt.blank)
        self._comm, self._name, self._unbuilt, self._builders = comm, name, unbuilt, RankBuilders(comm)
        self._begun = False

    def materials(self, own: Box) -> frozenset[int]:
        """The numbers of the materials that cells of any rank, and emitters, may have.

        Raises, on all ranks: UsageError: the ranks have not opened the same files.
        """
        self._check_same()
        with agreeing(self._comm):
            found = self._unbuilt.materials_of(own)
        return self._of_all(found)

    def fill(self, part: World, grid: Grid) -> frozenset[int]:
        """Build this rank's part."""
        blank, rank = self._unbuilt.blank, self._comm.rank
        size, gravity = (blank.width, blank.height), blank.gravity

        def piece(cells: Area, place: Area) -> WorldPiece:
            there = area_in_world(place, (part.width, part.height), gravity)
            return WorldPiece.of(part, area_in_world(cells, size, gravity)[:2], there)

        own = piece(grid.own_of(rank), grid.own_in_part(rank))
        with _alike(self._comm):
            if not self._begun:
                self._unbuilt.begin(own.box, self._builders)
                self._begun = True
        with agreeing(self._comm):
            self._unbuilt.build([piece(cells, place) for cells, place in grid.spans_of(rank)])
        with _alike(self._comm):
            self._unbuilt.check(own, self._builders)
        if rank == 0:
            part.ledgers = dict(blank.ledgers)  # those of the other ranks begin with zeros
        return self._of_all(materials_in(own.fields["material"], (), blank.laws))

    def was_replaced(self) -> bool:
        """True if a store has taken the place of the one that a rank has read."""
        meet_before(self._comm)
        return any(self._comm.allgather(self._unbuilt.was_replaced))

    def _check_same(self) -> None:
        """Raise UsageError, on all ranks, if the files of one differ from those of rank 0."""
        with agreeing(self._comm):
            contents = self._unbuilt.contents
        meet_before(self._comm)
        of_first = self._comm.bcast(contents)
        with agreeing(self._comm):
            if contents != of_first:
                raise _differs(self._name)

    def _of_all(self, materials: Collection[int]) -> frozenset[int]:
        """The materials of all ranks, from those of the cells of each, and of emitters."""
        there = np.zeros(256, np.int64)
        there[list(materials)] = 1
        emitted = {self.outline.laws.materials[emitter.material] for emitter in self.outline.emitters}
        return frozenset(np.flatnonzero(self._builders.most_of(there)).tolist()) | emitted - {0}


class RankBuilders:
    """The ranks of a communicator, as builders of one world; see `Builders`."""

    def __init__(self, comm: Comm) -> None:
        self._comm = comm

    def sum_of(self, numbers: np.ndarray) -> np.ndarray:
        """The sums of the numbers of all ranks: int64 of any shape, which is the same for all."""
        from mpi4py.MPI import SUM

        return self._reduced(numbers, SUM)

    def most_of(self, numbers: np.ndarray) -> np.ndarray:
        """The largest of the numbers of all ranks: int64 of any shape, which is the same for all."""
        from mpi4py.MPI import MAX

        return self._reduced(numbers, MAX)

    def _reduced(self, numbers: np.ndarray, operation: Op) -> np.ndarray:
        found = np.empty_like(numbers)
        meet_before(self._comm)
        self._comm.Allreduce(numbers, found, operation)
        return found

    def agreeing(self) -> AbstractContextManager[None]:
        """If an error leaves the block on some ranks, raise the first of these errors on all ranks."""
        return agreeing(self._comm)


@contextmanager
def _alike(comm: Comm) -> Iterator[None]:
    """For a block in which ranks wait for each other: all of them raise a GpufluidError, or none; others end all."""
    with agreeing(comm):
        try:
            yield
        except (GpufluidError, KeyboardInterrupt):
            raise
        except BaseException as error:
            abort(comm, error)
            raise
