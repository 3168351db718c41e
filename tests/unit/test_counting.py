"""What is in a world, counted on the device: equal to NumPy's counts of what is read back, now or late."""

from __future__ import annotations

import numpy as np
import pytest
from support.mixtures import ODD, random_mixture
from support.worlds import ODD_TABLE, random_atoms, random_world

from gpufluid import Simulation, World
from gpufluid.cell import MASS_LIMIT
from gpufluid.errors import UsageError
from gpufluid.gpu.counting import Counts

pytestmark = pytest.mark.usefixtures("device")
WORLDS = [
    random_world(1, 1),
    random_world(63, 9),
    random_world(129, 65, edges="open"),
    random_atoms(65, 33, materials=ODD_TABLE),
    random_atoms(200, 64, filled=0.2, gravity="left"),
    random_atoms(64, 128, rules=("flow", "atoms")),
    random_mixture(67, 33),
    random_mixture(5, 140, mixture=ODD),
]


def counted(world: World) -> Counts:
    """The same by NumPy."""
    cells = np.bincount(world["material"].ravel(), minlength=len(world.materials)).tolist()
    names = [record.name for record in world.materials]
    mass = world.total("mass") if "mass" in world.fields else 0
    return Counts(world.tick, dict(zip(names, cells, strict=True)), mass, world.contents())


@pytest.mark.parametrize("world", WORLDS, ids=repr)
def test_counts_are_those_of_the_state_that_is_read(world: World) -> None:
    with Simulation(world) as sim:
        for _ in range(3):
            now = counted(sim.read())
            assert sim.counts() == now.cells
            assert sum(now.cells.values()) == world.width * world.height
            if "mass" in world.fields:
                assert sim.mass() == now.mass
            assert sim.contents() == now.amounts
            sim.step(2)


@pytest.mark.parametrize("world", WORLDS, ids=repr)
def test_late_counts_are_those_of_the_last_call(world: World) -> None:
    with Simulation(world) as sim:
        assert sim.late_counts() is None
        for ticks in (1, 3, 0, 2):
            expected = counted(sim.read())
            sim.step(ticks)
            assert sim.late_counts() == expected


def test_mass_past_32_bits_is_exact() -> None:
    world = World(70, 100)
    world["mass"][...] = MASS_LIMIT
    world["material"][3, :] = world.materials["wall"]
    world["mass"][3, :] = 0
    world["mass"][69, 99] = 1
    with Simulation(world) as sim:
        assert sim.mass() == (69 * 100 - 1) * MASS_LIMIT + 1


def test_a_world_without_mass_has_no_sum_of_it() -> None:
    with Simulation(random_atoms(2, 2)) as sim, pytest.raises(UsageError, match=r"^mass\(\) is of rule flow"):
        sim.mass()
