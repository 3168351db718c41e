"""Rubber bounces, to the square of the restitution times the last height; a ball of it stays a ball until it rests."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from support.atoms import after_each_tick, atoms, run, where
from support.selection import mostly_long

from gpufluid import Simulation, World

pytestmark = pytest.mark.usefixtures("device")

HEIGHTS = (40, 55, 70, 85, 100)
"""The height in cells: from here an atom does not reach its terminal velocity."""


def bounces(first: int, rows: np.ndarray, down: np.ndarray) -> list[int]:
    """The height from which an atom fell, then the heights to which it rebounded."""
    turns = np.flatnonzero((down[:-1] > 0) & (down[1:] < 0)) + 1
    return [first, *(int(rows[turn:following].max()) for turn, following in pairwise(turns))]


def test_rubber_rebounds_to_restitution_squared_of_its_height() -> None:
    """Measured: 0.70 to 0.77 each time, 0.72 by the law; heights below 16 cells are too coarse to compare."""
    world = atoms(120, 2 * len(HEIGHTS) + 1)
    world["material"][:, ::2] = world.materials["wall"]  # each in its own shaft
    for number, height in enumerate(HEIGHTS):
        world["material"][119 - height, 2 * number + 1] = world.materials["rubber"]
    states = after_each_tick(world, 500)
    lowest = np.array([where(state, "rubber")[:, 1::2].argmax(axis=0) for state in states])
    speeds = np.array([state["velocity"][:, 1::2, 1].sum(axis=0, dtype=int) for state in states])
    law = (world.materials.column("bounce")[world.materials["rubber"]] / 256) ** 2
    for number, height in enumerate(HEIGHTS):
        heights = bounces(height, 119 - lowest[:, number], speeds[:, number])
        ratios = [after / before for before, after in pairwise(heights) if before >= 16]
        assert len(ratios) >= 3
        assert max(abs(ratio - law) for ratio in ratios) < 0.07 * law, f"from {height}: {heights}"
    assert not speeds[-1].any()
    assert (lowest[-1] == 119).all()


def ball(world: World, row: int, column: int, radius: int, velocity: tuple[int, int]) -> np.ndarray:
    """Throw a ball of rubber, with a velocity in 1/16 cell a tick. Returns its cells, (height, width) bool."""
    rows, columns = np.mgrid[: world.height, : world.width]
    disc = (rows - row) ** 2 + (columns - column) ** 2 <= radius**2
    world["material"][disc] = world.materials["rubber"]
    world["velocity"][disc] = velocity
    return disc


def shape(cells: np.ndarray) -> list[list[int]]:
    """The places of cells, from the first row and column with one on."""
    places = np.argwhere(cells)
    return (places - places.min(axis=0)).tolist()


@pytest.mark.parametrize("gravity", mostly_long(["down", "left", "off"], "down", why="another gravity"))
def test_a_ball_that_bounces_off_floor_and_walls_stays_a_ball(gravity: str) -> None:
    """At (3, 1.5) cells a tick: a dozen bounces in 80 ticks; nothing of it is ever out of its place."""
    world = atoms(60, 60, gravity=gravity)
    before = shape(ball(world, 25, 30, 7, (48, 24)))
    turns, ways = 0, {(1, 1)}
    for state in after_each_tick(world, 80):
        velocity = state["velocity"][where(state, "rubber")]
        assert shape(where(state, "rubber")) == before
        assert (velocity == velocity[0]).all()
        turns += tuple(np.sign(velocity[0])) not in ways
        ways = {tuple(np.sign(velocity[0]))}
    assert turns >= 4


def test_two_balls_that_meet_bounce_off_each_other() -> None:
    world = atoms(60, 100, gravity="off")
    ball(world, 28, 25, 8, (40, 0))
    ball(world, 33, 70, 6, (-32, 0))
    last = after_each_tick(world, 14)[-1]
    left, right = last["velocity"][:, :50], last["velocity"][:, 50:]
    assert (left[where(last, "rubber")[:, :50]][:, 0] < 0).all()
    assert (right[where(last, "rubber")[:, 50:]][:, 0] > 0).all()


def test_a_ball_falls_into_water_and_goes_under() -> None:
    """Water does not stop it: rubber is denser."""
    world = atoms(60, 40)
    world["material"][30:] = world.materials["water"]
    ball(world, 10, 20, 5, (0, 0))
    rows, _ = np.nonzero(where(run(world, 300), "rubber"))
    assert rows.min() > 40


def test_a_ball_that_rests_lies_on_the_floor() -> None:
    world = atoms(60, 60)
    ball(world, 25, 30, 7, (20, 0))
    with Simulation(world) as sim:
        sim.step(900)
        assert sim.settled
        assert where(sim.read(), "rubber")[59].any()


def test_mud_does_not_bounce() -> None:
    world = atoms(60, 3)
    world["material"][:, ::2] = world.materials["wall"]
    world["material"][10, 1] = world.materials["mud"]
    rows = [int(where(state, "mud")[:, 1].argmax()) for state in after_each_tick(world, 80)]
    landed = rows.index(59)
    assert set(rows[landed:]) == {59}
