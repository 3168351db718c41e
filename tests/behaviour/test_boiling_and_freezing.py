"""Water by mass over fire and under frost: it boils at 100 degrees, rains back, and freezes from its surface down."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import where
from support.scenes import assert_balanced

import gpufluid
from gpufluid import FULL, Simulation, World
from gpufluid.core.fields import TEMPERATURE_ONE, WATER_HEAT_ONE
from gpufluid.rules.heat import water_temperature

pytestmark = pytest.mark.usefixtures("device")

MOVING = ("flow", "inertia", "atoms", "heat")


def degrees_of_water(world: World) -> np.ndarray:
    """The temperatures of all cells that are at least a sixteenth full of water."""
    found = water_temperature(world.laws, world["mass"], world["water_heat"])
    return found[world["mass"] >= FULL // 16] / TEMPERATURE_ONE


def followed(world: World, ticks: int, every: int) -> list[World]:
    """The world after every so many ticks; in each, no water is hotter than 100 degrees and all adds up."""
    found = []
    with Simulation(world) as sim:
        for _ in range(0, ticks, every):
            sim.step(every)
            after = sim.read()
            assert 0 <= degrees_of_water(after).min() <= degrees_of_water(after).max() <= 100
            assert_balanced(world, after)
            found.append(after)
    return found


def test_a_hot_stone_in_a_pool_boils_the_water_around_it_until_it_has_cooled() -> None:
    world = World(24, 40, ("flow", "atoms", "heat"))
    world["mass"][8:] = FULL
    world["material"][18:22, 16:24] = world.materials["stone"]
    world["mass"][18:22, 16:24] = 0
    world["temperature"][18:22, 16:24] = 1000 * TEMPERATURE_ONE
    after = followed(world, 400, 100)[-1]
    steam = after.atoms["steam"]
    assert 8 < steam.made < 32 * 900 / 536  # all of its heat would make 53
    assert after.total() + after.census().get("steam", 0) * FULL == world.total()
    assert after["temperature"][where(after, "stone")].max() < 400 * TEMPERATURE_ONE


@pytest.mark.long("1,200 ticks of a scene: steam has to reach the roof, and rain the water")
def test_the_kettle_boils_at_a_hundred_degrees_and_rains_for_ever() -> None:
    world = gpufluid.load("kettle_by_mass")
    _, early, _, late = followed(world, 1200, 300)
    assert late.atoms["steam"].made > early.atoms["steam"].made + 200
    assert late.atoms["steam"].used > early.atoms["steam"].used + 100
    assert degrees_of_water(late).max() == 100
    drops = (late["mass"] > FULL // 4)[20:80].sum()  # between the roof and the surface
    assert drops > 20


@pytest.mark.long("1,500 ticks of a scene: rain has to fill the chamber, and to run back")
def test_in_the_closed_cycle_rain_runs_back_into_the_boiler() -> None:
    """What the boiler has lost to steam is many times what it lacks: the rest has come back through the pipe."""
    world = gpufluid.load("closed_cycle_by_mass")
    after = followed(world, 1500, 500)[-1]
    boiler = slice(6, 40)
    boiled = after.atoms["steam"].made
    lacks = (world["mass"][:, boiler].sum(dtype=np.int64) - after["mass"][:, boiler].sum(dtype=np.int64)) / FULL
    assert boiled > 250
    assert lacks < boiled / 2
    assert after.atoms["steam"].used > boiled / 2
    assert not (where(after, "steam")[:, 100:]).any()  # the far end of the roof is never reached


@pytest.mark.long("2,000 ticks: 80 degrees of latent heat go slowly into cold air")
def test_a_lake_in_frost_freezes_from_its_surface_down() -> None:
    world = World(32, 64, MOVING, parameters={"heat": {"air": 0.05, "ambient": -30.0}})
    world["mass"][16:] = FULL
    world["mass"][15] = FULL * 6 // 10  # the surface is between two rows
    world["water_heat"] = (world["mass"].astype(np.int64) * WATER_HEAT_ONE // FULL) * 34 * TEMPERATURE_ONE
    after = followed(world, 2000, 500)[-1]
    ice = where(after, "ice")
    assert ice.sum() > 120
    assert not ice[:15].any()
    assert not ice[22:].any()
    assert ice.any(axis=0).mean() > 0.9  # a closed sheet
    assert after.total() + ice.sum() * FULL == world.total()


@pytest.mark.long("600 ticks of all rules: lava falls, sets and cools")
def test_lava_poured_into_a_lake_makes_rock_and_steam_and_warms_the_lake() -> None:
    world = World(60, 80, (*MOVING, "reactions"))
    world["material"][:, [0, -1]] = world["material"][-1] = world.materials["wall"]
    world["mass"][24:-1, 1:-1] = FULL
    world["material"][4:12, 34:46] = world.materials["lava"]
    world.draw_temperature()
    world.draw_grain()
    after = followed(world, 600, 200)[-1]
    assert where(after, "stone", "gravel").sum() > 80  # lava that meets water sets, or breaks
    assert after.atoms["steam"].made > 40
    assert degrees_of_water(after).mean() > 22
    assert degrees_of_water(after).max() > 60
