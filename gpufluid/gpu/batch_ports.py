"""The emitters and drains of the worlds of a batch, and the calls that serve them in all worlds at once.

Worlds may have different ports. A *slot* is the n-th emitter that one rule serves, or the n-th drain; each world has a
record for each slot. One dispatch serves slots in all worlds. A record whose size is 0 by 0 does nothing: its world
has no such port, or the port does not act in this tick of the world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

import moderngl
import numpy as np

from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Uniform
from gpufluid.gpu.growing import GrowingBuffer
from gpufluid.gpu.ports import describe, record_layout, served
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.rules import Call, Over, Pass, Schedule, works_for
from gpufluid.rules.serving import meeting
from gpufluid.world import World

_DRAINED = ""
"""In place of the rule in the key of a slot of drains, which all rules serve."""

_SLOTS_KEPT = 16
"""Slots that stay although most of them are not used, so that ports can come and go."""

_DESCRIBED_MOST = 4096
"""The most ports of which the record is kept."""


@dataclass(frozen=True, slots=True)
class SlotCall(Call):
    """A run of a pass that serves a slot.

    In place of the ports of all worlds ``port`` is a drain as large as the largest of them: only its size is used.

    Args:
        slot: the index of the slot.
    """

    slot: int = 0


class BatchPorts:
    """The ports of each world of a batch, on the device.

    Args:
        device: the device that holds them.
        world: any of the worlds, which have the same laws; its arrays and ports are not read.
        schedules: the schedule of each world, with its ports.
        carried: the planes that their atoms carry.
    Raises: DeviceError: their records are more than a storage buffer can hold.
    """

    def __init__(self, device: Device, world: World, schedules: Sequence[Schedule], carried: Sequence[str]) -> None:
        self._device, self._world, self._carried = device, world, tuple(carried)
        self._layout = record_layout(carried)
        self._described: dict[Emitter | Drain, np.ndarray] = {}
        self._meeting: dict[tuple[tuple[int, int], tuple[int, int] | None], np.ndarray] = {}  # by `meeting`'s arguments
        self._own = [list(_slots_of(schedule)) for schedule in schedules]
        self._keys: dict[tuple[str, int], int] = {}
        self._buffer = GrowingBuffer(device, "the emitters and drains of a batch", least=self._layout.itemsize)
        keys = self._keys_with({})
        self._buffer.reserve(self._bytes_of(keys))
        self._lay_out(keys)

    def make_room(self, schedules: Mapping[int, Schedule]) -> bool:
        """Make the buffer large enough for other ports of some worlds; arguments as for `replace`.

        Returns: True if there is another buffer, to which calls that were prepared before must not refer.
        Raises: DeviceError: there is too little memory, or their records are more than a storage buffer can hold. Then
            nothing has changed.
        """
        before = self._buffer.size
        self._buffer.reserve(self._bytes_of(self._keys_with(schedules)))
        if self._buffer.size == before:
            return False
        self._acting = np.zeros((0, 0), bool)  # the next `begin` writes all records
        return True

    def replace(self, schedules: Mapping[int, Schedule]) -> bool:
        """Use the ports of other schedules for some worlds, by index, after `make_room`. The next `begin` writes them.

        Slots are added where they are needed. Those that no world uses any longer stay, until they are more than half.

        Returns: True if the slots are others; then calls that were prepared before no longer find their records.
        """
        keys = self._keys_with(schedules)
        for number, schedule in schedules.items():
            self._own[number] = list(_slots_of(schedule))
        if keys != self._keys.keys():
            self._lay_out(keys)
            return True
        for number in schedules:
            self._describe(number)
        self._acting = np.zeros((0, 0), bool)
        return False

    def _keys_with(self, schedules: Mapping[int, Schedule]) -> Set[tuple[str, int]]:
        """The keys of the slots, if some worlds have the ports of other schedules, by index."""
        used = {key for schedule in schedules.values() for key, _ in _slots_of(schedule)}
        for number, own in enumerate(self._own):
            if number not in schedules:
                used.update(key for key, _ in own)
        every = used | self._keys.keys()
        return used if len(every) > max(2 * len(used), _SLOTS_KEPT) else every

    def _bytes_of(self, keys: Set[tuple[str, int]]) -> int:
        """Bytes of the records of all worlds, with a slot for each key."""
        return len(self._own) * len(keys) * self._layout.itemsize

    def _lay_out(self, keys: Set[tuple[str, int]]) -> None:
        """Make the records anew, with a slot for each key."""
        ordered = sorted(keys, key=lambda key: (key[1], key[0]))
        self._keys = {key: slot for slot, key in enumerate(ordered)}
        shape = len(self._own), len(ordered)
        self._records = np.zeros(shape, self._layout)
        self._start, self._until = np.ones(shape, np.int64), np.zeros(shape, np.int64)  # without a port: never
        for number in range(len(self._own)):
            self._describe(number)
        self._acting = np.zeros((0, 0), bool)  # not yet known
        self._sizes = ((0, 0),) * len(ordered)

    def _describe(self, number: int) -> None:
        """Fill the records of a world, by index."""
        self._meeting.clear()
        self._start[number], self._until[number] = 1, 0
        for key, port in self._own[number]:
            slot = self._keys[key]
            self._records[number, slot] = self._record(port)
            self._start[number, slot] = port.start
            self._until[number, slot] = COUNT_LIMIT if port.until is None else port.until

    def _record(self, port: Emitter | Drain) -> np.ndarray:
        """The record of a port, made once."""
        if port not in self._described:
            if len(self._described) >= _DESCRIBED_MOST:
                self._described.clear()
            record = np.zeros(1, self._layout)
            describe(record[0], port, self._world, self._carried)
            self._described[port] = record[0]
        return self._described[port]

    def begin(self, ticks: np.ndarray) -> None:
        """Begin a tick: (worlds,) int64, the tick of each world. Records are written if other ports act than before."""
        acting = (self._start <= ticks[:, None]) & (ticks[:, None] < self._until)
        if np.array_equal(acting, self._acting):
            return
        self._acting = acting
        shown = self._records.copy()
        shown["size"][~acting] = 0
        self._sizes = tuple((int(width), int(height)) for width, height in shown["size"].max(axis=0))
        if shown.nbytes:
            self._device.overwrite(self.buffer, shown.tobytes())

    @property
    def buffer(self) -> moderngl.Buffer:
        """The records of all worlds; `replace` can exchange it for a larger one."""
        return self._buffer.reserve(self._records.nbytes)

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """The largest (width, height) of the acting ports of each slot; (0, 0) if none acts."""
        return self._sizes

    def meeting(self, beside: tuple[int, int], around: tuple[int, int] | None) -> np.ndarray:
        """The pairs of slots of which the ports meet in some world, whether they act or not: (slots, slots) bool.

        Args:
            beside, around: as for `serving.meeting`.
        """
        if (beside, around) not in self._meeting:
            places, sizes = self._records["at"].astype(np.int64), self._records["size"].astype(np.int64)
            sizes[self._start >= self._until] = 0
            unlike = np.unique(np.concatenate([places, sizes], axis=2), axis=0)
            self._meeting[beside, around] = meeting(unlike[..., :2], unlike[..., 2:], beside, around)
        return self._meeting[beside, around]

    def calls(self, pass_: Pass, tick: int, substep: int, substeps: int, layer: int) -> Iterator[SlotCall]:
        """The calls of a pass over ports, one for each slot that it serves and in which a port acts in some world."""
        for (rule, number), slot in self._keys.items():
            served = rule == _DRAINED if pass_.over is Over.DRAINS else rule != _DRAINED and works_for(pass_, rule)
            if served and self._sizes[slot] != (0, 0):
                yield SlotCall(pass_, tick, substep, substeps, Drain((0, 0), self._sizes[slot]), number, layer, slot)

    def uniforms(self, calls: Sequence[Call]) -> dict[str, Uniform]:
        """The uniforms of some calls that a dispatch serves together; ``ports_a_world`` is the number of slots."""
        slots = served((call.slot if isinstance(call, SlotCall) else 0, call) for call in calls)
        return {**slots, "ports_a_world": len(self._keys)}

    def release(self) -> None:
        """Release the buffer."""
        self._buffer.release()


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

    def _meeting(self, calls: Sequence[Call]) -> np.ndarray:
        slots = [call.slot for call in calls if isinstance(call, SlotCall)]
        return self.ports.meeting(self._beside_ports(calls[0].pass_), self._around)[np.ix_(slots, slots)]

    def acting(self, tick: int) -> tuple[object, ...]:  # noqa: ARG002 (`BatchPorts.begin` has the ticks)
        """The largest acting port of each slot, and the slots that meet. If it is the same, the calls are."""
        besides = dict.fromkeys(self._beside_ports(pass_) for pass_ in self.passes if pass_.over.serves_ports)
        return self.ports.sizes, *(self.ports.meeting(beside, self._around).tobytes() for beside in besides)


def _slots_of(schedule: Schedule) -> Iterator[tuple[tuple[str, int], Emitter | Drain]]:
    """Yield (rule, number) and port of each port of a schedule that a rule serves."""
    for number, emitter in enumerate(schedule.emitters):
        rule = schedule.emitting[number]
        if rule is not None:
            yield (rule, number), emitter
    for number, drain in enumerate(schedule.drains):
        yield (_DRAINED, number), drain
