"""How long things take: warmed up, waited for, several times, with the median and the spread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from gpufluid.runtime.simulation import Simulation

_WARM_TICKS = 3
_QUICK_SECONDS = 0.5
"""What is timed beside the ticks is repeated for about so long at most."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured.

    Args:
        runs: of each figure; their median is what is reported.
        seconds: that a run of ticks takes at the least, unless their number is given.
        ticks: of a run; None: what its workload or `seconds` say.
    """

    runs: int = 5
    seconds: float = 0.25
    ticks: int | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Several runs of one thing.

    Args:
        ticks: in each run.
        seconds: a tick, of each run in turn.
    """

    ticks: int
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """Seconds a tick."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """From the fastest run to the slowest, in parts of the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median


def time_ticks(
    sim: Simulation, effort: Effort, ticks: int | None = None, begin: Callable[[], None] | None = None
) -> Timing:
    """Run ticks, waiting for the device at the end of each run only.

    Args:
        sim: what runs; it is warmed up first.
        effort: how much.
        ticks: of a run, if the effort does not say; None: as many as take long enough.
        begin: called before each run, outside its time.
    """
    warm = _seconds(sim, _WARM_TICKS)
    ticks = effort.ticks or ticks
    if ticks is None:
        warm = _seconds(sim, _WARM_TICKS)
        ticks = max(1, round(effort.seconds / (warm / _WARM_TICKS)))
    seconds = []
    for _ in range(effort.runs):
        if begin is not None:
            begin()
        seconds.append(_seconds(sim, ticks) / ticks)
    return Timing(ticks, tuple(seconds))


def _seconds(sim: Simulation, ticks: int) -> float:
    sim.finish()
    began = time.perf_counter()
    sim.step(ticks)
    sim.finish()
    return time.perf_counter() - began


def milliseconds(call: Callable[[], object], runs: int) -> float:
    """The median of so many calls after a first one; of what takes long, of fewer.

    The call itself must wait for the device, as everything does that brings an answer.
    """
    call()
    spent: list[float] = []
    while len(spent) < runs and sum(spent) < 1000 * _QUICK_SECONDS:
        began = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - began))
    return statistics.median(spent)
