"""World statistics on the device: sums are a few KiB to read back, however large the world is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import moderngl
import numpy as np

from gpufluid.core.fields import FIELDS, Field, Plane, Summary
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.generated import for_world
from gpufluid.gpu.images import Image
from gpufluid.gpu.planes import SUMMED_ROWS, PlaneTextures
from gpufluid.gpu.readback import BufferRing
from gpufluid.matter.mixtures import CONSTITUENTS_MOST
from gpufluid.world import World
from gpufluid.world.statistics import Statistics

_MATERIALS = 256

_SIGN = 1 << 31
"""Its exclusive or with a signed value gives a word whose unsigned order is the order of the values."""

_ADD = """
void add_to_{name}(uvec2 part) {{ ATOMIC_ADD64({name}, 0, part) }}
"""

_ADD_ENDS = """
// The buffer begins with zeros, so both words must only grow: the complement of the least value, and the largest.
void add_to_{name}(int least, int largest)
{{
    uint low = ~(uint(least) ^ {sign}u), high = uint(largest) ^ {sign}u;
    if ({name}[0] < low) // a read is cheaper than an atomic operation
        atomicMax({name}[0], low);
    if ({name}[1] < high)
        atomicMax({name}[1], high);
}}
"""


def _summed(plane: Plane, there: Collection[str]) -> list[Field]:
    """The fields of a plane that appear in statistics; ``there`` are the names of the fields of the world."""
    names = [*plane.fields, *([plane.instead] if plane.instead in there else [])]
    return [FIELDS[name] for name in names if FIELDS[name].summary is not Summary.NONE]


def _layout(fields: Iterable[Field]) -> np.dtype:
    """The layout of the buffer: cells of each material; for each field its sum (or one a layer) and its extremes."""
    columns: list[tuple[str, str, int]] = [("cells_of", "<u4", _MATERIALS)]
    for field in fields:
        columns.append((f"sum_{field.name}", "<i8", CONSTITUENTS_MOST if field.layered else 1))
        if field.summary is Summary.EXTREMES:
            columns.append((f"ends_{field.name}", "<u4", 2))
    return np.dtype(columns)


def counts_glsl(fields: Iterable[Field]) -> str:
    """``generated/counts.glsl``: the buffer with the layout of `_layout`, and a function to add to each member."""
    layout = _layout(fields)
    names = [name for name in layout.names or () if name != "cells_of"]
    words = {name: layout[name].itemsize // 4 for name in names}
    members = "".join(f"    uint of_{name}[{count}]; // the low word first\n" for name, count in words.items())
    named = "".join(f"#define {name} counts[batch_world].of_{name}\n" for name in names)
    ends = [name for name in names if name.startswith("ends_")]
    adders = [_ADD_ENDS.format(name=name, sign=_SIGN) for name in ends]
    adders += [_ADD.format(name=name) for name, count in words.items() if count == 2 and name not in ends]
    return (
        '#include "lib/wide.glsl"\n#include "generated/world.glsl"\n'
        f"const int ROWS = {SUMMED_ROWS}; // rows that one invocation sums\n"
        f"struct Count\n{{\n    uint of_cells[{_MATERIALS}]; // by material: a world has fewer than 2**32 cells\n"
        f"{members}}};\n"
        "layout(std430, binding = 0) buffer Counts { Count counts[]; }; // one a world\n"
        f"#define cells_of counts[batch_world].of_cells\n{named}{''.join(adders)}"
    )


def summary_glsl(plane: Plane, there: Collection[str]) -> str:
    """``generated/summary.glsl``: ``sum_up(cell)`` and ``add_sums()`` of a plane's fields.

    An invocation sums a field of fewer than 32 bits in a 32-bit integer, and a field of 32 bits in 64 bits. The word of
    a cell without an atom that has another field, `Field.without_atom`, is 0 to all fields but this one.

    Args:
        plane: the plane.
        there: the names of the fields of the world.
    """
    fields = _summed(plane, there)
    shared = plane.instead in there
    by_material = shared or any(field.measure or field.summary is Summary.EXTREMES for field in fields)
    text = "".join(f'#include "{field.measure.include}"\n' for field in fields if field.measure)
    begin, each, end = "", "", ""
    for field in fields:
        name = field.name
        value = f"int({name}_of(word))" if plane.packed else "int(word)"
        value = "int(material != 0u ? 0u : whole)" if field.without_atom else value
        value = f"{field.measure.glsl}(material, word)" if field.measure else value
        if field.bits < 32:
            begin += f"int part_{name} = 0;\n"
            each += f"    part_{name} += {value};\n"
            end += f"    add_to_sum_{name}(wide(part_{name}));\n"
        else:
            begin += f"uvec2 part_{name} = uvec2(0);\n"
            each += f"    part_{name} = add64(part_{name}, wide({value}));\n"
            end += f"    if (part_{name} != uvec2(0))\n        add_to_sum_{name}(part_{name});\n"
        if field.summary is Summary.EXTREMES:
            low, high = field.range
            begin += f"int least_{name} = {high}, largest_{name} = {low};\nbool any_{name} = false;\n"
            each += f"    least_{name} = min(least_{name}, material != 0u ? {value} : {high});\n"
            each += f"    largest_{name} = max(largest_{name}, material != 0u ? {value} : {low});\n"
            each += f"    any_{name} = any_{name} || material != 0u;\n"
            end += f"    if (any_{name})\n        add_to_ends_{name}(least_{name}, largest_{name});\n"
    word = "uint" if plane.packed else "int"
    material = "    uint material = load_material(cell);\n" if by_material else ""
    loaded = f"    {word} word = load_{plane.name}(cell);\n{material}"
    if shared:
        loaded = f"    uint whole = load_{plane.name}(cell);\n{material}    uint word = material != 0u ? whole : 0u;\n"
    return f"{text}{begin}\nvoid sum_up(ivec2 cell)\n{{\n{loaded}{each}}}\n\nvoid add_sums()\n{{\n{end}}}\n"


def layers_glsl(plane: Plane) -> str:
    """``generated/summary.glsl`` of a layered plane: ``amount_at(cell, layer)`` and ``add_to_layer(layer, part)``."""
    total = f"sum_{_summed(plane, plane.fields)[0].name}"
    return (
        f"uint amount_at(ivec2 cell, int layer) {{ return uint(load_{plane.name}(cell, layer)); }}\n"
        f"const int LAYERS_MOST = {CONSTITUENTS_MOST};\n"
        f"void add_to_layer(int layer, uint part) {{ ATOMIC_ADD64({total}, 2 * layer, uvec2(part, 0u)) }}\n"
    )


class Counting:
    """Counts the cells of each material in a world and sums up its fields, without those of its halo.

    Args:
        device: the device that holds the world.
        world: a world with the same laws; its arrays are not read.
        planes: the planes to sum up.
        atlas: the worlds of a batch; None: one world.
    """

    def __init__(
        self, device: Device, world: World, planes: PlaneTextures | BatchPlanes, atlas: Atlas | None = None
    ) -> None:
        self._device, self._planes, self._atlas = device, planes, atlas
        self._size = world.width, world.height
        self._own = world.domain.own_cells(world.gravity)
        self._names = [record.name for record in world.materials]
        self._constituents = world.mixture.names
        self._fields = [field for plane in world.planes for field in _summed(plane, world.fields)]
        self._layout = _layout(self._fields)
        texts = {**for_world(world, atlas is not None), "generated/counts.glsl": counts_glsl(self._fields)}
        materials = next(plane for plane in world.planes if "material" in plane.fields)
        self._programs: list[tuple[Program, list[str], int]] = []  # program, planes that it reads, layers
        self._add_program("count/count.comp", [materials], texts)
        for plane in world.planes:
            if plane.layered and _summed(plane, world.fields):
                layers = {"generated/summary.glsl": layers_glsl(plane)}
                self._add_program("count/layers.comp", [plane], texts | layers, len(self._constituents))
            elif _summed(plane, world.fields):
                summary = {"generated/summary.glsl": summary_glsl(plane, world.fields)}
                self._add_program("count/sums.comp", [*dict.fromkeys((plane, materials))], texts | summary)
        self._ring: BufferRing[int] = BufferRing(device, deep=2)

    def _add_program(self, shader: str, planes: Sequence[Plane], texts: Mapping[str, str], layers: int = 1) -> None:
        images = [Image.of(plane, "readonly").holding(self._planes[plane.name].read) for plane in planes]
        program = Program(self._device, shader, images, self._device.group_size, texts, self._atlas)
        self._programs.append((program, [plane.name for plane in planes], layers))

    def of_worlds(self, ticks: Sequence[int]) -> list[Statistics]:
        """The statistics of each world of a batch; waits for the device. ``ticks``: the tick of each world."""
        size = self._layout.itemsize * len(ticks)
        buffer = self._device.buffer(size)
        self._count(buffer)
        words = np.frombuffer(buffer.read(size), self._layout)
        buffer.release()
        return [self._statistics(tick, own) for tick, own in zip(ticks, words, strict=True)]

    def now(self, tick: int) -> Statistics:
        """The statistics of the current state; waits for the device.

        Args:
            tick: the current tick, which the result names.
        """
        buffer = self._device.buffer(self._layout.itemsize)
        self._count(buffer)
        found = self._statistics(tick, self._words(buffer))
        buffer.release()
        return found

    def late(self, tick: int) -> Statistics | None:
        """Request the statistics of the current state, and return those of the previous call; does not wait.

        Args:
            tick: the current tick, which the result of the next call names.
        Returns: None at the first call.
        """
        self._count(self._ring.buffer(self._layout.itemsize))
        earlier = self._ring.turn(tick)
        return None if earlier is None else self._statistics(earlier[0], self._words(earlier[1]))

    def _words(self, buffer: moderngl.Buffer) -> np.void:
        """The counts of the first world in a buffer."""
        return np.frombuffer(buffer.read(self._layout.itemsize), self._layout)[0]

    def _count(self, into: moderngl.Buffer) -> None:
        into.clear()
        parts = -(-self._own[3] // SUMMED_ROWS)
        for program, read, layers in self._programs:
            over = self._own[2], parts * layers
            uniforms: dict[str, Uniform] = {"size": self._size, "parts": parts}
            uniforms |= {"own_first": self._own[:2], "own_size": self._own[2:]}
            program.dispatch(over, [self._planes[name].read for name in read], uniforms, [into])

    def _statistics(self, tick: int, words: np.void) -> Statistics:
        cells = dict(zip(self._names, words["cells_of"].tolist(), strict=False))
        sums, extremes, layers = {}, {}, {}
        for field in self._fields:
            found = np.atleast_1d(words[f"sum_{field.name}"]).tolist()
            if field.layered:  # the buffer has room for more layers than the world has
                layers[field.name] = dict(zip(self._constituents, found, strict=False))
                continue
            sums[field.name] = found[0]
            if field.summary is Summary.EXTREMES:
                low, high = words[f"ends_{field.name}"].tolist()
                ends = (~low ^ _SIGN) & 0xFFFFFFFF, high ^ _SIGN
                least, largest = (end - (end >> 31 << 32) for end in ends)
                extremes[field.name] = (least, largest) if any(list(cells.values())[1:]) else None
        return Statistics(tick, cells, sums, extremes, layers)

    def release(self) -> None:
        """Release the buffers."""
        self._ring.release()
