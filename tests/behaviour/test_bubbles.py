"""Gas that leaves a shelf under water rises in bubbles of several cells, not as single cells one behind the other."""

from __future__ import annotations

import pytest
from support.atoms import alone, atoms, where

from gpufluid import Simulation

pytestmark = pytest.mark.usefixtures("device")

TOP, SHELF = 20, 90
"""The surface of the water, and the row of the shelf."""


@pytest.mark.parametrize("gas", ["methane", "steam", "smoke"])
def test_gas_from_under_a_shelf_rises_in_bubbles(gas: str) -> None:
    """Measured: 2 to 3 % of its cells have no other beside them; where all bubbles are equally fast 7 to 15 %."""
    world = atoms(130, 80)
    world["material"][TOP:] = world.materials["water"]
    world["material"][100:120, 30:50] = world.materials[gas]
    world["material"][SHELF : SHELF + 2, 25:55] = world.materials["stone"]
    single = risen = 0
    with Simulation(world) as sim:
        for _ in range(30):
            sim.step(15)
            there = where(sim.read(), gas)
            risen += there[TOP:SHELF].sum()
            single += alone(there)[TOP:SHELF].sum()
    assert risen > 1000
    assert single < 0.05 * risen, f"{single / risen:.1%}"
