"""Light powder on water that keeps its momentum floats as deep as its density says, and comes to rest."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import mirror_chance, mirrored, where, with_block
from support.following import follow_by_passes, follow_by_ticks
from support.selection import mostly_long
from support.worlds import assert_equal

from gpufluid import FULL, Simulation, World, oracle
from gpufluid.core.fields import WATER_HEAT_LIMIT
from gpufluid.core.small_floats import encoded
from gpufluid.oracle.atoms.columns import Columns
from gpufluid.oracle.atoms.floating import direction_of, floating_cells, move_stack, stack_at
from gpufluid.rules import Call

pytestmark = pytest.mark.usefixtures("device")

WATER = ("flow", "inertia", "atoms")
SURFACE = 24
"""The uppermost row of water in a lake."""

SHARES = {"snow": 0.3, "ash": 0.55}
"""The density of each powder, as a share of that of water."""


def lake(height: int, width: int, rules: tuple[str, ...] = WATER, surface: int = SURFACE, **laws) -> World:
    """A world with still water from a row of the surface down to a closed floor."""
    world = World(height, width, rules, seed=1, **laws)
    deeper = 2 * world.fixed("inertia")["acceleration"]
    world["mass"][surface:] = FULL + deeper * np.arange(height - surface)[:, None]
    return world


def share_under_water(world: World, material: str) -> float:
    """The share of the atoms of a material below the level of the water in columns without it."""
    atoms, masses = where(world, material), np.minimum(world["mass"], FULL)
    level = world.height - np.median(masses[:, ~atoms.any(axis=0)].sum(axis=0, dtype=np.int64)) / FULL
    return float((np.nonzero(atoms)[0] + 0.5 > level).mean())


RAFTS = [(material, place) for material in SHARES for place in ("above", "below")]


@pytest.mark.parametrize(
    "raft",
    mostly_long(RAFTS, ("ash", "below"), why="another raft"),
    ids="-".join,
)
def test_the_share_of_light_powder_under_water_is_its_density_to_a_row(raft: tuple[str, str]) -> None:
    """A block of 10 x 20 atoms, laid on or let go under water. Snow had 1 or 100 % under water, ash 26 or 100 %.

    The block spreads a little, so that its columns are 8 rows high on the average: a row is 0.13 of it. Measured: 0.35
    and 0.26 of snow, 0.48 and 0.56 of ash.
    """
    material, place = raft
    top = SURFACE - 10 if place == "above" else SURFACE + 8
    world = with_block(lake(56, 80), material, slice(top, top + 10), slice(30, 50))
    with Simulation(world) as sim:
        sim.step(700)
        after = sim.read()
    assert after.total() == world.total()
    assert after.census() == world.census()
    assert share_under_water(after, material) == pytest.approx(SHARES[material], abs=0.13)


@pytest.mark.long("thousands of ticks, until the water is still")
@pytest.mark.parametrize("place", ["above", "below"])
def test_a_lake_under_snow_settles(place: str) -> None:
    """Measured: by tick 3,800 and 6,800. The snow rests from tick 1,000 and 4,800 on."""
    top = SURFACE - 10 if place == "above" else SURFACE + 8
    world = with_block(lake(56, 80), "snow", slice(top, top + 10), slice(30, 50))
    with Simulation(world) as sim:
        while sim.tick < 8000 and not sim.settled:
            sim.step(200)
        assert sim.settled
        before = sim.digest()
        sim.step(50)
        after = sim.read()
        after.tick -= 50
        assert after.digest() == before


TURNED = [("down", False), ("right", True)]


@pytest.mark.long("worlds in which powder comes to rest")
@pytest.mark.parametrize("turn", TURNED)
def test_a_raft_equals_its_twin_in_a_turned_world(turn: tuple[str, bool]) -> None:
    """Snow lies too high, ash hangs too low; the water under them is cold and warm. Heat is exact, too."""
    gravity, has_heat = turn
    world = lake(44, 30, (*WATER, *["heat"] * has_heat), surface=14)
    with_block(with_block(world, "snow", slice(6, 14), slice(4, 12)), "ash", slice(15, 21), slice(18, 25))
    if has_heat:
        world["water_heat"] = np.where(world["mass"] > 0, np.arange(30) * 20_000 - 300_000, 0)
        world.draw_temperature()
    turned = World(*_turned(world, "material", gravity).shape, world.rules, seed=1, gravity=gravity)
    for name in world.fields:
        turned[name] = _turned(world, name, gravity)
    stacks = []
    for tick in range(40):
        for call in turned.schedule().calls(tick):
            if call.pass_.full_name == "atoms.sink":
                before = turned.copy()
            oracle.apply(turned, call)
            if call.pass_.full_name == "atoms.sink":
                stacks.append(int((before["mass"] != turned["mass"]).sum()))
                assert before.total() == turned.total()
                assert not has_heat or before.total("water_heat") == turned.total("water_heat")
        turned.tick += 1
    assert max(stacks) > 20
    follow_by_passes(turned, 6)
    follow_by_ticks(turned, 8)


def _turned(world: World, name: str, gravity: str) -> np.ndarray:
    return np.rot90(world[name], {"down": 0, "right": 1, "up": 2, "left": 3}[gravity])


@pytest.mark.long("hundreds of ticks, with sleep and without")
def test_a_raft_is_the_same_asleep_and_awake() -> None:
    """The bottom of a high raft and its top lie in tiles of their own."""
    world = with_block(lake(140, 96, surface=60), "snow", slice(10, 60), slice(40, 56))
    with Simulation(world) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(40):
            asleep.step(20)
            awake.step(20)
            assert_equal(asleep, awake.read())


def test_a_mirrored_raft_gives_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    world = with_block(lake(30, 20, surface=14), "snow", slice(6, 14), slice(3, 9))
    mirror = mirrored(world)
    for _ in range(12):
        world = oracle.step(world)
        with monkeypatch.context() as turned:
            mirror_chance(turned, mirror)
            mirror = oracle.step(mirror)
        for name in ("material", "mass", "grain"):
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name])


def sink_call(world: World) -> Call:
    return next(call for call in world.schedule().calls(world.tick) if call.pass_.full_name == "atoms.sink")


@pytest.mark.parametrize("way", [-1, 1])
def test_the_water_below_shares_what_a_stack_displaces_and_fills_what_it_leaves(way: int) -> None:
    """A stack of 10 weighs 3 rows of water: it sinks on the surface, rises from 6 rows depth, and rests at 3."""
    rows = slice(4, 14) if way > 0 else slice(10, 20)
    world = with_block(lake(40, 1, surface=14), "snow", rows, slice(0, 1))
    world["mass"][20:] = lake(40, 1, surface=14)["mass"][20:]
    world["mass"][:20][where(world, "snow")[:20]] = 0
    columns = Columns(world, sink_call(world))
    ((row, column),) = np.argwhere(floating_cells(columns)).tolist()
    stack = stack_at(columns, row, column)
    assert stack is not None
    assert direction_of(columns, stack) == way
    moved = Columns(world, sink_call(world)).cells
    move_stack(columns, moved, stack, way)
    after = world.copy()
    moved.write(after)
    assert np.nonzero(where(after, "snow"))[0].tolist() == list(range(rows.start + way, rows.stop + way))
    assert after.total() == world.total()
    changed = np.nonzero(after["mass"] != world["mass"])[0]
    assert changed.tolist() == list(range(14, 39) if way > 0 else range(19, 40))
    if way < 0:
        assert after["mass"][19, 0] > FULL * 20 // 21
    else:
        assert after["mass"].max() < FULL * 6 // 5 + FULL // 8


@pytest.mark.parametrize("way", [-1, 1])
def test_no_cell_gets_more_heat_than_it_can_hold(way: int) -> None:
    """With half of that in each cell the stack moves; with one unit more in one cell it stays."""
    rows = slice(4, 14) if way > 0 else slice(10, 20)
    for more in (0, 1):
        world = with_block(lake(40, 1, (*WATER, "heat"), surface=14), "snow", rows, slice(0, 1))
        world["mass"][world.obstacles] = 0
        world["water_heat"] = np.where(world["mass"] > 0, WATER_HEAT_LIMIT // 2, 0)
        world["water_heat"][25] += more
        columns = Columns(world, sink_call(world))
        ((row, column),) = np.argwhere(floating_cells(columns)).tolist()
        stack = stack_at(columns, row, column)
        assert stack is not None
        moved = Columns(world, sink_call(world)).cells
        move_stack(columns, moved, stack, way)
        heat = moved.carried["warmth"].astype(np.int64)[:, 0]
        first = columns.cells.carried["warmth"].astype(np.int64)[:, 0]
        assert (moved.material == columns.cells.material).all() == bool(more)
        assert np.abs(heat).max() <= WATER_HEAT_LIMIT
        wet = moved.amounts["mass"][:, 0] > 0
        assert more or heat[wet].sum() == first[world["mass"][:, 0] > 0].sum()


def test_a_stack_under_water_or_under_another_powder_does_not_float_by_itself() -> None:
    """A film of water that is no denser than the snow hinders it as little as an empty cell."""
    world = with_block(lake(40, 4, surface=14), "snow", slice(4, 14), slice(0, 4))
    world["material"][3, 0] = world.materials["sand"]
    world["mass"][3, 1:3] = FULL // 2, FULL // 10
    columns = Columns(world, sink_call(world))
    assert [stack_at(columns, 13, column) is None for column in range(4)] == [True, True, False, False]


def test_water_in_motion_keeps_its_momentum_below_a_stack_that_moves() -> None:
    world = with_block(lake(40, 12, surface=14), "snow", slice(4, 14), slice(3, 9))
    world["momentum"][14:, :, 0] = encoded(np.array(FULL // 40))
    before = world["momentum"].copy()
    for call in world.schedule().calls(0):
        if call.pass_.full_name in ("atoms.weigh", "atoms.sink"):
            oracle.apply(world, call)
    np.testing.assert_array_equal(world["momentum"], before)
