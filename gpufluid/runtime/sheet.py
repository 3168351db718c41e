"""`Sheet`: the worlds of a batch that lie in one atlas, and their passes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gpufluid.core.digest import digest_text, header_lanes
from gpufluid.core.fields import carried_planes
from gpufluid.core.frame import frame_size
from gpufluid.core.runs import Runs
from gpufluid.gpu import generated
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_editing import BatchEditing, StrokesDispatch
from gpufluid.gpu.batch_ledgers import BatchLedgers
from gpufluid.gpu.batch_observing import BatchObserving
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.batch_ports import BatchPorts, BatchSchedule
from gpufluid.gpu.batched import Batched
from gpufluid.gpu.carried import all_carried
from gpufluid.gpu.counting import Counting
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.images import Image
from gpufluid.gpu.ledger import ledger_words
from gpufluid.gpu.planes import SUMMED_ROWS
from gpufluid.gpu.shares import strip_in_batch
from gpufluid.gpu.tick_block import TickBlock, WorldBuffer
from gpufluid.gpu.word_writer import WordWriter
from gpufluid.rules import MOVED, Schedule
from gpufluid.rules.passes import gathered_planes
from gpufluid.runtime.planning import Planner
from gpufluid.runtime.port_sets import PortSet
from gpufluid.scene.strokes import Stroke
from gpufluid.world import World
from gpufluid.world.kinds import kinds_among
from gpufluid.world.limits import cells_left
from gpufluid.world.statistics import Statistics


class FirstState:
    """The first state of one world of a batch or of several, and what follows from it, computed once.

    Args:
        world: the state; nobody changes it.
    """

    def __init__(self, world: World) -> None:
        self.world = world

    @cached_property
    def ports(self) -> PortSet:
        """The emitters and drains."""
        return PortSet(self.world.schedule())

    @cached_property
    def edit_room(self) -> int:
        """The number of cells that can be painted before an entry of a ledger could pass its limit."""
        return cells_left(self.world.ledgers, self.world.laws)

    @cached_property
    def ledger_words(self) -> np.ndarray:
        """The ledgers, (words,) uint32; see `gpu.ledger.ledger_words`."""
        return ledger_words(self.world)


@dataclass(frozen=True)
class Member:
    """A world of a batch.

    Args:
        first: its first state. Several members may have the same.
        seed: its seed, in place of the world's own.
        ports: its present emitters and drains, in place of those of the first state.
    """

    first: FirstState
    seed: int
    ports: PortSet

    @property
    def world(self) -> World:
        """Its first state, with the seed that the state was given with."""
        return self.first.world


class Sheet:
    """Some worlds of a batch on the device, in one atlas.

    Args:
        device: the device that runs them. It must be current in all calls.
        members: the worlds, at least one.
        atlas: their places.
        variants: the variant of each rule.
        materials: the materials that the worlds can come to have.
        sleeping: whether tiles in which nothing can change are left out.
    """

    def __init__(
        self,
        device: Device,
        members: Sequence[Member],
        atlas: Atlas,
        variants: Mapping[str, str],
        materials: frozenset[int],
        sleeping: bool,
    ) -> None:
        self._device, self._members, self.atlas = device, list(members), atlas
        worlds = [member.world for member in members]
        self._blank = worlds[0].blank()
        names = {plane.name for plane in self._blank.planes}
        schedule = self._blank.schedule(variants)
        carried = carried_planes(names)
        strip = strip_in_batch(schedule.passes, frame_size(*self._size, self._blank.gravity), device)
        self._planes = BatchPlanes(device, worlds, atlas, gathered_planes(schedule.passes, carried))
        self._ledgers = BatchLedgers(device, [member.first.ledger_words for member in members])
        schedules = [member.ports.schedule for member in members]
        self._ports = BatchPorts(device, self._blank, schedules, [name for name in all_carried() if name in names])
        self._worlds = WorldBuffer(device, len(members))
        self._clock = 0  # ticks of the sheet; the tick of each world differs from it by a constant
        self._ticks = np.array([world.tick for world in worlds], np.int64)
        schedule = BatchSchedule(schedule.laws, (), (), variants, ports=self._ports)
        self._ports.begin(self._ticks)
        self._texts = texts = generated.for_world(self._blank, batched=True)
        batched = Batched(atlas, self._worlds, self._ports)
        held = self._planes, self._ledgers, None
        kinds = kinds_among(self._blank.laws, materials)
        self._block = TickBlock(device, self._blank.domain, 0, self._blank.gravity)
        self._planner = Planner(device, self._blank, *held, schedule, strip, texts, kinds, sleeping, batched)
        self._writer = WordWriter(device)
        self._counting: Counting | None = None
        self._editing: BatchEditing | None = None
        self._observing: BatchObserving | None = None
        images = [Image("counts", MOVED, "readonly")]
        self._sum = Program(device, "sum/sum.comp", images, device.group_size, {}, atlas)
        self._begin(np.arange(len(members)))

    @property
    def _size(self) -> tuple[int, int]:
        return self._blank.width, self._blank.height

    @property
    def ticks(self) -> np.ndarray:
        """(worlds,) int64: the current tick of each world."""
        return self._ticks.copy()

    @property
    def planes(self) -> BatchPlanes:
        """The planes of all worlds."""
        return self._planes

    def _begin(self, numbers: np.ndarray) -> None:
        """Begin with the first tick of some worlds, by index: wake their tiles."""
        for number in numbers.tolist():
            self._ticks[number] = self._members[number].world.tick
        self._worlds.write(self._ticks - self._clock, [member.seed for member in self._members])
        self._wake(numbers)

    def _wake(self, numbers: np.ndarray) -> None:
        """Wake all tiles of some worlds, by index, from their current ticks on."""
        ticks = (self._ticks & 0xFFFFFFFF).astype("<u4")
        for tiles in self._planner.tiles.values():
            tiles.wake_worlds(numbers, ticks[numbers])

    def tick(self) -> None:
        """Queue one tick of all worlds."""
        self._ports.begin(self._ticks)
        self._block.begin(self._clock)
        for tiles in self._planner.tiles.values():
            tiles.clear_lists()
        self._planner.begin_tick()
        for call in self._planner.plan(self._clock):
            call.dispatch.run()
            call.swap()
        self._device.barrier()
        self._clock += 1
        self._ticks += 1

    def prepare_paint(self, strokes: Mapping[int, tuple[Stroke, Runs]]) -> Callable[[], None]:
        """Make room for the strokes of some worlds, by their indices. Returns: applies them, and wakes their tiles.

        Raises: DeviceError: there is too little memory.
        """
        if not strokes:
            return lambda: None
        if self._editing is None:
            held = self._planes, self._ledgers, self._worlds
            self._editing = BatchEditing(self._device, self._blank, self._texts, *held, self.atlas)
        self._writer.reserve(len(strokes))
        editing, prepared = self._editing, self._editing.prepare(strokes)
        return lambda: self._paint(editing, prepared, strokes)

    def _paint(self, editing: BatchEditing, prepared: Sequence[StrokesDispatch], strokes: Collection[int]) -> None:
        self._block.begin(self._clock)
        editing.apply(prepared)
        numbers = np.array(sorted(strokes))
        self._ledgers.disturb(numbers, self._ticks[numbers], self._writer)
        self._wake(numbers)

    def observing(self) -> BatchObserving:
        """The packer of observations, with its programs compiled."""
        if self._observing is None:
            held = self._planes, self._worlds
            self._observing = BatchObserving(self._device, self._blank, self._texts, *held, self.atlas)
        self._block.begin(self._clock)
        return self._observing

    def forget_late(self) -> None:
        """Forget what was requested late, of fields and observations: the next two calls return None."""
        self._planes.forget_late()
        if self._observing is not None:
            self._observing.forget_late()

    def admit(self, materials: frozenset[int]) -> None:
        """Prepare for the materials that the worlds can come to have from now on."""
        before = self._planner.passes
        self._planner.admit(kinds_among(self._blank.laws, materials), self._clock)
        if self._planner.passes != before:  # passes that have not run have noted nothing
            self._wake(np.arange(len(self._members)))

    def make_room(self, members: Mapping[int, Member]) -> None:
        """Make room for the ports of other members, by index, before they are used.

        Raises: DeviceError: there is too little memory, or their records are more than a storage buffer can hold. Then
            nothing has changed.
        """
        schedules = self._other_schedules(members)
        if schedules and self._ports.make_room(schedules):
            self._planner.forget_plans()

    def replace(self, members: Mapping[int, Member], other_worlds: bool) -> None:
        """Replace the first states of some worlds, after `make_room`; `restore` then begins with them.

        Args:
            members: by index.
            other_worlds: False if only the seeds are others.
        """
        self._use(members)
        if other_worlds and members:
            self._planes.keep_first({number: member.world for number, member in members.items()})

    def replace_ports(self, members: Mapping[int, Member]) -> None:
        """Use the ports of members that have others than before, by index, from the next tick on.

        The tiles of the ports that come and go wake. `make_room` must have been called with the same members.
        """
        if not members:
            return
        changed = [
            (number, *port.at, *port.size)
            for number, member in members.items()
            for port in self._members[number].ports.every ^ member.ports.every
        ]
        self._use(members)
        numbers = np.array(sorted(members))
        self._ledgers.disturb(numbers, self._ticks[numbers], self._writer)
        if changed:
            table = np.array(changed)
            ticks = self._ticks[table[:, 0]]
            self._planner.wake_in_worlds(table[:, 1:3], table[:, 3:], table[:, 0], ticks, self._writer)

    def _use(self, members: Mapping[int, Member]) -> None:
        """Use other members, by index."""
        schedules = self._other_schedules(members)
        for number, member in members.items():
            self._members[number] = member
        if schedules and self._ports.replace(schedules):
            self._planner.forget_plans()

    def _other_schedules(self, members: Mapping[int, Member]) -> dict[int, Schedule]:
        """The schedules of those among other members, by index, that have other ports."""
        own = self._members
        return {n: member.ports.schedule for n, member in members.items() if member.ports is not own[n].ports}

    def restore(self, chosen: np.ndarray) -> None:
        """Begin the chosen worlds, (worlds,) bool, again with their first states."""
        numbers = np.flatnonzero(chosen)
        if not len(numbers):
            return
        buffer = self._device.buffer(data=chosen.astype("<u4").tobytes())
        self._planes.restore(buffer)
        buffer.release()
        moved = self._planner.moved
        width, height = self.atlas.block(moved)
        for number in numbers.tolist():
            self._ledgers.begin(number, self._members[number].first.ledger_words)
            self.atlas.write_block(moved, number, np.zeros((height, width, 2), "<u4"))
        self._begin(numbers)

    def digests(self) -> list[str]:
        """The digest of each world."""
        each = zip(self._ticks.tolist(), self._members, strict=True)
        lanes = np.stack([header_lanes(*self._size, tick, member.seed) for tick, member in each])
        buffer = self._device.buffer(data=lanes.astype("<u4").tobytes())
        self._planes.add_digests(buffer)
        found = np.frombuffer(buffer.read(), "<u4").reshape(-1, 4)
        buffer.release()
        return [digest_text(own) for own in found]

    def statistics(self) -> list[Statistics]:
        """The statistics of each world."""
        if self._counting is None:
            self._counting = Counting(self._device, self._blank, self._planes, self.atlas)
        return self._counting.of_worlds(self._ticks.tolist())

    def moved(self) -> np.ndarray:
        """(worlds,) uint64: units of mass, or of a mixture, that moved between cells of each world in the last tick."""
        size = 8 * self.atlas.count
        buffer = self._device.buffer(data=bytes(size))
        columns, rows = self._planner.strips
        uniforms = {"size": (columns, rows), "rows": SUMMED_ROWS}
        self._sum.dispatch((columns, -(-rows // SUMMED_ROWS)), [self._planner.moved], uniforms, [buffer])
        total = np.frombuffer(buffer.read(size), "<u8")
        buffer.release()
        return total + self._ledgers.read_moved()

    def ledger_heads(self) -> np.ndarray:
        """The first words of each world's ledgers, (worlds, words) uint32; see `gpu.ledger.changed_in`."""
        return self._ledgers.heads()

    def ledger_words(self) -> np.ndarray:
        """The ledgers of each world, (worlds, words) uint32; see `gpu.ledger.ledgers_from`."""
        return self._ledgers.read()

    def release(self) -> None:
        """Release textures and buffers."""
        parts = self._planner, self._planes, self._ledgers, self._block, self._worlds, self._writer
        with ExitStack() as stack:  # the rest is released if one fails
            for part in (*parts, self._counting, self._editing, self._observing):
                if part is not None:
                    stack.callback(part.release)
