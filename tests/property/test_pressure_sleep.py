"""Components of tiles with liquid sleep; the state is the same, bit for bit, without sleep and in every variant."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mixtures import ponds
from support.selection import examples, first, mostly_long
from support.ways import assert_equal_in_all_ways, quiet_mixture, quiet_world

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.matter.mixtures import SHIPPED, Constituent, HorizontalFlow, MixtureTable, PressureFlow, VerticalFlow
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, GRAVITIES, Edges

pytestmark = pytest.mark.usefixtures("device")

WAYS = [
    ("atoms.lines", False),
    ("atoms.lines", True),
    ("atoms.strips", True),
]

MIXED_WAYS = [
    ("mixture.tiles", False),
    ("mixture.tiles", True),
    ("mixture.single", True),
]

RISING = MixtureTable(
    (
        Constituent("steam", VerticalFlow("up"), None, PressureFlow("down", 0.0, 0.3, 0.2, 0.01)),
        Constituent("water", VerticalFlow("down"), None, PressureFlow("up", 0.0, 0.6, 0.9, 0.01)),
    )
)
"""One material has its surface below; more than half full cells of the other have no room and connect nothing."""


def test_every_variant_is_compared() -> None:
    assert len(RULES["pressure"].variants) == 1
    assert {each.name for each in RULES["mixture"].variants} == {"single", "tiles"}


def vessels_world(height: int, width: int, luck: int, rounds: int, **laws) -> World:
    """Tanks side by side, joined by random pipes below or above, with ports; most of the world soon comes to rest."""
    rng = np.random.default_rng(luck)
    quiet = quiet_world(height, width, luck, **laws)
    world = World(
        height, width, ("atoms", "pressure"), seed=luck, emitters=quiet.emitters, drains=quiet.drains,
        parameters={"pressure": {"rounds": rounds}}, **laws,
    )  # fmt: skip
    for name in quiet.fields:
        world[name] = quiet[name]
    wall, kinds = world.materials["wall"], [world.materials[name] for name in ("water", "oil")]
    for _ in range(6):
        columns, rows = int(rng.integers(8, width // 3)), int(rng.integers(8, height // 2))
        x, y = int(rng.integers(0, width - columns)), int(rng.integers(0, height - rows))
        world["material"][y : y + rows, x : x + columns] = wall
        world["material"][y : y + rows - 2, x + 2 : x + columns - 2] = 0
        world["material"][y + rows // 2 : y + rows - 2, x + 2 : x + columns - 2] = rng.choice(kinds)
        pipe = int(rng.integers(y + rows // 2, y + rows))
        world["material"][pipe : pipe + 1, max(x - 12, 0) : x + columns + 12] = rng.choice(kinds)
    world["velocity"][world.solid] = 0
    world.draw_grain()
    return world


@pytest.mark.parametrize(
    "luck", mostly_long(range(5), 1, why="another edge and gravity; the oracle's tests have every one")
)
def test_vessels_with_brush_and_ports_are_equal_asleep_and_awake(luck: int) -> None:
    """With every kind of edges and every gravity."""
    edges, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
    size = ((70, 132), (128, 64))[luck % 2]
    world = vessels_world(*size, luck, (1, 8)[luck % 2], edges=edges, gravity=gravity)
    assert_equal_in_all_ways(world, 9, 4, first(WAYS, 3))


@pytest.mark.long("until several vessels rest, with sleep and without")
@examples(3, least=1)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES), rounds=st.sampled_from([1, 8]))
def test_vessels_that_come_to_rest_are_equal_asleep_and_awake(luck: int, edges: Edges, rounds: int) -> None:
    """Long enough for most of the world to come to rest between two strokes."""
    world = vessels_world(66, 98 + 2 * (luck % 40), luck, rounds, edges=edges)
    assert_equal_in_all_ways(world, 110, 3, WAYS[:2])


def floating_powder(luck: int, **laws) -> World:
    """Stacks over several tiles; snow falls on them for a while, and a drain takes what lies on top."""
    emitter = Emitter((40, 2), (20, 1), material="snow", rate=0.5, start=30, until=40)
    drain = Drain((10, 12), (30, 40), start=60, until=64)
    world = World(128, 100, ("atoms", "pressure"), seed=luck, emitters=[emitter], drains=[drain], **laws)
    world["material"][90:] = world.materials["water"]
    world["material"][10:90, 30:50] = world.materials["ash"]
    world["material"][100:116, 70:90] = world.materials["snow"]
    world["material"][80:, 60] = world.materials["wall"]
    world.draw_grain()
    return world


@pytest.mark.parametrize("luck", mostly_long(range(5), 0, why="another edge and gravity"))
def test_floating_powder_is_equal_asleep_and_awake(luck: int) -> None:
    world = floating_powder(luck, edges=EDGES[luck % len(EDGES)], gravity=GRAVITIES[luck % len(GRAVITIES)])
    assert_equal_in_all_ways(world, *((30, 1, WAYS[:2]) if luck == 0 else (30, 2, WAYS[1:])))


@pytest.mark.long("programs of its own, for one case of the vessels below")
def test_a_tile_without_liquid_at_rest_joins_no_bodies() -> None:
    """The water at rest has left the tile, and moving water is there now; bodies on both sides stay separate."""
    world = vessels_world(110, 132, 1042, 8, edges="open", gravity="left")
    assert_equal_in_all_ways(world, 30, 1, WAYS[:2])


@pytest.mark.long("mixtures with brush and ports are tried as well")
@examples(2, least=1)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES))
def test_mixtures_that_boil_and_condense_are_equal_asleep_and_awake(luck: int, edges: Edges) -> None:
    """Materials boil and condense also in tiles without a body."""
    world = quiet_mixture(70 + luck % 30, 100, luck, rules=("mixture", "pressure"), edges=edges)
    assert_equal_in_all_ways(world, 40, 3, MIXED_WAYS)


@pytest.mark.parametrize("edges", mostly_long(EDGES, why="programs of several tables"))
def test_mixtures_with_brush_and_ports_are_equal_asleep_and_awake(edges: Edges) -> None:
    """Several tables of mixtures, with and without exclusion, in worlds whose sides are not multiples of a tile."""
    luck = EDGES.index(edges)
    ports = {
        "emitters": [Emitter((40, 3), (3, 1), material="water", rate=0.4, chance=0.3, start=12, until=30)],
        "drains": [Drain((20, 50), (4, 3), rate=0.3, start=20, until=40)],
    }
    table = (SHIPPED, RISING)[luck % 2]
    world = ponds(66, 98, luck, (1, 8)[luck % 2], luck == 1, mixture=table, edges=edges, **ports)
    assert_equal_in_all_ways(world, 14, 3, MIXED_WAYS)


def still_water(height: int, width: int, flow: PressureFlow, **laws) -> World:
    """An empty world in which water moves by pressure alone."""
    return World(
        height, width, ("mixture", "pressure"), mixture=MixtureTable((Constituent("water", None, None, flow),)), **laws
    )


def test_a_body_wakes_when_the_cell_above_an_adopted_cell_becomes_free() -> None:
    """The change happens in a tile that holds no cell of the body and is not next to such a tile."""
    drain = Drain((64, 31), start=20)
    world = still_water(100, 130, PressureFlow("up", 0.0, 0.5, 0.9, 0.01), drains=[drain])
    world["material"][31, 1:64] = world["material"][33:, 64] = world.materials["wall"]
    world["mixture"][0, 32:64, :64] = FULL
    world["mixture"][0, [31, 32], 64] = 6 * FULL // 10, FULL // 10  # one above the other
    assert_equal_in_all_ways(world, 30, 0, MIXED_WAYS[:2])


def test_the_draw_among_surfaces_of_one_level_does_not_change_the_rest() -> None:
    """A few units of difference, below the resolution of a level, must not decide by a random draw if liquid flows."""
    least = 0.1
    world = still_water(40, 64, PressureFlow("up", 0.0, 0.1, 0.5, least), parameters={"pressure": {"rounds": 1}})
    world["mixture"][0, 20] = FULL
    world["mixture"][0, 19] = 2 * round(least * FULL)
    world["mixture"][0, 19, [3, 9]] += 8, -2 * round(least * FULL)
    assert_equal_in_all_ways(world, 400, 0, MIXED_WAYS[:2])


def test_conversions_run_where_pressure_moves_amounts_into_a_sleeping_tile() -> None:
    """Pressure moves water onto resting lava, and steam that is far from all water still reaches its ice."""
    world = World(100, 130, ("mixture", "pressure"), mixture=SHIPPED)
    world["material"][:98, 64] = world.materials["wall"]
    world["mixture"][world.mixture["water"], 20:, :64] = FULL
    world["mixture"][world.mixture["water"], 98:, 64:] = FULL
    world["mixture"][world.mixture["lava"], 97, 100:] = FULL
    world["mixture"][world.mixture["steam"], 2:30, 70:] = FULL // 2
    world["mixture"][world.mixture["ice"], 1, 70:] = FULL
    assert_equal_in_all_ways(world, 60, 0, MIXED_WAYS[:2])


@pytest.mark.parametrize("falls", mostly_long([False, True], why="programs of its own for each pipe"))
def test_flow_over_its_edge_wakes_a_tile(falls: bool) -> None:
    """A pipe ends in the first column of a tile; a triple of the previous tile brings the water that connects it."""
    flows = HorizontalFlow(viscosity=0.7), PressureFlow("up", connectedliquid=0.9, minflow=0.3)
    mixture = MixtureTable((Constituent("water", VerticalFlow() if falls else None, *flows),))
    world = World(64, 96, ("mixture", "pressure"), mixture=mixture, emitters=[Emitter((31, 10), (1, 23))])
    world["material"][...] = world.materials["wall"]
    world["material"][32, 31:65] = world["material"][5:33, 31] = world["material"][0:33, 64] = 0
    world["mixture"][0, 32, 31:65] = round(0.8995 * FULL)
    assert_equal_in_all_ways(world, 90, 0, MIXED_WAYS)
