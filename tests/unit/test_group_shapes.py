"""Work groups in two rows, as on a GPU: no shader may rely on the shape used on software OpenGL."""

from __future__ import annotations

import numpy as np
import pytest
from support.selection import crossed
from support.worlds import random_atoms

from gpufluid import FULL, Simulation, World
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES

pytestmark = pytest.mark.usefixtures("device")


def half_still(rules: tuple[str, ...]) -> World:
    """A world in which some tiles soon sleep."""
    if rules == ("atoms",):
        world = random_atoms(70, 150, luck=1, kinds=("sand", "water", "smoke"))
        world["material"][:, 60:110] = 0
        for name in ("velocity", "grain"):
            world[name][:, 60:110] = 0
        return world
    world = World(70, 150, rules=("flow",))
    world["mass"][40:, :50] = FULL
    world["mass"][:20, 120:] = np.random.default_rng(0).integers(0, FULL, (20, 30))
    return world


@crossed(most=2, rules=[("flow",), ("atoms",)], software=[True, False])
def test_every_variant_gives_the_same_state(
    rules: tuple[str, ...], software: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = half_still(rules)
    with Simulation(world) as sim:
        sim.step(60)
        wanted = sim.digest()
    monkeypatch.setattr(Device, "group_size", property(lambda _: (32, 2)))
    monkeypatch.setattr(Device, "software", property(lambda _: software))
    for variant in RULES[rules[0]].variants:
        for sleeping in (True, False):
            with Simulation(world, variant=variant.name, sleeping=sleeping) as sim:
                sim.step(60)
                assert sim.digest() == wanted, (variant.name, sleeping)


@crossed(strip=[(1, 1), (4, 1), (1, 2), (3, 16)], edges=["closed", "wrap"])
def test_strips_of_any_shape_are_equal_asleep_and_awake(strip: tuple[int, int], edges: str) -> None:
    """A change spreads by two cells in a tick, also across tiles of one row."""
    world = World(40, 60, rules=("flow",), edges=edges)
    world["mass"][25:, :30] = FULL
    world["mass"][3:6, 40:44] = FULL // 3
    with Simulation(world, strip=strip) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(8):
            asleep.step(15)
            awake.step(15)
            assert asleep.digest() == awake.digest()
