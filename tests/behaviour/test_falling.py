"""Free fall: constant acceleration up to a terminal velocity, alone or as a body, whole unless it strays."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import CALM, after_each_tick, atoms, in_air, pull_of, run, where

pytestmark = pytest.mark.usefixtures("device")

ALL_THAT_FALL = ("sand", "gravel", "snow", "mud", "water", "oil", "lava", "mercury", "rubber")
ALL_THAT_RISE = ("steam", "smoke", "methane", "fire")

HEIGHT, TICKS = 440, 72
"""The fastest, rubber, falls 6 cells a tick and reaches no floor."""


@pytest.fixture(scope="module")
def depths() -> dict[str, np.ndarray]:
    """The distance in cells that one isolated atom of each material has fallen, after each tick."""
    names = ALL_THAT_FALL + ALL_THAT_RISE
    world = atoms(HEIGHT, 13 * len(names), materials=CALM)
    for number, name in enumerate(names):
        world["material"][0 if name in ALL_THAT_FALL else -1, 13 * number + 6] = world.materials[name]
    states = after_each_tick(world, TICKS)
    rows = {name: [int(np.nonzero(where(state, name))[0][0]) for state in states] for name in names}
    return {
        name: np.array(rows[name]) if name in ALL_THAT_FALL else HEIGHT - 1 - np.array(rows[name]) for name in names
    }


@pytest.mark.parametrize("name", ALL_THAT_FALL + ALL_THAT_RISE)
def test_a_lone_atom_follows_the_law_of_constant_acceleration(name: str, depths: dict[str, np.ndarray]) -> None:
    """Measured: within a cell of v += a, y += v in every tick until the atom reaches its terminal velocity."""
    pull, terminal = laws_of(name)
    accelerated = -(-terminal // pull) - 1
    apart = np.abs(depths[name] - in_air(pull, terminal, 0, TICKS))[:accelerated].max()
    assert apart <= 1, f"{name}: {apart} cells from the law"


@pytest.mark.parametrize("name", ALL_THAT_FALL + ALL_THAT_RISE)
def test_a_lone_atom_keeps_its_terminal_velocity(name: str, depths: dict[str, np.ndarray]) -> None:
    """Measured: exactly, over any 16 ticks after the atom reaches its terminal velocity."""
    pull, terminal = laws_of(name)
    depth = depths[name][-(-terminal // pull) - 1 :]
    np.testing.assert_array_equal(depth[16:] - depth[:-16], terminal)


def laws_of(name: str) -> tuple[int, int]:
    """The pull of a material, in 1/16 cell a tick a tick, and its terminal velocity, in 1/16 cell a tick."""
    world = atoms(1, 1)
    return abs(pull_of(world, name)), int(world.materials.column("terminal")[world.materials[name]])


@pytest.mark.parametrize("name", ["sand", "water", "mud", "rubber"])
def test_a_falling_body_stays_whole(name: str) -> None:
    """Measured: each of 40 by 80 cells keeps its neighbour below for 60 ticks, over 150 to 270 cells."""
    world = atoms(420, 80, materials=CALM)
    world["material"][5:85, 20:60] = world.materials[name]
    world.draw_grain()
    body = where(run(world, 60), name)
    whole = (body[:-1] & body[1:]).sum() / (79 * 40)
    assert np.flatnonzero(body.any(axis=1))[0] > 150
    assert whole > 0.95, f"{name}: {whole:.1%} have their neighbour below"


@pytest.mark.parametrize("speed", [(0, -24), (48, -24), (0, -39), (0, -40)], ids=str)
@pytest.mark.parametrize("name", ["sand", "water"])
def test_a_thrown_body_stays_whole(name: str, speed: tuple[int, int]) -> None:
    """Also at the top of its path, where it has almost no speed and must not count as at rest."""
    world = atoms(160, 240, materials=CALM)
    world["material"][80:92, 60:72] = world.materials[name]
    world["velocity"][80:92, 60:72] = speed
    rows, columns = np.nonzero(where(run(world, 24), name))
    assert (np.ptp(rows), np.ptp(columns)) == (11, 11)


@pytest.mark.parametrize("speed", [-117, -72, -48, -30, -3])
@pytest.mark.parametrize("name", ["sand", "water", "rubber"])
def test_a_thrown_atom_follows_the_law_of_constant_acceleration(name: str, speed: int) -> None:
    """To within a cell, plus 1/16 cell for each tick since the top of its path, where its speed is never 0."""
    world = atoms(400, 3)
    world["material"][200, 1] = world.materials[name]
    world["velocity"][200, 1] = (0, speed)
    pull, terminal = laws_of(name)
    ticks = (terminal - speed) // pull - 1
    rows = [int(np.nonzero(where(state, name))[0][0]) - 200 for state in after_each_tick(world, ticks)]
    apart = np.abs(rows - in_air(pull, terminal, speed, ticks))
    allowed = 1 + np.maximum(np.arange(1, ticks + 1) + speed / pull, 0) / 16
    assert (apart <= allowed).all(), f"{apart.max()} cells from the law"


def test_an_atom_keeps_its_speed_when_it_falls_past_gas() -> None:
    """A grain that falls past a single atom of steam loses no speed."""
    world = atoms(60, 9)
    world["material"][[10, 30], 4] = world.materials["sand"], world.materials["steam"]
    speeds = [state["velocity"][where(state, "sand")][0, 1] for state in after_each_tick(world, 20)]
    assert (np.diff(speeds) >= 0).all()
