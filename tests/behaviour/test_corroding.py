"""Acid: strong materials resist, others dissolve and use up the acid, and in water acid dilutes to water."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import counts, put, reacting, run

from gpufluid import Simulation, World
from gpufluid.matter.reactions import SHIPPED, WHOLE, ReactionTable

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)


def parts_lost(world: World, material: str) -> int:
    """The integrity lost by all atoms of a material in the world, in 256ths of an atom."""
    there = world["material"] == world.materials[material]
    return int((WHOLE - ((world["integrity"][there].astype(int) + 255 & 255) + 1)).sum())


def basin(eaten: str) -> World:
    """Acid above a bed of a material, with which it reacts only by corrosion."""
    eats = "acid eats powders" if eaten == "sand" else "acid eats solids"
    world = reacting(60, 60, reactions=ReactionTable((SHIPPED[eats],)))
    put(world, "glass", slice(50, 60), EVERYWHERE)
    put(world, eaten, slice(30, 50), EVERYWHERE)
    put(world, "acid", slice(10, 20), slice(10, 50))
    return world


@pytest.mark.parametrize("eaten", ["sand", "metal"])
def test_acid_and_the_dissolved_material_lose_equal_parts(eaten: str) -> None:
    """Each reaction takes equal parts of acid and material, exactly, over lost atoms and the parts of the rest."""
    first = basin(eaten)
    after = run(first, 400)
    spent, dissolved = after.atoms["acid"].used, after.atoms[eaten].used
    assert spent * WHOLE + parts_lost(after, "acid") == dissolved * WHOLE + parts_lost(after, eaten)
    assert dissolved == after.atoms["smoke"].made > 100
    assert counts(after)["glass"] == counts(first)["glass"]


@pytest.mark.long("2,000 ticks")
def test_acid_dissolves_as_much_sand_as_there_was_acid() -> None:
    first = basin("sand")
    after = run(first, 2000)
    assert "acid" not in counts(after)
    whole = counts(first)["acid"]
    gone = after.atoms["sand"].used + parts_lost(after, "sand") / WHOLE
    assert gone == whole


def test_corroded_metal_loses_integrity_and_is_drawn_darker() -> None:
    """A corroded atom loses integrity in steps, is drawn darker, and does not recover."""
    world = basin("metal")
    with Simulation(world) as sim:
        before = sim.frame()
        sim.step(80)
        now, picture = sim.read(), sim.frame()
    metal = now["material"] == now.materials["metal"]
    worn = metal & (now["integrity"] > 0) & (now["integrity"] < 160)
    whole = metal & (now["integrity"] == 0)
    assert worn.sum() > 20
    assert whole[35:].sum() == metal[35:].sum() > 800  # only its surface
    assert picture[worn].mean() < 0.85 * before[whole].mean()


def test_only_materials_of_low_strength_dissolve() -> None:
    world = reacting(20, 60)
    names = ("glass", "wood", "wall", "metal", "rubber", "sand")
    for number, name in enumerate(names):
        put(world, name, slice(10, 20), slice(10 * number, 10 * number + 10))
    put(world, "acid", slice(0, 10), EVERYWHERE)
    after = run(world, 600)
    gone = {name for name in names if counts(after).get(name, 0) < counts(world)[name]}
    assert gone == {"wood", "metal", "sand"}


@pytest.mark.long("a set of programs for one rate; the oracle has every reaction")
def test_acid_dilutes_in_water_at_the_rate_of_its_reaction() -> None:
    """An atom at rest in water reacts with two of its four neighbours in every tick, and loses 2 parts each time."""
    world = reacting(60, 60, gravity="off")
    put(world, "water", EVERYWHERE, EVERYWHERE)
    world["material"][4:56:4, 4:56:4] = world.materials["acid"]
    ticks = WHOLE // (2 * SHIPPED["acid thins"].wear[0])
    left = [run(world, each) for each in (ticks // 2, ticks - 1, ticks)]
    assert [counts(each).get("acid", 0) for each in left] == [169, 169, 0]
    acid = left[0]["material"] == world.materials["acid"]
    assert (left[0]["integrity"][acid] == WHOLE // 2).all()
    assert counts(left[-1]) == {"water": 3600}


def test_acid_sinks_in_a_lake_and_dilutes_to_water() -> None:
    """Acid sinks while it dilutes, until none is left; the number of water atoms is then that of both before."""
    world = reacting(60, 60)
    put(world, "water", slice(20, 60), EVERYWHERE)
    put(world, "acid", slice(10, 16), slice(20, 40))
    acid = []
    with Simulation(world) as sim:
        for _ in range(20):
            sim.step(25)
            now = sim.read()
            assert set(counts(now)) <= {"water", "acid"}
            assert sum(counts(now).values()) == 2400 + 120
            acid.append(now["material"] == now.materials["acid"])
    left = [int(each.sum()) for each in acid]
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0
    depths = [float(np.nonzero(each)[0].mean()) for each in acid[:3]]
    assert depths == sorted(depths)
