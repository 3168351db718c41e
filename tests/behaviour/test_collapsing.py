"""Visible behaviour of solids that are cut loose: burnt beams, what lies on a beam, and what lava leaves in water."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import put, run

from gpufluid import Simulation, World, load

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)
REACTING = ("atoms", "heat", "reactions")
HUT = slice(28, 44), slice(68, 85)
"""The rows and columns of the hut on the bridge of scene `burning_bridge`."""


@pytest.mark.long("400 ticks of a whole scene")
def test_a_bridge_that_burns_through_at_both_ends_falls_whole_into_the_lake() -> None:
    world = load("burning_bridge")
    wood, water = world.materials["wood"], world.materials["water"]
    hut = world["material"][HUT] == wood
    level = int(np.nonzero(world["material"] == water)[0].min())
    with Simulation(world) as sim:
        sim.step(280)
        np.testing.assert_array_equal(sim.read()["material"][HUT] == wood, hut)
        sim.step(120)
        after = sim.read()["material"]
    fell = int(np.nonzero((after == wood)[:, 68:85])[0].min()) - HUT[0].start
    np.testing.assert_array_equal(after[HUT[0].start + fell : HUT[0].stop + fell, HUT[1]] == wood, hut)
    deck = HUT[0].stop + fell  # the upper row of the bridge, which has four
    assert level - 6 <= deck + 4 <= level + 2


def quenched(*rules: str) -> World:
    """The state after drops of lava have cooled in deep water."""
    world = World(64, 64, (*REACTING, *rules), seed=1)
    put(world, "water", slice(16, 64), EVERYWHERE)
    put(world, "lava", slice(18, 60, 4), slice(2, 64, 4), 1300)
    return run(world, 250)  # a piece sinks by a row in every second tick


def hanging(world: World) -> int:
    """The number of cells of stone in mid-water, over the gravel on the floor."""
    return int((world["material"][:58] == world.materials["stone"]).sum())


@pytest.mark.long("two sets of rules with reactions")
def test_stone_that_lava_leaves_in_water_sinks() -> None:
    without, after = quenched(), quenched("collapse")
    assert hanging(without) > 8
    assert hanging(after) == 0
    assert (after["material"] == after.materials["stone"]).any()


def test_sand_on_a_beam_goes_down_with_it() -> None:
    world = World(40, 40, ("atoms", "collapse"))
    stone, sand = world.materials["stone"], world.materials["sand"]
    world["material"][10:12, 6:34] = stone
    world["material"][7:10, 16:24] = sand
    with Simulation(world) as sim:
        sim.step(80)
        after = sim.read()["material"]
        assert sim.settled
    np.testing.assert_array_equal(after[38:] == stone, world["material"][10:12] == stone)
    assert (after == sand).sum() == 24
    assert (after[34:38] == sand).sum() == 24
