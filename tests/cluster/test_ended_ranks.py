"""``mpiexec gpufluid run`` with a rank that is killed, or interrupted: all ranks end, and whole files are left."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import indent

import numpy as np
import pytest
from support import ranked
from support.killed_runs import REPORTING, Wait, Words, kill_runs
from support.patience import wait_until
from support.processes import children, is_filming
from support.selection import mostly_long

import gpufluid

RUN = ("-m", "gpufluid", "run")
LONG = "starts several programs of several processes each"
PROGRAM = f"""
from gpufluid.cli import main
from mpi4py import MPI
if MPI.COMM_WORLD.rank == 0:
{indent(REPORTING, "    ")}
main()
"""
"""A shared run whose rank 0 reports the ticks that are done."""

GONE_IN = 10.0
"""Seconds within which all ranks have ended after one was killed."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A long run of three ranks that writes a film, once it has begun."""
    job = ranked.begin(3, *RUN, "dam_break", "--ticks", 10**6, "--out", "a.npz", "--out", "a.mp4", folder=tmp_path)
    try:
        wait_until(lambda: any(is_filming(rank, tmp_path) for rank in children(job.pid)), "the encoder of the film")
        yield job
    finally:
        ranked.kill(job)


@pytest.mark.parametrize("killed", mostly_long([0, 2], 0, why=LONG))
def test_a_killed_rank_ends_the_others_and_leaves_no_file(
    running: subprocess.Popen[str], tmp_path: Path, killed: int
) -> None:
    ranks = children(running.pid)
    assert len(ranks) == 3
    time.sleep(0.1 * (1 + killed))
    began = time.monotonic()
    os.kill(ranks[killed], signal.SIGKILL)
    assert ranked.end(running, GONE_IN).code != 0
    wait_until(lambda: not any(Path(f"/proc/{rank}").exists() for rank in ranks), "the end of all ranks")
    assert time.monotonic() - began < GONE_IN
    assert not list(tmp_path.iterdir())


@pytest.mark.long(LONG)
@pytest.mark.parametrize(
    "number", range(2)
)  # more of them were tried: after each of 100 kills all ranks had ended within 0.9 s
def test_a_rank_killed_at_any_moment_ends_the_others_and_breaks_no_file(number: int, tmp_path: Path) -> None:
    """Also while it starts; the file that was there is as before."""
    rng = np.random.default_rng(number)
    (tmp_path / "a.npz").write_bytes(b"earlier")
    job = ranked.begin(3, *RUN, "dam_break", "--ticks", 10**6, "--out", "a.npz", folder=tmp_path)
    try:
        wait_until(lambda: len(children(job.pid)) == 3, "three ranks")
        ranks = children(job.pid)
        time.sleep(rng.uniform(0, 5))
        os.kill(ranks[rng.integers(3)], signal.SIGKILL)
        assert ranked.end(job, GONE_IN).code != 0
        wait_until(lambda: not any(Path(f"/proc/{rank}").exists() for rank in ranks), "the end of all ranks")
    finally:
        ranked.kill(job)
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
    assert (tmp_path / "a.npz").read_bytes() == b"earlier"


@pytest.mark.long(LONG)
@pytest.mark.parametrize("to", ["launcher", "rank 0"])
def test_an_interrupted_run_ends_between_two_ticks_with_whole_files(
    running: subprocess.Popen[str], tmp_path: Path, to: str
) -> None:
    first = next(rank for rank in children(running.pid) if children(rank))  # which has the encoder
    os.kill(running.pid if to == "launcher" else first, signal.SIGINT)
    assert ranked.end(running).code != 0
    wait_until(lambda: not Path(f"/proc/{first}").exists(), "the end of rank 0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "a.npz"]
    world = gpufluid.load(str(tmp_path / "a.npz"))
    assert world.tick < 10**6
    assert world.digest() == gpufluid.oracle.step(gpufluid.load("dam_break"), world.tick).digest()


@pytest.mark.long(LONG)
def test_a_run_whose_rank_is_killed_goes_on_from_its_last_whole_state(tmp_path: Path) -> None:
    """Each run has another number of ranks. Of 200 kills by hand none lost more, either."""
    pytest.importorskip("zarr", reason="zarr is not installed: pip install -e '.[zarr]'")
    random = Random(11)

    def kill(words: Words, wait: Wait) -> None:
        ranks = random.randint(2, 4)
        job = ranked.begin(ranks, "-c", PROGRAM, *words, folder=tmp_path)
        try:
            wait(job)
            os.kill(random.choice(children(job.pid)), signal.SIGKILL)
            assert ranked.end(job, GONE_IN).code != 0
        finally:
            ranked.kill(job)

    kill_runs(kill, tmp_path / "x.zarr", 4, random)
    answer = ranked.run(2, *RUN, "x.zarr", "--ticks", 1, "--out", "x.zarr", folder=tmp_path)
    assert answer.code == 0, answer.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.npz", "told", "x.zarr"]
