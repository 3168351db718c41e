"""How fast a world runs and what is in it, over the last minutes."""

from __future__ import annotations

import time
from collections import deque

import numpy as np

from gpufluid.simulation import Simulation
from gpufluid.world import World

SECONDS_BETWEEN = 0.25
"""Between two looks at the counts; longer where a look takes long."""

KEPT = 480


class Statistics:
    """What a viewer measures.

    Args:
        world: whose laws hold.
    """

    def __init__(self, world: World) -> None:
        self._names = [record.name for record in world.materials]
        self.ticks_a_second = 0.0
        self.frames_a_second = 0.0
        self.ms_by_pass: dict[str, float] = {}
        self.ticks: deque[int] = deque(maxlen=KEPT)
        self.counts: dict[str, deque[int]] = {}
        self._since, self._ticks, self._frames = 0.0, 0, 0
        self._next = 0.0

    def look(self, sim: Simulation, now: float, ran: int, passes: bool) -> None:
        """A frame has been shown and so many ticks have run.

        Args:
            passes: whether to measure, now and then, what each pass of a tick takes; that tick is waited for.
        """
        self._ticks += ran
        self._frames += 1
        if now < self._next:
            return
        elapsed = now - self._since
        if 0 < elapsed < 60:
            self.ticks_a_second, self.frames_a_second = self._ticks / elapsed, self._frames / elapsed
        self._since, self._ticks, self._frames = now, 0, 0
        began = time.perf_counter()
        self._count(sim)
        if passes:
            self.ms_by_pass = sim.timed_step()
        self._next = now + max(SECONDS_BETWEEN, 20 * (time.perf_counter() - began))

    def _count(self, sim: Simulation) -> None:
        """The cells of each material, as they were at the last look."""
        late = sim.late("material")
        if late is None or (self.ticks and late[0] <= self.ticks[-1]):
            if late is not None and self.ticks and late[0] < self.ticks[-1]:
                self.ticks.clear()
                self.counts.clear()
            return
        self.ticks.append(late[0])
        counted = np.bincount(late[1].ravel(), minlength=len(self._names))
        for number in np.flatnonzero(counted):
            if number and self._names[number] not in self.counts:
                zeros = [0] * (len(self.ticks) - 1)
                self.counts[self._names[number]] = deque(zeros, maxlen=KEPT)
        for name, counts in self.counts.items():
            counts.append(int(counted[self._names.index(name)]))
