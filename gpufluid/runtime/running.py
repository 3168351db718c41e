"""Runs the ticks of a world on the device: whole, in parts with a time limit, or timed pass by pass."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.images import Image
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.planes import SUMMED_ROWS
from gpufluid.gpu.preparing import Preparing
from gpufluid.gpu.tick_block import TickBlock
from gpufluid.gpu.tiles import Turn
from gpufluid.gpu.trace import Trace
from gpufluid.rules import MOVED, Call, Pass, Schedule
from gpufluid.runtime.planning import Planner, PreparedCall
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl

_BAND_SECONDS = 0.006
"""Wanted duration of one band, in seconds."""

_CELLS_A_BAND = 1 << 20
"""Cells of a band of a pass that has not been timed yet."""


class Exchange(Protocol):
    """Copies between simulations that compute one world together, in the middle of a tick."""

    def begin(self, tick: int) -> None:
        """Begin the tick of this number."""

    def before(self, pass_: Pass) -> bool:
        """Copy what a run of a pass needs, before it runs. Returns False if it need not run."""
        ...

    def is_under_way(self) -> bool:
        """True if some of these copies are still under way, which inner tiles do not need; see `Tiles.set_inner`."""
        ...

    def complete(self) -> None:
        """Complete these copies."""
        ...


class Runner:
    """Runs the schedule of one world.

    Args:
        device: the device that runs it.
        world: a world with the same laws; its arrays are not read.
        planner: prepares the calls.
        ledger: the ledgers on the device.
        trace: the trace of atoms, which begins with each tick; None: no trace.
    """

    def __init__(
        self, device: Device, world: World, planner: Planner, ledger: LedgerBuffer, trace: Trace | None
    ) -> None:
        self._device, self._trace, self._planner, self._ledger = device, trace, planner, ledger
        self._cells = world.width * world.height
        self.exchange: Exchange | None = None
        self._block = TickBlock(device, world.domain, world.seed, world.gravity)
        self._coming: deque[PreparedCall] = deque()  # the remaining calls of a tick in progress
        self._band: tuple[int, int] | None = None  # the next band of the first of these calls
        self._listed_in = 1  # the number of bands for which tiles were listed last
        self._seconds: dict[Pass, float] = {}
        self._sum = Program(device, "sum/sum.comp", [Image("counts", MOVED, "readonly")], device.group_size, {})
        self.scratch, self.tiles = self._planner.scratch, self._planner.tiles
        passes = planner.passes
        self._never_run = {  # until the end of the first tick
            (pass_.full_name, pass_.matter): Preparing(pass_.rule, number, len(passes), runs=True)
            for number, pass_ in enumerate(passes, start=1)
        }

    def at_once(self, tick: int, most: int) -> int:
        """The number of ticks, 1 or 2 but not over ``most``, that can be computed at once from a tick on."""
        return 2 if most > 1 and self.exchange is None and self._planner.runs_two(tick) else 1

    def tick(self, tick: int, until: float | None = None, ticks: int = 1) -> bool:
        """Run one tick, or the rest of a tick in progress.

        Args:
            tick: its number.
            until: the time (`time.perf_counter`) at which to stop between two passes or bands; then each of them is
                waited for. None: run the whole tick without waiting.
            ticks: the number of ticks to run at once, as `at_once` returns it.
        Returns: whether the tick is finished.
        """
        self._block.begin(tick)
        if not self._coming:
            for tiles in self._planner.tiles.values():
                tiles.clear_lists()
            if self._trace is not None:
                self._trace.begin()
            self._planner.begin_tick()
            plan = self._planner.plan(tick, ticks)
            if self.exchange is not None:
                self.exchange.begin(tick)
            if until is None:
                self._listed_in = 1
                for call in plan:
                    if self.exchange is not None and not self.exchange.before(call.pass_):
                        continue
                    if self._never_run:
                        self._announce(call.pass_)
                    self._run_call(call)
                    call.swap()
            else:
                self._coming = deque(plan)
        self._go_on(until)
        self._device.barrier()
        if not self._coming:
            self._never_run = {}
        return not self._coming

    def _run_call(self, call: PreparedCall) -> None:
        """Run a call: if copies for it are under way, first the inner tiles, and the others when these are there."""
        if self.exchange is None or not self.exchange.is_under_way():
            call.dispatch.run()
            return
        tiles = self.tiles[call.pass_.tiled_by]
        tiles.take_turn(Turn.INNER)
        call.dispatch.run()
        self.exchange.complete()
        tiles.take_turn(Turn.OTHERS)
        call.dispatch.run()
        self._device.barrier()
        tiles.take_turn(Turn.ALL)

    def compile(self, tick: int) -> None:
        """Let the driver generate the machine code of the next tick; see `Planner.compile`."""
        self._planner.compile(tick, self._announce)

    def _announce(self, pass_: Pass) -> None:
        """Tell the device's listener, if any, that a pass is compiled, before it first runs or by `compile`."""
        coming = self._never_run.pop((pass_.full_name, pass_.matter), None)
        if coming is not None and self._device.announce is not None:
            self._device.announce(coming)

    @property
    def preparing(self) -> Preparing | None:
        """The next pass of the tick in progress that runs for the first time, if it is the first tick; else None."""
        if not self._never_run:
            return None
        coming = (self._never_run.get((call.pass_.full_name, call.pass_.matter)) for call in self._coming)
        return next((step for step in coming if step is not None), None)

    def _go_on(self, until: float | None) -> None:
        """Run the remaining calls of a tick, band by band, until a time."""
        while self._coming:
            call = self._coming[0]
            number, bands = self._band or (0, self._bands(call.pass_, waited_for=until is not None))
            if call.pass_.lists_tiles:
                self._listed_in = bands
            if self._never_run:
                self._announce(call.pass_)
            began = time.perf_counter()
            call.dispatch.run((number, bands))
            self._band = (number + 1, bands)
            if number + 1 == bands:
                call.swap()
                self._coming.popleft()
                self._band = None
            if until is not None:
                self._device.finish()
                self._seconds[call.pass_] = (time.perf_counter() - began) * bands
                if time.perf_counter() >= until:
                    break

    def _bands(self, pass_: Pass, waited_for: bool) -> int:
        """The number of bands in which to run a pass.

        If bands are waited for, each should take `_BAND_SECONDS`. A pass that uses the list of a previous pass runs in
        the number of bands for which the tiles were listed.
        """
        if pass_.activated_by not in ("", pass_.name):
            return self._listed_in
        if not waited_for:
            return 1
        unknown = self._cells / _CELLS_A_BAND * _BAND_SECONDS
        return max(1, min(math.ceil(self._seconds.get(pass_, unknown) / _BAND_SECONDS), 256))

    def timed_tick(self, tick: int) -> dict[str, float]:
        """Run one tick and wait for each pass. Returns milliseconds by the names of passes."""
        self._device.finish()
        spent: dict[str, float] = {}
        done = False
        while not done:
            name = (self._coming or self._planner.plan(tick))[0].pass_.full_name
            began = time.perf_counter()
            done = self.tick(tick, until=0.0)
            spent[name] = spent.get(name, 0.0) + 1000 * (time.perf_counter() - began)
        return spent

    def forget(self, tick: int) -> None:
        """Begin with another state at a tick: set measured amounts to 0 and wake all tiles."""
        for tiles in self._planner.tiles.values():
            tiles.wake_all(tick)
        self._planner.begin_tick()
        moved = self._planner.moved
        moved.write(bytes(8 * moved.width * moved.height))
        self._planner.clear_overlay_scratch()

    def outline_tiles(self, tick: int, picture: moderngl.Texture, uniforms: Mapping[str, Uniform]) -> None:
        """Draw a rectangle around each tile, before the tick of this number; see `Planner.outline_tiles`."""
        self._block.begin(tick)
        self._planner.outline_tiles(picture, uniforms)

    def wake(self, at: tuple[int, int], size: tuple[int, int], tick: int, in_tick: bool = False) -> None:
        """Wake the tiles of a changed rectangle of cells, from a tick on; see `Planner.wake`."""
        self._planner.wake(at, size, tick, in_tick)

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes that run; see `Planner.passes`."""
        return self._planner.passes

    def admit(self, kinds: frozenset[tuple[str, str]], tick: int) -> None:
        """Run also the passes that need some more kinds of matter; see `Planner.admit`."""
        self._planner.admit(kinds, tick)

    def use_ports(self, schedule: Schedule) -> None:
        """Use the emitters and drains of another schedule from the next tick on; see `Planner.use_ports`."""
        self._planner.use_ports(schedule)

    def dispatches(self, tick: int) -> int:
        """The number of dispatches of a tick."""
        return sum(call.dispatch.count for call in self._planner.plan(tick))

    @property
    def broken_off(self) -> bool:
        """True if a tick is in progress."""
        return bool(self._coming)

    def run(self, call: Call) -> None:
        """Run the pass of one call."""
        self._block.begin(call.tick)
        tiles = self._planner.tiles.get(call.pass_.tiled_by)
        if tiles is not None and call.pass_.lists_tiles:
            tiles.clear_lists()
            self._listed_in = 1
        prepared = self._planner.prepare([call])
        prepared.dispatch.run()
        prepared.swap()
        self._device.barrier()

    def moved(self) -> int:
        """Units of mass, or of a mixture, that moved between cells in the last tick."""
        buffer = self._device.buffer(data=bytes(8))
        columns, rows = self._planner.strips
        uniforms: dict[str, Uniform] = {"size": (columns, rows), "rows": SUMMED_ROWS}
        self._sum.dispatch((columns, -(-rows // SUMMED_ROWS)), [self._planner.moved], uniforms, [buffer])
        total = int.from_bytes(buffer.read(), "little")
        buffer.release()
        return total + self._ledger.read_moved()

    def release(self) -> None:
        """Release textures and buffers."""
        self._planner.release()
        self._block.release()
