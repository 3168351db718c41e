"""What the shipped reactions look like to who watches them: acid, water and what grows, copies."""

from __future__ import annotations

import pytest
from support.reactions import counts, left, put, reacting, run

from gpufluid import World
from gpufluid.reactions import SHIPPED, WHOLE

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)


def parts_lost(world: World, material: str) -> int:
    """Of all atoms of a material together, in 256ths of one."""
    there = world["material"] == world.materials[material]
    return int((WHOLE - ((world["integrity"][there].astype(int) + 255 & 255) + 1)).sum())


def test_acid_is_used_up_by_what_it_dissolves() -> None:
    """Each bite costs the acid 8 parts and the sand 24: exactly, as parts and as atoms that are gone."""
    world = reacting(60, 60)
    put(world, "glass", slice(50, 60), EVERYWHERE)
    put(world, "sand", slice(30, 50), EVERYWHERE)
    put(world, "acid", slice(10, 20), slice(10, 50))
    eats = SHIPPED["acid eats powders"]
    alone = World(60, 60, world.rules, reactions=type(SHIPPED)((eats,)))
    for name in world.fields:
        alone[name] = world[name]
    after = run(alone, 400)
    spent, dissolved = after.atoms["acid"].used, after.atoms["sand"].used
    bites = [spent * -(-WHOLE // eats.wear[0]) + parts_lost(after, "acid") // eats.wear[0]]
    bites.append(dissolved * -(-WHOLE // eats.wear[1]) + parts_lost(after, "sand") // eats.wear[1])
    assert bites[0] == bites[1] > 5000
    assert dissolved == after.atoms["smoke"].made > 200
    assert left(after, "glass") == left(world, "glass")


def test_what_is_too_strong_does_not_dissolve_and_the_weak_goes_first() -> None:
    world = reacting(20, 60)
    names = ("glass", "wood", "wall", "metal", "rubber", "sand")
    for number, name in enumerate(names):
        put(world, name, slice(10, 20), slice(10 * number, 10 * number + 10))
    put(world, "acid", slice(0, 10), EVERYWHERE)
    after = run(world, 600)
    gone = {name for name in names if left(after, name) < left(world, name)}
    assert gone == {"wood", "metal", "sand"}


def test_acid_thins_in_water_until_it_is_water() -> None:
    world = reacting(60, 60)
    put(world, "water", slice(20, 60), EVERYWHERE)
    put(world, "acid", slice(10, 16), slice(20, 40))
    both = [run(world, ticks) for ticks in (0, 40, 1500)]
    assert [left(each, "water") + left(each, "acid") for each in both] == [2400 + 120] * 3
    assert left(both[1], "acid") > 60
    assert left(both[2], "acid") == 0


def test_lava_sets_to_stone_as_much_as_it_makes_steam() -> None:
    world = reacting(60, 60)
    put(world, "water", slice(40, 60), EVERYWHERE)
    put(world, "lava", slice(10, 20), slice(20, 40), 1100)
    atoms = run(world, 300).atoms
    assert atoms["stone"].made == atoms["steam"].made == atoms["lava"].used == atoms["water"].used > 60


def test_salt_dissolves_and_nothing_else_changes() -> None:
    world = reacting(60, 60)
    put(world, "water", slice(30, 60), EVERYWHERE)
    put(world, "salt", slice(10, 20), slice(20, 40))
    after = run(world, 1500)
    assert left(after, "salt") == 0
    assert left(after, "salt water") == 200
    assert left(after, "water") == 1800 - 200


def test_plants_grow_as_far_as_there_is_water() -> None:
    world = reacting(60, 60)
    put(world, "sand", slice(50, 60), EVERYWHERE)
    put(world, "water", slice(40, 50), slice(10, 50))
    put(world, "seed", slice(20, 21), slice(20, 40))
    first, last = run(world, 100), run(world, 3000)
    assert left(last, "plant") > left(first, "plant")
    assert left(last, "water") == 0
    assert left(last, "plant") + left(last, "seed") >= 300


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
