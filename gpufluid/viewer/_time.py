"""Actions that control time: pause, step, rate, reset, rewind."""

from __future__ import annotations

from gpufluid.core.errors import UsageError, shown
from gpufluid.viewer._paint import begin
from gpufluid.viewer.actions import action
from gpufluid.viewer.clock import RATE_MOST
from gpufluid.viewer.viewer import Viewer
from gpufluid.world import World
from gpufluid.world.reshaping import resized, with_rules


@action("Time", "Pause, or continue.", "space p")
def pause(viewer: Viewer) -> None:
    viewer.clock.paused = not viewer.clock.paused


@action(
    "Time",
    "Run a number of ticks, then pause.",
    {".": {}, "shift+.": {"ticks": 10}, "ctrl+.": {"ticks": 100}},
    says=lambda ticks=1: f"Run {_ticks(ticks)}, then pause.",
)
def step(viewer: Viewer, ticks: int = 1) -> None:
    World.check_ticks(ticks)
    viewer.clock.paused = True
    viewer.sim.finish()
    viewer.run_to(viewer.sim.tick + ticks)


@action("Time", "Let time run faster.", "= +")
def faster(viewer: Viewer) -> None:
    viewer.clock.faster()


@action("Time", "Let time run slower.", "-")
def slower(viewer: Viewer) -> None:
    viewer.clock.slower()


@action("Time", "Set the ticks a second, 1 to 10000; without a number, unlimited.")
def rate(viewer: Viewer, ticks: int | None = None) -> None:
    if ticks is not None and (not isinstance(ticks, int) or not 1 <= ticks <= RATE_MOST):
        raise UsageError(f"rate: {shown(ticks)}; expected 1 to {RATE_MOST} ticks a second")
    viewer.clock.rate = ticks


@action("Time", "Start again from the beginning.", "r", logged=True)
def reset(viewer: Viewer) -> None:
    begin(viewer)
    before = viewer.sim.read()
    first = _adapted(viewer.first, before)
    viewer.show(first)
    viewer.history.note_jump(before, first)
    viewer.history.close()


def _adapted(first: World, now: World) -> World:
    """The first state in the size and with the rules of the present world, which the user may have changed."""
    if (first.width, first.height) != (now.width, now.height):
        first = resized(first, now.width, now.height)
    return with_rules(first, now.rules) if set(now.rules) > set(first.rules) else first


@action(
    "Time",
    "Go back a number of ticks.",
    {"backspace": {"ticks": 60}, ",": {"ticks": 1}},
    logged=True,
    says=lambda ticks: f"Go back {_ticks(ticks)}.",
)
def rewind(viewer: Viewer, ticks: int = 60) -> dict[str, object]:
    World.check_ticks(ticks)
    viewer.pointer.cancel()
    now, earliest = viewer.sim.tick, viewer.history.earliest
    target = max(now - ticks, earliest)
    if now - ticks < earliest:
        viewer.tell(f"rewind: tick {earliest} is the earliest in the history")

    viewer.clock.paused = True
    viewer.history.back_to(target, viewer.run_from)
    return {"ticks": now - target}  # a replay's history may reach further back


def _ticks(count: int) -> str:
    return "one tick" if count == 1 else f"{count} ticks"
