"""`Simulation`: a world on the GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from gpufluid.errors import UsageError, shown
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device, device_of, shared_device
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.memory import Account
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.shares import strip_of
from gpufluid.gpu.trace import Trace
from gpufluid.gpu.variants import Wanted, chosen
from gpufluid.interrupts import held_back
from gpufluid.planning import Planner
from gpufluid.readings import Readings
from gpufluid.render.drawing import Drawing
from gpufluid.rules import Call
from gpufluid.running import Runner
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl


class Simulation(Readings):
    """A `World` on the GPU: runs ticks, reads the exact state back, draws it.

    Args:
        world: the first state; it is copied and stays as it is.
        context: a moderngl context with compute shaders, or a `Device` that already compiled some; by default a
            headless one, shared within the thread.
        strip: (columns, rows) of the cells that one invocation of a gather owns; by default what suits the device.
            Every shape gives the same state.
        trace: whether each atom's move in the last tick is kept, for `moves` and the overlay of that name. It costs
            a copy of the cells and changes nothing else.
        variant: how its rules run: names of `rules.Rule.variants`, or one by each rule's name; see
            `gpu.variants.asked`. By default what was measured here as the fastest and is kept, or else what suits the
            device. Every variant gives the same state.
        sleeping: whether tiles sleep in which nothing can change. It is the same state either way.

    Raises:
        WorldError: a world that cannot run.
        UsageError: one that is larger than the device's textures.
        DeviceError: no OpenGL, or one too old, or one with too little memory.
    """

    def __init__(
        self,
        world: World,
        context: moderngl.Context | Device | None = None,
        strip: tuple[int, int] | None = None,
        trace: bool = False,
        variant: Wanted = None,
        sleeping: bool = True,
    ) -> None:
        if not isinstance(world, World):
            raise UsageError(f"expected a World, such as gpufluid.load('dam_break'); found {shown(world)}")
        world.validate()
        self._device = _device(context)
        self._device.check_side(world.width, world.height, max(len(world.mixture), 1))
        self._laws = world.blank()
        self._closed = False
        self._schedule = world.schedule(chosen(world.rules, variant, self._device))
        self._size = world.width, world.height
        self.tick = world.tick
        self._account = Account()
        try:
            self._make(world, strip, trace, sleeping)
        except BaseException:  # what was made of it before memory ran out
            self._account.release()
            raise

    def _make(self, world: World, strip: tuple[int, int] | None, trace: bool, sleeping: bool) -> None:
        """All that lies on the device."""
        self._device.account = self._account
        with self._device:
            gathered = {name for pass_ in self._schedule.passes for name in pass_.gathers}
            gathered |= set(generated.CARRIED) if "cells" in gathered else set()
            strip = self._strip = strip or strip_of(self._schedule.passes, world.height, self._device)
            self._planes = PlaneTextures(self._device, world, gathered)
            self._ledger = LedgerBuffer(self._device, world)
            self._trace = (
                Trace(self._device, *self._size)
                if trace and any(pass_.moves_atoms for pass_ in self._schedule.passes)
                else None
            )
            texts = generated.for_world(world)
            held = self._planes, self._ledger, self._trace
            planner = Planner(self._device, self._laws, *held, self._schedule, strip, texts, sleeping)
            self._runner = Runner(self._device, self._laws, planner, self._trace)
            self._drawing = Drawing(self._device, self._laws, texts, self._planes, self._trace, self._runner.scratch)
            self._counter = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the device's memory back. The simulation cannot be used afterwards; closing it again does nothing."""
        if self._closed:
            return
        with self._device:
            self._planes.release()
            if self._trace is not None:
                self._trace.release()
            self._drawing.release()
            if self._counter is not None:
                self._counter.release()
            self._runner.release()
            self._ledger.release()
        self._closed = True

    def step(self, ticks: int = 1) -> None:
        """Run so many ticks. Returns when they are queued: reading waits for them.

        Ctrl-C ends it between two ticks: atoms change in place, and half a tick is no state.
        """
        self._laws.check_ticks(ticks)
        with self._current, held_back() as interrupted:
            for _ in range(ticks):
                if interrupted:
                    break
                self._runner.tick(self.tick)
                self.tick += 1

    def finish(self) -> None:
        """Wait until the device has done all that was asked of it."""
        with self._current:
            self._device.finish()

    def run(self, call: Call) -> None:
        """Run one pass of the coming tick: how a check looks between passes.

        A call of another variant is run by this one's pass of the same name. Raises UsageError: it has none.
        """
        own = {(pass_.rule, pass_.name): pass_ for pass_ in self._schedule.passes}
        pass_ = own.get((call.pass_.rule, call.pass_.name))
        if pass_ is None:
            raise UsageError(f"run: no pass {call.pass_.rule}.{call.pass_.name} here; there are {sorted(own)}")
        with self._current:
            self._runner.run(replace(call, pass_=pass_))

    def calls(self) -> list[Call]:
        """The passes of the coming tick, in order; those that scout change nothing and have no twin."""
        return list(self._schedule.calls(self.tick))


def _device(context: moderngl.Context | Device | None) -> Device:
    if context is None:
        return shared_device()
    return context if isinstance(context, Device) else device_of(context)
