"""How fast a world runs and what is in it, over the last minutes."""

from __future__ import annotations

import time
from collections import deque

import numpy as np

from gpufluid.cell import FIELDS
from gpufluid.scene.matter import held
from gpufluid.workbench import Workbench
from gpufluid.world import World

SECONDS_BETWEEN = 0.25
"""Between two looks at the counts; longer where a look takes long."""

CELLS_A_FRAME = 1 << 19
"""Counted in one frame, so that a large world holds none up."""

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
        self._since, self._ticks, self._frames = 0.0, 0, 0
        self._next = 0.0
        self._held = held(world)
        self._coming: dict[str, tuple[int, np.ndarray]] | None = None  # the fields that are being counted
        self._counted, self._row = np.zeros(len(self._names), np.int64), 0

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
        if self._coming is not None:
            self._count(self._coming)
        if now < self._next:
            return 0
        elapsed = now - self._since
        if 0 < elapsed < 60:
            self.ticks_a_second, self.frames_a_second = self._ticks / elapsed, self._frames / elapsed
        self._since, self._ticks, self._frames = now, 0, 0
        began = time.perf_counter()
        if self._coming is None and (shown or sim.laws.width * sim.laws.height <= _SMALL):
            late = {name: sim.late(name) for name in ("material", *self._held.values())}
            if all(late.values()):
                self._coming = {name: field for name, field in late.items() if field is not None}
                self._counted, self._row = np.zeros(len(self._names), np.int64), 0
        measured = shown and running
        if measured:
            self.ms_by_pass = sim.timed_step()
            self._ticks += 1
        self._next = now + max(SECONDS_BETWEEN, 20 * (time.perf_counter() - began))
        return int(measured)

    def _count(self, coming: dict[str, tuple[int, np.ndarray]]) -> None:
        """The cells of each material, or that its amounts would fill, as they were at a tick; some rows a frame."""
        tick, material = coming["material"]
        rows = slice(self._row, self._row + max(CELLS_A_FRAME // material.shape[1], 1))
        self._counted += np.bincount(material[rows].ravel(), minlength=len(self._names))
        for name, field in self._held.items():
            self._counted[self._names.index(name)] += coming[field][1][rows].sum(dtype=np.int64)
        self._row = rows.stop
        if self._row >= len(material):
            self._coming = None
            for name, field in self._held.items():
                self._counted[self._names.index(name)] //= FIELDS[field].one
            self._note(tick)

    def _note(self, tick: int) -> None:
        if self.ticks and tick < self.ticks[-1]:  # time was turned back
            self.ticks.clear()
            self.counts.clear()
        if self.ticks and tick == self.ticks[-1]:
            return
        self.ticks.append(tick)
        for number in np.flatnonzero(self._counted):
            if number and self._names[number] not in self.counts:
                zeros = [0] * (len(self.ticks) - 1)
                self.counts[self._names[number]] = deque(zeros, maxlen=KEPT)
        for name, counts in self.counts.items():
            counts.append(int(self._counted[self._names.index(name)]))
