"""The emitters and drains of a world on the device: one record for each in a storage buffer.

A dispatch over the cells of some emitters or drains reads their records; its rows of invocations are divided among
them. So to change ports only records are written, and no program is compiled. Twin of ``shaders/lib/ports.glsl``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Uniform
from gpufluid.matter.ports import Drain, Emitter, speed_units, units
from gpufluid.rules import Call
from gpufluid.rules.passes import TRACE
from gpufluid.rules.serving import SERVED_MOST
from gpufluid.world import World

BINDING = 2
"""Binding of the storage buffer of ports; the ledgers have 0, the tiles have 1."""

ALL = -1
"""The rate of a drain that takes everything."""

# GLSL type, name and comment. Pairs stand before single words, so that std430 leaves no gaps.
_MEMBERS = (
    ("ivec2", "at", "its first cell, (column, row)"),
    ("ivec2", "size", "(width, height) in cells"),
    ("ivec2", "velocity", "of new matter, 1/16 cell a tick, in the directions of the world"),
    ("int", "rate", f"units a tick; {ALL}: everything"),
    ("int", "level", "units up to which an emitter fills a cell"),
    ("uint", "chance", "probability that a cell emits in a tick, in 2**-31"),
    ("uint", "atom_chance", "probability that an atom is emitted, or drained, in a tick, in 2**-31"),
    ("int", "material", "number of the emitted material"),
    ("int", "layer", "layer of the material in the mixture; -1: not part of the mixture"),
    ("int", "warmer", "heat of a full cell of new water by mass or mixture, in the units of its field"),
    ("int", "scatter", "largest difference of an atom's velocity from the emitter's, 1/16 cell a tick"),
)
_TYPES = {"ivec2": ("<i4", 2), "int": ("<i4",), "uint": ("<u4",)}


def _members(carried: Sequence[str]) -> list[tuple[str, str, str]]:
    """All members of a record, with a word ``emitted_<plane>`` for each plane that atoms carry."""
    members = [*_MEMBERS, *(("uint", f"emitted_{name}", "the new atom's word") for name in carried if name != TRACE)]
    words = sum(2 if kind == "ivec2" else 1 for kind, _, _ in members)
    return [*members, *[("uint", "unused", "records are aligned to pairs")] * (words % 2)]


def ports_glsl(carried: Sequence[str], batched: bool = False) -> str:
    """``generated/ports.glsl``: ``struct Port``, and the buffer ``ports`` with emitters before drains.

    Args:
        carried: the planes that atoms carry in the world.
        batched: whether the program is for a batch; then uniform ``ports_a_world`` is the number of records of each
            world, see `gpu.batch_ports`.
    """
    members = "".join(f"    {kind} {name}; // {about}\n" for kind, name, about in _members(carried))
    buffer = f"layout(std430, binding = {BINDING}) readonly buffer PortsBuffer {{ Port ports[]; }};\n"
    index = "batch_world * ports_a_world + number" if batched else "number"
    own = '#include "generated/world.glsl"\nuniform int ports_a_world;\n' if batched else ""
    record = f"{own}Port port_record(int number) {{ return ports[{index}]; }}\n"
    numbers = f"const int RATE_ALL = {ALL};\nconst int SERVED_MOST = {SERVED_MOST};\n"
    return f"{numbers}struct Port\n{{\n{members}}};\n{buffer}{record}"


def emitted_glsl(carried: Sequence[str]) -> str:
    """``generated/emitted.glsl``: ``emitted_carried(port)``, the carried words of a new atom of an emitter."""
    words = ", ".join("0u" if name == TRACE else f"port.emitted_{name}" for name in carried) or "0u"
    includes = '#include "generated/carried.glsl"\n#include "generated/ports.glsl"\n'
    return f"{includes}Carried emitted_carried(Port port) {{ return Carried({words}); }}\n"


def record_layout(carried: Sequence[str]) -> np.dtype:
    """The NumPy type of a record."""
    return np.dtype([(name, *_TYPES[kind]) for kind, name, _ in _members(carried)])


def describe(record: np.void, port: Emitter | Drain, world: World, carried: Sequence[str]) -> None:
    """Fill the record of a port; ``carried``: the planes that atoms carry in the world."""
    record["at"], record["size"] = port.at, port.size
    record["rate"] = ALL if port.rate is None else units(port.rate)
    record["atom_chance"] = port.atom_chance
    if isinstance(port, Emitter):
        _describe_emitter(record, port, world, carried)


def _describe_emitter(record: np.void, emitter: Emitter, world: World, carried: Sequence[str]) -> None:
    names = world.mixture.names
    record["velocity"], record["scatter"] = emitter.velocity_units, speed_units(emitter.scatter)
    record["level"], record["chance"] = emitter.level_units, emitter.chance_fixed
    record["material"] = world.materials[emitter.material]
    record["warmer"] = sum(world.new_amount(emitter.temperature, emitter.material).values())
    record["layer"] = names.index(emitter.material) if emitter.material in names else -1
    for plane, word in world.new_atom_words(emitter.material, emitter.temperature).items():
        if plane in carried:
            record[f"emitted_{plane}"] = word


class PortBuffer:
    """The records of one world's emitters and drains.

    Args:
        device: the device that holds them.
        world: the world with the ports.
        carried: the planes that its atoms carry.
    """

    def __init__(self, device: Device, world: World, carried: Sequence[str]) -> None:
        self._device, self._carried = device, tuple(carried)
        self._layout = record_layout(carried)
        self.buffer: moderngl.Buffer = device.buffer(self._layout.itemsize * max(_count(world), 1))
        self.write(world)

    def write(self, world: World) -> None:
        """Write the ports of a world with the same laws. A larger buffer is made if the present one is too small."""
        self._emitters = len(world.emitters)
        records = np.zeros(_count(world), self._layout)
        for record, port in zip(records, (*world.emitters, *world.drains), strict=True):
            describe(record, port, world, self._carried)
        if records.nbytes > self.buffer.size:
            self.buffer.release()
            self.buffer = self._device.buffer(records.nbytes)
        if len(records):
            self._device.overwrite(self.buffer, records.tobytes())

    def uniforms(self, calls: Sequence[Call]) -> dict[str, Uniform]:
        """The uniforms of some calls that a dispatch serves together; the records have emitters before drains."""
        return served((call.number + (self._emitters if isinstance(call.port, Drain) else 0), call) for call in calls)

    def release(self) -> None:
        """Release the buffer."""
        self.buffer.release()


def served(records: Iterable[tuple[int, Call]]) -> dict[str, Uniform]:
    """The uniform ``served``, by which a dispatch finds its ports: the record and the number of each.

    Args:
        records: the index of the record of each call's port, and the call.
    """
    found = [(record, call.number) for record, call in records]
    return {"served": (*found, *[(0, 0)] * (SERVED_MOST - len(found)))}


def _count(world: World) -> int:
    return len(world.emitters) + len(world.drains)
