"""Actions of time."""

from __future__ import annotations

from gpufluid.core.errors import UsageError, shown
from gpufluid.runtime.simulation import Simulation
from gpufluid.viewer.actions import action
from gpufluid.viewer.clock import RATE_MOST
from gpufluid.viewer.viewer import Viewer
from gpufluid.world import World


@action("Time", "Stop time, or let it go on.", "p")
def pause(viewer: Viewer) -> None:
    viewer.clock.paused = not viewer.clock.paused


@action("Time", "Run one tick, or so many, and stop.", {".": {}, "shift+.": {"ticks": 10}, "ctrl+.": {"ticks": 100}})
def step(viewer: Viewer, ticks: int = 1) -> None:
    World.check_ticks(ticks)
    viewer.clock.paused = True
    viewer.sim.finish()
    viewer.go_on_to(viewer.sim.tick + ticks)


@action("Time", "More ticks a second.", "= +")
def faster(viewer: Viewer) -> None:
    viewer.clock.faster()


@action("Time", "Fewer ticks a second.", "-")
def slower(viewer: Viewer) -> None:
    viewer.clock.slower()


@action("Time", "So many ticks a second, 1 to 10000; without a number as fast as it goes.")
def rate(viewer: Viewer, ticks: int | None = None) -> None:
    if ticks is not None and (not isinstance(ticks, int) or not 1 <= ticks <= RATE_MOST):
        raise UsageError(f"rate: {shown(ticks)}; expected 1 to {RATE_MOST} ticks a second")
    viewer.clock.rate = ticks


@action("Time", "Begin again from the first state.", "r", lasting=True)
def reset(viewer: Viewer) -> None:
    viewer.history.before_edit(viewer.sim.read())
    viewer.show(viewer.first)
    viewer.edited = True


@action("Time", "Go back in time by so many ticks.", {"backspace": {"ticks": 60}, ",": {"ticks": 1}}, lasting=True)
def rewind(viewer: Viewer, ticks: int = 60) -> dict[str, object]:
    World.check_ticks(ticks)
    viewer.keep_edit()
    now, earliest = viewer.sim.tick, viewer.history.earliest
    target = max(now - ticks, earliest)
    if now - ticks < earliest:
        viewer.tell(f"as far back as is kept: tick {earliest}")

    def run(world: World, ticks: int) -> World:
        with Simulation(world, viewer.sim.device, variant=viewer.sim.variants) as sim:
            sim.step(ticks)
            return sim.read()

    viewer.clock.paused = True
    viewer.show(viewer.history.back_to(target, run))
    return {"ticks": now - target}  # a replay may have kept more on the way
