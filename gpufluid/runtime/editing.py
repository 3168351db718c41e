"""`Workbench`: a simulation that is edited and shown while it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.fields import TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.core.interrupts import held_back
from gpufluid.core.runs import Runs
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.gpu.edit_copies import EditCopies
from gpufluid.gpu.editing import Editing
from gpufluid.gpu.preparing import Preparing
from gpufluid.matter.transitions import temperature_units
from gpufluid.render.look import DAY, Look
from gpufluid.render.painter import Subject
from gpufluid.render.scale import Scale
from gpufluid.rules.laws import amount_in
from gpufluid.runtime.simulation import Simulation
from gpufluid.scene.strokes import Adding, Laying, Stroke
from gpufluid.world import World
from gpufluid.world.edits import as_given, edited
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.limits import cells_left, check_edit, check_step
from gpufluid.world.new_atoms import complete
from gpufluid.world.validation import check_cells

if TYPE_CHECKING:
    import moderngl


class Workbench(Simulation):
    """A `Simulation` for a window: its cells can be edited and restored, and a tick can run in parts."""

    _editing: Editing | None = None
    _changes: int = 0
    """The number of changes of cells between two ticks."""
    _edit_room: int = 0
    """The number of cells that can be painted before the ledgers must be read again: an entry could pass its limit."""

    @property
    def device(self) -> Device:
        """The device that runs it."""
        return self._device

    @property
    def traced(self) -> bool:
        """True if the simulation keeps the move of each atom in the last tick."""
        return self._trace is not None

    @property
    def state_number(self) -> tuple[int, int]:
        """A pair that differs from every earlier one once a tick is finished, or cells are edited or restored."""
        return self.tick, self._changes

    @property
    def in_tick(self) -> bool:
        """True if a tick is in progress; all methods but `step_within` and `view` finish it first."""
        return self._runner.broken_off

    @property
    def preparing(self) -> Preparing | None:
        """The pass that the driver compiles next, in the first tick, while it is in progress; else None."""
        return self._runner.preparing

    def step_within(self, ticks: int, seconds: float) -> int:
        """Run ticks for a limited time, and wait for each pass. In a large world the last tick may stay unfinished.

        All other methods, except `view`, finish such a tick first.

        Args:
            ticks: the largest number of ticks.
            seconds: the approximate time.
        Returns: the number of ticks that were finished.
        Raises: WorldError: as `step`.
        """
        with self._open():
            check_step(ticks, self.tick)
            until, first = time.perf_counter() + seconds, self.tick
            while self.tick - first < ticks:
                if not self._runner.broken_off:
                    self._check_ledgers()
                if not self._runner.tick(self.tick, until):
                    break
                self.tick += 1
                if time.perf_counter() >= until:
                    break
            return self.tick - first

    def timed_step(self) -> dict[str, float]:
        """Run one tick and wait for each pass. Returns the milliseconds of each pass, by name, over all its runs."""
        with self._current():
            check_step(1, self.tick)
            self._check_ledgers()
            spent = self._runner.timed_tick(self.tick)
            self.tick += 1
        return spent

    def host_cost(self, ticks: int = 100) -> float:
        """Run some ticks and measure the host's time for them.

        Returns: seconds a tick outside the driver's dispatch calls: in Python, and for bindings, uniforms and barriers.
            On software OpenGL a dispatch call returns after its computation, so the result has no time of passes.
        """
        with self._current(), self._device.timed() as dispatches:
            check_step(ticks, self.tick)
            self._device.finish()
            began = time.perf_counter()
            self.step(ticks)
            whole = time.perf_counter() - began
        return (whole - dispatches.seconds) / max(ticks, 1)

    def read_window(self, at: tuple[int, int], size: tuple[int, int], whole: bool = True) -> dict[str, np.ndarray]:
        """Read the exact state of a rectangle of cells; see `Simulation.read_window`.

        Args:
            at: (column, row) of the top left cell.
            size: (width, height) in cells.
            whole: whether to finish a tick in progress first; if not, the cells are those between two of its passes.
        Returns: new arrays by name, each (height, width) or with more axes, of the field's type.
        Raises: UsageError: the rectangle is not inside the world.
        """
        if whole:
            return super().read_window(at, size)
        with self._open():
            return self._planes.read_window(at, size)

    def write_window(self, at: tuple[int, int], arrays: Mapping[str, np.ndarray], given: bool = False) -> None:
        """Overwrite a rectangle of cells. The ledgers count what cells gain as ``painted``, their losses as ``erased``.

        Args:
            at: (column, row) of the top left cell.
            arrays: all fields by name, each (height, width) or with more axes, of the field's type, as `read_window`
                returns them. An atom whose temperature is `NOT_SET` gets that of a new atom.
            given: whether changes of heat are counted as ``given``, as `warm` does.
        Raises: UsageError: the rectangle is not inside the world. WorldError: an invalid cell, or an entry of a ledger
            would pass 2**63 - 1; nothing has changed.
        """
        arrays = complete(arrays, self._blank.laws)
        check_cells(arrays, self._blank.laws)
        height, width = arrays["material"].shape
        with self._current():
            counted = edited(self._blank, self.read_window(at, (width, height)), arrays)
            if given:
                counted |= as_given(counted)
            self._admit(arrays["material"], ())
            self._ledger.add(counted, self._blank)
            self._edit_room = 0
            self._changes += 1
            self._planes.write_window(at, arrays, self._blank.laws.obstacles(arrays["material"]))
            self._ledger.disturb(self.tick)
            self._runner.wake(at, (width, height), self.tick)
            self._blank.tick = self.tick  # settled at the earliest after one more tick

    def paint(self, runs: Runs, stroke: Stroke, copies: EditCopies | None = None, moment: int = 1) -> None:
        """Apply a brush to cells, on the device. The ledgers count it as they count `write_window`.

        What is added to a field is counted as ``given`` if the ledger of its quantity has this entry. The call waits
        for the device only if an entry of a ledger may be near its limit.

        Args:
            runs: the cells that the brush touches; there may be none.
            stroke: what the brush does.
            copies: the copies of the edit to which this belongs; None: no cell is copied.
            moment: kept with the first copy of each cell, 1 to 2**32 - 1.
        Raises: UsageError: a cell is not in the world. WorldError: a field, a material, a velocity or an amount that
            cells of this world cannot have, or an entry of a ledger could pass 2**63 - 1; nothing has changed.
        """
        if not runs:
            return
        size = self._blank.width, self._blank.height
        (left, top), (width, height) = runs.at, runs.size
        if min(left, top) < 0 or left + width > size[0] or top + height > size[1]:
            raise UsageError(f"cells {(left, top)} to {(left + width - 1, top + height - 1)}: not all in {size}")
        with self._current(), held_back():  # Ctrl-C must not leave a stroke half applied, or tiles asleep beside it
            self._edits.check(stroke)
            if isinstance(stroke, Laying):
                self._admit(np.array([self._blank.materials[stroke.material]], np.uint8), ())
            if runs.count > self._edit_room:
                ledgers = self._ledger.read_all(self._blank)
                check_edit(ledgers, self._blank.laws, runs.count)
                self._edit_room = cells_left(ledgers, self._blank.laws)
            self._edits.apply(stroke, runs, moment, copies)
            self._edit_room -= runs.count
            self._changes += 1
            self._ledger.disturb(self.tick)
            self._runner.wake(runs.at, runs.size, self.tick)
            self._blank.tick = self.tick  # settled at the earliest after one more tick

    def new_copies(self) -> EditCopies:
        """Copies for an edit that begins; they can be read after this simulation was closed."""
        return EditCopies(self._device, self._blank)

    def prepare_paint(self) -> None:
        """Compile what the first stroke of a brush needs."""
        with self._open():
            self._edits.prepare()

    @property
    def _edits(self) -> Editing:
        if self._editing is None:
            texts = generated.for_world(self._blank)
            self._editing = Editing(self._device, self._blank, texts, self._planes, self._ledger)
        return self._editing

    def close(self) -> None:
        """Release the device's memory; see `Simulation.close`."""
        if self._editing is not None and not self._closed:
            with self._device:
                self._editing.release()
                self._editing = None
        super().close()

    def _limit_ledgers(self, ledgers: Mapping[str, AnyLedger] | None) -> None:
        super()._limit_ledgers(ledgers)
        if ledgers is not None:
            self._edit_room = cells_left(ledgers, self._blank.laws)

    def warm(self, at: tuple[int, int], cells: np.ndarray, degrees: float) -> int:
        """Change the temperature of the atoms, and of the water by mass or the mixture, in some cells.

        The ledgers ``heat`` and ``water_heat`` count the difference as ``given``. Changes of state and reactions follow
        in later ticks. Empty cells stay as they are.

        Args:
            at: (column, row) of the top left cell of a rectangle.
            cells: (height, width) bool, the cells of the rectangle to warm.
            degrees: the change in degrees C, rounded to 1/8; negative: cool. Temperatures stay within their range.
        Returns: the heat given to atoms, in units of 1/8 degree of one atom; negative: heat taken.
        Raises: UsageError: a rectangle outside the world, a world without temperatures, or an invalid argument.
            WorldError: the entry ``given`` of the ledger would pass 2**63 - 1; nothing has changed.
        """
        self._check_warm(cells, degrees)
        height, width = cells.shape
        with self._current():
            before = self.read_window(at, (width, height))
            old, units = before["temperature"].astype(np.int32), temperature_units(degrees)
            new = np.clip(old + units, TEMPERATURE_LEAST, TEMPERATURE_MOST)
            new = np.where(cells & (before["material"] != 0), new, old)
            after = before | {"temperature": new.astype(np.int16)} | self._following(before, cells, units)
            if any((after[name] != before[name]).any() for name in after):
                self.write_window(at, after, given=True)
        return int((new - old).sum(dtype=np.int64))

    def _following(self, before: Mapping[str, np.ndarray], cells: np.ndarray, units: int) -> dict[str, np.ndarray]:
        """The fields of cells without an atom that change where `warm` adds so many units to the temperature."""
        found = {}
        for field in Adding("temperature", 0).followers(self._blank):
            assert field.follows is not None
            old = before[field.name]
            new = field.follows.twin(self._blank.laws, amount_in(before), old, units)
            found[field.name] = np.where(cells & (before["material"] == 0), new, old).astype(old.dtype)
        return found

    def _check_warm(self, cells: np.ndarray, degrees: float) -> None:
        """Raise UsageError: a world without temperatures, or invalid arguments of `warm`."""
        if "temperature" not in self._blank.fields:
            raise UsageError("warm: a world without temperatures; expected one with rule heat")
        if not isinstance(cells, np.ndarray) or cells.dtype != bool or cells.ndim != 2:
            raise UsageError(f"warm: cells: {shown(cells)}; expected an array of bool, (height, width)")
        self.check_degrees(degrees)

    def check_degrees(self, degrees: object) -> None:
        """Raise UsageError unless atoms can be warmed by a number of degrees C."""
        most = TEMPERATURE_MOST - TEMPERATURE_LEAST
        if (
            not isinstance(degrees, int | float)
            or isinstance(degrees, bool)
            or not abs(degrees) * TEMPERATURE_ONE <= most
        ):
            limit = most / TEMPERATURE_ONE
            raise UsageError(f"warm: {shown(degrees)}; expected a number of degrees from -{limit:g} to {limit:g}")

    def restore(self, world: World) -> None:
        """Continue from the state of another world with the same laws: its cells, tick, ledgers, emitters and drains.

        Raises: WorldError: an invalid world. UsageError: a world with other laws.
        """
        world.validate()
        if not world.same_laws(self._blank):
            raise UsageError("restore: the world has other laws; expected those of this simulation")
        with self._current():
            self._admit(world.own_array("material"), world.emitters)
            self.replace_ports(world.emitters, world.drains)
            self._changes += 1
            self._planes.write(world)
            self._ledger.write(world)
            self._runner.forget(world.tick)
            self.tick = self._blank.tick = world.tick
            self._blank.ledgers = dict(world.ledgers)
            self._limit_ledgers(world.ledgers)

    def view(
        self,
        scale: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        overlay: str | None = None,
        rows: tuple[int, int] | None = None,
        look: Look = DAY,
    ) -> moderngl.Texture:
        """Draw a part of the picture of `frame` into a texture, for a window. Works also in the middle of a tick.

        Args:
            scale: the scale of the picture.
            offset: (x, y) of the world's top left corner in the texture, in pixels.
            size: (width, height) of the texture, in pixels.
            overlay: as for `frame`.
            rows: (first, end) of the rows to draw; the others keep their last content. None: all rows.
            look: the theme, the background and the tint.
        Returns: an rgba8 texture, first row at the top; the same texture for the same size. It can be used where the
            device's context is current.
        """
        with self._open():
            return self._drawing.view(self.tick, scale, offset, size, Subject(overlay, None, look), rows)
