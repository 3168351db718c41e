"""`Simulation`: one world on the GPUs of many processes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import numpy as np

from gpufluid.cluster.borders import Balance
from gpufluid.cluster.building import divided
from gpufluid.cluster.drawing import PicturePlan
from gpufluid.cluster.grid import Grid, Shape
from gpufluid.cluster.parts import Outline, own_cells, put, sum_of_ledgers, sum_of_statistics
from gpufluid.cluster.pieces import receive_arrays, send_arrays
from gpufluid.cluster.rank import RankSimulation
from gpufluid.cluster.ranks import (
    Vote,
    agreeing,
    end_all_at_an_error,
    ending_all,
    first_of_machine_first,
    free_some,
    is_agreed,
    meet_before,
    share_machine,
    some_of,
    world_of_ranks,
)
from gpufluid.cluster.schedule import ExchangePlan, schedule_of_parts
from gpufluid.cluster.storing import RankWriters
from gpufluid.core.digest import digest_text, header_lanes
from gpufluid.core.errors import DeviceError, GpufluidError, UsageError, shown
from gpufluid.core.frame import area_in_world, frame_size
from gpufluid.core.interrupts import held_back
from gpufluid.gpu.device import shared_device
from gpufluid.gpu.footprint import shortage
from gpufluid.gpu.variants import Wanted
from gpufluid.io.loading import WorldName
from gpufluid.io.shards import write_shards
from gpufluid.render.look import Look
from gpufluid.render.painter import find_overlay
from gpufluid.render.settings import PictureSettings
from gpufluid.world import World
from gpufluid.world.kinds import kinds_among
from gpufluid.world.ledger import AnyLedger, Ledger
from gpufluid.world.limits import check_step
from gpufluid.world.pieces import Box, common, window_of
from gpufluid.world.statistics import Statistics

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class Simulation:
    """A `World` that the processes of a communicator of MPI simulate together, each a part of it.

    It has some methods of `gpufluid.Simulation`. **All ranks call each of them, in the same order**, with the same
    arguments. The state, and so the digest, is that of a simulation by one process. `read`, `read_window` and `frame`
    return their result on rank 0 and None on the others; the others return the same on all ranks.

    Worlds of all rules can be shared.

    Args:
        world: the first state, or its name: a scene, a snapshot or a store. That of rank 0 counts; other ranks may
            give None. Each rank builds or reads only its own part of a scene or a store, whose files all of them need;
            a `World`, or a snapshot in one file, is cut by rank 0.
        comm: the communicator; by default that of all processes that were started together.
        variant, sleeping: as for `gpufluid.Simulation`; those of rank 0 count.
        balance: decides when borders between ranks move. Each rank gives one of the same kind.
        ranks: (rows, columns) of the grid of ranks, in gravity's frame; that of rank 0 counts. None: each rank has
            whole rows, or if these are wider than a texture, as few columns of ranks as are needed.

    Raises:
        UsageError: a world that cannot be shared, more rows or columns of ranks than the world has strips of 32, or a
            grid that has not as many places as there are ranks. All ranks raise it.
        MissingExtraError: mpi4py is not installed.
        DeviceError: a rank has no OpenGL, or too little memory. All ranks raise it.
    """

    def __init__(
        self,
        world: World | str | WorldName | None = None,
        comm: Comm | None = None,
        variant: Wanted = None,
        sleeping: bool = True,
        balance: Balance | None = None,
        ranks: Shape | None = None,
    ) -> None:
        self._comm = world_of_ranks("gpufluid.cluster") if comm is None else comm
        end_all_at_an_error(self._comm)
        share_machine(self._comm)
        self._closed = False
        found = divided(world, self._comm, variant, ranks)
        self._blank, self._variants, self._matter = found.blank, found.variants, found.matter
        self._grid, self._depth = found.grid, found.depth
        self._lines = self._comm, self._comm
        if self._across:
            column, row = self._grid.place_of(self._comm.rank)
            self._lines = some_of(self._comm, column), some_of(self._comm, row)
        self._sleeping: bool = self._comm.bcast(sleeping)
        self._schedule = self._blank.schedule(self._variants)
        self._first_tick = self._blank.tick
        try:
            self._rank = self._simulated(found.part, self._grid)
        except GpufluidError:  # all ranks have raised it
            self._free_lines()
            raise
        self._most_side = min(self._comm.allgather(shared_device().max_side))  # of a picture, in pixels
        self._plan: PicturePlan | None = None  # of the last picture
        self._has_drawn = False
        self._balance = balance or Balance()
        self._busy = 0.0  # seconds of work since ranks last compared it
        self._moved_at, self._quiet_before = -1, 0  # the tick before which borders last moved; see `_quiet_ticks`

    def _simulated(self, part: World, grid: Grid) -> RankSimulation:
        """A simulation of this rank's part. All ranks call this; all raise an error that one of them finds."""
        kinds = kinds_among(self._blank.laws, self._matter)
        depth = self._depth if self._across else (0, self._depth[1])
        schedule = schedule_of_parts(self._blank, self._variants, self._across)
        plan = ExchangePlan(self._blank, schedule, kinds, depth, grid.crossings)
        made: RankSimulation | None = None
        try:
            with agreeing(self._comm), first_of_machine_first(self._comm):
                shared = part, self._comm, self._lines, grid, plan
                made = RankSimulation(*shared, self._variants, self._sleeping, self._matter)
        except GpufluidError:  # maybe of another rank
            if made is not None:
                made.close()
            raise
        return made

    def _free_lines(self) -> None:
        """Free the communicators of the ranks on the same lines, if they are not that of all ranks."""
        for comm in self._lines if self._across else ():
            free_some(comm)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Close the simulation. After an error, maybe of one rank alone, no rank waits for others."""
        self._close(frees=error is None)

    def close(self) -> None:
        """Release the memory of this rank's device, and the communicators. A second call does nothing.

        All ranks call it.
        """
        self._close(frees=True)

    def _close(self, frees: bool) -> None:
        """Release this rank's device memory and, if ``frees``, the communicators, which all ranks do together."""
        if not self._closed:
            self._closed = True
            self._rank.close()
            if frees:
                self._free_lines()

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self._comm.size

    @property
    def _across(self) -> bool:
        """True if several columns of ranks share the world."""
        return self._grid.shape[1] > 1

    @property
    def grid(self) -> Shape:
        """(rows, columns) of the grid of ranks. Ranks are numbered along its first row, then along the second."""
        return self._grid.shape

    @property
    def rank(self) -> int:
        """The number of this rank."""
        return self._comm.rank

    @property
    def tick(self) -> int:
        """The number of the next tick."""
        return self._rank.tick

    @property
    def blank(self) -> World:
        """A world of the same laws and ports as the whole one, without cells: its arrays cannot be written."""
        return self._blank

    @property
    def variants(self) -> Mapping[str, str]:
        """The variant of each rule, by the rule's name."""
        return MappingProxyType(self._variants)

    @property
    def renderer(self) -> str:
        """The name of this rank's device, such as llvmpipe."""
        return self._rank.renderer

    @property
    def bytes_sent(self) -> int:
        """Bytes that this rank has sent for halos, of which only changes are sent, for sums of columns, and of sets.

        The same message to several ranks is counted once, except halos.
        """
        return self._rank.costs.bytes_sent

    @property
    def seconds_waited(self) -> float:
        """Seconds in which this rank has waited for other ranks in the middle and at the end of ticks."""
        return self._rank.costs.seconds_waited

    def costs(self) -> list[tuple[int, float]]:
        """`bytes_sent` and `seconds_waited` of each rank."""
        with ending_all(self._comm):
            return self._comm.allgather((self.bytes_sent, self.seconds_waited))

    def step(self, ticks: int = 1) -> None:
        """Run a number of ticks. Ctrl-C on any rank ends all of them between the same two ticks.

        Raises: WorldError: so many ticks lead beyond tick 2**63 - 1; then none runs. KeyboardInterrupt, on all ranks.
        """
        check_step(ticks, self.tick)
        vote: Vote | None = None  # that of the tick before, whether to stop
        with ending_all(self._comm), held_back() as interrupted:
            for _ in range(ticks):
                if self.ranks > 1 and self._balance.due():
                    self._compare_work()
                begun, waited = perf_counter(), self.seconds_waited
                self._rank.step()
                self._busy += perf_counter() - begun - (self.seconds_waited - waited)
                if self._must_stop(vote):
                    break
                vote = Vote(self._comm, own=bool(interrupted))
            else:
                # Once more, because a signal may have come while this rank waited for the result.
                if not self._must_stop(vote) and not self._must_stop(Vote(self._comm, own=bool(interrupted))):
                    return
        raise KeyboardInterrupt  # another rank was interrupted

    def _must_stop(self, vote: Vote | None) -> bool:
        """Wait for the result of a vote. Returns False if there is none."""
        with self._rank.costs.waiting():
            return vote is not None and vote.result()

    def _compare_work(self) -> None:
        """Move the borders between ranks if their work is uneven, and all ranks have the memory for that."""
        with self._rank.costs.waiting():
            meet_before(self._comm)
            every = self._comm.allgather(self._busy)
        self._busy = 0.0
        strips = self._balance.decide(self._grid.strips, np.reshape(every, self.grid))
        if strips is None or strips == self._grid.strips:
            return
        blank, begun = self._blank, perf_counter()
        frame = frame_size(blank.width, blank.height, blank.gravity)
        grid = Grid.of(frame, self.grid, self._depth, blank.edges == "wrap", strips)
        part = Outline(blank.laws, blank.emitters, blank.drains, self.tick).part(self.rank, grid)
        try:
            with agreeing(self._comm):
                self._check_room_for(part)
            self._move_to(grid, part)
        except GpufluidError as error:
            if not is_agreed(error):
                raise
            self._balance.refused()  # the world stays divided as it is
            return
        self._balance.moved(max(self._comm.allgather(perf_counter() - begun)))

    def _check_room_for(self, part: World) -> None:
        """Raise DeviceError or WorldError if this rank's device cannot hold another part beside the present one."""
        device = shared_device()
        device.check_side(part.width, part.height, max(len(part.mixture), 1))
        if (lack := shortage(device, self._variants, part.width, part.height, in_part=True)) is not None:
            raise DeviceError(lack)

    def _move_to(self, grid: Grid, part: World) -> None:
        """Divide the world anew, and simulate the part of this rank in the other division.

        Args:
            grid: the other division.
            part: this rank's part in it, whose arrays are filled here.
        """
        quiet = min(self._comm.allgather(self._quiet_ticks()))
        for move in self._grid.moves_to(grid):
            if self.rank not in (move.sender, move.receiver):
                continue
            arrays: dict[str, np.ndarray] | None = None
            if self.rank == move.sender:
                before = self._rank.blank
                box = area_in_world(move.sent, (before.width, before.height), before.gravity)
                arrays = self._rank.own_window(box[:2], box[2:])
            if move.sender != move.receiver:
                if arrays is not None:
                    send_arrays(self._comm, arrays, move.receiver)
                    continue
                arrays = receive_arrays(self._comm, move.sender)
            assert arrays is not None
            put(part, area_in_world(move.received, (part.width, part.height), part.gravity)[:2], arrays)
        part.ledgers = self._rank.ledgers
        after = self._simulated(part, grid)
        after.costs.bytes_sent += self.bytes_sent
        after.costs.seconds_waited += self.seconds_waited
        self._rank.close()
        self._rank, self._grid = after, grid
        self._moved_at, self._quiet_before = self.tick, max(quiet, 0)

    def _quiet_ticks(self) -> int:
        """As `gpufluid.Simulation.quiet_ticks`, of the cells that this rank computes; also of ticks before a move."""
        found = self._rank.quiet_ticks()
        return found + self._quiet_before if found >= self.tick - self._moved_at else found

    def finish(self) -> None:
        """Wait until the devices of all ranks have done all their work."""
        with ending_all(self._comm):
            self._rank.finish()
            self._comm.Barrier()

    def digest(self) -> str:
        """The digest of the current state; equal to that of a simulation by one process."""
        with ending_all(self._comm):
            lanes = np.zeros(4, np.uint32)
            self._comm.Allreduce(self._rank.digest_lanes().astype(np.uint32), lanes)
        blank = self._blank
        return digest_text(header_lanes(blank.width, blank.height, self.tick, blank.seed) + lanes)

    def statistics(self) -> Statistics:
        """The statistics of the current state."""
        with ending_all(self._comm):
            return sum_of_statistics(self._comm.allgather(self._rank.statistics()))

    def counts(self) -> dict[str, int]:
        """The number of cells of each material."""
        return dict(self.statistics().cells)

    @property
    def ledgers(self) -> dict[str, AnyLedger]:
        """The current ledgers of all quantities, by the quantity's name."""
        with ending_all(self._comm):
            return sum_of_ledgers(self._comm.allgather(self._rank.ledgers))

    @property
    def ledger(self) -> Ledger:
        """The ledger of mass, in units; all zeros in a world without mass."""
        found = self.ledgers["mass"]
        assert isinstance(found, Ledger)
        return found

    def activity(self) -> int:
        """Units of mass, or of a mixture, that moved between cells in the last tick; 0 before the first tick.

        Raises: UsageError: a world without mass and mixture. All ranks raise it.
        """
        with agreeing(self._comm):
            own = self._rank.activity()
        with ending_all(self._comm):
            return sum(self._comm.allgather(own))

    @property
    def settled(self) -> bool:
        """True if no later tick can change anything; see `gpufluid.Simulation.settled`."""
        last, settle_ticks = self.tick - 1, self._schedule.settle_ticks
        if last < self._first_tick or settle_ticks is None or not self._schedule.steady_from(last):
            return False
        with ending_all(self._comm):
            return min(self._comm.allgather(self._quiet_ticks())) >= settle_ticks

    def read(self) -> World | None:
        """The exact current state as a new world, on rank 0; None on the others."""
        blank = self._blank
        arrays = self.read_window((0, 0), (blank.width, blank.height))
        ledgers = self.ledgers
        if arrays is None:
            return None
        world = blank.blank()
        world.tick, world.ledgers = self.tick, ledgers
        put(world, (0, 0), arrays)
        return world

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray] | None:
        """The exact state of a rectangle of cells, on rank 0; None on the others.

        Args:
            at: (column, row) of the top left cell.
            size: (width, height) in cells.
        Returns: new arrays by name, each (height, width) or with more axes, of the field's type.
        Raises: UsageError: the rectangle is not inside the world.
        """
        whole = 0, 0, self._blank.width, self._blank.height
        if common((*at, *size), whole) != (*at, *size):
            inside = f"the world of {whole[2]} by {whole[3]} cells"
            raise UsageError(f"window: {shown(size)} cells at {shown(at)} are not all inside {inside}")
        with ending_all(self._comm):
            return self._gathered((*at, *size), 0)

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store that is being written, each rank some shards of it.

        Args:
            folder, path: as for `io.shards.write_shards`; the same on all ranks.
        Raises, on all ranks: OutputError: as there.
        """
        own = [own_cells(self._blank, self._grid, rank) for rank in range(self.ranks)]
        with ending_all(self._comm):
            write_shards(folder, path, self._blank, RankWriters(self._comm, own, self._gathered))

    def _gathered(self, cells: Box, receiver: int) -> dict[str, np.ndarray] | None:
        """The fields of some cells of the world by name, on one rank; None on the others. All ranks call this."""
        boxes = [common(cells, own_cells(self._blank, self._grid, rank)) for rank in range(self.ranks)]
        if self.rank != receiver:
            if (own := boxes[self.rank]) is not None:
                send_arrays(self._comm, self._own_part(own), receiver)
            return None
        found: dict[str, np.ndarray] = {}
        for rank, box in enumerate(boxes):
            if box is None:
                continue
            arrays = self._own_part(box) if rank == receiver else receive_arrays(self._comm, rank)
            if box == cells:
                return arrays
            place = box[0] - cells[0], box[1] - cells[1], *box[2:]
            for name, array in arrays.items():
                if name not in found:
                    found[name] = np.empty(_shape(array.shape, cells[2:], name), array.dtype)
                found[name][window_of(name, place)] = array
        return found

    def _own_part(self, cells: Box) -> dict[str, np.ndarray]:
        """The fields of some cells that this rank computes, by name."""
        own, part = own_cells(self._blank, self._grid, self.rank), self._rank.blank
        x, y = part.domain.own_cells(part.gravity)[:2]
        return self._rank.own_window((x + cells[0] - own[0], y + cells[1] - own[1]), cells[2:])

    def frame(
        self,
        scale: float | str = 1,
        overlay: str | None = None,
        overlay_max: float | None = None,
        tint: bool = True,
        *,
        theme: str = "day",
        background: str | None = None,
        crop: tuple[int, int, int, int] | None = None,
        size: tuple[int, int] | None = None,
    ) -> np.ndarray | None:
        """A picture of the current state on rank 0: (rows, columns, 3) uint8, sRGB; None on the others.

        Each rank draws its cells, and rank 0 holds the picture only. It is that of one process, to the last bit.
        Arguments as for `gpufluid.Simulation.frame`. Raises: as `picture`.
        """
        look = Look.of(theme, background, tint)
        return self.picture(PictureSettings(scale, overlay, overlay_max, look, crop, size))

    def picture(self, settings: PictureSettings) -> np.ndarray | None:
        """A picture of the current state on rank 0: (rows, columns, 3) uint8, sRGB; None on the others.

        Raises: as `check_picture`; and UsageError: an `overlay_max` that the overlay does not take.
        """
        picture: np.ndarray | None = None
        with ending_all(self._comm):
            with agreeing(self._comm):
                plan = self._planned(settings)
            received = self._rank.send_cells(plan)
            with agreeing(self._comm), self._compiled_once():
                drawn = self._rank.draw_piece(plan, received)
            self._has_drawn = True
            source = self._joined(plan, drawn)
            with agreeing(self._comm):
                if source is not None:
                    picture = self._rank.complete_picture(plan, source)
        return picture

    def _planned(self, settings: PictureSettings) -> PicturePlan:
        """The plan of a picture, which is kept for the next one. Raises UsageError: as `check_picture`."""
        if settings.overlay is not None:
            self.check_overlay(settings.overlay)
        if self._plan is None or self._plan.settings != settings or self._plan.grid is not self._grid:
            self._plan = PicturePlan(self._blank, self._grid, settings, self._most_side)
        return self._plan

    def _compiled_once(self) -> AbstractContextManager[None]:
        """Let one rank of a machine draw the first picture before the others, which find its shaders in the cache."""
        return nullcontext() if self._has_drawn else first_of_machine_first(self._comm)

    def _joined(self, plan: PicturePlan, drawn: np.ndarray | None) -> np.ndarray | None:
        """The source of a picture, (rows, columns, 3) uint8, on rank 0, from the pieces of all ranks; None on others.

        Args:
            plan: the plan of the picture.
            drawn: this rank's piece, (rows, columns, 3) uint8; None: it has none.
        """
        if self.rank > 0:
            if drawn is not None:
                send_arrays(self._comm, {"pixels": drawn}, 0)
            return None
        width, height = plan.source.size
        source = np.empty((height, width, 3), np.uint8)
        for rank, piece in enumerate(plan.pieces):
            if piece is not None:
                left, top, right, bottom = piece.pixels
                own = receive_arrays(self._comm, rank)["pixels"] if rank else drawn
                assert own is not None
                source[top:bottom, left:right] = own
        return source

    def check_picture(self, settings: PictureSettings) -> None:
        """Check if a picture can be drawn, and make room for it on each rank's device; nothing is drawn.

        Raises, on all ranks: UsageError: invalid settings; a picture over the limit of a rank's device; or an overlay
            that needs data of the running simulations, such as tiles or moves of atoms. DeviceError: too little memory.
        """
        with agreeing(self._comm):
            self._rank.reserve(self._planned(settings))

    def check_overlay(self, overlay: str) -> None:
        """Raise UsageError if a picture of a shared world cannot show an overlay."""
        found = find_overlay(self._blank, overlay)
        if found.tiles or found.traces or found.takes:
            raise UsageError(f"overlay: {overlay!r} is not drawn of a world that several ranks share")


def _layer_axes(name: str) -> int:
    from gpufluid.core.fields import FIELDS

    return 1 if FIELDS[name].layered else 0


def _shape(shape: tuple[int, ...], size: tuple[int, int], name: str) -> tuple[int, ...]:
    """The shape of an array like one of ``shape``, but of (width, height) ``size`` in cells."""
    axis = _layer_axes(name)
    return (*shape[:axis], size[1], size[0], *shape[axis + 2 :])
