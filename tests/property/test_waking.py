"""Waking of tiles: in a small world at rest, one event has the same effect with sleeping tiles and without."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from support.selection import crossed, mostly_long

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import Edges

pytestmark = pytest.mark.usefixtures("device")

STILL = 40
"""By this tick all worlds in this file are at rest; then the event happens."""

Stroke = tuple[int, int, int, int, str]
"""A rectangle and its material: columns from, to; rows from, to; the material."""


def walls(world: World, *rectangles: Sequence[int]) -> None:
    fill(world, *[(*rectangle, "wall") for rectangle in rectangles])


def fill(world: World, *strokes: Stroke) -> None:
    """Fill rectangles with matter of the roughest grain; later ones replace earlier ones."""
    for left, right, top, bottom, material in strokes:
        world["material"][top:bottom, left:right] = world.materials[material]
    if "grain" in world.fields:
        world["grain"] = np.where(world["material"] == 0, 0, 255)


def paint(sim: Workbench, stroke: Stroke) -> None:
    left, right, top, bottom, material = stroke
    size = right - left, bottom - top
    arrays = {name: np.zeros_like(array) for name, array in sim.read_window((left, top), size).items()}
    arrays["material"][...] = sim.blank.materials[material]
    sim.write_window((left, top), arrays)


def assert_event_wakes(
    world: World, stroke: Stroke | None = None, ticks: int = 30, strip: tuple[int, int] | None = None
) -> World:
    """Check that a world is at rest before tick `STILL`, moves after it, and is the same with sleep and without.

    Args:
        world: the world; without a stroke it contains the cause of an event at that tick.
        stroke: the rectangle that is painted at that tick; None: no stroke.
        ticks: the number of ticks after it.
        strip: as for `Simulation`.
    Returns: the last state.
    """
    with Workbench(world, sleeping=False, strip=strip) as awake, Workbench(world, strip=strip) as sleeping:
        for sim in (awake, sleeping):
            sim.step(STILL - 8)
        before = awake.read()
        for sim in (awake, sleeping):
            sim.step(8)
            if stroke:
                paint(sim, stroke)
        still = awake.read()
        outside = np.ones((world.height, world.width), bool)
        if stroke:
            outside[stroke[2] : stroke[3], stroke[0] : stroke[1]] = False
        for name in world.fields:
            np.testing.assert_array_equal(still[name][outside], before[name][outside], "the world is not at rest")
        for _ in range(ticks):
            awake.step()
            sleeping.step()
            assert sleeping.digest() == awake.digest()
        last = awake.read()
    assert any((last[name] != still[name])[outside].any() for name in world.fields), "the event has changed nothing"
    return last


def shaft(matter: str, top: int, bottom: int) -> World:
    """A world of 192 x 40 cells: a shaft of one column, with one material from row to row between roof and floor."""
    world = World(192, 40, ("atoms",))
    fill(world, (0, 40, 0, 192, "wall"), (20, 21, 1, 191, "empty"), (20, 21, top, bottom, matter))
    walls(world, (20, 21, top - 1, top), (20, 21, bottom, bottom + 1))
    return world


@pytest.mark.parametrize(("top", "bottom"), [(34, 158), (33, 64)], ids=["many tiles", "one"])
@pytest.mark.parametrize("instead", ["empty", "smoke"])
def test_removing_the_floor_wakes_a_column(top: int, bottom: int, instead: str) -> None:
    """The column falls as a whole; over a gas it speeds up as a whole."""
    assert_event_wakes(shaft("sand", top, bottom), (20, 21, bottom, bottom + 1, instead), ticks=9)


@pytest.mark.parametrize(("top", "bottom"), [(34, 158), (32, 63)], ids=["many tiles", "one"])
@pytest.mark.parametrize("instead", ["empty", "sand"])
def test_removing_the_roof_wakes_a_column_of_gas(top: int, bottom: int, instead: str) -> None:
    assert_event_wakes(shaft("smoke", top, bottom), (20, 21, top - 1, top, instead), ticks=9)


@pytest.mark.parametrize(("matter", "foot"), [("sand", 70), ("smoke", 121)])
def test_draining_the_foot_wakes_a_column_across_the_seam(matter: str, foot: int) -> None:
    """The upper part of the column lies at the line's end, on the other side of the seam."""
    world = World(192, 40, ("atoms",), "wrap", drains=[Drain((20, foot), start=STILL)])
    fill(world, (0, 40, 0, 192, "wall"), (20, 21, 0, 71, matter), (20, 21, 121, 192, matter))
    assert_event_wakes(world, ticks=9)


ANVIL = Material("anvil", State.POWDER, 3000, (0, 0, 0), slide=0.0)


def test_a_load_wakes_the_tile_below() -> None:
    """An atom that never slides lands on an equal one at the foot of a tile, whose block belongs to the next tile."""
    table = MaterialTable((*SHIPPED, ANVIL))
    emitter = Emitter((20, 30), material="anvil", start=STILL, until=STILL + 1)
    world = World(64, 64, ("atoms",), emitters=[emitter], materials=table)
    walls(world, (0, 64, 33, 34), (20, 21, 32, 33))
    fill(world, (20, 21, 31, 32, "anvil"))
    assert_event_wakes(world)


