"""Pictures of rule mixture: blended colours, an overlay for each material, the inspector's lines."""

from __future__ import annotations

import numpy as np
import pytest

from gpufluid import FULL, Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer.inspector import inspect_cell
from gpufluid.viewer.live_statistics import LiveStatistics

pytestmark = pytest.mark.usefixtures("device")


def pair() -> World:
    """Four cells: empty, half water, full of ice and half water, and wall."""
    world = World(1, 4, ("mixture",))
    world["mixture"][world.mixture["water"], 0] = [0, FULL // 2, FULL // 2, 0]
    world["mixture"][world.mixture["ice"], 0, 2] = FULL
    world["material"][0, 3] = world.materials["wall"]
    return world


def colour(world: World, name: str) -> np.ndarray:
    return np.array(world.materials.records[world.materials[name]].colour)


def test_colours_are_blended_by_amount_with_the_last_material_on_top() -> None:
    world = pair()
    ground = colour(world, "empty")
    with Simulation(world) as sim:
        frame = sim.frame().astype(int)
    assert np.abs(frame[0, 0] - ground).max() <= 1
    assert np.abs(frame[0, 1] - (ground + colour(world, "water")) / 2).max() <= 1
    assert np.abs(frame[0, 2] - colour(world, "ice")).max() <= 1  # the last layer is on top


def test_an_overlay_shows_one_material_or_all_together() -> None:
    world = pair()
    with Simulation(world) as sim:
        water, ice, total = (sim.frame(overlay=name).astype(int) for name in ("water", "ice", "total"))
        with pytest.raises(UsageError, match="'oil' is not an overlay of this world"):
            sim.frame(overlay="oil")
    np.testing.assert_array_equal(water[0, 1], water[0, 2])
    np.testing.assert_array_equal(ice[0, 1], ice[0, 0])  # no ice: the same as the empty cell
    assert (total[0, 1] != total[0, 2]).any()
    assert (water[0, 1] != water[0, 0]).any()


def test_inspector_and_live_statistics_show_amounts_and_counts() -> None:
    world = pair()
    with Workbench(world) as sim:
        said = dict(inspect_cell(sim, (2, 0)))
        assert (said["water"], said["sand"]) == (f"0.5000 cells ({FULL // 2} units)", "0.0000 cells (0 units)")
        statistics = LiveStatistics(world)
        for now in (0.0, 1e6):  # counts requested in one update arrive in the next
            statistics.update(sim, now, 0, shown=True, paused=True)
        assert {name: kept[-1] for name, kept in statistics.counts.items()} == {"water": 1, "ice": 1, "wall": 1}
