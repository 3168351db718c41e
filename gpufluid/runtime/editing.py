"""`Workbench`: a simulation that is looked at and worked on while it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.fields import TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.gpu.device import Device
from gpufluid.matter.transitions import temperature_units
from gpufluid.render.scale import Scale
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World
from gpufluid.world.validation import check_cells

if TYPE_CHECKING:
    import moderngl


class Workbench(Simulation):
    """A `Simulation` that is edited, put back, stepped in parts and shown in a window, without leaving the device."""

    @property
    def device(self) -> Device:
        """Where it runs."""
        return self._device

    @property
    def traced(self) -> bool:
        """Whether each atom's move in the last tick is kept."""
        return self._trace is not None

    def step_within(self, ticks: int, seconds: float) -> int:
        """Run up to so many ticks, for about so long: of a large world the last one may be left half done.

        Whatever else is asked of the simulation, but `view`, runs the rest of that tick first. Each pass is waited for.

        Returns: how many ticks were completed.
        """
        self._laws.check_ticks(ticks)
        device, until, first = self._open, time.perf_counter() + seconds, self.tick
        with device:
            while self.tick - first < ticks and self._runner.tick(self.tick, until):
                self.tick += 1
                if time.perf_counter() >= until:
                    break
        return self.tick - first

    def timed_step(self) -> dict[str, float]:
        """Run one tick, waiting for each pass. Returns the milliseconds of each, by name, all its runs summed."""
        with self._current:
            spent = self._runner.timed_tick(self.tick)
        self.tick += 1
        return spent

    def host_cost(self, ticks: int = 100) -> float:
        """Run some ticks and measure what they cost the host.

        Returns: seconds a tick that pass in Python and in handing over bindings, uniforms and barriers: all but the
            driver's own time for the dispatches. On software OpenGL, where a dispatch is computed before its call
            returns, that is the difference between the two kinds of work.
        """
        self._laws.check_ticks(ticks)
        self.finish()
        device = self._open
        with device.timed() as dispatches:
            began = time.perf_counter()
            self.step(ticks)
            whole = time.perf_counter() - began
        return (whole - dispatches.seconds) / max(ticks, 1)

    def read_window(self, at: tuple[int, int], size: tuple[int, int], whole: bool = True) -> dict[str, np.ndarray]:
        """The exact state of a rectangle of cells.

        Args:
            at: (column, row) of the top left cell.
            size: (width, height) in cells.
            whole: whether to finish a tick in progress first; if not, the cells are as the passes so far left them.
        Returns: new arrays by name, each (height, width) or with more axes, of the field's type.
        Raises: UsageError: the rectangle is not inside the world.
        """
        with self._current if whole else self._open:
            return self._planes.read_window(at, size)

    def write_window(self, at: tuple[int, int], arrays: Mapping[str, np.ndarray]) -> None:
        """Change a rectangle of cells from outside. The ledgers do not count it; heat that `warm` gives they do.

        Args:
            at: (column, row) of the top left cell.
            arrays: all fields by name, each (height, width) or with more axes, of the field's type, as `read_window`
                returns them.
        Raises: UsageError: the rectangle is not inside the world. WorldError: an invalid cell.
        """
        check_cells(arrays, self._laws.laws)
        with self._current:
            self._planes.write_window(at, arrays, self._laws.materials.solid[arrays["material"]])
            self._ledger.disturb(self.tick)
            height, width = arrays["material"].shape
            self._runner.wake(at, (width, height), self.tick)
        self._laws.tick = self.tick  # nothing is settled before a tick has run

    def warm(self, at: tuple[int, int], cells: np.ndarray, degrees: float) -> int:
        """Warm what lies in some cells, or cool it: how heat is given by hand. The ledger of heat counts it as given.

        Only temperatures change, at once; what becomes of it is left to the ticks. Air stays as warm as it is.

        Args:
            at: (column, row) of the top left one of them.
            cells: (height, width) bool, which cells of a rectangle.
            degrees: C, to the nearest 1/8; below 0 it cools. No atom becomes hotter or colder than any may be.
        Returns: the heat that was given, in units of 1/8 degree of an atom; below 0 what was taken.
        Raises: UsageError: it is not inside the world, a world without temperatures, no such array, or no number.
        """
        if "temperature" not in self._laws.fields:
            raise UsageError("warm: a world without temperatures; they are of rule heat")
        most = TEMPERATURE_MOST - TEMPERATURE_LEAST
        if not isinstance(cells, np.ndarray) or cells.dtype != bool or cells.ndim != 2:
            raise UsageError(f"warm: cells: {shown(cells)}; expected an array of bool, (height, width)")
        if (
            not isinstance(degrees, int | float)
            or isinstance(degrees, bool)
            or not abs(degrees) * TEMPERATURE_ONE <= most
        ):
            limit = most / TEMPERATURE_ONE
            raise UsageError(f"warm: {shown(degrees)}; expected a number of degrees from -{limit:g} to {limit:g}")
        height, width = cells.shape
        arrays = self.read_window(at, (width, height))
        before = arrays["temperature"].astype(np.int32)
        after = np.clip(before + temperature_units(degrees), TEMPERATURE_LEAST, TEMPERATURE_MOST)
        after = np.where(cells & (arrays["material"] != 0), after, before)
        given = int((after - before).sum(dtype=np.int64))
        if (after != before).any():
            self.write_window(at, arrays | {"temperature": after.astype(np.int16)})
            self._ledger.add("heat", "given", given)
        return given

    def restore(self, world: World) -> None:
        """Go on from another state of a world of the same laws: its cells, tick, ledgers, emitters and drains.

        Raises: WorldError: a world that cannot run. UsageError: one of other laws.
        """
        world.validate()
        if not world.same_laws(self._laws):
            raise UsageError("restore: this world has other laws; make a Simulation of it")
        self.replace_ports(world.emitters, world.drains)
        with self._current:
            self._planes.write(world)
            self._ledger.write(world)
            self._runner.forget(world.tick)
        self.tick = self._laws.tick = world.tick
        self._laws.ledgers = dict(world.ledgers)

    def view(
        self,
        scale: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        overlay: str | None = None,
        rows: tuple[int, int] | None = None,
    ) -> moderngl.Texture:
        """A part of such a picture, left on the device for a window to show; also in the middle of a tick.

        Args:
            scale: of a cell.
            offset: the pixel of the texture, (x, y), at which the world's top left corner lies.
            size: (width, height) of the texture.
            overlay: as for `frame`.
            rows: (first, end) of the rows to draw; the others stay as they were drawn last. By default all.
        Returns: rgba8, its first row the top one; the same texture for the same size.
        """
        with self._open:
            return self._drawing.view(self.tick, scale, offset, size, overlay, rows)
