"""Messages of ranks: arrays arrive whole, what did not change is not sent or read, and in which order they copy."""

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


NEAR_BORDERS = """
from gpufluid import World
from gpufluid.cluster import Simulation
from gpufluid.cluster.halos import Halos
from mpi4py import MPI

world = None
if MPI.COMM_WORLD.rank == 0:
    world = World(ROWS, 64, rules=RULES, seed=1)
    if RULES == ("atoms", "pressure"):
        world["material"][60:] = world.materials["water"]
    elif "mixture" in RULES:
        world["mixture"][world.mixture["water"], 60:] = FULL
    elif "atoms" in RULES:
        world["material"][60:] = world.materials["sand"]
    else:
        world["mass"][-20:, :20] = FULL  # far from the border between the ranks
with Simulation(world) as sim:
    sim.step(12)
    before = sim.bytes_sent
    Halos._texels = Halos._written = None  # no halo is read
    sim.step(10)
    messages = sim.bytes_sent - before
    rests = sim.settled
    sim.finish()
    assert sim.seconds_waited > 0
    print(f"{rests} {0 < messages <= 10 * 9}", flush=True)
"""


@pytest.mark.parametrize(
    ("rules", "rows", "rests"),
    [
        (("flow",), 512, False),
        pytest.param(("mixture", "pressure"), 128, True, marks=pytest.mark.long("compiles programs of other rules")),
        pytest.param(("atoms",), 128, True, marks=pytest.mark.long("compiles programs of other rules")),
        pytest.param(("atoms", "pressure"), 128, True, marks=pytest.mark.long("compiles programs of other rules")),
    ],
)
def test_ranks_send_single_bytes_and_read_no_halo_where_nothing_changes_near_borders(
    rules: tuple[str, ...], rows: int, rests: bool
) -> None:
    program = f"from gpufluid import FULL\nRULES, ROWS = {rules!r}, {rows}\n{NEAR_BORDERS}"
    answer = ranked.run(2, "-c", program)
    assert (answer.code, sorted(answer.out.splitlines()), answer.err) == (0, [f"{rests} True"] * 2, "")


ORDER = """
import gpufluid
from gpufluid import FULL, World
from gpufluid.cluster import Simulation
from gpufluid.cluster.halos import Halos
from gpufluid.gpu.device import Device
from gpufluid.gpu.tiles import Tiles
from mpi4py import MPI

done = []

def noting(owner, name, told):
    inner = getattr(owner, name)
    def noted(self, *given):
        done.append(told(*given))
        return inner(self, *given)
    setattr(owner, name, noted)

noting(Halos, "begin", lambda: "sent")
noting(Halos, "complete", lambda: "received")
noting(Tiles, "take_turn", lambda turn: turn.name)
world = None
if MPI.COMM_WORLD.rank == 0:
    world = World(512, 64, rules=("flow",), seed=1)
    world["mass"][:, :20] = FULL
Device.tests_tiles = TESTED
with Simulation(world) as sim:
    sim.step(9)
    digest = sim.digest()
    print(*done, flush=True)
if world is not None:
    with gpufluid.Simulation(world) as alone:
        alone.step(9)
        assert alone.digest() == digest
"""


@pytest.mark.parametrize(
    "tested",
    [False, pytest.param(True, marks=pytest.mark.long("compiles the programs of GPUs"))],
    ids=["tiles are listed", "groups test their tiles"],
)
def test_inner_tiles_are_computed_while_the_halo_travels(tested: bool) -> None:
    answer = ranked.run(2, "-c", f"TESTED = {tested}\n{ORDER}")
    order = " ".join(["sent INNER received OTHERS ALL"] * 2)
    assert (answer.code, answer.out.splitlines(), answer.err) == (0, [order] * 2, "")
