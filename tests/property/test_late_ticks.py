"""Worlds at ticks around 2**31, 2**32 and the last tick: GPU and oracle are equal, asleep and awake; they are drawn.

Shaders know a tick modulo 2**32, so random numbers repeat after 2**32 ticks; the tick of a state has 63 bits.
"""

from __future__ import annotations

import pytest
from support.mixtures import random_mixture
from support.selection import mostly_long
from support.worlds import assert_equal, random_atoms, random_world

from gpufluid import Simulation, World, oracle
from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.rules import overlays_of

pytestmark = pytest.mark.usefixtures("device")

TICKS = (2**31 - 3, 2**32 - 3, COUNT_LIMIT - 6)
RULES = (
    ("flow",),
    ("atoms", "pressure", "collapse"),
    ("flow", "atoms", "heat", "reactions"),
    ("mixture", "pressure"),
)


def random_state(rules: tuple[str, ...], tick: int) -> World:
    make = random_world if rules == ("flow",) else random_mixture if "mixture" in rules else random_atoms
    return make(24, 32, rules=rules, edges="open", tick=tick)


@pytest.mark.parametrize("tick", TICKS, ids=["2**31", "2**32", "last"])
@pytest.mark.parametrize("rules", mostly_long(RULES, RULES[0], RULES[3], why="many programs"), ids="+".join)
def test_worlds_at_late_ticks_equal_their_twins(rules: tuple[str, ...], tick: int) -> None:
    world = random_state(rules, tick)
    twin = world.copy()
    with Simulation(world, trace="atoms" in rules) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(6):
            oracle.tick(twin)
            for sim in (asleep, awake):
                sim.step()
                assert_equal(sim, twin)
        for overlay in (None, *overlays_of(world.rules, world.mixture.names)):
            assert asleep.frame(overlay=overlay).shape == (24, 32, 3)
        assert asleep.statistics() == twin.statistics()
        assert not asleep.settled
