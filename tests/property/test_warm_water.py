"""Water by mass with heat: it is conserved to the unit, moves with the water, and evens out.

The oracle equals the GPU after every pass and tick, with sleeping tiles and without, at every edge and gravity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.following import follow_by_passes, follow_by_ticks
from support.scenes import assert_balanced, balance
from support.selection import crossed, examples, mostly_long
from support.worlds import random_atoms

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import WATER_HEAT_ONE
from gpufluid.core.heat_shares import heat_along
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

SLOW, FAST, ALL = (
    ("flow", "atoms", "heat"),
    ("flow", "inertia", "atoms", "heat"),
    ("flow", "inertia", "atoms", "heat", "reactions"),
)
DEGREE = 8 * WATER_HEAT_ONE  # units of heat that warm a full cell by a degree

PORTS: Mapping[str, Any] = {
    "emitters": [
        Emitter((2, 3), (9, 2), material="water", rate=0.7, level=1.5, temperature=90.0),
        Emitter((8, 4), (5, 3), material="water", rate=40.0, level=900.0, temperature=-30.0),
    ],
    "drains": [Drain((4, 14), (12, 3), rate=0.3), Drain((9, 9), (2, 2), rate=1.0)],
}


def lake(rules: tuple[str, ...] = SLOW, warm: int = 60, **laws: Any) -> World:
    """A closed box, the left half of which is full of water warmer than the air by so many degrees."""
    world = World(24, 40, rules, **laws)
    world["mass"][4:, :20] = FULL
    world["water_heat"][4:, :20] = warm * DEGREE
    return world


@crossed(most=1, together=1, edges=EDGES, gravity=["down", "left", "off"])
def test_random_worlds_equal_their_twins_and_add_up(edges: Edges, gravity: Gravity) -> None:
    rules = (SLOW, FAST, ALL)[(EDGES.index(edges) + GRAVITIES.index(gravity)) % 3]  # each has programs of its own
    first = random_atoms(34, 42, rules=rules, filled=0.3, luck=5, edges=edges, gravity=gravity, **PORTS)
    now = follow_by_ticks(first.copy(), 5, trace=True)
    now.validate()
    assert_balanced(first, now)
    ledger = now.ledgers["water_heat"]
    assert ledger.emitted * ledger.drained * ledger.air * ledger.atoms != 0
    assert (ledger.left != 0) == (edges == "open")


@pytest.mark.long("each pass of worlds whose ticks are compared above")
@examples(12)
@given(luck=st.integers(0, 99), rules=st.sampled_from((SLOW, FAST)), edges=st.sampled_from(EDGES))
def test_every_pass_equals_its_twin(luck: int, rules: tuple[str, ...], edges: Edges) -> None:
    follow_by_passes(random_atoms(10, 14, rules=rules, filled=0.3, luck=luck, edges=edges), 2)


@pytest.mark.parametrize("rules", mostly_long([SLOW, FAST], SLOW, why="the same with inertia, programs of its own"))
def test_tiles_sleep_and_wake_as_if_all_were_awake(rules: tuple[str, ...]) -> None:
    """A block of hot copper in a wide pool at rest: heat spreads from it, long after the water has come to rest."""
    world = World(70, 100, rules, seed=3)
    world["mass"][30:] = FULL
    world["material"][60:66, 40:46] = world.materials["stone"]
    world["mass"][60:66, 40:46] = 0
    world["temperature"][60:66, 40:46] = 700 * 8
    world["mass"][40:44, 80:90] = 0
    with Simulation(world) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(8):
            asleep.step(40)
            awake.step(40)
            assert asleep.digest() == awake.digest()
        assert asleep.read() == awake.read()
        assert asleep.statistics() == asleep.read().statistics()


@pytest.mark.long("programs of its own; a mirrored warm mixture is in the short run")
def test_a_mirrored_world_is_a_mirrored_result() -> None:
    """Rule inertia draws no side, and neither does the heat that goes along."""
    world = World(24, 40, FAST)
    rng = np.random.default_rng(4)
    world["mass"] = np.where(rng.random((24, 40)) < 0.6, rng.integers(FULL // 50, 2 * FULL, (24, 40)), 0)
    world["water_heat"] = (world["mass"].astype(np.int64) >> 10) * rng.integers(-100, 600, (24, 40))
    mirrored = world.copy()
    for name in ("mass", "water_heat"):
        mirrored[name] = world[name][:, ::-1]
    after, other = oracle.step(world, 20), oracle.step(mirrored, 20)
    np.testing.assert_array_equal(after["mass"], other["mass"][:, ::-1])
    np.testing.assert_array_equal(after["water_heat"], other["water_heat"][:, ::-1])


@pytest.mark.parametrize("rules", [SLOW, FAST])
def test_water_that_flows_keeps_its_temperature(rules: tuple[str, ...]) -> None:
    """A warm lake runs out over a dry floor in still air that takes no heat: all of it stays as warm as it was."""
    world = lake(rules, parameters={"heat": {"air": 0.0}})
    before = world.total("water_heat")
    with Simulation(world) as sim:
        sim.step(300)
        after = sim.read()
    assert after["mass"][-3, 30] > FULL // 8
    full = after["mass"] > FULL // 2
    degrees = after["water_heat"][full] / after["mass"][full] * FULL / DEGREE
    assert np.abs(degrees - 60).max() < 0.5
    assert before + balance("water_heat", after) == after.total("water_heat")


@pytest.mark.long("thousands of ticks, until two waters have one temperature")
def test_hot_and_cold_water_in_one_basin_even_out() -> None:
    world = World(20, 40, SLOW, parameters={"heat": {"air": 0.0}})
    world["mass"][8:] = FULL
    world["water_heat"][8:, :20] = 60 * DEGREE
    with Simulation(world) as sim:
        sim.step(12000)
        after = sim.read()
    deep = after["mass"] > FULL // 2
    degrees = after["water_heat"][deep] / after["mass"][deep] * FULL / DEGREE
    assert degrees.max() - degrees.min() < 6  # of 40 cells; less than a quarter of a degree is not exchanged
    assert degrees.mean() == pytest.approx(30, abs=1)


def test_a_hot_stone_warms_the_water_around_it_by_what_it_loses() -> None:
    world = World(20, 20, SLOW, parameters={"heat": {"air": 0.0}})
    world["mass"][5:] = FULL
    world["material"][12:16, 8:12] = world.materials["stone"]
    world["mass"][12:16, 8:12] = 0
    world["temperature"][12:16, 8:12] = 300 * 8
    first, stone = world.heat_held(), world["material"] != 0
    with Simulation(world) as sim:
        sim.step(600)
        after = sim.read()
    given = first - after.heat_held()
    assert given == after.heat.water > 0
    assert after.total("water_heat") == given * WATER_HEAT_ONE + after.ledgers["water_heat"].air
    assert (after["temperature"][stone] < 120 * 8).all()


def test_ice_that_melts_leaves_water_as_cold_as_it_was() -> None:
    world = World(12, 12, SLOW, parameters={"heat": {"ambient": 60.0, "air": 0.1}})
    world["material"][6:9, 5:8] = world.materials["ice"]
    world["temperature"][6:9, 5:8] = -5 * 8
    first = world.copy()
    with Simulation(world) as sim:
        sim.step(6000)
        after = sim.read()
    assert after.census() == {}
    assert after.total() == 9 * FULL
    assert after.heat_held() == 0
    assert_balanced(first, after)
    assert after.ledgers["water_heat"].atoms < -9 * 50 * DEGREE  # water at about 0 degrees is colder than the air


@given(
    heat=st.integers(1 - 2**31, 2**31 - 1), mass=st.integers(1, 1000 * FULL), share=st.floats(0, 1), whole=st.booleans()
)
def test_the_heat_that_goes_along_is_the_share_of_the_mass(heat: int, mass: int, share: float, whole: bool) -> None:
    part = mass if whole else int(share * mass)
    along = int(heat_along(*(np.array(each, np.int64) for each in (heat, mass, part))))
    assert 0 <= along * (1 if heat > 0 else -1) <= abs(heat)
    if part == mass:
        assert along == heat
    elif abs(heat) < 40 * mass:
        assert abs(along - heat * part / mass) <= 0.5 + part / 2**14


def test_heat_of_water_where_there_is_none_is_refused() -> None:
    world = World(4, 4, SLOW)
    world["water_heat"][1, 2] = 5
    with pytest.raises(Exception, match=r"water_heat\[1, 2\]: 5; expected 0 in a cell without water"):
        world.validate()
    world["material"][1, 2] = world.materials["stone"]
    with pytest.raises(Exception, match=r"water_heat\[1, 2\]: 5; expected 0 in a cell with an atom"):
        world.validate()
