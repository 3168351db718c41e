"""The uniform block: what is the same for all passes of a tick, written once instead of given to each of them."""

from __future__ import annotations

import struct

import moderngl

from gpufluid.gpu.device import Device

BINDING = 0
"""Of uniform blocks; no shader has another."""

# GLSL type and name, in the order of the block, so that std140 leaves no gaps: pairs before single words.
_MEMBERS = (
    ("ivec2", "size", "(width, height) of the world in cells"),
    ("uint", "tick", "the tick that runs, modulo 2**32"),
    ("uint", "seed", "the world's"),
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
        size: (width, height) of the world in cells.
        seed: of the world.
    """

    def __init__(self, device: Device, size: tuple[int, int], seed: int) -> None:
        self._device, self._size, self._seed = device, size, seed
        self._buffer: moderngl.Buffer = device.buffer(_LAYOUT.size)
        self._tick: int | None = None

    def begin(self, tick: int) -> None:
        """What is dispatched from now on belongs to a tick."""
        if tick != self._tick:
            self._buffer.write(_LAYOUT.pack(*self._size, tick & 0xFFFFFFFF, self._seed))
            self._tick = tick
        self._device.bindings.bind_block(BINDING, self._buffer)

    def release(self) -> None:
        """Give the memory back."""
        self._buffer.release()
