"""Sprays: they keep their velocity, bend under gravity, and do not dribble (seed 004, "Spraying Fluids")."""

from __future__ import annotations

import numpy as np
import pytest
from support.behaviour import after, at, box

from gpufluid import Emitter, Simulation

pytestmark = pytest.mark.usefixtures("device")

NOZZLE, FLOOR = (20, 150), 199
VELOCITY = (3.0, -4.0)


def ballistic_range(terminal: float) -> float:
    """Columns from the nozzle to the floor, by the same law tick by tick, for an atom that nothing hinders."""
    x, y, speed = float(NOZZLE[0]), float(NOZZLE[1]), VELOCITY[1]
    while y < FLOOR:
        speed = min(speed + 3 / 16, terminal)
        x, y = x + VELOCITY[0], y + speed
    return x - NOZZLE[0]


@pytest.mark.parametrize(("material", "scatter"), [("water", 0.0), ("water", 0.25), ("sand", 0.25)])
def test_a_spray_reaches_as_far_as_its_velocity_takes_it_and_does_not_dribble(material: str, scatter: float) -> None:
    """There is no floor, so that none runs on and is counted twice: what passes falls out of the world."""
    hose = Emitter(NOZZLE, (3, 3), material=material, velocity=VELOCITY, scatter=scatter, until=150)
    world = box(FLOOR + 4, 500, [hose], edges="open")
    columns = []
    with Simulation(world) as sim:
        while sim.tick < 260:
            sim.step()
            columns += np.argwhere(at(sim.read(), material)[FLOOR - 4 : FLOOR])[:, 1].tolist()
    reached = np.array(columns) - (NOZZLE[0] + 1)
    assert len(reached) > 300
    wanted = ballistic_range(world.materials.records[world.materials[material]].terminal)
    assert reached.mean() == pytest.approx(wanted, rel=0.1)
    assert (reached < 0.5 * wanted).mean() < 0.05


@pytest.mark.parametrize("material", ["fire", "steam"])
def test_a_gas_is_sprayed_too(material: str) -> None:
    hose = Emitter((10, 60), (2, 2), material=material, velocity=(4.0, 0.0), until=20)
    later = after(box(120, 200, [hose]), 25)
    columns = np.argwhere(at(later, material))[:, 1]
    assert columns.max() > 80
    assert columns.mean() > 40


def test_a_jet_is_thrown_back_by_a_wall() -> None:
    hose = Emitter((10, 30), (2, 2), material="water", velocity=(5.0, 0.0), until=6)
    world = box(200, 60, [hose], gravity="off")
    with Simulation(world) as sim:
        sim.step(20)
        state = sim.read()
    water = at(state, "water")
    assert (state["velocity"][:, :, 0][water] < 0).any()
    assert water.sum() == state.atoms["water"].emitted


def test_what_leaves_over_an_open_edge_is_counted() -> None:
    hose = Emitter((50, 20), (3, 3), material="sand", velocity=(2.0, -3.0), scatter=0.5, until=100)
    later = after(box(60, 100, [hose], edges="open"), 600)
    ledger = later.atoms["sand"]
    assert ledger.emitted == ledger.left > 300
    assert not later["material"].any()
