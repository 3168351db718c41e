"""Visible behaviour of fire: its duration, speed, needs and end; explosions."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import counts, left, put, reacting, run

from gpufluid import Simulation, World, load
from gpufluid.core.fields import TEMPERATURE_ONE

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)
HEARTH_WOOD = 128


def hearth(seed: int = 3) -> World:
    """Two logs on end, embers between them, on stone."""
    world = reacting(90, 100, seed=seed)
    put(world, "stone", slice(80, 90), EVERYWHERE)
    put(world, "wood", slice(64, 80), slice(46, 50))
    put(world, "wood", slice(64, 80), slice(54, 58))
    put(world, "ember", slice(74, 80), slice(50, 54), 750)
    return world


@pytest.mark.long("700 ticks, counted one by one")
def test_an_ember_burns_as_long_as_its_reactions_say() -> None:
    """200 ticks, and then until a chance of 1 in 100 a tick: 299 on average. The ember must be hot, and have air."""
    world = reacting(112, 112, edges="open")
    put(world, "ember", slice(4, None, 8), slice(4, None, 8), 750)
    burning = left(world, "ember")
    lasted = 0
    with Simulation(world) as sim:
        for tick in range(700):
            alive = sim.counts().get("ember", 0)
            assert alive == burning or tick >= 200
            lasted += alive
            sim.step()
    assert lasted / burning == pytest.approx(299, rel=0.05)


@pytest.mark.long("1,800 ticks, until all of the wood is burnt")
def test_fire_spreads_through_wood_and_dies_without_fuel() -> None:
    after = run(hearth(), 1800)
    assert left(after, "wood") == left(after, "ember") == left(after, "fire") == left(after, "smoke") == 0
    assert after.atoms["ember"].made >= HEARTH_WOOD
    assert left(after, "ash") == after.atoms["ash"].made > 30
    assert after.atoms["smoke"].made > 1000
    assert left(after, "stone") == left(hearth(), "stone")


@pytest.mark.long("programs of its own; the oracle decides the same law")
def test_fire_needs_air() -> None:
    """The same embers enclosed in wood go out, and ignite only the wood beside them."""
    world = reacting(40, 40)
    put(world, "wood", EVERYWHERE, EVERYWHERE)
    put(world, "ember", slice(17, 23), slice(18, 22), 750)
    after = run(world, 800)
    assert set(counts(after)) == {"wood", "charcoal"}
    assert after.atoms["ember"].made < 12
    assert after.atoms["fire"].made == 0


def test_water_puts_a_fire_out() -> None:
    """The water is poured on a fire that has burnt for a while; without water no wood is left, as tested above."""
    burning = run(hearth(), 150)
    embers = left(burning, "ember")
    assert embers > 20
    put(burning, "water", slice(10, 50), slice(30, 74))
    after = run(burning, 400)
    assert left(after, "ember") == left(after, "fire") == 0
    assert left(after, "wood") > 0.5 * left(burning, "wood")
    assert after.atoms["charcoal"].made > 0.5 * embers
    assert after.atoms["steam"].made > 0


def test_flames_cool_as_they_rise() -> None:
    """Flames are drawn by their temperature, so they redden as they rise: yellow at the foot, dark red at the tip."""
    burning = run(hearth(), 300)
    rows, columns = np.nonzero(burning["material"] == burning.materials["fire"])
    degrees = burning["temperature"][rows, columns] / TEMPERATURE_ONE
    low, high = degrees[rows > 60], degrees[rows < 45]
    assert len(low) > 20
    assert len(high) > 10
    assert low.mean() > 900
    assert high.mean() < 750


@pytest.mark.long("hundreds of ticks of a fire")
def test_stone_beside_a_fire_is_hottest_next_to_the_fire() -> None:
    """As in the figure of seed 002."""
    stone = run(hearth(), 600)["temperature"][80:90, 50] / TEMPERATURE_ONE
    assert stone[0] > 400
    assert (np.diff(stone) < 0).all()
    assert stone[-1] < 0.8 * stone[0]


@pytest.mark.long("400 ticks of a whole scene")
def test_a_fuse_burns_at_an_even_speed() -> None:
    """Two neighbours lie in one block in two ticks of four, and the fire passes on with a chance of 1 in 2."""
    world = load("powder_store")
    fuse = world.materials["fuse"]
    fronts = []
    with Simulation(world) as sim:
        for _ in range(4):
            sim.step(100)
            fronts.append(int(np.nonzero(sim.read()["material"] == fuse)[1].min()))
    assert np.diff(fronts) == pytest.approx([28] * 3, abs=7)


@pytest.mark.long("hundreds of ticks of a fire")
def test_oil_burns_from_its_surface_down() -> None:
    world = reacting(60, 60)
    put(world, "stone", slice(50, 60), EVERYWHERE)
    put(world, "oil", slice(40, 50), EVERYWHERE)
    put(world, "ember", slice(39, 41), slice(28, 32), 800)
    first = run(world, 60)
    assert first.atoms["oil"].used > 20
    assert (first["material"][48:50] == first.materials["oil"]).mean() > 0.9
    assert left(run(world, 1500), "oil") == 0


def test_smoke_thins_until_none_is_left() -> None:
    """Smoke older than 240 ticks vanishes with a chance of 1 in 50 a tick, so half of it is gone after 275 ticks."""
    world = reacting(60, 60)
    put(world, "smoke", slice(20, 40), slice(20, 40))
    found = []
    with Simulation(world) as sim:
        for ticks in (239, 36, 500):
            sim.step(ticks)
            found.append(sim.counts()["smoke"])
    assert found == [400, pytest.approx(200, abs=40), 0]


def test_gunpowder_throws_gravel_that_lies_on_it() -> None:
    highest = []
    for below in ("gunpowder", "sand"):
        world = reacting(160, 60)
        put(world, "wall", slice(150, 160), EVERYWHERE)
        put(world, below, slice(138, 150), slice(20, 40))
        put(world, "gravel", slice(132, 138), slice(20, 40))
        put(world, "fire", slice(148, 149), slice(24, 36), 800)
        tops = []
        with Simulation(world) as sim:
            for _ in range(60):
                sim.step()
                rows = np.nonzero(sim.read()["material"] == world.materials["gravel"])[0]
                tops.append(rows.min())
        highest.append(132 - min(tops))
    assert highest[0] > 30 > 3 * highest[1], highest


def test_a_blast_shatters_stone_but_not_wall() -> None:
    for around, broken in (("stone", True), ("wall", False)):
        world = reacting(80, 80)
        put(world, around, slice(60, 80), slice(20, 60))
        put(world, "gunpowder", slice(62, 72), slice(22, 58))
        put(world, "ember", slice(66, 68), slice(38, 42), 750)
        after = run(world, 60)
        assert (left(after, "gravel") > 30) == broken
        assert left(after, around) + left(after, "gravel") == left(world, around)
