"""Programs that ``mpiexec`` starts several times, as ranks of MPI, with a time limit that kills them all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.processes import default_signals, kill_with_descendants

TESTS = Path(__file__).parents[1]

LONGEST = 1000.0
"""Seconds after which a job is killed. On a busy machine each of its ranks compiles its programs for minutes; and the
limit is below that of pytest, so that the processes of a job that hangs do not stay."""

ENDING = 60.0
"""Seconds in which the output of a killed job ends."""

NO_OTHER_MACHINES = {"PRTE_MCA_plm_ssh_agent": "false", "OMPI_MCA_plm_rsh_agent": "false"}
"""Variables of Open MPI 5 and 4: the program ``false`` starts ranks elsewhere, not ssh, which a machine may lack."""

ERRORS_OF_LAUNCHER = ("PMIX ERROR", "PRTE ERROR", "[warn] Epoll")
"""What the launcher says of itself while a job ends."""

FRAME_OF_LAUNCHER = re.compile(r"-{60,}\n.*?(\n-{60,}\n?|\Z)", re.DOTALL)
"""A message of the launcher between two lines of dashes; that of a launcher that was killed has no second line."""


def command(ranks: int, *words: object) -> list[str]:
    """The command that starts a Python program so many times."""
    beside = Path(sys.executable).with_name("mpiexec")
    launcher = str(beside) if beside.exists() else shutil.which("mpiexec")
    assert launcher, "no mpiexec: pip install -e '.[mpi]'"
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [launcher, *as_root, "--oversubscribe", "-n", str(ranks), sys.executable, *map(str, words)]


def environment(**more: str) -> dict[str, str]:
    """The variables of the program: the tests in its path, one thread a rank, and machine code that is soon made.

    Most of the time of a job is compilation. The code is as correct without LLVM's optimization, and what it computes
    with it is held to the oracle elsewhere.
    """
    path = os.pathsep.join(filter(None, [str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")]))
    of_opengl = {"LP_NUM_THREADS": "0", "GALLIVM_PERF": "nopt"}
    return {**os.environ, "PYTHONPATH": path, **of_opengl, **NO_OTHER_MACHINES, **more}


@dataclass
class Answer:
    """The output and the exit code of a job; ``err`` has no lines in which the launcher speaks of itself."""

    code: int
    out: str
    err: str


def begin(ranks: int, *words: object, folder: Path | None = None) -> subprocess.Popen[str]:
    """Start a Python program as so many ranks, in a session of its own."""
    return subprocess.Popen(
        command(ranks, *words),
        env=environment(),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=default_signals,
    )


def end(job: subprocess.Popen[str], seconds: float = LONGEST) -> Answer:
    """Wait for a job; kill it after so many seconds, and fail."""
    try:
        out, err = job.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill(job)
        out, err = job.communicate(timeout=ENDING)
        raise AssertionError(f"still there after {seconds:g} s; it said {out!r} and {err!r}") from None
    return Answer(job.returncode, out, without_launcher(err))


def kill(job: subprocess.Popen[str]) -> None:
    """End a job that may be over. Its ranks do not end with the launcher, which gives each a process group."""
    if job.poll() is None:
        kill_with_descendants(job.pid)
        job.wait(ENDING)


def run(ranks: int, *words: object, folder: Path | None = None) -> Answer:
    """Run a Python program as so many ranks."""
    return end(begin(ranks, *words, folder=folder))


def without_launcher(text: str) -> str:
    """Standard error without what the launcher says: between two lines of dashes, and a NUL when a rank has ended.

    The launcher writes the output of a rank in pieces, so its own messages can begin at the end of such a piece.
    """
    lines = FRAME_OF_LAUNCHER.sub("\n", text.replace("\0", "")).splitlines()
    return "\n".join(line for line in lines if line.strip() and not any(word in line for word in ERRORS_OF_LAUNCHER))
