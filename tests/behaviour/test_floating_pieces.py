"""Pieces of solid float in liquids of atoms (rule collapse): as deep as their density says, to a row, and at rest."""

from __future__ import annotations

import numpy as np
import pytest
from support.selection import mostly_long

from gpufluid import Simulation, World, oracle
from gpufluid.core.frame import in_frame
from gpufluid.matter.materials import SHIPPED
from gpufluid.world.laws import GRAVITIES, Gravity

pytestmark = pytest.mark.usefixtures("device")

ALONE = ("atoms", "collapse")
WITH_PRESSURE = ("atoms", "pressure", "collapse")
SANDBOX = ("atoms", "heat", "reactions", "pressure", "collapse")
SURFACE = 26
"""The row of the gravity frame of the uppermost liquid in `tank`."""

DENSITY = {each.name: each.density for each in SHIPPED}
STARTS = {"lowered": SURFACE - 10, "dropped": 2, "let go under water": SURFACE + 14}
"""The upper row of a piece of 10 rows at first."""


def tank(width: int, rules: tuple[str, ...] = ALONE, liquid: str = "water", gravity: Gravity = "down") -> World:
    """A tank 64 high with walls of 2 cells, 36 rows of a liquid in it, and the sky open; all of it is ice-cold."""
    size = (width, 64) if gravity in ("left", "right") else (64, width)
    world = World(*size, rules, edges="open", gravity=gravity, seed=3)
    cells, materials = in_frame(world["material"], gravity), world.materials
    cells[SURFACE:] = materials[liquid]
    cells[-2:] = cells[:, :2] = cells[:, -2:] = materials["wall"]
    return world


def put(world: World, solid: str, column: int, row: int, size: tuple[int, int] = (16, 10)) -> None:
    """A block of solid, of so many columns and rows of the gravity frame."""
    cells = in_frame(world["material"], world.gravity)
    cells[row : row + size[1], column : column + size[0]] = world.materials[solid]


def depth(world: World, solid: str, liquid: str = "water") -> float:
    """The rows of a solid under the mean level of a liquid, counted in the columns without solids."""
    cells = in_frame(world["material"], world.gravity)[:-2, 2:-2]
    wet, block = cells == world.materials[liquid], cells == world.materials[solid]
    is_open = ~world.materials.solid[cells].any(axis=0)
    level = wet[:, is_open].argmax(axis=0).mean()
    return float(np.nonzero(block)[0].max()) + 1 - level


def at_rest(world: World, ticks: int = 200) -> World:
    """A world after so many ticks, in the last 20 of which no solid has moved, and in all no atom was lost."""
    world.draw_grain()
    if "temperature" in world.fields:
        world["temperature"] = np.where(world["material"] == world.materials["ice"], -20 * 8, 0)
    solid = world.materials.solid
    with Simulation(world) as sim:
        sim.step(ticks - 20)
        before = sim.read()
        sim.step(20)
        after = sim.read()
    was, is_now = (np.where(solid[each["material"]], each["material"], 0) for each in (before, after))
    np.testing.assert_array_equal(is_now, was)
    counts = [np.bincount(each["material"].ravel(), minlength=256) for each in (world, after)]
    np.testing.assert_array_equal(counts[1], counts[0])
    return after


def afloat(start: str, rules: tuple[str, ...]) -> World:
    """A block of ice and one of wood, each 16 x 10, at rest in one tank."""
    world = tank(136, rules)
    put(world, "ice", 26, STARTS[start])
    put(world, "wood", 94, STARTS[start])
    return at_rest(world)


def assert_deep(world: World, size: int = 10, liquid: str = "water", solids: tuple[str, ...] = ("ice", "wood")) -> None:
    """Of each solid as much lies under a liquid as the densities say, to a row, and no liquid lies on it."""
    cells = in_frame(world["material"], world.gravity)
    for solid in solids:
        assert depth(world, solid, liquid) == pytest.approx(size * DENSITY[solid] / DENSITY[liquid], abs=1.01), solid
        rows, columns = np.nonzero(cells == world.materials[solid])
        assert not (cells[: rows.min(), columns.min() : columns.max() + 1] == world.materials[liquid]).any(), solid


@pytest.mark.parametrize("start", STARTS)
def test_ice_floats_nine_tenths_under_water_and_wood_seven(start: str) -> None:
    assert_deep(afloat(start, ALONE))


@pytest.mark.long("programs of two more sets of rules")
@pytest.mark.parametrize("rules", [WITH_PRESSURE, SANDBOX], ids=["pressure", "sandbox"])
def test_they_float_whatever_rules_stand_beside(rules: tuple[str, ...]) -> None:
    for start in STARTS:
        assert_deep(afloat(start, rules))


@pytest.mark.long("a world for each liquid")
@pytest.mark.parametrize(
    ("liquid", "solid"),
    [
        ("oil", "wood"),
        ("salt water", "ice"),
        ("acid", "wood"),
        ("lava", "stone"),
        ("mercury", "metal"),
        ("water", "charcoal"),
    ],
)
def test_solids_float_in_every_liquid_by_the_ratio_of_densities(liquid: str, solid: str) -> None:
    for start in STARTS.values():
        world = tank(80, ALONE, liquid)
        put(world, solid, 32, start)
        assert_deep(at_rest(world), 10, liquid, (solid,))


def test_what_is_denser_than_a_liquid_sinks_and_what_lies_on_powder_stands() -> None:
    world = tank(100)
    world["material"][SURFACE:-2, 50:-2] = world.materials["sand"]
    world["material"][:-2, 48:50] = world.materials["wall"]
    put(world, "stone", 16, SURFACE - 10)
    put(world, "metal", 66, SURFACE - 10)
    after = at_rest(world)
    for solid, last in (("stone", 61), ("metal", SURFACE - 1)):
        assert np.nonzero(after["material"] == after.materials[solid])[0].max() == last


@pytest.mark.parametrize("width", mostly_long([24, 30, 44], 24, why="another width of the tank"))
def test_a_block_in_a_narrow_tank_comes_to_rest(width: int) -> None:
    """The liquid beside it rises by up to four rows where it sinks by one."""
    for solid in ("ice", "wood"):
        for start in STARTS.values():
            world = tank(width)
            put(world, solid, width // 2 - 8, start)
            at_rest(world)


def test_several_blocks_in_one_tank_come_to_rest() -> None:
    """All of them sink at once, and the liquid between them rises for all."""
    world = tank(104)
    for number in range(5):
        put(world, "wood", 4 + 20 * number, SURFACE - 10)
    after = at_rest(world)
    bottoms = np.nonzero(after["material"] == after.materials["wood"])[0]
    assert bottoms.max() < SURFACE + 8


@pytest.mark.long("the oracle's ticks for each direction of gravity")
@pytest.mark.parametrize("gravity", GRAVITIES)
def test_they_float_where_gravity_points(gravity: Gravity) -> None:
    world = tank(60, gravity=gravity)
    put(world, "wood", 22, STARTS["lowered"])
    after = oracle.step(world, 60)
    if gravity == "off":
        np.testing.assert_array_equal(after["material"], world["material"])
    else:
        assert_deep(after, solids=("wood",))


def test_without_gravity_no_liquid_runs_off_a_piece() -> None:
    world = World(24, 40, ("atoms", "collapse"), gravity="off")
    material, water = world["material"], world.materials["water"]
    material[12:] = water
    material[8:14, 10:30] = world.materials["ice"]
    material[7, 12:26] = water
    with Simulation(world) as sim:
        sim.step(4)
        np.testing.assert_array_equal(sim.read()["material"], material)
