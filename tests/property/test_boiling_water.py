"""Water by mass that boils and freezes: a full cell to an atom, at the threshold, with all heat and mass counted.

Random worlds in which water changes its state are in test_warm_water.py, with those in which it only gets warmer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.atoms import assert_mirrored
from support.following import follow_by_ticks
from support.scenes import assert_balanced, balance
from support.worlds import random_atoms

from gpufluid import FULL, Simulation, World, oracle
from gpufluid.core.fields import MASS_LIMIT, TEMPERATURE_ONE, WATER_HEAT_LIMIT, WATER_HEAT_ONE
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.matter.transitions import Transition
from gpufluid.oracle.water_changes import WaterChange
from gpufluid.rules import Call
from gpufluid.rules.heat import TURN, water_temperature

pytestmark = pytest.mark.usefixtures("device")

RULES = ("flow", "atoms", "heat")
STILL: dict[str, Any] = {"parameters": {"heat": {"air": 0.0}}}
AMBIENT, BOILS = 20 * TEMPERATURE_ONE, 100 * TEMPERATURE_ONE


def heat_of(cells: float, degrees: float, latent: float = 0.0) -> int:
    """The heat of some cells of water, at a temperature and with latent heat of some atoms, in degrees times cells."""
    return round((cells * (degrees - 20) + latent) * TEMPERATURE_ONE * WATER_HEAT_ONE)


def pool(*cells: tuple[float, int], **laws: Any) -> World:
    """A closed row of cells between walls: of each the mass, in cells, and the heat."""
    world = World(3, len(cells) + 2, RULES, **(STILL | laws))
    world["material"] = world.materials["wall"]
    for column, (mass, heat) in enumerate(cells, 1):
        world["material"][1, column] = 0
        world["mass"][1, column] = round(mass * FULL)
        world["water_heat"][1, column] = heat
    return world


def water(**changes: Any) -> MaterialTable:
    """The shipped materials, with another water."""
    return MaterialTable(tuple(replace(each, **changes) if each.name == "water" else each for each in SHIPPED))


def changed(world: World, ticks: int = TURN) -> World:
    """The world after pass `change_water` of some ticks, and no other pass."""
    after = world.copy()
    for tick in range(ticks):
        (call,) = (call for call in after.schedule().calls(tick) if call.pass_.full_name == "heat.change_water")
        oracle.apply(after, call)
    return after


def random_storm(height: int, width: int, luck: int = 0, **laws: Any) -> World:
    """Random water among random atoms, much of which boils or freezes in the first ticks."""
    world = random_atoms(height, width, filled=0.3, luck=luck, **({"rules": RULES} | laws))
    rng, mass = np.random.default_rng(luck), world["mass"].astype(np.int64)
    degrees = rng.choice([-220, -110, -80, -10, 90, 400, 700, 1200], mass.shape) + rng.integers(-30, 31, mass.shape)
    world["water_heat"] = (mass >> 10) * degrees * TEMPERATURE_ONE
    return world


def test_a_full_cell_with_the_latent_heat_becomes_an_atom_and_every_unit_is_counted() -> None:
    """The sixteenth of a unit of an atom that is left goes to the air."""
    for name, degrees, latent in (("steam", 100, 536), ("ice", 0, -80)):
        rest = WATER_HEAT_ONE // 16 * (1 if latent > 0 else -1)
        world = pool((1, heat_of(1, degrees, latent) + rest))
        after = changed(world)
        assert after.census() == {"wall": 8, name: 1}
        assert (after.total(), after.ledger.used, after.atoms[name].made) == (0, FULL, 1)
        assert after["temperature"][1, 1] == degrees * TEMPERATURE_ONE
        assert after.heat.bound == latent * TEMPERATURE_ONE
        assert after.ledgers["water_heat"].air == -rest
        assert_balanced(world, after)


def test_a_cell_without_all_of_the_latent_heat_stays() -> None:
    for degrees, latent, side in ((100, 536, 1), (0, -80, -1)):
        world = pool((1, heat_of(1, degrees, latent) - side))
        assert changed(world) == world


def test_what_is_missing_comes_from_a_neighbour_and_what_is_left_goes_to_one() -> None:
    ready = heat_of(0.6, 0, -81)
    world = pool((0.6, ready), (0.7, heat_of(0.7, 1)))
    after = changed(world)
    assert after.atoms["ice"].made == 1
    assert after["material"][1, 1] == world.materials["ice"]
    assert after["mass"][1, 2] == pytest.approx(0.3 * FULL, abs=2)
    assert_balanced(world, after)
    pressed = pool((1.25, heat_of(1.25, 100, 540)), (0, 0))
    after = changed(pressed)
    assert after.atoms["steam"].made == 1
    assert after["mass"][1, 2] == FULL // 4
    assert after["water_heat"][1, 2] == heat_of(0.25, 100, 4)
    assert_balanced(pressed, after)


@pytest.mark.parametrize(
    "cells",
    [
        [(0.6, heat_of(0.6, 100, 590))],
        [(0.6, heat_of(0.6, 100, 540)), (0.3, heat_of(0.3, 100, 100))],
        [(1.5, heat_of(1.5, 100, 600))],
        [(1.5, heat_of(1.5, 100, 600)), (1000, 0)],
        [(0.6, heat_of(0.6, 100, 540)), (0.4, heat_of(0.4, 20))],
        [(40, heat_of(40, 100, 600)), (0, 0)],
    ],
    ids=["too little", "too little in both", "no room", "no room beside", "too cold beside", "pressed too much"],
)
def test_a_ready_cell_waits_for_what_it_lacks(cells: list[tuple[float, int]]) -> None:
    world = pool(*cells)
    assert changed(world) == world


@pytest.mark.long("400 ticks until a hot block of stone is at rest")
def test_water_that_waits_is_at_rest_and_takes_no_more_heat() -> None:
    """A pressed cell between hot stones: it boils as soon as it has room, and until then nothing changes."""
    world = pool((1.5, heat_of(1.5, 100, 500)))
    stone = world.materials["stone"]
    world["material"][:] = stone
    world["material"][1, 1] = 0
    world["temperature"][world["material"] == stone] = 1000 * TEMPERATURE_ONE
    with Simulation(world) as sim:
        sim.step(400)
        assert sim.settled
        assert sim.read()["water_heat"][1, 1] <= heat_of(1.5, 100, 544)
    twin = world.copy()
    for _ in range(30):
        oracle.tick(twin)
    with Simulation(world) as sim:
        sim.step(30)
        assert sim.digest() == twin.digest()


def test_water_stores_latent_heat_from_its_threshold_on_however_much_it_is_pressed() -> None:
    """Water of 300 cells was as if boiling at 29 degrees, and took no more heat."""
    world = World(2, 2, RULES)
    boiling, freezing = WaterChange.both(world.laws)
    mass = np.array([FULL // 4, FULL, 31 * FULL, 64 * FULL, 300 * FULL])
    for change, degrees, latent in ((boiling, 100, 536), (freezing, 0, 80)):
        at = (mass >> 10) * (degrees - 20) * TEMPERATURE_ONE
        assert (change.stored(at, mass) == 0).all()
        assert (change.room_before(at, mass) == heat_of(1, 20 + latent + 8)).all()
        assert (change.stored(at - change.side, mass) == -1).all()
    dearest = water(above=Transition(4000, "steam"), below=Transition(-273, "ice"))
    for ambient in (-273.0, 4000.0):
        laws = World(2, 2, RULES, materials=dearest, parameters={"heat": {"ambient": ambient}}).laws
        for change in WaterChange.both(laws):
            heat = np.array([WATER_HEAT_LIMIT, 0, -WATER_HEAT_LIMIT])
            assert (abs(change.stored(heat, np.array(MASS_LIMIT))) < 1 << 30).all()


def test_water_is_never_hotter_or_colder_than_its_thresholds() -> None:
    laws = World(2, 2, RULES).laws
    mass = np.array([FULL // 16, FULL // 2, FULL, 40 * FULL])[:, None]
    degrees = np.arange(-1000, 2000, 7)
    found = water_temperature(laws, mass, (mass >> 10) * (degrees - 20) * TEMPERATURE_ONE)
    np.testing.assert_array_equal(found, np.tile(np.clip(degrees, 0, 100) * TEMPERATURE_ONE, (4, 1)))


def test_water_without_transitions_stays_water() -> None:
    calm = water(above=None, below=None)
    world = pool((1, heat_of(1, 2000)), (1, heat_of(1, -200)), materials=calm)
    assert changed(world) == world
    assert [each.product for each in WaterChange.both(world.laws)] == [0, 0]
    assert water_temperature(world.laws, np.array(FULL), np.array(heat_of(1, 2000))) == 2000 * TEMPERATURE_ONE


def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    after = assert_mirrored(random_storm(18, 22, 2, rules=("flow", "inertia", "atoms", "heat")), 3, monkeypatch)
    assert after.atoms["steam"].made > 20
    assert after.atoms["ice"].made > 5


def every_block() -> World:
    """All 2x2 blocks of stone, dry cells, and water of five amounts that is cold, warm, boils, or freezes."""
    kinds = [(0, 0, 1), (0, 0, 0)]
    for cells in (0.1, 0.5, 1.0, 1.25, 3.0):
        kinds += [(round(cells * FULL), heat, 0) for heat in (heat_of(cells, 5), heat_of(cells, 98))]
        kinds += [(round(cells * FULL), heat, 0) for heat in (heat_of(cells, 100, 560), heat_of(cells, 0, -83))]
    side = len(kinds) ** 2
    world = World(2 * side, 2 * side, RULES, **STILL)
    numbers = np.random.default_rng(3).permutation(side * side).reshape(side, side)
    mass, heat, stone = (np.array(each) for each in zip(*kinds, strict=True))
    for place, (row, column) in enumerate(np.ndindex(2, 2)):
        kind = numbers // len(kinds) ** place % len(kinds)
        for name, values in (("mass", mass), ("water_heat", heat), ("material", stone * world.materials["stone"])):
            world[name][row::2, column::2] = values[kind]
    world["temperature"] = np.where(world["material"] == 0, 0, AMBIENT)
    return world


@pytest.mark.long("all 234,256 blocks of 22 kinds of cells: 937,024 cells")
def test_every_block_of_water_changes_as_its_twin_says_and_adds_up() -> None:
    world = every_block()

    def aligned(tick: int) -> Call | None:
        """The pass in a tick, if its blocks begin at the world's first cell."""
        (call,) = (call for call in world.schedule().calls(tick) if call.pass_.full_name == "heat.change_water")
        probe = World(2, 2, RULES, **STILL)
        probe["mass"][0], probe["water_heat"][0] = FULL // 2, heat_of(0.5, 100, 560)
        oracle.apply(probe, call)
        return call if probe.census() else None

    call = next(filter(None, map(aligned, range(TURN))))
    world.tick = call.tick
    twin = world.copy()
    oracle.apply(twin, call)
    assert_balanced(world, twin)
    assert twin.atoms["steam"].made > 50_000
    assert twin.atoms["ice"].made > 50_000
    with Simulation(world, sleeping=False, variant={"heat": "strips"}) as sim:
        for each in sim.calls():
            if each.pass_.full_name == call.pass_.full_name:
                sim.run(each)
        after = sim.read()
    assert after.ledgers == twin.ledgers
    for name in ("material", "mass", "water_heat", "temperature"):
        np.testing.assert_array_equal(after[name], twin[name], err_msg=name)


