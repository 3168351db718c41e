"""Arrays that ranks send again and again: each arrives whole, and bytes that did not change are not sent."""

from __future__ import annotations

import numpy as np
import pytest
from support import ranked

from gpufluid.cluster.changes import PIECE, Receiver, Sender

SIZES = (1, 7, PIECE - 1, PIECE, PIECE + 1, 9 * PIECE, 17 * PIECE + 5)


@pytest.mark.parametrize("size", SIZES)
def test_every_array_arrives_whole(size: int) -> None:
    random = np.random.default_rng(size)
    sender, receiver = Sender(size), Receiver(size)
    array = np.zeros(size, np.uint8)
    for changes in (0, 1, 1, 3, size, 0, 2):
        array[random.integers(0, size, changes)] = random.integers(0, 256, changes)
        message = sender.message(array)
        assert len(message) <= receiver.longest
        assert np.array_equal(receiver.array(message), array)


def test_each_byte_alone_is_a_change() -> None:
    size = 2 * PIECE + 3
    for place in range(size):
        sender, receiver, array = Sender(size), Receiver(size), np.zeros(size, np.uint8)
        array[place] = 1
        message = sender.message(array)
        assert len(message) == 1 + 1 + PIECE
        assert np.array_equal(receiver.array(message), array)


def test_what_did_not_change_is_one_byte() -> None:
    array = np.arange(5 * PIECE).astype(np.uint8)
    sender = Sender(array.size)
    assert len(sender.message(array)) == 1 + 1 + array.size
    assert sender.message(array).tolist() == [0]
    assert Sender(PIECE).message(np.zeros(PIECE, np.uint8)).tolist() == [0]


AT_REST = """
from gpufluid import World
from gpufluid.cluster import Simulation
from gpufluid.cluster.rank import RankSimulation
from mpi4py import MPI

world = None
if MPI.COMM_WORLD.rank == 0:
    world = World(128, 64, rules=("atoms",), seed=1)
    world["material"][60:, :] = world.materials["sand"]
with Simulation(world) as sim:
    sim.step(12)
    before = sim.bytes_sent
    RankSimulation._texels = RankSimulation._write = None  # no halo is read
    sim.step(10)
    messages = sim.bytes_sent - before
    rests = sim.settled
    sim.finish()
    assert sim.seconds_waited > 0
    print(f"{rests} {0 < messages <= 10 * 8}", flush=True)
"""


def test_ranks_of_a_world_at_rest_send_single_bytes_and_read_no_halo() -> None:
    answer = ranked.run(2, "-c", AT_REST)
    assert (answer.code, sorted(answer.out.splitlines()), answer.err) == (0, ["True True"] * 2, "")
