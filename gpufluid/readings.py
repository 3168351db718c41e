"""What a `Simulation` tells of its world: exact arrays, sums, digests, pictures."""

from __future__ import annotations

import numpy as np

from gpufluid.digest import digest_text, header_lanes
from gpufluid.errors import UsageError
from gpufluid.gpu.counting import Counting
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import plane_bytes
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.memory import Account, Memory
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.trace import Trace
from gpufluid.ledger import AmountLedger, AtomLedger, HeatLedger, Ledger
from gpufluid.moves import moves
from gpufluid.render.drawing import Drawing
from gpufluid.rules import Schedule
from gpufluid.running import Runner
from gpufluid.statistics import Statistics
from gpufluid.world import World


class Readings:
    """The half of a `Simulation` that changes nothing; it makes what is read here."""

    tick: int
    _device: Device
    _account: Account
    _laws: World
    _size: tuple[int, int]
    _strip: tuple[int, int]
    _schedule: Schedule
    _planes: PlaneTextures
    _ledger: LedgerBuffer
    _trace: Trace | None
    _runner: Runner
    _drawing: Drawing
    _counter: Counting | None  # made when somebody wants to know
    _closed: bool

    @property
    def laws(self) -> World:
        """The size, rules and parameters that it runs by; a world whose arrays are empty."""
        return self._laws

    @property
    def strip(self) -> tuple[int, int]:
        """(columns, rows) of the cells that one invocation of a gather owns."""
        return self._strip

    @property
    def renderer(self) -> str:
        """The device's name for itself."""
        return self._device.renderer

    def read(self) -> World:
        """The exact state now, as a world of its own."""
        world = self._laws.blank()
        with self._current:
            world.tick = self.tick
            self._planes.read_into(world)
            world.ledger, world.atoms = self._ledger.read(), self._ledger.read_atoms(world.materials)
            world.heat, world.amounts = self._ledger.read_heat(), self._ledger.read_amounts(world.mixture)
        return world

    def late(
        self, field: str, window: tuple[tuple[int, int], tuple[int, int]] | None = None
    ) -> tuple[int, np.ndarray] | None:
        """A field without waiting for the device: (tick, array) as it was asked for two calls of `late` ago.

        For those who watch a running world. None at the first two calls. The array is overwritten by the next.

        Args:
            field: its name.
            window: ((column, row), (width, height)) of the cells wanted, which may move from call to call: only they
                are copied. By default all.
        Raises: WorldError: a field that the world does not have. UsageError: a window not inside the world.
        """
        with self._current:
            return self._planes.late(field, self.tick, window)

    def digest(self) -> str:
        """The digest of the state now, summed on the device; equal to ``read().digest()``."""
        with self._current:
            lanes = header_lanes(*self._size, self.tick, self._laws.seed)
            buffer = self._device.buffer(data=lanes.tobytes())
            self._planes.add_digest(buffer)
            lanes = np.frombuffer(buffer.read(), "<u4")
            buffer.release()
        return digest_text(lanes)

    def counts(self) -> dict[str, int]:
        """The number of cells of each material of the world, counted on the device. Where mass lies they are empty."""
        return dict(self.statistics().cells)

    def mass(self) -> int:
        """All mass in the world, in units, summed on the device. Raises UsageError: a world without mass."""
        if "mass" not in self._laws.fields:
            raise UsageError("mass() is of rule flow, units of mass; of atoms see counts()")
        return self.statistics().mass

    def contents(self) -> dict[str, int]:
        """The units of each material of a mixture, summed on the device; empty in a world without."""
        return dict(self.statistics().amounts)

    def statistics(self) -> Statistics:
        """Cells, mass, amounts, temperatures, heat, summed on the device: equal to ``read().statistics()``."""
        with self._current:
            return self._counting.now(self.tick)

    def late_statistics(self) -> Statistics | None:
        """The same without waiting for the device: as it was at the last call of `late_statistics`.

        For those who watch a running world. None at the first call.
        """
        with self._current:
            return self._counting.late(self.tick)

    @property
    def _counting(self) -> Counting:
        if self._counter is None:
            self._counter = Counting(self._device, self._laws, self._planes)
        return self._counter

    def scratch(self, name: str) -> np.ndarray:
        """What the last pass that writes it has left in a scratch texture; for tests, which hold it to the oracle's."""
        with self._current:
            texture = self._runner.scratch[name]
            words = np.frombuffer(texture.read(alignment=1), "<u4").reshape(texture.height, texture.width, -1)
        return words[:, :, 0] if words.shape[2] == 1 else words

    def moves(self) -> np.ndarray:
        """How far the atom in each cell moved in the last tick: (height, width, 2) int32, x and y, in cells.

        Raises: UsageError: the simulation was made without ``trace=True``, or its world has no atoms.
        """
        with self._current:
            return moves(self._traced().read(), self._planes.field("material"), self._laws.edges == "wrap")

    def _traced(self) -> Trace:
        if self._trace is None:
            raise UsageError("moves are kept by Simulation(world, trace=True), in a world of rule atoms")
        return self._trace

    def activity(self) -> int:
        """Units of mass, or of a mixture, that moved between cells in the last tick; 0 before the first.

        0 means that the flow has settled: every later tick changes nothing, unless an emitter or drain does, or chance,
        of which `settled` knows. Atoms that move beside it are not in it. Seeds 000 and 001 keep this total.

        Raises: UsageError: a world that keeps no amounts.
        """
        with self._current:
            if not self._laws.has_amounts:
                kept = "of rules flow and mixture, units that move"
                raise UsageError(f"activity() is {kept}; of atoms see settled and moves()")
            return self._runner.moved()

    @property
    def ledger(self) -> Ledger:
        """What has entered and left, in units of mass; all 0 in a world without mass, whose `atoms` are counted."""
        with self._current:
            return self._ledger.read()

    @property
    def atoms(self) -> AtomLedger:
        """What has entered and left, in atoms of each material."""
        with self._current:
            return AtomLedger(self._ledger.read_atoms(self._laws.materials), self._laws.materials)

    @property
    def heat(self) -> HeatLedger:
        """What heat has entered and left, in units of temperature; all 0 in a world without temperatures."""
        with self._current:
            return self._ledger.read_heat()

    @property
    def amounts(self) -> AmountLedger:
        """What has entered and left of the materials of a mixture, in units of each."""
        with self._current:
            return self._ledger.read_amounts(self._laws.mixture)

    @property
    def settled(self) -> bool:
        """Whether no later tick can change anything.

        Nothing moved, came or went in the last one, and each one to come is like it, because no emitter or drain
        begins later or acts by chance; and of what moves by chance, nothing that could was found in so many ticks that
        all of it would have been.
        """
        with self._current:
            last, quiet = self.tick - 1, self._schedule.quiet
            if last < self._laws.tick or quiet is None or not self._schedule.steady_from(last):
                return False
            if self._runner.moved() != 0 or self._ledger.changed_in(last):
                return False
            return self._ledger.quiet_since(last) >= quiet

    @property
    def memory(self) -> Memory:
        """What it takes of the device's memory now, and the least that it would need."""
        cells, layers = self._size[0] * self._size[1], len(self._laws.mixture)
        return Memory(self._account.held, plane_bytes(self._laws.fields, cells, layers))

    def frame(self, scale: float | str = 1, overlay: str | None = None, overlay_max: float | None = None) -> np.ndarray:
        """A picture of the state now.

        Args:
            scale: pixels a cell; a whole number, or 1/n (or "1/n") to average n by n cells into a pixel.
            overlay: the name of a quantity to draw in false colour, such as ``pressure``.
            overlay_max: the highest value of its colours; by default what suits the world's height.
        Returns: (height * scale, width * scale, 3) uint8, sRGB.
        Raises: UsageError: another scale, an overlay that no rule of this world has, a picture over the limit.
        """
        with self._current:
            return self._drawing.frame(self.tick, scale, overlay, overlay_max)

    def check_frame(self, scale: float | str) -> None:
        """Refuse a scale at which no picture of this world can be drawn, before anything is run. Raises UsageError."""
        self._drawing.check_frame(scale)

    @property
    def _open(self) -> Device:
        """The device, whose account is now this simulation's."""
        if self._closed:
            raise UsageError("this simulation is closed")
        self._device.account = self._account
        return self._device

    @property
    def _current(self) -> Device:
        """The device, with no tick half done."""
        device = self._open
        if self._runner.broken_off:
            with device:
                self._runner.tick(self.tick)
            self.tick += 1
        return device
