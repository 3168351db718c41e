"""The memory that a world will need, computed before it is made."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from gpufluid.core.fields import Plane, carried_planes, planes_of
from gpufluid.core.memory import machine_memory, shortage_text
from gpufluid.gpu.device import Device
from gpufluid.gpu.shares import invocations, moved_size, strip_of, tile_of
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.gpu.tiles import tile_bytes
from gpufluid.matter.mixtures import SHIPPED
from gpufluid.rules import MOVED, Over, Pass, passes_of, tile_flags_of
from gpufluid.rules.passes import gathered_planes
from gpufluid.world.footprint import fields_of, host_bytes, named_world

_LISTS = 16
"""Approximate number of lists of awake tiles in a tick; each takes 16 bytes."""

_LAYERS = len(SHIPPED)
"""Assumed number of layers of a mixture; a scene may have a few more or fewer."""

_HOST_COPIES = 3
"""Copies of a world on the host: the first state of a simulation, its texels during the upload, and one read back."""


def plane_bytes(fields: Sequence[str], cells: int, layers: int) -> int:
    """Bytes of one copy of each plane of a world.

    Args:
        fields: the names of the world's fields.
        cells: number of cells.
        layers: number of constituents of its mixture.
    """
    return cells * sum(bytes_a_cell(plane, layers) for plane in planes_of(fields))


def bytes_a_cell(plane: Plane, layers: int) -> int:
    """Bytes a cell of one copy of a plane, in a world whose mixture has that number of layers."""
    return bytes_a_texel(plane.image) * (layers if plane.layered else 1)


def state_bytes_a_cell(fields: Sequence[str], passes: Sequence[Pass], layers: int) -> int:
    """Bytes that a cell takes in the textures of all planes, of which those that a pass gathers have two.

    Args:
        fields: the fields of the world, by name.
        passes: all passes of the world.
        layers: the number of materials in its mixture.
    """
    planes = planes_of(fields)
    gathered = gathered_planes(passes, carried_planes(plane.name for plane in planes))
    return sum(bytes_a_cell(plane, layers) * (2 if plane.name in gathered else 1) for plane in planes)


def device_bytes(
    device: Device,
    variants: Mapping[str, str],
    width: int,
    height: int,
    strip: tuple[int, int] | None = None,
    in_part: bool = False,
) -> int:
    """Bytes of device memory that a simulation holds at its start: planes, second textures, scratch and tiles.

    Args:
        device: the device that would hold it.
        variants: the variant of each rule of the world; see `variants.decide`.
        width, height: in cells.
        strip: as for `Simulation`.
        in_part: True for a part of a world that several simulations share.
    """
    rules = tuple(variants)
    passes = passes_of(rules, variants, in_part)
    strip = strip or strip_of(passes, height, device)
    copies = state_bytes_a_cell(fields_of(rules), passes, _LAYERS)
    scratch = {scratch.name: scratch for pass_ in passes for scratch in (*pass_.writes, *pass_.takes)}.values()
    sizes = [(*invocations(each.over, (width, height), strip), each) for each in scratch]
    texels = [((across, down * each.texels + each.sets * in_part), each.image) for across, down, each in sizes]
    texels.append((moved_size(invocations(Over.STRIPS, (width, height), strip)), MOVED))
    tiles = 0
    for rule in rules:
        activated = [pass_ for pass_ in passes if pass_.tiled_by == rule and pass_.activated_by]
        tile = tile_of(activated, strip, device)
        tiles += tile_bytes(tile_flags_of(rule, rules), (width, height), tile, _LISTS) if activated else 0
    return width * height * copies + tiles + sum(bytes_a_texel(image) * x * y for (x, y), image in texels)


def needed_bytes(device: Device, variants: Mapping[str, str], width: int, height: int) -> int:
    """Bytes of memory that the simulation of a world takes, on the host and on the device together.

    Args:
        device: the device that would hold it.
        variants: the variant of each rule of the world; see `variants.decide`.
        width, height: in cells.
    """
    return sum(_pools(device, variants, width, height)[1].values())


def shortage(device: Device, variants: Mapping[str, str], width: int, height: int, in_part: bool = False) -> str | None:
    """A message if a world does not fit into the free memory: the memory that it needs and the free one; else None.

    Args:
        device: the device that would hold it.
        variants: the variant of each rule of the world; see `variants.decide`.
        width, height: in cells.
        in_part: as for `device_bytes`.
    """
    there, taken = _pools(device, variants, width, height, in_part)
    for pool, size in taken.items():
        lack = shortage_text(named_world(tuple(variants), width, height), size, there[pool], pool)
        if lack is not None:
            return lack
    return None


def longest_side(device: Device, rules: Sequence[str]) -> int:
    """The side of the largest square world whose textures the device can hold."""
    layers = _LAYERS if any(plane.layered for plane in planes_of(fields_of(rules))) else 1
    sides = range(1, device.max_side + 1)
    return bisect_left(sides, True, key=lambda side: not device.can_hold(side, side, layers))


def largest_side(device: Device, variants: Mapping[str, str]) -> int | None:
    """The side of the largest square world that fits in the free memory; None: the free memory is not known."""
    side = longest_side(device, tuple(variants))
    there, taken = _pools(device, variants, side, side)
    if there[_pool(device)] is None:
        return None
    shares = [free / taken[pool] for pool, free in there.items() if free is not None]
    return int(side * min(1.0, *shares) ** 0.5) if shares else side


def _pools(
    device: Device, variants: Mapping[str, str], width: int, height: int, in_part: bool = False
) -> tuple[dict[str, int | None], dict[str, int]]:
    """The free bytes and the needed bytes of a world, by memory: the machine's, and the GPU's if there is one."""
    on_device = device_bytes(device, variants, width, height, in_part=in_part)
    on_host = _HOST_COPIES * host_bytes(tuple(variants), width * height, _LAYERS)
    there: dict[str, int | None] = {"the machine's": machine_memory()}
    if device.software:
        return there, {"the machine's": on_host + on_device}
    return there | {"the GPU's": device.free_memory}, {"the machine's": on_host, "the GPU's": on_device}


def _pool(device: Device) -> str:
    return "the machine's" if device.software else "the GPU's"
