"""Rubber bounces: each time to the square of the restitution times the last height, until it rests."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from support.atoms import after_each_tick, atoms, where

pytestmark = pytest.mark.usefixtures("device")

HEIGHTS = (40, 55, 70, 85, 100)
"""The height in cells: from here an atom does not reach its terminal velocity."""


def bounces(first: int, rows: np.ndarray, down: np.ndarray) -> list[int]:
    """The height from which an atom fell, then the heights to which it rebounded."""
    turns = np.flatnonzero((down[:-1] > 0) & (down[1:] < 0)) + 1
    return [first, *(int(rows[turn:following].max()) for turn, following in pairwise(turns))]


def test_rubber_rebounds_to_restitution_squared_of_its_height() -> None:
    """Measured: 0.70 to 0.82 each time, 0.72 by the law; heights below 16 cells are too coarse to compare."""
    world = atoms(120, 2 * len(HEIGHTS) + 1)
    world["material"][:, ::2] = world.materials["wall"]  # each in its own shaft
    for number, height in enumerate(HEIGHTS):
        world["material"][119 - height, 2 * number + 1] = world.materials["rubber"]
    states = after_each_tick(world, 500)
    lowest = np.array([where(state, "rubber")[:, 1::2].argmax(axis=0) for state in states])
    speeds = np.array([state["velocity"][:, 1::2, 1].sum(axis=0, dtype=int) for state in states])
    law = (world.materials.column("bounce")[world.materials["rubber"]] / 256) ** 2
    for number, height in enumerate(HEIGHTS):
        heights = bounces(height, 119 - lowest[:, number], speeds[:, number])
        ratios = [after / before for before, after in pairwise(heights) if before >= 16]
        assert len(ratios) >= 3
        assert max(abs(ratio - law) for ratio in ratios) < 0.15 * law, f"from {height}: {heights}"
    assert not speeds[-1].any()
    assert (lowest[-1] == 119).all()


def test_mud_does_not_bounce() -> None:
    world = atoms(60, 3)
    world["material"][:, ::2] = world.materials["wall"]
    world["material"][10, 1] = world.materials["mud"]
    rows = [int(where(state, "mud")[:, 1].argmax()) for state in after_each_tick(world, 80)]
    landed = rows.index(59)
    assert set(rows[landed:]) == {59}
