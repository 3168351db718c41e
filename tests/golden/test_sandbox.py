"""Scene `sandbox`: empty, walled and open above; every material of the palette can be held, runs and is counted."""

from __future__ import annotations

import numpy as np
import pytest
from support.scenes import assert_balanced

from gpufluid import Simulation, World, load, oracle
from gpufluid.matter.materials import State


def painted() -> World:
    """The sandbox with a block of each material but empty and wall, 6 x 6 cells each."""
    world = load("sandbox")
    for number, record in enumerate(record for record in world.materials if record.state and record.name != "wall"):
        row, column = 40 + 14 * (number // 18), 16 + 16 * (number % 18)
        world["material"][row : row + 6, column : column + 6] = world.materials[record.name]
    world.draw_grain()
    return world


def test_the_sandbox_is_empty_with_floor_and_walls_and_open_above() -> None:
    world = load("sandbox")
    assert (world.width, world.height, world.edges, world.tick) == (320, 200, "open", 0)
    wall = world["material"] == world.materials["wall"]
    inside = np.zeros_like(wall)
    inside[:-4, 4:-4] = True
    np.testing.assert_array_equal(wall, ~inside)
    assert set(world.census()) == {"wall"}
    assert all(world.can_hold(record.name) for record in world.materials)
    assert {"atoms", "heat", "reactions", "pressure", "collapse"} <= set(world.rules)


@pytest.mark.long("programs of a world with all rules")
@pytest.mark.usefixtures("device")
def test_what_is_painted_into_it_runs_and_is_counted() -> None:
    world = painted()
    held = {record.name for record in world.materials if record.state is not State.EMPTY}
    assert set(world.census()) == held
    with Simulation(world) as sim:
        sim.step(3)
        after = sim.read()
    assert_balanced(world, after)
    assert after.heat.reacted


@pytest.mark.long("the oracle's ticks of a whole sandbox")
@pytest.mark.usefixtures("device")
def test_it_equals_the_oracle() -> None:
    world = painted()
    with Simulation(world) as sim:
        sim.step(6)
        assert sim.digest() == oracle.step(world, 6).digest()
