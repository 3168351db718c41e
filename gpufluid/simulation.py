"""`Simulation`: a world on the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from gpufluid.cell import FIELDS, from_texels, to_texels
from gpufluid.digest import digest_text, header_lanes
from gpufluid.emitters import Emitter
from gpufluid.errors import UsageError, WorldError, did_you_mean, shown
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device, device_of, shared_device
from gpufluid.gpu.dispatch import Image, Program, Uniform
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.readback import LateReadback, Readback
from gpufluid.gpu.textures import Pair, make_texture
from gpufluid.render.painter import Painter
from gpufluid.render.scale import Scale
from gpufluid.rules import Call, Pass
from gpufluid.world import Ledger, World

if TYPE_CHECKING:
    import moderngl

_ROWS = 64
"""Of a column, summed by one invocation where a whole texture is reduced to a few words."""


class Simulation:
    """A `World` on the GPU: runs ticks, reads the exact state back, draws it.

    Args:
        world: the first state; it is copied and stays as it is.
        context: a moderngl context with compute shaders, or a `Device` that already compiled some; by default a
            headless one, shared within the thread.
        strip: (columns, rows) of the cells that one invocation of a gather owns; by default what suits the device.
            Every shape gives the same state.

    Raises:
        WorldError: a world that cannot run.
        UsageError: one that is larger than the device's textures.
        DeviceError: no OpenGL, or one too old.
    """

    def __init__(
        self, world: World, context: moderngl.Context | Device | None = None, strip: tuple[int, int] | None = None
    ) -> None:
        if not isinstance(world, World):
            raise UsageError(f"expected a World, such as gpufluid.load('dam_break'); found {shown(world)}")
        world.validate()
        self._device = _device(context)
        self._device.check_side(world.width, world.height)
        self._laws = world.blank()
        self._closed = False
        self._schedule = world.schedule()
        self.tick = world.tick
        with self._device:
            self._fields = self._upload(world)
            self._strip = strip or self._device.strip_shape(world.width)
            self._moved = make_texture(self._device, *self._strips, "rg32ui")
            self._ledger = LedgerBuffer(self._device, world.ledger, world.tick)
            self._device.check_memory()
            self._generated = generated.for_world(world)
            self._programs = {pass_: self._program(pass_) for pass_ in self._schedule.passes}
            counts = [Image("counts", "rg32ui", "readonly")]
            self._sum = Program(self._device, "sum/sum.comp", counts, self._device.group_size, {})
            self._digests: dict[str, Program] = {}
            self._readbacks: dict[str, Readback] = {}
            self._late: dict[str, LateReadback] = {}
            self._painter: Painter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the device's memory back. The simulation cannot be used afterwards; closing it again does nothing."""
        if self._closed:
            return
        with self._device:
            for late in self._late.values():
                late.release()
            for pair in self._fields.values():
                pair.release()
            if self._painter is not None:
                self._painter.release()
            self._moved.release()
            self._ledger.release()
        self._closed = True

    def step(self, ticks: int = 1) -> None:
        """Run so many ticks. Returns when they are queued: reading waits for them."""
        self._laws.check_ticks(ticks)
        with self._current:
            for _ in range(ticks):
                for call in self._schedule.calls(self.tick):
                    self._run(call)
                self.tick += 1

    def finish(self) -> None:
        """Wait until the device has done all that was asked of it."""
        with self._current:
            self._device.context.finish()

    def run(self, call: Call) -> None:
        """Run one pass of the coming tick: how a check looks between passes."""
        with self._current:
            self._run(call)

    def _run(self, call: Call) -> None:
        pass_ = call.pass_
        textures = [self._fields[name].read for name in pass_.reads]
        for name in pass_.gathers:
            textures += [self._fields[name].read, self._fields[name].write]
        textures += [self._fields[name].read for name in pass_.updates]
        uniforms: dict[str, Uniform] = {
            "size": (self._laws.width, self._laws.height),
            "tick": call.tick & 0xFFFFFFFF,
            "substep": call.substep,
            "seed": self._laws.seed,
            "number": call.number,
        }
        if call.port is None:
            invocations = self._strips
            textures.append(self._moved)
        else:
            invocations = call.port.size
            uniforms |= _port_uniforms(call)
        self._programs[pass_].dispatch(invocations, textures, uniforms, self._ledger.buffer)
        for name in pass_.gathers:
            self._fields[name].swap()

    def read(self) -> World:
        """The exact state now, as a world of its own."""
        world = self._laws.blank()
        world.tick = self.tick
        with self._current:
            for name in world.fields:
                world[name][...] = self._texels(name)
            world.ledger = self._ledger.read()
        return world

    def late(self, field: str) -> tuple[int, np.ndarray] | None:
        """A field without waiting for the device: (tick, array) as it was at the last call of `late`.

        For those who watch a running world. None at the first call. The array is overwritten by the next.

        Raises: WorldError: a field that the world does not have.
        """
        if field not in self._fields:
            raise WorldError(field, f"no such field{did_you_mean(field, self._fields)}")
        with self._current:
            if field not in self._late:
                size = self._laws.width, self._laws.height
                self._late[field] = LateReadback(self._device, *size, FIELDS[field].image)
            earlier = self._late[field].request(self._fields[field].read, self.tick)
        if earlier is None:
            return None
        tick, array = earlier
        return tick, from_texels(field, array)

    def digest(self) -> str:
        """The digest of the state now, summed on the device; equal to ``read().digest()``."""
        lanes = header_lanes(self._laws.width, self._laws.height, self.tick, self._laws.seed)
        with self._current:
            buffer = self._device.context.buffer(lanes.tobytes())
            size = self._laws.width, self._laws.height
            invocations = size[0], -(-size[1] // _ROWS)
            for name, pair in self._fields.items():
                self._digest_program(name).dispatch(invocations, [pair.read], {"size": size}, buffer)
            lanes = np.frombuffer(buffer.read(), "<u4")
            buffer.release()
        return digest_text(lanes)

    def activity(self) -> int:
        """Units of mass that moved between cells in the last tick; 0 before the first. Both seeds keep this total.

        0 means that the flow has settled: every later tick changes nothing, unless an emitter or drain does.
        """
        with self._current as device:
            buffer = device.context.buffer(bytes(8))
            invocations = self._strips[0], -(-self._strips[1] // _ROWS)
            self._sum.dispatch(invocations, [self._moved], {"size": self._strips, "rows": _ROWS}, buffer)
            total = int.from_bytes(buffer.read(), "little")
            buffer.release()
        return total

    @property
    def laws(self) -> World:
        """The size, rules and parameters that it runs by; a world whose arrays are empty."""
        return self._laws

    @property
    def renderer(self) -> str:
        """The device's name for itself."""
        return self._device.renderer

    @property
    def ledger(self) -> Ledger:
        """What has entered and left, in units of mass."""
        with self._current:
            return self._ledger.read()

    @property
    def settled(self) -> bool:
        """Whether no later tick can change anything.

        Nothing moved, came or went in the last one, and each one to come is like it, because no emitter or drain
        begins later or acts by chance.
        """
        last = self.tick - 1
        if last < self._laws.tick or not self._schedule.steady_from(last):
            return False
        with self._current:
            return self.activity() == 0 and not self._ledger.changed_in(last)

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
            if self._painter is None:
                self._painter = Painter(self._device, self._laws, self._generated)
            self.check_frame(scale)
            fields = {name: pair.read for name, pair in self._fields.items()}
            return self._painter.draw(fields, scale, overlay, overlay_max)

    def check_frame(self, scale: float | str) -> None:
        """Refuse a scale at which no picture of this world can be drawn, before anything is run. Raises UsageError."""
        width, height = Scale.of(scale).picture_size(self._laws.width, self._laws.height)
        if max(width, height) > self._device.max_side:
            limit = f"this device's limit of {self._device.max_side} a side"
            raise UsageError(f"scale: {scale}; a picture of {width} by {height} pixels is over {limit}")

    @property
    def _current(self) -> Device:
        if self._closed:
            raise UsageError("this simulation is closed")
        return self._device

    def _upload(self, world: World) -> dict[str, Pair]:
        gathered = {name for pass_ in self._schedule.passes for name in pass_.gathers}
        size, solid = (world.width, world.height), world.solid
        fields = {}
        for name in world.fields:
            image = FIELDS[name].image
            first = make_texture(self._device, *size, image, to_texels(name, world[name], solid))
            second = make_texture(self._device, *size, image) if name in gathered else None
            fields[name] = Pair(first, second)
        return fields

    def _program(self, pass_: Pass) -> Program:
        texts = self._generated | generated.for_pass(pass_, self._strip)
        name, images = f"{pass_.rule}/{pass_.name}.comp", generated.images(pass_)
        return Program(self._device, name, images, self._device.group_size, texts)

    def _digest_program(self, name: str) -> Program:
        if name not in self._digests:
            images = [Image("field", FIELDS[name].image, "readonly")]
            texts = self._generated | generated.for_field(FIELDS[name], _ROWS)
            self._digests[name] = Program(self._device, "digest/digest.comp", images, self._device.group_size, texts)
        return self._digests[name]

    def _texels(self, name: str) -> np.ndarray:
        if name not in self._readbacks:
            self._readbacks[name] = Readback(self._laws.width, self._laws.height, FIELDS[name].image)
        return from_texels(name, self._readbacks[name].read(self._fields[name].read))

    @property
    def _strips(self) -> tuple[int, int]:
        return -(-self._laws.width // self._strip[0]), -(-self._laws.height // self._strip[1])


def _device(context: moderngl.Context | Device | None) -> Device:
    if context is None:
        return shared_device()
    return context if isinstance(context, Device) else device_of(context)


def _port_uniforms(call: Call) -> dict[str, Uniform]:
    port = call.port
    assert port is not None
    given: dict[str, Uniform] = {"port_at": port.at, "port_size": port.size}
    if isinstance(port, Emitter):
        given |= {"level": port.level_units, "chance": port.chance_fixed}
    return given | {"rate": port.rate_units(call.substep, call.substeps)}
