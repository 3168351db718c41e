"""Prepares the calls of a tick for the device: the textures, uniforms and buffers of each call are found only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.frame import frame_size, place_in_frame
from gpufluid.gpu import generated
from gpufluid.gpu.batch_ledgers import BatchLedgers
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.batched import Batched
from gpufluid.gpu.carried import all_carried
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import ARGUMENT_BYTES, Dispatch, Program, Uniform
from gpufluid.gpu.images import Image
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.ports import PortBuffer
from gpufluid.gpu.preparing import Preparing
from gpufluid.gpu.shares import invocations, moved_size, tile_of
from gpufluid.gpu.textures import Pair, PlaneTexture, make_texture, write_texels
from gpufluid.gpu.tiles import ListedDispatch, Tiles
from gpufluid.gpu.trace import Trace
from gpufluid.gpu.word_writer import WordWriter
from gpufluid.rules import (
    MOVED,
    RULES,
    Call,
    Over,
    Pass,
    Schedule,
    carried_flags_of,
    tile_flags_of,
    tiled_rules,
    works_for,
)
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl


_OVER_FRAME = (
    *(Over.CELLS, Over.STRIPS, Over.COLUMNS, Over.ROWS, Over.SEGMENTS, Over.BLOCKS, Over.TILES, Over.BLOCK_TILES),
    *(Over.COLUMN_PARTS, Over.TRIPLES),
)
"""The units of work that are parts of gravity's frame."""

TWO_TICKS_CELLS = 1 << 18
"""Two ticks are computed at once only in worlds of so many cells or more, because the program for that takes about as
long to compile as in a small world a thousand ticks save.
"""

_TWO_TICKS_SIDE = 4
"""The least cells of a side of such a world: a torus is wrapped only so far."""

