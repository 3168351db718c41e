"""The mouse: what pressing, dragging and letting go mean with each tool, as actions."""

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

ARROW = 4.0
"""Cells of an arrow to a cell a tick of velocity."""

STROKES = ("paint", "erase", "replace")
HEATING = {"warm": 1, "cool": -1}


class Worked(Protocol):
    """What a pointer works on: a `Viewer`."""

    camera: Camera
    clock: Clock
    sim: Workbench
    tool: Tool

    def do(self, action: str, **arguments: object) -> None:
        """See `Viewer.do`."""

    def attempt(self, act: Callable[[], None]) -> bool:
        """See `Viewer.attempt`."""
        ...


class Pointer:
    """The mouse over the world.

    Middle drag, or a drag with the space bar held, moves the world; the wheel zooms. The left button works with the
    tool; with Shift a stroke goes on in a straight line from where the last one ended. The right button erases, or with
    the heat brush does the opposite. With Alt a drag draws the arrow of the velocity that what is painted gets.

    The heat brush works for as long as it is held: in each tick that runs, what is under it gets so many degrees; while
    time stands still, pressing it, and the way to each cell that it is dragged to, count as a tick.

    Args:
        viewer: what it works on.
    """

    def __init__(self, viewer: Worked) -> None:
        self._viewer = viewer
        self.at: Pixel = (0.0, 0.0)
        self.start: Pixel | None = None
        self.drag: str | None = None
        self._last: Cell | None = None
        self._heated_to = 0  # the tick up to which what is held has given heat

    def press(self, button: str, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:
        """A button goes down at a pixel; `button` is left, right or middle."""
        self.at = self.start = (x, y)
        cell = self._cell()
        mode = self._mode(button)
        if button == "middle" or "space" in modifiers:
            self.drag = "pan"
        elif "alt" in modifiers:
            self.drag = "velocity"
        elif mode in STROKES:
            self.drag = mode
            first = self._last if "shift" in modifiers and self._last is not None else cell
            self._do("paint", points=[first, cell], mode=mode)
            self._last = cell
        elif mode in HEATING:
            if self._do("heat", points=[cell], degrees=HEATING[mode] * self._viewer.tool.degrees):
                self.drag, self._last, self._heated_to = mode, cell, self._viewer.sim.tick
        elif mode in ("line", "rectangle", "emitter", "drain"):
            self.drag = mode
        else:
            self._do(mode, at=cell)

    def move(self, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:  # noqa: ARG002
        """The pointer moves to a pixel."""
        before, self.at = self.at, (x, y)
        if self.drag == "pan":
            self._viewer.camera.pan(x - before[0], y - before[1])
        elif self.drag in STROKES and self._last != self._cell():
            self._do("paint", points=[self._last, self._cell()], mode=self.drag, more=True)
            self._last = self._cell()
        elif self.drag in HEATING and self._viewer.clock.paused and self._last != self._cell():
            self._heat(self.drag, 1)

    def hold(self) -> None:
        """Time may have gone on while it is held. A tick that is half done is run to its end, as for any edit."""
        if self.drag not in HEATING:
            return
        self._viewer.sim.finish()
        ticks, self._heated_to = self._viewer.sim.tick - self._heated_to, self._viewer.sim.tick
        if ticks > 0:
            self._heat(self.drag, ticks)

    def _heat(self, mode: str, ticks: int) -> None:
        given = HEATING[mode] * self._viewer.tool.degrees * ticks
        limit = (TEMPERATURE_MOST - TEMPERATURE_LEAST) / TEMPERATURE_ONE
        self._do("heat", points=[self._last, self._cell()], degrees=min(max(given, -limit), limit), more=True)
        self._last = self._cell()

    def _mode(self, button: str) -> str:
        """What a button does."""
        mode = self._viewer.tool.mode
        if button != "right":
            return mode
        return {"warm": "cool", "cool": "warm"}.get(mode, "erase")

    def release(self, button: str, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:  # noqa: ARG002
        """A button goes up at a pixel."""
        self.move(x, y)
        drag, self.drag = self.drag, None
        if self.start is None:
            return
        start, end = self._viewer.camera.nearest_cell(self.start), self._cell()
        self.start = None
        if drag == "velocity":
            self._do("velocity", x=_speed(start[0], end[0]), y=_speed(start[1], end[1]))
        elif drag in ("line", "rectangle", "drain"):
            self._do(drag, start=start, end=end)
        elif drag == "emitter":
            self._do("emitter", at=start, x=_speed(start[0], end[0]), y=_speed(start[1], end[1]))

    def wheel(self, steps: int, x: float, y: float, modifiers: frozenset[str] = frozenset()) -> None:
        """The wheel turns, up is positive; with Ctrl it changes the brush."""
        self.at = (x, y)
        if "ctrl" in modifiers:
            self._do("bigger" if steps > 0 else "smaller")
        else:
            self._viewer.camera.zoom_at(self.at, steps)

    @property
    def arrow(self) -> tuple[Pixel, Pixel] | None:
        """What is being dragged out and is to be shown: from pixel, to pixel."""
        shown = self.drag in ("velocity", "emitter", "line", "rectangle", "drain") and self.start is not None
        return (self.start, self.at) if shown and self.start is not None else None

    def _cell(self) -> Cell:
        return self._viewer.camera.nearest_cell(self.at)

    def _do(self, name: str, **arguments: object) -> bool:
        act: Callable[[], None] = lambda: self._viewer.do(name, **arguments)  # noqa: E731
        return self._viewer.attempt(act)


def _speed(start: int, end: int) -> float:
    """What an arrow between two cells means along one axis; the longest arrows mean the highest speed there is."""
    return min(max((end - start) / ARROW, -SPEED_MOST), SPEED_MOST)
