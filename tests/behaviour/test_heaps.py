"""Powders pile up at the angle of repose of their material, equally on both sides."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import atoms, height_of, run

from gpufluid import Emitter, Simulation, World

pytestmark = pytest.mark.usefixtures("device")

HEAPS = {"gravel": 24, "mud": 8, "sand": 8}
"""The number of heaps of each powder; heaps of gravel differ most from one another."""

BASIN = 71
"""Cells from the middle of one heap to that of the next; a wall stands between them."""


@pytest.fixture(scope="module")
def heaped() -> World:
    """Heaps side by side, of about 500 atoms each, poured from a height and at rest."""
    names = [name for name, number in HEAPS.items() for _ in range(number)]
    trickles = [
        Emitter((BASIN * place + BASIN // 2, 2), (2, 1), material=name, velocity=(0.0, 1.0), until=250)
        for place, name in enumerate(names)
    ]
    world = atoms(48, BASIN * len(names) + 1, seed=1, emitters=trickles)
    world["material"][:, ::BASIN] = world.materials["wall"]
    with Simulation(world) as sim:
        while not sim.settled and sim.tick < 1000:
            sim.step(50)
        assert sim.settled, "the heaps still slide"
        return sim.read()


def slopes(world: World, name: str) -> np.ndarray:
    """(heaps, 2) float64: the slopes on the left and on the right, without the top and the foot."""
    heights = height_of(world, name)[1:].reshape(-1, BASIN)[:, : BASIN - 1]
    heights = heights[heights.any(axis=1)]
    halves = ((heap[: BASIN // 2], heap[: BASIN // 2 - 1 : -1]) for heap in heights)
    return np.array([[slope(side) for side in both] for both in halves])


def slope(side: np.ndarray) -> float:
    columns = np.flatnonzero((side >= 3) & (side <= side.max() - 3))
    return np.polyfit(columns, side[columns], 1)[0]


def angle(world: World, name: str) -> float:
    """The angle of repose in degrees, over all heaps of a powder."""
    return float(np.degrees(np.arctan(slopes(world, name))).mean())


@pytest.mark.long("hundreds of ticks until the heap rests")
def test_sand_rests_at_an_angle_between_25_and_50_degrees(heaped: World) -> None:
    repose = angle(heaped, "sand")
    assert 25 < repose < 50, f"{repose:.1f} degrees"


def test_mud_is_steeper_than_gravel_and_gravel_than_sand(heaped: World) -> None:
    """The less readily a powder slides, the steeper it rests."""
    sand, gravel, mud = (angle(heaped, name) for name in ("sand", "gravel", "mud"))
    assert sand < gravel < mud, f"{sand:.1f}, {gravel:.1f} and {mud:.1f} degrees"


@pytest.mark.parametrize("name", HEAPS)
def test_both_sides_of_a_heap_have_the_same_slope(name: str, heaped: World) -> None:
    left, right = np.degrees(np.arctan(slopes(heaped, name))).mean(axis=0)
    assert abs(left - right) < 0.03 * (left + right) / 2, f"{name}: {left:.2f} and {right:.2f} degrees"


def test_a_steep_face_of_sand_collapses() -> None:
    """A column of sand, 64 by 96 cells, let go. Measured: 45 degrees over any 10 columns at tick 960."""
    world = atoms(112, 256, seed=1)
    world["material"][16:, :64] = world.materials["sand"]
    world.draw_grain()
    heights = height_of(run(world, 960), "sand")
    steepest = np.degrees(np.arctan((heights[:-10] - heights[10:]).max() / 10))
    assert steepest < 50, f"{steepest:.0f} degrees"
