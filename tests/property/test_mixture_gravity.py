"""Mixtures under gravity in every direction: a turned world runs turned. Without gravity nothing flows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.following import follow_by_passes, follow_by_ticks
from support.mixtures import LAWS, account, ponds, random_mixture, turned
from support.selection import crossed

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, GRAVITIES, Edges

pytestmark = pytest.mark.usefixtures("device")

SIDEWAYS = ("left", "right", "up", "off")


def ports(material: str) -> dict[str, Any]:
    """An emitter and a drain, of which none lies in the middle of the world."""
    return {
        "emitters": [Emitter((3, 2), (6, 3), material=material, rate=0.4, chance=0.5)],
        "drains": [Drain((1, 9), (4, 7), rate=0.2)],
    }


def some(luck: int, **laws: Any) -> World:
    """A random world of the mixture of a number, of odd sides."""
    chosen = LAWS[luck % len(LAWS)]
    return random_mixture(17, 21, luck=luck, **ports(chosen["mixture"].names[-1]), **chosen, **laws)


def after(world: World, ticks: int, **how: Any) -> World:
    """The world after a number of ticks, by the device."""
    with Simulation(world, **how) as sim:
        sim.step(ticks)
        return sim.read()


@crossed(quarters=[1, 2, 3], edges=EDGES)
def test_the_oracle_of_a_turned_world_gives_the_turned_result(edges: Edges, quarters: int) -> None:
    """For each of the `LAWS` of mixtures, and with rule pressure."""
    worlds = [some(luck, edges=edges, seed=luck) for luck in range(len(LAWS))]
    for world in (*worlds, ponds(13, 19, 4, edges=edges, rounds=3)):
        straight = oracle.step(world, 2)
        around = turned(oracle.step(turned(world, quarters), 2), 4 - quarters)
        assert straight.digest() != world.digest()
        assert around.digest() == straight.digest()
        assert around.amounts == straight.amounts


@crossed(most=1, together=1, quarters=[1, 2, 3], edges=EDGES)
def test_a_turned_world_turned_back_has_the_same_digest(quarters: int, edges: Edges) -> None:
    world = ponds(70, 97, 3, edges=edges, **ports("water"))
    straight, around = after(world, 40), turned(after(turned(world, quarters), 40), 4 - quarters)
    assert around.digest() == straight.digest()
    assert around.amounts == straight.amounts
    assert account(world, around) == around.contents()


@pytest.mark.long("programs of its own for one world")
def test_a_wide_world_that_lies_on_its_side_equals_its_twin() -> None:
    """Every cell is visited by passes over cells, too, although the frame is not as wide as the world."""
    world = ponds(20, 33, 3, gravity="left")
    follow_by_passes(world, 1, variant={"mixture": RULES["mixture"].variants[0].name})


@pytest.mark.long("two sets of programs for each direction")
@pytest.mark.parametrize(
    ("gravity", "edges"),
    [("left", "closed"), ("right", "wrap"), ("up", "open"), ("off", "wrap"), ("left", "open"), ("off", "closed")],
)
def test_every_pass_equals_its_twin(gravity: str, edges: Edges) -> None:
    """Each direction, and each kind of edges along and across; few, because each needs two sets of programs.

    With rule pressure in the first variants, without it in the last ones.
    """
    worlds = {-1: some(1, gravity=gravity, edges=edges), 0: ponds(37, 41, 3, gravity=gravity, edges=edges)}
    for variant, world in worlds.items():
        chosen = {rule: RULES[rule].variants[variant].name for rule in world.rules}
        follow_by_passes(world, 2, variant=chosen)
        follow_by_ticks(world, 5, variant=chosen)


@pytest.mark.long("programs of their own")
@pytest.mark.parametrize("gravity", GRAVITIES)
def test_a_world_is_the_same_asleep_and_awake(gravity: str) -> None:
    world = World(40, 150, ("mixture", "pressure"), gravity=gravity, emitters=[Emitter((5, 5), (2, 2))])
    world["mixture"][world.mixture["water"], 3:20, 60:90] = FULL
    digests = {after(world, 60, sleeping=sleeping).digest() for sleeping in (True, False)}
    assert len(digests) == 1


@pytest.mark.long("programs of its own for one world")
def test_without_gravity_nothing_flows_and_materials_still_convert() -> None:
    world = some(0, gravity="off")
    world.emitters = world.drains = ()
    later = oracle.step(world, 30)
    assert later.amounts["steam"].made > 0  # lava has boiled water in the same cell
    np.testing.assert_array_equal(
        later["mixture"].sum(axis=0, dtype=np.int64), world["mixture"].sum(axis=0, dtype=np.int64)
    )
    pond = ponds(23, 31, 1, gravity="off")  # without lava and ice nothing converts
    pond["mixture"][pond.mixture["lava"]] = pond["mixture"][pond.mixture["ice"]] = 0
    with Simulation(pond) as sim:
        sim.step(2)
        assert sim.settled
        np.testing.assert_array_equal(sim.read()["mixture"], pond["mixture"])
