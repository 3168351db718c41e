"""Timing of programs in turns, so that other load on the machine affects all of them alike."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np


class Peer(ABC):
    """A program that runs a world.

    Args of all subclasses: the initial world, which is not changed, and the number of threads on a processor.
    """

    where = ""
    """The hardware that the program runs on, in a few words."""

    @abstractmethod
    def begin(self) -> None:
        """Return to the initial state."""

    @abstractmethod
    def step(self, ticks: int) -> None:
        """Start a number of ticks; they may end only after the call returns."""

    @abstractmethod
    def state(self) -> np.ndarray:
        """Return the state for a comparison with a program of the same law: (height, width, ...), any type."""

    def finish(self) -> None:  # noqa: B027 - most programs run synchronously
        """Wait until all ticks are done."""

    def close(self) -> None:  # noqa: B027 - most programs have nothing to release
        """Release the program's resources."""


def stretch(peer: Peer, ticks: int) -> float:
    """Run a number of ticks from the initial state. Returns seconds a tick."""
    peer.begin()
    peer.finish()
    began = time.perf_counter()
    peer.step(ticks)
    peer.finish()
    return (time.perf_counter() - began) / ticks


def ticks_within(peer: Peer, ticks: int, seconds: float) -> int:
    """Number of ticks, 1 to `ticks`, that a warmed-up peer runs in a time."""
    return max(1, min(ticks, int(seconds / stretch(peer, 1))))


def by_turns(peers: Mapping[str, Peer], ticks: Mapping[str, int], turns: int) -> dict[str, list[float]]:
    """Run all peers one after the other, for a number of turns. Returns seconds a tick by peer, for each turn."""
    spent: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(turns):
        for name, peer in peers.items():
            spent[name].append(stretch(peer, ticks[name]))
    return spent
