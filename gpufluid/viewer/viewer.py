"""`Viewer`: a world, its time and its tools, driven by named actions; all of the window but the window."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpufluid.core.errors import GpufluidError, OutputError
from gpufluid.gpu.device import Device
from gpufluid.matter.materials import State
from gpufluid.render.painter import find_overlay
from gpufluid.rules import RULES, Overlay, overlays_of
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer.actions import ACTIONS, perform
from gpufluid.viewer.camera import Camera
from gpufluid.viewer.clock import Clock
from gpufluid.viewer.history import History
from gpufluid.viewer.inspector import inspected
from gpufluid.viewer.keys import bindings, settings_file
from gpufluid.viewer.messages import Message
from gpufluid.viewer.pacing import Pacing
from gpufluid.viewer.pointer import Pointer
from gpufluid.viewer.recorder import Recorder
from gpufluid.viewer.statistics import Statistics
from gpufluid.viewer.tool import PANELS, Tool
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl


@dataclass(frozen=True, slots=True)
class Done:
    """An action that was done, as a replay needs it."""

    tick: int
    name: str
    arguments: dict[str, object] = field(default_factory=dict)


class Viewer:
    """A world that is watched and worked on.

    Args:
        world: the first state.
        device: where it runs and is drawn; by default a headless one.
        source: the file or scene that it came from, for titles.
        window: (width, height) in pixels.
        variant: by rule, how it runs; as for `Simulation`, also of worlds that are opened later.
    Raises: UsageError: the user's keys cannot be read. WorldError, DeviceError: the world cannot run here.
    """

    def __init__(
        self,
        world: World,
        device: Device | None = None,
        source: str = "",
        window: tuple[int, int] = (1280, 800),
        variant: Mapping[str, str] | None = None,
    ) -> None:
        self._variant = variant or {}
        self.sim = Workbench(world, device, variant=self._variant)
        self.source = source
        self.first = world
        self.camera = Camera((world.width, world.height), window)
        self.clock, self.pointer = Clock(), Pointer(self)
        self.tool = Tool(self.materials[0] if self.materials else "wall")
        self.overlay: str | None = None
        self.panels = {name: name in ("time", "palette") for name in PANELS}
        self.messages: list[Message] = []
        self.history = History(world)
        self.statistics = Statistics(world)
        self.pacing = Pacing()
        self.recorder: Recorder | None = None
        self.log: list[Done] = []
        self.serial = 0  # of strokes: a spray draws other cells each time
        self.edited = False  # since the world was last kept for rewinding
        self.replaced: str | None = None  # what the stroke that goes on replaces; None: everything
        self.unsaved = self.closing = self.full_screen = False
        self.text_scale = 1.0
        self.bindings = bindings(settings_file())

    def do(self, action: str, **arguments: object) -> None:
        """Do something by its name; `actions.ACTIONS` lists all.

        Raises: UsageError: no such action, or other arguments than it takes; a file or a world that is wrong, and then
            everything is as before. OutputError: a file could not be written. `attempt` makes messages of them.
        """
        lasting = action in ACTIONS and ACTIONS[action].lasting
        if lasting:
            self.sim.finish()  # an edit falls between two ticks, never into the middle of one
        tick, log = self.sim.tick, self.log
        again = perform(self, action, arguments)
        if lasting:
            log.append(Done(tick, action, dict(again)))

    def press(self, chord: str) -> bool:
        """Do what a key is bound to. Returns whether it is bound to anything."""
        if chord not in self.bindings:
            return False
        self.pacing.answer()
        name, arguments = self.bindings[chord]
        self.attempt(lambda: self.do(name, **arguments))
        return True

    def attempt(self, act: Callable[[], None]) -> bool:
        """Do something that a user may have wrong: a message instead of an end. Returns whether it went well."""
        try:
            act()
        except GpufluidError as error:
            self.tell(str(error), "error")
            return False
        return True

    def tell(self, text: str, kind: str = "note") -> None:
        """Show a message."""
        self.messages = [*self.messages[-99:], Message(text, "error" if kind == "error" else "note")]

    def show(self, world: World) -> None:
        """Go on from another state: of the same laws in the same place, of others in a new simulation."""
        trace = self.overlay is not None and self._lines(self.overlay)
        if world.same_laws(self.sim.laws) and trace == self.sim.traced:
            self.sim.restore(world)
            return
        device = self.sim.device
        following = Workbench(world, device, trace=trace, variant=self._variant)
        self.sim.close()
        self.sim = following

    def open(self, world: World, source: str) -> None:
        """Begin with another world."""
        self.overlay = None
        following = Workbench(world, self.sim.device, variant=self._variant)
        self.sim.close()
        self.sim, self.source, self.first = following, source, world
        self.camera = Camera((world.width, world.height), self.camera.window)
        self.history, self.statistics = History(world), Statistics(world)
        if self.tool.material not in self.materials:
            self.tool = replace(self.tool, material=self.materials[0])
        self.unsaved = self.edited = False
        self.pacing, self.serial, self.replaced = Pacing(), 0, None
        self.log = self._tool_as_actions()

    def _tool_as_actions(self) -> list[Done]:
        """What a replay must do first to work with this tool."""
        tool, tick = self.tool, self.sim.tick
        return [
            Done(tick, "material", {"name": tool.material}),
            Done(tick, "tool", {"mode": tool.mode}),
            Done(tick, "shape", {"name": tool.shape}),
            Done(tick, "brush_size", {"cells": tool.size}),
            Done(tick, "velocity", {"x": tool.velocity[0], "y": tool.velocity[1]}),
            Done(tick, "degrees", {"count": tool.degrees}),
        ]

    def advance(self, now: float) -> None:
        """Run the ticks that are due at a time in seconds, no longer than a frame's budget, and keep what is kept."""
        due = self.clock.due(now)
        if due != 0:
            self.keep_edit()
        ran = self.pacing.run(self.sim, due)
        self.clock.ran(ran)
        if ran and self.pacing.worth_keeping(self.sim.tick):
            began = time.perf_counter()
            self.history.keep(self.sim.read())
            self.pacing.kept(self.sim.tick, time.perf_counter() - began)
        extra = self.statistics.look(self.sim, now, ran, shown=self.panels["statistics"], running=ran > 0)
        self.clock.ran(extra)
        self.pointer.hold()
        if self.recorder is not None:
            self._film(self.recorder, now)

    def go_on_to(self, tick: int) -> None:
        """Run up to a tick, if it is still to come."""
        self.keep_edit()
        self.sim.finish()
        self.sim.step(max(tick - self.sim.tick, 0))

    def keep_edit(self) -> None:
        """Before time goes on: what was edited is kept, for nothing before it leads there."""
        if self.edited:
            self.history.keep(self.sim.read(), root=True)
            self.edited = False

    def _film(self, recorder: Recorder, now: float) -> None:
        try:
            recorder.look(self.sim, self.overlay, now)
        except OutputError as error:
            self.recorder = None
            self.tell(f"{error}; the recording has ended", "error")
            self.attempt(recorder.stop)

    def picture(self) -> moderngl.Texture:
        """The world as it is seen: rgba8, as large as the window, its first row the top one."""
        return self.pacing.draw(self.sim, self.camera, self.overlay)

    def inspect(self, pixel: tuple[float, float]) -> list[tuple[str, str]]:
        """The cell under a pixel, each of its fields in its units; empty outside the world."""
        cell = self.camera.cell_at(pixel)
        return [] if cell is None else inspected(self.sim, cell)

    @property
    def materials(self) -> list[str]:
        """What can be painted: powders, liquids, gases, solids, each by number."""
        laws = self.sim.laws
        records = sorted(laws.materials, key=lambda record: (record.state - State.POWDER) % 4)
        held = {name for rule in laws.rules for name in RULES[rule].held(laws.mixture.names)}
        return [
            record.name for record in records if record.name in held or (laws.can_hold(record.name) and record.state)
        ]

    @property
    def overlays(self) -> list[Overlay]:
        """What the world's rules can show in false colour, or as lines."""
        laws = self.sim.laws
        return [overlay for _, overlay in overlays_of(laws.rules, laws.mixture.names).values()]

    @property
    def recording(self) -> bool:
        """Whether a film is being made."""
        return self.recorder is not None

    def _lines(self, overlay: str) -> bool:
        return find_overlay(self.sim.laws, overlay).lines

    def close(self) -> None:
        """End a recording and give the device's memory back."""
        if self.recorder is not None:
            self.attempt(self.recorder.stop)
            self.recorder = None
        self.sim.close()


def replay(world: World, log: list[Done], until: int = 0, device: Device | None = None) -> Viewer:
    """A viewer in which a log's actions were done again, each at its tick, and which has gone on to a tick."""
    viewer = Viewer(world, device)
    viewer.clock.paused = True
    for done in log:
        viewer.go_on_to(done.tick)
        viewer.do(done.name, **done.arguments)
    viewer.go_on_to(until)
    return viewer
