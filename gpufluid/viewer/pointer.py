"""The mouse over the world: translates presses, drags and releases into actions, according to the tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gpufluid.core.fields import TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.matter.ports import SPEED_MOST
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer.camera import Camera
from gpufluid.viewer.clock import Clock
from gpufluid.viewer.tool import Tool

Pixel = tuple[float, float]
Cell = tuple[int, int]
Position = tuple[float, float]
"""In cells from the world's top left corner."""

ARROW = 4.0
"""Length of a dragged arrow, in cells, for a velocity of one cell a tick."""

STROKES = ("paint", "erase", "replace")
HEATING = {"warm": 1, "cool": -1}


class PointerTarget(Protocol):
    """The part of `Viewer` that a pointer uses."""

    @property
    def camera(self) -> Camera:
        """The view in which the pointer's pixels lie."""
        ...

    @property
    def clock(self) -> Clock:
        """See `Viewer`."""
        ...

    @property
    def sim(self) -> Workbench:
        """See `Viewer`."""
        ...

    @property
    def tool(self) -> Tool:
        """The tool that the pointer uses."""
        ...

    @property
    def in_long_tick(self) -> bool:
        """See `Viewer.in_long_tick`."""
        ...

    def do(self, action: str, **arguments: object) -> None:
        """See `Viewer.do`."""

    def attempt(self, act: Callable[[], None]) -> bool:
        """See `Viewer.attempt`."""
        ...


