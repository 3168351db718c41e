"""Mixtures with heat: it is conserved to the unit, moves with the parts of the mixture, and evens out.

The oracle equals the GPU after every pass and tick, with sleeping tiles and without, at every edge and gravity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import atoms, mixtures
from support.following import follow_by_passes, follow_by_ticks
from support.scenes import assert_balanced
from support.selection import crossed, examples, mostly_long
from support.worlds import random_atoms

import gpufluid
from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.core.fields import WATER_HEAT_LIMIT, WATER_HEAT_MOST, WATER_HEAT_ONE
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.matter.mixtures import SHIPPED as MIXTURES
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.rules import RULES
from gpufluid.rules.heat import water_temperature
from gpufluid.rules.laws import amount_in
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

PLAIN, PRESSED, ALL = (
    ("mixture", "atoms", "heat"),
    ("mixture", "atoms", "heat", "pressure"),
    ("mixture", "atoms", "heat", "pressure", "reactions", "collapse"),
)
DEGREE = 8 * WATER_HEAT_ONE  # units of heat that warm a full cell by a degree
STILL_AIR = {"heat": {"air": 0.0}}

PORTS: Mapping[str, Any] = {
    "emitters": [
        Emitter((2, 3), (9, 2), material="lava", rate=0.7),
        Emitter((8, 4), (5, 3), material="water", rate=0.4, temperature=-30.0),
        Emitter((20, 20), (6, 4), material="smoke", rate=0.5),
    ],
    "drains": [Drain((4, 14), (12, 3), rate=0.3), Drain((9, 9), (2, 2), rate=1.0)],
}


def random_mixture(height: int, width: int, rules: tuple[str, ...], luck: int, **laws: Any) -> World:
    """A random world of the rules, in which a tenth of the cells have almost no room for more heat."""
    world = random_atoms(height, width, rules=rules, filled=0.3, luck=luck, seed=luck, **laws)
    rng, shape = np.random.default_rng(luck), world["material"].shape
    extreme = rng.choice([-WATER_HEAT_LIMIT, -WATER_HEAT_MOST + 900, WATER_HEAT_MOST - 70_000, WATER_HEAT_LIMIT], shape)
    where = (amount_in(world.complete_arrays()) > 0) & (rng.random(shape) < 0.1)
    world["water_heat"] = np.where(where, extreme, world["water_heat"])
    return world


def test_a_mixture_that_gets_heat_is_as_warm_as_its_materials() -> None:
    """The heat is counted as painted, as that of atoms is."""
    world = World(2, 3, rules=("mixture", "atoms"))
    layers = world["mixture"]
    layers[world.mixture["lava"], 0, 0], layers[world.mixture["ice"], 0, 0] = FULL // 2, FULL // 4
    layers[world.mixture["lava"], 1, 2] = FULL
    more = gpufluid.with_rules(world, ["heat"])
    full = {name: more.new_amount(material=name)["water_heat"] for name in ("lava", "ice")}
    assert full["lava"] > 0 > full["ice"]
    assert more["water_heat"].tolist() == [[full["lava"] // 2 + full["ice"] // 4, 0, 0], [0, 0, full["lava"]]]
    assert more.ledgers["water_heat"].painted == more["water_heat"].sum()
    drawn = World(2, 3, rules=PLAIN)
    drawn["mixture"] = layers
    drawn.draw_temperature()
    assert np.array_equal(drawn["water_heat"], more["water_heat"])


def test_a_table_without_water_has_mixtures_with_heat() -> None:
    bare = (replace(each, above=None, below=None) for each in SHIPPED if each.name in ("empty", "wall", "sand", "lava"))
    lava = MixtureTable([each for each in MIXTURES.constituents if each.material == "lava"])
    world = World(6, 6, rules=PLAIN, materials=MaterialTable(tuple(bare)), mixture=lava)
    world["mixture"][0, 3:] = FULL
    world.draw_amounts()
    follow_by_ticks(world, 3)


def degrees(world: World) -> np.ndarray:
    """The temperature of the mixture in each cell, in degrees C; of the air in others."""
    return water_temperature(world.laws, amount_in(world.complete_arrays()), world["water_heat"]) / 8


@crossed(most=1, together=1, edges=EDGES, gravity=["down", "left", "off"])
def test_random_worlds_equal_their_twins_and_add_up(edges: Edges, gravity: Gravity) -> None:
    place = EDGES.index(edges) + GRAVITIES.index(gravity)
    rules, variant = (PLAIN, PRESSED, ALL)[place % 3], -(place % 2)
    chosen = {rule: RULES[rule].variants[variant].name for rule in rules}
    first = random_mixture(
        *((34, 42) if edges == "wrap" else (35, 43)), rules, 5, edges=edges, gravity=gravity, **PORTS
    )
    now = follow_by_ticks(first.copy(), 5, trace=True, variant=chosen)
    now.validate()
    assert_balanced(first, now)
    ledger = now.ledgers["water_heat"]
    assert ledger.emitted * ledger.drained * ledger.air * ledger.atoms != 0
    assert (ledger.left != 0) == (edges == "open" and gravity != "off")


@pytest.mark.long("each pass of worlds whose ticks are compared above")
@examples(4)
@given(
    luck=st.integers(0, 99),
    rules=st.sampled_from((PLAIN, PRESSED, ALL)),
    edges=st.sampled_from(EDGES),
    variant=st.sampled_from((0, -1)),
    size=st.sampled_from(((10, 14), (2, 6), (2, 2), (8, 2), (34, 4))),
    exclusive=st.booleans(),
)
def test_every_pass_equals_its_twin(
    luck: int, rules: tuple[str, ...], edges: Edges, variant: int, size: tuple[int, int], exclusive: bool
) -> None:
    chosen = {rule: RULES[rule].variants[variant].name for rule in rules}
    parameters = {"mixture": {"exclusive": exclusive}}
    world = random_mixture(*size, rules, luck, edges=edges, parameters=parameters)
    if exclusive:
        world["mixture"] = world["mixture"] // len(world.mixture)
        world["water_heat"] = np.where(amount_in(world.complete_arrays()) > 0, world["water_heat"], 0)
    follow_by_passes(world, 2, variant=chosen)


@pytest.mark.parametrize("rules", mostly_long([PLAIN, PRESSED], why="programs of its own for each set of rules"))
def test_tiles_sleep_and_wake_as_if_all_were_awake(rules: tuple[str, ...]) -> None:
    """A block of hot stone in a wide pool at rest: heat spreads from it, long after the mixture has come to rest."""
    world = World(70, 100, rules, seed=3)
    world["mixture"][world.mixture["water"], 30:] = FULL
    world["mixture"][:, 60:66, 40:46] = 0
    world["material"][60:66, 40:46] = world.materials["stone"]
    world["temperature"][60:66, 40:46] = 700 * 8
    world["mixture"][:, 40:44, 80:90] = 0
    digests = set()
    for variant in (0, -1):
        chosen = {rule: RULES[rule].variants[variant].name for rule in rules}
        for sleeping in (True, False):
            with Simulation(world, sleeping=sleeping, variant=chosen) as sim:
                sim.step(200)
                digests.add(sim.digest())
                assert sim.statistics() == sim.read().statistics()
    assert len(digests) == 1


def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    world = random_mixture(18, 22, PLAIN, 4)
    mirror = mirrored(world)
    for tick in range(4):
        world = oracle.step(world)
        with monkeypatch.context() as turned:
            atoms.mirror_chance(turned, mirror)
            mixtures.mirror_chance(turned, mirror.width)
            mirror = oracle.step(mirror)
        for name in world.fields:
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name], err_msg=f"{name} after tick {tick}")


def mirrored(world: World) -> World:
    """The world with left and right exchanged."""
    other = world.copy()
    for name in world.fields:
        other[name] = np.flip(world[name], axis=2 if name == "mixture" else 1)
    other["velocity"][:, :, 0] *= -1
    return other


def closed_box(rules: tuple[str, ...] = PLAIN, material: str = "water", warm: int = 60) -> World:
    """A closed box in still air, the left half of which is full of a material warmer than the air by some degrees."""
    world = World(24, 40, rules, parameters=STILL_AIR)
    world["mixture"][world.mixture[material], 4:, :20] = FULL
    world["water_heat"][4:, :20] = warm * DEGREE
    return world


@pytest.mark.parametrize("rules", mostly_long([PLAIN, PRESSED], PLAIN, why="the same with pressure, more programs"))
def test_a_mixture_that_flows_in_still_air_keeps_its_temperature_and_all_its_heat(rules: tuple[str, ...]) -> None:
    world = closed_box(rules)
    with Simulation(world) as sim:
        sim.step(300)
        after = sim.read()
    held = amount_in(after.complete_arrays())
    assert held[-3, 30] > FULL // 8
    warm = degrees(after)[held > FULL // 2]
    assert np.abs(warm - 80).max() < 0.5
    assert after.total("water_heat") == world.total("water_heat")
    assert not any(getattr(after.ledgers["water_heat"], entry) for entry in ("air", "atoms", "left"))


def test_what_all_leave_takes_all_heat_along_and_an_empty_cell_has_none() -> None:
    """Of a block of sand that falls, one full cell a tick, the cells above keep nothing."""
    world = World(30, 6, PLAIN, parameters=STILL_AIR)
    world["mixture"][world.mixture["sand"], 2:6] = FULL
    world["water_heat"][2:6] = np.arange(6) * 1001 - 2000
    with Simulation(world) as sim:
        sim.step(20)
        after = sim.read()
    after.validate()
    assert after["mixture"][:, :20].sum() == 0
    assert not after["water_heat"][:20].any()
    np.testing.assert_array_equal(after["water_heat"].sum(axis=0), 4 * (np.arange(6) * 1001 - 2000))


def test_hot_lava_of_a_mixture_melts_ice_and_gives_what_the_ice_takes() -> None:
    world = World(20, 20, PLAIN, parameters=STILL_AIR)
    world["mixture"][world.mixture["lava"], 10:] = FULL
    world["water_heat"][10:] = world.new_amount(material="lava")["water_heat"]
    assert degrees(world)[15, 5] == 1200
    world["material"][14:17, 8:12] = world.materials["ice"]
    world["mixture"][:, 14:17, 8:12] = world["water_heat"][14:17, 8:12] = 0
    first = world.copy()
    with Simulation(world) as sim:
        sim.step(400)
        after = sim.read()
    assert after.atoms["ice"].used == 12
    assert degrees(after)[amount_in(after.complete_arrays()) > FULL // 2].min() < 1100
    assert after.ledgers["water_heat"].atoms < 0
    assert_balanced(first, after)


def test_a_hot_stone_warms_the_mixture_around_it_by_what_it_loses() -> None:
    world = World(20, 20, PLAIN, parameters=STILL_AIR)
    world["mixture"][world.mixture["water"], 5:] = FULL
    world["material"][12:16, 8:12] = world.materials["stone"]
    world["mixture"][:, 12:16, 8:12] = 0
    world["temperature"][12:16, 8:12] = 300 * 8
    first, stone = world.heat_held(), world["material"] != 0
    with Simulation(world) as sim:
        sim.step(600)
        after = sim.read()
    given = first - after.heat_held()
    assert given == after.heat.water > 0
    assert after.total("water_heat") == given * WATER_HEAT_ONE
    assert (after["temperature"][stone] < 120 * 8).all()


def test_a_cell_conducts_as_its_largest_part_does() -> None:
    """Of equal parts the first one counts; air takes heat from each in proportion to its conductivity."""
    world = World(1, 7, PLAIN, gravity="off", parameters={"heat": {"air": 1.0}})
    ice, lava = world.mixture["ice"], world.mixture["lava"]
    world["mixture"][ice, 0, 1] = world["mixture"][lava, 0, 3] = FULL // 2
    world["mixture"][lava, 0, 1], world["mixture"][ice, 0, 3] = FULL // 4, FULL // 4
    world["mixture"][[ice, lava], 0, 5] = FULL // 2
    world["water_heat"][0, 1::2] = 3 * 100 * DEGREE // 4, 3 * 100 * DEGREE // 4, 100 * DEGREE
    after = oracle.step(world)
    lost = (world["water_heat"] - after["water_heat"])[0, 1::2].tolist()
    records = [world.materials.records[world.materials[name]] for name in ("ice", "lava")]
    assert records[0].conductivity != records[1].conductivity
    assert lost[0] / lost[1] == pytest.approx(records[0].conductivity / records[1].conductivity, rel=0.02)
    first = min(("ice", "lava"), key=world.mixture.names.index)
    assert lost[2] / 4 * 3 == pytest.approx(lost[0] if first == "ice" else lost[1], rel=0.02)
    follow_by_ticks(world, 1)


def test_conversions_leave_the_heat_in_the_cell() -> None:
    """Lava and water become steam, which is as warm as both together."""
    world = World(2, 2, PLAIN, gravity="off", parameters=STILL_AIR)
    world["mixture"][[world.mixture["lava"], world.mixture["water"]]] = FULL
    world["water_heat"][...] = 500 * DEGREE
    after = oracle.step(world, 3)
    assert after.amounts["steam"].made > 0
    np.testing.assert_array_equal(after["water_heat"], world["water_heat"])


def test_a_mixture_of_one_temperature_settles_and_wakes_if_it_is_warmed() -> None:
    world = World(34, 40, PLAIN)
    world["mixture"][world.mixture["water"], 20:] = FULL
    with Simulation(world) as sim:
        sim.step(20)
        assert sim.settled
    world["water_heat"][30, 20] = 50 * DEGREE
    with Simulation(world) as sim:
        sim.step(20)
        assert not sim.settled
        assert np.count_nonzero(sim.read()["water_heat"]) > 4


@pytest.mark.long("thousands of ticks, until two halves have one temperature")
def test_hot_and_cold_halves_of_a_basin_even_out() -> None:
    world = World(20, 40, PLAIN, parameters=STILL_AIR)
    world["mixture"][world.mixture["water"], 8:] = FULL
    world["water_heat"][8:, :20] = 60 * DEGREE
    with Simulation(world) as sim:
        sim.step(12000)
        after = sim.read()
    deep = degrees(after)[amount_in(after.complete_arrays()) > FULL // 2]
    assert deep.max() - deep.min() < 6  # of 40 cells; less than a quarter of a degree is not exchanged
    assert deep.mean() == pytest.approx(50, abs=1)


def test_heat_of_a_mixture_where_there_is_none_is_refused() -> None:
    world = World(4, 4, PLAIN)
    world["water_heat"][1, 2] = 5
    with pytest.raises(WorldError, match=r"water_heat\[1, 2\]: 5; expected 0 in a cell without a part of the mixture"):
        world.validate()
    world["material"][1, 2] = world.materials["stone"]
    with pytest.raises(WorldError, match=r"water_heat\[1, 2\]: 5; expected 0 in a cell with an atom"):
        world.validate()


@pytest.mark.parametrize(
    "rules", mostly_long([PRESSED, ALL], PRESSED, why="the same with more rules, programs of their own")
)
def test_heat_stays_within_its_limits_and_none_is_lost_at_them(rules: tuple[str, ...]) -> None:
    """Most cells have as much heat as a cell can hold, hot ones beside cold ones."""
    first = random_mixture(40, 44, rules, 3)
    held = amount_in(first.complete_arrays()) > 0
    ends = np.random.default_rng(1).choice([-WATER_HEAT_LIMIT, WATER_HEAT_LIMIT, WATER_HEAT_MOST], held.shape)
    first["water_heat"] = np.where(held, ends, 0)
    with Simulation(first) as sim:
        for _ in range(10):
            sim.step(8)
            now = sim.read()
            now.validate()
            assert_balanced(first, now)
    assert now.ledgers["water_heat"].air != 0
