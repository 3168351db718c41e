"""Liquids level out, come to rest, and leave no atom without support; gas fills the room under a roof."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.atoms import atoms, height_of, run, where

from gpufluid import Simulation, World
from gpufluid.matter.materials import MaterialTable, State

pytestmark = pytest.mark.usefixtures("device")


def until_settled(sim: Simulation, ticks: int) -> World:
    """The world as soon as nothing can move any more; fails if that is later than this tick."""
    while not sim.settled and sim.tick < ticks:
        sim.step(20)
    assert sim.settled, f"something still moves after tick {sim.tick}"
    return sim.read()


def assert_stays(sim: Simulation, world: World) -> None:
    """Fail if any atom moves, now or later."""
    sim.step(200)
    later = sim.read()
    for name in world.fields:
        np.testing.assert_array_equal(later[name], world[name], err_msg=name)


def test_a_released_column_of_water_levels_out_and_rests() -> None:
    """64 by 96 cells in a box 256 wide. Measured: even to within 2 cells at tick 240, level and at rest at 600."""
    world = atoms(100, 256, seed=1)
    world["material"][4:, :64] = world.materials["water"]
    uneven = {}
    with Simulation(world) as sim:
        for tick in (240, 600):
            sim.step(tick - sim.tick)
            uneven[tick] = int(np.ptp(height_of(sim.read(), "water")))
        assert uneven[240] <= 2, f"uneven by {uneven}"
        assert uneven[600] <= 1, f"uneven by {uneven}"
        assert_stays(sim, until_settled(sim, 1500))


@pytest.mark.parametrize("floor", ["water", "wall"])
def test_the_crumbs_of_a_surface_gather_and_rest(floor: str) -> None:
    """A row of water of which every third cell is filled, at random: 32 runs become one. Nothing else moves them."""
    world = atoms(8, 160, seed=3)
    world["material"][4:] = world.materials[floor]
    crumbs = np.random.default_rng(3).random(160) < 0.33
    world["material"][3, crumbs] = world.materials["water"]
    with Simulation(world) as sim:
        after = until_settled(sim, 400)
        assert_stays(sim, after)
    row = where(after, "water")[3]
    assert row.sum() == crumbs.sum()
    assert np.diff(row.astype(int)).clip(min=0).sum() + row[0] == 1


@pytest.mark.parametrize(
    "names", [("water",), ("water", "oil", "salt water", "sand"), ("lava", "mercury", "snow", "rubber", "mud")], ids=len
)
def test_a_closed_box_settles_with_every_atom_supported(names: tuple[str, ...]) -> None:
    """Starts from noise, among ledges. Measured: at rest by tick 140, 200 and 400, with every atom supported."""
    world = atoms(64, 64, seed=2)
    rng = np.random.default_rng(2)
    noise = rng.choice([world.materials[name] for name in names], (64, 64))
    world["material"] = np.where(rng.random((64, 64)) < 0.4, noise, 0)
    for row, columns in ((20, slice(10, 40)), (40, slice(30, 50)), (50, slice(0, 9))):
        world["material"][row, columns] = world.materials["wall"]
    world.draw_grain()
    with Simulation(world) as sim:
        after = until_settled(sim, 1500)
        assert_stays(sim, after)
    assert not after["velocity"].any()
    heavy = np.isin(world.materials.column("state")[after["material"]], (State.POWDER, State.LIQUID))
    solid = np.count_nonzero(world.solid)
    assert heavy.sum() == sum(world.census().values()) - solid
    assert not (heavy[:-1] & (after["material"][1:] == 0)).any()


def test_water_flows_under_a_wall_and_fills_the_room_up_to_its_lower_edge() -> None:
    """Up to the hem and no higher, because without rule pressure no atom rises."""
    world = atoms(48, 48)
    world["material"][:42, 22:24] = world.materials["wall"]
    world["material"][8:, :22] = world.materials["water"]
    with Simulation(world) as sim:
        after = until_settled(sim, 1500)
    heights = height_of(after, "water")
    assert (heights[22:] == 6).all(), f"{heights}"
    assert np.ptp(heights[:22]) <= 1, f"{heights}"


def test_gas_fills_the_room_from_the_roof_down() -> None:
    """Gas released at the ground spreads under the roof as evenly as water does on the ground."""
    world = atoms(48, 48)
    world["material"][40:, :24] = world.materials["methane"]
    with Simulation(world) as sim:
        sim.step(600)
        after = sim.read()
    gas = where(after, "methane")
    assert gas.sum() == 8 * 24
    depth = np.flatnonzero(gas.any(axis=1)).max() + 1
    assert depth <= 5, f"192 atoms under a roof of 48 reach down {depth} rows"
    assert gas.any(axis=0).all()


def test_gas_under_a_hood_stays_under_it() -> None:
    """It fills the room under a roof that is open below, from the top down."""
    world = atoms(48, 48)
    world["material"][20, 8:40] = world.materials["wall"]
    world["material"][20:28, [8, 39]] = world.materials["wall"]
    world["material"][26:28, 9:39] = world.materials["steam"]
    with Simulation(world) as sim:
        for _ in range(3):
            sim.step(200)
            gas = where(sim.read(), "steam")
            assert gas.sum() == 60
            assert gas[21:23, 9:39].all()


def test_packed_gas_comes_to_rest() -> None:
    """A row of steam fills the room under a roof: atoms that move in opposite directions stop each other."""
    world = atoms(6, 8)
    world["material"][2] = world.materials["steam"]
    with Simulation(world) as sim:
        sim.step(100)
        assert sim.settled


@pytest.mark.long("a set of programs for one material")
def test_gas_that_does_not_spread_comes_to_rest() -> None:
    """A world is settled if the only possible move has a chance of 0: an atom under a roof, with room beside it."""
    shipped = MaterialTable().records
    still = replace(shipped[MaterialTable()["steam"]], name="still gas", spread=0.0)
    world = atoms(8, 8, materials=MaterialTable((*shipped, still)))
    world["material"][3, 3] = len(shipped)
    with Simulation(world) as sim:
        sim.step(60)
        assert sim.settled


def test_a_narrow_world_equals_a_walled_off_part_of_a_wide_one() -> None:
    """A world 31 cells wide, and the same beside 64 cells of wall: both are equal, to the last atom."""
    rooms = []
    for width in (31, 95):
        world = atoms(100, width, seed=1)
        world["material"][:, 31:] = world.materials["wall"]
        world["material"][4:, :8] = world.materials["water"]
        rooms.append(height_of(run(world, 40), "water")[:31])
    assert np.ptp(rooms[0]) < 50
    np.testing.assert_array_equal(*rooms)
