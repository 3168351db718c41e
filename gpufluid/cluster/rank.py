"""`RankSimulation`: the part of a world that one rank simulates, and the copies of its halo from other ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.atom_bodies import AtomBodies
from gpufluid.cluster.changes import UNCHANGED, Receiver, Sender
from gpufluid.cluster.columns import Columns
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.drawing import PicturePlan, PieceDrawing
from gpufluid.cluster.grid import Crossing, Grid
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.limits import Limits
from gpufluid.cluster.line_sums import LineSums
from gpufluid.cluster.loose_pieces import LoosePieces
from gpufluid.cluster.mixture_bodies import MixtureBodies
from gpufluid.cluster.ranks import wait_for
from gpufluid.cluster.schedule import ExchangePlan
from gpufluid.cluster.shares import STRIP_ROWS
from gpufluid.cluster.stretches import Stretches
from gpufluid.cluster.tile_sets import agree_on_tiles
from gpufluid.core.frame import Area, area_in_world, frame_size
from gpufluid.gpu.planes import texels_of
from gpufluid.gpu.readback import WindowCopies
from gpufluid.gpu.textures import write_texels
from gpufluid.oracle.atoms.cells import side_of
from gpufluid.rules import Over, Pass
from gpufluid.rules.collapse import BORDERS, PIECES, SIDES
from gpufluid.rules.collapse import rows_near as rows_near_pieces
from gpufluid.rules.mixture import LIMITS
from gpufluid.rules.passes import NEAR_COLUMNS
from gpufluid.rules.pressure import BODY_BORDERS, BODY_SIDES, LABELS, rows_near
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World
from gpufluid.world.kinds import kinds_among

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


Kind = tuple[str, str]
"""A rule, and the kind of matter of its passes, `Pass.matter`."""

_SETS_OF_TILES = {"collapse": ("cluster", "examined"), "pressure": ("component", "activated")}
"""By rule: the flags of tiles with the number of a tile's set, and with the last tick in which the set was active."""


