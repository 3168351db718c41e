"""The time that passes inside the driver, told apart from the time that Python takes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


class Stopwatch:
    """Adds up the seconds of calls into the driver."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, call: Callable[..., object], arguments: tuple[object, ...]) -> None:
        """Make a call and add what it takes."""
        began = perf_counter()
        call(*arguments)
        self.seconds += perf_counter() - began
