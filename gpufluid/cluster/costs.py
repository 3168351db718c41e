"""`Costs`: what it costs a rank to share a world with others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter


@dataclass(slots=True)
class Costs:
    """The bytes that a rank has sent to others, and the seconds in which it has waited for them.

    Args:
        bytes_sent: in messages in the middle of ticks; the same one to several ranks counts once, except halos.
        seconds_waited: for other ranks, in the middle and at the end of ticks.
    """

    bytes_sent: int = 0
    seconds_waited: float = 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Add the duration of the block to the seconds in which this rank has waited for others."""
        begun = perf_counter()
        yield
        self.seconds_waited += perf_counter() - begun
