"""Fire: put a fire out with little water."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np
from gymnasium.spaces import MultiDiscrete

from gpufluid.envs.game import Game
from gpufluid.envs.shapes import rectangle
from gpufluid.envs.task import Observed, Painted, Task
from gpufluid.scene.strokes import Laying
from gpufluid.world import World

WIDTH, HEIGHT = 32, 32

BURNING = ("fire", "ember")

TANK = 40
"""Loads of water, of four by two cells."""

PRICE = 0.01
"""The points that a load of water costs."""


class Fire(Task):
    """A table of wood burns from one place on. Loads of water can be dropped anywhere.

    Action: (valve, x, y): 0 shut, 1 drop a load; x and y are its place in units of two cells. It costs nothing where no
    cell is empty.
    Told: ``loads``, what is left in the tank; the last plane of the observation is the part that is left.
    Score: the wood that is left, as a part of what there was, less the price of the water.
    Over: when nothing burns any longer.
    """

    title = "Put a fire out with little water."
    size = WIDTH, HEIGHT
    limit = 120
    observed = Observed("planes", ("wood", "fire", "ember", "water", "loads"), pool=1)
    told: ClassVar = {"loads": TANK}

    def __init__(self) -> None:
        self.action_space = MultiDiscrete([2, WIDTH // 2, HEIGHT // 2])

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """A table, and embers in its top."""
        world = World(HEIGHT, WIDTH, ("atoms", "heat", "reactions"), seed=int(rng.integers(2**32)))
        cells, wood = world["material"], world.materials["wood"]
        cells[HEIGHT - 1] = world.materials["stone"]
        cells[19:21, 2:30] = wood
        cells[21 : HEIGHT - 1, 4:7] = cells[21 : HEIGHT - 1, 25:28] = wood
        burning = int(rng.integers(8, 20))
        cells[19:21, burning : burning + 4] = world.materials["ember"]
        cells[18, burning : burning + 4] = world.materials["fire"]
        return world, {"wood": int(np.count_nonzero(cells == wood)), "loads": TANK}

    def act(self, game: Game, actions: np.ndarray) -> Iterator[Painted]:
        """Drop a load of water, if there is one: yields (worlds, height, width) bool, and what is laid there.

        Args:
            game: the worlds.
            actions: (worlds, 3) int64: the valve, x and y, as in the action of `Fire`.
        """
        load = rectangle(self.size, 2 * actions[:, 1] - 1, 2 * actions[:, 2], 4, 2)
        has_room = (load & game.cells("empty")).any(axis=(1, 2))
        drops = (actions[:, 0] == 1) & (game["loads"] > 0) & has_room
        game["loads"] -= drops
        yield load & drops[:, None, None], Laying("water", replaced="empty")

    def score(self, game: Game) -> np.ndarray:
        """The wood that is left, less the price of the water, (worlds,) float64."""
        return game.count("wood") / np.maximum(game["wood"], 1) - PRICE * (TANK - game["loads"])

    def over(self, game: Game) -> np.ndarray:
        """True where nothing burns, (worlds,) bool."""
        return game.count(*BURNING) == 0

    def play(self, game: Game) -> np.ndarray:
        """Drop water on the highest ember, from just above it, then wait a step: (worlds, 3) int64."""
        embers = game.cells("ember")
        first = embers.reshape(len(game), -1).argmax(axis=1)
        x, y = first % WIDTH, np.maximum(first // WIDTH - 2, 0)
        drops = embers.any(axis=(1, 2)) & (game.steps % 2 == 0)
        return np.stack([drops.astype(int), x // 2, y // 2], axis=1)
