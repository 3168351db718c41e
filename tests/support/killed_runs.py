"""Runs that are killed, each of which goes on from the last whole state that the one before has left."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random

from support.patience import wait_until

import gpufluid
from gpufluid.io import snapshots

EVERY = 40
"""Ticks between two states of a run."""

REPORTING = """
from contextlib import contextmanager
import gpufluid.cli.terminal as terminal

@contextmanager
def told(ticks):
    with open("told", "w", buffering=1) as file:
        yield lambda done: file.write(f"{done}\\n")

terminal.progress_of_ticks = told
"""
"""The begin of a program that writes each tick that is done into a file."""

Words = tuple[object, ...]
"""The words of a command."""

Wait = Callable[[subprocess.Popen[str]], None]
"""Waits until a running command may be killed."""


def kill_runs(kill: Callable[[Words, Wait], None], path: Path, runs: int, random: Random) -> None:
    """Start runs of a scene, and kill each at a random moment, the last one after a state was written.

    What each leaves is whole, exact, and at most `EVERY` ticks older than its last report.

    Args:
        kill: starts a command, waits for the moment, and kills it. The command writes its reports, as `REPORTING`, into
            a file ``told`` beside the state.
        path: the state, a store or a snapshot, which is not there yet.
        runs: their number.
        random: chooses the moments.
    """
    first, told = path.with_name("first.npz"), path.with_name("told")
    world = gpufluid.load("dam_break")
    snapshots.save(world, first)
    exact = gpufluid.Simulation(world)
    for number in range(runs):
        awaited = [told, path] if number + 1 == runs else [told]  # on a busy machine no run may have come so far
        name, before = path if path.exists() else first, exact.tick
        told.unlink(missing_ok=True)
        words = ("run", name, "--ticks", 10**6, "--out", path, "--snapshot-every", EVERY)
        kill(words, partial(_wait, awaited, random.uniform(0, 1.2)))
        reported = told.read_text().splitlines()
        done = int(reported[-1]) if reported else 0
        there = gpufluid.load(path if path.exists() else first)
        assert (there.tick - before) % EVERY == 0
        assert before + done - there.tick <= EVERY, (before, done, there.tick)
        exact.step(there.tick - before)
        assert there.digest() == exact.digest()
    assert exact.tick > 0, "no run came to its first state, so nothing was tested"
    exact.close()


def _wait(files: Iterable[Path], seconds: float, running: subprocess.Popen[str]) -> None:
    """Wait until a process has made some files, or has ended, and for some more seconds."""
    wait_until(lambda: running.poll() is not None or all(file.exists() for file in files), "the files of a run")
    time.sleep(seconds)
