"""Bodies of liquid sleep by ponds: the same state, to the last bit, whether they may or not, and in every variant."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.ways import assert_all_alike, quiet_mixture, quiet_world

from gpufluid import World
from gpufluid.laws import EDGES, GRAVITIES, Edges
from gpufluid.rules import RULES

pytestmark = pytest.mark.usefixtures("device")

WAYS = [
    (("atoms.lines", "pressure.tiles"), False),
    (("atoms.lines", "pressure.tiles"), True),
    (("atoms.lines", "pressure.strips"), True),
    (("atoms.strips", "pressure.tiles"), True),
    (("atoms.strips", "pressure.strips"), True),
]

MIXED_WAYS = [
    (("mixture.tiles", "pressure.tiles"), False),
    (("mixture.tiles", "pressure.tiles"), True),
    (("mixture.tiles", "pressure.strips"), True),
    (("mixture.single", "pressure.tiles"), True),
]


def test_there_is_no_other_variant() -> None:
    assert {each.name for each in RULES["pressure"].variants} == {"strips", "tiles"}


def vessels_world(height: int, width: int, luck: int, rounds: int, **laws) -> World:
    """Tanks beside each other, joined below or above by pipes at random, with ports; most of it soon lies still."""
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


@pytest.mark.parametrize("luck", range(6))
def test_pressure_under_brush_and_ports(luck: int) -> None:
    """Under every edge and gravity."""
    edges, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
    size = ((70, 132), (128, 64))[luck % 2]
    assert_all_alike(vessels_world(*size, luck, (1, 8)[luck % 2], edges=edges, gravity=gravity), 9, 4, WAYS)


@settings(max_examples=3)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES), rounds=st.sampled_from([1, 8]))
def test_pressure_sleeps_and_wakes_as_it_would_have_been_awake(luck: int, edges: Edges, rounds: int) -> None:
    """For so long that most of it has come to rest between the strokes."""
    world = vessels_world(66, 98 + 2 * (luck % 40), luck, rounds, edges=edges)
    assert_all_alike(world, 110, 3, WAYS[:2])


def test_what_a_tile_held_before_it_dried_out_is_forgotten() -> None:
    """Water at rest has left it, and what is there now moves: it joins no bodies on either side."""
    world = vessels_world(110, 132, 1042, 8, edges="open", gravity="left")
    assert_all_alike(world, 30, 1, WAYS[:2])


@settings(max_examples=2)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES))
def test_mixtures_under_pressure(luck: int, edges: Edges) -> None:
    """What boils and condenses does so in tiles that hold no body, too."""
    world = quiet_mixture(70 + luck % 30, 100, luck, rules=("mixture", "pressure"), edges=edges)
    assert_all_alike(world, 40, 3, MIXED_WAYS)
