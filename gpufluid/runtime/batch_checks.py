"""Checks of the worlds of a batch: equal laws, and the room that they need."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from gpufluid.core.errors import ShortageError, WorldError, shown
from gpufluid.core.frame import frame_size
from gpufluid.core.memory import in_units
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_ledgers import bytes_for
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import device_bytes, plane_bytes
from gpufluid.gpu.shares import strip_in_batch
from gpufluid.rules import passes_of
from gpufluid.world import World
from gpufluid.world.footprint import named_world

_STATES = 3
"""Copies of the state beside those of a simulation: the first states, and two on the host while they are uploaded."""


def check_alike(worlds: Sequence[World], first: str = "worlds[0]") -> None:
    """Check that all worlds are valid and have the laws of the first one; their seeds may differ.

    Args:
        worlds: at least one.
        first: the words for the first one in messages. If it is not ``worlds[0]``, the others are counted from 0.
    Raises: WorldError: it names a world, and what differs.
    """
    skipped = 0 if first == "worlds[0]" else 1
    checked: set[int] = set()
    for number, world in enumerate(worlds):
        if not isinstance(world, World):
            raise WorldError(f"worlds[{number - skipped}]", f"{shown(world)}; expected a World")
        if id(world) in checked:
            continue
        checked.add(id(world))
        try:
            world.validate()
        except WorldError as error:
            raise WorldError(f"worlds[{number - skipped}].{error.field}", error.message) from None
        for name, found, expected in _differences(world, worlds[0]):
            message = f"{found}; expected {expected}, as {first}: the worlds of a batch have the same laws"
            raise WorldError(f"worlds[{number - skipped}].{name}", message)


def _differences(world: World, other: World) -> Iterator[tuple[str, str, str]]:
    """Yield each law in which two worlds differ: its name, its value in the first, its value in the other."""
    if (world.width, world.height) != (other.width, other.height):
        yield "size", f"{world.width} by {world.height} cells", f"{other.width} by {other.height}"
    for name in ("rules", "edges", "gravity", "domain"):
        own, wanted = getattr(world, name), getattr(other, name)
        if own != wanted:
            yield name, shown(own), shown(wanted)
    if world.rules == other.rules:
        for rule in world.rules:
            for name, value in world.parameters[rule].items():
                if value != other.parameters[rule][name]:
                    yield f"{rule}.{name}", shown(value), shown(other.parameters[rule][name])
    tables = {
        "materials": (world.materials, other.materials),
        "reactions": (world.reactions, other.reactions),
        "mixture.constituents": (world.mixture.constituents, other.mixture.constituents),
        "mixture.conversions": (world.mixture.conversions, other.mixture.conversions),
    }
    for name, (own, wanted) in tables.items():
        if tuple(own) != tuple(wanted):
            yield name, *_first_difference(tuple(own), tuple(wanted))


def _first_difference(own: Sequence[Any], other: Sequence[Any]) -> tuple[str, str]:
    """The first value in which two tables of records differ, in words: in the first table, and in the other."""
    if len(own) != len(other):
        return f"{len(own)} entries", str(len(other))
    number = next(number for number, (one, two) in enumerate(zip(own, other, strict=True)) if one != two)
    one, two = own[number], other[number]
    key = fields(one)[0].name  # the name of the record
    if getattr(one, key) != getattr(two, key):
        return f"entry {number} is {shown(getattr(one, key))}", shown(getattr(two, key))
    column = next(each.name for each in fields(one) if getattr(one, each.name) != getattr(two, each.name))
    return f"{shown(getattr(one, key))} has {column} {shown(getattr(one, column))}", shown(getattr(two, column))


def worlds_a_sheet(device: Device, world: World) -> int:
    """The most worlds like this one that one set of textures and buffers of the device can hold; at least 1."""
    most = Atlas.most(device, (world.width, world.height), max(len(world.mixture), 1))
    room = device.storage_bytes - bytes_for(0)
    return max(min(most, room // (bytes_for(1) - bytes_for(0))), 1)


def check_batch_room(device: Device, variants: Mapping[str, str], world: World, count: int, named: str) -> None:
    """Raise ShortageError if so many worlds do not fit into the free memory; the message says how many would.

    Args:
        device: the device.
        variants: the variant of each rule.
        world: any of the worlds.
        count: their number.
        named: the argument that gives this number, such as ``count``.
    """
    cells = world.width * world.height
    state = plane_bytes(world.fields, cells, len(world.mixture))
    size = world.width, world.height
    strip = strip_in_batch(passes_of(world.rules, variants), frame_size(*size, world.gravity), device)
    each = device_bytes(device, variants, *size, strip) + _STATES * state + bytes_for(1) - bytes_for(0)
    a_sheet = worlds_a_sheet(device, world)

    def needed(worlds: int) -> int:
        return each * _texels(device, size, worlds, a_sheet) // cells

    free = device.free_memory
    if free is not None and needed(count) > free:
        one = named_world(world.rules, world.width, world.height)
        taken = f"{count} times {one} take about {in_units(needed(count))}"
        most = bisect_right(range(min(count, free) + 1), free, key=needed) - 1
        # The memory does not always grow with the number: a grid of other sides can have fewer unused columns.
        most = max((worlds for worlds in range(most, min(count, most + 64)) if needed(worlds) <= free), default=most)
        message = f"{taken}; {in_units(free)} are free ({device.renderer}): at most {most} would fit"
        raise ShortageError(named, message)


def _texels(device: Device, block: tuple[int, int], count: int, most: int) -> int:
    """The number of texels, used or not, in one layer of one plane of all atlases.

    Args:
        device: the device.
        block: (width, height) of a world, in cells.
        count: the number of worlds.
        most: the most worlds in one atlas.
    """
    full, rest = divmod(count, most)
    atlases = [(times, Atlas.of(device, block, worlds)) for times, worlds in ((full, most), (1, rest)) if worlds]
    return sum(times * columns * rows for times, atlas in atlases for columns, rows in [atlas.size(device, block)])
