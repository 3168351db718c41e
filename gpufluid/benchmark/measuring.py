"""One world measured: its ticks, its passes, and all that one does with it beside them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gpufluid.benchmark.bandwidth import check_computes, copy_bandwidth
from gpufluid.benchmark.timing import Effort, Timing, milliseconds, time_ticks
from gpufluid.benchmark.traffic import bytes_by_pass
from gpufluid.benchmark.variants import AWAKE, VARIANTS, named
from gpufluid.benchmark.workload import Workload
from gpufluid.core.errors import DeviceError
from gpufluid.core.frame import frame_size
from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.runtime.editing import Workbench
from gpufluid.world import World

WINDOW = 512
"""A side of the window that is read."""

_REST_TICKS = 4000
"""What is built at rest is found to be so much sooner."""

_PASS_TICKS = 5

_WATCHED_TICKS = 8
"""Of a run in which a window is read late after each tick."""


@dataclass(frozen=True, slots=True)
class Case:
    """What one row of a benchmark is measured in.

    Args:
        rules: those of its world.
        workload: what makes the world.
        size: (width, height).
        variant: a name of `VARIANTS`.
        variants: by rule, how those run of which `variant` does not say it; by default as a `Simulation` chooses.
    """

    rules: tuple[str, ...]
    workload: Workload
    size: tuple[int, int]
    variant: str
    variants: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> dict[str, Any]:
        """What tells a row from all others."""
        names: dict[str, Any] = {"rules": list(self.rules), "workload": self.workload.name, "variant": self.variant}
        course = {} if self.workload.course is None else {"course": True}
        return names | {"width": self.size[0], "height": self.size[1]} | course


def measure(case: Case, effort: Effort, device: Device) -> dict[str, Any]:
    """A row of the answer, as plain data; times of whole things in milliseconds, all rates a second.

    Raises: DeviceError: there is too little memory, or the device was lost.
    """
    world = case.workload.make(*case.size)
    image = max((plane.image for plane in world.planes), key=bytes_a_texel)
    copied = copy_bandwidth(device, case.size, image, effort.runs)
    compiled, began = len(device.programs), time.perf_counter()
    wanted = {**case.variants, **named(case.variant, case.rules)}
    with Workbench(world, device, **{**VARIANTS[case.variant], "variant": wanted}) as sim:
        sim.finish()
        row = case.heading | {"about": case.workload.about, "variants": dict(sim.variants)}
        row |= {"startup_ms": 1000 * (time.perf_counter() - began), "startup_shaders": len(device.programs) - compiled}
        row["digest"] = sim.digest()
        _come_to_rest(sim, case.workload)
        begin = (lambda: sim.restore(world)) if case.workload.course is not None else None
        timing = time_ticks(sim, effort, case.workload.course, begin)
        row |= _speed(timing, world.width * world.height)
        all_looked_at = case.workload.dense or case.variant == AWAKE
        row |= _traffic(sim, _passes(sim, timing, begin), timing, copied if all_looked_at else None)
        row["copy_bytes_per_second"] = copied
        row["memory"] = {"held": sim.memory.held, "needed": sim.memory.needed}
        row |= _around(sim, world, effort.runs)
        row |= _watching(sim, effort.runs)
    check_computes(device)
    return row


def _come_to_rest(sim: Workbench, workload: Workload) -> None:
    """Run until nothing can move any more, if that is what the workload says. Raises DeviceError: it never comes."""
    while workload.at_rest and not sim.settled:
        if sim.tick >= _REST_TICKS:
            raise DeviceError(f"workload {workload.name}: something still moves after {_REST_TICKS} ticks")
        sim.step(8)


def _speed(timing: Timing, cells: int) -> dict[str, Any]:
    return {
        "ticks_a_run": timing.ticks,
        "runs_ms_a_tick": [1000 * seconds for seconds in timing.seconds],
        "ticks_per_second": 1 / timing.median,
        "cells_per_second": cells / timing.median,
        "spread": timing.spread,
    }


def _passes(sim: Workbench, timing: Timing, begin: Callable[[], None] | None) -> dict[str, float]:
    """Milliseconds of a tick by pass, each of them waited for: medians of some ticks, in the middle of a course."""
    if begin is not None:
        begin()
        sim.step(timing.ticks // 2)
    ticks = [sim.timed_step() for _ in range(_PASS_TICKS)]
    names = dict.fromkeys(name for tick in ticks for name in tick)
    return {name: statistics.median(tick.get(name, 0.0) for tick in ticks) for name in names}


def _traffic(sim: Workbench, spent: dict[str, float], timing: Timing, copied: float | None) -> dict[str, Any]:
    """What a tick moves at the least, and which share of the copy's bandwidth that makes of its time.

    None where tiles sleep, for of those nothing is moved.
    """
    laws = sim.laws
    frame = frame_size(laws.width, laws.height, laws.gravity)
    moved = bytes_by_pass(sim.calls(), (laws.width, laws.height), frame, sim.strip, len(laws.mixture))
    total = sum(moved.values())
    passes = {
        name: {"ms": ms, "bytes": moved.get(name, 0), "share_of_copy": _share(moved.get(name, 0), ms / 1000, copied)}
        for name, ms in spent.items()
    }
    return {
        "passes": passes,
        "bytes_a_tick": total,
        "bytes_per_second": total / timing.median,
        "share_of_copy": _share(total, timing.median, copied),
    }


def _share(moved: int, seconds: float, copied: float | None) -> float | None:
    return moved / seconds / copied if seconds and copied else None


def _watching(sim: Workbench, runs: int) -> dict[str, Any]:
    """What it adds to a tick to read a window late after each: milliseconds, and the share of the tick."""
    window = _window(sim.laws)
    spent: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(runs):
        for watched, found in spent.items():
            sim.finish()
            began = time.perf_counter()
            for _ in range(_WATCHED_TICKS):
                sim.step()
                if watched:
                    sim.late(sim.laws.fields[0], window)
            sim.finish()
            found.append((time.perf_counter() - began) / _WATCHED_TICKS)
    plain, watched = (statistics.median(found) for found in spent.values())
    return {"watching_ms": 1000 * (watched - plain), "watching_share": (watched - plain) / plain}


def _window(laws: World) -> tuple[tuple[int, int], tuple[int, int]]:
    """(column, row) and (width, height) of what is read of a world, in its middle."""
    size = min(WINDOW, laws.width), min(WINDOW, laws.height)
    return ((laws.width - size[0]) // 2, (laws.height - size[1]) // 2), size


def _around(sim: Workbench, world: World, runs: int) -> dict[str, Any]:
    """What it costs to read, sum up and put back: milliseconds."""
    at, window = _window(world)
    return {
        "read_ms": milliseconds(sim.read, runs),
        "window": list(window),
        "window_ms": milliseconds(lambda: sim.read_window(at, window), runs),
        "digest_ms": milliseconds(sim.digest, runs),
        "statistics_ms": milliseconds(sim.counts, runs),
        "upload_ms": milliseconds(lambda: (sim.restore(world), sim.finish()), runs),
    }
