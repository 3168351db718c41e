"""Visible behaviour of the shipped reactions: salt, rust and mud, explosions, cloners."""

from __future__ import annotations

import pytest
from support.reactions import counts, left, put, reacting, run

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)


def test_salt_dissolves_and_nothing_else_changes() -> None:
    """All but a few grains on the floor, which lie under the brine that they have made."""
    world = reacting(60, 60)
    put(world, "water", slice(30, 60), EVERYWHERE)
    put(world, "salt", slice(10, 20), slice(20, 40))
    after = run(world, 1500)
    dissolved = left(after, "salt water")
    assert 180 < dissolved <= 200
    assert left(after, "salt") == 200 - dissolved
    assert left(after, "water") == 1800 - dissolved


@pytest.mark.long("1,500 ticks of each of three worlds")
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


def test_a_cloner_copies_the_first_material_it_touches_and_a_void_removes_it() -> None:
    world = reacting(60, 40)
    put(world, "cloner", slice(10, 11), slice(10, 30))
    put(world, "sand", slice(9, 10), slice(10, 30))
    put(world, "void", slice(50, 52), EVERYWHERE)
    put(world, "wall", slice(52, 60), EVERYWHERE)
    after = run(world, 600)
    assert set(counts(after)) == {"cloner", "void", "wall", "sand"}
    assert after.atoms["sand"].made > 1000
    assert after.atoms["sand"].used > 0.8 * after.atoms["sand"].made


@pytest.mark.long("a set of programs for one scene; the scenes of docs/rules/ have own materials and reactions, too")
def test_a_scene_runs_with_its_own_material_and_reaction(tmp_path) -> None:
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
