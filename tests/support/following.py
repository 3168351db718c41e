"""Runs the GPU and the oracle in parallel and compares all readable state, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from support.worlds import assert_equal

from gpufluid import Simulation, World, oracle
from gpufluid.core.moves import moves, origins
from gpufluid.rules import Call


def follow_by_passes(
    world: World, ticks: int, after: Callable[[Simulation, World, Call], object] | None = None, **options: Any
) -> None:
    """Run the GPU and the oracle pass by pass, and compare. ``world`` ends as the oracle's state.

    Args:
        after: makes further assertions after each pass that the GPU runs.
        options: arguments of `Simulation`; with ``trace`` the move of each atom is compared too.
    """
    world.scratch["tag"] = origins(world.height, world.width)
    with Simulation(world, **options) as sim:
        for _ in range(ticks):
            for call in sim.calls():
                runs = call.pass_.full_name in sim.running
                if runs:
                    sim.run(call)
                if not call.pass_.analysis_only:
                    oracle.apply(world, call)
                assert_equal(sim, world)
                if options.get("trace"):
                    assert_moves_equal(sim, world)
                if after and runs and not call.pass_.analysis_only:
                    after(sim, world, call)
            world.tick += 1
            sim.tick += 1


def follow_by_ticks(world: World, ticks: int, **options: Any) -> World:
    """Run the GPU and the oracle tick by tick, and compare. Returns ``world``, which is then the last state."""
    with Simulation(world, **options) as sim:
        assert_equal(sim, world)
        for _ in range(ticks):
            world.scratch["tag"] = origins(world.height, world.width)
            sim.step()
            moved = oracle.tick(world).moved
            assert_equal(sim, world)
            assert sim.contents() == world.contents()
            assert not world.has_amounts or sim.activity() == moved
            if options.get("trace"):
                assert_moves_equal(sim, world)
    return world


def cells_changed_by(name: str, world: World) -> int:
    """The number of cells whose material one pass of the oracle changes in a world's next tick.

    Args:
        name: the pass, as ``rule.pass``.
        world: the world, which is not changed.
    """
    world, changed = world.copy(), 0
    for call in world.schedule().calls(world.tick):
        before = world["material"].copy()
        oracle.apply(world, call)
        changed += int((world["material"] != before).sum()) if call.pass_.full_name == name else 0
    return changed


def step_until_settled(sim: Simulation, ticks: int, most: int) -> None:
    """Run a simulation until it has settled.

    Args:
        sim: the simulation.
        ticks: the number of ticks between two tests.
        most: the largest number of tests.
    Raises: AssertionError: the simulation has not settled by then.
    """
    for _ in range(most):
        sim.step(ticks)
        if sim.settled:
            return
    raise AssertionError(f"not settled at tick {sim.tick}")


def assert_moves_equal(sim: Simulation, world: World) -> None:
    """The move of each atom in this tick."""
    wanted = moves(world.scratch["tag"].astype(np.uint32), world["material"], world.edges == "wrap")
    np.testing.assert_array_equal(sim.moves(), wanted)
