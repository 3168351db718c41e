"""Measures the time that is spent inside the driver, apart from the time of Python."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


class Stopwatch:
    """Adds up the seconds of calls into the driver."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, call: Callable[..., object], arguments: tuple[object, ...]) -> None:
        """Make a call and add its duration."""
        began = perf_counter()
        call(*arguments)
        self.seconds += perf_counter() - began
