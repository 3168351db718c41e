"""Sprays of any material reach their ballistic range, and few atoms fall short (seed 004)."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import CALM, Follower, after_each_tick, atoms, in_air, pull_of, where
from support.selection import mostly_long

from gpufluid import Emitter, Simulation

pytestmark = pytest.mark.usefixtures("device")

NOZZLE, GROUND, SPRAYING = (4, 60), 110, 60
"""Where a spray begins, far above the ground so that no heap grows up to it, and for how many ticks."""


def ballistic_range(pull: int, terminal: int, velocity: tuple[float, float]) -> float:
    """The horizontal distance in cells at which an unhindered atom returns to its starting height."""
    depth = in_air(pull, terminal, round(16 * velocity[1]), 200)
    ticks = int(np.argmax(depth >= 0)) + 1
    return ticks * velocity[0]


def ranges(material: str, velocity: tuple[float, float], width: int, scatter: float) -> tuple[np.ndarray, float]:
    """(atoms,) the horizontal distance in cells of each atom when it falls past the nozzle; and the ballistic range."""
    hose = Emitter(NOZZLE, (width, width), material=material, velocity=velocity, scatter=scatter, until=SPRAYING)
    world = atoms(GROUND, 240, emitters=[hose])
    begun, flown = {}, {}
    with Simulation(world, trace=True) as sim:
        follower = Follower(sim, material)
        for _ in range(SPRAYING + 60):
            for number, row, column, (across, down) in zip(*(part.tolist() for part in follower.step()), strict=True):
                begun.setdefault(number, column - across / 16)
                if number not in flown and row >= NOZZLE[1] + width - 1 and down >= 0:
                    flown[number] = column - begun[number]
        emitted = sim.atoms[material].emitted
    assert len(flown) == emitted > SPRAYING / 2
    terminal = world.materials.column("terminal")[world.materials[material]]
    return np.array(list(flown.values())), ballistic_range(pull_of(world, material), terminal, velocity)


@pytest.mark.parametrize("material", mostly_long(["water", "sand"], "water", why="another material in the same jets"))
@pytest.mark.parametrize(
    ("velocity", "width", "scatter"), [((3.0, -3.0), 1, 0.0), ((2.0, -4.0), 2, 0.25), ((4.5, -2.5), 3, 0.5)]
)
def test_a_spray_reaches_the_ballistic_range_and_few_atoms_fall_short(
    material: str, velocity: tuple[float, float], width: int, scatter: float
) -> None:
    """Measured: the mean is 98 to 100 % of the range, and no atom comes down before half of it."""
    flown, law = ranges(material, velocity, width, scatter)
    mean, short = flown.mean(), (flown < law / 2).mean()
    assert abs(mean - law) < 0.1 * law, f"{mean:.1f} cells on average, {law:.1f} by the law"
    assert short < 0.05, f"{short:.1%} come down before half of {law:.1f} cells"


@pytest.mark.parametrize("gas", ["fire", "steam", "smoke"])
def test_gas_keeps_its_horizontal_speed(gas: str) -> None:
    """Nothing slows a gas in empty cells."""
    nozzles = [Emitter((6, row), material=gas, velocity=(4.0, 0.0), until=1) for row in range(60, 300, 6)]
    states = after_each_tick(atoms(306, 140, emitters=nozzles, materials=CALM), 20)
    for state in states:
        assert (state["velocity"][where(state, gas)][:, 0] == 64).all()
    columns = np.nonzero(where(states[-1], gas))[1] - 6
    assert len(columns) == len(nozzles)
    assert abs(columns.mean() - 80) < 8, f"{columns.mean():.1f} cells on average, 80 by the law"


def test_a_jet_rebounds_from_a_wall_with_less_speed() -> None:
    world = atoms(60, 40, emitters=[Emitter((20, 30), material="water", velocity=(5.0, -1.0), until=1)])
    speeds = [int(state["velocity"][where(state, "water")][0, 0]) for state in after_each_tick(world, 8)]
    assert speeds[0] == 80
    assert -80 < speeds[-1] < 0
