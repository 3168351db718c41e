"""Ranks of MPI that stay up and run program after program, so that each compiles its shaders once for all of them.

``python -m support.standing ADDRESS`` under ``mpiexec`` is a rank of a `Team`. A program is a module of `support` with
a function ``main(comm, words)``, which all ranks of a communicator call.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

from support import ranked

MOST_MEMORY = 600
"""Megabytes. Once a rank has held more, which is mostly programs that it keeps, the next job is given to new ranks."""

Rank = tuple[socket.socket, TextIOWrapper]
"""The end of a connection to a rank on which lines are written, and that on which they are read."""


class Team:
    """So many ranks, which wait for jobs without using a core. They begin with the first job.

    Args:
        size: the number of ranks, and the most that a job can ask for.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._job: subprocess.Popen[str] | None = None
        self._ranks: list[Rank] = []
        self._folder = Path()

    def run(self, ranks: int, program: str, *words: object) -> ranked.Answer:
        """Run ``main`` of a module of `support` on the first so many ranks.

        Raises: AssertionError, with what they have said: a rank has ended, or the job takes too long.
        """
        if self._job is None:
            self._begin()
        job = json.dumps({"program": program, "words": list(map(str, words)), "ranks": ranks}) + "\n"
        try:
            for out, _ in self._ranks[:ranks]:
                out.sendall(job.encode())
            held = [int(answers.readline()) for _, answers in self._ranks[:ranks]]
        except (OSError, ValueError):  # no answer within the time, or an end of the connection in place of a number
            assert self._job is not None
            said = self._said("out"), self._said("err"), self._end(self._job)
            raise AssertionError(f"{ranks} ranks of {program} {words}: a rank has ended or hangs: {said}") from None
        answer = ranked.Answer(0, self._said("out"), self._said("err"))
        if max(held) > MOST_MEMORY:
            self.close()
        return answer

    def close(self) -> None:
        """Let the ranks end."""
        if self._job is None:
            return
        for out, _ in self._ranks:
            out.sendall(b"\n")
        job = self._job
        try:
            job.wait(ranked.ENDING)
        finally:
            said = self._end(job)
        assert job.returncode == 0, said

    def _begin(self) -> None:
        self._folder = Path(tempfile.mkdtemp())
        address = str(self._folder / "address")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(address)
            listening.listen(self.size)
            listening.settimeout(ranked.LONGEST)
            self._job = ranked.begin(self.size, "-m", "support.standing", address)
            found: dict[int, Rank] = {}
            for _ in range(self.size):
                connection = listening.accept()[0]
                connection.settimeout(ranked.LONGEST)
                lines = connection.makefile()
                found[int(lines.readline())] = connection, lines
        self._ranks = [found[rank] for rank in range(self.size)]

    def _end(self, job: subprocess.Popen[str]) -> str:
        """Kill what has not ended. Returns what the launcher has said."""
        ranked.kill(job)
        out, err = job.communicate(timeout=ranked.ENDING)
        for connection, lines in self._ranks:
            lines.close()
            connection.close()
        shutil.rmtree(self._folder)
        self._job, self._ranks = None, []
        return f"{out}{ranked.without_launcher(err)}"

    def _said(self, stream: str) -> str:
        """What the ranks have written since this was last asked, in their order."""
        text = ""
        for rank in range(self.size):
            path = self._folder / f"{rank}.{stream}"
            text += path.read_text()
            os.truncate(path, 0)
        return text


def serve(address: str) -> None:
    """Do the jobs of a `Team`, until one is an empty line or the tests have ended."""
    from mpi4py import MPI

    from gpufluid.cluster import ranks

    world = MPI.COMM_WORLD
    for stream, handle in (("out", sys.stdout), ("err", sys.stderr)):
        path = Path(address).with_name(f"{world.rank}.{stream}")
        file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY)  # appended to, so that it can be truncated
        os.dup2(file, handle.fileno())
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        connection.sendall(f"{world.rank}\n".encode())
        for line in connection.makefile():
            if not line.strip():
                break
            job = json.loads(line)
            group = world.group.Incl(range(job["ranks"]))
            comm = world.Create_group(group)
            with ranks.ending_all(comm):
                import_module(f"support.{job['program']}").main(comm, job["words"])
            sys.stdout.flush()
            sys.stderr.flush()
            ranks.free_some(comm)
            connection.sendall(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}\n".encode())


if __name__ == "__main__":
    serve(sys.argv[1])
