"""Mixtures with heat: it is conserved to the unit, moves with the parts of the mixture, and evens out.

The oracle equals the GPU after every pass and tick, with sleeping tiles and without, at every edge and gravity.
"""

from __future__ import annotations

from collections.abc import Mapping
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

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import WATER_HEAT_LIMIT, WATER_HEAT_MOST, WATER_HEAT_ONE
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


def degrees(world: World) -> np.ndarray:
    """The temperature of the mixture in each cell, in degrees C; of the air in others."""
    return water_temperature(world.laws, amount_in(world.complete_arrays()), world["water_heat"]) / 8


@crossed(most=1, together=1, edges=EDGES, gravity=GRAVITIES)
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
@examples(16)
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


@pytest.mark.parametrize("rules", mostly_long([PLAIN, PRESSED], PLAIN, why="the same with pressure, more programs"))
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