_PLANS_MOST = 16
"""The most lists of prepared calls that are kept. Emitters that open and close need the same lists again and again."""


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call of a tick, prepared for the device.

    Args:
        pass_: the pass.
        dispatch: the prepared dispatch.
        gathered: the ping-pong pairs whose new state the pass writes.
    """

    pass_: Pass
    dispatch: Dispatch | ListedDispatch
    gathered: tuple[Pair, ...]

    def swap(self) -> None:
        """Swap the pairs that the pass has written."""
        for pair in self.gathered:
            pair.swap()


def runs_with(pass_: Pass, kinds: frozenset[tuple[str, str]]) -> bool:
    """True if a pass runs in a world that can come to have these kinds of matter."""
    return not pass_.needs or any((pass_.rule, kind) in kinds for kind in pass_.needs)


def _gains_by_two_ticks(device: Device, world: World) -> bool:
    """True if two ticks at once are possible and faster: in a large world without a halo, on a processor."""
    is_large = world.width * world.height >= TWO_TICKS_CELLS and min(world.width, world.height) >= _TWO_TICKS_SIDE
    return device.software and world.domain.halo is None and is_large


class Planner:
    """Prepares the calls of one world; has its programs, scratch textures, lookup tables, ports and tiles.

    Args:
        device: the device that runs the calls.
        world: a world with the same laws; its arrays are not read.
        planes, ledger: the state on the device, which the passes change.
        trace: the trace of atoms, which the passes change too; None: no trace.
        schedule: the schedule of the world.
        strip: (columns, rows) of cells that one invocation of a pass over strips owns.
        texts: the world's generated includes, by name.
        kinds: the kinds of matter that the world can come to have; see `world.kinds`. Passes that need others are not
            compiled, and do not run.
        sleeping: whether tiles in which nothing can change are left out.
        batched: the atlas, ticks, seeds and ports of a batch; then the schedule is a `BatchSchedule`. None: one world.
    """

    def __init__(
        self,
        device: Device,
        world: World,
        planes: PlaneTextures | BatchPlanes,
        ledger: LedgerBuffer | BatchLedgers,
        trace: Trace | None,
        schedule: Schedule,
        strip: tuple[int, int],
        texts: Mapping[str, str],
        kinds: frozenset[tuple[str, str]],
        sleeping: bool,
        batched: Batched | None = None,
    ) -> None:
        self._kinds, self._batched = kinds, batched
        self._atlas = None if batched is None else batched.atlas
        self._world, self._strip, self._ledger = world, strip, ledger
        self._size = world.width, world.height
        self._frame = frame_size(*self._size, world.gravity)
        self._schedule = schedule
        self._pairs = {plane.name: planes[plane.name] for plane in world.planes}
        if trace is not None:
            self._pairs["trace"] = trace.pair
        self._carried = tuple(name for name in all_carried() if name in self._pairs)
        # By the number of ticks, the ports that act, and the textures with the state.
        self._plans: dict[tuple[int, tuple[object, ...], tuple[PlaneTexture, ...]], list[PreparedCall]] = {}
        self.strips = invocations(Over.STRIPS, self._frame, strip)
        make = make_texture if self._atlas is None else self._atlas.texture
        self.moved = make(device, *(moved_size(self.strips) if batched is None else self.strips), MOVED)
        halo = world.domain.halo
        written = dict.fromkeys(scratch for pass_ in self._schedule.passes for scratch in (*pass_.writes, *pass_.takes))
        self.scratch = {
            scratch.name: make(device, width, height * scratch.texels + sets, scratch.image)
            for scratch in written
            for width, height in [invocations(scratch.over, self._frame, strip)]
            for sets in [scratch.rows_of_sets(self._frame, halo[0] != (0, 0)) if halo else 0]
        }
        wanted = {lookup: pass_.rule for pass_ in schedule.passes for lookup in pass_.looks_up}
        self._lookups = {
            lookup.name: make_texture(device, texels.shape[1], texels.shape[0], lookup.image, texels)
            for lookup, rule in wanted.items()
            for texels in [world.lookups(rule)[lookup.name]]
        }
        self._ports = PortBuffer(device, world, self._carried) if batched is None else batched.ports
        self.tiles = self._make_tiles(device, sleeping)
        device.check_memory()
        self._device, self._texts = device, texts
        self._outliners: dict[str, Program] = {}  # by rule
        self._programs: dict[Pass, Program] = {}
        self._activators: dict[Pass, Program] = {}
        self._may_run_two = batched is None and trace is None and _gains_by_two_ticks(device, world)
        needed = self.passes
        for number, pass_ in enumerate(needed, start=1):
            if device.announce is not None:
                device.announce(Preparing(pass_.rule, number, len(needed), runs=False))
            self._compile(pass_)

    def _make_tiles(self, device: Device, sleeping: bool) -> dict[str, Tiles]:
        """Make the tiles of each rule with passes that run over awake tiles only."""
        made = {}
        calls = list(self._schedule.calls(self._world.tick))
        for rule in dict.fromkeys(pass_.tiled_by for pass_ in self._schedule.passes if pass_.activated_by):
            lists = sum(call.pass_.tiled_by == rule and call.pass_.lists_tiles for call in calls)
            activated = [pass_ for pass_ in self._schedule.passes if pass_.tiled_by == rule and pass_.activated_by]
            tile = tile_of(activated, self._strip, device)
            tile_flags, torus = tile_flags_of(rule, self._world.rules), self._world.edges == "wrap"
            is_whole = self._world.domain.is_whole
            carried_flags = carried_flags_of(rule, self._world.rules)
            made[rule] = Tiles(
                *(device, tile_flags, self._frame, tile, lists),
                *(self._world.tick, torus, is_whole, carried_flags, self._atlas),
            )
            sets_flags = any(works_for(pass_, rule) for pass_ in activated)  # a variant without tiles sets no flags
            made[rule].all_awake = not (sleeping and sets_flags)
            # Then these tiles must be awake after each change of amounts, also where atoms see none.
            amounts = self._world.laws.amounts_beside_atoms
            made[rule].copies_amounts = any(amounts in pass_.gathers and pass_.moves_atoms for pass_ in activated)
        return made

    def _compile(self, pass_: Pass) -> None:
        """Compile the programs of a pass, unless they are there."""
        if pass_ not in self._programs:
            self._programs[pass_] = self._program(self._device, pass_, self._texts)
            if pass_.lists_tiles and not self._tests(pass_):
                self._activators[pass_] = self.tiles[pass_.tiled_by].activator(pass_, self._texts)

    def _program(self, device: Device, pass_: Pass, texts: Mapping[str, str]) -> Program:
        """Compile the shader of a pass, with the world's generated includes ``texts`` and those of the pass."""
        fetch_ahead = device.software
        texts = {**texts, **generated.for_pass(pass_, self._strip, self._carried, fetch_ahead, self._atlas is not None)}
        group_size = pass_.layout.group or device.group_size
        if pass_.tiled_by in self.tiles:
            tiles = self.tiles[pass_.tiled_by]
            texts["generated/tiles.glsl"] = tiles.glsl(pass_.over)
            if pass_.activated_by:
                group_size = tiles.group_size(pass_.over) or group_size
                texts["generated/unit.glsl"] = tiles.unit_glsl(pass_, group_size)
            if self._tests(pass_):
                texts |= self.tiles[pass_.tiled_by].tested_glsl(pass_)
        others = self._other_tiles(pass_)
        if others is not None:
            texts["generated/other_tiles.glsl"] = others.glsl_for_others()
        name, images = f"{pass_.rule}/{pass_.name}.comp", self._images(pass_, fetch_ahead)
        return Program(device, name, images, group_size, texts, self._atlas)

    def _tests(self, pass_: Pass) -> bool:
        """True if each group of a pass tests whether its tile is awake, so that the tiles need not be listed."""
        return pass_.tests_tiles and self.tiles[pass_.tiled_by].are_tested(pass_.over)

    def _images(self, pass_: Pass, fetch_ahead: bool) -> list[Image]:
        """The images of a pass, for the planes of this world."""
        textures = {name: pair.read for name, pair in self._pairs.items()}
        return generated.images(pass_, self._carried, fetch_ahead, textures)

    def _other_tiles(self, pass_: Pass) -> Tiles | None:
        """The tiles of `Pass.also_wakes`; None: the pass notes no changes in tiles of another rule."""
        return self.tiles.get(pass_.also_wakes)

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes that run, in order: those that need no kind of matter, or one that the world can come to have."""
        return self._passes_for(self._kinds)

    def _passes_for(self, kinds: frozenset[tuple[str, str]]) -> tuple[Pass, ...]:
        return tuple(pass_ for pass_ in self._schedule.passes if runs_with(pass_, kinds))

    def admit(self, kinds: frozenset[tuple[str, str]], tick: int) -> None:
        """Run also the passes that need some more kinds of matter.

        Args:
            kinds: the kinds, as `world.kinds.kinds_among` returns them.
            tick: the next tick.
        """
        needed = self._passes_for(self._kinds | kinds)
        if needed == self.passes:
            return
        for pass_ in needed:  # first, because a compilation can be interrupted
            self._compile(pass_)
        self._kinds |= kinds
        self._plans.clear()
        for tiles in self.tiles.values():  # passes that have not run have noted nothing
            tiles.wake_all(tick)

    def runs_two(self, tick: int) -> bool:
        """True if a tick and the next can be computed at once, because a pass that can do so runs alone in them."""
        if not self._may_run_two or any(self._schedule.acting(tick)) or any(self._schedule.acting(tick + 1)):
            return False
        running = [pass_ for pass_ in self.passes if not pass_.over.serves_ports]
        return len(running) == 1 and running[0].layout.two_ticks and self._schedule.runs(running[0]) == 1

    def plan(self, tick: int, ticks: int = 1) -> list[PreparedCall]:
        """The prepared calls of a tick, in order. A list is used again when the same emitters and drains act.

        If a tick swaps a pair an odd number of times, there are two lists for these, used in turn.

        Args:
            tick: its number.
            ticks: 2: the calls compute the next tick, too; see `runs_two`.
        """
        key = ticks, self._schedule.acting(tick), tuple([pair.read for pair in self._pairs.values()])
        if key not in self._plans:
            if len(self._plans) >= _PLANS_MOST:
                self._plans.clear()
            self._plans[key] = self._prepare_tick(tick, ticks)
        return self._plans[key]

    def _prepare_tick(self, tick: int, ticks: int) -> list[PreparedCall]:
        """Prepare all calls of a tick, or of two at once."""
        prepared: list[PreparedCall] = []
        swapped: frozenset[str] = frozenset()
        list_numbers = dict.fromkeys(self.tiles, -1)  # by the rule whose tiles are listed
        for calls in self._schedule.dispatches(tick):
            pass_ = calls[0].pass_
            if not runs_with(pass_, self._kinds):
                continue
            if pass_.lists_tiles:
                list_numbers[pass_.tiled_by] += 1
            if ticks == 2:
                calls = [replace(call, pass_=pass_.of_two_ticks()) for call in calls]
            prepared.append(self.prepare(calls, swapped, list_numbers.get(pass_.tiled_by, 0)))
            swapped ^= self._gathered(pass_)
        return prepared

    def compile(self, tick: int, announce: Callable[[Pass], None]) -> None:
        """Let the driver generate the machine code of the calls of a tick; otherwise it does so when each first runs.

        Args:
            tick: the number of the next tick.
            announce: called with each pass before that.
        """
        no_groups = self._device.buffer(data=bytes(ARGUMENT_BYTES))
        for call in self.plan(tick):
            announce(call.pass_)
            call.dispatch.compile(no_groups)
        no_groups.release()

    def prepare(
        self, calls: Sequence[Call], swapped: frozenset[str] = frozenset(), list_number: int = 0
    ) -> PreparedCall:
        """Prepare a call, or several for ports that a dispatch serves together.

        Args:
            calls: the calls, as `Schedule.dispatches` yields them.
            swapped: the names of the pairs that the earlier calls of the tick swap an odd number of times.
            list_number: the number of the call's list of tiles, among the lists of the tick.
        """
        pass_ = calls[0].pass_
        self._compile(pass_)
        gathered = tuple(self._pairs[name] for name in self._gathered(pass_))
        textures, uniforms = self._textures(pass_, swapped), self._uniforms(calls)
        tiles = self.tiles.get(pass_.tiled_by)
        ports = self._ports.buffer if pass_.over.serves_ports else None
        others = self._other_tiles(pass_)
        worlds = self._batched and self._batched.worlds.buffer
        buffers = [self._ledger.buffer, tiles and tiles.buffer, ports, others and others.buffer, worlds]
        if tiles is not None:
            uniforms |= tiles.uniforms(list_number)
        if others is not None:
            uniforms |= others.uniforms_for_others()
        if tiles is None or not pass_.activated_by:
            program = self._programs[pass_]
            if pass_.over.serves_ports:
                needed, rows = self._invocations_of_ports(calls, program.group_size[1])
                uniforms["rows_a_port"] = rows
            else:
                cells = self._frame if pass_.over in _OVER_FRAME else self._size
                needed = invocations(pass_.over, cells, self._strip)
            return PreparedCall(pass_, program.prepare(needed, textures, uniforms, buffers), gathered)
        if self._tests(pass_):
            program = self._programs[pass_]
            needed = tiles.tested_invocations(pass_.over, program.group_size)
            return PreparedCall(pass_, program.prepare(needed, textures, uniforms, buffers), gathered)
        activator, activated = self._activators.get(pass_), None
        if activator is not None:
            activated = activator.prepare(tiles.activator_invocations(pass_.over), [], uniforms, buffers)
        arguments = tiles.buffer, tiles.arguments_offset(list_number)
        work = self._programs[pass_].prepare_indirect(*arguments, textures, uniforms, buffers)
        return PreparedCall(pass_, ListedDispatch(activated, work), gathered)

    def _gathered(self, pass_: Pass) -> frozenset[str]:
        """The names of the pairs whose new state a pass writes."""
        return frozenset(pass_.gathered(self._carried))

    def _textures(self, pass_: Pass, swapped: frozenset[str]) -> list[PlaneTexture]:
        """The textures that a pass binds, in the order of `generated.images`."""
        old = {name: pair.write if name in swapped else pair.read for name, pair in self._pairs.items()}
        new = {
            name: self._pairs[name].read if name in swapped else self._pairs[name].write
            for name in self._gathered(pass_)
        }
        found = [old[name] for name in pass_.reads]
        for name in pass_.gathers:
            found += [old[name], new[name]]
        found += [old[name] for name in pass_.updates]
        found += [self.scratch[scratch.name] for scratch in (*pass_.takes, *pass_.writes, *pass_.refines)]
        found += [self._lookups[lookup.name] for lookup in pass_.looks_up]
        for name in self._carried if pass_.moves_atoms else ():
            found += [old[name], *([new[name]] if name in new else [])]
        return [*found, self.moved] if pass_.measures else found

    def _invocations_of_ports(self, calls: Sequence[Call], group_rows: int) -> tuple[tuple[int, int], int]:
        """The invocations, (x, y), of a dispatch for some ports, and its rows for each port, which are whole groups."""
        areas = [self._cells_of(call.port.size) for call in calls if call.port is not None]
        columns, rows = (max(sides) for sides in zip(*areas, strict=True))
        rows = -(-rows // group_rows) * group_rows
        return (columns, rows * len(areas)), rows

    def _cells_of(self, size: tuple[int, int]) -> tuple[int, int]:
        """(columns, rows) of the cells that a pass covers for a port, in all copies that a halo of a torus has."""
        gravity = self._world.gravity
        turns = self._world.domain.turns(gravity) if self._world.edges == "wrap" else (1, 1)
        across, down = frame_size(*turns, gravity)  # of the world
        return size[0] * across, size[1] * down

    def _uniforms(self, calls: Sequence[Call]) -> dict[str, Uniform]:
        """The uniforms of one dispatch. Values of the whole tick are in `TickBlock`, those of ports in `PortBuffer`."""
        call = calls[0]
        substeps: dict[str, Uniform] = {"substep": call.substep, "substeps": call.substeps, "layer": call.layer}
        return substeps | self._ports.uniforms(calls) if call.port is not None else substeps

    def use_ports(self, schedule: Schedule) -> None:
        """Use the changed emitters and drains of the world from now on.

        Args:
            schedule: the world's new schedule, with the same laws and passes.
        """
        self._schedule = schedule
        self._plans.clear()
        assert isinstance(self._ports, PortBuffer), "worlds of a batch have `Sheet.replace_ports`"
        self._ports.write(self._world)

    def forget_plans(self) -> None:
        """Prepare the calls anew from now on, because the records of the ports of a batch have other places."""
        self._plans.clear()

    def begin_tick(self) -> None:
        """Begin a tick: set the units of a mixture that have moved to 0."""
        if any("moved" in pass_.counts for pass_ in self._schedule.passes):
            self._ledger.forget_moved()

    def wake(self, at: tuple[int, int], size: tuple[int, int], tick: int, in_tick: bool = False) -> None:
        """Wake the tiles in and next to a rectangle of cells from a tick on.

        Args:
            at: (column, row) of its top left cell in the world.
            size: (width, height) in cells.
            tick: the next tick.
            in_tick: whether the tick has begun; then the tiles are awake for all its further passes.
        """
        low, high = self._corners_in_frame(np.array([at]), np.array([size]))
        (left, top), (right, bottom) = low[:, 0].tolist(), high[:, 0].tolist()
        for tiles in self.tiles.values():
            tiles.wake((left, top), (right, bottom), tick, in_tick)

    def wake_in_worlds(
        self, at: np.ndarray, size: np.ndarray, worlds: np.ndarray, ticks: np.ndarray, writer: WordWriter
    ) -> None:
        """Wake the tiles in and next to rectangles of cells of worlds of a batch, with few dispatches.

        Args:
            at, size: (rectangles, 2) int64, as for `wake`.
            worlds: (rectangles,) int64, the index of the world of each.
            ticks: (rectangles,) int64, the next tick of that world.
            writer: writes the words.
        """
        low, high = self._corners_in_frame(at, size)
        for tiles in self.tiles.values():
            writer.write(tiles.buffer, *tiles.waking_words(low, high, worlds, ticks))

    def _corners_in_frame(self, at: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The (column, row) of the first and last cells of rectangles, in the frame, each (2, rectangles) int64.

        Args:
            at, size: (rectangles, 2) int64, the first cells in the world, and (width, height) in cells.
        """
        ends = at + size - 1
        corners = [place_in_frame(x, y, *self._size, self._world.gravity) for x, y in (at.T, ends.T)]
        return np.minimum(*map(np.stack, corners)), np.maximum(*map(np.stack, corners))

    def outline_tiles(self, picture: moderngl.Texture, uniforms: Mapping[str, Uniform]) -> None:
        """Draw a rectangle around each tile of each rule into a picture.

        Args:
            picture: rgba8.
            uniforms: where the world lies in the picture, as for ``shaders/render/tiles.comp``.
        """
        for number, (rule, pass_, colour) in enumerate(self._sleeping_rules):
            tiles = self.tiles[pass_.tiled_by]
            if rule not in self._outliners:
                texts = {**self._texts, **generated.for_pass(pass_, self._strip, self._carried)}
                self._outliners[rule] = tiles.outliner(pass_, RULES[rule].awake, texts)
            own: dict[str, Uniform] = {"inset": number, "colour": colour}
            buffers = [None, tiles.buffer]
            self._outliners[rule].dispatch(tiles.grid, [picture], {**uniforms, **tiles.uniforms(0), **own}, buffers)

    @property
    def _sleeping_rules(self) -> list[tuple[str, Pass, tuple[float, float, float]]]:
        """The rules whose tiles sleep: name, the pass whose tiles are drawn, and the colour."""
        found = [(rule, self._outlined(rule), colour) for rule, (_, colour) in tiled_rules(self._world.rules).items()]
        return [(rule, pass_, colour) for rule, pass_, colour in found if pass_ is not None]

    def _outlined(self, rule: str) -> Pass | None:
        """The pass whose tiles are drawn for a rule: the one that `Rule.awake` activates, or any if it activates none.

        None: another rule replaces the pass.
        """
        own = [pass_ for pass_ in self._programs if pass_.lists_tiles and pass_.rule == rule]
        test = RULES[rule].awake
        found = [pass_ for pass_ in own if f"activate_{pass_.activated_by}" == test or not test.startswith("activate_")]
        return found[0] if found else None

    def clear_overlay_scratch(self) -> None:
        """Clear the scratch textures from which overlays are drawn, because they belong to another state."""
        overlays = [overlay for rule in self._world.rules for overlay in RULES[rule].overlays]
        for texture in {self.scratch[scratch.name] for overlay in overlays for scratch in overlay.takes}:
            write_texels(texture, (0, 0), np.zeros((texture.height, texture.width), "<u4"))

    def release(self) -> None:
        """Release textures and buffers."""
        self._plans.clear()
        self.moved.release()
        self._ports.release()
        for texture in (*self.scratch.values(), *self._lookups.values()):
            texture.release()
        for tiles in self.tiles.values():
            tiles.release()
