"""The uniform block of a tick: the values that are the same for all its passes, written once."""

from __future__ import annotations

import struct

import moderngl

from gpufluid.gpu.device import Device
from gpufluid.world import Domain

BINDING = 0
"""Binding of the uniform block; no shader has another one."""

# GLSL type, name and comment, in the order of the block. The order leaves no gaps in std140.
_MEMBERS = (
    ("ivec2", "size", "(width, height) of the world in cells"),
    ("uint", "tick", "the tick that runs, modulo 2**32"),
    ("uint", "domain_seed", "the world's seed; for it and the next members see lib/domain.glsl"),
    ("ivec2", "domain_origin", "(column, row) of the world's first cell in the whole world"),
    ("ivec2", "domain_whole_size", "(width, height) of the whole world in cells"),
)
_PACKED = {"ivec2": "2i", "uint": "I"}
_LAYOUT = struct.Struct("<" + "".join(_PACKED[kind] for kind, _, _ in _MEMBERS))


def tick_glsl() -> str:
    """``generated/tick.glsl``: the declaration of the block; shaders use its members like other uniforms."""
    members = "".join(f"    {kind} {name}; // {about}\n" for kind, name, about in _MEMBERS)
    return f"layout(std140, binding = {BINDING}) uniform Tick\n{{\n{members}}};\n"


class TickBlock:
    """The uniform block of one world.

    Args:
        device: the device that holds it.
        domain: the place of the world's cells in the whole world.
        seed: the seed of the world.
    """

    def __init__(self, device: Device, domain: Domain, seed: int) -> None:
        self._device, self._domain, self._seed = device, domain, seed
        self._buffer: moderngl.Buffer = device.buffer(_LAYOUT.size)
        self._tick: int | None = None

    def begin(self, tick: int) -> None:
        """Write the number of the tick and bind the block for the dispatches that follow."""
        if tick != self._tick:
            place = *self._domain.origin, *self._domain.whole_size
            self._buffer.write(_LAYOUT.pack(*self._domain.size, tick & 0xFFFFFFFF, self._seed, *place))
            self._tick = tick
        self._device.bindings.bind_block(BINDING, self._buffer)

    def release(self) -> None:
        """Release the buffer."""
        self._buffer.release()
