"""Timing of ticks and calls: after a warm-up, over several runs, with median and spread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

_WARM_TICKS = 3
_WARM_SECONDS = 0.15
"""Least time of the ticks before the first run, after those in which programs are compiled. A GPU that was idle first
raises its clock: on an NVIDIA H100 a run that began at once took up to four times as long.
"""

_QUICK_SECONDS = 0.5
"""Approximate longest time for the repetitions of a call in `median_ms`."""


FEWEST_RUNS = 2
"""The fewest runs of a figure: the spread needs two."""


ENOUGH_SECONDS = 1.0
"""`Effort.enough`, in seconds, unless the user asks for a number of runs."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Number and length of the runs.

    Args:
        runs: the number of runs for each figure, or the most if `enough` is given; the median is reported.
        seconds: least length of a run, if no number of ticks is given.
        ticks: of a run; None: the workload's number, or as many as `seconds` needs.
        enough: a figure gets no further run once it has `FEWEST_RUNS` and they have taken so many seconds together;
            None: all runs.
    """

    runs: int = 5
    seconds: float = 0.25
    ticks: int | None = None
    enough: float | None = None


class Steps(Protocol):
    """The part of a simulation that is timed."""

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""

    def finish(self) -> None:
        """Wait until they have run."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of several runs.

    Args:
        ticks: of each run.
        seconds: for each run, its time divided by its ticks.
    """

    ticks: int
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """Median over runs, in seconds a tick."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """Difference between the slowest and the fastest run, divided by the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median


def time_ticks(sim: Steps, effort: Effort, ticks: int | None = None, begin: Callable[[], None] | None = None) -> Timing:
    """Time runs of ticks, waiting for the device only at the end of each run.

    Args:
        sim: to be run; it is warmed up first.
        effort: number and length of the runs.
        ticks: of a run, if `effort` has none; None: as many as take `effort.seconds`.
        begin: called before each run, outside the measured time.
    """
    _seconds(sim, _WARM_TICKS)
    warm = spent = _seconds(sim, _WARM_TICKS)
    while spent < _WARM_SECONDS:
        warm = _seconds(sim, _WARM_TICKS)
        spent += warm
    ticks = effort.ticks or ticks
    if ticks is None:
        ticks = max(1, round(effort.seconds / (warm / _WARM_TICKS)))
    seconds = []
    for run in range(effort.runs):
        if effort.enough is not None and run >= FEWEST_RUNS and sum(seconds) * ticks >= effort.enough:
            break
        if begin is not None:
            begin()
        seconds.append(_seconds(sim, ticks) / ticks)
    return Timing(ticks, tuple(seconds))


def _seconds(sim: Steps, ticks: int) -> float:
    sim.finish()
    began = time.perf_counter()
    sim.step(ticks)
    sim.finish()
    return time.perf_counter() - began


def median_ms(call: Callable[[], object], runs: int) -> float:
    """Return the median time of a call in milliseconds, after one call that is not measured.

    Args:
        call: must itself wait for the device.
        runs: number of calls; fewer if they take longer than `_QUICK_SECONDS` together.
    """
    call()
    spent: list[float] = []
    while len(spent) < runs and sum(spent) < 1000 * _QUICK_SECONDS:
        began = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - began))
    return statistics.median(spent)
