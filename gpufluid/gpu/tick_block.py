"""The uniform block of a tick: the values that are the same for all its passes, written once."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import moderngl
import numpy as np

from gpufluid.gpu.atlas import GROUPS_OF_ENTRY
from gpufluid.gpu.device import Device
from gpufluid.world import Domain

BINDING = 0
"""Binding of the uniform block; no shader has another one."""

WORLDS_BINDING = 4
"""Binding of the storage buffer with the ticks and seeds of a batch's worlds; see `gpu.tiles` for the others."""

# GLSL type, name and comment, in the order of the block. The order leaves no gaps in std140.
_MEMBERS = (
    ("ivec2", "size", "(width, height) of the world in cells"),
    ("uint", "tick", "the tick that runs, modulo 2**32"),
    ("uint", "domain_seed", "the world's seed; for it and the next members see lib/domain.glsl"),
    ("ivec2", "domain_origin", "(column, row) of the world's first cell in the whole world, once around a torus"),
    ("ivec2", "domain_whole_size", "(width, height) of the whole world in cells"),
    ("ivec2", "domain_own", "the first row of gravity's frame that is the world's own, and the one after the last"),
    ("ivec2", "domain_own_columns", "the same of columns"),
)
_PACKED = {"ivec2": "2i", "uint": "I"}
_LAYOUT = struct.Struct("<" + "".join(_PACKED[kind] for kind, _, _ in _MEMBERS))


_WORLDS_GLSL = f"""layout(std430, binding = {WORLDS_BINDING}) readonly buffer WorldsBuffer {{ uvec2 worlds[]; }};
uint tick = batch_tick + worlds[batch_world].x;
uint domain_seed = worlds[batch_world].y;

// Work on another world than that of the group's layer.
void enter_world(int number)
{{
    batch_world = number;
    batch_block = block_of_world(number);
    find_blocks();
    tick = batch_tick + worlds[number].x;
    domain_seed = worlds[number].y;
}}
"""
"""The ticks of the worlds of a batch, from the tick of the batch on, and their seeds: each world's own variables."""


def tick_glsl(batched: bool = False) -> str:
    """``generated/tick.glsl``: the declaration of the block; shaders use its members like other uniforms.

    In programs for a batch ``tick`` and ``domain_seed`` are variables: those of the world of the invocation.
    """
    own = {"tick": "batch_tick", "domain_seed": "batch_seed"} if batched else {}
    members = "".join(f"    {kind} {own.get(name, name)}; // {about}\n" for kind, name, about in _MEMBERS)
    block = f"layout(std140, binding = {BINDING}) uniform Tick\n{{\n{members}}};\n"
    return f'#include "generated/world.glsl"\n{block}{_WORLDS_GLSL}' if batched else block


class TickBlock:
    """The uniform block of one world.

    Args:
        device: the device that holds it.
        domain: the place of the world's cells in the whole world.
        seed, gravity: those of the world.
    """

    def __init__(self, device: Device, domain: Domain, seed: int, gravity: str) -> None:
        self._device, self._domain, self._seed = device, domain, seed
        self._own_columns, self._own_rows = domain.own_area(gravity)
        self._origin = domain.origin_on_torus(gravity) if domain.halo else domain.origin
        self._buffer: moderngl.Buffer = device.buffer(_LAYOUT.size)
        self._tick: int | None = None

    def begin(self, tick: int) -> None:
        """Write the number of the tick and bind the block for the dispatches that follow."""
        if tick != self._tick:
            # No wait as in `Device.overwrite`: with the driver that needs one there no write of this block came early.
            place = *self._origin, *self._domain.whole_size, *self._own_rows, *self._own_columns
            self._buffer.write(_LAYOUT.pack(*self._domain.size, tick & 0xFFFFFFFF, self._seed, *place))
            self._tick = tick
        self._device.bindings.bind_block(BINDING, self._buffer)

    def release(self) -> None:
        """Release the buffer."""
        self._buffer.release()


class WorldBuffer:
    """The ticks and seeds of the worlds of a batch, on the device.

    The tick of a world is stored as the difference from that of the batch, which `TickBlock` has. So in a tick of the
    batch nothing is written here.

    Args:
        device: the device that holds it.
        worlds: their number.
    """

    def __init__(self, device: Device, worlds: int) -> None:
        # As many words as a dispatch has layers: each layer begins as that of a world.
        self._device, self._words = device, np.zeros((max(worlds, GROUPS_OF_ENTRY), 2), "<u4")
        self._worlds = worlds
        self.buffer: moderngl.Buffer = device.buffer(self._words.nbytes)

    def write(self, offsets: np.ndarray, seeds: Sequence[int]) -> None:
        """Set the seeds, and the offsets: (worlds,) int64, the tick of each world less that of the batch."""
        words = self._words[: self._worlds]
        words[:, 0], words[:, 1] = offsets & 0xFFFFFFFF, seeds
        self._device.overwrite(self.buffer, self._words.tobytes())

    def release(self) -> None:
        """Release the buffer."""
        self.buffer.release()