@pytest.mark.long("a pool that boils for 300 ticks, asleep and awake")
def test_tiles_sleep_and_wake_as_if_all_were_awake() -> None:
    """Hot stone and cold stone in a wide pool: no steam and no ice is there at first."""
    world = World(70, 100, RULES, seed=3)
    world["mass"][30:] = FULL
    for columns, degrees in ((slice(20, 26), 1000), (slice(70, 78), -273)):
        world["material"][60:66, columns] = world.materials["stone"]
        world["mass"][60:66, columns] = 0
        world["temperature"][60:66, columns] = degrees * TEMPERATURE_ONE
    with Simulation(world) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(6):
            asleep.step(50)
            awake.step(50)
            assert asleep.digest() == awake.digest()
        after = asleep.read()
    assert after.atoms["steam"].made > 5
    assert after.atoms["ice"].made > 5
    assert_balanced(world, after)


@pytest.mark.long("another variant: programs of its own")
def test_layouts_for_a_graphics_card_give_the_same_state() -> None:
    world = random_storm(34, 42, 4)
    first = world.copy()
    now = follow_by_ticks(world, 4, variant={"heat": "strips"})
    assert_balanced(first, now)
    assert now.atoms["steam"].made > 50


@pytest.mark.long("a pot that boils for 1,500 ticks")
def test_a_pot_on_a_hot_plate_boils_at_a_hundred_degrees_for_the_heat_that_it_gets() -> None:
    """The energy that the plate has lost is that of the steam and of the warmer water, to the unit."""
    world = World(48, 24, RULES, **STILL)
    world["material"][:, [0, -1]] = world["material"][0] = world.materials["wall"]
    world["material"][44:] = world.materials["metal"]
    world["temperature"][44:] = 1200 * TEMPERATURE_ONE
    world["mass"][24:44, 1:-1] = FULL
    world["water_heat"][24:44, 1:-1] = heat_of(1, 95)
    first = world.copy()
    with Simulation(world) as sim:
        for _ in range(15):
            sim.step(100)
            after = sim.read()
            assert water_temperature(after.laws, after["mass"], after["water_heat"]).max() <= BOILS
    assert after.atoms["steam"].made > 60
    assert after.total() + FULL * after.census()["steam"] == first.total()
    assert_balanced(first, after)
    lost = first.heat_held() - after.heat_held() - after.heat.bound
    assert lost == after.heat.water
    assert balance("water_heat", after) == after.total("water_heat") - first.total("water_heat")


def test_a_product_may_be_any_material_and_need_no_latent_heat() -> None:
    odd = water(above=Transition(50, "glass"), below=Transition(10, "smoke"))
    world = pool((1, heat_of(1, 51)), (1, heat_of(1, 9)), materials=odd)
    after = changed(world)
    assert {name: count for name, count in after.census().items() if name != "wall"} == {"glass": 1, "smoke": 1}
    assert after["temperature"][1, 1:3].tolist() == [51 * TEMPERATURE_ONE, 9 * TEMPERATURE_ONE]
    assert_balanced(world, after)
