"""With rule pressure, powder that is less dense than a liquid floats in it as deep as the densities say, and rests."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import run, turned, where
from support.selection import mostly_long

from gpufluid import Simulation, World
from gpufluid.matter.materials import State

pytestmark = pytest.mark.usefixtures("device")

RULES = ("atoms", "pressure")
LEVEL, HEIGHT = 50, 90
"""The first row of the water in a tank, and the rows of the tank."""


def tank(material: str, width: int, first: int, rows: int = 20, liquid: str = "water", **laws) -> World:
    """A block of powder, from a row on, in the middle of a tank that is wider than the heap that becomes of it."""
    world = World(HEIGHT, 2 * width + 60, RULES, **laws)
    world["material"][LEVEL:] = world.materials[liquid]
    world["material"][first : first + rows, width // 2 + 30 : width // 2 + 30 + width] = world.materials[material]
    world.draw_grain()
    return world


def assert_floats(world: World, liquid: str = "water") -> int:
    """Check in each column in which powder floats: under the level lies the share that weighs as much, within a row.

    Returns: the number of these columns.
    """
    material, fluid = world["material"], where(world, liquid)
    density = world.materials.column("density").astype(int)
    powder = world.materials.column("state") == State.POWDER
    empty_above = np.vstack([np.zeros_like(fluid[:1]), material[:-1] == 0])
    levels = np.nonzero(fluid & empty_above)[0]
    assert np.ptp(levels) <= 1
    found = 0
    for column, cells in enumerate(material.T):
        top = int(np.argmax(cells != 0))
        rows = int(np.argmin(powder[cells[top:]]))
        if rows and fluid[top + rows, column]:
            share = density[cells[top : top + rows]].sum() / density[world.materials[liquid]]
            under = top + rows - levels
            assert np.abs(under - share).max() <= 1, f"column {column}: {under.max()} of {rows} rows under the level"
            found += 1
    return found


def settled(world: World, ticks: int) -> World:
    """The world at rest. Fails if it is not so by this tick."""
    with Simulation(world) as sim:
        while not sim.settled and sim.tick < ticks:
            sim.step(20)
        assert sim.settled, f"something still moves after tick {sim.tick}"
        after = sim.read()
        sim.step(40)
        np.testing.assert_array_equal(sim.read()["material"], after["material"])
    assert after.census() == world.census()
    return after


RAFTS = [(each, width, at) for each in ("snow", "ash") for width in (8, 20, 60) for at in (LEVEL - 20, LEVEL + 10)]


@pytest.mark.parametrize(
    "raft",
    mostly_long(RAFTS, ("snow", 60, LEVEL - 20), ("ash", 8, LEVEL + 10), why="another raft, laid on or let go under"),
)
def test_a_raft_of_powder_floats_with_the_share_of_its_density(raft: tuple[str, int, int]) -> None:
    """Snow 0.3 and ash 0.55 of water. Measured: at rest by tick 60 to 160."""
    material, width, first = raft
    world = tank(material, width, first)
    assert assert_floats(settled(world, 400)) >= width


@pytest.mark.long("another liquid")
@pytest.mark.parametrize(("material", "liquid"), [("sand", "mercury"), ("ash", "oil")])
def test_powder_floats_on_other_liquids(material: str, liquid: str) -> None:
    assert assert_floats(settled(tank(material, 24, LEVEL - 20, liquid=liquid), 1000), liquid) >= 24


@pytest.mark.long("hundreds of ticks")
def test_sand_sinks_in_water_as_without_rule_pressure() -> None:
    after = settled(tank("sand", 20, LEVEL - 20), 1000)
    rows = np.nonzero(where(after, "sand"))[0]
    assert rows.max() == HEIGHT - 1
    assert where(after, "water")[: LEVEL + 1].any()


def test_what_falls_on_a_raft_presses_it_down() -> None:
    world = settled(tank("ash", 40, LEVEL - 20), 400)
    top = np.nonzero(where(world, "ash"))[0].min()
    world["material"][top - 6 : top, 65:75] = world.materials["sand"]
    world.draw_grain()
    after = settled(world, 1000)
    before, now = (int(np.nonzero(where(state, "ash"))[0].max()) for state in (world, after))
    assert now > before
    assert assert_floats(after) >= 20


def test_powder_that_covers_all_of_a_tank_lies_on_the_water() -> None:
    """The water has nowhere to rise."""
    world = tank("snow", 20, LEVEL - 20)
    world["material"][LEVEL - 20 : LEVEL] = world.materials["snow"]
    world.draw_grain()
    after = run(world, 200)
    np.testing.assert_array_equal(where(after, "water"), where(world, "water"))


@pytest.mark.long("the passes are compared in every gravity by the oracle's tests")
def test_a_raft_under_gravity_to_a_side_floats_alike() -> None:
    upright = tank("ash", 20, LEVEL - 20)
    after = run(turned(upright, 1), 200)
    assert turned(after, 3).digest() == run(upright, 200).digest()
