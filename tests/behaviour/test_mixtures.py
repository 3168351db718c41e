"""Visible behaviour of rule mixture: a closed water cycle, conversions, slow steam, lava that piles up."""

from __future__ import annotations

import numpy as np
import pytest
from plot_water_cycle import cycle

from gpufluid import FULL, Simulation, World, load, oracle
from gpufluid.matter.mixtures import SHIPPED, Conversion, MixtureTable

pytestmark = pytest.mark.usefixtures("device")


@pytest.mark.long("the cycle takes thousands of ticks")
def test_the_closed_water_cycle_continues_and_conserves_water() -> None:
    """``tools/plot_water_cycle.py`` runs 20,000 ticks: in the last thousand 1,444 cells boil and 1,457 condense."""
    moments, found = cycle(load("closed_cycle"), 2400, 4)  # raises if a unit of water, steam and ice is missing
    boiled, condensed = np.diff(found["boiled"]), np.diff(found["condensed"])
    assert moments[-1] == 2400
    assert (boiled > 600 * FULL).all(), "a cell in a tick, which one sees"
    assert (condensed[1:] > 600 * FULL).all()
    assert found["boiled"][-1] < 4000 * FULL


def test_the_water_cycle_needs_rule_pressure() -> None:
    pressed = load("closed_cycle")
    world = World(pressed.height, pressed.width, ("mixture",), seed=pressed.seed, mixture=pressed.mixture)
    for name in pressed.fields:
        world[name] = pressed[name]
    with Simulation(world) as sim:
        sim.step(400)
        assert sim.contents() == world.contents()
        assert sim.amounts["steam"].made == 0


def test_conversions_are_limited_by_the_smaller_amount_and_by_their_rate() -> None:
    world = World(1, 3, ("mixture",))
    lava, water, steam, ice = (world.mixture[name] for name in ("lava", "water", "steam", "ice"))
    world["mixture"][lava, 0, 0] = FULL // 4
    world["mixture"][water, 0, 0] = FULL
    boiled = oracle.step(world)["mixture"]
    assert boiled[lava].sum() == FULL // 4
    assert boiled[steam].sum() == FULL // 4
    world["mixture"][:] = 0
    world["mixture"][steam, 0, 0] = world["mixture"][ice, 0, 1] = FULL
    drops = [int(oracle.step(world, ticks)["mixture"][water].sum()) for ticks in (1, 5)]
    assert drops[0] == round(0.2 * FULL)
    assert drops[1] > 4 * drops[0] // 2


def test_steam_rises_slowly_and_disperses() -> None:
    world = World(60, 40, ("mixture",), seed=2)
    steam = world.mixture["steam"]
    world["mixture"][steam, -1] = FULL // 2
    rows = np.arange(60)[:, None]

    def height_and_depth(state: World) -> tuple[float, float]:
        amount = state["mixture"][steam]
        middle = (rows * amount).sum() / amount.sum()
        return middle, np.sqrt(((rows - middle) ** 2 * amount).sum() / amount.sum())

    early, late = (height_and_depth(oracle.step(world, ticks)) for ticks in (0, 60))
    assert late[0] < early[0] - 5  # the steam has risen
    assert late[0] > early[0] - 40  # slower than a flow without chance
    assert late[1] > 3  # and has dispersed


def test_lava_heaps_up_where_water_levels_out() -> None:
    tops = {}
    for name in ("lava", "water"):
        world = World(30, 40, ("mixture",))
        world["mixture"][world.mixture[name], 10:, :8] = FULL
        with Simulation(world) as sim:
            sim.step(1200)
            columns = sim.read()["mixture"][world.mixture[name]].sum(axis=0) / FULL
        tops[name] = columns.max() - columns.min()
    assert tops["lava"] > 4
    assert tops["water"] < 0.5


def test_sand_slides_from_towers_into_slopes() -> None:
    """A tower of 3 by 16 cells and a ledge: it comes to rest in slopes of 45 degrees, and all of it is there."""
    world = World(24, 41, ("mixture",), seed=4)
    sand = world.mixture["sand"]
    world["mixture"][sand, 8:, 19:22] = FULL
    world["material"][16, 2:12] = world.materials["wall"]
    world["mixture"][sand, 2:16, 6] = FULL // 2
    with Simulation(world) as sim:
        sim.step(400)
        assert sim.settled
        amounts = sim.read()["mixture"][sand]
    assert amounts.sum(dtype=np.int64) == world["mixture"][sand].sum(dtype=np.int64)
    heights = amounts[:, 13:].sum(axis=0, dtype=np.int64) / FULL
    assert heights.max() < 8
    assert abs(np.diff(heights)).max() < 2
    assert (amounts[13:16, 4:9].sum(axis=0) > 0).sum() >= 4  # on the ledge, too


def test_a_conversion_beside_another_uses_the_state_at_the_start_of_the_tick() -> None:
    """A row of ice that melts beside water melts one cell a tick, whatever the order of the cells."""
    melting = Conversion("melting", ("ice",), ("water",), beside="water")
    parts = [each for each in SHIPPED.constituents if each.material == "ice"]
    still = [type(each)(each.material) for each in SHIPPED.constituents if each.material == "water"]
    world = World(1, 12, ("mixture",), mixture=MixtureTable([*still, *parts], [melting]))
    world["mixture"][0, 0, 5] = 1
    world["mixture"][1] = FULL // 2
    for ticks in range(1, 5):
        wet = np.flatnonzero(oracle.step(world, ticks)["mixture"][0, 0] > FULL // 4)
        expected = {5 + way * step for step in range(1, ticks + 1) for way in (-1, 1)}
        assert {*wet.tolist()} - {5} == expected
