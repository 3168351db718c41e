"""A picture of a world that ranks share, of which each draws its rows, is that of one process to the last bit."""

from __future__ import annotations

import pytest
from support import ranked
from support.standing import Team

PROGRAM = "shared_pictures"
WHOLE = "minutes of compilation, because each rank compiles; the short run has a world of water"


def test_pictures_of_water_on_three_ranks_are_those_of_one(team: Team) -> None:
    assert team.run(3, PROGRAM, "short") == ranked.Answer(0, "", "")


@pytest.mark.long(WHOLE)
@pytest.mark.parametrize(
    ("case", "ranks"),
    [
        ("short", 1),
        ("all", 3),
        ("grids", 6),
        ("bands", 3),
        ("moving", 4),
    ],
)
def test_pictures_of_worlds_on_some_ranks_are_those_of_one(case: str, ranks: int, team: Team) -> None:
    """All edges and directions of gravity, all kinds of scales, parts, sizes, themes and overlays.

    Of water, atoms, heat, reactions and mixtures; in one band and in many; before and after borders move.
    """
    assert team.run(ranks, PROGRAM, case) == ranked.Answer(0, "", "")


BEGIN = """
import numpy as np
from mpi4py import MPI
from gpufluid import World
from gpufluid.cluster import Simulation, drawing
from gpufluid.gpu.device import shared_device

rank = MPI.COMM_WORLD.rank
world = World(4096, 1024, rules=("flow",)) if rank == 0 else None
"""
"""The begin of programs of several ranks that share a world."""

MEMORY = """
drawing.BAND = 1 << 16
if rank == 0:
    world["mass"][2048:] = 1 << 20

def refused(*_):
    raise AssertionError("all of the world was read")

Simulation.read = Simulation.read_window = refused
with Simulation(world) as sim:
    sim.step(1)
    before = sim._rank.memory.held
    picture = sim.frame("1/64", theme="night")
    taken = MPI.COMM_WORLD.gather(sim._rank.memory.held - before)
    if rank == 0:
        print(picture.shape, before > 8 * 1024 * 1024, max(taken) < before)
"""


@pytest.mark.long(WHOLE)
def test_a_rank_draws_in_little_memory_and_reads_no_whole_world() -> None:
    """At 65,536 cells a band, and those around them, it takes less than the planes of its part."""
    assert ranked.run(4, "-c", BEGIN + MEMORY) == ranked.Answer(0, "(64, 16, 3) True True\n", "")


LIMIT = """
shared_device().max_side = (400, 300, 500)[rank]
if rank == 0:
    world = World(96, 20, rules=("flow",))
with Simulation(world) as sim:
    try:
        sim.frame(16)
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    answers = MPI.COMM_WORLD.gather(found)
    if rank == 0:
        print(answers.count(answers[0]), answers[0], sim.frame(3).shape)
    else:
        sim.frame(3)
"""


@pytest.mark.long(WHOLE)
def test_a_picture_over_the_limit_of_a_device_is_refused_on_all_ranks() -> None:
    said = "UsageError: scale: 16; a picture of 320 by 1536 pixels is over this device's limit of 300 a side"
    assert ranked.run(3, "-c", BEGIN + LIMIT) == ranked.Answer(0, f"3 {said} (288, 60, 3)\n", "")


TALL = """
from gpufluid import Simulation as Alone

rows, first, end = shared_device().max_side + 3000, 6000, 7400
if rank == 0:
    world = World(rows, 8, rules=("atoms",))
    kinds = [world.materials[name] for name in ("empty", "sand", "water", "oil")]
    world["material"] = np.random.default_rng(1).choice(kinds, (rows, 8))
with Simulation(world) as sim:
    whole = [sim.frame("1/64"), sim.frame(size=(8, rows - 3000))]
    part = sim.frame(3, crop=(1, first + 500, 7, 700))
    if rank == 0:
        print([picture.shape for picture in whole] == [(-(-rows // 64), 1, 3), (rows - 3000, 8, 3)])
        cut = World(end - first, 8, rules=("atoms",))
        cut["material"] = world["material"][first:end]
        with Alone(cut) as alone:
            print(np.array_equal(alone.frame(3, crop=(1, 500, 7, 700)), part))
"""


@pytest.mark.long(WHOLE)
def test_a_world_over_the_limit_of_each_device_is_drawn() -> None:
    """One process could not hold it; a part of it looks as in a lower world, because no light reaches that far."""
    assert ranked.run(3, "-c", BEGIN + TALL) == ranked.Answer(0, "True\nTrue\n", "")
