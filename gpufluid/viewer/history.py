"""Undo, redo and rewind. Rewinding runs forward from a stored world, which is exact because ticks are deterministic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpufluid.world import World

BUDGET = 1 << 28
"""Most bytes of worlds stored for each of undo, redo and rewind; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class _RewindPoint:
    """A world stored for rewinding. A root is the result of an edit: running an earlier world does not reach it."""

    world: World
    root: bool


class History:
    """The worlds that a viewer can return to.

    Args:
        world: the initial state.
        budget: bytes for each of undo, redo and rewind.
    """

    def __init__(self, world: World, budget: int = BUDGET) -> None:
        self._budget = budget
        self._bytes = sum(world[name].nbytes for name in world.fields)
        self._done: list[World] = []
        self._undone: list[World] = []
        self._rewind_points = [_RewindPoint(world, root=True)]

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone edit to redo."""
        return bool(self._undone)

    @property
    def earliest(self) -> int:
        """The earliest tick that `back_to` can reach."""
        return self._rewind_points[0].world.tick

    def before_edit(self, world: World) -> None:
        """Store a world that is about to be edited, for undo; forget the worlds stored for redo."""
        self._done = [*self._done[-self._capacity + 1 :], world]
        self._undone.clear()

    def undo(self, now: World) -> World | None:
        """Return the world before the last edit and store `now` for redo; None if there is no edit."""
        if not self._done:
            return None
        self._undone = [*self._undone[-self._capacity + 1 :], now]
        return self._done.pop()

    def redo(self, now: World) -> World | None:
        """Return the world before the last undo and store `now` for undo; None if there is no undo."""
        if not self._undone:
            return None
        self._done = [*self._done[-self._capacity + 1 :], now]
        return self._undone.pop()

    def keep(self, world: World, root: bool = False) -> None:
        """Store a world for rewinding; `root`: the world is the result of an edit."""
        self._forget_after(world.tick if root else world.tick - 1)
        self._rewind_points.append(_RewindPoint(world, root))
        while len(self._rewind_points) > self._capacity:
            self._thin()

    def back_to(self, tick: int, run: Callable[[World, int], World]) -> World:
        """Return the world as it was at a tick, and forget all later worlds.

        Args:
            tick: to return to; raised to `earliest` if lower.
            run: returns the world a number of ticks after a given world.
        """
        tick = max(tick, self.earliest)
        nearest = next(kept.world for kept in reversed(self._rewind_points) if kept.world.tick <= tick)
        self._forget_after(tick)
        return nearest if nearest.tick == tick else run(nearest, tick - nearest.tick)

    @property
    def _capacity(self) -> int:
        return max(self._budget // max(self._bytes, 1), 4)

    def _forget_after(self, tick: int) -> None:
        """Forget the worlds after a tick, which the new course of events replaces."""
        self._rewind_points = [kept for kept in self._rewind_points if kept.world.tick <= tick]

    def _thin(self) -> None:
        """Drop every other world that is not a root; if there is none, drop the oldest root."""
        passing = [number for number, kept in enumerate(self._rewind_points) if not kept.root][:-1:2]
        for number in reversed(passing or [0]):
            del self._rewind_points[number]
