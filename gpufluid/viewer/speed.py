"""Measures the recent rate of ticks, or of frames, per second."""

from __future__ import annotations

SECONDS_MEASURED = 0.25
"""Least time over which a speed is measured; longer if nothing is counted in it."""


class Speed:
    """Counts a second, measured over the time in which the last ones were counted.

    Attributes:
        a_second: the speed; 0 until the first measurement.
    """

    def __init__(self) -> None:
        self.a_second = 0.0
        self._count, self._since = 0, 0.0
        self._paused = True  # before the first frame nothing is measured

    def update(self, now: float, count: int, paused: bool = False) -> None:
        """Update the speed after a frame.

        While nothing is counted, the speed stays that of the last measurement, but it is at most one count in the time
        since then: so a world that takes seconds for a tick shows its speed, and one that hangs falls to 0.

        Args:
            now: time in seconds.
            count: how many there were since the last call.
            paused: whether nothing is to be counted, because time is paused; the speed is then 0.
        """
        if paused or self._paused:
            self.a_second, self._count, self._since, self._paused = 0.0, 0, now, paused
            return
        self._count += count
        elapsed = now - self._since
        if elapsed < SECONDS_MEASURED:
            return
        if self._count > 0:
            self.a_second, self._count, self._since = self._count / elapsed, 0, now
        else:
            self.a_second = min(self.a_second, 1 / elapsed)


def in_words(a_second: float) -> str:
    """A speed as a number with one decimal under 10, such as ``0.3`` or ``1,200``; ``0`` of nothing."""
    return f"{a_second:,.1f}" if 0 < a_second < 9.95 else f"{a_second:,.0f}"
