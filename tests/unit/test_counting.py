"""Statistics computed on the device, at once or late, equal NumPy's sums of the state that is read back."""

from __future__ import annotations

import pytest
from support.mixtures import ODD, random_mixture
from support.worlds import HEAT_TABLE, ODD_TABLE, random_atoms, random_world

from gpufluid import Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.core.fields import LATENT_ONE, MASS_LIMIT, TEMPERATURE_LEAST, TEMPERATURE_MOST

pytestmark = pytest.mark.usefixtures("device")
OTHER_LAWS = pytest.mark.long("other laws; a set of programs for one world")
WORLDS = [
    random_world(1, 1),
    random_world(63, 9),
    random_world(129, 65, edges="open"),
    pytest.param(random_atoms(65, 33, materials=ODD_TABLE), marks=OTHER_LAWS),
    pytest.param(random_atoms(200, 64, filled=0.2, gravity="left"), marks=OTHER_LAWS),
    pytest.param(random_atoms(64, 128, rules=("flow", "atoms")), marks=OTHER_LAWS),
    pytest.param(random_atoms(131, 70, rules=("atoms", "heat"), materials=HEAT_TABLE), marks=OTHER_LAWS),
    random_atoms(40, 66, rules=("atoms", "heat", "reactions")),
    random_mixture(67, 33),
    pytest.param(random_mixture(5, 140, mixture=ODD), marks=OTHER_LAWS),
]


@pytest.mark.parametrize("world", WORLDS, ids=repr)
def test_device_statistics_equal_those_of_the_read_state(world: World) -> None:
    with Simulation(world) as sim:
        for _ in range(3):
            now = sim.read()
            found = sim.statistics()
            assert found == now.statistics()
            assert sum(found.cells.values()) == world.width * world.height
            assert sim.counts() == found.cells
            if "mass" in world.fields:
                assert sim.mass() == found.mass == now.total("mass")
            assert sim.contents() == found.amounts == now.contents()
            sim.step(2)


@pytest.mark.parametrize("world", WORLDS, ids=repr)
def test_late_statistics_are_those_of_the_last_call(world: World) -> None:
    with Simulation(world) as sim:
        assert sim.late_statistics() is None
        for ticks in (1, 3, 0, 2):
            expected = sim.read().statistics()
            sim.step(ticks)
            assert sim.late_statistics() == expected


def test_statistics_of_heat_in_a_small_world() -> None:
    world = World(4, 3, rules=("atoms", "heat"))
    for (row, column), material, degrees in (((3, 0), "stone", 80.5), ((3, 1), "water", -3.0), ((2, 1), "ash", 21.0)):
        world["material"][row, column] = world.materials[material]
        world["temperature"][row, column] = int(8 * degrees)
    world["age"][3, 1] = -5 & 0xFF  # latent heat given off; the age of ash is in ticks
    world["age"][2, 1] = 7
    with Simulation(world) as sim:
        for found in (sim.statistics(), world.statistics()):
            assert (found.least, found.largest, found.matter) == (-3.0, 80.5, 3)
            assert found.mean == pytest.approx((80.5 - 3 + 21) / 3)
            assert found.heat == 8 * (80.5 - 3 + 21) - 5 * LATENT_ONE == world.heat_held()


def test_a_world_without_matter_has_no_temperatures() -> None:
    with Simulation(World(3, 3, rules=("atoms", "heat"))) as sim:
        found = sim.statistics()
    assert (found.least, found.mean, found.largest, found.heat, found.matter) == (None, None, None, 0, 0)


@pytest.mark.parametrize("units", [TEMPERATURE_MOST, TEMPERATURE_LEAST, -1])
def test_temperatures_past_32_bits_are_exact(units: int) -> None:
    kind, latent = ("odd melt", -125) if units < 0 else ("odd grain", 125)
    world = World(300, 300, rules=("atoms", "heat"), materials=HEAT_TABLE)
    world["material"][...] = world.materials[kind]
    world["temperature"][...] = units
    world["age"][...] = latent & 0xFF
    with Simulation(world) as sim:
        found = sim.statistics()
    assert (found.temperatures, found.coldest, found.hottest) == (90_000 * units, units, units)
    assert found.latent == 90_000 * latent


def test_mass_past_32_bits_is_exact() -> None:
    world = World(70, 100, rules=("flow",))
    world["mass"][...] = MASS_LIMIT
    world["material"][3, :] = world.materials["wall"]
    world["mass"][3, :] = 0
    world["mass"][69, 99] = 1
    with Simulation(world) as sim:
        assert sim.mass() == (69 * 100 - 1) * MASS_LIMIT + 1


def test_the_mass_of_a_world_without_rule_flow_is_an_error() -> None:
    with (
        Simulation(random_atoms(2, 2)) as sim,
        pytest.raises(UsageError, match=r"^mass\(\) needs a world with rule flow"),
    ):
        sim.mass()
