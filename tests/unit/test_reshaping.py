"""Another size, no matter, more rules: what is kept, and that the ledgers count what is put in and taken away."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.scenes import assert_balanced
from support.selection import examples
from support.worlds import atom_worlds, worlds

import gpufluid
from gpufluid import Domain, Drain, Emitter, GpufluidError, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.world.reshaping import Border, border_cells

RULES = ("atoms", "heat", "reactions", "pressure")


def vessel(width: int = 12, height: int = 10) -> World:
    """A vessel with a floor of two rows, walls of one column, sand on the floor, and ports."""
    world = World(height, width, RULES, edges="open", tick=5)
    wall, sand = world.materials["wall"], world.materials["sand"]
    world["material"][-2:] = world["material"][:, 0] = world["material"][:, -1] = wall
    world["material"][-4:-2, 2:5] = sand
    world["temperature"][-3, 2] = 800
    world.emitters = (Emitter((4, 0), (3, 1), material="water"),)
    world.drains = (Drain((1, 7)),)
    world.draw_grain()
    return world


def test_a_larger_vessel_has_its_floor_and_walls_at_the_new_edges() -> None:
    world = vessel()
    assert Border.of(world) == Border(1, 1, 0, 2)
    larger = gpufluid.resized(world, 22, 16)
    wall, material = larger.materials["wall"], larger["material"]
    expected = np.zeros((16, 22), bool)
    expected[-2:] = expected[:, 0] = expected[:, -1] = True
    np.testing.assert_array_equal(material == wall, expected)
    sand = material == larger.materials["sand"]
    assert np.argwhere(sand).tolist() == [[row, column] for row in (12, 13) for column in (7, 8, 9)]
    assert larger["temperature"][13, 7] == 800
    assert (larger.emitters[0].at, larger.emitters[0].size, larger.drains[0].at) == ((9, 6), (3, 1), (6, 13))
    assert (larger.tick, larger.edges, larger.census()["sand"]) == (5, "open", 6)
    assert larger.atoms["wall"].painted == int(expected.sum()) - world.census()["wall"]
    assert larger.atoms["wall"].erased == larger.atoms["sand"].painted == 0
    assert_balanced(world, larger)
    oracle.step(larger, 2)


def test_a_smaller_vessel_loses_what_does_not_fit_and_counts_it_as_erased() -> None:
    world = vessel()
    smaller = gpufluid.resized(world, 6, 5, align=(1, 1))
    assert smaller["material"][:, 0].tolist() == [smaller.materials["wall"]] * 5
    assert "sand" not in smaller.census()
    assert smaller.atoms["sand"].erased == 6
    assert (smaller.emitters, smaller.drains) == ((), ())
    assert_balanced(world, smaller)
    smaller = gpufluid.resized(world, 6, 5, align=(0, 1))
    assert smaller.census()["sand"] == 6
    assert (smaller.emitters, smaller.drains[0].at) == ((), (1, 2))


def test_a_port_that_fits_in_part_is_cut_off() -> None:
    world = World(6, 8, rules=("flow",), emitters=[Emitter((2, 1), (5, 2))], drains=[Drain((6, 4), (2, 2))])
    smaller = gpufluid.resized(world, 4, 6, align=(0, 0))
    assert [(port.at, port.size) for port in (*smaller.emitters, *smaller.drains)] == [((2, 1), (2, 2))]
    smaller = gpufluid.resized(world, 4, 4, align=(1, 1))
    assert [(port.at, port.size) for port in smaller.emitters] == [((0, 0), (3, 1))]
    assert [(port.at, port.size) for port in smaller.drains] == [((2, 2), (2, 2))]


@pytest.mark.parametrize(
    ("gravity", "at"), [("down", (2, 4)), ("up", (2, 0)), ("left", (0, 2)), ("right", (4, 2)), ("off", (2, 2))]
)
def test_the_kept_part_lies_at_the_floor_of_gravity(gravity: str, at: tuple[int, int]) -> None:
    world = World(4, 4, ("atoms",), gravity=gravity)  # pyright: ignore[reportArgumentType]
    world["material"] = world.materials["sand"]
    found = np.argwhere(gpufluid.resized(world, 8, 8)["material"]).min(axis=0).tolist()
    assert (found[1], found[0]) == at


@pytest.mark.long("many random worlds")
@examples(60)
@given(
    world=worlds() | atom_worlds() | atom_worlds(rules=("atoms", "heat")) | atom_worlds(rules=("flow", "atoms")),
    size=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    align=st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_every_world_is_sound_and_balanced_in_every_size(
    world: World, size: tuple[int, int], align: tuple[float, float] | None
) -> None:
    if world.edges == "wrap" and (size[0] % 2 or size[1] % 2):
        size = size[0] + size[0] % 2, size[1] + size[1] % 2
    before = world.digest()
    new = gpufluid.resized(world, *size, align)
    new.validate()
    assert (new.width, new.height, new.rules) == (*size, world.rules)
    assert world.digest() == before
    assert_grew_by_ledgers(world, new)
    assert gpufluid.resized(world, world.width, world.height, align) == world
    assert_grew_by_ledgers(world, gpufluid.cleared(world))


def assert_grew_by_ledgers(world: World, new: World) -> None:
    """What was held with what the ledgers have counted since is what is held."""
    first = world.copy()
    difference = new.copy()
    difference.ledgers = {name: _less(new.ledgers[name], world.ledgers[name]) for name in new.ledgers}
    assert_balanced(first, difference)


def _less(now, before):
    if hasattr(now, "items"):
        names = {*now, *before}
        return type(now)({name: _less(now[name], before[name]) for name in names})
    return type(now)(**{key: getattr(now, key) - getattr(before, key) for key in now.__dataclass_fields__})


@pytest.mark.parametrize("rules", [("flow",), ("atoms", "heat"), ("mixture", "pressure")], ids="+".join)
def test_a_cleared_world_has_only_its_floor_and_walls(rules: tuple[str, ...]) -> None:
    world = World(9, 12, rules, tick=3, drains=[Drain((1, 1))])
    wall = world.materials["wall"]
    world["material"][-1] = world["material"][:, :2] = wall
    world["material"][3, 5] = wall
    kept = border_cells(world)
    if "atoms" in rules:
        world["material"][4:6, 6:9] = world.materials["sand"]
    elif "mass" in world:
        world["mass"][4:6, 6:9] = 5000
    else:
        world["mixture"][0, 4:6, 6:9] = 5000
    cleared = gpufluid.cleared(world)
    np.testing.assert_array_equal(cleared["material"] == wall, kept)
    assert set(cleared.census()) == {"wall"}
    assert (cleared.drains, cleared.tick) == ((), 3)
    if "mass" in cleared:
        assert cleared.total() == 0
    assert not any(cleared.contents().values())
    assert_balanced(world, cleared)
    assert cleared.digest() == gpufluid.cleared(cleared).digest()


def test_a_world_gets_rules_with_those_that_they_need() -> None:
    world = World(6, 8, ("atoms",), tick=4, seed=9, emitters=[Emitter((0, 0), material="sand")])
    world["material"][5, 2:5] = world.materials["lava"], world.materials["wood"], world.materials["ice"]
    world["velocity"][5, 2] = (3, 4)
    world.draw_grain()
    more = gpufluid.with_rules(world, ["reactions"])
    assert more.rules == ("atoms", "heat", "reactions")
    assert (more.tick, more.seed, more.emitters) == (4, 9, world.emitters)
    for name in world.fields:
        np.testing.assert_array_equal(more[name], world[name])
    fresh = World(6, 8, more.rules)
    fresh["material"] = world["material"]
    np.testing.assert_array_equal(more.degrees(), fresh.degrees())
    assert more.degrees()[5, 2] > 700
    assert more.heat.balance == more.heat_held()
    more.validate()
    assert gpufluid.with_rules(more, ["heat"]) == more
    with_water = gpufluid.with_rules(World(4, 4, rules=("flow",)), ["reactions"])
    assert with_water.rules == ("flow", "atoms", "heat", "reactions")


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "no size": (lambda: gpufluid.resized(World(4, 4), 0, 4), "width: 0; expected a whole number from 1"),
    "half a cell": (lambda: gpufluid.resized(World(4, 4), 4, 4.5), "height: 4.5; expected a whole number"),  # pyright: ignore
    "align": (lambda: gpufluid.resized(World(4, 4), 4, 4, (0, 2)), r"align: \(0, 2\); expected two numbers from 0"),
    "align of one": (lambda: gpufluid.resized(World(4, 4), 4, 4, 0.5), "align: 0.5; expected two numbers"),  # pyright: ignore
    "a piece": (
        lambda: gpufluid.resized(World(4, 4, domain=Domain((2, 2), (4, 4), (9, 9))), 5, 5),
        "domain: 4 by 4 cells of a whole world of 9 by 9 cannot be resized",
    ),
    "an odd torus": (lambda: gpufluid.resized(World(4, 4, RULES, edges="wrap"), 5, 4), "expected even sides"),
    "unknown rule": (lambda: gpufluid.with_rules(World(4, 4), ["haet"]), "unknown rule 'haet'; did you mean 'heat'"),
    "rules that conflict": (lambda: gpufluid.with_rules(World(4, 4), ["mixture"]), "cannot run with rule flow"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_values_are_one_clear_error(name: str) -> None:
    call, words = BAD[name]
    with pytest.raises(GpufluidError, match=words) as caught:
        call()
    assert isinstance(caught.value, WorldError)
