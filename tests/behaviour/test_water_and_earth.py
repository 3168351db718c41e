"""Water boils, rains, freezes and is absorbed by plants; lava solidifies in water; plants grow."""

from __future__ import annotations

import numpy as np
import pytest
from plot_water_cycle import cycle
from support.reactions import balance, counts, put, reacting, run

from gpufluid import Simulation, World, load
from gpufluid.matter.materials import SHIPPED as MATERIALS
from gpufluid.matter.reactions import SHIPPED

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)
PLANT = ("plant", "sap", "bud", "shoot", "flower")


@pytest.mark.long("hundreds of ticks; tests/seed has the cycle of the seed")
def test_the_water_cycle_continues_and_conserves_water() -> None:
    """``tools/plot_water_cycle.py`` runs 20,000 ticks, in which water boils and condenses and no atom is lost."""
    moments, found = cycle(load("kettle"), 1000, 4)  # raises if an atom of water, steam and ice together is missing
    boiled, condensed = np.diff(found["boiled"]), np.diff(found["condensed"])
    assert moments[-1] == 1000
    assert (boiled > 100).all()
    assert (condensed[1:] > 30).all()


def test_cold_ice_freezes_as_much_water_as_latent_heat_allows() -> None:
    """By conduction alone: each frozen atom has given its latent heat, and each freezing atom a part of it."""
    world = World(18, 18, ("atoms", "heat"), parameters={"heat": {"air": 0.0}})
    put(world, "water", EVERYWHERE, EVERYWHERE, 0)
    put(world, "ice", slice(5, 13), slice(5, 13), -250)
    after = run(world, 800)
    freezes = MATERIALS[world.materials["water"]].below
    assert freezes is not None
    assert after.atoms["ice"].used == 0
    assert 0.75 < after.atoms["ice"].made / (64 * 250 / freezes.latent) <= 1
    assert after.heat_held() == world.heat_held() - after.heat.bound


def quenched(water: bool, seed: int = 0) -> World:
    world = reacting(60, 60, parameters={"heat": {"air": 0.0}}, seed=seed)
    put(world, "glass", slice(58, 60), EVERYWHERE)
    if water:
        put(world, "water", slice(36, 58), EVERYWHERE)
    put(world, "lava", slice(10, 20), slice(20, 40), 1100)
    return run(world, 300)


def test_lava_becomes_stone_and_gravel_in_water_which_becomes_steam() -> None:
    """All lost lava has become rock, by water or by cold; all lost water has become steam.

    Of 200 atoms of lava 9 to 17 become stone, by seed; in four runs together 51, measured.
    """
    after = quenched(water=True)
    change = {name: balance(after.atoms[name]) for name in ("lava", "stone", "gravel", "water", "steam")}
    assert change["stone"] + change["gravel"] == -change["lava"] > 120
    assert change["steam"] == -change["water"]
    assert after.atoms["gravel"].made > 60
    assert sum(quenched(water=True, seed=seed).atoms["stone"].made for seed in range(4)) > 40
    assert after.atoms["steam"].made > after.atoms["gravel"].made
    assert balance(quenched(water=False).atoms["lava"]) > -20


@pytest.mark.parametrize("name", ["lava sets", "lava shatters"])
def test_heat_of_lava_in_water_is_that_of_setting_minus_that_of_boiling(name: str) -> None:
    """So a reaction of the table and rule heat give the same heat."""
    named = {record.name: record for record in MATERIALS}
    sets, boils = named["lava"].below, named["water"].above
    assert sets is not None
    assert boils is not None
    assert SHIPPED[name].heat == sets.latent - boils.latent


def matter_of_plants(world: World) -> int:
    """The matter of seeds, water, earth and plants, in atoms; mud, sap and buds hold one atom of water each."""
    there = counts(world)
    held = {"mud": 2, "sap": 2, "bud": 2}
    names = ("water", "soil", "seed", "mud", *PLANT)
    return sum(held.get(name, 1) * there.get(name, 0) for name in names)


@pytest.mark.long("1,200 ticks of a whole garden")
def test_plants_take_one_atom_of_water_for_each_atom_of_theirs() -> None:
    """Exactly, while plants sprout, grow, flower and rot."""
    world = load("garden")
    with Simulation(world) as sim:
        for ticks in (100, 400, 700):
            sim.step(ticks)
            now = sim.read()
            assert matter_of_plants(now) == matter_of_plants(world) + now.atoms["water"].emitted
    grown = counts(now)
    assert sum(grown.get(name, 0) for name in PLANT) > 100


def bed(depth: int, seed: int = 7) -> World:
    """A trough of soil with seeds in it, under this many rows of water."""
    world = reacting(100, 60, seed=seed)
    put(world, "soil", slice(90, 100), EVERYWHERE)
    put(world, "water", slice(90 - depth, 90), EVERYWHERE)
    put(world, "seed", slice(89, 90), slice(10, 50, 10))
    return world


@pytest.mark.long("3,000 ticks of each of eight worlds")
def test_plants_grow_out_of_the_water_and_do_not_fill_it() -> None:
    """By more than four rows, in most of eight worlds; chance decides when seeds sprout."""
    depth = 10
    tops = []
    for seed in range(1, 9):
        after = run(bed(depth, seed), 3000)
        plants = np.isin(after["material"], [after.materials[name] for name in PLANT])
        tops.append(int(np.nonzero(plants)[0].min()))
        assert 0.05 < plants[tops[-1] : 90].mean() < 0.7
    assert np.median(tops) < 90 - depth - 4, f"highest rows: {tops}"


def test_nothing_grows_without_water() -> None:
    after = run(bed(0), 600)
    assert counts(after) == counts(bed(0))