@pytest.mark.parametrize("seed", mostly_long(range(4), 0, why="another seed"))
def test_a_slide_is_found_by_the_last_partition_offset(seed: int) -> None:
    """With one substep a tick: each grain lies on a post, in its own tile, and one of four partitions can move it."""
    drains = [Drain((32 * n + 11 + n % 2, 9 + n // 2 % 2), (1, 2), start=STILL + 4 * n) for n in range(8)]
    world = World(64, 256, ("atoms",), drains=drains, seed=seed, parameters={"atoms": {"substeps": 1}})
    walls(world, (0, 256, 2, 60))
    for drain in drains:
        x, y = drain.at
        fill(world, (x, x + 1, y, y + 2, "sand"), (x - 1, x, y, y + 1, "sand"))
    assert_event_wakes(world, ticks=45)


def pool(left: int, right: int, depth: int = 1, edges: Edges = "closed", height: int = 50, **laws) -> World:
    """Water on the floor of a world 320 columns wide, with a wall on one side; it may continue across a seam."""
    world = World(height, 320, ("atoms",), edges, **laws)
    columns = np.arange(left - 1, right) % 320
    world["material"][height - depth :, columns] = world.materials["water"]
    world["material"][:, columns[0]] = world["material"][0] = world.materials["wall"]
    return world


@pytest.mark.parametrize(("left", "right", "edges"), [(2, 230, "closed"), (200, 420, "wrap")])
def test_a_drop_at_one_end_wakes_the_other_end_of_a_pool(left: int, right: int, edges: Edges) -> None:
    emitter = Emitter((left + 3, 48), material="water", start=STILL, until=STILL + 1)
    assert_event_wakes(pool(left, right, edges=edges, emitters=[emitter]))


def test_atoms_spread_into_the_next_tile_spread_again_in_the_same_tick() -> None:
    """More drops than can spread at once, at the far end of a pool that ends just before the border of a tile."""
    emitter = Emitter((60, 48), (40, 1), material="water", start=STILL, until=STILL + 1)
    assert_event_wakes(pool(2, 246, emitters=[emitter], parameters={"atoms": {"spreads": 8}}))


@crossed(most=2, height=[50, 51], drawn=[(1, 0), (1, 1), (1, 2), (2, 0), (4, 0)])
def test_draining_a_plug_after_the_spreads_of_its_row_wakes_the_pool(height: int, drawn: tuple[int, int]) -> None:
    """A drain removes the plug at the end of a tick; with few spreads a tick, its row and side have turns later.

    Args:
        drawn: the spreads of a tick, and the seed.
    """
    spreads, seed = drawn
    drain = Drain((230, height - 1), start=STILL, until=STILL + 1)
    parameters = {"atoms": {"spreads": spreads}}
    world = pool(2, 230, 2, height=height, drains=[drain], seed=seed, parameters=parameters)
    walls(world, (230, 231, 0, height - 1), (231, 232, height - 1, height))
    fill(world, (230, 231, height - 1, height, "sand"))
    assert_event_wakes(world, ticks=50)


@pytest.mark.parametrize(
    "at", mostly_long([(127, 38, 0), (0, 38, 127), (30, 127, 31), (30, 127, 29)], (127, 38, 0), why="another place")
)
def test_a_brush_wakes_a_tile_across_the_seam_of_a_torus(at: tuple[int, int, int]) -> None:
    """A grain is painted on a post at the seam; only a block across the seam can let it slide."""
    x, y, beside = at
    world = World(128, 128, ("atoms",), "wrap")
    other, below = (2 * x - beside) % 128, (y + 1) % 128
    walls(world, (0, 128, 20, 21), (0, 128, 50, 51), (x, x + 1, below, below + 1), (other, other + 1, y, y + 1))
    assert_event_wakes(world, (x, x + 1, y, y + 1, "sand"))


@pytest.mark.parametrize(("size", "taken"), [((96, 66), (64, 50)), ((66, 64), (20, 65))])
def test_a_drain_wakes_atoms_in_a_last_tile_two_cells_wide(size: tuple[int, int], taken: tuple[int, int]) -> None:
    """A drain takes the lowest grain of a stack of sand in the narrow tile."""
    (x, y), (height, width) = taken, size
    world = World(height, width, ("atoms",), "wrap", drains=[Drain(taken, start=STILL, until=STILL + 1)])
    fill(world, (0, width, 0, height, "wall"), (x, x + 1, y - 20, y, "empty"), (x, x + 1, y - 10, y + 1, "sand"))
    assert_event_wakes(world)


@pytest.mark.parametrize("size", [(40, 257), (40, 258), (33, 130), (34, 130)])
def test_an_emitter_wakes_mass_in_a_last_tile_one_or_two_cells_wide(size: tuple[int, int]) -> None:
    """Tiles of flow are 128 columns by 32 rows of cells on a processor, 32 by 32 on a GPU."""
    height, width = size
    emitter = Emitter((width - 5, height - 3), (2, 1), material="water", start=STILL, until=STILL + 9)
    world = World(
        height, width, rules=("flow",), edges="wrap", emitters=[emitter], parameters={"flow": {"min_flow": 0.0}}
    )
    walls(world, (0, width, 20, 21))
    assert_event_wakes(world, ticks=60)


@crossed(most=1, strip=[(1, 1), (3, 2)], edges=["closed", "wrap"])
def test_an_emitter_wakes_mass_in_tiles_shorter_than_its_reach(edges: Edges, strip: tuple[int, int]) -> None:
    emitter = Emitter((60, 9), material="water", start=STILL, until=STILL + 9)
    world = World(37, 64, rules=("flow",), edges=edges, emitters=[emitter])
    walls(world, (0, 64, 30, 31))
    assert_event_wakes(world, ticks=60, strip=strip)


def test_a_drain_wakes_mass_at_rest() -> None:
    drain = Drain((30, 20), rate=0.001, start=STILL)
    world = World(40, 300, rules=("flow",), drains=[drain], parameters={"flow": {"max_compress": 0.0}})
    world["mass"][20:] = FULL
    assert_event_wakes(world)


HOVERING = (
    Material("hover powder", State.POWDER, 1000, (0, 0, 0), terminal=0.0),
    Material("hover liquid", State.LIQUID, 900, (0, 0, 0), terminal=0.0),
    Material("hover gas", State.GAS, 0, (0, 0, 0), terminal=0.0),
)
"""Materials that never move by themselves, so that they can hover above empty cells."""

HOVER_TABLE = MaterialTable((*SHIPPED, *HOVERING))


@pytest.mark.parametrize(
    ("hovering", "matter", "row"), [("hover powder", "sand", 50), ("hover gas", "smoke", 80)], ids=["fall", "rise"]
)
def test_hovering_matter_supports_nothing(hovering: str, matter: str, row: int) -> None:
    """The painted atoms rest against a pile at the border of two tiles, without a collision."""
    world = World(128, 40, ("atoms",), materials=HOVER_TABLE)
    fill(world, (0, 40, 0, 128, "wall"), (20, 21, 1, 127, "empty"), (20, 21, 61, 67, hovering))
    assert_event_wakes(world, (20, 21, row, row + 1, matter))


@pytest.mark.long("programs of its own for two materials")
def test_atoms_that_sink_through_a_hovering_liquid_fall() -> None:
    """Grains on posts, each next to an atom of the liquid, with which it will change places."""
    places = range(15, 256, 32)
    emitters = [Emitter((x, 19), material="sand", start=STILL, until=STILL + 1) for x in places]
    world = World(64, 256, ("atoms",), emitters=emitters, materials=HOVER_TABLE)
    for x in places:
        walls(world, (x - 1, x, 19, 20), (x, x + 1, 20, 21))
        fill(world, (x + 1, x + 2, 20, 21, "hover liquid"))
    assert_event_wakes(world)


BOUNCER = Material("bouncer", State.POWDER, 1500, (0, 0, 0), bounce=1.0, slide=0.0)


@pytest.mark.long("programs of its own for two materials")
def test_an_atom_that_bounces_in_the_next_tile_rises_in_the_same_tick() -> None:
    emitters = [Emitter((32 * n + 16, 61 - 3 * n), material="bouncer", start=STILL, until=STILL + 1) for n in range(8)]
    world = World(96, 260, ("atoms",), emitters=emitters, materials=MaterialTable((*SHIPPED, BOUNCER)))
    walls(world, (0, 260, 66, 67))
    assert_event_wakes(world)


def test_an_atom_that_bounces_off_a_wall_in_the_next_tile_returns_in_the_same_tick() -> None:
    """Grains thrown against walls beyond the border of a tile; glide runs in both directions in one tick."""
    emitters = [
        Emitter((58, 30 + 32 * n), material="gravel", velocity=(7.9, -1.0), start=STILL + n, until=STILL + n + 1)
        for n in range(6)
    ]
    world = World(230, 70, ("atoms",), emitters=emitters)
    walls(world, (66, 67, 0, 230))
    assert_event_wakes(world, ticks=12)


def test_restoring_a_state_wakes_all_tiles() -> None:
    for rules in (("atoms",), ("flow",)):
        world = World(70, 140, rules)
        if "mass" in world.fields:
            world["mass"][10:20, 10:40] = FULL
        else:
            fill(world, (10, 40, 10, 20, "sand"))
        with Workbench(world) as sim, Workbench(world, sleeping=False) as awake:
            sim.step(200)
            sim.restore(world)
            for _ in range(20):
                sim.step()
                awake.step()
                assert sim.digest() == awake.digest()


def test_a_bubble_rises_through_tiles_in_which_nothing_else_moves() -> None:
    """Oil under water: atoms at rest change places, which keeps only their own tiles awake."""
    world = World(110, 40, ("atoms",))
    fill(world, (0, 40, 0, 110, "water"), (15, 19, 75, 105, "oil"))
    with Workbench(world) as sleeping, Workbench(world, sleeping=False) as awake:
        for _ in range(50):
            sleeping.step(3)
            awake.step(3)
            assert sleeping.digest() == awake.digest()
