"""The passes of a world on the device: their programs, what each binds, and the uniforms of each call."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping

from gpufluid.emitters import Emitter, speed_units
from gpufluid.frame import frame_size
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Image, Program, Uniform
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.planes import SUMMED_ROWS, PlaneTextures
from gpufluid.gpu.shares import invocations
from gpufluid.gpu.textures import make_texture
from gpufluid.gpu.trace import Trace
from gpufluid.rules import Call, Over, Pass
from gpufluid.world import World

_BAND_SECONDS = 0.006
"""What is run in bands takes about so long at a time."""

_CELLS_A_BAND = 1 << 20
"""As long as nothing is known of how fast a pass is."""


class Runner:
    """What runs the schedule of one world, with the textures that only the passes see.

    Args:
        device: where all of it lies.
        world: whose laws hold; its arrays are not looked at.
        planes, ledger, trace: what the passes change.
        strip: (columns, rows) of the cells that one invocation of a gather owns.
        texts: the world's generated includes.
        kernel: how passes that know several ways are worked out.
    """

    def __init__(
        self,
        device: Device,
        world: World,
        planes: PlaneTextures,
        ledger: LedgerBuffer,
        trace: Trace | None,
        strip: tuple[int, int],
        texts: Mapping[str, str],
        kernel: str = "strips",
    ) -> None:
        self._device, self._world, self._strip, self._texts = device, world, strip, texts
        self._kernel = kernel
        self._planes, self._ledger, self._trace = planes, ledger, trace
        self._size = world.width, world.height
        self._frame = frame_size(*self._size, world.gravity)
        self._schedule = world.schedule()
        self._coming: deque[Call] = deque()
        self._band: tuple[int, int] | None = None  # of the first of them, which one comes next
        self._seconds: dict[Pass, float] = {}
        self._strips = invocations(Over.STRIPS, self._size, strip)
        self._moved = make_texture(device, *self._strips, "rg32ui")
        self.scratch = {
            scratch.name: make_texture(device, *invocations(scratch.over, self._frame, strip), scratch.image)
            for pass_ in self._schedule.passes
            for scratch in pass_.writes
        }
        device.check_memory()
        self._programs = {pass_: self._program(pass_) for pass_ in self._schedule.passes}
        self._sum = Program(device, "sum/sum.comp", [Image("counts", "rg32ui", "readonly")], device.group_size, {})

    def _program(self, pass_: Pass) -> Program:
        trace = self._trace is not None
        ahead = self._device.software and self._kernel == "strips"
        texts = {**self._texts, **generated.for_pass(pass_, self._strip, trace, self._kernel, ahead)}
        name, images = f"{pass_.rule}/{pass_.name}.comp", generated.images(pass_, trace, ahead)
        group = self._device.group_of(self._kernel) if pass_.kernels else self._device.group_size
        return Program(self._device, name, images, group, texts)

    def tick(self, tick: int, until: float | None = None) -> bool:
        """Run one tick, or the rest of one that was broken off. Returns whether all of it has run.

        Args:
            tick: its number.
            until: the time (`time.perf_counter`) at which to break off between passes, or between the bands of one that
                takes long; each of them is waited for.
        """
        if not self._coming:
            self._coming = deque(self._schedule.calls(tick))
            if self._trace is not None:
                self._trace.begin()
        while self._coming:
            call = self._coming[0]
            number, bands = self._band or (0, 1 if until is None else self._bands(call.pass_))
            began = time.perf_counter()
            self._dispatch(call, (number, bands))
            self._band = (number + 1, bands)
            if number + 1 == bands:
                self._swap(call.pass_)
                self._coming.popleft()
                self._band = None
            if until is not None:
                self._device.finish()
                self._seconds[call.pass_] = (time.perf_counter() - began) * bands
                if time.perf_counter() >= until:
                    break
        return not self._coming

    def _bands(self, pass_: Pass) -> int:
        """In how many parts to run a pass that is waited for, so that none of them takes long."""
        unknown = self._size[0] * self._size[1] / _CELLS_A_BAND * _BAND_SECONDS
        return max(1, min(math.ceil(self._seconds.get(pass_, unknown) / _BAND_SECONDS), 256))

    def timed_tick(self, tick: int) -> dict[str, float]:
        """Run one tick pass by pass. Returns milliseconds by the passes' names."""
        self._device.finish()
        spent: dict[str, float] = {}
        done = False
        while not done:
            began, name = time.perf_counter(), self._next_pass(tick)
            done = self.tick(tick, until=0.0)
            spent[name] = spent.get(name, 0.0) + 1000 * (time.perf_counter() - began)
        return spent

    def _next_pass(self, tick: int) -> str:
        call = self._coming[0] if self._coming else next(iter(self._schedule.calls(tick)))
        return call.pass_.name

    def forget(self) -> None:
        """Another state begins: nothing has moved in it yet."""
        self._moved.write(bytes(8 * self._moved.width * self._moved.height))

    @property
    def broken_off(self) -> bool:
        """Whether part of a tick is still to be run."""
        return bool(self._coming)

    def run(self, call: Call) -> None:
        """Run one pass."""
        self._dispatch(call)
        self._swap(call.pass_)

    def _dispatch(self, call: Call, band: tuple[int, int] = (0, 1)) -> None:
        pass_ = call.pass_
        textures = [self._planes[name].read for name in pass_.reads]
        for name in pass_.gathers:
            textures += [self._planes[name].read, self._planes[name].write]
        textures += [self._planes[name].read for name in pass_.updates]
        textures += [self.scratch[scratch.name] for scratch in (*pass_.takes, *pass_.writes)]
        if self._trace is not None and pass_.moves_atoms:
            textures += self._trace.textures(pass_)
        if pass_.measures:
            textures.append(self._moved)
        over = invocations(pass_.over, self._cells(call), self._strip)
        self._programs[pass_].dispatch(over, textures, self._uniforms(call), self._ledger.buffer, band)

    def _swap(self, pass_: Pass) -> None:
        """A gathering pass has written all of the new state."""
        for name in pass_.gathers:
            self._planes[name].swap()
        if self._trace is not None and "cells" in pass_.gathers:
            self._trace.swap()

    def _cells(self, call: Call) -> tuple[int, int]:
        """(columns, rows) of what a pass shares out."""
        if call.port is not None:
            return call.port.size
        return self._frame if call.pass_.over in (Over.COLUMNS, Over.ROWS, Over.SEGMENTS, Over.BLOCKS) else self._size

    def _uniforms(self, call: Call) -> dict[str, Uniform]:
        uniforms: dict[str, Uniform] = {
            "size": self._size,
            "tick": call.tick & 0xFFFFFFFF,
            "substep": call.substep,
            "seed": self._world.seed,
            "number": call.number,
        }
        port = call.port
        if port is None:
            return uniforms
        uniforms |= {"port_at": port.at, "port_size": port.size, "atom_chance": port.atom_chance}
        if isinstance(port, Emitter):
            uniforms |= {"level": port.level_units, "chance": port.chance_fixed}
            uniforms |= {"matter": self._world.materials[port.material], "velocity": port.velocity_units}
            uniforms |= {"scatter": speed_units(port.scatter)}
        return uniforms | {"rate": port.rate_units(call.substep, call.substeps)}

    def moved(self) -> int:
        """Units of mass that moved between cells in the last tick: the sum of what each strip has noted."""
        buffer = self._device.context.buffer(bytes(8))
        columns, rows = self._strips
        uniforms: dict[str, Uniform] = {"size": self._strips, "rows": SUMMED_ROWS}
        self._sum.dispatch((columns, -(-rows // SUMMED_ROWS)), [self._moved], uniforms, buffer)
        total = int.from_bytes(buffer.read(), "little")
        buffer.release()
        return total

    def release(self) -> None:
        """Give the memory back."""
        self._moved.release()
        for texture in self.scratch.values():
            texture.release()
