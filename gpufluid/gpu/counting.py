"""What is in a world, summed on the device: a KiB to read back, however large the world is."""

from __future__ import annotations

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.generated import for_world
from gpufluid.gpu.images import Image
from gpufluid.gpu.planes import SUMMED_ROWS, PlaneTextures
from gpufluid.gpu.readback import BufferRing
from gpufluid.matter.mixtures import CONSTITUENTS_MOST
from gpufluid.world import World
from gpufluid.world.statistics import Statistics

_MATERIALS = 256
_NO_TEMPERATURE = 1 << 15
"""Beyond all temperatures, with either sign."""

_SUMS = ("units", "temperatures", "latent")
"""64-bit sums: of mass, of temperatures, of latent heat."""

_LAYOUT = np.dtype(
    [
        ("cells_of", "<u4", _MATERIALS),
        *((name, "<i8") for name in _SUMS),
        ("amounts", "<i8", CONSTITUENTS_MOST),
        ("ends", "<u4", 2),
    ]
)
"""The buffer. ``amounts`` are the units of each layer of a mixture. ``ends`` are the coldest and the hottest, as
`_NO_TEMPERATURE` less, or plus, them; 0 of nothing."""

_ADD = """
// To {name}; exactly one addition sees each overflow.
void add_to_{name}(uvec2 part)
{{
    uint before = atomicAdd({name}[0], part.x);
    uint carry = (before + part.x < before) ? 1u : 0u;
    if (part.y + carry != 0u)
        atomicAdd({name}[1], part.y + carry);
}}
"""

_GLSL = f"""const int ROWS = {SUMMED_ROWS}; // that an invocation walks down
const int NO_TEMPERATURE = {_NO_TEMPERATURE};
layout(std430, binding = 0) buffer Counts
{{
    uint cells_of[{_MATERIALS}]; // by material: a world has fewer than 2**32 cells
{"".join(f"    uint {name}[2]; // the low word first{chr(10)}" for name in _SUMS)}
    uint amounts[{2 * CONSTITUENTS_MOST}];
    uint ends[2];
}};
{"".join(_ADD.format(name=name) for name in _SUMS)}"""

_READ = {"count": ("material",), "mass": ("mass",), "mixture": ("mixture",), "warmth": ("material", "temperature")}
"""The shaders of ``shaders/count/``, each with the fields that it reads; it runs in worlds that have all of them."""


class Counting:
    """Counts the cells of one world, and sums what is in them.

    Args:
        device: where it lies.
        world: whose laws hold; its arrays are not looked at.
        planes: what is counted.
    """

    def __init__(self, device: Device, world: World, planes: PlaneTextures) -> None:
        self._device, self._planes = device, planes
        self._size = world.width, world.height
        self._names = [record.name for record in world.materials]
        self._layers = world.mixture.names
        texts = {**for_world(world), "generated/counts.glsl": _GLSL}
        lies_in = {field: plane for plane in world.planes for field in plane.fields}
        self._programs: dict[Program, list[str]] = {}  # with the planes that they read
        for shader, fields in _READ.items():
            if lies_in.keys() >= set(fields):
                read = list(dict.fromkeys(lies_in[field] for field in fields))
                images = [Image.of(plane, "readonly") for plane in read]
                program = Program(device, f"count/{shader}.comp", images, device.group_size, texts)
                self._programs[program] = [plane.name for plane in read]
        self._ring: BufferRing[int] = BufferRing(device, deep=2)

    def now(self, tick: int) -> Statistics:
        """What is there at this tick, after all work before."""
        buffer = self._device.buffer(_LAYOUT.itemsize)
        self._count(buffer)
        found = self._statistics(tick, buffer)
        buffer.release()
        return found

    def late(self, tick: int) -> Statistics | None:
        """Ask what is there at this tick, without waiting, and get what was asked for one call earlier, if it was."""
        self._count(self._ring.buffer(_LAYOUT.itemsize))
        earlier = self._ring.turn(tick)
        return None if earlier is None else self._statistics(*earlier)

    def _count(self, into: moderngl.Buffer) -> None:
        into.clear()
        parts = -(-self._size[1] // SUMMED_ROWS)
        for program, read in self._programs.items():
            over = self._size[0], parts * (len(self._layers) if "mixture" in read else 1)
            told = {"size": self._size, "parts": parts}
            program.dispatch(over, [self._planes[name].read for name in read], told, [into])

    def _statistics(self, tick: int, buffer: moderngl.Buffer) -> Statistics:
        words = np.frombuffer(buffer.read(_LAYOUT.itemsize), _LAYOUT)[0]
        cells = dict(zip(self._names, words["cells_of"].tolist(), strict=False))
        mass, temperatures, latent = (int(words[name]) for name in _SUMS)
        amounts = dict(zip(self._layers, words["amounts"].tolist(), strict=False))  # there is room for more layers
        cold, hot = words["ends"].tolist()
        if not cold:  # of no atom, or in a world without temperatures
            return Statistics(tick, cells, mass, amounts=amounts)
        ends = _NO_TEMPERATURE - cold, hot - _NO_TEMPERATURE
        return Statistics(tick, cells, mass, temperatures, *ends, latent, amounts)

    def release(self) -> None:
        """Give the memory back."""
        self._ring.release()
