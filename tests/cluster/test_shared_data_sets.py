"""``mpiexec gpufluid run --count``: ranks share out the worlds of a data set, which is that of one process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support import ranked

RUN = ("-m", "gpufluid", "run")
SHARED = "gpufluid: {} ranks share out the worlds"

LONG = "starts several programs of several processes each"


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a data set by name, of any shape and type; of a store without its manifest."""
    if path.suffix == ".npz":
        with np.load(path) as read:
            return dict(read)
    import zarr

    group = zarr.open_group(path, mode="r")
    return {name: np.asarray(group[name][:]) for name in group.array_keys()}  # pyright: ignore[reportIndexIssue]


@pytest.mark.long(LONG)
@pytest.mark.parametrize(
    ("ranks", "count", "ending"),
    [(3, 7, "npz"), (3, 7, "zarr"), (3, 2, "npz")],
    ids=["file", "store", "a rank without worlds"],
)
def test_a_data_set_is_that_of_one_process(tmp_path: Path, ranks: int, count: int, ending: str) -> None:
    varied = ("--vary", "flow.substeps=1:2", "--vary", "seed")
    words = (*RUN, "dam_break", "--count", count, "--ticks", 10, "--every", 4, *varied, "--out")
    many, one = tmp_path / f"many.{ending}", tmp_path / f"one.{ending}"
    answer = ranked.run(ranks, *words, many)
    assert (answer.code, answer.err) == (0, SHARED.format(ranks))
    alone = subprocess.run([sys.executable, *map(str, words), one], capture_output=True, text=True, check=True)
    assert answer.out == alone.stdout.replace("one.", "many.")
    found, expected = arrays_of(many), arrays_of(one)
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, name)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dam_break", "--count", 0, "--out", "a.npz"), "--count: 0; expected a whole number from 1 to 65536"),
        pytest.param(
            *(("dam_break", "--count", 3, "--out", "gone/a.npz"), "gone/a.npz: "), marks=pytest.mark.long(LONG)
        ),
        pytest.param(
            *(("dam_break", "--count", 3, "--vary", "flow.depth=0:9", "--out", "a.npz"), "flow.depth"),
            marks=pytest.mark.long(LONG),
        ),
    ],
    ids=["count", "folder", "parameter"],
)
def test_a_wrong_call_is_one_sentence_and_ends_all(words: tuple, said: str, tmp_path: Path) -> None:
    answer = ranked.run(3, *RUN, *words, folder=tmp_path)
    assert (answer.code, answer.out) == (2, "")
    first, *lines = answer.err.splitlines()
    assert first == SHARED.format(3)
    assert len(lines) == 1
    assert said in lines[0]
    assert not list(tmp_path.iterdir())


FAULT = """
def step(self, ticks=1):
    if rank == 1:
        raise ValueError("a fault of this rank")
    inner(self, ticks)

inner, Batch.step = Batch.step, step
"""

NO_MEMORY = """
def init(self, *arguments, **named):
    if rank == 2:
        raise DeviceError("no room on this rank")
    inner(self, *arguments, **named)

inner, Batch.__init__ = Batch.__init__, init
"""

SIGNAL = """
def step(self, ticks=1):
    if rank == 0:
        os.kill(os.getpid(), signal.SIGINT)
    inner(self, ticks)

inner, Batch.step = Batch.step, step
"""

BEGIN = """
import os, signal, sys
from mpi4py import MPI
from gpufluid.cli import main
from gpufluid.core.errors import DeviceError
from gpufluid.runtime.batch import Batch

rank = MPI.COMM_WORLD.rank
"""
"""The begin of programs of several ranks."""

END = """
sys.argv[1:] = ["run", "dam_break", "--count", "3", "--ticks", "40", "--out", "a.npz"]
main()
"""
"""The end of these programs: they run a data set."""


@pytest.mark.long(LONG)
@pytest.mark.parametrize(
    ("change", "first", "last"),
    [
        (FAULT, "gpufluid: rank 1: Traceback (most recent call last):", "ValueError: a fault of this rank"),
        (NO_MEMORY, *["gpufluid: rank 2: no room on this rank"] * 2),
        (SIGNAL, *["gpufluid: interrupted; a.npz was not written"] * 2),
    ],
    ids=["fault", "memory", "signal"],
)
def test_an_error_or_a_signal_on_one_rank_ends_all_and_leaves_no_file(
    change: str, first: str, last: str, tmp_path: Path
) -> None:
    answer = ranked.run(3, "-c", BEGIN + change + END, folder=tmp_path)
    lines = answer.err.splitlines()
    assert (answer.code != 0, lines[0], lines[1], lines[-1]) == (True, SHARED.format(3), first, last), answer
    assert not list(tmp_path.iterdir())
