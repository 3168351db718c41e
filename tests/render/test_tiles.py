"""Overlay ``tiles``: rectangles around the tiles that rules visit in the next tick, dots around those that sleep."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.selection import mostly_long
from support.worlds import random_world

from gpufluid import FULL, Simulation, World
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")
GREEN = (26, 184, 64)
SCALE = 4


def awake(sim: Simulation, number: int = 0, colour: tuple[int, int, int] = GREEN) -> np.ndarray:
    """The tiles that are shown as awake, (rows, columns) bool; `number`: of the rule, in the world's order."""
    picture = sim.frame(SCALE, "tiles")
    (columns, rows), found = sim._runner._planner.tiles[sim.blank.rules[0]]._tile, []
    for top in range(0, sim.blank.height, rows):
        line = picture[SCALE * top + number, number + 1 :: SCALE * columns]  # beside the first dot
        found.append((np.abs(line.astype(int) - colour) < 3).all(axis=1))
    return np.array(found)


def tiles(sim: Simulation) -> Iterator[tuple[int, int, slice, slice]]:
    """(row, column) of each tile, and its cells."""
    columns, rows = sim._runner._planner.tiles[sim.blank.rules[0]]._tile
    for row, top in enumerate(range(0, sim.blank.height, rows)):
        for column, left in enumerate(range(0, sim.blank.width, columns)):
            yield row, column, slice(top, top + rows), slice(left, left + columns)


def with_tiles(world: World, **arguments: object) -> Workbench:
    variant = {"mixture": "tiles", "atoms": "lines"}
    wanted = {rule: name for rule, name in variant.items() if rule in world.rules}
    return Workbench(world, variant=wanted, **arguments)  # pyright: ignore[reportArgumentType]


def test_only_the_tiles_around_what_moves_are_awake() -> None:
    world = World(256, 256, ("atoms",))
    with with_tiles(world) as sim:
        assert awake(sim).all(), "in the first tick nothing is known yet"
        sim.step(60)
        assert not awake(sim).any()
        arrays = sim.read_window((200, 3), (1, 1))
        arrays["material"][:] = world.materials["sand"]
        sim.write_window((200, 3), arrays)
        found = awake(sim)
        assert found.any()
        (columns, rows) = sim._runner._planner.tiles["atoms"]._tile
        for row, column in np.argwhere(found):
            assert abs(row - 3 // rows) <= 1
            assert abs(column - 200 // columns) <= 1


@pytest.mark.parametrize(
    "rules",
    mostly_long(
        [("flow",), ("mixture",), ("flow", "atoms"), ("flow", "inertia"), ("flow", "inertia", "atoms")],
        ("flow",),
        why="a set of programs for each set of rules",
    ),
    ids="+".join,
)
def test_in_a_tile_shown_asleep_no_cell_changes_in_the_next_tick(rules: tuple[str, ...]) -> None:
    world = World(160, 512, rules, seed=5)
    field = "mass" if "flow" in rules else "mixture"
    layer = world["mass"] if field == "mass" else world["mixture"][world.mixture["water"]]
    layer[10:40, 20:44] = FULL
    slept = 0
    with with_tiles(world) as sim:
        for _ in range(20):
            shown, before = awake(sim), sim.read()
            sim.step()
            after = sim.read()
            for row, column, rows, columns in tiles(sim):
                if not shown[row, column]:
                    slept += 1
                    np.testing.assert_array_equal(after[field][..., rows, columns], before[field][..., rows, columns])
    assert slept > 40


@pytest.mark.parametrize("gravity", mostly_long(["up", "left", "right"], "left", why="another turn"))
def test_rectangles_lie_where_gravity_puts_the_tiles(gravity: str) -> None:
    """The world that is turned back shows the picture that is turned back."""
    turns = {"up": 2, "left": 1, "right": 3}[gravity]
    pictures = []
    for direction in ("down", gravity):
        world = World(128, 128, ("atoms",), gravity=direction)
        with with_tiles(world) as sim:
            sim.step(60)
            column, row = {"down": (100, 20), "up": (27, 107), "left": (107, 100), "right": (20, 27)}[direction]
            arrays = sim.read_window((column, row), (1, 1))
            arrays["material"][:] = world.materials["wall"]
            sim.write_window((column, row), arrays)
            pictures.append(awake(sim))
    assert pictures[0].any()
    np.testing.assert_array_equal(np.rot90(pictures[1], turns), pictures[0])


def test_without_sleep_every_tile_is_awake() -> None:
    with with_tiles(World(96, 96, ("atoms",)), sleeping=False) as sim:
        sim.step(30)
        assert awake(sim).all()


def test_each_rule_has_a_rectangle_of_its_own() -> None:
    world = World(64, 64, ("atoms", "heat"), parameters={"heat": {"air": 0.0}})
    world["material"][40:60, 4:20] = world.materials["metal"]
    world["temperature"][40:60, 4:20] = 8 * 20
    world["temperature"][40:44, 4:20] = 8 * 90
    with with_tiles(world) as sim:
        sim.step(60)
        assert not awake(sim).any(), "nothing moves"
        assert awake(sim, 1, (230, 51, 38)).any(), "heat does"


def test_drawing_the_tiles_changes_nothing() -> None:
    world = random_world(70, 134)
    with with_tiles(world) as sim, with_tiles(world) as other:
        for _ in range(6):
            sim.frame(2, "tiles")
            sim.step_within(1, 0.0)
            sim.frame(2, "tiles")
            sim.step(1)
            other.step(sim.tick - other.tick)
            assert sim.digest() == other.digest()
