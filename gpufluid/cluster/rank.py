"""`RankSimulation`: the part of a world that one rank simulates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.atom_bodies import AtomBodies
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.drawing import PicturePlan, PieceDrawing
from gpufluid.cluster.grid import Crossing, Grid
from gpufluid.cluster.halos import Halos
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.loose_pieces import LoosePieces
from gpufluid.cluster.mixture_bodies import MixtureBodies
from gpufluid.cluster.ranks import wait_for
from gpufluid.cluster.rest import Rest
from gpufluid.cluster.scans import Scans
from gpufluid.cluster.schedule import ExchangePlan
from gpufluid.cluster.tile_sets import agree_on_tiles
from gpufluid.core.frame import Area, area_in_world
from gpufluid.rules import Pass
from gpufluid.rules.collapse import BORDERS, PIECES, SIDES
from gpufluid.rules.collapse import rows_near as rows_near_pieces
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
        passes, carried = self._schedule.passes, ()
        changed = {name for pass_ in passes for name in (*pass_.gathered(carried), *pass_.updated(carried))}
        self._exchanged = [plane.name for plane in part.planes if plane.name in changed]
        self._points: frozenset[tuple[str, int]] = frozenset()
        self._runs: Counter[str] = Counter()
        self._own_area = part.domain.own_area(part.gravity)
        self.costs = Costs()
        self._near: dict[Kind, tuple[int, int]] = {}  # columns and rows near a border; 0: the axis is not divided
        self._joined = self._joined_sets(part, lines, grid)
        is_known = all(map(self._tells_changes, self._runner.passes))
        self._rest = Rest(self._device, self._runner.tiles.values(), is_known)
        state = part, self._planes, self._exchanged
        self._halos = Halos(comm, self.costs, grid.crossings, *state, self._rest)
        with self._current():
            for tiles in self._runner.tiles.values() if part.domain.halo else ():
                tiles.set_inner(grid.inner_of(comm.rank))
            self._scans = Scans(
                *(self._device, lines, self.costs, grid, part, self._schedule),
                *(self._runner.scratch, self._rest, self._wake),
            )
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
                self._scans.release()
        super().close()

    def begin(self, tick: int) -> None:
        """Begin a tick."""
        self._points = self._plan.points(tick)
        self._runs.clear()
        self._active.clear()
        self._ticking = tick

    def before(self, pass_: Pass) -> bool:
        """Copy halos, find what lies ahead of columns, or join sets of cells, if this is due before a run of a pass.

        Returns: False if the pass need not run, because it sums up what no rank needs, or what has not changed.
        """
        name = pass_.full_name
        self._scans.send()
        if (name, self._runs[name]) in self._points:
            self._device.barrier()
            self._halos.begin()
            if not self._can_begin(pass_):
                self.complete()
        if pass_.joins and (pass_.rule, pass_.matter) in self._joined:
            self._join(pass_, self._runs[name])
        runs = not pass_.sums_up or self._scans.begin(pass_, self._ticking, self._runs[name])
        if pass_.over.serves_ports:
            self._rest.note()
        self._runs[name] += 1
        self._rest.go_on()
        return runs

    def is_under_way(self) -> bool:
        """True if halos are being copied, which the next pass needs in tiles near the borders only."""
        return self._halos.is_under_way

    def complete(self) -> None:
        """Receive and write the halo. Tiles wake in and next to the cells that differ; others of the halo sleep on."""
        self._device.barrier()  # the inner tiles may have been computed
        for x, y, width, height in self._halos.complete():
            self._runner.wake((x, y), (width, height), self.tick, in_tick=True)
            self._rest.note(at_borders=False)

    def _can_begin(self, pass_: Pass) -> bool:
        """True if a pass can run in the inner tiles while halos are copied: it lists tiles for no other pass."""
        if not (pass_.lists_tiles and pass_.over.lies_in_tiles and pass_.reach) or pass_.joins or pass_.follows_sets:
            return False
        listed = [each.activated_by for each in self._runner.passes if each.tiled_by == pass_.tiled_by]
        return listed.count(pass_.name) == 1 and self._runner.tiles[pass_.tiled_by].has_inner

    def _tells_changes(self, pass_: Pass) -> bool:
        """True if a pass changes cells in visited tiles only, or where `before` notes it: for ports, and joined sets.

        A pass after a join that was left out finds no set that crosses a border, and changes nothing.
        """
        noted = pass_.over.serves_ports or (pass_.joins and (pass_.rule, pass_.matter) in self._joined)
        return bool(pass_.activated_by or noted or not (pass_.gathered(()) or pass_.updated(())))

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
                if pass_.gathered(()) or pass_.updated(()):
                    self._rest.note()
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

    def _wake_cells(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        """Wake the tiles from one cell to another; cells are (column, row) of gravity's frame."""
        self._wake(((first[0], last[0] + 1), (first[1], last[1] + 1)))

    def _wake(self, area: Area) -> None:
        """Wake the tiles of some cells of the part."""
        box = area_in_world(area, self._size, self._blank.gravity)
        self._runner.wake(box[:2], box[2:], self.tick, in_tick=True)