class RankSimulation(Simulation):
    """A simulation of the cells of one rank, which copies its halo from other ranks in the middle of ticks.

    Args:
        part: the rank's part of the world.
        comm: the communicator of all ranks.
        lines: those of the ranks with the same columns, from the first row of the grid on; and of the ranks with the
            same rows.
        grid: the parts of all ranks.
        plan: the places in a tick at which halos are copied.
        variants: the variant of each rule.
        sleeping: as for `Simulation`.
        matter: the numbers of the materials in the whole world, and of those that emitters emit.
    """

    def __init__(
        self,
        part: World,
        comm: Comm,
        lines: tuple[Comm, Comm],
        grid: Grid,
        plan: ExchangePlan,
        variants: Mapping[str, str],
        sleeping: bool,
        matter: Collection[int],
    ) -> None:
        super().__init__(part, variant=dict(variants), sleeping=sleeping, matter=matter)
        self._comm, self._plan = comm, plan
        self._kinds = kinds_among(part.laws, matter)
        numbered = list(enumerate(grid.crossings))
        self._sending = [(tag, each) for tag, each in numbered if each.sender == comm.rank]
        self._receiving = [(tag, each) for tag, each in numbered if each.receiver == comm.rank]
        passes, carried = self._schedule.passes, ()
        changed = {name for pass_ in passes for name in (*pass_.gathered(carried), *pass_.updated(carried))}
        self._exchanged = [plane.name for plane in part.planes if plane.name in changed]
        self._senders = [Sender(self._bytes_of(each.sent)) for _, each in self._sending]
        self._receivers = [Receiver(self._bytes_of(each.received)) for _, each in self._receiving]
        # True if only passes over awake tiles, and those that serve ports, change cells.
        self._sleeps = all(
            pass_.activated_by or pass_.over.serves_ports or not (pass_.gathered(()) or pass_.updated(()))
            for pass_ in self._runner.passes
        )
        self._copied = -1  # the last tick in which halos were copied; -1: none was
        # The last tick in which ports, other ranks or joined sets may have changed cells.
        self._changed_by_others = self.tick
        self._points: frozenset[tuple[str, int]] = frozenset()
        self._runs: Counter[str] = Counter()
        self._own_area = part.domain.own_area(part.gravity)
        self.costs = Costs()
        self._sums = {
            (pass_, sums.rises): sums
            for pass_ in self._schedule.passes
            if pass_.sums_up
            for sums in self._line_sums(pass_, part, lines, grid)
        }
        self._sum_copies = WindowCopies(self._device, "rg32ui")
        self._write_stretches()
        # Of the sums that ranks are about to send: their key, and whether they have changed since they were last sent.
        self._summed: tuple[tuple[Pass, bool], bool] | None = None
        self._summed_in: dict[tuple[Pass, bool], int] = {}  # by that key: the tick in which they were last sent
        self._near: dict[Kind, tuple[int, int]] = {}  # columns and rows near a border; 0: the axis is not divided
        self._joined = self._joined_sets(part, lines, grid)
        # By kind, once ranks have agreed in this tick: whether a set of tiles at a border is active, and whether any is
        # anywhere.
        self._active: dict[Kind, tuple[bool, bool]] = {}
        self._ticking = self.tick  # the tick in progress
        self._runner.exchange = self
        self._pieces: PieceDrawing | None = None  # made for the first picture
        with self._current():
            self._runner.compile(self.tick)

    def close(self) -> None:
        """Release the memory of the device; see `Simulation.close`."""
        if not self.closed:
            with self._device:
                if self._pieces is not None:
                    self._pieces.release()
                for joined in self._joined.values():
                    joined.release()
                self._sum_copies.release()
        super().close()

    def begin(self, tick: int) -> None:
        """Begin a tick."""
        self._points = self._plan.points(tick)
        self._runs.clear()
        self._active.clear()
        self._ticking = tick
        if any(self._schedule.acting(tick)):
            self._changed_by_others = tick

    def before(self, pass_: Pass) -> bool:
        """Copy halos, find what lies ahead of columns, or join sets of cells, if this is due before a run of a pass.

        Returns: False if the pass need not run, because it sums up what no rank needs, or what has not changed.
        """
        name = pass_.full_name
        if self._summed:
            self._send_sums(*self._summed)
            self._summed = None
        if (name, self._runs[name]) in self._points:
            self._copy_halos()
        if pass_.joins and (pass_.rule, pass_.matter) in self._joined:
            self._join(pass_, self._runs[name])
        runs = True
        if pass_.sums_up:
            key = pass_, self._rises(pass_, self._runs[name])
            rests = self._sums[key].is_at_end and self._has_rested(self._summed_in.get(key, -1))
            runs = bool(self._sums[key].summed) and not rests
            self._summed, self._summed_in[key] = (key, runs), self._ticking
        self._runs[name] += 1
        return runs

    def _join(self, pass_: Pass, run: int) -> None:
        """Join what the ranks know of connected sets of cells that cross their borders.

        Args:
            pass_: the pass for which they do so.
            run: the number of its run in the tick.
        """
        kind = pass_.rule, pass_.matter
        joined = self._joined[kind]
        if pass_.joins != "tiles":
            at_borders, anywhere = self._active.get(kind, (True, True))
            reaches_above = isinstance(joined, AtomBodies) and joined.reaches_above and pass_.joins != "labels"
            if at_borders or (anywhere and reaches_above):
                joined.join(pass_, run, self._ticking)
                self._changed_by_others = self._ticking
        elif kind not in self._active:  # sets of tiles are found once in a tick
            self._device.barrier()
            flags, tiles = _SETS_OF_TILES[pass_.rule], self._runner.tiles[pass_.tiled_by]
            where = self._own_area, self._near[kind]
            self._active[kind] = agree_on_tiles(self._comm, self.costs, tiles, flags, *where, self._ticking)
            if not self._active[kind][0]:
                joined.forget()

    def own_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """The fields of a rectangle of the part by name, each (height, width) or with more axes, of the field's type.

        Args:
            at: (column, row) of the top left cell in the part.
            size: (width, height) in cells.
        """
        with self._current():
            return self._planes.read_window(at, size)

    def reserve(self, plan: PicturePlan) -> None:
        """Make room on the device for the cells that this rank draws at once. Raises DeviceError: too little memory."""
        with self._current():
            self._piece_drawing(plan).reserve(plan)

    def send_cells(self, plan: PicturePlan) -> dict[Crossing, np.ndarray]:
        """Send and receive the cells that the pieces of a picture need beside a rank's own. All ranks call this.

        Returns: the received cells, (bytes,) uint8 for each crossing, as `PieceDrawing.draw` takes them.
        """
        from mpi4py.MPI import BYTE

        rank = self._comm.rank
        numbered = [(tag, each) for tag, each in enumerate(plan.crossings) if each.sender != each.receiver]
        with self._current():
            drawing = self._piece_drawing(plan)
            sent = [(tag, each.receiver, drawing.texels(plan, each)) for tag, each in numbered if each.sender == rank]
        received = {
            each: np.empty(drawing.texel_bytes(plan, each), np.uint8) for _, each in numbered if each.receiver == rank
        }
        requests = [
            self._comm.Irecv([received[each], BYTE], each.sender, tag) for tag, each in numbered if each in received
        ]
        requests += [self._comm.Isend([words, BYTE], receiver, tag) for tag, receiver, words in sent]
        wait_for(requests)
        return received

    def draw_piece(self, plan: PicturePlan, received: Mapping[Crossing, np.ndarray]) -> np.ndarray | None:
        """Draw this rank's piece of the source of a picture.

        Args:
            plan: the plan of the picture.
            received: what `send_cells` has returned, (bytes,) uint8 each.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top; None: this rank has no pixel.
        Raises: as `PieceDrawing.draw`.
        """
        with self._current():
            return self._piece_drawing(plan).draw(plan, self.tick, received)

    def complete_picture(self, plan: PicturePlan, drawn: np.ndarray) -> np.ndarray:
        """Make a picture of its source.

        Args:
            plan: the plan of the picture.
            drawn: its source, (rows, columns, 3) uint8, sRGB.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top.
        """
        with self._current():
            return self._piece_drawing(plan).complete(plan, drawn)

    def _piece_drawing(self, plan: PicturePlan) -> PieceDrawing:
        if self._pieces is None:
            self._pieces = PieceDrawing(self._device, plan.world, self._blank, self._planes, self._comm.rank)
        return self._pieces

    def _copy_halos(self) -> None:
        """Send what changed of own cells to the ranks that have them in their halos, and receive this rank's halo.

        If this rank's part rests, its cells are not read.
        """
        from mpi4py.MPI import BYTE, Status

        self._device.barrier()
        rests, self._copied = self._has_rested(self._copied), self._ticking
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
        self.costs.bytes_sent += sum(words.nbytes for words in sent)
        statuses = [Status() for _ in receiving]
        with self.costs.waiting():
            wait_for(receiving, statuses)
            wait_for(sending)
        for (_, crossing), receiver, words, status in zip(
            self._receiving, self._receivers, buffers, statuses, strict=True
        ):
            count = status.Get_count(BYTE)
            if not rests or count > UNCHANGED.size:
                self._write(crossing, receiver.array(words[:count]))

    def _has_rested(self, since: int) -> bool:
        """True if no cell of this rank's part, halo included, has changed since the beginning of a tick.

        Args:
            since: the tick; -1: none, and the result is False.
        """
        if not self._sleeps or self._changed_by_others >= since:
            return False
        self._device.barrier()
        ticks = (since - tiles.visited() for tiles in self._runner.tiles.values())
        return all(0 < each % (1 << 32) < 1 << 31 for each in ticks)

    def _box(self, area: Area) -> tuple[int, int, int, int]:
        return area_in_world(area, self._size, self._blank.gravity)

    def _bytes_of(self, area: Area) -> int:
        return sum(self._planes.texel_bytes(name, self._box(area)) for name in self._exchanged)

    def _texels(self, area: Area) -> np.ndarray:
        """The texels of some cells of all exchanged planes, one plane after the other: (bytes,) uint8."""
        found = [self._planes.read_texels(name, self._box(area)) for name in self._exchanged]
        return np.concatenate([each.reshape(-1).view(np.uint8) for each in found])

    def _write(self, crossing: Crossing, words: np.ndarray) -> None:
        """Write the received texels of a crossing, (bytes,) uint8, where the halo has others.

        Only there tiles wake: those at rest beside it go on sleeping.
        """
        box, first = self._box(crossing.received), 0
        received: dict[str, np.ndarray] = {}
        differs = np.zeros((box[3], box[2]), bool)
        for name in self._exchanged:
            end = first + self._planes.texel_bytes(name, box)
            received[name], first = texels_of(name, box, words[first:end]), end
            differs |= (self._planes.read_texels(name, box).reshape(received[name].shape) != received[name]).any(axis=0)
        if not differs.any():
            return
        rows, columns = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
        inner = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        at = box[0] + int(columns[0]), box[1] + int(rows[0])
        size = inner[1].stop - inner[1].start, inner[0].stop - inner[0].start
        for name, texels in received.items():
            words = np.ascontiguousarray(texels[:, *inner]).reshape(-1).view(np.uint8)
            self._planes.put_texels(name, (*at, *size), words)
        self._runner.wake(at, size, self.tick, in_tick=True)
        self._changed_by_others = self._ticking

    def _line_sums(self, summing: Pass, part: World, lines: tuple[Comm, Comm], grid: Grid) -> Iterator[LineSums]:
        """The sums of a pass, in each direction in which matter moves along its lines."""
        columns, rows = frame_size(*self._size, part.gravity)
        first = [line // STRIP_ROWS for line, _ in self._own_area]
        if summing.sums_up == "across":
            for rises in (False, True):
                yield LineSums(
                    Columns(Stretches(grid.columns, part.edges, rises)), lines[1], self.costs, rows, first[0]
                )
            return
        stretches = Stretches(grid.rows, part.edges, rises=summing.sums_up == "up")
        limits = 1 if part.exclusive else len(part.mixture)
        scan = Limits(stretches, limits) if LIMITS in summing.writes else Columns(stretches)
        yield LineSums(scan, lines[0], self.costs, columns, first[1])

    def _rises(self, summing: Pass, run: int) -> bool:
        """True if in a run of a pass that sums up lines matter moves toward their first strip."""
        if summing.sums_up == "across":
            return side_of(self._blank, self._ticking, run) < 0
        return summing.sums_up == "up"

    def _write_stretches(self) -> None:
        """Tell the device of the stretches of lines that passes sum up."""
        texels: dict[str, np.ndarray] = {}
        for (summing, rises), sums in self._sums.items():
            for scratch in (each for each in summing.takes if each.is_given):
                texture = self._runner.scratch[scratch.name]
                found = texels.setdefault(scratch.name, np.zeros((texture.height, texture.width, 2), np.uint32))
                found[: len(sums.words), :, int(rises)] = sums.words[:, None]
        with self._current():
            for name, words in texels.items():
                write_texels(self._runner.scratch[name], (0, 0), words)

    def _send_sums(self, key: tuple[Pass, bool], changed: bool) -> None:
        """Send the sums of own stretches to the ranks on the same lines that need them, and find the state ahead.

        Args:
            key: the pass that sums them up, and whether matter moves toward the first strip.
            changed: whether the pass has run, because they may have changed.
        """
        summing, rises = key
        self._device.barrier()
        sums, across = self._sums[key], summing.sums_up == "across"
        texture, target = self._runner.scratch[summing.writes[0].name], self._runner.scratch[self._target(summing)]
        texels: list[np.ndarray] = []
        for rows in sums.summed if changed else ():
            texels.append(np.empty((rows.stop - rows.start, texture.width, 2), np.uint32))
            self._sum_copies.copy(texture, (0, rows.start, texture.width, len(texels[-1])), texels[-1])
        ahead, found = sums.exchanged(texels)
        write_texels(target, (0, 0), ahead)
        if not found:
            return
        frame = frame_size(*self._size, self._blank.gravity)  # matter at rest at the end of the part may begin to move
        front = 0 if rises else frame[0 if across else 1] - 1
        lines, end_of_lines = (found[0], found[-1] + 1), (front, front + 1)
        self._wake((end_of_lines, lines) if across else (lines, end_of_lines))

    def _joined_sets(
        self, part: World, lines: tuple[Comm, Comm], grid: Grid
    ) -> dict[Kind, LoosePieces | MixtureBodies | AtomBodies]:
        """The connected sets of cells that cross borders, of each kind; none if the world has one part.

        Args:
            part: this rank's part.
            lines: as for `RankSimulation`.
            grid: the parts of all ranks.
        """
        kinds = {(pass_.rule, pass_.matter) for pass_ in self._schedule.passes if pass_.joins == "labels"}
        found: dict[Kind, LoosePieces | MixtureBodies | AtomBodies] = {}
        for rule, matter in kinds:
            near = rows_near_pieces(part.laws) if rule == "collapse" else rows_near(matter, part.laws)
            own = (self._device, self._comm, self.costs, grid, part, self._runner.scratch)
            state = part, self._planes, self._exchanged
            if rule == "collapse":
                sets = JoinedSets(*own, PIECES, BORDERS, SIDES, near, rows_before=3)
                found[rule, matter] = LoosePieces(sets, self._comm, lines[1], self.costs, grid, *state, near)
            else:
                sets = JoinedSets(*own, LABELS, BODY_BORDERS, BODY_SIDES, near)
                of_rule = frozenset(kind for other, kind in self._kinds if other == rule)
                found[rule, matter] = (
                    AtomBodies(*(sets, self._comm, lines[0], self.costs, grid, *state), near, of_rule, self._wake_cells)
                    if matter == "atoms"
                    else MixtureBodies(sets, "heat" in part.rules)
                )
            self._near[rule, matter] = (
                NEAR_COLUMNS if grid.columns.is_divided else 0,
                near if grid.rows.is_divided else 0,
            )
        return found

    def _target(self, summing: Pass) -> str:
        """The scratch into which what lies ahead is written, for the passes that scan the same lines of a rule."""
        ahead = (each.looks_ahead for each in self._schedule.passes if each.rule == summing.rule)
        across = summing.sums_up == "across"
        return next(each.name for each in ahead if each is not None and (each.over is Over.ROWS) == across)

    def _wake_cells(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        """Wake the tiles from one cell to another; cells are (column, row) of gravity's frame."""
        self._wake(((first[0], last[0] + 1), (first[1], last[1] + 1)))

    def _wake(self, area: Area) -> None:
        """Wake the tiles of some cells of the part."""
        box = self._box(area)
        self._runner.wake(box[:2], box[2:], self.tick, in_tick=True)
