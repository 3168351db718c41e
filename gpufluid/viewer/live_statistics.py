"""Speed of the running world, and its material counts over time, for the statistics panel."""

from __future__ import annotations

import time
from collections import deque

from gpufluid.core.fields import FULL
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.matter import amount_fields
from gpufluid.viewer.speed import Speed
from gpufluid.world import World
from gpufluid.world.statistics import Statistics

SECONDS_BETWEEN = 0.25
"""Least time between two readings of the counts; longer if a reading takes long."""

_SMALL = 1 << 22
"""Largest number of cells for which materials are counted even while the panel is closed."""

KEPT = 480
"""Number of readings kept."""


class LiveStatistics:
    """Measurements of a viewer's world.

    Args:
        world: gives the materials and the fields that hold them.

    Attributes:
        ms_by_pass: milliseconds of each pass of one measured tick, by full name.
        ticks: the ticks of the readings kept.
        counts: number of cells by material, for each of `ticks`.
        latest: the last reading.
    """

    def __init__(self, world: World) -> None:
        self._names = [record.name for record in world.materials]
        self.ms_by_pass: dict[str, float] = {}
        self.ticks: deque[int] = deque(maxlen=KEPT)
        self.counts: dict[str, deque[int]] = {}
        self.latest: Statistics | None = None
        self._tick_speed, self._frame_speed = Speed(), Speed()
        self._next = 0.0
        self._held = amount_fields(world)

    @property
    def ticks_a_second(self) -> float:
        """The speed of the ticks that ran last; 0 while time is paused."""
        return self._tick_speed.a_second

    @property
    def frames_a_second(self) -> float:
        """The speed of the last frames."""
        return self._frame_speed.a_second

    def update(self, sim: Workbench, now: float, ran: int, shown: bool, paused: bool) -> int:
        """Update the measurements after a frame.

        Args:
            sim: the running world.
            now: time in seconds.
            ran: number of ticks that ran since the last frame.
            shown: whether the statistics panel is open; large worlds are counted, and passes timed, only then.
            paused: whether time is paused; no pass is timed then.
        Returns: the number of ticks run here in order to time them, 0 or 1.
        """
        self._tick_speed.update(now, ran, paused=paused)
        self._frame_speed.update(now, 1)
        if now < self._next or (sim.in_tick and ran == 0 and not paused):
            return 0  # a reading would first finish the tick in progress, which may take seconds
        began = time.perf_counter()
        if shown or sim.blank.width * sim.blank.height <= _SMALL:
            counts = sim.late_statistics()
            if counts is not None:
                self._note(counts)
        measured = shown and not paused and ran > 0
        if measured:
            self.ms_by_pass = sim.timed_step()
            self._tick_speed.update(now, 1)
        self._next = now + max(SECONDS_BETWEEN, 20 * (time.perf_counter() - began))
        return int(measured)

    def _note(self, counts: Statistics) -> None:
        """Append a reading: for each material, its cells plus the number of cells that its amount would fill."""
        self.latest = counts
        if self.ticks and counts.tick < self.ticks[-1]:  # the world was rewound
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
