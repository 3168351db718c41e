"""The peers with which gpufluid is compared: those with the same law have the same cells as the oracle."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
from support.worlds import ODD_TABLE, random_atoms, random_world

from gpufluid import World, oracle

os.environ.setdefault("NUMBA_OPT", "0")  # compiles in half the time; the tool itself checks the optimised code
pytest.importorskip("numba", reason="numba is not installed: pip install -e '.[peers]'")

from peers import numba_flow, numba_sand, numba_settle  # the comparison's own modules, in tools/
from peers.layouts import masses_of, ranks_of, words_of
from peers.ours import fields_side_by_side, settles
from peers.plain_sand import offset

SIZE = 40, 48
THREADS = 2


def sand_and_water(height: int, width: int) -> World:
    return random_atoms(height, width, kinds=("sand", "water"), fastest=0, luck=4)


@pytest.mark.parametrize("peer", [numba_flow.Rows, numba_flow.Plain])
def test_flow_in_numba_equals_the_oracle(peer: Callable) -> None:
    parameters = {"flow": {"side_divisor": 3, "substeps": 2}}
    world = random_world(*SIZE, luck=1, most=2**22, parameters=parameters, tick=2**40 + 1)
    running = peer(world, THREADS)
    np.testing.assert_array_equal(running.state(), world["mass"])
    running.step(6)
    np.testing.assert_array_equal(running.state(), oracle.step(world, 6)["mass"])
    running.begin()
    np.testing.assert_array_equal(running.state(), world["mass"])


@pytest.mark.parametrize(
    "how",
    [
        {"fastest": 3},
        {"fastest": 126, "filled": 1.0},
        {"fastest": 0, "materials": ODD_TABLE},
        {"fastest": 3, "kinds": ("water", "sand", "oil", "methane", "smoke", "wall")},
    ],
    ids=["slow", "fast", "odd", "fluids"],
)
def test_settle_in_numba_equals_the_oracle(how: dict[str, object]) -> None:
    """All partitions over ticks and substeps, on odd sides, also when the tick overflows 32 bits."""
    world = random_atoms(41, 47, luck=3, seed=9, tick=2**32 - 2, **how)
    running, calls, after = numba_settle.Settle(world, THREADS), settles(world), world.copy()
    for runs in (1, 1, 2, 6):
        running.step(runs)
        for call in islice(calls, runs):
            oracle.apply(after, call)
        np.testing.assert_array_equal(running.state(), fields_side_by_side(after))
    assert (after["material"] != world["material"]).any()


@pytest.mark.parametrize("peer", [numba_sand.Loop, numba_sand.Margolus])
def test_the_plain_sands_conserve_atoms_and_end_in_layers(peer: Callable) -> None:
    world = sand_and_water(*SIZE)
    running = peer(world, THREADS)
    counts = np.bincount(running.state().ravel(), minlength=3)
    running.step(1)
    assert (running.state() != ranks_of(world)).any()
    running.step(400)
    ranks = running.state()
    np.testing.assert_array_equal(np.bincount(ranks.ravel(), minlength=3), counts)
    middle = [np.nonzero(ranks == rank)[0].mean() for rank in (0, 1, 2)]
    assert middle == sorted(middle)
    assert not (ranks[1:] < ranks[:-1]).sum() > 8  # almost no dense matter is left above lighter matter


def test_the_plain_sand_uses_every_partition_offset() -> None:
    assert {offset(tick) for tick in range(4)} == {(0, 0), (0, 1), (1, 0), (1, 1)}


@pytest.mark.parametrize(
    ("layout", "world"),
    [
        (masses_of, World(4, 4, rules=("flow",), edges="wrap")),
        (words_of, World(4, 4, ("atoms",), edges="open")),
        (words_of, World(4, 4, ("atoms",), gravity="left")),
        (ranks_of, random_atoms(8, 8, kinds=("oil",))),
    ],
)
def test_worlds_that_the_peers_do_not_support_are_refused(layout: Callable, world: World) -> None:
    with pytest.raises(ValueError, match="peers support"):
        layout(world)
