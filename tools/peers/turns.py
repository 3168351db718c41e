"""Things that run a world, timed by turns, so that what else a machine does falls on all of them alike."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np


class Peer(ABC):
    """A world that one program runs. It begins with the state that it was made with.

    Args of all of them: the world, which stays as it is, and the number of threads, for those that run on a processor.
    """

    where = ""
    """What it runs on, in a few words."""

    @abstractmethod
    def begin(self) -> None:
        """Go back to the first state."""

    @abstractmethod
    def step(self, ticks: int) -> None:
        """Run so many ticks; they may still be under way afterwards."""

    @abstractmethod
    def state(self) -> np.ndarray:
        """What can be held against another that follows the same law: (height, width) or more."""

    def finish(self) -> None:  # noqa: B027 - most have nothing to wait for
        """Wait until all that was asked for is done."""

    def close(self) -> None:  # noqa: B027 - and nothing to give back
        """Give back what it holds."""


def stretch(peer: Peer, ticks: int) -> float:
    """Run so many ticks from the first state. Returns the seconds that a tick took."""
    peer.begin()
    peer.finish()
    began = time.perf_counter()
    peer.step(ticks)
    peer.finish()
    return (time.perf_counter() - began) / ticks


def ticks_within(peer: Peer, ticks: int, seconds: float) -> int:
    """How many ticks of a stretch fit into so much time: at least one, at most so many. The peer has been warmed up."""
    return max(1, min(ticks, int(seconds / stretch(peer, 1))))


def by_turns(peers: Mapping[str, Peer], ticks: Mapping[str, int], turns: int) -> dict[str, list[float]]:
    """Let each run its stretch, one after the other, so many times. Returns each turn's seconds a tick."""
    spent: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(turns):
        for name, peer in peers.items():
            spent[name].append(stretch(peer, ticks[name]))
    return spent
