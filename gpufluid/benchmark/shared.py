"""Measurement of a row of a benchmark in a world that the ranks of MPI share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gpufluid.benchmark.measuring import Case, run_until_settled, speed
from gpufluid.benchmark.timing import Effort, time_ticks
from gpufluid.benchmark.variants import VARIANTS, variants_by_rule
from gpufluid.core.errors import UsageError
from gpufluid.world import World

if TYPE_CHECKING:
    from gpufluid.cluster.leading import SharedSimulation

Share = Callable[[World, Mapping[str, str], bool], "SharedSimulation"]
"""Shares a world among all ranks, with the variant of each rule, and with tiles that sleep or not."""


class _Restartable:
    """A shared world that can begin anew."""

    def __init__(self, share: Callable[[], SharedSimulation]) -> None:
        self._share = share
        self.now = share()

    def begin(self) -> None:
        """Begin with the first state again."""
        self.now = self._share()

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        self.now.step(ticks)

    def finish(self) -> None:
        """Wait until they have run."""
        self.now.finish()


def measure_shared(case: Case, effort: Effort, share: Share) -> dict[str, Any]:
    """Measure a row on rank 0, while the other ranks follow. Returns its figures as plain data.

    ``bytes_sent`` and ``seconds_waited`` are those of all ranks together for a tick: of all runs, or of the last one if
    the world begins anew before each run.

    Raises: UsageError: ranks cannot share such a world. DeviceError: too little memory, or a device was lost.
    """
    world, given = case.workload.make(*case.size), VARIANTS[case.variant]
    if "strip" in given:
        raise UsageError("ranks that share a world choose the sizes of strips themselves")
    variants = {**case.variants, **variants_by_rule(case.variant, case.rules)}
    began = time.perf_counter()
    shared = _Restartable(lambda: share(world, variants, given.get("sleeping", True)))
    shared.finish()
    row = case.heading | {"about": case.workload.about, "variants": variants}
    row |= {"startup_ms": 1000 * (time.perf_counter() - began), "digest": shared.now.digest()}
    run_until_settled(shared.now, case.workload)
    begin = shared.begin if case.workload.run_ticks is not None else None
    before, first = (np.array(shared.now.costs()), shared.now.tick) if begin is None else (0, world.tick)
    timing = time_ticks(shared, effort, case.workload.run_ticks, begin)
    spent = (np.array(shared.now.costs()) - before) / max(shared.now.tick - first, 1)
    row |= speed(timing, world.width * world.height) | {"ranks": len(spent)}
    row |= {"bytes_sent": float(spent[:, 0].sum()), "seconds_waited": float(spent[:, 1].sum())}
    shared.now.close()
    return row
