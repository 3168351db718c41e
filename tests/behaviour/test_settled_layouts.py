"""A world is settled at the same tick in each layout of a rule."""

from __future__ import annotations

import pytest

from gpufluid import FULL, Simulation, World


@pytest.mark.usefixtures("device")
def test_water_beside_atoms_is_quiet_for_as_long_in_each_layout() -> None:
    """Where a layout copies masses to another texture, tiles wake at changes that no atom sees; these are no motion."""
    world = World(12, 12, ("flow", "atoms"), parameters={"flow": {"min_flow": 0.0}})
    world["mass"][11, 0:5] = FULL
    world["mass"][8:11, 2] = FULL
    with (
        Simulation(world, variant={"atoms": "lines"}) as lines,
        Simulation(world, variant={"atoms": "strips"}) as strips,
    ):
        for _ in range(14):
            lines.step(100)
            strips.step(100)
            assert lines.digest() == strips.digest()
            assert lines.quiet_ticks() == strips.quiet_ticks()
            assert lines.settled == strips.settled
