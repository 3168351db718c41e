"""How fast a world runs and what is in it, over the last minutes."""

from __future__ import annotations

import time
from collections import deque

from gpufluid.core.fields import FULL
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.matter import held
from gpufluid.world import World
from gpufluid.world.statistics import Statistics as Sums

SECONDS_BETWEEN = 0.25
"""Between two looks at the counts; longer where a look takes long."""

_SMALL = 1 << 22
"""Worlds of so many cells are counted all the time."""

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
        self.latest: Sums | None = None
        self._since, self._ticks, self._frames = 0.0, 0, 0
        self._next = 0.0
        self._held = held(world)

    def look(self, sim: Workbench, now: float, ran: int, shown: bool, running: bool) -> int:
        """A frame has been shown and so many ticks have run.

        Args:
            shown: whether anyone looks at them: only then is a large world counted, and only then is measured, now and
                then, what each pass of a tick takes.
            running: whether time goes on.
        Returns: how many ticks were run in order to measure them.
        """
        self._ticks += ran
        self._frames += 1
        if now < self._next:
            return 0
        elapsed = now - self._since
        if 0 < elapsed < 60:
            self.ticks_a_second, self.frames_a_second = self._ticks / elapsed, self._frames / elapsed
        self._since, self._ticks, self._frames = now, 0, 0
        began = time.perf_counter()
        if shown or sim.laws.width * sim.laws.height <= _SMALL:
            counts = sim.late_statistics()
            if counts is not None:
                self._note(counts)
        measured = shown and running
        if measured:
            self.ms_by_pass = sim.timed_step()
            self._ticks += 1
        self._next = now + max(SECONDS_BETWEEN, 20 * (time.perf_counter() - began))
        return int(measured)

    def _note(self, counts: Sums) -> None:
        """Keep the cells of each material, or that its amount would fill; and all there is of the last look."""
        self.latest = counts
        if self.ticks and counts.tick < self.ticks[-1]:  # time was turned back
            self.ticks.clear()
            self.counts.clear()
        if self.ticks and counts.tick == self.ticks[-1]:
            return
        units = {name: counts.units_of(name, field) for name, field in self._held.items()}
        cells = dict(counts.cells) | {name: counts.cells[name] + held // FULL for name, held in units.items()}
        self.ticks.append(counts.tick)
        for name in self._names[1:]:
            if cells[name] and name not in self.counts:
                self.counts[name] = deque([0] * (len(self.ticks) - 1), maxlen=KEPT)
        for name, kept in self.counts.items():
            kept.append(cells[name])
