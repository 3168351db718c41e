"""Rule mixture held against seed 003's own loop, which computes with floats, cell after cell.

The seed lets each cell see what earlier ones have done; here pairs and triples are taken at once. Both come to rest at
the same levels. Measured: sand alike to the last unit, water 6e-4 of a cell apart where nothing stands in its way and
0.013 behind walls, where a film is left on a shelf. In the cycle the seed and gpufluid keep the same sum.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
import seed_003

from gpufluid import FULL, Simulation, World

pytestmark = pytest.mark.usefixtures("device")

WIDTH, HEIGHT = 26, 16
"""The seed's canvas: 520 by 320 pixels in cells of 20."""


def basin() -> World:
    """A floor and two walls."""
    world = World(HEIGHT, WIDTH, ("mixture",), seed=5)
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
    world["mixture"][world.mixture["sand"]] = np.where((drawn < 0.4) & ~world.solid, drawn / 0.4 * FULL, 0)
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


def cycle() -> World:
    world = basin()
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
    [(sand(), "sand", 40), (water(), "water", 1200), (behind_walls(), "water", 600)],
    ids=["sand", "water", "behind walls"],
)
def test_what_rests_stands_at_the_seeds_levels(world: World, material: str, ticks: int) -> None:
    grid = seed_of(world)
    run(grid, ticks)
    with Simulation(world) as sim:
        for _ in range(20):
            sim.step(100)
            if sim.settled:
                break
        assert sim.settled
        found = sim.read()["mixture"][world.mixture[material]] / FULL
    assert np.abs(found - amounts_of(grid, material)).max() < 0.05
    assert found.max() == 1.0


def test_the_cycle_goes_on_and_loses_nothing_as_the_seeds_does() -> None:
    """Water, steam and ice together; each goes round more than once, in either."""
    world = cycle()
    grid = seed_of(world)
    before = sum(amounts_of(grid, name).sum() for name in ("water", "steam", "ice"))
    run(grid, 300)
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
