"""Rule pressure in mixtures on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

The passes `label`, `merge_labels`, `compress_labels` and `adopt` find the bodies of each material; `bid`, `offer` and
`transfer` move amounts within each body.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bodies import follow_by_passes
from support.mixtures import ponds
from support.selection import crossed, examples
from support.worlds import SIDES, assert_equal

import gpufluid
from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.matter.mixtures import SHIPPED, Constituent, HorizontalFlow, MixtureTable, PressureFlow, VerticalFlow
from gpufluid.oracle.pressure import lots_of
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

VARIANTS = [each.name for each in RULES["mixture"].variants]

SEVERAL = MixtureTable(
    (
        Constituent("steam", VerticalFlow("up"), HorizontalFlow("up", 0.5), PressureFlow("down", 0.0, 0.3, 0.2, 0.0)),
        Constituent("sand", VerticalFlow("down")),
        Constituent("oil", None, HorizontalFlow("down", 0.5), PressureFlow("up", 1.0, 1.0, 0.9, 0.4)),
        Constituent("water", VerticalFlow("down"), None, PressureFlow("up", 0.2, 0.01, 0.0, 0.05)),
    )
)
"""Bodies of three materials, one with its surface below; uncommon parameters."""

LAWS = ({"mixture": SHIPPED}, {"mixture": SEVERAL}, {"mixture": SEVERAL, "exclusive": True})


@st.composite
def pond_worlds(draw: st.DrawFn) -> World:
    """Draw worlds of all sizes and kinds of edges."""
    return ponds(
        draw(st.sampled_from(SIDES)),
        draw(st.sampled_from(SIDES)),
        draw(st.integers(0, 2**32 - 1)),
        edges=draw(st.sampled_from(EDGES)),
        tick=draw(st.sampled_from((0, 2**32 - 1, 2**40 + 1))),
        **draw(st.sampled_from(LAWS)),
    )


@examples(8)
@given(world=pond_worlds(), variant=st.sampled_from(VARIANTS))
def test_every_pass_equals_its_twin(world: World, variant: str) -> None:
    follow_by_passes(world, 2, variant)


@crossed(most=2, together=2, edges=EDGES, laws=LAWS, variant=VARIANTS)
def test_worlds_of_several_tiles_with_ports_equal_their_twins(edges: Edges, laws: dict, variant: str) -> None:
    """With sleeping tiles, tick by tick. A check proves that the first tick transfers something."""
    follow_with_ports(edges, laws, variant)


@pytest.mark.long("programs of its own for one world")
def test_a_body_goes_on_if_another_has_closed_one_of_its_surfaces() -> None:
    """In this world a body would stop too early if it rested after a round in which it moves nothing."""
    follow_with_ports("closed", LAWS[1], "tiles")


def test_the_top_cell_of_a_column_that_draws_the_least_lot_can_take() -> None:
    """Its offer is the least of all, and yet an offer."""
    world = World(5, 600, rules=("mixture", "pressure"), edges="wrap")
    water, full, wall = world.mixture["water"], gpufluid.FULL, world.materials["wall"]
    first = next(call for call in world.schedule().calls(0) if call.pass_.name == "offer" and call.layer == water)
    inner = np.arange(10, 600)
    for world.seed in range(1000):
        taking = inner[lots_of(inner, world, first)[1] == 0].tolist()
        if taking:
            break
    (column,) = taking  # one arm of a bent tube; the other is column 0, and the last row has the air over both
    world["material"] = wall
    world["material"][:, [0, column]] = world["material"][2, : column + 1] = 0
    world["material"][3] = wall
    world["mixture"][water, :2, [0, column]] = world["mixture"][water, 2, : column + 1] = full
    world["mixture"][water, 0, column] = full // 8
    with Simulation(world) as sim:
        sim.step()
        twin = oracle.step(world, 1)
        assert_equal(sim, twin)
    assert twin["mixture"][water, 0, column] > full // 8


def follow_with_ports(edges: Edges, laws: dict, variant: str) -> None:
    """Compare six ticks of a world of several tiles, with ports and sleeping tiles, with the oracle."""
    ports = {"emitters": [Emitter((2, 3), (9, 2), rate=0.4)], "drains": [Drain((4, 20), (12, 3), rate=0.1)]}
    world = ponds(70, 97, 3, edges=edges, **ports, **laws)
    assert transferred(world) > 0
    with Simulation(world, variant={"mixture": variant}) as sim:
        for _ in range(6):
            sim.step()
            moved = oracle.tick(world).moved
            assert_equal(sim, world)
            assert sim.activity() == moved
    world.validate()


def transferred(world: World) -> int:
    """The units that the transfers of a world's first tick move."""
    world, moved = world.copy(), 0
    for call in world.schedule().calls(world.tick):
        tally = oracle.apply(world, call)
        moved += tally.moved if call.pass_.name == "transfer" else 0
    return moved


@crossed(most=1, rounds=[0, 1, 32], variant=VARIANTS)
def test_every_number_of_rounds_equals_its_twin(rounds: int, variant: str) -> None:
    world = ponds(40, 34, 7, rounds)
    assert (transferred(world) > 0) == (rounds > 0)
    follow_by_passes(world, 2, variant)
