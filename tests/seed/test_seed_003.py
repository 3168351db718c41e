"""Rule mixture compared with the loop of seed 003, which computes with floats, one cell after the other.

The seed updates one cell after the other; rule mixture updates columns and triples in parallel. Both come to rest at
the same levels. Measured: sand is equal to the last unit; water differs by 6e-4 of a cell without obstacles, and by
0.013 behind walls, where a film is left on a shelf. In the cycle both keep the same sum.

With pressure the seed rests wherever no surface of half a cell or more stands 0.2 of a cell above another, so vessels
have many levels of rest, and the seed's one depends on its order of updates. The level of gpufluid is one of them, to
1e-5 of a cell. A state at rest in the seed rests in gpufluid too, except for amounts over 1, which the seed allows.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import seed_003
from support.following import step_until_settled
from support.selection import mostly_long

from gpufluid import FULL, Simulation, World
from gpufluid.matter.mixtures import SHIPPED, MixtureTable

pytestmark = pytest.mark.usefixtures("device")

WIDTH, HEIGHT = 26, 16
"""The seed's canvas: 520 by 320 pixels in cells of 20."""


STANDING_SAND = MixtureTable(
    [replace(each, horizontal=None) if each.material == "sand" else each for each in SHIPPED.constituents],
    SHIPPED.conversions,
)
"""The shipped mixture, but for the sand: that of the seed does not slide."""


def basin(*more_rules: str) -> World:
    """A floor and two walls."""
    world = World(HEIGHT, WIDTH, ("mixture", *more_rules), seed=5, mixture=STANDING_SAND)
    for part in ((-1, slice(None)), (slice(None), 0), (slice(None), -1)):
        world["material"][part] = world.materials["wall"]
    return world


def pour(world: World, material: str, rows: slice, columns: slice, amount: int = FULL) -> None:
    world["mixture"][world.mixture[material], rows, columns] = np.where(world.solid[rows, columns], 0, amount)


def wall(world: World, rows: slice, columns: slice) -> None:
    world["material"][rows, columns] = world.materials["wall"]
    world["mixture"][:, world.solid] = 0


def sand() -> World:
    world = basin()
    drawn = np.random.default_rng(1).random((HEIGHT, WIDTH))
    amounts = (drawn / 0.4 * FULL).astype(np.int32)
    world["mixture"][world.mixture["sand"]] = np.where((drawn < 0.4) & ~world.solid, amounts, 0)
    wall(world, slice(8, 9), slice(4, 9))
    return world


