"""The emitters and drains of the worlds of a batch, and the calls that serve them in all worlds at once.

Worlds may have different ports. A *slot* is the n-th emitter that one rule serves, or the n-th drain; each world has a
record for each slot. One dispatch serves a slot in all worlds. A record whose size is 0 by 0 does nothing: its world
has no such port, or the port does not act in this tick of the world.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import moderngl
import numpy as np

from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Uniform
from gpufluid.gpu.ports import describe, record_layout
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.rules import Call, Over, Pass, Schedule, works_for
from gpufluid.world import World

_DRAINED = ""
"""In place of the rule in the key of a slot of drains, which all rules serve."""


@dataclass(frozen=True, slots=True)
class SlotCall(Call):
    """A run of a pass that serves a slot; ``port`` stands for the ports of all worlds, and is as large as the largest.

    Args:
        slot: the index of the slot.
    """

    slot: int = 0


class BatchPorts:
    """The ports of each world of a batch, on the device.

    Args:
        device: the device that holds them.
        worlds: the worlds, which have the same laws; their arrays are not read.
        carried: the planes that their atoms carry.
    """

    def __init__(self, device: Device, worlds: Sequence[World], carried: Sequence[str]) -> None:
        self._device, self._carried = device, tuple(carried)
        self._layout = record_layout(carried)
        self.buffer: moderngl.Buffer = device.buffer(self._layout.itemsize)
        self._own = [list(_slots_of(world)) for world in worlds]
        self._laws = worlds[0]
        self.lay_out()

    def replace(self, number: int, world: World) -> None:
        """Use the ports of another world for that of an index; call `lay_out` after all."""
        self._own[number] = list(_slots_of(world))

    def lay_out(self) -> None:
        """Make the records anew, after `replace`. The next `begin` writes them."""
        keys = sorted({key for own in self._own for key, _ in own}, key=lambda key: (key[1], key[0]))
        self._keys = {key: slot for slot, key in enumerate(keys)}
        shape = len(self._own), len(keys)
        self._records = np.zeros(shape, self._layout)
        self._start, self._until = np.ones(shape, np.int64), np.zeros(shape, np.int64)  # without a port: never
        self._ports: list[dict[int, Emitter | Drain]] = [{} for _ in keys]  # of each slot, by world
        for world, own in enumerate(self._own):
            for key, port in own:
                slot = self._keys[key]
                describe(self._records[world, slot], port, self._laws, self._carried)
                self._start[world, slot] = port.start
                self._until[world, slot] = COUNT_LIMIT if port.until is None else port.until
                self._ports[slot][world] = port
        self._acting = np.zeros((0, 0), bool)  # not yet known
        if self._records.nbytes > self.buffer.size:
            self.buffer.release()
            self.buffer = self._device.buffer(self._records.nbytes)

    def begin(self, ticks: np.ndarray) -> None:
        """Begin a tick: (worlds,) int64, the tick of each world. Records are written if other ports act than before."""
        acting = (self._start <= ticks[:, None]) & (ticks[:, None] < self._until)
        if np.array_equal(acting, self._acting):
            return
        self._acting = acting
        shown = self._records.copy()
        shown["size"][~acting] = 0
        if shown.nbytes:
            self.buffer.write(shown.tobytes())

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """The largest (width, height) of the acting ports of each slot; (0, 0) if none acts."""
        sizes = np.where(self._acting[:, :, None], self._records["size"], 0).max(axis=0)
        return tuple((int(width), int(height)) for width, height in sizes)

    def calls(self, pass_: Pass, tick: int, substep: int, substeps: int, layer: int) -> Iterator[SlotCall]:
        """The calls of a pass over ports, one for each slot that it serves and in which a port acts in some world."""
        sizes = self.sizes
        for (rule, number), slot in self._keys.items():
            served = rule == _DRAINED if pass_.over is Over.DRAINS else rule != _DRAINED and works_for(pass_, rule)
            if served and sizes[slot] != (0, 0):
                port = replace(next(iter(self._ports[slot].values())), at=(0, 0), size=sizes[slot])
                yield SlotCall(pass_, tick, substep, substeps, port, number, layer, slot)

    def uniforms(self, call: Call) -> dict[str, Uniform]:
        """The uniforms of a call: ``record`` is its slot, ``ports_a_world`` the number of slots."""
        return {"record": call.slot if isinstance(call, SlotCall) else 0, "ports_a_world": len(self._keys)}

    def release(self) -> None:
        """Release the buffer."""
        self.buffer.release()


@dataclass(frozen=True)
class BatchSchedule(Schedule):
    """The schedule of all worlds of a batch at once: as that of one world, but ports are served by slots.

    Args:
        ports: the ports of the worlds.
    """

    ports: BatchPorts = field(kw_only=True)

    def _calls_of(self, pass_: Pass, tick: int, substep: int, substeps: int, layer: int) -> Iterator[Call]:
        if pass_.over.serves_ports:
            yield from self.ports.calls(pass_, tick, substep, substeps, layer)
        else:
            yield Call(pass_, tick, substep, substeps, layer=layer)

    def acting(self, tick: int) -> tuple[tuple[int, int], ...]:  # noqa: ARG002 (`BatchPorts.begin` has the ticks)
        """The largest acting port of each slot; ticks with the same result have the same calls."""
        return self.ports.sizes


def _slots_of(world: World) -> Iterator[tuple[tuple[str, int], Emitter | Drain]]:
    """Yield (rule, number) and port of each port of a world that a rule serves."""
    emitting = world.schedule().emitting
    for number, emitter in enumerate(world.emitters):
        rule = emitting[number]
        if rule is not None:
            yield (rule, number), emitter
    for number, drain in enumerate(world.drains):
        yield (_DRAINED, number), drain
