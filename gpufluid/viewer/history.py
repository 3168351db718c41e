"""The way back: undo and redo of edits, and rewinding time, exact because a world's future follows from its state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpufluid.world import World

BUDGET = 1 << 28
"""Bytes of worlds kept for undo and redo, and as many for rewinding; the oldest go first."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A world of the trail. A root is one that something came into from outside: no earlier one leads to it."""

    world: World
    root: bool


class History:
    """The worlds that a viewer can go back to.

    Args:
        world: the first.
        budget: bytes.
    """

    def __init__(self, world: World, budget: int = BUDGET) -> None:
        self._budget = budget
        self._bytes = sum(world[name].nbytes for name in world.fields)
        self._done: list[World] = []
        self._undone: list[World] = []
        self._trail = [_Kept(world, root=True)]

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit that was taken back."""
        return bool(self._undone)

    @property
    def earliest(self) -> int:
        """The first tick that can be gone back to."""
        return self._trail[0].world.tick

    def before_edit(self, world: World) -> None:
        """Remember a world that is about to be edited; what was undone before cannot be redone any more."""
        self._done = [*self._done[-self._most + 1 :], world]
        self._undone.clear()

    def undo(self, now: World) -> World | None:
        """The world before the last edit; None if there is none."""
        if not self._done:
            return None
        self._undone = [*self._undone[-self._most + 1 :], now]
        return self._done.pop()

    def redo(self, now: World) -> World | None:
        """The world before the last undo; None if there is none."""
        if not self._undone:
            return None
        self._done = [*self._done[-self._most + 1 :], now]
        return self._undone.pop()

    def keep(self, world: World, root: bool = False) -> None:
        """Remember a world on the way, or one that an edit has made, which is a root."""
        self._cut(world.tick if root else world.tick - 1)
        self._trail.append(_Kept(world, root))
        while len(self._trail) > self._most:
            self._thin()

    def back_to(self, tick: int, run: Callable[[World, int], World]) -> World:
        """The world as it was at a tick, at the earliest that can be gone back to; what came later is forgotten.

        Args:
            tick: may lie before the first.
            run: the world so many ticks after another.
        """
        tick = max(tick, self.earliest)
        nearest = next(kept.world for kept in reversed(self._trail) if kept.world.tick <= tick)
        self._cut(tick)
        return nearest if nearest.tick == tick else run(nearest, tick - nearest.tick)

    @property
    def _most(self) -> int:
        return max(self._budget // max(self._bytes, 1), 4)

    def _cut(self, tick: int) -> None:
        """Forget what lies after a tick: it is no longer what comes of what lies before."""
        self._trail = [kept for kept in self._trail if kept.world.tick <= tick]

    def _thin(self) -> None:
        """Make room: every other world that another leads to, or else the oldest."""
        passing = [number for number, kept in enumerate(self._trail) if not kept.root][:-1:2]
        for number in reversed(passing or [0]):
            del self._trail[number]
