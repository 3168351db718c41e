"""Rule mixture on the GPU against its NumPy twin, bit for bit.

Its passes: `emit`, `see_atoms`, `look`, `sink`, `spread`, `convert`, `walls`, `drain`; `rise` in parts of worlds.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.following import follow_by_ticks
from support.mixtures import LAWS, mixture_worlds, random_mixture
from support.selection import crossed, examples, mostly_long
from support.walls import MIXED, follow_walls
from support.worlds import assert_equal

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.rules import RULES, Pass
from gpufluid.world.domain import Part
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

VARIANTS = [variant.name for variant in RULES["mixture"].variants]


@examples(20)
@given(world=mixture_worlds(), variant=st.sampled_from(VARIANTS))
def test_every_pass_equals_its_twin(world: World, variant: str) -> None:
    with Simulation(world, variant=variant) as sim:
        for tick in (world.tick, world.tick + 1):
            for call in world.schedule().calls(tick):
                sim.run(call)
                oracle.apply(world, call)
                assert_equal(sim, world)
                if call.pass_.name == "look" and variant == "single":
                    assert (sim.scratch("around") == world.scratch["around"]).all()


@examples(12)
@given(world=mixture_worlds(), ticks=st.integers(1, 5), variant=st.sampled_from(VARIANTS))
def test_every_tick_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_ticks(world, ticks, variant=variant)


@crossed(
    most=4,
    size=[(1, 1), (1, 2), (2, 1), (1, 37), (41, 1), (2, 2), (3, 4), (33, 9), (67, 65)],
    edges=EDGES,
    variant=VARIANTS,
)
def test_every_size_with_every_edge_equals_its_twin(size: tuple[int, int], edges: str, variant: str) -> None:
    ports = {"emitters": [Emitter((0, 0), rate=0.3, level=0.7, chance=0.5)], "drains": [Drain((0, 0), rate=0.1)]}
    follow_by_ticks(random_mixture(*size, walls=0.1, edges=edges, luck=size[0], **ports), 3, variant=variant)


@pytest.mark.parametrize(
    "tick", mostly_long([0, 2**16 + 1, 2**31, 2**32 - 1, 2**40 + 7], 2**32 - 1, why="another tick")
)
def test_worlds_at_any_tick_equal_their_twins(tick: int) -> None:
    world = random_mixture(11, 9, tick=tick, seed=2**32 - 1, **LAWS[1])
    follow_by_ticks(world, 3, variant=VARIANTS[0])


@pytest.mark.long("programs of its own for one world")
def test_emitters_of_exclusive_materials_fill_only_the_room_that_is_left() -> None:
    emitters = [Emitter((0, 0), material="sand", rate=0.75), Emitter((0, 0), material="water", rate=0.75)]
    for exclusive, water in ((True, 2**18), (False, 3 * 2**18)):
        laws = {"parameters": {"mixture": {"exclusive": exclusive}}, "emitters": emitters}
        world = World(1, 1, ("mixture",), **laws)
        follow_by_ticks(world, 1, variant=VARIANTS[0])
        assert [world.contents()[name] for name in ("sand", "water")] == [3 * 2**18, water]


@pytest.mark.long("a set of programs for each edge; the short run compares passes between walls that stay")
@pytest.mark.parametrize("edges", EDGES)
def test_every_pass_equals_its_twin_where_walls_change(edges: Edges) -> None:
    follow_walls(MIXED, edges)


class ClosedEnds:
    """Takes the place of the other ranks, for a part that is the whole of a world with closed edges."""

    def __init__(self, sim: Simulation) -> None:
        self._limits = sim._runner.scratch["limits"]

    def begin(self, tick: int) -> None:
        pass

    def before(self, pass_: Pass) -> bool:
        if pass_.looks_ahead is not None:
            zeros = np.zeros((self._limits.height, self._limits.width, 2), np.uint32)
            self._limits.write(zeros, alignment=1)
        return True

    def is_under_way(self) -> bool:
        return False

    def complete(self) -> None:
        raise AssertionError("nothing is copied")


@pytest.mark.parametrize("variant", mostly_long(["tiles", "single"], "tiles", why="the same law in another layout"))
def test_in_a_part_of_a_world_two_passes_move_what_one_moves_in_the_whole(variant: str) -> None:
    """`sink` moves down what moves down, and `rise` up what moves up."""
    world = random_mixture(70, 24, luck=3)
    part = world.copy()
    part.domain = Part((0, 0), (24, 70), (24, 70))
    with Simulation(part, variant=variant) as sim:
        assert {"mixture.sink", "mixture.rise"} <= {call.pass_.full_name for call in sim.calls()}
        sim._runner.exchange = ClosedEnds(sim)
        for _ in range(4):
            world, part = oracle.step(world, 1), oracle.step(part, 1)
            sim.step()
            assert_equal(sim, part)
            np.testing.assert_array_equal(part["mixture"], world["mixture"])
