"""`TaskObserver`: the observations of the agents of a task, from the worlds and from what the task tells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium.spaces import Box

from gpufluid.core.errors import UsageError
from gpufluid.envs.game import Game
from gpufluid.envs.task import Observed, Task
from gpufluid.runtime.batch import Batch
from gpufluid.scene.observed import ObservedPlane, check_form, observable_planes, observed_plane
from gpufluid.world import World


class TaskObserver:
    """Makes the observations of all agents, in one form.

    Args:
        observed: the form.
        task: the task; the planes of the form can include entries of its `Task.told`, by name.
        world: any of its worlds; its arrays are not read.
    Raises: UsageError: an unknown form or name, or blocks into which the worlds cannot be divided.
    """

    def __init__(self, observed: Observed, task: Task, world: World) -> None:
        self._kind, self._pool, self._world, self._most = observed.kind, observed.pool, world, task.told
        check_form(world, observed.kind, observed.planes, observed.pool)
        known = observable_planes(world)
        self._told: dict[int, str] = {}  # by the place of the plane
        self._planes: dict[int, ObservedPlane] = {}
        for place, name in enumerate(observed.planes):
            if isinstance(name, str) and name in task.told:
                self._told[place] = name
            else:
                self._planes[place] = observed_plane(name, known, task.told)

    @property
    def _blocks(self) -> tuple[int, int]:
        """(rows, columns) of the blocks of a world."""
        return self._world.height // self._pool, self._world.width // self._pool

    @property
    def space(self) -> Box:
        """The observations of one agent."""
        if self._kind == "pixels":
            return Box(0, 255, (*self._blocks, 3), np.uint8)
        if self._kind == "materials":
            return Box(0, len(self._world.materials) - 1, self._blocks, np.uint8)
        low = np.zeros((len(self._planes) + len(self._told), 1, 1), np.float32)
        low[list(self._planes), 0, 0] = [plane.low for plane in self._planes.values()]
        return Box(np.broadcast_to(low, (len(low), *self._blocks)), np.float32(1), dtype=np.float32)

    def observe(self, game: Game, batch: Batch) -> np.ndarray:
        """The observations of all agents: a new array (worlds, ...) uint8, or float32 for planes; see `space`.

        Raises: UsageError: an entry that the task tells is below 0, or over its largest value.
        """
        if self._kind == "materials" and self._pool == 1:  # the game has just read the same materials
            return game.materials.copy()
        names = [plane.name for plane in self._planes.values()]
        if not self._told:
            return batch.observe(self._kind, names, self._pool).copy()
        whole = np.empty((len(game), len(self._planes) + len(self._told), *self._blocks), np.float32)
        if names:
            whole[:, list(self._planes)] = batch.observe(self._kind, names, self._pool)
        for place, name in self._told.items():
            values, most = game[name], self._most[name]
            check_told_values(name, values, most, range(len(game)))
            whole[:, place] = (values / most)[:, None, None]
        return whole


def check_told_values(name: str, values: np.ndarray, most: int, worlds: Sequence[int]) -> None:
    """Raise UsageError if an entry that a task tells is below 0, or over its largest value.

    Args:
        name: the entry.
        values: (count,) int64, its value in some worlds.
        most: its largest value.
        worlds: (count,) their indices.
    """
    wrong = np.flatnonzero((values < 0) | (values > most))
    if len(wrong):
        found = f"is {values[wrong[0]]} in world {worlds[int(wrong[0])]}"
        raise UsageError(f"told: entry {name!r} {found}; expected 0 to {most}")
