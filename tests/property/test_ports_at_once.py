"""A dispatch that serves several emitters or drains changes the world as they do one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from support.following import follow_by_ticks
from support.mixtures import ponds
from support.selection import crossed, mostly_long
from support.worlds import moving_water, random_atoms, random_world

from gpufluid import Batch, Drain, Emitter, Simulation, World
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

ATOMS = ["water", "sand", "smoke"]

WORLDS: dict[str, Callable[..., World]] = {
    "atoms": lambda **laws: random_atoms(34, 40, filled=0.4, **laws),
    "flow and atoms": lambda **laws: random_atoms(34, 40, filled=0.4, rules=("flow", "atoms"), **laws),
    "flow": lambda **laws: random_world(34, 40, **laws),
    "inertia": lambda **laws: moving_water(34, 40, **laws),
    "mixture": lambda **laws: ponds(34, 40, 3, **laws),
}


def many_ports(luck: int, materials: Sequence[str], side: int = 34) -> dict[str, Any]:
    """Some forty ports, of which many overlap, touch, or lie a few cells apart, as arguments of `World`."""
    rng = np.random.default_rng(luck)

    def place() -> tuple[tuple[int, int], tuple[int, int]]:
        width, height = (int(cells) for cells in rng.integers(1, 6, 2))
        return (int(rng.integers(side - width)), int(rng.integers(side - height))), (width, height)

    emitters = [
        Emitter(*place(), material=materials[number % len(materials)], rate=0.6, chance=0.7, velocity=(2.0, -1.0))
        for number in range(20)
    ]
    return {"emitters": emitters, "drains": [Drain(*place(), rate=None if number % 3 else 0.3) for number in range(20)]}


@pytest.mark.parametrize(
    "name", mostly_long(list(WORLDS), "atoms", "mixture", why="another rule; all have the same dispatches of ports")
)
def test_many_ports_equal_the_oracle_which_serves_one_at_a_time(name: str) -> None:
    world = WORLDS[name](**many_ports(5, ATOMS if "atoms" in name else ["water"]))
    with Simulation(world) as sim:
        calls = [call for call in sim.calls() if call.port is not None]
        served = [len(each) for each in world.schedule().dispatches(0) if each[0].port is not None]
        assert sum(served) == len(calls)
        assert len(served) < len(calls) / 2
    follow_by_ticks(world, 3)


@crossed(most=1, together=1, edges=EDGES, gravity=GRAVITIES)
def test_ports_among_atoms_equal_the_oracle_under_all_laws(edges: Edges, gravity: Gravity) -> None:
    follow_by_ticks(random_atoms(34, 40, filled=0.4, luck=6, edges=edges, gravity=gravity, **many_ports(7, ATOMS)), 3)


def test_a_batch_serves_several_slots_at_once() -> None:
    worlds = [random_atoms(20, 24, filled=0.4, luck=number, **many_ports(number, ATOMS, 20)) for number in range(3)]
    with Batch(worlds) as batch:
        batch.step(3)
        together = batch.digests()
    for world, digest in zip(worlds, together, strict=True):
        with Simulation(world) as sim:
            sim.step(3)
            assert sim.digest() == digest
