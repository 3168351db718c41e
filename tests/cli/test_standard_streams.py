"""Standard streams that are closed, full, or have lost their reader: no traceback, and the exit code of the command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.selection import mostly_long

FULL = Path("/dev/full")  # a device that is only written to: it answers that no space is left
RUN = ("run", "dam_break", "--ticks", 1)
BENCH = ("bench", "--size", 32, "--rule", "flow", "--workload", "empty", "--runs", 1, "--ticks", 1)
ANSWERING = {
    "--version": ("--version",),
    "--help": ("--help",),
    "help of a command": ("bench", "--help"),
    "scenes": ("scenes",),
    "scenes as JSON": ("scenes", "--json"),
    "materials": ("materials",),
    "info": ("info",),
    "check": ("check", "dam_break", "--ticks", 1),
    "run": RUN,
    "bench": BENCH,
}
answering = pytest.mark.parametrize(
    "words",
    mostly_long(ANSWERING.values(), ANSWERING["run"], why="the same way to print"),
    ids=str,
)
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}


def closed(*numbers: int):
    """How to start a process that has these standard streams closed, as ``>&-`` does."""

    def close() -> None:
        for number in numbers:
            os.close(number)

    return {"preexec_fn": close}


@pytest.fixture
def full():
    if not FULL.exists():
        pytest.skip("this system has no /dev/full")
    with FULL.open("w") as device:
        yield device


@pytest.fixture
def without_reader():
    """A pipe whose reader has exited."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@answering
def test_a_full_standard_output_is_one_error(process, full, words) -> None:
    """Buffered, and for one command unbuffered: then the first write fails, not the last one."""
    for env in ({}, UNBUFFERED) if words == RUN else ({},):
        answer = process(*words, stdout=full, env=env)
        assert (answer.code, answer.err) == (1, "gpufluid: the answer could not be written: No space left on device\n")


@answering
def test_a_closed_standard_output_is_one_error(process, words) -> None:
    answer = process(*words, **closed(1))
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "gpufluid: the answer could not be written: Bad file descriptor\n"


@answering
def test_a_reader_of_standard_output_that_has_exited_is_no_message(process, without_reader: int, words) -> None:
    """As ``gpufluid scenes | head -1``; the files are written."""
    answer = process(*words, stdout=without_reader)
    assert (answer.code, answer.err) == (1, "")


WITHOUT = {
    "closed standard input": closed(0),
    "closed standard error": closed(2),
    "only standard output": closed(0, 2),
    "full standard error": {"stderr": "full"},
    "standard error without a reader": {"stderr": "without_reader"},
}
CODES = {RUN: 0, ("run", "nothing"): 2, ("run", "--tick"): 2, ("run", "dam_break", "--out", "folder/x.png"): 2}
NOTHING = [(("run", "nothing"), name) for name in WITHOUT]
CLOSED = [(("run", "nothing"), name) for name in ("only standard output", "full standard error")]
OTHERS = [(RUN, name) for name in WITHOUT] + [(words, "full standard error") for words in list(CODES)[2:]]


@pytest.mark.parametrize("case", mostly_long([*NOTHING, *OTHERS], *CLOSED, why="the same way to print"), ids=str)
def test_a_message_that_cannot_be_written_changes_no_exit_code(
    process, request: pytest.FixtureRequest, case: tuple[tuple[object, ...], str]
) -> None:
    words, name = case
    how = {key: request.getfixturevalue(value) if key == "stderr" else value for key, value in WITHOUT[name].items()}
    answer = process(*words, **how)
    assert answer.code == CODES[words]
    assert answer.out.startswith("Dam break: ") == (words == RUN)
    assert "Traceback" not in answer.out + (answer.err or "")


def test_all_streams_closed(process, tmp_path: Path) -> None:
    answer = process(*RUN, "--out", "x.npz", **closed(0, 1, 2))
    assert answer.code == 1  # the answer could not be written, but the file
    assert [path.name for path in tmp_path.iterdir()] == ["x.npz"]


def test_no_file_takes_the_number_of_a_closed_stream(process, tmp_path: Path) -> None:
    """A library that prints a warning would print it into the file."""
    first = """
import os
import numpy as np
save = np.savez_compressed
def noisy(file, **more):
    for number in range(3):
        try:
            os.write(number, b"noise")
        except OSError:
            pass
    save(file, **more)
np.savez_compressed = noisy
"""
    assert process(*RUN, "--out", "x.npz", first=first, **closed(0, 1, 2)).code == 1
    assert b"noise" not in (tmp_path / "x.npz").read_bytes()
    assert process("run", "x.npz", "--ticks", 0).code == 0


def test_figures_and_plot_of_a_benchmark_are_written_though_nobody_reads_the_table(
    process, without_reader: int, tmp_path: Path
) -> None:
    answer = process(*BENCH, "--json", "x.json", "--plot", "x.png", stdout=without_reader)
    assert (answer.code, answer.err) == (1, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.json", "x.png"]


def test_a_name_that_standard_output_cannot_encode_is_printed_with_escapes(process) -> None:
    answer = process(*RUN, "--out", "ünï\udcff.png", env={"PYTHONIOENCODING": "ascii"})
    assert (answer.code, answer.err) == (0, "")
    assert "\\xfcn\\xef\\udcff.png" in answer.out


def test_interrupted_without_standard_error_it_is_still_interrupted(process) -> None:
    first = "import os, signal; from gpufluid.io import loading\n"
    first += "loading.load_scene = lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM)"
    answer = process(*RUN, first=first, **closed(2))
    assert (answer.code, answer.out) == (1, "")
