"""Water comes to rest, with one level in communicating vessels, and water at rest never moves again."""

from __future__ import annotations

import numpy as np
import pytest

from gpufluid import FULL, Drain, Emitter, Simulation, World

pytestmark = pytest.mark.usefixtures("device")


def u_tube() -> World:
    """A world of 24 x 24 cells: a middle wall with a gap of 4 rows below it, and 16 rows of water on the left."""
    world = World(24, 24, rules=("flow",))
    world["material"][:20, 11:13] = world.materials["wall"]
    world["mass"][8:, :11] = FULL
    return world


def hydrostatic(**laws: object) -> World:
    """A full box in which each row holds `max_compress` more than the row above."""
    world = World(12, 7, **{"rules": ("flow",), **laws})
    compress = world.fixed("flow")["max_compress"]
    world["mass"] = world.fixed("flow")["max_mass"] + compress * np.arange(12)[:, None]
    return world


def assert_at_rest(world: World) -> None:
    """Check that the activity is 0 and no array changes, with either side first."""
    with Simulation(world) as sim:
        for ticks in (1, 1, 100):
            sim.step(ticks)
            assert sim.activity() == 0
            assert sim.settled
        np.testing.assert_array_equal(sim.read()["mass"], world["mass"])


def test_a_u_tube_levels_and_settles() -> None:
    """Measured: activity 0 from tick 32,251 on, both surfaces in row 16. The mass is exact in every tick."""
    world = u_tube()
    with Simulation(world) as sim:
        while sim.tick == 0 or (sim.activity() and sim.tick < 60_000):
            sim.step(500)
            assert sim.read().total() == world.total()
        assert sim.settled
        after = sim.read()
    wet = after["mass"] > after.fixed("flow")["min_mass"]
    surfaces = wet.argmax(axis=0)[np.r_[:11, 13:24]]
    assert surfaces.min() == surfaces.max()
    assert_at_rest(after)


@pytest.mark.parametrize("compress", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("side_order", ["left", "alternate"])
def test_hydrostatic_water_rests_from_the_first_tick(compress: float, side_order: str) -> None:
    assert_at_rest(hydrostatic(parameters={"flow": {"max_compress": compress, "side_order": side_order}}))


def test_a_few_units_too_many_move_hydrostatic_water() -> None:
    world = hydrostatic()
    world["mass"][0, 3] += 4
    with Simulation(world) as sim:
        sim.step()
        assert sim.activity() > 0


@pytest.mark.parametrize(
    "world",
    [
        World(5, 5, rules=("flow",)),
        World(5, 5, rules=("flow",), edges="wrap"),
        World(1, 1, rules=("flow",), edges="open"),
    ],
    ids=repr,
)
def test_a_dry_world_rests(world: World) -> None:
    assert_at_rest(world)


def test_a_simulation_is_not_settled_before_its_first_tick() -> None:
    with Simulation(World(3, 3, rules=("flow",))) as sim:
        assert sim.activity() == 0
        assert not sim.settled


@pytest.mark.parametrize("port", [Emitter((0, 0), start=5, until=7), Drain((0, 0), start=5, until=7)], ids=repr)
def test_a_world_with_an_emitter_or_drain_to_come_is_not_settled(port: Emitter | Drain) -> None:
    kind = "emitters" if isinstance(port, Emitter) else "drains"
    with Simulation(World(1, 2, ("flow",), **{kind: [port]})) as sim:
        for _ in range(5):
            sim.step()
            assert not sim.settled
        sim.step(500)
        assert sim.settled


@pytest.mark.parametrize("kind", ["emitters", "drains"])
def test_ports_without_end_that_change_nothing_are_settled(kind: str) -> None:
    world = World(
        1, 1, ("flow",), **{kind: [Emitter((0, 0), rate=0.5) if kind == "emitters" else Drain((0, 0), rate=0.5)]}
    )
    world["mass"] = 0 if kind == "emitters" else FULL
    with Simulation(world) as sim:
        settled = []
        for _ in range(4):
            sim.step()
            settled.append(sim.settled)
    assert settled == [False, False, True, True]


def test_a_world_with_an_emitter_by_chance_is_not_settled() -> None:
    with Simulation(World(1, 1, rules=("flow",), emitters=[Emitter((0, 0), chance=2**-31)])) as sim:
        sim.step()
        assert sim.ledger.emitted == 0
        assert not sim.settled
