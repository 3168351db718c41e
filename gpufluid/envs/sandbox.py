"""Sandbox: no goal; every stroke of a brush is an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from gymnasium.spaces import MultiDiscrete

from gpufluid.envs.game import Game
from gpufluid.envs.shapes import disc
from gpufluid.envs.task import Observed, Painted, Task
from gpufluid.scene.strokes import Laying
from gpufluid.world import World

WIDTH, HEIGHT = 64, 64

PALETTE = ("empty", "wall", "sand", "water", "stone", "oil", "smoke", "salt")
"""The materials of the brush."""

RADII = 5
"""The brush has a radius of 0 to 4 cells."""


class Sandbox(Task):
    """A world that is empty but for heaps of matter, in which the agent paints as it likes.

    Action: (material, x, y, radius): the number of the material in `PALETTE`, the middle of the brush and its radius,
    in cells.
    Score: always 0. For rewards of one's own wrap the environment, or write a task.
    """

    title = "No goal: every stroke of a brush is an action."
    size = WIDTH, HEIGHT
    limit = 200
    observed = Observed("materials")

    def __init__(self) -> None:
        self.action_space = MultiDiscrete([len(PALETTE), WIDTH, HEIGHT, RADII])

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """A block of each material of the palette, at random places; later ones cover earlier ones."""
        world = World(HEIGHT, WIDTH, ("atoms",), seed=int(rng.integers(2**32)))
        for name in PALETTE[1:]:
            x, y, width, height = rng.integers((0, 20, 4, 4), (WIDTH - 12, HEIGHT - 12, 12, 12)).tolist()
            world["material"][y : y + height, x : x + width] = world.materials[name]
        return world, {}

    def act(self, game: Game, actions: np.ndarray) -> Iterator[Painted]:  # noqa: ARG002
        """Paint a disc: yields (worlds, height, width) bool, and what is laid there.

        Args:
            game: the worlds.
            actions: (worlds, 4) int64: material, column, row and radius.
        """
        material, x, y, radius = actions.T
        strokes = [Laying(PALETTE[number]) for number in material.tolist()]
        yield disc(self.size, x, y, radius), strokes

    def score(self, game: Game) -> np.ndarray:
        """There is no goal, (worlds,) float64."""
        return np.zeros(len(game))

    def play(self, game: Game) -> np.ndarray:
        """Draw a circle of sand in the air: (worlds, 4) int64."""
        turn = game.steps * 0.2
        x, y = WIDTH // 2 + np.rint(20 * np.cos(turn)), 16 + np.rint(8 * np.sin(turn))
        sand = np.full(len(game), PALETTE.index("sand"))
        return np.stack([sand, x.astype(int), y.astype(int), np.ones(len(game), int)], axis=1)
