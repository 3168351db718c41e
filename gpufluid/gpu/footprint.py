"""What a world takes of the device's memory, told before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gpufluid.core.fields import FIELDS, Plane, planes_of
from gpufluid.gpu.device import Device
from gpufluid.gpu.memory import in_units, machine_memory
from gpufluid.gpu.shares import invocations, strip_of, tile_of
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.gpu.tiles import tile_bytes
from gpufluid.matter.mixtures import SHIPPED
from gpufluid.rules import MOVED, RULES, Over, passes_of, tile_flags_of

_LISTS = 16
"""About so often passes activate in a tick; each takes 16 bytes."""

_LAYERS = len(SHIPPED)
"""Of a mixture, of which a scene may have a few more or less."""

_HOST_COPIES = 3
"""Of a world on the host: the one that a simulation begins with, its texels on the way, and one that is read back."""


def plane_bytes(fields: Sequence[str], cells: int, layers: int) -> int:
    """One copy of each plane of a world with these fields, and with so many constituents of its mixture."""
    return cells * sum(bytes_a_cell(plane, layers) for plane in planes_of(fields))


def bytes_a_cell(plane: Plane, layers: int) -> int:
    """What a cell takes of one copy of a plane, with so many layers of a mixture."""
    return bytes_a_texel(plane.image) * (layers if plane.layered else 1)


def device_bytes(
    device: Device, variants: Mapping[str, str], width: int, height: int, strip: tuple[int, int] | None = None
) -> int:
    """Bytes that a simulation holds when it begins: planes, pairs of those that are gathered, scratch, tiles.

    Args:
        device: where it would be.
        variants: by which variant each rule of the world runs; see `variants.decide`.
        width, height: in cells.
        strip: as for `Simulation`.
    """
    rules = tuple(variants)
    passes = passes_of(rules, variants)
    strip = strip or strip_of(passes, height, device)
    gathered = {name for pass_ in passes for name in pass_.gathers}
    planes = planes_of(fields_of(rules))
    copies = sum(bytes_a_cell(plane, _LAYERS) * (2 if plane.name in gathered else 1) for plane in planes)
    scratch = {scratch.name: scratch for pass_ in passes for scratch in pass_.writes}.values()
    texels = [(invocations(each.over, (width, height), strip), each.image) for each in scratch]
    texels.append((invocations(Over.STRIPS, (width, height), strip), MOVED))  # what each strip has moved
    tiles = 0
    for rule in rules:
        activated = [pass_ for pass_ in passes if pass_.tiled_by == rule and pass_.activated_by]
        tile = tile_of(activated, strip, device)
        tiles += tile_bytes(tile_flags_of(rule, rules), (width, height), tile, _LISTS) if activated else 0
    return width * height * copies + tiles + sum(bytes_a_texel(image) * x * y for (x, y), image in texels)


def host_bytes(rules: Sequence[str], cells: int) -> int:
    """What the `World` that it begins with takes of the machine's memory."""
    fields = [FIELDS[name] for name in fields_of(rules)]
    numbers = ((field, field.components * (_LAYERS if field.layered else 1)) for field in fields)
    return cells * sum(np.dtype(field.dtype).itemsize * count for field, count in numbers)


def fields_of(rules: Sequence[str]) -> tuple[str, ...]:
    """The fields of a world with these rules."""
    return tuple(dict.fromkeys(name for rule in rules for name in RULES[rule].fields))


def shortage(device: Device, variants: Mapping[str, str], width: int, height: int) -> str | None:
    """What to say of a world that does not fit into the memory there is: what it takes and what there is; else None."""
    there, taken = _pools(device, variants, width, height)
    for pool, size in taken.items():
        free = there[pool]
        if free is not None and size > free:
            world = f"a world of {width} by {height} cells with rules {'+'.join(variants)}"
            return f"{world} takes about {in_units(size)} of {pool} memory, and {in_units(free)} are free"
    return None


def longest_side(device: Device, rules: Sequence[str]) -> int:
    """The side of the largest square world whose textures the device can hold: layers lie one below the other."""
    layered = any(plane.layered for plane in planes_of(fields_of(rules)))
    return device.max_side // (_LAYERS if layered else 1)


def largest_side(device: Device, variants: Mapping[str, str]) -> int | None:
    """The same by memory too; None: memory is not known."""
    side = longest_side(device, tuple(variants))
    there, taken = _pools(device, variants, side, side)
    if there[_pool(device)] is None:
        return None
    shares = [free / taken[pool] for pool, free in there.items() if free is not None]
    return int(side * min(1.0, *shares) ** 0.5) if shares else side


def _pools(
    device: Device, variants: Mapping[str, str], width: int, height: int
) -> tuple[dict[str, int | None], dict[str, int]]:
    """What is free, and what a world takes: of the machine's memory, and of a GPU's if there is one."""
    on_device = device_bytes(device, variants, width, height)
    on_host = _HOST_COPIES * host_bytes(tuple(variants), width * height)
    there: dict[str, int | None] = {"the machine's": machine_memory()}
    if device.software:
        return there, {"the machine's": on_host + on_device}
    return there | {"the GPU's": device.free_memory}, {"the machine's": on_host, "the GPU's": on_device}


def _pool(device: Device) -> str:
    return "the machine's" if device.software else "the GPU's"
