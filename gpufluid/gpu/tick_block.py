"""The uniform block: what is the same for all passes of a tick, written once instead of given to each of them."""

from __future__ import annotations

import struct

import moderngl

from gpufluid.gpu.device import Device
from gpufluid.world import Domain

BINDING = 0
"""Of uniform blocks; no shader has another."""

# GLSL type and name, in the order of the block, so that std140 leaves no gaps: pairs before single words.
_MEMBERS = (
    ("ivec2", "size", "(width, height) of the world in cells"),
    ("uint", "tick", "the tick that runs, modulo 2**32"),
    ("uint", "domain_seed", "the world's; see lib/domain.glsl for this and what follows"),
    ("ivec2", "domain_origin", "(column, row) of the world's first cell in the whole world"),
    ("ivec2", "domain_whole_size", "(width, height) of the whole world in cells"),
)
_PACKED = {"ivec2": "2i", "uint": "I"}
_LAYOUT = struct.Struct("<" + "".join(_PACKED[kind] for kind, _, _ in _MEMBERS))


def tick_glsl() -> str:
    """``generated/tick.glsl``: the block's members, which a shader names like any uniform."""
    members = "".join(f"    {kind} {name}; // {about}\n" for kind, name, about in _MEMBERS)
    return f"layout(std140, binding = {BINDING}) uniform Tick\n{{\n{members}}};\n"


class TickBlock:
    """The uniform block of one world.

    Args:
        device: where it lies.
        domain: the place of its cells in the whole world.
        seed: of the world.
    """

    def __init__(self, device: Device, domain: Domain, seed: int) -> None:
        self._device, self._domain, self._seed = device, domain, seed
        self._buffer: moderngl.Buffer = device.buffer(_LAYOUT.size)
        self._tick: int | None = None

    def begin(self, tick: int) -> None:
        """What is dispatched from now on belongs to a tick."""
        if tick != self._tick:
            place = *self._domain.origin, *self._domain.whole_size
            self._buffer.write(_LAYOUT.pack(*self._domain.size, tick & 0xFFFFFFFF, self._seed, *place))
            self._tick = tick
        self._device.bindings.bind_block(BINDING, self._buffer)

    def release(self) -> None:
        """Give the memory back."""
        self._buffer.release()
