"""Water by mass has no up of its own: a turned world with turned gravity gives the turned result, exactly."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.atoms import turned
from support.following import follow_by_passes, follow_by_ticks
from support.selection import mostly_long
from support.worlds import moving_water, random_atoms, random_world

from gpufluid import FULL, Drain, Emitter, Simulation, World
from gpufluid.core.small_floats import decoded, encoded
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES

pytestmark = pytest.mark.usefixtures("device")

WATER, MOMENTUM = ("flow",), ("flow", "inertia")
MATTER = ("flow", "inertia", "atoms", "heat", "reactions")

TURNS = [("closed", 1), ("open", 3), ("wrap", 2)]
"""Edges and quarter turns; few, because each needs two sets of programs."""

LAWS = [("open", "left"), ("closed", "off"), ("wrap", "up"), ("closed", "right"), ("wrap", "off"), ("open", "up")]
"""Edges and gravities; few, for the same reason."""

PORTS = {
    "emitters": [
        Emitter((2, 3), (4, 2), rate=0.3, level=2.0, velocity=(0.4, -0.7)),
        Emitter((9, 13), (3, 3), rate=0.8, velocity=(-2.9, 0.9)),
    ],
    "drains": [Drain((3, 12), (5, 3), rate=0.1), Drain((14, 10), (4, 6), rate=0.7)],
}
BY_CHANCE = {**PORTS, "emitters": [*PORTS["emitters"], Emitter((14, 1), (3, 2), rate=0.5, chance=0.5)]}
"""Without gravity the frame does not turn along with a world, so chance draws anew."""


def water(rules: tuple[str, ...], height: int = 23, width: int = 37, **laws) -> World:
    """A random world of these rules with emitters and drains."""
    ports = PORTS if laws.get("gravity") == "off" else BY_CHANCE
    if "atoms" in rules:
        return random_atoms(height, width, rules=rules, filled=0.4, **ports, **laws)
    if "inertia" in rules:
        return moving_water(height, width, walls=0.1, most=2 * FULL, **ports, **laws)
    return random_world(height, width, walls=0.1, most=2 * FULL, **ports, **laws)


def assert_turns(world: World, quarters: int, ticks: int) -> None:
    """A turned world gives the turned result, also its ledgers."""
    results = []
    for each in (world, turned(world, quarters)):
        with Simulation(each) as sim:
            sim.step(ticks)
            results.append(sim.read())
    straight, round_about = results[0], turned(results[1], 4 - quarters)
    for name in world.fields:
        np.testing.assert_array_equal(round_about[name], straight[name], err_msg=name)
    assert round_about.ledgers == straight.ledgers
    assert (straight["mass"] != world["mass"]).mean() > 0.1


@pytest.mark.parametrize("rules", [WATER, MOMENTUM], ids="+".join)
@pytest.mark.parametrize(
    "turn", mostly_long([*TURNS, ("open", 1), ("wrap", 3)], ("open", 1), why="2 sets of programs each"), ids=str
)
def test_a_turned_world_gives_the_turned_result(rules: tuple[str, ...], turn: tuple[str, int]) -> None:
    edges, quarters = turn
    assert_turns(water(rules, edges=edges), quarters, ticks=20)


@pytest.mark.parametrize("rules", [WATER, MOMENTUM], ids="+".join)
@pytest.mark.parametrize("edges", mostly_long(EDGES, "closed", why="a set of programs each"))
def test_without_gravity_all_directions_are_alike(rules: tuple[str, ...], edges: str) -> None:
    for quarters in (1, 2, 3):
        assert_turns(water(rules, edges=edges, gravity="off", luck=quarters), quarters, ticks=20)


@pytest.mark.long("2 sets of programs of five rules")
@pytest.mark.parametrize(("edges", "quarters"), TURNS)
def test_a_turned_world_of_water_and_atoms_gives_the_turned_result(edges: str, quarters: int) -> None:
    assert_turns(water(MATTER, 26, 40, edges=edges), quarters, ticks=12)


@pytest.mark.parametrize(
    "laws",
    mostly_long(
        [*product([MOMENTUM], LAWS), *product([WATER, ("flow", "atoms")], LAWS[::2]), (MATTER, LAWS[1])],
        (WATER, ("open", "left")),
        (MOMENTUM, ("closed", "off")),
        why="a set of programs each",
    ),
    ids=str,
)
def test_every_pass_equals_its_twin(laws: tuple[tuple[str, ...], tuple[str, str]]) -> None:
    """In the first variant of each rule for half of the laws, in the last one for the others; each needs programs."""
    rules, (edges, gravity) = laws
    size = (26, 40) if "atoms" in rules else (23, 37)
    number = -(LAWS.index((edges, gravity)) // 2 % 2)
    variant = {rule: RULES[rule].variants[number].name for rule in rules}
    follow_by_passes(water(rules, *size, edges=edges, gravity=gravity), 2, variant=variant)
    follow_by_ticks(water(rules, *size, edges=edges, gravity=gravity, luck=3), 5, variant=variant)


@pytest.mark.long("a set of programs for each kind of edges")
@pytest.mark.parametrize(("rules", "gravity"), [(WATER, "off"), (MOMENTUM, "left")], ids=str)
def test_every_size_equals_its_twin(rules: tuple[str, ...], gravity: str) -> None:
    for size, edges in product([(1, 1), (1, 2), (1, 37), (41, 1), (2, 2), (33, 9), (70, 167)], EDGES):
        world = (moving_water if "inertia" in rules else random_world)(*size, walls=0.1, edges=edges, gravity=gravity)
        follow_by_ticks(world, 3)


@pytest.mark.long("a set of programs each")
@pytest.mark.parametrize("rules", [WATER, MOMENTUM], ids="+".join)
def test_sleeping_tiles_change_nothing_and_water_falls_to_the_left(rules: tuple[str, ...]) -> None:
    world = World(100, 140, rules, gravity="left", parameters={"flow": {"preset": "calm"}})
    world["mass"][60:80, :9] = FULL
    world["mass"][20:26, 100:105] = FULL
    with Simulation(world) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(4):
            asleep.step(60)
            awake.step(60)
            assert asleep.digest() == awake.digest()
        after = asleep.read()
    assert after.total() == world.total()
    assert after["mass"][:, 70:].sum() < FULL // 10  # all of it has fallen to the left


def test_without_gravity_water_keeps_its_place_unless_it_is_pressed() -> None:
    """Drops of one cell of mass in each cell stay; a drop of two spreads until no cell has a hundredth too much."""
    world = World(60, 80, WATER, gravity="off", parameters={"flow": {"preset": "calm"}})
    rows, columns = np.mgrid[:60, :80]
    still, pressed = ((rows - 30) ** 2 + (columns - x) ** 2 < 60 for x in (15, 55))
    world["mass"][still], world["mass"][pressed] = FULL, 2 * FULL
    with Simulation(world) as sim:
        sim.step(3000)
        after = sim.read()
    assert after.total() == world.total()
    np.testing.assert_array_equal(after["mass"][:, :30], world["mass"][:, :30])
    assert after["mass"].max() < 1.01 * FULL
    assert 2 * pressed.sum() <= (after["mass"][:, 30:] > 0).sum() < 2.6 * pressed.sum()
    for turn in (1, 2, 3):
        drop = after["mass"][13:48, 38:73]
        np.testing.assert_array_equal(np.rot90(drop, turn), drop)


def test_without_gravity_a_drop_flies_on_as_it_is_and_stays_on_the_wall() -> None:
    """It moves by its speed and keeps its momentum; a wall stops it, and the pressure there throws nothing back."""
    world = World(60, 80, MOMENTUM, gravity="off")
    rows, columns = np.mgrid[:60, :80]
    drop, speed = (rows - 30) ** 2 + (columns - 15) ** 2 < 60, 0.25
    world["mass"][drop] = FULL
    world["momentum"][drop, 0] = encoded(np.array(speed * FULL))
    with Simulation(world) as sim:
        sim.step(100)
        flying = sim.read()["mass"].astype(np.int64)
        assert (flying * columns).sum() / flying.sum() - 15 == pytest.approx(25, abs=0.5)
        assert (flying > FULL // 2).sum() == pytest.approx(drop.sum(), abs=10)
        carried = decoded(sim.read()["momentum"])[..., 0].sum() / (drop.sum() * FULL)
        assert carried == pytest.approx(speed, rel=0.05)
        sim.step(1500)
        after = sim.read()
    mass = after["mass"].astype(np.int64)
    assert after.total() == world.total()
    assert mass.max() < 1.5 * FULL
    assert mass[:, 60:].sum() == mass.sum()
    assert abs(decoded(after["momentum"])).max() < FULL // 100


def test_a_turned_picture_of_water_is_the_picture_of_turned_water() -> None:
    """Also within a cell: water at rest is drawn as a level across gravity."""
    world = World(24, 30, WATER)
    world["mass"][18:, :20] = FULL
    world["mass"][17, :20] = FULL * np.arange(20) // 20
    world["mass"][4:9, 25] = FULL // 3
    looks = ("", "pressure", "flow")
    with Simulation(world) as sim:
        upright = [sim.frame(8, look or None) for look in looks]
    for quarters in (1, 2, 3):
        with Simulation(turned(world, quarters)) as sim:
            for look, picture in zip(looks, upright, strict=True):
                found = np.rot90(sim.frame(8, look or None), -quarters)
                np.testing.assert_array_equal(found[: 24 * 8, : 30 * 8], picture[: 24 * 8, : 30 * 8], err_msg=look)
