"""Dam: hold a flood from houses with a budget of soil."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Discrete

from gpufluid.envs.game import Game
from gpufluid.envs.shapes import rectangle
from gpufluid.envs.task import Observed, Painted, Task
from gpufluid.matter.ports import Emitter
from gpufluid.scene.strokes import Laying
from gpufluid.world import World

WIDTH, HEIGHT = 32, 32

VILLAGE = 22
"""The largest first column of the village; in an episode it is this one or one of the two before it."""

LUMPS = 8
"""The budget, in lumps of three by three cells of soil."""

FLOOD = 108
"""Cells of water that are expected to come, of which the village gets most without a dam."""


class Dam(Task):
    """Water pours in on the left and runs over the plain to a village on the right. Lumps of soil can be dropped.

    Action: 0 nothing; n: drop a lump above column n - 1, if the budget has one. It costs nothing if no cell there is
    empty.
    Told: ``lumps``, what is left of the budget; the last plane of the observation is the part that is left.
    Score: minus the water in the village, as a part of the flood that is expected.
    """

    title = "Hold a flood from houses with a budget of soil."
    size = WIDTH, HEIGHT
    limit = 60
    observed = Observed("planes", ("soil", "water", "wood", "lumps"), pool=2)
    told: ClassVar = {"lumps": LUMPS}

    def __init__(self) -> None:
        self.action_space = Discrete(WIDTH + 1)

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """Houses on a plain, and a spring at the upper left."""
        spring = Emitter((1, 12), (2, 1), material="water", chance=0.45, until=120)
        world = World(HEIGHT, WIDTH, ("atoms",), seed=int(rng.integers(2**32)), emitters=[spring])
        world["material"][HEIGHT - 1] = world.materials["stone"]
        village = int(rng.integers(VILLAGE - 2, VILLAGE + 1))
        for house in (village + 2, village + 6):
            world["material"][HEIGHT - 4 : HEIGHT - 1, house : house + 3] = world.materials["wood"]
        return world, {"village": village, "lumps": LUMPS}

    def act(self, game: Game, actions: np.ndarray) -> Iterator[Painted]:
        """Drop a lump of soil, if there is one: yields (worlds, height, width) bool, and what is laid there.

        Args:
            game: the worlds.
            actions: (worlds,) int64: 0 nothing; n: drop a lump above column n - 1.
        """
        lump = rectangle(self.size, actions - 2, np.full(len(game), 4), 3, 3)
        has_room = (lump & game.cells("empty")).any(axis=(1, 2))
        drops = (actions > 0) & (game["lumps"] > 0) & has_room
        game["lumps"] -= drops
        yield lump & drops[:, None, None], Laying("soil", replaced="empty")

    def score(self, game: Game) -> np.ndarray:
        """The water in the village counts against the agent, (worlds,) float64."""
        village = rectangle(self.size, game["village"], np.zeros(len(game), int), WIDTH, HEIGHT)
        return -np.count_nonzero(game.cells("water") & village, axis=(1, 2)) / FLOOD

    def play(self, game: Game) -> np.ndarray:
        """Drop all lumps in one place before the village, a step between two of them: (worlds,) int64."""
        return np.where((game.steps % 2 == 0) & (game["lumps"] > 0), game["village"] - 4, 0)
