"""Observations of the worlds of a batch: packed on the device into one buffer, and read from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import moderngl
import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.core.fields import FIELDS, FULL
from gpufluid.core.memory import in_units
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.cuda import SharedBuffer
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.editing_texts import amount_numbers, amounts_glsl, cells_glsl
from gpufluid.gpu.growing import GrowingBuffer
from gpufluid.gpu.images import Image
from gpufluid.gpu.readback import BufferRing
from gpufluid.gpu.tick_block import WORLDS_BINDING, WorldBuffer
from gpufluid.scene.observed import SHOWN, ObservedPlane
from gpufluid.world import World

_GROUP = 64, 1
"""Invocations of a group: each packs a word, and the words of a world lie one after the other."""


class BatchObserving:
    """Packs what is observed of the worlds of a batch.

    Args:
        device: the device that holds the worlds.
        world: a world with the same laws; its arrays are not read.
        texts: the generated includes for a batch.
        planes: the planes of all worlds.
        worlds: their seeds and ticks, which the programs bind and do not read.
        atlas: their places.
    """

    def __init__(
        self,
        device: Device,
        world: World,
        texts: Mapping[str, str],
        planes: BatchPlanes,
        worlds: WorldBuffer,
        atlas: Atlas,
    ) -> None:
        self._device, self._world, self._texts, self._atlas = device, world, texts, atlas
        self._planes, self._worlds = planes, worlds
        self._programs: dict[tuple[str, tuple[ObservedPlane, ...]], Program] = {}
        self._packed = GrowingBuffer(device, "observations")
        self._rings: dict[tuple[str, tuple[ObservedPlane, ...], int, int], BufferRing[np.ndarray]] = {}
        self._shared: dict[tuple[str, tuple[ObservedPlane, ...], int], SharedBuffer] = {}

    def words(self, kind: str, count: int, pool: int) -> int:
        """The words that are packed of each world.

        Args:
            kind: one of `gpufluid.scene.observed.KINDS`.
            count: the number of planes.
            pool: the side of a block, in cells.
        """
        blocks = (self._world.width // pool) * (self._world.height // pool)
        return -(-blocks // 4) if kind == "materials" else blocks * max(count, 1)

    def check(self, worlds: int, words: int) -> None:
        """Raise UsageError if a world has more words than can be packed; ``words``: those of each; see `words`."""
        self._worlds_together(worlds, words)

    def read(self, kind: str, observed: Sequence[ObservedPlane], pool: int, into: np.ndarray) -> None:
        """Pack what is observed, and read it. The block of the tick must be bound.

        The worlds are packed in as many parts as the largest storage buffer of the device asks for.

        Args:
            kind: one of `gpufluid.scene.observed.KINDS`.
            observed: the planes, for "planes".
            pool: the side of a block, in cells.
            into: (worlds, words) int32, contiguous, which is overwritten; see `words`.
        Raises: UsageError: an observation of a world is too large.
        """
        together = self._worlds_together(*into.shape)
        packed = self._packed.reserve(together * into.strides[0])
        for first in range(0, len(into), together):
            self._pack(kind, observed, pool, into.shape[1], (first, together), packed)
            part = into[first : first + together]
            packed.read_into(part, part.nbytes)

    def late(
        self, kind: str, observed: Sequence[ObservedPlane], pool: int, into: np.ndarray, ticks: np.ndarray
    ) -> np.ndarray | None:
        """Pack what is observed without waiting for the device, and read what was packed two calls ago.

        Each form of observation has buffers of its own. The block of the tick must be bound.

        Args:
            kind, observed, pool: as for `read`.
            into: as for `read`; it is overwritten from the third call on.
            ticks: (worlds,) int64, the tick of each world now.
        Returns: the ticks of the worlds that were read, (worlds,) int64; None at the first two calls.
        Raises: UsageError: an observation of a world is too large.
        """
        together, oldest = self._worlds_together(*into.shape), None
        for first in range(0, len(into), together):
            key = kind, tuple(observed), pool, first
            if key not in self._rings:
                self._rings[key] = BufferRing(self._device)
            ring, part = self._rings[key], into[first : first + together]
            self._pack(kind, observed, pool, into.shape[1], (first, together), ring.buffer(together * into.strides[0]))
            oldest = ring.turn(ticks)
            if oldest is not None:
                oldest[1].read_into(part, part.nbytes)
        return None if oldest is None else oldest[0]

    def forget_late(self) -> None:
        """Forget what `late` packed: the next two calls of each form return None."""
        for ring in self._rings.values():
            ring.forget()

    def share(self, kind: str, observed: Sequence[ObservedPlane], pool: int, worlds: int, words: int) -> SharedBuffer:
        """Pack what is observed of all worlds into a buffer that CUDA can use, and return it, not mapped.

        Each form of observation has a buffer of its own, registered once. The block of the tick must be bound.

        Args:
            kind, observed, pool: as for `read`.
            worlds: their number.
            words: the words that are packed of each; see `words`.
        Raises: UsageError: the observation of all worlds is too large. MissingExtraError, DeviceError: see
            `SharedBuffer`.
        """
        if self._worlds_together(worlds, words) < worlds:
            taken, most = in_units(4 * words * worlds), in_units(self._device.storage_bytes)
            raise UsageError(f'as_="dlpack": the observation takes {taken} in one buffer; expected at most {most}')
        key = kind, tuple(observed), pool
        if key not in self._shared:
            buffer = self._device.buffer(4 * words * worlds)
            try:
                self._shared[key] = SharedBuffer(self._device, buffer)
            except BaseException:
                buffer.release()
                raise
        shared = self._shared[key]
        shared.unmap()
        self._pack(kind, observed, pool, words, (0, worlds), shared.buffer)
        return shared

    def _pack(
        self,
        kind: str,
        observed: Sequence[ObservedPlane],
        pool: int,
        words: int,
        worlds: tuple[int, int],
        into: moderngl.Buffer,
    ) -> None:
        """Pack some worlds into a buffer; ``worlds``: the first of them, and how many."""
        uniforms: dict[str, Uniform] = {"pool": pool, "results": max(len(observed), 1), "bytes": kind == "materials"}
        uniforms |= {"first_packed": worlds[0], "packed_count": worlds[1]}
        textures = [self._planes[plane.name].read for plane in self._world.planes]
        unused: list[moderngl.Buffer | None] = [None] * (WORLDS_BINDING - 1)
        program = self._program(kind, tuple(observed))
        program.dispatch((words, 1), textures, uniforms, [into, *unused, self._worlds.buffer])

    def _worlds_together(self, worlds: int, words: int) -> int:
        """The most worlds that are packed at once. Raises UsageError: a world has more words than can be packed."""
        each, most = 4 * words, min(self._device.storage_bytes, 4 * _GROUP[0] * GROUPS_LIMIT)
        if each > most:
            taken = f"an observation of a world takes {in_units(each)}"
            limit = f"expected at most {in_units(most)} ({self._device.renderer})"
            raise UsageError(f"{taken}; {limit}: observe fewer planes or larger blocks")
        return min(self._device.storage_bytes // each, worlds)

    def _program(self, kind: str, observed: tuple[ObservedPlane, ...]) -> Program:
        key = kind, observed
        if key not in self._programs:
            images = [Image.of(plane, "readonly") for plane in self._world.planes]
            texts = {**self._texts, "generated/observed.glsl": observed_glsl(self._world, observed)}
            self._programs[key] = Program(
                self._device, f"batch/observe_{kind}.comp", images, _GROUP, texts, self._atlas
            )
        return self._programs[key]

    def release(self) -> None:
        """Release the buffers."""
        while self._shared:
            shared = self._shared.popitem()[1]
            shared.release()
            shared.buffer.release()
        self._packed.release()
        for ring in self._rings.values():
            ring.release()


def observed_glsl(world: World, observed: Sequence[ObservedPlane]) -> str:
    """``generated/observed.glsl``: functions of a ``Cell``.

    - ``seen_material(cell)``: the number of its material, see `gpufluid.oracle.observing.materials`.
    - ``seen_value(plane, cell)``: its value in a plane of ``observed``, by number.
    - ``seen_colour(cell)``: red, green and blue, 0 to 255.
    """
    numbers = [world.materials[name] for name in amount_numbers(world)]
    text = '#include "generated/cell.glsl"\n' + cells_glsl(world) + amounts_glsl(world)
    text += (
        "\n// The number of the material of the cell's largest amount, and its units.\nivec2 largest(Cell cell)\n{\n"
    )
    text += "    ivec2 found = ivec2(0);\n    int units;\n"
    for place, number in enumerate(numbers):
        text += f"    units = amount_in(cell, {place});\n    if (units > found.y)\n"
        text += f"        found = ivec2({number}, units);\n"
    text += "    return found;\n}\n"
    colours = ", ".join(f"ivec3{record.colour}" for record in world.materials)
    text += _SEEN.format(shown=SHOWN, colours=colours, count=len(world.materials))
    cases = "".join(f"    case {n}: return {_value(world, each)};\n" for n, each in enumerate(observed))
    text += "\nint seen_value(int plane, Cell cell)\n"
    return text + f"{{\n    switch (plane) {{\n{cases}    default: return 0;\n    }}\n}}\n"


def _value(world: World, plane: ObservedPlane) -> str:
    """The GLSL expression for the value of a plane in a ``Cell`` named ``cell``."""
    if plane.field:
        own = next(each for each in world.planes if plane.field in each.fields)
        part = f".{'xy'[plane.component]}" if FIELDS[plane.field].components > 1 else ""
        value = f"int({plane.field}_of(cell.{own.name}){part})"
        return f"material_in(cell) == 0u ? 0 : {value}"
    if plane.scale == FULL:
        return f"material_in(cell) == 0u ? min(amount_in(cell, {amount_numbers(world)[plane.material]}), FULL) : 0"
    return f"int(material_in(cell) == {world.materials[plane.material]}u)"


_SEEN = """
uint seen_material(Cell cell)
{{
    uint atom = material_in(cell);
    ivec2 most = largest(cell);
    return atom == 0u && most.y >= {shown} ? uint(most.x) : atom;
}}

const ivec3 COLOURS[{count}] = ivec3[]({colours});

ivec3 seen_colour(Cell cell)
{{
    uint atom = material_in(cell);
    if (atom != 0u)
        return COLOURS[atom];
    ivec2 most = largest(cell);
    int part = min(most.y, FULL);
    return (COLOURS[most.x] * part + COLOURS[0] * (FULL - part)) / FULL;
}}
"""