class Pointer:
    """The mouse over the world.

    A middle drag, or a drag with the space bar held, moves the view; the wheel zooms. The left button uses the tool;
    with Shift, a stroke begins where the last stroke ended. The right button erases; with the heat brush it cools
    instead of heating, or the reverse. A drag with Alt sets the velocity of painted matter by an arrow.

    A brush acts once in each tick while its button is held: the cells under it are painted, erased or replaced again,
    or heated by the tool's degrees. All of this is one stroke. While time is paused, only the press and each move to
    another cell act.

    A stroke edits between two ticks. During a tick that takes many frames, strokes wait until the tick ends, and the
    window stays responsive; a press of the heat brush finishes the tick at once.

    Args:
        viewer: receives the actions.
    """

    def __init__(self, viewer: PointerTarget) -> None:
        self._viewer = viewer
        self.at: Pixel = (0.0, 0.0)
        self.start: Position | None = None
        self.drag: str | None = None
        self._last: Cell | None = None
        self._acted_to = 0  # the tick up to which the held brush has acted
        self._waiting: list[tuple[str, dict[str, object]]] = []  # actions of a brush, for the end of a long tick

    def press(self, button: str, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:
        """Handle a button press at pixel (x, y); `button` is ``left``, ``right`` or ``middle``."""
        self.at = (x, y)
        self.start = self._viewer.camera.position_at(self.at)  # in the world: the view may move during the drag
        cell = self._cell()
        mode = self._mode(button)
        if button == "middle" or "space" in modifiers:
            self.drag = "pan"
        elif "alt" in modifiers:
            self.drag = "velocity"
        elif mode in STROKES:
            self.drag = mode
            first = self._last if "shift" in modifiers and self._last is not None else cell
            self._brush("paint", points=[first, cell], mode=mode)
            self._last, self._acted_to = cell, self._viewer.sim.tick
        elif mode in HEATING:
            if self._do("heat", points=[cell], degrees=HEATING[mode] * self._viewer.tool.degrees):
                self.drag, self._last, self._acted_to = mode, cell, self._viewer.sim.tick
        elif mode in ("line", "rectangle", "emitter", "drain"):
            self.drag = mode
        else:
            self._do(mode, at=cell)

    def move(self, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:  # noqa: ARG002
        """Handle a move of the pointer to pixel (x, y)."""
        before, self.at = self.at, (x, y)
        if self.drag == "pan":
            self._viewer.camera.pan(x - before[0], y - before[1])
        elif self.drag in STROKES and self._last != self._cell():
            self._brush("paint", points=[self._last, self._cell()], mode=self.drag, more=True)
            self._last = self._cell()
        elif self.drag in HEATING and self._viewer.clock.paused and self._last != self._cell():
            self._heat(self.drag, 1)

    @property
    def holding(self) -> bool:
        """True if a brush is held; it acts in each tick."""
        return self.drag in STROKES or self.drag in HEATING

    @property
    def waiting(self) -> bool:
        """True if actions of a brush wait for the end of a tick."""
        return bool(self._waiting)

    def act_on_waiting(self) -> None:
        """Run the actions that wait for the end of a tick. Call between two ticks only."""
        waiting, self._waiting = self._waiting, []
        for name, arguments in waiting:
            self._do(name, **arguments)
        if waiting:
            self._acted_to = self._viewer.sim.tick

    def act_while_held(self) -> None:
        """Apply the held brush for the ticks since the last call. Between two ticks only: call after each tick.

        The heat brush acts for each of these ticks, the others once.
        """
        self.act_on_waiting()
        if not self.holding:
            return
        ticks, self._acted_to = self._viewer.sim.tick - self._acted_to, self._viewer.sim.tick
        if ticks <= 0:  # none, or time has gone back
            return
        if self.drag in HEATING:
            self._heat(self.drag, ticks)
        else:
            self._do("paint", points=[self._cell()], mode=self.drag, more=True, held=True)
            self._last = self._cell()

    def _heat(self, mode: str, ticks: int) -> None:
        given = HEATING[mode] * self._viewer.tool.degrees * ticks
        limit = (TEMPERATURE_MOST - TEMPERATURE_LEAST) / TEMPERATURE_ONE
        self._do("heat", points=[self._last, self._cell()], degrees=min(max(given, -limit), limit), more=True)
        self._last = self._cell()

    def _mode(self, button: str) -> str:
        """The tool mode that a button uses."""
        mode = self._viewer.tool.mode
        if button != "right":
            return mode
        return {"warm": "cool", "cool": "warm"}.get(mode, "erase")

    def release(self, button: str, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:  # noqa: ARG002
        """Handle a button release at pixel (x, y)."""
        self.move(x, y)
        drag, self.drag = self.drag, None
        if self.start is None:
            return
        start, end = (int(self.start[0] // 1), int(self.start[1] // 1)), self._cell()
        self.start = None
        if drag == "velocity":
            self._do("velocity", x=_speed(start[0], end[0]), y=_speed(start[1], end[1]))
        elif drag in ("line", "rectangle", "drain"):
            self._do(drag, start=start, end=end)
        elif drag == "emitter":
            self._do("emitter", at=start, x=_speed(start[0], end[0]), y=_speed(start[1], end[1]))

    def wheel(self, steps: int, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:
        """Handle the wheel, `steps` positive upwards: zoom about pixel (x, y), or with Ctrl change the brush size."""
        self.at = (x, y)
        if "ctrl" in modifiers:
            self._do("bigger" if steps > 0 else "smaller")
        else:
            self._viewer.camera.zoom_at(self.at, steps)

    def cancel(self) -> None:
        """Forget the drag and the end of the last stroke, because the world was replaced or its time went back."""
        self.drag = self.start = self._last = None

    @property
    def arrow(self) -> tuple[Pixel, Pixel] | None:
        """(start, end) in pixels of the shape being dragged out, to be drawn; None if there is none."""
        shown = self.drag in ("velocity", "emitter", "line", "rectangle", "drain") and self.start is not None
        return (self._viewer.camera.pixel_of(self.start), self.at) if shown and self.start is not None else None

    def _cell(self) -> Cell:
        return self._viewer.camera.nearest_cell(self.at)

    def _brush(self, name: str, **arguments: object) -> None:
        """Run an action of a brush, now or at the end of a long tick in progress."""
        if self._viewer.in_long_tick:
            self._waiting.append((name, arguments))
        else:
            self._do(name, **arguments)

    def _do(self, name: str, **arguments: object) -> bool:
        act: Callable[[], None] = lambda: self._viewer.do(name, **arguments)  # noqa: E731
        return self._viewer.attempt(act)


def _speed(start: int, end: int) -> float:
    """Velocity component, in cells a tick, of an arrow between two cells along one axis; limited to `SPEED_MOST`."""
    return min(max((end - start) / ARROW, -SPEED_MOST), SPEED_MOST)
