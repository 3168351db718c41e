"""`Batch`: many small worlds of one size and one set of laws, which step together on the GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Self, overload

import numpy as np

from gpufluid.core.dlpack import DeviceTensor
from gpufluid.core.errors import UnknownFieldError, UsageError, WorldError, did_you_mean, shown
from gpufluid.core.interrupts import held_back
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.device import Device, chosen_device, in_forked_process
from gpufluid.gpu.footprint import plane_bytes
from gpufluid.gpu.ledger import changed_in, ledgers_from, ticks_without_activity
from gpufluid.gpu.memory import Allocations, Memory
from gpufluid.gpu.readback import together
from gpufluid.gpu.variants import Wanted, decide
from gpufluid.render.look import Look
from gpufluid.render.settings import PictureSettings
from gpufluid.runtime.batch_checks import check_alike, check_batch_room, worlds_a_sheet
from gpufluid.runtime.batch_drawing import BatchDrawing
from gpufluid.runtime.batch_members import (
    Given,
    checked_mask,
    checked_seeds,
    first_of,
    firsts,
    listed,
    make_members,
    materials_of,
    steps_left,
)
from gpufluid.runtime.batch_observation import Observation
from gpufluid.runtime.batch_painting import painted_worlds
from gpufluid.runtime.batch_state import BatchState
from gpufluid.runtime.port_sets import GivenDrains, GivenEmitters, PortSets, most_with_any_ports, replaced_ports
from gpufluid.runtime.sheet import Member, Sheet
from gpufluid.scene.observed import check_observation
from gpufluid.scene.strokes import Laying, Stroke
from gpufluid.world import World
from gpufluid.world.kinds import materials_in
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.limits import cells_left, check_edit, check_entries, check_step, ticks_left
from gpufluid.world.statistics import Statistics

if TYPE_CHECKING:
    import moderngl


class Batch:
    """Many worlds of one size, one set of rules and laws, which step together. Each is exactly what it would be alone.

    The worlds may differ in their cells, seeds, ticks, ledgers, emitters and drains.

    Args:
        worlds: the first states, each a `World`; they are copied and stay as they are. Or one `World`, with ``count``.
        count: the number of worlds that begin with the one given; only if ``worlds`` is one `World`.
        seeds: a seed for each world. By default worlds of a sequence keep their own; with ``count`` the seed of each
            world is 1 more than that of the world before, modulo 2**32.
        context: as for `Simulation`.
        variant: as for `Simulation`.
        sleeping: whether tiles in which nothing can change are left out. The states do not depend on it.
        any_matter: as for `Simulation`: with True no `reset` compiles anything.

    Raises:
        WorldError: an invalid world; worlds with different laws; or more worlds than fit into the free memory.
        UsageError: no worlds, or a wrong number of seeds.
        DeviceError: as `Simulation`.
    """

    def __init__(
        self,
        worlds: World | Sequence[World],
        count: int | None = None,
        seeds: Sequence[int] | None = None,
        context: moderngl.Context | Device | None = None,
        variant: Wanted = None,
        sleeping: bool = True,
        any_matter: bool = False,
    ) -> None:
        first, total = first_of(worlds, count)
        self._closed = False
        self._device = chosen_device(context)
        self._device.check_side(first.width, first.height, max(len(first.mixture), 1))
        self._variants = decide(first.rules, variant, self._device)
        named = "count" if isinstance(worlds, World) else "worlds"
        check_batch_room(self._device, self._variants, first, total, named)  # before anything is copied
        self._members = members = make_members(worlds, total, seeds)
        self._blank = first.blank()
        every = frozenset(range(1, len(first.materials)))
        self._materials = every if any_matter else materials_of(members)
        # By world: the tick of the last reset, stroke or change of ports.
        self._since = np.array([member.world.tick for member in members], np.int64)
        self._port_sets, self._most_counted = PortSets(first.laws), most_with_any_ports(first.laws)
        self._steps_left = steps_left(members, self._most_counted)
        self._edit_room = min(member.first.edit_room for member in members)
        self._steps = 0
        self._late_ticks: dict[str, list[np.ndarray]] = {}
        self._drawing: BatchDrawing | None = None
        self._observations: dict[tuple[str, tuple[str, ...], int], Observation] = {}
        self._allocations = Allocations()
        with self._device:
            self._device.allocations = self._allocations
            try:
                self._sheets = self._make(sleeping)
            except BaseException:  # such as too little memory; a part of the textures has been made
                self._allocations.release()
                raise

    @staticmethod
    def check_room(world: World, count: int, named: str = "count") -> None:
        """Raise ShortageError if so many worlds like this one do not fit into the memory that is free on this machine.

        Args:
            world: one of the worlds.
            count: their number.
            named: the name of this number, for the message.
        """
        device = chosen_device(None)
        check_batch_room(device, decide(world.rules, None, device), world, count, named)

    def _make(self, sleeping: bool) -> list[Sheet]:
        """Make as many sheets as the device's limits ask for."""
        block = self._blank.width, self._blank.height
        most = worlds_a_sheet(self._device, self._blank)
        sheets = []
        for first in range(0, len(self._members), most):
            members = self._members[first : first + most]
            atlas = Atlas.of(self._device, block, len(members))
            sheets.append(Sheet(self._device, members, atlas, self._variants, self._materials, sleeping))
        return sheets

    def __len__(self) -> int:
        """The number of worlds."""
        return len(self._members)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Close the batch. In a forked process an error such as SystemExit passes: it holds no device memory."""
        if error is None or not in_forked_process():
            self.close()

    def close(self) -> None:
        """Release the device's memory. The batch cannot be used afterwards; a second call does nothing."""
        if self._closed:
            return
        with self._device:
            if self._closed:  # by another thread meanwhile
                return
            self._closed = True
            with ExitStack() as stack:  # the rest is released if one fails
                if self._drawing is not None:
                    stack.callback(self._drawing.release)
                for sheet in self._sheets:
                    stack.callback(sheet.release)

    @property
    def closed(self) -> bool:
        """True once the batch was closed; it can then no longer be used."""
        return self._closed

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Use the device in this thread alone; its allocations count as this batch's."""
        with self._device as device:
            if self._closed:
                raise UsageError("this batch is closed")
            device.allocations = self._allocations
            yield

    def _parts(self) -> Iterator[tuple[slice, Sheet]]:
        """Yield each sheet and the indices of its worlds."""
        first = 0
        for sheet in self._sheets:
            yield slice(first, first + sheet.atlas.count), sheet
            first += sheet.atlas.count

    @property
    def ticks(self) -> np.ndarray:
        """(worlds,) int64: the current tick of each world."""
        return np.concatenate([sheet.ticks for sheet in self._sheets])

    @property
    def seeds(self) -> np.ndarray:
        """(worlds,) uint32: the seed of each world."""
        return np.array([member.seed for member in self._members], np.uint32)

    @property
    def variants(self) -> Mapping[str, str]:
        """The variant of each rule, by the rule's name."""
        return MappingProxyType(self._variants)

    @property
    def renderer(self) -> str:
        """The name that the device reports, such as llvmpipe."""
        return self._device.renderer

    def step(self, ticks: int = 1) -> None:
        """Queue a number of ticks of all worlds.

        Waits for the device only before a tick in which other emitters or drains act than before; reading does, too.

        Ctrl-C stops between two ticks.

        Raises: WorldError: as `Simulation.step`, for any of the worlds. All worlds have then run equally many ticks.
        """
        with self._current(), held_back() as interrupted:
            check_step(ticks, int(self.ticks.max()))
            for _ in range(ticks):
                if interrupted:
                    break
                if not self._steps_left:
                    self._check_ledgers()
                for sheet in self._sheets:
                    sheet.tick()
                self._steps_left -= 1
                self._steps += 1

    def _check_ledgers(self) -> None:
        """Compute the number of ticks in which no entry of a ledger can pass its limit. Raises: as `step`."""
        left = []
        each = zip(self._members, self._ledgers(), self.ticks.tolist(), strict=True)
        for number, (member, ledgers, tick) in enumerate(each):
            try:
                check_entries(ledgers, member.ports.most_counted, tick)
            except WorldError as error:
                raise WorldError(f"worlds[{number}].{error.field}", error.message) from None
            left.append(ticks_left(ledgers, self._most_counted))
        self._steps_left = max(min(left), 1)  # the next tick was checked with the ports that the worlds have

    def _ledgers(self) -> list[dict[str, AnyLedger]]:
        return [ledgers_from(words, self._blank) for sheet in self._sheets for words in sheet.ledger_words()]

    def read(self) -> BatchState:
        """Read the exact current state of all worlds."""
        with self._current():
            read = [sheet.planes.read() for sheet in self._sheets]
            arrays = {name: np.concatenate([part[name] for part in read]) for name in self._blank.fields}
            words = np.concatenate([sheet.ledger_words() for sheet in self._sheets])
            return BatchState(self._members, self._blank, arrays, self.ticks, words)

    def late(self, field: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Request a field without waiting for the device, and return the one requested two calls ago.

        Args:
            field: the name of the field.
        Returns: (ticks, array): (worlds,) int64, and (worlds, height, width) or with more axes, of the field's type.
            None at the first two calls, and at two more after a lack of memory. Cells without an atom have temperature
            0, as on the device.
        Raises: WorldError: a field that the worlds do not have.
        """
        if not isinstance(field, str) or field not in self._blank.fields:
            raise UnknownFieldError(str(field), f"no such field{did_you_mean(str(field), self._blank.fields)}")
        with self._current():
            with together(self._forget_late):
                found = [sheet.planes.late(field, self._steps) for sheet in self._sheets]
                asked = self._late_ticks.setdefault(field, [])
                asked.append(self.ticks)
                ticks = None if any(part is None for part in found) else asked.pop(0)
            return None if ticks is None else (ticks, np.concatenate([part[1] for part in found if part is not None]))

    def digests(self) -> list[str]:
        """The digest of each world, computed on the device; each is that which the world has alone."""
        with self._current():
            return [digest for sheet in self._sheets for digest in sheet.digests()]

    def statistics(self) -> list[Statistics]:
        """The statistics of each world, computed on the device."""
        with self._current():
            return [own for sheet in self._sheets for own in sheet.statistics()]

    @property
    def ledgers(self) -> list[dict[str, AnyLedger]]:
        """The current ledgers of each world, by the quantity's name."""
        with self._current():
            return self._ledgers()

    @property
    def memory(self) -> Memory:
        """The device memory that the batch holds, and the least that it needs."""
        cells, layers = self._blank.width * self._blank.height, len(self._blank.mixture)
        return Memory(self._allocations.held, len(self) * plane_bytes(self._blank.fields, cells, layers))

    def activity(self) -> np.ndarray:
        """(worlds,) uint64: units of mass, or of a mixture, that moved between cells in the last tick of each world.

        0 in a world that has run no tick since it began. Raises: UsageError: worlds without mass and mixture.
        """
        with self._current():
            if not self._blank.has_amounts:
                raise UsageError("activity() needs worlds with rule flow or mixture")
            return np.concatenate([sheet.moved() for sheet in self._sheets])

    @property
    def settled(self) -> np.ndarray:
        """(worlds,) bool: True if no later tick can change anything in the world; see `Simulation.settled`."""
        with self._current():
            last = (self.ticks - 1).tolist()
            moved = np.concatenate([sheet.moved() for sheet in self._sheets])
            heads = np.concatenate([sheet.ledger_heads() for sheet in self._sheets])
            settle_ticks = self._members[0].ports.schedule.settle_ticks
            found = np.zeros(len(self), bool)
            if settle_ticks is None:
                return found
            for number in np.flatnonzero((moved == 0) & (np.array(last) >= self._since)).tolist():
                tick, head = last[number], heads[number]
                steady = self._members[number].ports.schedule.steady_from(tick) and not changed_in(head, tick)
                found[number] = steady and ticks_without_activity(head, tick) >= settle_ticks
            return found

    def reset(
        self,
        mask: Sequence[bool] | np.ndarray,
        worlds: World | Sequence[World] | None = None,
        seeds: Sequence[int] | None = None,
    ) -> None:
        """Begin some worlds again. The others go on undisturbed.

        The first states lie on the device. One dispatch for each texture of the state copies those of all chosen
        worlds.

        Args:
            mask: (worlds,) bool: the worlds that begin again.
            worlds: their new first states: one for each, in order, or one for all. None: the first states that they
                had. New first states are kept for later calls.
            seeds: a new seed for each of them, in order. By default worlds keep their seeds, and new first states bring
                their own.
        Raises: WorldError: a new first state that is invalid or has other laws. UsageError: a mask of another length or
            type, or a wrong number of worlds or seeds. DeviceError: there is too little memory for so many ports. Then
            nothing has changed.
        """
        with self._current():
            chosen = checked_mask(mask, len(self))
            members = self._members_after(np.flatnonzero(chosen).tolist(), worlds, seeds)
            if worlds is not None:
                self._admit(materials_of(list(members.values())))
            with held_back():  # nothing is left half done
                self._make_room(members)
                self._begin_again(chosen, members, worlds is not None)

    @overload
    def observe(self, kind: str = "materials", planes: Sequence[str] = (), pool: int = 1) -> np.ndarray: ...

    @overload
    def observe(
        self, kind: str = "materials", planes: Sequence[str] = (), pool: int = 1, *, as_: Literal["dlpack"]
    ) -> DeviceTensor: ...

    def observe(
        self, kind: str = "materials", planes: Sequence[str] = (), pool: int = 1, as_: str = "array"
    ) -> np.ndarray | DeviceTensor:
        """The state of all worlds in a form for programs that learn. It is packed on the device, and read once.

        A block of ``pool`` by ``pool`` cells becomes one number, or one colour.

        - "materials": the number of the material of most cells of a block, (worlds, rows, columns) uint8. A cell has
          the material of its atom, or else that of its largest amount from half a full cell on.
        - "planes": (worlds, planes, rows, columns) float32, the mean over a block: of the name of a material how full
          the cells are of it, 0 to 1; of a field of atoms its value divided by the largest absolute value that it can
          have, 0 in cells without an atom. `gpufluid.scene.observed.observable_planes` lists the names.
        - "pixels": (worlds, rows, columns, 3) uint8, sRGB: the mean of the plain colours of the materials. `frames`
          draws better pictures and takes longer.

        Args:
            kind: the form.
            planes: the names, for "planes".
            pool: the side of a block in cells, a divisor of width and height, at most 32.
            as_: "array", an array on the host; or "dlpack", the packed memory on the GPU itself, for
                ``torch.from_dlpack`` and ``cupy.from_dlpack``. It needs the extra ``cuda``, and a GPU that OpenGL and
                CUDA share. "planes" are then int32: whole numbers, which times ``factors`` are those above.
        Returns: an array, (worlds, ...) uint8 or float32 as above, or the memory on the GPU, that the next call with
            the same arguments overwrites. The memory is valid until that call, or until the batch is closed.
        Raises: UsageError: an unknown form or name, a block of another size, or an observation of a world, for "dlpack"
            of all worlds, that is larger than the device can pack at once. With "dlpack" MissingExtraError: the extra
            is not installed; DeviceError: OpenGL and CUDA do not run on one device.
        """
        if as_ not in ("array", "dlpack"):
            raise UsageError(f'as_: {shown(as_)}; expected "array" or "dlpack"')
        with self._current():
            found = self._observation(kind, planes, pool)
            if as_ == "dlpack":
                if len(self._sheets) > 1:
                    raise UsageError(
                        f'as_="dlpack": {len(self)} worlds need {len(self._sheets)} sets of textures;'
                        " expected as many as fit into one"
                    )
                shared = self._sheets[0].observing().share(kind, found.observed, found.pool, *found.packed.shape)
                return found.tensor(shared.map(), shared.number, shared.wait)
            for part, sheet in self._parts():
                sheet.observing().read(kind, found.observed, found.pool, found.packed[part])
            return found.array()

    def observe_late(
        self, kind: str = "materials", planes: Sequence[str] = (), pool: int = 1
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Observe without waiting for the device, and return what was observed two calls ago with the same arguments.

        Args:
            kind, planes, pool: as for `observe`.
        Returns: (ticks, array): (worlds,) int64, and the array as `observe` returns it, which the next `observe` or
            `observe_late` with the same arguments overwrites. None at the first two calls.
        Raises: UsageError: as `observe`.
        """
        with self._current():
            found, ticks = self._observation(kind, planes, pool), []
            for part, sheet in self._parts():
                sheet.observing().check(*found.packed[part].shape)
            with together(self._forget_late):
                for part, sheet in self._parts():
                    packed = sheet.observing()
                    ticks.append(packed.late(kind, found.observed, found.pool, found.packed[part], sheet.ticks))
            if any(part is None for part in ticks):
                return None
            return np.concatenate(ticks), found.array()

    def _forget_late(self) -> None:
        """Forget what was requested late: each field and each observation is None at the next two calls."""
        self._late_ticks.clear()
        for sheet in self._sheets:
            sheet.forget_late()

    def _observation(self, kind: str, planes: Sequence[str], pool: int) -> Observation:
        """The arrays for a form of observation; arguments as for `observe`. Raises UsageError: an unknown form."""
        observed = check_observation(self._blank, kind, planes, pool)
        key = kind, tuple(planes), int(pool)
        if key not in self._observations:
            words = self._sheets[0].observing().words(kind, len(observed), pool)
            shape = len(self), self._blank.height // pool, self._blank.width // pool
            self._observations[key] = Observation(kind, observed, int(pool), shape, words)
        return self._observations[key]

    def paint(
        self,
        cells: np.ndarray,
        strokes: Stroke | Sequence[Stroke | None],
        mask: Sequence[bool] | np.ndarray | None = None,
    ) -> None:
        """Apply a stroke of a brush to each world between two ticks, in one pass on the device.

        Law: each world is as it is alone with the same stroke. The ledgers count what cells gain as ``painted``, their
        losses as ``erased``, and what is added to a field as ``given`` if the ledger of its quantity has this entry.
        The call waits for the device only if an entry of a ledger may be near its limit.

        Args:
            cells: (worlds, height, width) bool: the cells that each world's brush touches; or (height, width) bool, the
                same cells in all worlds.
            strokes: what the brush does: one `Laying` or `Adding` for all worlds, or a list with one for each world;
                None: nothing in that world.
            mask: (worlds,) bool: the worlds that are painted; None: all.
        Raises: UsageError: arrays of another shape or type, or a wrong number of strokes. WorldError: a field, a
            material, a velocity or an amount that cells of these worlds cannot have, or an entry of a ledger could pass
            2**63 - 1. DeviceError: too little memory. Then nothing has changed.
        """
        with self._current():
            chosen = np.ones(len(self), bool) if mask is None else checked_mask(mask, len(self))
            painted = painted_worlds(cells, strokes, chosen, self._blank)
            laid = {stroke.material for stroke, _ in painted.values() if isinstance(stroke, Laying)}
            self._admit(frozenset(self._blank.materials[name] for name in laid))
            with held_back():  # nothing is left half done
                self._check_edit({number: runs.count for number, (_, runs) in painted.items()})
                for paint in [sheet.prepare_paint(_in_part(part, painted)) for part, sheet in self._parts()]:
                    paint()
                numbers = list(painted)
                self._since[numbers] = self.ticks[numbers]  # settled at the earliest after one more tick

    def replace_ports(
        self,
        emitters: GivenEmitters = None,
        drains: GivenDrains = None,
        mask: Sequence[bool] | np.ndarray | None = None,
    ) -> None:
        """Replace the emitters and drains of worlds from the next tick on, for all of them in one pass on the device.

        Law: each world is as it is alone after `Simulation.replace_ports` with the same ports. So agents can move, open
        and close a spout. No texture is made; passes are compiled only if an emitter brings the first matter of a kind.
        `reset` brings back the ports of the first states.

        Args:
            emitters, drains: all ports from now on: one `Emitter` or `Drain`, or a list of them, which all worlds get;
                or a list with such a list for each world. None, in place of any of these: as they are.
            mask: (worlds,) bool: the worlds whose ports are replaced; None: all.
        Raises: UsageError: no lists of ports, or a wrong number of them. WorldError: a port that cannot act in these
            worlds. DeviceError: there is too little memory for so many. Then nothing has changed.
        """
        with self._current():
            chosen = np.ones(len(self), bool) if mask is None else checked_mask(mask, len(self))
            new = replaced_ports(emitters, drains, chosen, [own.ports for own in self._members], self._port_sets)
            brought = [emitter for ports in set(new.values()) for emitter in ports.emitters]
            self._admit(materials_in(np.zeros(0, np.uint8), brought, self._blank.laws))
            members = {number: replace(self._members[number], ports=ports) for number, ports in new.items()}
            with held_back():  # nothing is left half done
                self._make_room(members)
                for number, member in members.items():
                    self._members[number] = member
                self._since[list(new)] = self.ticks[list(new)]  # settled at the earliest after one more tick
                for part, sheet in self._parts():
                    sheet.replace_ports(_in_part(part, members))

    def _check_edit(self, cells: Mapping[int, int]) -> None:
        """Account for the number of cells that are painted in some worlds, by index. Raises WorldError: as `paint`."""
        most = max(cells.values(), default=0)
        if most > self._edit_room:
            ledgers = self._ledgers()
            for number, count in cells.items():
                try:
                    check_edit(ledgers[number], self._blank.laws, count)
                except WorldError as error:
                    raise WorldError(f"worlds[{number}].{error.field}", error.message) from None
            self._edit_room = min(cells_left(each, self._blank.laws) for each in ledgers)
        self._edit_room -= most

    def _members_after(
        self, numbers: Sequence[int], worlds: World | Sequence[World] | None, seeds: Sequence[int] | None
    ) -> dict[int, Member]:
        """The members, by index, with which some worlds begin; arguments as for `reset`. Nothing has changed."""
        given = [self._members[number].first for number in numbers]
        own = [self._members[number].seed for number in numbers]
        if worlds is not None:
            one_for_all = isinstance(worlds, World)
            new = [worlds] if one_for_all else listed("worlds", worlds, len(numbers))
            check_alike([self._members[0].world, *new], first="those of the batch")
            new = new * len(numbers) if one_for_all else new
            given, own = firsts(new), [world.seed for world in new]
        if seeds is not None:
            own = checked_seeds(seeds, len(numbers))
        return {n: Member(first, seed, first.ports) for n, first, seed in zip(numbers, given, own, strict=True)}

    def _admit(self, more: frozenset[int]) -> None:
        """Prepare for further materials that worlds can come to have. Ctrl-C can interrupt it."""
        materials = self._materials | more
        if materials == self._materials:
            return
        for sheet in self._sheets:
            sheet.admit(materials)
        self._materials = materials

    def _make_room(self, members: Mapping[int, Member]) -> None:
        """Make room for the ports of other members, by index. Raises: as `Sheet.make_room`."""
        for part, sheet in self._parts():
            sheet.make_room(_in_part(part, members))

    def _begin_again(self, chosen: np.ndarray, members: Mapping[int, Member], other_worlds: bool) -> None:
        """Begin some worlds again.

        Args:
            chosen: (worlds,) bool.
            members: their first states and seeds, by index.
            other_worlds: False if only the seeds are others.
        """
        for number, member in members.items():
            self._members[number] = member
            self._since[number] = member.world.tick
        for part, sheet in self._parts():
            sheet.replace(_in_part(part, members), other_worlds)
            sheet.restore(chosen[part])
        self._steps_left = min(self._steps_left, steps_left(list(members.values()), self._most_counted))
        self._edit_room = min([self._edit_room, *(member.first.edit_room for member in members.values())])

    def frames(
        self,
        scale: float | str = 1,
        overlay: str | None = None,
        overlay_max: float | None = None,
        tint: bool = True,
        *,
        theme: str = "day",
        background: str | None = None,
        crop: tuple[int, int, int, int] | None = None,
        size: tuple[int, int] | None = None,
    ) -> np.ndarray:
        """Draw a picture of each world; arguments as for `Simulation.frame`.

        Returns: (worlds, rows, columns, 3) uint8, sRGB.
        Raises: UsageError: as `Simulation.frame`; or an overlay that shows more than the state: a batch keeps no trace
            and draws no tiles.
        """
        settings = PictureSettings(scale, overlay, overlay_max, Look.of(theme, background, tint), crop, size)
        with self._current():
            if self._drawing is None:
                self._drawing = BatchDrawing(self._device, self._blank)
            self._drawing.check(settings)
            ticks = self.ticks.tolist()
            pictures = []
            for part, sheet in self._parts():
                for number in range(sheet.atlas.count):
                    place = part.start + number
                    sheet.planes.copy_world(number, self._drawing.textures)
                    pictures.append(self._drawing.frame(ticks[place], self._members[place].seed, settings))
            return np.stack(pictures)

    def finish(self) -> None:
        """Wait until the device has done all its work."""
        with self._current():
            self._device.finish()


def _in_part(part: slice, each: Mapping[int, Given]) -> dict[int, Given]:
    """The entries of ``each``, by a world's index in the batch, for the worlds of a sheet, by their index in it."""
    return {number - part.start: own for number, own in each.items() if part.start <= number < part.stop}
