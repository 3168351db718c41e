"""`Observing`: the observations of the agents of a task, from the worlds and from what the task tells."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box

from gpufluid.core.errors import UsageError
from gpufluid.envs.game import Game
from gpufluid.envs.task import Observed, Task
from gpufluid.runtime.batch import Batch
from gpufluid.scene.observed import check_observation
from gpufluid.world import World


class Observing:
    """Makes the observations of all agents, in one form.

    Args:
        observed: the form.
        task: the task; planes can be named that are entries of its `Task.told`.
        world: any of its worlds; its arrays are not read.
    Raises: UsageError: an unknown form or name, or blocks into which the worlds cannot be divided.
    """

    def __init__(self, observed: Observed, task: Task, world: World) -> None:
        self._kind, self._pool, self._world = observed.kind, observed.pool, world
        named = observed.planes if observed.kind == "planes" and isinstance(observed.planes, list | tuple) else ()
        self._told = {place: name for place, name in enumerate(named) if name in task.told}
        self._most = task.told
        self._names = [name for name in observed.planes if name not in task.told] if self._told else observed.planes
        self._planes = check_observation(world, observed.kind, self._names, observed.pool)
        self._places = [place for place in range(len(named)) if place not in self._told]

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
        low = np.zeros((len(self._places) + len(self._told), 1, 1), np.float32)
        low[self._places, 0, 0] = [plane.low for plane in self._planes]
        return Box(np.broadcast_to(low, (len(low), *self._blocks)), np.float32(1), dtype=np.float32)

    def of(self, game: Game, batch: Batch) -> np.ndarray:
        """The observations of all agents: a new array (worlds, ...) uint8, or float32 for planes; see `space`.

        Raises: UsageError: an entry that the task tells is below 0, or over its largest value.
        """
        if self._kind == "materials" and self._pool == 1:  # the task has looked at the same
            return game.materials.copy()
        found = batch.observe(self._kind, self._names, self._pool)
        if not self._told:
            return found.copy()
        whole = np.empty((len(game), len(self._places) + len(self._told), *self._blocks), np.float32)
        whole[:, self._places] = found
        for place, name in self._told.items():
            values, most = game[name], self._most[name]
            if values.min() < 0 or values.max() > most:
                wrong = int(np.flatnonzero((values < 0) | (values > most))[0])
                raise UsageError(f"told: entry {name!r} is {values[wrong]} in world {wrong}; expected 0 to {most}")
            whole[:, place] = (values / most)[:, None, None]
        return whole
