"""Simulated time beside real time: how many ticks are due, whatever the frame rate."""

from __future__ import annotations

RATES = (1, 2, 5, 10, 20, 30, 60, 120, 250, 500, 1000, 2000, 5000, 10_000, None)
"""Ticks a second that `faster` and `slower` step through; None: as fast as it goes."""

RATE_MOST = 10_000

_OWED_MOST = 0.1
"""Seconds: a world too slow for its rate does not pile up a debt that it would have to work off later."""


class Clock:
    """When the next ticks are due.

    Args:
        rate: ticks a second; None: as fast as it goes.
    """

    def __init__(self, rate: int | None = 60) -> None:
        self.rate = rate
        self.paused = False
        self._owed = 0.0
        self._last: float | None = None

    def due(self, now: float) -> int | None:
        """How many ticks are due at a time in seconds; None: as many as there is time for."""
        elapsed = 0.0 if self._last is None else max(now - self._last, 0.0)
        self._last = now
        if self.paused:
            self._owed = 0.0
            return 0
        if self.rate is None:
            return None
        self._owed = min(self._owed + elapsed * self.rate, max(self.rate * _OWED_MOST, 2.0))
        return max(int(self._owed), 0)

    def ran(self, ticks: int) -> None:
        """So many ticks have been run; if they were more than were due, the next ones wait."""
        self._owed -= ticks

    def faster(self) -> None:
        """The next of `RATES`."""
        self.rate = None if self.rate is None else next(rate for rate in RATES if rate is None or rate > self.rate)

    def slower(self) -> None:
        """The one of `RATES` before."""
        slower = [rate for rate in RATES if rate is not None and (self.rate is None or rate < self.rate)]
        self.rate = slower[-1] if slower else self.rate
