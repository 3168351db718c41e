"""``gpufluid`` as a process: pipes, terminals, signals, full disks."""

from __future__ import annotations

import os
import re
import resource
from pathlib import Path

import pytest
from support.processes import pseudo_terminal
from support.selection import mostly_long


def test_a_pipe_gets_the_result_without_a_progress_bar(process) -> None:
    answer = process("run", "dam_break", "--ticks", 300)
    assert (answer.code, answer.err) == (0, "")
    assert "\x1b" not in answer.out
    assert answer.out.startswith("Dam break: ")


def test_a_closed_pipe_prints_no_error(start) -> None:
    """As ``gpufluid scenes | head -1`` does."""
    with start("scenes") as running:
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == 1


def test_a_terminal_shows_a_progress_bar(start) -> None:
    """The progress bar goes to standard error, so standard output holds only the result."""
    ours, theirs = pseudo_terminal()
    with start("run", "dam_break", "--ticks", 1000, stderr=theirs, env={"TERM": "xterm-256color"}) as running:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux raises it if the other side has closed
                break
            if not part:
                break
            seen += part
        out = running.stdout.read()
    os.close(ours)
    assert running.returncode == 0
    assert re.search(rb"\d+/1000", seen)
    assert b"ticks/s" in seen
    assert "\x1b" not in out
    assert "1000 ticks" in out


@pytest.mark.parametrize(
    "ending", mostly_long(["png", "npz", "mp4", "gif"], "npz", why="another kind of file by the same owner")
)
def test_a_failed_write_keeps_the_earlier_file(process, tmp_path: Path, ending: str) -> None:
    """Files are limited to 2000 bytes, as if the disk were full: one message, exit 1, the earlier file unchanged."""
    path = tmp_path / f"x.{ending}"
    path.write_bytes(b"earlier")
    answer = process(
        *("run", "dam_break", "--ticks", 60, "--scale", 2, "--out", path),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        env={"MESA_SHADER_CACHE_DISABLE": "true"},
    )
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"gpufluid: {path}: could not be written: ")
    assert answer.err.count("\n") == 1
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]
