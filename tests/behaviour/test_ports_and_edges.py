"""Emitters give atoms a velocity, drains remove atoms, atoms leave through open edges; each atom is counted."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import CALM, atoms, run, where
from support.selection import mostly_long

from gpufluid import Drain, Emitter, Simulation

pytestmark = pytest.mark.usefixtures("device")


@pytest.mark.parametrize("scatter", [0.0, 0.5, 2.0])
def test_an_emitter_gives_its_velocity_and_scatters_it_evenly(scatter: float) -> None:
    """Atoms are emitted so sparsely that none meets another in the first tick; no gravity changes velocities."""
    hose = Emitter((20, 20), (400, 200), material="water", velocity=(2.5, -1.25), scatter=scatter, rate=0.01, until=1)
    world = atoms(240, 440, gravity="off", emitters=[hose], materials=CALM)
    after = run(world, 1)
    velocity = after["velocity"][where(after, "water")].astype(int)
    assert 600 < len(velocity) == after.atoms["water"].emitted < 1000
    apart, most = velocity - (40, -20), round(16 * scatter)
    assert np.abs(apart).max() == most
    np.testing.assert_array_less(np.abs(apart.mean(axis=0)), 0.1 * most + 0.5)
    if scatter:
        assert (apart.min(axis=0) == -most).all()
        assert (apart.max(axis=0) == most).all()
        assert abs(np.mean(apart[:, 0] * apart[:, 1])) < 0.05 * most**2


def test_an_emitter_waits_until_its_cells_are_empty() -> None:
    world = atoms(6, 3, emitters=[Emitter((0, 0), (3, 2), material="sand")])
    after = run(world, 200)
    assert after.atoms["sand"].emitted == where(after, "sand").sum() == 18


def test_the_rate_of_an_emitter_is_a_chance_per_cell() -> None:
    """About half of the cells of an emitter get an atom."""
    hose = Emitter((0, 0), (100, 40), material="sand", rate=0.5, until=1)
    after = run(atoms(40, 100, gravity="off", emitters=[hose]), 1)
    assert abs(after.atoms["sand"].emitted / 4000 - 0.5) < 0.03


@pytest.mark.parametrize(("material", "least", "most"), [("water", 0, 36), ("sand", 100, 500)])
def test_a_drain_removes_the_atoms_that_reach_it_and_counts_them(material: str, least: int, most: int) -> None:
    """Of water, a film of one row without pressure may remain; of sand, the slopes on both sides remain."""
    world = atoms(40, 40, drains=[Drain((18, 39), (4, 1))])
    world["material"][20:] = world.materials[material]
    with Simulation(world) as sim:
        while not sim.settled and sim.tick < 1500:
            sim.step(50)
        assert sim.settled
        after = sim.read()
    remaining = int(where(after, material).sum())
    assert after.atoms[material].drained == 800 - remaining
    assert least <= remaining <= most, f"{remaining} atoms remain"


def test_the_rate_of_a_drain_is_a_chance_per_atom() -> None:
    """About a tenth of the cells lose their atom in a tick."""
    world = atoms(40, 100, drains=[Drain((0, 0), (100, 40), rate=0.1)])
    world["material"] = world.materials["mud"]
    assert abs(run(world, 1).atoms["mud"].drained / 4000 - 0.1) < 0.02


@pytest.mark.parametrize(
    "gravity",
    mostly_long(["down", "up", "left", "right"], "down", why="another gravity; the oracle has each"),
)
def test_all_atoms_leave_over_an_open_edge_and_are_counted(gravity: str) -> None:
    world = atoms(40, 40, edges="open", gravity=gravity)
    world["material"][10:30, 10:20] = world.materials["water"]
    world["material"][10:30, 20:30] = world.materials["mud"]
    world["material"][15:25, 5:8] = world.materials["steam"]
    with Simulation(world) as sim:
        sim.step(200)
        after = sim.read()
    assert not after["material"].any()
    assert {name: after.atoms[name].left for name in after.atoms} == {"water": 200, "mud": 200, "steam": 30}
