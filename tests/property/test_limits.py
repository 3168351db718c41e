"""The mass of a cell always lies between 0 and `MASS_LIMIT`, for all worlds and parameters."""

from __future__ import annotations

import numpy as np
import pytest
from support.selection import crossed
from support.worlds import random_world

from gpufluid import Drain, Emitter, Simulation, World
from gpufluid.core.fields import MASS_LIMIT

pytestmark = pytest.mark.usefixtures("device")

EXTREMES = (
    {"max_compress": 10.0, "max_speed": 100.0, "side_divisor": 1, "min_flow": 100.0},
    {"max_compress": 10.0, "max_speed": 100.0, "max_mass": 100.0, "substeps": 7},
    {"max_compress": 10.0, "max_mass": 0.01, "side_divisor": 1, "side_order": "right"},
    {"max_compress": 0.0, "max_mass": 0.01, "max_speed": 100.0, "min_flow": 0.0, "side_divisor": 1},
)
extreme = pytest.mark.parametrize("parameters", [{"flow": given} for given in EXTREMES], ids=range(len(EXTREMES)))


def assert_bounded(world: World, ticks: int) -> World:
    """Run a world and check, 20 times, that every mass is within its bounds and every unit is accounted for."""
    with Simulation(world) as sim:
        for _ in range(20):
            sim.step(ticks // 20)
            state = sim.read()
            assert state["mass"].min() >= 0
            assert state["mass"].max() <= MASS_LIMIT
            ledger = state.ledger
            assert world.total() + ledger.emitted - ledger.drained - ledger.left == state.total()
    return state


@extreme
def test_a_world_filled_to_the_limit_stays_as_it_is(parameters: dict) -> None:
    world = World(9, 7, rules=("flow",), parameters=parameters)
    world["mass"] = MASS_LIMIT
    assert (assert_bounded(world, 100)["mass"] == MASS_LIMIT).all()


@extreme
@pytest.mark.parametrize("edges", ["closed", "open", "wrap"])
def test_masses_at_the_limit_beside_dry_cells_and_walls_stay_bounded(parameters: dict, edges: str) -> None:
    world = random_world(17, 19, edges=edges, parameters=parameters)
    world["mass"] = np.where(world["mass"] > 0, MASS_LIMIT, 0)
    assert_bounded(world, 200)


@crossed(most=2, parameters=[{"flow": given} for given in EXTREMES], size=[(1, 1), (60, 1), (1, 60), (20, 9)])
def test_emitters_fill_cells_up_to_the_limit_and_no_further(parameters: dict, size: tuple[int, int]) -> None:
    sources = [Emitter((0, 0), rate=1000.0, level=1000.0) for _ in range(2)]
    state = assert_bounded(World(*size, rules=("flow",), parameters=parameters, emitters=sources), 400)
    assert state["mass"].max() > MASS_LIMIT // 2


def test_a_closed_cell_fills_and_drains_to_the_last_unit() -> None:
    emitter, drain = Emitter((0, 0), rate=333.3, level=1000.0, until=5), Drain((0, 0), rate=999.9, start=5)
    world = World(1, 1, rules=("flow",), emitters=[emitter], drains=[drain])
    with Simulation(world) as sim:
        sim.step(5)
        assert sim.read().total() == MASS_LIMIT
        sim.step(2)
        assert sim.read().total() == 0
        assert sim.ledger.emitted == sim.ledger.drained == MASS_LIMIT
