"""Conversion of real time to ticks due, independent of the frame rate."""

from __future__ import annotations

RATES = (1, 2, 5, 10, 20, 30, 60, 120, 250, 500, 1000, 2000, 5000, 10_000, None)
"""Ticks a second that `faster` and `slower` step through; None: unlimited."""

RATE_MOST = 10_000

_OWED_MOST = 0.1
"""Most real time, in seconds, whose ticks may be owed; a slow world drops the rest instead of catching up later."""


class Clock:
    """Counts the ticks that are due.

    Args:
        rate: ticks a second; None: unlimited.
    """

    def __init__(self, rate: int | None = 60) -> None:
        self.rate = rate
        self.paused = False
        self._owed = 0.0
        self._last: float | None = None

    def due(self, now: float, paused: bool = False) -> int | None:
        """Number of ticks due at time `now` (s); None: unlimited. ``paused``: none is due."""
        elapsed = 0.0 if self._last is None else max(now - self._last, 0.0)
        self._last = now
        if self.paused or paused:
            self._owed = 0.0
            return 0
        if self.rate is None:
            return None
        self._owed = min(self._owed + elapsed * self.rate, max(self.rate * _OWED_MOST, 2.0))
        return max(int(self._owed), 0)

    def ran(self, ticks: int) -> None:
        """Record that ticks were run; ticks beyond those due are subtracted from the next ones."""
        self._owed -= ticks

    def faster(self) -> None:
        """Change to the next higher of `RATES`."""
        self.rate = None if self.rate is None else next(rate for rate in RATES if rate is None or rate > self.rate)

    def slower(self) -> None:
        """Change to the next lower of `RATES`."""
        slower = [rate for rate in RATES if rate is not None and (self.rate is None or rate < self.rate)]
        self.rate = slower[-1] if slower else self.rate
