"""What is in a world, counted on the device: cells of each material and units of mass, a KiB to read back."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Image, Program
from gpufluid.gpu.generated import for_drawing, for_world
from gpufluid.gpu.planes import SUMMED_ROWS, PlaneTextures
from gpufluid.gpu.readback import BufferRing
from gpufluid.mixtures import CONSTITUENTS_MOST
from gpufluid.world import World

_MATERIALS = 256
_UNITS = 1 + CONSTITUENTS_MOST
_BYTES = 4 * (_MATERIALS + 2 * _UNITS)
_GLSL = f"""const int ROWS = {SUMMED_ROWS}; // that an invocation walks down
layout(std430, binding = 0) buffer Counts
{{
    uint cells_of[{_MATERIALS}]; // by material: a world has fewer than 2**32 cells
    uint units[{2 * _UNITS}];               // of mass, the low word first; then of each layer of a mixture
}};
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was in a world at a tick.

    Args:
        tick: which.
        cells: the number of cells of each material of its table, by name; where mass lies they are empty ones.
        mass: its units of mass; 0 in a world without.
        amounts: the units of each material of its mixture, by name.
    """

    tick: int
    cells: dict[str, int]
    mass: int
    amounts: dict[str, int]


class Counting:
    """Counts the cells of one world.

    Args:
        device: where it lies.
        world: whose laws hold; its arrays are not looked at.
        planes: what is counted.
    """

    def __init__(self, device: Device, world: World, planes: PlaneTextures) -> None:
        self._device, self._planes = device, planes
        self._size = world.width, world.height
        self._names = [record.name for record in world.materials]
        texts = {**for_world(world), **for_drawing(world), "generated/counts.glsl": _GLSL}
        self._mixture = world.mixture.names
        counted = {"material": "count/count.comp", "mass": "count/mass.comp", "mixture": "count/mixture.comp"}
        self._programs = {
            plane.name: Program(
                device, counted[field], [Image(plane.name, plane.image, "readonly")], device.group_size, texts
            )
            for plane in world.planes
            for field in plane.fields
            if field in counted
        }
        self._ring: BufferRing[int] = BufferRing(device, deep=2)

    def now(self, tick: int) -> Counts:
        """What is there at this tick, after all work before."""
        buffer = self._device.buffer(_BYTES)
        self._count(buffer)
        counts = self._counts(tick, buffer)
        buffer.release()
        return counts

    def late(self, tick: int) -> Counts | None:
        """Ask what is there at this tick, without waiting, and get what was asked for one call earlier, if it was."""
        self._count(self._ring.buffer(_BYTES))
        earlier = self._ring.turn(tick)
        return None if earlier is None else self._counts(*earlier)

    def _count(self, into: moderngl.Buffer) -> None:
        into.clear()
        parts = -(-self._size[1] // SUMMED_ROWS)
        for name, program in self._programs.items():
            over = self._size[0], parts * (len(self._mixture) if name == "mixture" else 1)
            program.dispatch(over, [self._planes[name].read], {"size": self._size, "parts": parts}, [into])

    def _counts(self, tick: int, buffer: moderngl.Buffer) -> Counts:
        words = np.frombuffer(buffer.read(_BYTES), "<u4")
        cells = words[: len(self._names)].tolist()
        mass, *layers = words[_MATERIALS:].view("<u8").tolist()
        amounts = dict(zip(self._mixture, layers, strict=False))  # there is room for more layers than there are
        return Counts(tick, dict(zip(self._names, cells, strict=True)), mass, amounts)

    def release(self) -> None:
        """Give the memory back."""
        self._ring.release()
