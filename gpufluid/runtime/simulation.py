"""`Simulation`: a world on the GPU."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import numpy as np

from gpufluid.core.digest import digest_text, header_lanes
from gpufluid.core.errors import UsageError, shown
from gpufluid.core.fields import carried_planes
from gpufluid.core.frame import frame_size
from gpufluid.core.interrupts import held_back
from gpufluid.core.moves import moves
from gpufluid.gpu import generated
from gpufluid.gpu.buffer_textures import planes_in_buffers
from gpufluid.gpu.counting import Counting
from gpufluid.gpu.device import Device, chosen_device, in_forked_process
from gpufluid.gpu.footprint import plane_bytes
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.memory import Allocations, Memory
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.shares import strip_of
from gpufluid.gpu.trace import Trace
from gpufluid.gpu.variants import Wanted, decide
from gpufluid.io.shards import OneWriter, write_shards
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.render.clip import Clip
from gpufluid.render.drawing import Drawing
from gpufluid.render.look import Look
from gpufluid.render.painter import find_overlay
from gpufluid.render.settings import PictureSettings
from gpufluid.rules import Call
from gpufluid.rules.passes import gathered_planes
from gpufluid.runtime import showing
from gpufluid.runtime.planning import Planner
from gpufluid.runtime.running import Runner
from gpufluid.world import World
from gpufluid.world.kinds import kinds_among, materials_in
from gpufluid.world.ledger import AmountLedger, AnyLedger, AtomLedger, HeatLedger, Ledger
from gpufluid.world.limits import check_entries, check_step, most_counted, ticks_left
from gpufluid.world.statistics import Statistics

if TYPE_CHECKING:
    import moderngl
    from matplotlib.axes import Axes


class Simulation:
    """A `World` on the GPU: runs ticks, reads the exact state back, draws it.

    Any thread may use a simulation. A call waits until calls of other threads on the same device have ended. A process
    forked from one that has used OpenGL may not use simulations.

    Args:
        world: the first state; it is copied and stays as it is.
        context: a moderngl context with compute shaders, or a `Device` that already compiled some; by default a
            headless one, shared within the process. Another thread can use the simulation once the caller's context is
            no longer current in the first one; the context of a window must be current in the thread of each call.
        strip: (columns, rows) of cells that one invocation of a gather owns; by default chosen for the device. The
            state does not depend on it.
        trace: whether to keep the move of each atom in the last tick, for `moves` and the overlay of that name. The
            trace takes as much memory as the cells; the state does not depend on it.
        variant: names of variants, or a name by rule, see `gpu.variants.requested`. By default `gpu.variants.decide`
            takes the variant that was measured as the fastest here, else the device's default. All variants give the
            same state.
        sleeping: whether tiles in which nothing can change are left out. The state does not depend on it.
        any_matter: True if the passes for matter of all kinds are compiled at the start, for a world that is painted in
            while it runs. If False, passes for a kind that the world cannot come to have, such as fluids in a world of
            sand, are compiled when it first gets such matter. The state does not depend on it.
        matter: the numbers of materials that are not in the world but can come into it, such as from another part of a
            world that several simulations share.

    Raises:
        WorldError: an invalid world, or a world larger than the device's textures.
        UsageError: not a `World`, or an unknown variant.
        DeviceError: no OpenGL, an OpenGL that is too old, or too little memory. Any call raises it in a forked process.
    """

    def __init__(
        self,
        world: World,
        context: moderngl.Context | Device | None = None,
        strip: tuple[int, int] | None = None,
        trace: bool = False,
        variant: Wanted = None,
        sleeping: bool = True,
        any_matter: bool = False,
        matter: Collection[int] = (),
    ) -> None:
        if not isinstance(world, World):
            raise UsageError(f"expected a World, such as gpufluid.load('dam_break'); found {shown(world)}")
        world.validate()
        self._device = chosen_device(context)
        self._device.check_side(world.width, world.height, max(len(world.mixture), 1))
        self._blank = world.blank()
        self._closed = False
        every = frozenset(range(1, len(world.materials)))
        there = every if any_matter else materials_in(world.own_array("material"), world.emitters, world.laws)
        self._materials = there | frozenset(matter)
        self._variants = decide(world.rules, variant, self._device)
        self._schedule = world.schedule(self._variants)
        self._size = world.width, world.height
        self.tick = world.tick
        self._limit_ledgers(world.ledgers)
        self._allocations = Allocations()
        with self._device:
            self._device.allocations = self._allocations
            try:
                self._make(world, strip, trace, sleeping)
            except BaseException:  # such as too little memory; a part of the textures has been made
                self._allocations.release()
                raise

    def _make(self, world: World, strip: tuple[int, int] | None, trace: bool, sleeping: bool) -> None:
        """Make textures, buffers and programs on the device."""
        carried = carried_planes(plane.name for plane in world.planes)
        gathered = gathered_planes(self._schedule.passes, carried)
        rows = frame_size(*self._size, world.gravity)[1]
        strip = self._strip = strip or strip_of(self._schedule.passes, rows, self._device)
        in_buffers = planes_in_buffers(self._device, self._blank, self._schedule.passes, strip)
        self._planes = PlaneTextures(self._device, world, gathered, in_buffers)
        self._ledger = LedgerBuffer(self._device, world)
        self._trace = (
            Trace(self._device, *self._size)
            if trace and any(pass_.moves_atoms for pass_ in self._schedule.passes)
            else None
        )
        texts = generated.for_world(world)
        held = self._planes, self._ledger, self._trace
        kinds = kinds_among(world.laws, self._materials)
        planner = Planner(self._device, self._blank, *held, self._schedule, strip, texts, kinds, sleeping)
        self._runner = Runner(self._device, self._blank, planner, self._ledger, self._trace)
        self._drawing = Drawing(self._device, self._blank, texts, self._planes, self._trace, self._runner)
        self._counter = None

    def _admit(self, material: np.ndarray, emitters: Sequence[Emitter]) -> None:
        """Prepare for the materials of some cells, uint8 of any shape, and emitters, before the next tick."""
        laws = self._blank.laws
        more = materials_in(material, emitters, laws) - self._materials
        if more:
            self._runner.admit(kinds_among(laws, self._materials | more), self.tick)
            self._materials |= more

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Close the simulation. In a forked process an error such as SystemExit passes: it holds no device memory."""
        if error is None or not in_forked_process():
            self.close()

    def close(self) -> None:
        """Release the device's memory. The simulation cannot be used afterwards; a second call does nothing."""
        if self._closed:
            return
        with self._device:
            if self._closed:  # by another thread meanwhile
                return
            self._planes.release()
            if self._trace is not None:
                self._trace.release()
            self._drawing.release()
            if self._counter is not None:
                self._counter.release()
            self._runner.release()
            self._ledger.release()
            self._closed = True

    @property
    def closed(self) -> bool:
        """True once the simulation was closed; it can then no longer be used."""
        return self._closed

    def step(self, ticks: int = 1) -> None:
        """Queue a number of ticks; does not wait for the device, but reading does.

        Ctrl-C stops between two ticks, because atoms change in place and a partial tick is not a valid state.

        Raises: WorldError: so many ticks lead beyond tick 2**63 - 1; then none runs. Or an entry of a ledger could pass
            2**63 - 1 in the next tick; then the ticks before it have run.
        """
        with self._current(), held_back() as interrupted:
            check_step(ticks, self.tick)
            end = self.tick + ticks
            while self.tick < end and not interrupted:
                self._check_ledgers()
                at_once = self._runner.at_once(self.tick, min(end, self._counted_until) - self.tick)
                self._runner.tick(self.tick, ticks=at_once)
                self.tick += at_once

    def _limit_ledgers(self, ledgers: Mapping[str, AnyLedger] | None) -> None:
        """Compute up to which tick no entry of a ledger can pass its limit.

        Args:
            ledgers: those of the current tick; None: they are read before the next tick.
        """
        self._most_counted = most_counted(self._blank.schedule())
        self._counted_until = self.tick + (0 if ledgers is None else ticks_left(ledgers, self._most_counted))

    def _check_ledgers(self) -> None:
        """Raise WorldError if an entry of a ledger could pass its limit in the next tick.

        The ledgers are read only when the bound from the last reading is used up, which takes thousands of ticks.
        """
        if self.tick >= self._counted_until:
            ledgers = self._ledger.read_all(self._blank)
            check_entries(ledgers, self._most_counted, self.tick)
            self._counted_until = self.tick + ticks_left(ledgers, self._most_counted)

    def replace_ports(self, emitters: Sequence[Emitter], drains: Sequence[Drain]) -> None:
        """Replace all emitters and drains from the next tick on.

        Cells, ledgers and sleeping tiles stay as they are; only the tiles around a changed port wake. No texture is
        made. Shaders are compiled, and all tiles wake, only if an emitter brings the first matter of a kind that
        further passes need.

        Args:
            emitters, drains: all ports from now on.
        Raises: WorldError: a port that cannot act in this world; then nothing has changed.
        """
        laws = self._blank
        with self._current():
            before = laws.emitters, laws.drains
            laws.replace_ports(emitters, drains)
            if (laws.emitters, laws.drains) == before:
                return
            try:
                self._admit(laws.own_array("material")[:0], laws.emitters)
            except BaseException:  # a compilation was interrupted
                laws.replace_ports(*before)
                raise
            self._schedule = laws.schedule(self._variants)
            self._limit_ledgers(None)
            self._runner.use_ports(self._schedule)
            for port in {*before[0], *before[1]} ^ {*laws.emitters, *laws.drains}:
                self._runner.wake(port.at, port.size, self.tick)
            self._ledger.disturb(self.tick)
            laws.tick = self.tick  # settled at the earliest after one more tick

    @property
    def blank(self) -> World:
        """A world of the same laws, domain and ports as the simulated one; its arrays are all 0."""
        return self._blank

    @property
    def strip(self) -> tuple[int, int]:
        """(columns, rows) of cells that one invocation of a gather owns."""
        return self._strip

    @property
    def variants(self) -> Mapping[str, str]:
        """The variant of each rule, by the rule's name."""
        return MappingProxyType(self._variants)

    @property
    def renderer(self) -> str:
        """The name that the device reports, such as llvmpipe."""
        return self._device.renderer

    def read(self) -> World:
        """Read the exact current state, as a new world."""
        world = self._blank.blank()
        with self._current():
            world.tick = self.tick
            self._planes.read_into(world)
            world.ledgers = self._ledger.read_all(world)
        return world

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """Read the exact state of a rectangle of cells.

        Args:
            at: (column, row) of the top left cell.
            size: (width, height) in cells.
        Returns: new arrays by name, each (height, width) or with more axes, of the field's type.
        Raises: UsageError: the rectangle is not inside the world.
        """
        with self._current():
            return self._planes.read_window(at, size)

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store that is being written; see `io.shards.write_shards`."""
        write_shards(folder, path, self._blank, OneWriter(self.read_window))

    def late(
        self, field: str, window: tuple[tuple[int, int], tuple[int, int]] | None = None
    ) -> tuple[int, np.ndarray] | None:
        """Request a field without waiting for the device, and return the one requested two calls ago.

        For programs that watch a running world.

        Args:
            field: the name of the field.
            window: ((column, row), (width, height)) of the cells to copy, which can differ from call to call; None:
                all cells.
        Returns: (tick, array), the array (height, width) or with more axes, of the field's type; None at the first two
            calls. Cells without an atom have temperature 0, as on the device. The next call overwrites the array.
        Raises: WorldError: a field that the world does not have. UsageError: a window not inside the world.
        """
        with self._current():
            return self._planes.late(field, self.tick, window)

    def digest(self) -> str:
        """The digest of the current state, computed on the device; equal to ``read().digest()``."""
        cells = self.digest_lanes()  # first, because it completes a tick in progress
        return digest_text(header_lanes(*self._size, self.tick, self._blank.seed) + cells)

    def digest_lanes(self) -> np.ndarray:
        """The part of the digest that stands for the cells, without those of a halo: (4,) uint32.

        A cell counts at its place in the whole world, if the world is a part of one that several simulations compute.
        """
        domain, gravity = self._blank.domain, self._blank.gravity
        own = domain.own_cells(gravity)
        place, whole_height = (0, 0), self._size[1]
        if domain.halo:
            place, whole_height = (domain.origin[0] + own[0], domain.origin[1] + own[1]), domain.whole_size[1]
        with self._current():
            buffer = self._device.buffer(data=bytes(16))
            self._planes.add_digest(buffer, own, place, whole_height)
            lanes = np.frombuffer(buffer.read(), "<u4")
            buffer.release()
        return lanes

    def counts(self) -> dict[str, int]:
        """The number of cells of each material, counted on the device. Cells with mass only count as empty."""
        return dict(self.statistics().cells)

    def mass(self) -> int:
        """The sum of all mass, in units, computed on the device. Raises UsageError: a world without mass."""
        if "mass" not in self._blank.fields:
            raise UsageError("mass() needs a world with rule flow; for atoms see counts()")
        return self.statistics().mass

    def contents(self) -> dict[str, int]:
        """The units of each material of the mixture, summed on the device; empty in a world without one."""
        return dict(self.statistics().amounts)

    def statistics(self) -> Statistics:
        """The statistics of the current state, computed on the device; equal to ``read().statistics()``."""
        with self._current():
            return self._counting.now(self.tick)

    def late_statistics(self) -> Statistics | None:
        """Request statistics without waiting for the device, and return those of the previous call.

        For programs that watch a running world. Returns: None at the first call.
        """
        with self._current():
            return self._counting.late(self.tick)

    @property
    def _counting(self) -> Counting:
        if self._counter is None:
            self._counter = Counting(self._device, self._blank, self._planes)
        return self._counter

    def scratch(self, name: str) -> np.ndarray:
        """The current content of a scratch texture, (height, width[, components]) uint32; for tests."""
        with self._current():
            texture = self._runner.scratch[name]
            words = np.frombuffer(texture.read(alignment=1), "<u4").reshape(texture.height, texture.width, -1)
        return words[:, :, 0] if words.shape[2] == 1 else words

    def moves(self) -> np.ndarray:
        """The move of the atom in each cell in the last tick: (height, width, 2) int32, x and y, in cells.

        Raises: UsageError: the simulation was made without ``trace=True``, or its world has no atoms.
        """
        with self._current():
            return moves(self._traced().read(), self._planes.field("material"), self._blank.edges == "wrap")

    def _traced(self) -> Trace:
        if self._trace is None:
            raise UsageError("moves() needs Simulation(world, trace=True) and a world with rule atoms")
        return self._trace

    def activity(self) -> int:
        """Units of mass, or of a mixture, that moved between cells in the last tick; 0 before the first tick.

        If it is 0, the flow is at rest, and only an emitter, a drain or a random event can move it again; see
        `settled`. Moves of atoms do not count. Source: the total flow of seeds 000 and 001.

        Raises: UsageError: a world without mass and mixture.
        """
        with self._current():
            if not self._blank.has_amounts:
                raise UsageError("activity() needs a world with rule flow or mixture; for atoms see moves()")
            return self._runner.moved()

    @property
    def ledgers(self) -> dict[str, AnyLedger]:
        """The current ledgers of all quantities, by the quantity's name."""
        with self._current():
            return self._ledger.read_all(self._blank)

    @property
    def ledger(self) -> Ledger:
        """The ledger of mass, in units; all zeros in a world without mass."""
        return self._read_ledger("mass")

    @property
    def atoms(self) -> AtomLedger:
        """The ledger of atoms, a ledger for each material."""
        return AtomLedger(self._read_ledger("atoms"), self._blank.materials)

    @property
    def heat(self) -> HeatLedger:
        """The ledger of heat, in units of temperature; all zeros in a world without temperatures."""
        return self._read_ledger("heat")

    @property
    def amounts(self) -> AmountLedger:
        """The ledger of the mixture, a ledger in units for each material."""
        return self._read_ledger("amounts")

    def _read_ledger(self, name: str) -> AnyLedger:
        with self._current():
            return self._ledger.read(name, self._blank)

    @property
    def settled(self) -> bool:
        """True if no later tick can change anything. Three conditions must hold:

        - In the last tick nothing moved, entered or left.
        - No emitter or drain will begin to act, and none acts at random.
        - No possible motion was found in the last `Schedule.settle_ticks` ticks. That is enough for each random motion
          to be found if it is possible.
        """
        with self._current():
            last, settle_ticks = self.tick - 1, self._schedule.settle_ticks
            if last < self._blank.tick or settle_ticks is None or not self._schedule.steady_from(last):
                return False
            return self.quiet_ticks() >= settle_ticks

    def quiet_ticks(self) -> int:
        """The number of ticks up to the last one in which no possible motion was found; -1 if it moved anything.

        Cells of a halo do not count.
        """
        with self._current():
            last = self.tick - 1
            if self._runner.moved() != 0 or self._ledger.changed_in(last):
                return -1
            return self._ledger.ticks_without_activity(last)

    @property
    def memory(self) -> Memory:
        """The device memory that the simulation holds, and the least that it needs."""
        cells, layers = self._size[0] * self._size[1], len(self._blank.mixture)
        return Memory(self._allocations.held, plane_bytes(self._blank.fields, cells, layers))

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
    ) -> np.ndarray:
        """Draw a picture of the current state.

        Args:
            scale: pixels a cell; a whole number, or 1/n (or "1/n") to average n by n cells into a pixel.
            overlay: the name of a quantity to draw in false colour, such as ``pressure``.
            overlay_max: the highest value of its colours; by default computed from the world's laws.
            tint: whether warm matter is tinted red and cold matter blue, in a world of rule heat; not in an overlay.
            theme: ``day``, or ``night``: a dark sky, and matter lit by fire, lava and embers.
            background: the colour of cells without matter, as "#rrggbb"; None: that of the theme.
            crop: (x, y, width, height) of the cells to draw; None: all.
            size: (width, height) of the picture in pixels, in place of ``scale``. The cells are drawn as large as they
                fit: by a whole enlargement if one fits exactly, else each pixel averages the light of what it covers.
                The rest of the picture has the colour beyond the world.
        Returns: (rows, columns, 3) uint8, sRGB; rows and columns are those of the cells times ``scale``, or ``size``.
        Raises: UsageError: an invalid argument, an overlay that no rule of this world has, a crop that is not inside
            the world, or a picture over the limit of this device.
        """
        look = Look.of(theme, background, tint)
        return self.picture(PictureSettings(scale, overlay, overlay_max, look, crop, size))

    def film(
        self,
        ticks: int,
        every: int = 1,
        rate: float = 30,
        scale: float | str | None = None,
        overlay: str | None = None,
        overlay_max: float | None = None,
        tint: bool = True,
        *,
        theme: str = "day",
        background: str | None = None,
        crop: tuple[int, int, int, int] | None = None,
        size: tuple[int, int] | None = None,
    ) -> Clip:
        """Run ticks, and draw a frame before the first one, after every so many and after the last.

        Args:
            ticks: the number of ticks to run.
            every: ticks between two frames.
            rate: frames a second, 1 to 1000.
            scale: as for `frame`; None: the largest at which the longer side has at most 640 pixels.
            overlay, overlay_max, tint, theme, background, crop, size: as for `frame`.
        Returns: the film, which plays in a notebook; ``film(...).save("x.mp4")`` writes it.
        Raises: before any tick runs, MissingExtraError: the extra ``film`` is not installed; OutputError: no film can
            be encoded here; UsageError: an invalid argument; WorldError: as `step`.
        """
        if scale is None:
            scale = 1 if size is not None else showing.fitted(self)
        look = Look.of(theme, background, tint)
        settings = PictureSettings(scale, overlay, overlay_max, look, crop, size)
        return showing.film_of(self, ticks, every, rate, settings)

    def plot(
        self,
        overlay: str | None = None,
        overlay_max: float | None = None,
        ax: Axes | None = None,
        *,
        theme: str = "day",
    ) -> Axes:
        """Plot the current state by matplotlib, in axes of columns and rows; an overlay gets a colour bar.

        Cells are drawn as squares, unless a side of the world is over 8 times as long as the other one.

        Args:
            overlay, overlay_max, theme: as for `frame`.
            ax: the axes to plot in; None: those of a new figure.
        Returns: the axes.
        Raises: MissingExtraError: the extra ``plot`` is not installed. UsageError: as `frame`.
        """
        return showing.plot_of(self, overlay, overlay_max, ax, theme)

    def _repr_png_(self) -> bytes | None:
        """The whole world at a scale that fits in a page, the content of a PNG file; None if it cannot be drawn."""
        return showing.picture_of(self)

    def _repr_html_(self) -> str:
        """The laws of the world, its picture, and a table of what is in it, for a notebook."""
        return showing.panel_of(self)

    def __repr__(self) -> str:
        laws, closed = self._blank.laws, ", no longer open" if self._closed else ""
        return f"<Simulation {laws.width}x{laws.height} {'+'.join(laws.rules)} {laws.edges} tick {self.tick}{closed}>"

    def picture(self, settings: PictureSettings) -> np.ndarray:
        """Draw a picture of the current state. Returns and raises: as `frame`.

        Returns: (rows, columns, 3) uint8, sRGB.
        """
        with self._current():
            return self._drawing.frame(self.tick, settings)

    def check_picture(self, settings: PictureSettings) -> tuple[int, int]:
        """Check if a picture can be drawn; nothing is drawn.

        Returns: its (width, height), in pixels.
        Raises: UsageError: invalid settings, or a picture over the limit.
        """
        return self._drawing.layout(settings).size

    def check_overlay(self, overlay: str) -> None:
        """Raise UsageError if a picture of this simulation cannot show an overlay; nothing is drawn."""
        find_overlay(self._blank, overlay)

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Use the device in this thread alone; its allocations count as this simulation's."""
        with self._device as device:
            if self._closed:
                raise UsageError("this simulation is closed")
            device.allocations = self._allocations
            yield

    @contextmanager
    def _current(self) -> Iterator[None]:
        """As `_open`, after the rest of a tick in progress."""
        with self._open():
            if self._runner.broken_off:
                self._runner.tick(self.tick)
                self.tick += 1
            yield

    def finish(self) -> None:
        """Wait until the device has done all its work."""
        with self._current():
            self._device.finish()

    def run(self, call: Call) -> None:
        """Run a single pass of the next tick, for the check against the oracle.

        For a call of another variant the pass of the same name of this variant runs.

        Raises: UsageError: this variant has no such pass.
        """
        own = {(pass_.full_name, pass_.matter): pass_ for pass_ in self._schedule.passes}
        pass_ = own.get((call.pass_.full_name, call.pass_.matter))
        if pass_ is None:
            names = ", ".join(sorted({name for name, _ in own}))
            raise UsageError(f"run: no pass {call.pass_.full_name} here; there are {names}")
        with self._current():
            self._runner.run(replace(call, pass_=pass_))

    @property
    def running(self) -> frozenset[str]:
        """The full names of the passes that run; others of `calls` need matter that this world cannot come to have."""
        return frozenset(pass_.full_name for pass_ in self._runner.passes)

    def calls(self) -> list[Call]:
        """The calls of the next tick, in order. Passes that are `Pass.analysis_only` have no twin in the oracle."""
        return list(self._schedule.calls(self.tick))

    def dispatches(self) -> int:
        """The number of dispatches of the next tick."""
        return self._runner.dispatches(self.tick)
