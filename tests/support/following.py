"""The GPU and the oracle side by side: all that can be read of them agrees, to the last bit."""

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
    """Run both, a pass at a time. ``world`` ends as the oracle's state.

    Args:
        after: what is asserted of each pass besides.
        options: of the `Simulation`; with ``trace`` each atom's move is compared too.
    """
    world.scratch["tag"] = origins(world.height, world.width)
    with Simulation(world, **options) as sim:
        for _ in range(ticks):
            for call in sim.calls():
                sim.run(call)
                if not call.pass_.analysis_only:
                    oracle.apply(world, call)
                assert_equal(sim, world)
                if options.get("trace"):
                    assert_moves_equal(sim, world)
                if after and not call.pass_.analysis_only:
                    after(sim, world, call)
            world.tick += 1
            sim.tick += 1


def follow_by_ticks(world: World, ticks: int, **options: Any) -> World:
    """Run both, a tick at a time. Returns ``world``, now the state that they agree on."""
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


def assert_moves_equal(sim: Simulation, world: World) -> None:
    """How far each atom has moved in this tick."""
    wanted = moves(world.scratch["tag"].astype(np.uint32), world["material"], world.edges == "wrap")
    np.testing.assert_array_equal(sim.moves(), wanted)