def water() -> World:
    world = basin()
    pour(world, "water", slice(2, 12), slice(1, 9))
    pour(world, "water", slice(1, 2), slice(15, 20), FULL // 3)
    return world


def behind_walls() -> World:
    world = basin()
    pour(world, "water", slice(2, 12), slice(1, 9))
    wall(world, slice(6, None), slice(9, 10))
    wall(world, slice(9, 10), slice(16, 22))
    wall(world, slice(4, 10), slice(18, 19))
    return world


def vessels(first: int, second: int, third: int, height: int) -> tuple[World, list[slice]]:
    """Three arms of these widths over a channel, these rows of water in the first; and the columns of the arms."""
    world, arms, left = basin("pressure"), [], 1
    for columns in (first, second, third):
        arms.append(slice(left, left + columns))
        left += columns + 1
        wall(world, slice(1, -3), slice(left - 1, left))
    wall(world, slice(-3, None), slice(left - 1, None))
    pour(world, "water", slice(-3, -1), slice(1, left - 1))
    pour(world, "water", slice(-3 - height, -3), arms[0])
    return world, arms


def cycle(*more_rules: str) -> World:
    world = basin(*more_rules)
    wall(world, slice(0, 1), slice(None))
    pour(world, "lava", slice(-4, -1), slice(1, 9))
    pour(world, "ice", slice(1, 2), slice(8, 20))
    wall(world, slice(-5, None), slice(9, 25))
    pour(world, "water", slice(-8, -6), slice(11, 22))
    return world


def seed_of(world: World) -> seed_003.Grid:
    """The seed's grid of a world: walls are its floors."""

    def cell(row: int, column: int) -> seed_003.Cell:
        amounts = {name: world["mixture"][layer, row, column] / FULL for layer, name in enumerate(world.mixture.names)}
        return seed_003.Cell({**amounts, "floor": float(world.solid[row, column])})

    return seed_003.Grid([[cell(row, column) for row in range(world.height)] for column in range(world.width)])


def amounts_of(grid: seed_003.Grid, name: str) -> np.ndarray:
    """[row, column], in cells."""
    return np.array([[cell.current(name) for cell in column] for column in grid.cells]).T


def run(grid: seed_003.Grid, ticks: int, pressure: bool = False) -> None:
    draw = random.Random(1)
    for _ in range(ticks):
        seed_003.tick(grid, draw.uniform, pressure)


@pytest.mark.parametrize(
    ("world", "material", "ticks"),
    [
        (sand(), "sand", 40),
        pytest.param(water(), "water", 1200, marks=pytest.mark.long("1,200 ticks of the seed's own program")),
        pytest.param(behind_walls(), "water", 600, marks=pytest.mark.long("600 ticks of the seed's own program")),
    ],
    ids=["sand", "water", "behind walls"],
)
def test_amounts_at_rest_equal_those_of_the_seed(world: World, material: str, ticks: int) -> None:
    grid = seed_of(world)
    run(grid, ticks)
    with Simulation(world) as sim:
        step_until_settled(sim, 100, 20)
        found = sim.read()["mixture"][world.mixture[material]] / FULL
    assert np.abs(found - amounts_of(grid, material)).max() < 0.05
    assert found.max() == 1.0


def levels(amounts: np.ndarray, arms: list[slice]) -> np.ndarray:
    """The mean level of each arm, in cells."""
    return np.array([amounts[:, arm].sum(axis=0).mean() for arm in arms])


def at_rest(world: World) -> World:
    with Simulation(world) as sim:
        sim.step(300)
        assert sim.settled
        return sim.read()


def water_of(world: World) -> np.ndarray:
    return world["mixture"][world.mixture["water"]] / FULL


@pytest.mark.long("thousands of ticks until the vessels rest")
def test_vessels_come_to_the_levels_of_the_seed() -> None:
    """Measured: 0.02 of a cell apart; for other vessels up to 0.28, see above."""
    world, arms = vessels(8, 5, 6, 9)
    grid = seed_of(world)
    run(grid, 60, pressure=True)
    found, seeds = levels(water_of(at_rest(world)), arms), levels(amounts_of(grid, "water"), arms)
    np.testing.assert_allclose(found, seeds, atol=0.05)


@pytest.mark.parametrize(
    "sizes",
    mostly_long([(8, 5, 6, 10), (8, 5, 8, 8), (12, 4, 4, 7)], (8, 5, 6, 10), why="vessels of another size"),
    ids=str,
)
def test_a_state_at_rest_in_gpufluid_rests_in_the_seed_and_vice_versa(sizes: tuple[int, int, int, int]) -> None:
    world, arms = vessels(*sizes)
    found = at_rest(world)
    grid = seed_of(found)
    run(grid, 20, pressure=True)
    np.testing.assert_allclose(amounts_of(grid, "water"), water_of(found), atol=1e-5)
    grid = seed_of(world)
    run(grid, 40, pressure=True)
    world["mixture"][world.mixture["water"]] = np.minimum(amounts_of(grid, "water") * FULL, FULL).astype(np.int32)
    np.testing.assert_allclose(levels(water_of(at_rest(world)), arms), levels(water_of(world), arms), atol=0.01)


@pytest.mark.parametrize(
    "pressure",
    mostly_long([False, True], why="300 ticks of the seed's own program"),
    ids=["", "with pressure"],
)
def test_the_water_cycle_continues_and_conserves_as_in_the_seed(pressure: bool) -> None:
    """The sum of water, steam and ice; in both programs all of it circulates more than once."""
    world = cycle("pressure") if pressure else cycle()
    grid = seed_of(world)
    before = sum(amounts_of(grid, name).sum() for name in ("water", "steam", "ice"))
    run(grid, 300, pressure)
    assert sum(amounts_of(grid, name).sum() for name in ("water", "steam", "ice")) == pytest.approx(before)
    assert amounts_of(grid, "steam").sum() > 1
    first = world.contents()
    with Simulation(world) as sim:
        sim.step(1500)
        halfway = sim.amounts["steam"].made
        sim.step(1500)
        now, made = sim.contents(), sim.amounts["steam"].made
        drawn = sim.amounts["water"].made
    assert sum(now[name] for name in ("water", "steam", "ice")) == sum(
        first[name] for name in ("water", "steam", "ice")
    )
    assert (now["lava"], now["ice"]) == (first["lava"], first["ice"])
    assert made - halfway > first["water"]
    assert drawn > first["water"]
