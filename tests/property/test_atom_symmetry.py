"""Law 5 for rule atoms: exact mirror symmetry, and the same result in every direction of gravity."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import TURNED_GRAVITY, assert_mirrored, atoms, mirrored, run, turned
from support.selection import crossed, mostly_long
from support.worlds import random_atoms

from gpufluid import Drain, Emitter, Simulation, World, oracle

pytestmark = pytest.mark.usefixtures("device")

PORTS = {
    "emitters": [
        Emitter((3, 2), (2, 1), material="water", velocity=(1.75, -0.5), scatter=0.6, rate=0.7),
        Emitter((9, 8), (1, 3), material="sand", velocity=(-2.5, 0.0)),
        Emitter((13, 12), (4, 2), material="steam", velocity=(0.0, 1.0), scatter=2.0, chance=0.4, until=9),
    ],
    "drains": [Drain((5, 14), (3, 2), rate=0.5)],
}


def landscape(height: int, width: int, **laws) -> World:
    """Matter at rest that will slide, sink, spread and rise, all on one side of a wall."""
    world = atoms(height, width, **laws)
    names = world.materials
    world["material"][-3:] = names["salt water"]
    world["material"][-9:, 1:6] = names["water"]
    world["material"][:7, 2:5] = names["sand"]
    world["material"][-2:, 6:9] = names["methane"]
    world["material"][4:8, 9:12] = names["mud"]
    world["material"][3, 8:] = names["wood"]
    world.draw_grain()
    return world


@crossed(most=1, gravity=["down", "up", "off"], width=[21, 38], edges=["closed", "open", "wrap"])
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    width: int, edges: str, gravity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    width += edges == "wrap" and width % 2  # a torus has even sides
    laws = {"edges": edges, "gravity": gravity, "seed": width}
    assert_mirrored(random_atoms(18, width, luck=width, **laws), 4, monkeypatch)
    assert_mirrored(landscape(24, width, **laws), 8, monkeypatch)


def test_a_fluid_under_a_layer_of_another_gives_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(40, 45, ("atoms",), seed=2)
    world["material"] = world.materials["oil"]
    world["material"][5:, :20] = world.materials["water"]
    world.draw_grain()
    assert_mirrored(world, 12, monkeypatch)


def test_bodies_that_bounce_give_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    world = atoms(24, 37)
    rows, columns = np.mgrid[:24, :37]
    for row, column, velocity in ((15, 9, (40, 30)), (12, 25, (-50, 60)), (5, 15, (90, -20))):
        disc = (rows - row) ** 2 + (columns - column) ** 2 <= 14
        world["material"][disc] = world.materials["rubber"]
        world["velocity"][disc] = velocity
    assert_mirrored(world, 12, monkeypatch)


@pytest.mark.parametrize("width", mostly_long([20, 23], 23, why="another width"))
def test_ports_and_open_edges_give_the_mirrored_result(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world = landscape(20, width, edges="open", **PORTS)
    assert_mirrored(world, 20, monkeypatch)
    after = oracle.step(world, 20)
    assert min(after.atoms[name].emitted for name in ("water", "sand", "steam")) > 0
    assert min(after.atoms["water"].drained, after.atoms["water"].left) > 0


def test_without_mirrored_chance_the_result_is_not_mirrored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without mirrored random numbers, the mirrored world takes another course."""
    world = landscape(24, 20)
    mirror = oracle.step(mirrored(world), 4)
    assert mirror.digest() != mirrored(oracle.step(world, 4)).digest()
    assert_mirrored(world, 4, monkeypatch)


@crossed(most=1, edges=["closed", "open", "wrap"], quarters=[1, 2, 3])
def test_a_turned_world_turned_back_has_the_same_digest(quarters: int, edges: str) -> None:
    for world in (random_atoms(26, 40, luck=quarters, edges=edges, **PORTS), landscape(26, 40, edges=edges, **PORTS)):
        other = turned(world, quarters)
        assert other.gravity == TURNED_GRAVITY[quarters]
        assert turned(other, 4 - quarters).digest() == world.digest()
        for ticks in (1, 40):
            straight, round_about = run(world, ticks), turned(run(other, ticks), 4 - quarters)
            assert round_about.digest() == straight.digest()
            assert round_about.atoms == straight.atoms


def test_a_turned_world_with_unturned_gravity_has_another_digest() -> None:
    world = landscape(26, 40)
    other = turned(world, 2)
    other.gravity = "down"
    with Simulation(other) as sim:
        sim.step(10)
        other = sim.read()
    other.gravity = "up"
    assert turned(other, 2).digest() != run(world, 10).digest()
