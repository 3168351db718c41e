"""Sort: lead sand and water into their halves by painting walls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from gymnasium.spaces import MultiDiscrete

from gpufluid.envs.game import Game
from gpufluid.envs.shapes import diagonal
from gpufluid.envs.task import Observed, Painted, Task
from gpufluid.matter.ports import Emitter
from gpufluid.scene.strokes import Laying
from gpufluid.world import World

WIDTH, HEIGHT = 32, 32
MIDDLE = WIDTH // 2

REACH = 4
"""Columns of a painted wall to both sides of its middle."""

LEFT, RIGHT = slice(0, MIDDLE), slice(MIDDLE, None)


class Sort(Task):
    """Sand and water fall into the same half: sand belongs to the left, water to the right of the wall in the middle.

    Action: (tool, x, y): 0 nothing, 1 a wall that goes down to the left, 2 one that goes down to the right, 3 remove
    walls; x and y are the middle of the stroke in units of two cells.
    Score: for sand and for water the part in its own half, less the part in the other one; the mean of both.
    """

    title = "Lead sand and water into their halves by painting walls."
    size = WIDTH, HEIGHT
    limit = 50
    observed = Observed("planes", ("sand", "water", "wall"), pool=1)

    def __init__(self) -> None:
        self.action_space = MultiDiscrete([4, WIDTH // 2, HEIGHT // 2])

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """Two streams, both in one half."""
        half = int(rng.integers(2))
        sand, water = (int(rng.integers(first, first + 3)) for first in (3 + MIDDLE * half, 10 + MIDDLE * half))
        streams = [
            Emitter((column, 0), (2, 1), material=name, chance=0.4, until=120)
            for column, name in ((sand, "sand"), (water, "water"))
        ]
        world = World(HEIGHT, WIDTH, ("atoms",), seed=int(rng.integers(2**32)), emitters=streams)
        world["material"][HEIGHT - 12 :, MIDDLE - 1 : MIDDLE + 1] = world.materials["stone"]
        return world, {"half": half, "sand": sand, "water": water}

    def act(self, game: Game, actions: np.ndarray) -> Iterator[Painted]:  # noqa: ARG002
        """Paint or remove a wall: yields (worlds, height, width) bool, and what is laid there.

        Args:
            game: the worlds.
            actions: (worlds, 3) int64: the tool, the column and the row.
        """
        tool, x, y = actions.T
        down = np.where(tool == 1, -1, 1)
        wall = diagonal(self.size, 2 * x, 2 * y, down, REACH)
        yield wall & np.isin(tool, (1, 2))[:, None, None], Laying("wall", replaced="empty")
        there = diagonal(self.size, 2 * x, 2 * y, -down, REACH) | wall
        yield there & (tool == 3)[:, None, None], Laying("empty", replaced="wall")

    def score(self, game: Game) -> np.ndarray:
        """The part of each in its own half, less the part in the other, (worlds,) float64."""
        found = np.zeros(len(game))
        for name, own, other in (("sand", LEFT, RIGHT), ("water", RIGHT, LEFT)):
            right, wrong = game.count(name, columns=own), game.count(name, columns=other)
            found += (right - wrong) / np.maximum(right + wrong, 1) / 2
        return found

    def play(self, game: Game) -> np.ndarray:
        """In two strokes, paint a slide from the stream in the wrong half over the middle: (worlds, 3) int64."""
        step = np.minimum(game.steps, 2)
        wrong_sand = game["half"] == 1
        column = np.where(wrong_sand, game["sand"] - 1, game["water"] + 2)
        along = 2 * REACH * np.where(wrong_sand, -1, 1)
        x, y = column + along * step, 8 + 2 * REACH * step
        tool = np.where(step == 2, 0, np.where(wrong_sand, 1, 2))
        return np.stack([tool, np.clip(x // 2, 0, WIDTH // 2 - 1), np.clip(y // 2, 0, HEIGHT // 2 - 1)], axis=1)
