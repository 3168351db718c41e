"""What the shipped reactions look like to who watches them: fire, salt, rust and mud, explosions, copies."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import counts, put, reacting, run

from gpufluid import Simulation, World

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)


def left(world: World, material: str) -> int:
    """Cells of a material."""
    return counts(world).get(material, 0)


def test_an_ember_burns_as_long_as_its_reactions_say() -> None:
    """For 200 ticks, and then with a chance of 1 in 100 a tick: 299 on the average."""
    world = reacting(120, 120)
    world["material"][::4, ::4] = world.materials["ember"]
    burning = left(world, "ember")
    lasted = 0
    with Simulation(world) as sim:
        for tick in range(700):
            alive = sim.counts().get("ember", 0)
            assert alive == burning or tick >= 200
            lasted += alive
            sim.step()
    assert lasted / burning == pytest.approx(299, rel=0.05)


def hearth(water: bool) -> World:
    """A block of wood set alight at its foot; water above it, if any, falls on it in time."""
    world = reacting(90, 100, seed=3)
    put(world, "stone", slice(80, 90), EVERYWHERE)
    put(world, "wood", slice(64, 80), slice(40, 60))
    put(world, "ember", slice(76, 80), slice(48, 52), 600)
    if water:
        put(world, "stone", slice(50, 80), slice(30, 33))
        put(world, "stone", slice(50, 80), slice(67, 70))
        put(world, "water", slice(20, 60), slice(33, 67))
    return world


def test_fire_spreads_through_wood_and_dies_without_fuel() -> None:
    after = run(hearth(water=False), 2500)
    assert left(after, "wood") == left(after, "ember") == left(after, "fire") == 0
    assert after.atoms["ember"].made == left(hearth(water=False), "wood")
    assert left(after, "ash") == after.atoms["ash"].made > 100
    assert after.atoms["smoke"].made > 100
    assert left(after, "stone") == left(hearth(water=False), "stone")


def test_water_puts_a_fire_out() -> None:
    after = run(hearth(water=True), 2500)
    assert left(after, "ember") == left(after, "fire") == 0
    assert left(after, "wood") > 0.25 * left(hearth(water=True), "wood")
    assert left(after, "charcoal") > 0
    assert after.atoms["charcoal"].made > after.atoms["steam"].made > 0


def test_oil_burns_from_its_surface_down() -> None:
    world = reacting(60, 60)
    put(world, "stone", slice(50, 60), EVERYWHERE)
    put(world, "oil", slice(40, 50), EVERYWHERE)
    put(world, "ember", slice(39, 41), slice(28, 32), 800)
    first = run(world, 60)
    assert first.atoms["oil"].used > 20
    assert (first["material"][48:50] == first.materials["oil"]).mean() > 0.9
    assert left(run(world, 1500), "oil") == 0


def test_salt_dissolves_and_nothing_else_changes() -> None:
    world = reacting(60, 60)
    put(world, "water", slice(30, 60), EVERYWHERE)
    put(world, "salt", slice(10, 20), slice(20, 40))
    after = run(world, 1500)
    assert left(after, "salt") == 0
    assert left(after, "salt water") == 200
    assert left(after, "water") == 1800 - 200


def test_metal_rusts_in_water_and_sooner_in_salt_water() -> None:
    made = []
    for liquid in ("oil", "water", "salt water"):
        world = reacting(40, 40)
        put(world, liquid, slice(10, 40), EVERYWHERE)
        put(world, "metal", slice(20, 24), slice(4, 36))
        made.append(run(world, 1500).atoms["rust"].made)
    assert made[0] == 0
    assert 5 < made[1] < 0.6 * made[2]


def test_soil_and_ash_turn_to_mud_in_water() -> None:
    world = reacting(40, 40)
    put(world, "water", slice(20, 40), EVERYWHERE)
    put(world, "soil", slice(10, 14), slice(5, 18))
    put(world, "ash", slice(10, 14), slice(22, 35))
    after = run(world, 2500)
    mud = after.atoms["mud"].made
    assert mud == after.atoms["soil"].used + after.atoms["ash"].used == after.atoms["water"].used > 80


def test_gunpowder_throws_what_lies_on_it() -> None:
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


def test_a_cloner_copies_what_touched_it_first_and_a_void_swallows_it() -> None:
    world = reacting(60, 40)
    put(world, "cloner", slice(10, 11), slice(10, 30))
    put(world, "sand", slice(9, 10), slice(10, 30))
    put(world, "void", slice(50, 52), EVERYWHERE)
    put(world, "wall", slice(52, 60), EVERYWHERE)
    after = run(world, 600)
    assert set(counts(after)) == {"cloner", "void", "wall", "sand"}
    assert after.atoms["sand"].made > 1000
    assert after.atoms["sand"].used > 0.8 * after.atoms["sand"].made


def test_a_material_and_a_reaction_of_a_scene_alone(tmp_path) -> None:
    from gpufluid import load

    path = tmp_path / "slime.toml"
    path.write_text("""
size = [40, 40]
rules = ["atoms", "heat", "reactions"]
[[material]]
name = "slime"
state = "liquid"
density = 1300
colour = "#60c040"
[[reaction]]
between = ["slime", "water"]
become = ["same", "slime"]
[[fill]]
shape = "rectangle"
at = [0, 20]
size = [40, 20]
material = "water"
[[fill]]
shape = "rectangle"
at = [20, 10]
size = [1, 1]
material = "slime"
""")
    after = run(load(str(path)), 400)
    assert counts(after) == {"slime": 801}
