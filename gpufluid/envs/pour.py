"""Pour: fill a cup from a moving spout, and spill nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from gymnasium.spaces import MultiDiscrete

from gpufluid.envs.game import Game
from gpufluid.envs.shapes import rectangle
from gpufluid.envs.task import Observed, Painted, Ports, Task
from gpufluid.matter.ports import Emitter
from gpufluid.scene.strokes import Laying
from gpufluid.world import World

WIDTH, HEIGHT = 32, 32
INSIDE, RIM = 8, 22
"""Columns of the cup inside, and the row of its rim."""

GOAL = 40
"""Cells of water in a full cup."""

PACE = 2
"""Columns that the spout moves in a step."""


@cache
def _stream(spout: int) -> Emitter:
    """The emitter below an open spout with this first column."""
    return Emitter((spout + 1, 2), (2, 1), material="water", chance=0.25)


class Pour(Task):
    """The spout hangs at the top and pours about two cells of water a step; the cup stands anywhere on the floor.

    Action: (move, valve): 0 to the left, 1 stay, 2 to the right; 0 shut, 1 open.
    Score: the water in the cup, less all other water below its rim, as parts of a full cup.
    Over: when the cup is full.
    """

    title = "Fill a cup from a moving spout, and spill nothing."
    size = WIDTH, HEIGHT
    limit = 60
    observed = Observed("planes", ("water", "wall", "metal"), pool=2)

    def __init__(self) -> None:
        self.action_space = MultiDiscrete([3, 2])

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """A cup and a spout, each at a random place."""
        world = World(HEIGHT, WIDTH, ("atoms",), seed=int(rng.integers(2**32)))
        cup = int(rng.integers(1, WIDTH - INSIDE - 1))
        spout = int(rng.integers(0, (WIDTH - 4) // PACE + 1)) * PACE
        wall = world.materials["wall"]
        world["material"][RIM:, [cup - 1, cup + INSIDE]] = wall
        world["material"][HEIGHT - 1, cup : cup + INSIDE] = wall
        world["material"][:2, spout : spout + 4] = world.materials["metal"]
        return world, {"cup": cup, "spout": spout}

    def act(self, game: Game, actions: np.ndarray) -> Iterator[Painted | Ports]:
        """Move the spout, and open or shut its valve: yields (worlds, height, width) bool, and ports.

        Args:
            game: the worlds.
            actions: (worlds, 2) int64: the move and the valve, as in the action of `Pour`.
        """
        top, old = np.zeros(len(game), int), game["spout"].copy()
        game["spout"] = np.clip(old + PACE * (actions[:, 0] - 1), 0, WIDTH - 4)
        yield rectangle(self.size, old, top, 4, 2), Laying("empty", replaced="metal")
        yield rectangle(self.size, game["spout"], top, 4, 2), Laying("metal")
        each = zip(game["spout"].tolist(), (actions[:, 1] == 1).tolist(), strict=True)
        yield Ports([[_stream(spout)] if is_open else [] for spout, is_open in each])

    def _in_cup(self, game: Game) -> np.ndarray:
        """(worlds,) int64: the cells of water in the cup."""
        rows, top = HEIGHT - RIM, np.full(len(game), RIM)
        return np.count_nonzero(game.cells("water") & rectangle(self.size, game["cup"], top, INSIDE, rows), axis=(1, 2))

    def score(self, game: Game) -> np.ndarray:
        """Water in the cup, less the other water below its rim, (worlds,) float64."""
        inside = self._in_cup(game)
        return (2 * inside - game.count("water", rows=slice(RIM, None))) / GOAL

    def over(self, game: Game) -> np.ndarray:
        """True where the cup is full, (worlds,) bool."""
        return self._in_cup(game) >= GOAL

    def play(self, game: Game) -> np.ndarray:
        """Go above the middle of the cup, then pour: (worlds, 2) int64."""
        distance = game["cup"] + INSIDE // 2 - (game["spout"] + 2)
        move = np.where(abs(distance) < PACE, 1, 1 + np.sign(distance))
        return np.stack([move, abs(distance) < PACE], axis=1).astype(np.int64)
