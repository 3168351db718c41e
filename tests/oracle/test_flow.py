"""Rule flow: each pass equals its NumPy twin bit for bit.

The passes are `emit`, `walls`, `share_heat`, `flow`, `move_heat` and `drain`.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.following import follow_by_ticks
from support.selection import crossed, examples, mostly_long
from support.walls import FLOWING, follow_walls
from support.worlds import PARAMETERS, assert_equal, random_world, worlds

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.core.hashing import pcg4d
from gpufluid.matter.ports import CHANCE_ONE
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")


@examples(50)
@given(world=worlds(), ticks=st.integers(1, 3))
def test_every_pass_equals_its_twin(world: World, ticks: int) -> None:
    with Simulation(world) as sim:
        for tick in range(world.tick, world.tick + ticks):
            for call in world.schedule().calls(tick):
                sim.run(call)
                oracle.apply(world, call)
                assert_equal(sim, world)


@examples(50)
@given(world=worlds(), ticks=st.integers(1, 6))
def test_every_tick_equals_its_twin(world: World, ticks: int) -> None:
    follow_by_ticks(world, ticks)


@crossed(size=[(1, 1), (1, 2), (1, 37), (41, 1), (2, 2), (33, 9), (129, 257)], edges=EDGES)
def test_every_size_with_every_edge_equals_its_twin(size: tuple[int, int], edges: str) -> None:
    sources = {"emitters": [Emitter((0, 0), rate=0.3, level=2.0, chance=0.5)], "drains": [Drain((0, 0), rate=0.1)]}
    follow_by_ticks(random_world(*size, walls=0.1, edges=edges, **sources), ticks=4)


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_every_parameter_from_films_to_the_mass_limit_equals_its_twin(parameters: dict[str, object]) -> None:
    for most in (100, 2**21, MASS_LIMIT):
        follow_by_ticks(random_world(19, 23, most=most, parameters={"flow": parameters}), ticks=5)


@crossed(strip=[(1, 1), (1, 16), (2, 32), (3, 5), (16, 2), (8, 32)], edges=EDGES)
def test_any_shape_of_strips_gives_the_same_state(strip: tuple[int, int], edges: str) -> None:
    follow_by_ticks(random_world(35, 21, edges=edges, parameters={"flow": {"substeps": 3}}), ticks=3, strip=strip)


@pytest.mark.parametrize("tick", [0, 1, 2**16 + 1, 2**31, 2**32 - 1, 2**32, 2**40 + 7])
def test_emitters_draw_new_chances_at_any_tick(tick: int) -> None:
    emitters = [Emitter((0, 0), (9, 11), rate=0.1, chance=chance) for chance in (0.0, 0.25, 0.5, 1.0)]
    world = World(11, 9, rules=("flow",), tick=tick, seed=2**32 - 1, emitters=emitters)
    follow_by_ticks(world, ticks=3)
    assert 1.6 < world.ledger.emitted / (3 * 99 * 0.1 * FULL) < 1.9


def test_a_cell_emits_exactly_if_its_roll_is_below_the_chance() -> None:
    roll = int(pcg4d(0, 0, 0, 0)[0][0] >> 1)
    for chance, emits in ((roll, False), (roll + 1, True)):
        world = World(1, 1, rules=("flow",), emitters=[Emitter((0, 0), chance=chance / CHANCE_ONE)])
        follow_by_ticks(world, ticks=1)
        assert (world.total() > 0) is emits


@pytest.mark.parametrize("edges", mostly_long(EDGES, why="a set of programs for each edge"))
def test_every_pass_equals_its_twin_where_walls_change(edges: Edges) -> None:
    follow_walls(FLOWING, edges)
