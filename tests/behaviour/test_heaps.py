"""Heaps of powder: their angle of repose, and that they favour no side."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.atoms import at, box

from gpufluid import Emitter, Simulation

pytestmark = pytest.mark.usefixtures("device")

MIDDLE = 130


@cache
def heap(material: str, seed: int) -> np.ndarray:
    """The heights of a heap's columns, poured from two cells in the middle until it rests."""
    hose = Emitter((MIDDLE - 1, 2), (2, 1), until=800, material=material, velocity=(0, 1))
    world = box(130, 2 * MIDDLE, [hose], seed=seed)
    with Simulation(world) as sim:
        sim.step(1200)
        while not sim.settled and sim.tick < 6000:
            sim.step(20)
        assert sim.settled
        return at(sim.read(), material).sum(axis=0)


def angle(material: str) -> float:
    """The mean slope of both sides over some seeds, in degrees: of the line through all columns of a side."""
    slopes = []
    for seed in range(4):
        heights = heap(material, seed)
        for side in (heights[:MIDDLE], heights[MIDDLE:][::-1]):
            columns = np.flatnonzero(side > 2)
            slopes.append(np.polyfit(columns, side[columns], 1)[0])
    return float(np.degrees(np.arctan(np.mean(slopes))))


def test_sand_has_the_angle_of_sand() -> None:
    assert 25 <= angle("sand") <= 50


def test_mud_stands_steeper_than_gravel_and_gravel_steeper_than_sand() -> None:
    assert angle("sand") < angle("gravel") < angle("mud") < 65  # no heap is steeper than two to one


def test_the_two_sides_of_a_heap_are_alike() -> None:
    heights = np.sum([heap("sand", seed) for seed in range(4)], axis=0)
    left, right = heights[:MIDDLE].sum(), heights[MIDDLE:].sum()
    assert abs(left - right) <= 0.03 * (left + right)
