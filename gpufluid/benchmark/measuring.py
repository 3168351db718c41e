"""Measurement of one row of a benchmark: the times of ticks, of passes, and of reading and writing the state."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpufluid.benchmark.bandwidth import check_computes, copy_bandwidth
from gpufluid.benchmark.timing import Effort, Timing, median_ms, time_ticks
from gpufluid.benchmark.traffic import bytes_by_pass
from gpufluid.benchmark.variants import AWAKE, VARIANTS, variants_by_rule
from gpufluid.benchmark.workload import Workload
from gpufluid.core.errors import DeviceError
from gpufluid.core.fields import carried_planes
from gpufluid.core.frame import frame_size
from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.runtime.editing import Workbench
from gpufluid.world import World

if TYPE_CHECKING:
    from gpufluid.cluster.leading import SharedSimulation

WINDOW = 512
"""Largest side of the part of the world that a window would read, in cells."""

_REST_TICKS = 4000
"""Ticks after which a workload that claims to settle counts as failed; all of them settle much sooner."""

_PASS_TICKS = 5
"""Ticks in which the passes are timed."""

_LATE_READ_TICKS = 8
"""Ticks of a run that requests a window after each tick without waiting for it; see `Simulation.late`."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a benchmark, to be measured.

    Args:
        rules: the rules of the world.
        workload: the workload that makes the world.
        size: (width, height) in cells.
        variant: a key of `VARIANTS`.
        variants: the variant of a rule, by the rule's name, for rules of which ``variant`` says nothing; by default as
            a `Simulation` chooses.
    """

    rules: tuple[str, ...]
    workload: Workload
    size: tuple[int, int]
    variant: str
    variants: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> dict[str, Any]:
        """The entries that identify the row, as in `report.key`, and ``course`` if each run restarts the world."""
        names: dict[str, Any] = {"rules": list(self.rules), "workload": self.workload.name, "variant": self.variant}
        restarts = {} if self.workload.run_ticks is None else {"course": True}
        return names | {"width": self.size[0], "height": self.size[1]} | restarts


def measure(case: Case, effort: Effort, device: Device) -> dict[str, Any]:
    """Measure a row. Returns its figures as plain data. Keys that end in ``_ms`` are milliseconds.

    Raises: DeviceError: too little memory, or the device was lost.
    """
    world = case.workload.make(*case.size)
    image = max((plane.image for plane in world.planes), key=bytes_a_texel)
    bandwidth = copy_bandwidth(device, case.size, image, effort.runs)
    programs, began = len(device.programs), time.perf_counter()
    wanted = {**case.variants, **variants_by_rule(case.variant, case.rules)}
    with Workbench(world, device, **{**VARIANTS[case.variant], "variant": wanted}) as sim:
        sim.finish()
        row = case.heading | {"about": case.workload.about, "variants": dict(sim.variants)}
        row |= {"startup_ms": 1000 * (time.perf_counter() - began), "startup_shaders": len(device.programs) - programs}
        row["digest"] = sim.digest()
        run_until_settled(sim, case.workload)
        begin = (lambda: sim.restore(world)) if case.workload.run_ticks is not None else None
        timing = time_ticks(sim, effort, case.workload.run_ticks, begin)
        row |= speed(timing, world.width * world.height)
        never_sleeps = case.workload.dense or case.variant == AWAKE
        row |= _traffic(sim, _pass_times(sim, timing, begin), timing, bandwidth if never_sleeps else None)
        row["copy_bytes_per_second"] = bandwidth
        row["memory"] = {"held": sim.memory.held, "needed": sim.memory.needed}
        row |= _transfer_times(sim, world, effort.runs)
        row |= _late_read_times(sim, effort.runs)
    check_computes(device)
    return row


def run_until_settled(sim: Workbench | SharedSimulation, workload: Workload) -> None:
    """Run a workload that is measured at rest until it has settled. Raises: DeviceError: not after `_REST_TICKS`."""
    while workload.at_rest and not sim.settled:
        if sim.tick >= _REST_TICKS:
            raise DeviceError(
                f"workload {workload.name}: cells still move after {_REST_TICKS} ticks; expected a settled world"
            )
        sim.step(8)


def speed(timing: Timing, cells: int) -> dict[str, Any]:
    """The entries of a row about the speed of ticks, in a world of so many cells."""
    return {
        "ticks_a_run": timing.ticks,
        "runs_ms_a_tick": [1000 * seconds for seconds in timing.seconds],
        "ticks_per_second": 1 / timing.median,
        "cells_per_second": cells / timing.median,
        "spread": timing.spread,
    }


def _pass_times(sim: Workbench, timing: Timing, begin: Callable[[], None] | None) -> dict[str, float]:
    """Milliseconds of each pass by full name: medians of `_PASS_TICKS` ticks, with a wait after each pass.

    If each run restarts the world, by ``begin``, the ticks are taken from the middle of a run.
    """
    if begin is not None:
        begin()
        sim.step(timing.ticks // 2)
    ticks = [sim.timed_step() for _ in range(_PASS_TICKS)]
    names = dict.fromkeys(name for tick in ticks for name in tick)
    return {name: statistics.median(tick.get(name, 0.0) for tick in ticks) for name in names}


def _traffic(sim: Workbench, times: dict[str, float], timing: Timing, bandwidth: float | None) -> dict[str, Any]:
    """The dispatches of a tick, its least memory traffic, and the share of the copy's bandwidth.

    Args:
        sim: the simulation.
        times: the milliseconds of each pass.
        timing: the times of ticks.
        bandwidth: of the copy, in bytes a second; None if tiles sleep, because the traffic of sleeping tiles is not
            known. The shares are then None too.
    """
    laws = sim.blank
    frame = frame_size(laws.width, laws.height, laws.gravity)
    carried = carried_planes(plane.name for plane in laws.planes)
    calls = [call for call in sim.calls() if call.pass_.full_name in times]  # others do not run, see `Pass.needs`
    traffic = bytes_by_pass(calls, (laws.width, laws.height), frame, sim.strip, len(laws.mixture), carried)
    total = sum(traffic.values())
    passes = {}
    for name, ms in times.items():
        size = traffic.get(name, 0)
        passes[name] = {"ms": ms, "bytes": size, "share_of_copy": _share(size, ms / 1000, bandwidth)}
    return {
        "passes": passes,
        "dispatches_a_tick": sim.dispatches(),
        "bytes_a_tick": total,
        "bytes_per_second": total / timing.median,
        "share_of_copy": _share(total, timing.median, bandwidth),
    }


def _share(size: int, seconds: float, bandwidth: float | None) -> float | None:
    """The share of a bandwidth, in bytes a second, that ``size`` bytes in some seconds use; None: not known."""
    return size / seconds / bandwidth if seconds and bandwidth else None


def _late_read_times(sim: Workbench, runs: int) -> dict[str, Any]:
    """The time that a late read of a window adds to a tick: in milliseconds, and as a share of the tick."""
    window = _window(sim.blank)
    seconds: dict[bool, list[float]] = {False: [], True: []}  # of a tick in each run, without and with late reads
    for _ in range(runs):
        for reads, of_runs in seconds.items():
            sim.finish()
            began = time.perf_counter()
            for _ in range(_LATE_READ_TICKS):
                sim.step()
                if reads:
                    sim.late(sim.blank.fields[0], window)
            sim.finish()
            of_runs.append((time.perf_counter() - began) / _LATE_READ_TICKS)
    without, with_reads = (statistics.median(of_runs) for of_runs in seconds.values())
    return {"watching_ms": 1000 * (with_reads - without), "watching_share": (with_reads - without) / without}


def _window(laws: World) -> tuple[tuple[int, int], tuple[int, int]]:
    """(column, row) and (width, height) of the window that is read, in the middle of the world."""
    size = min(WINDOW, laws.width), min(WINDOW, laws.height)
    return ((laws.width - size[0]) // 2, (laws.height - size[1]) // 2), size


def _transfer_times(sim: Workbench, world: World, runs: int) -> dict[str, Any]:
    """Milliseconds to read, hash, count and upload the state."""
    at, window = _window(world)
    return {
        "read_ms": median_ms(sim.read, runs),
        "window": list(window),
        "window_ms": median_ms(lambda: sim.read_window(at, window), runs),
        "digest_ms": median_ms(sim.digest, runs),
        "statistics_ms": median_ms(sim.counts, runs),
        "upload_ms": median_ms(lambda: (sim.restore(world), sim.finish()), runs),
    }
