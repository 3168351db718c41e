"""What a process knows of those started with it, and the cores that it takes."""

from __future__ import annotations

import os

import pytest
import typer
from support import ranked

from gpufluid.cli import sharing
from gpufluid.cluster import ranks
from gpufluid.core.errors import UsageError
from gpufluid.core.launchers import launched

KNOWN = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
]


@pytest.mark.parametrize(("size", "rank"), KNOWN)
def test_each_launcher_says_how_many_it_has_started(size: str, rank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (name for pair in KNOWN for name in pair):
        monkeypatch.delenv(name, raising=False)
    assert launched() == (0, 1)
    monkeypatch.setenv("SLURM_PROCID", "0")  # a batch script of Slurm, which no launcher has started
    assert launched() == (0, 1)
    monkeypatch.setenv(size, "5")
    monkeypatch.setenv(rank, "3")
    assert launched() == (3, 5)


def test_ranks_of_mpiexec_under_slurm_are_those_of_mpiexec(monkeypatch: pytest.MonkeyPatch) -> None:
    for (size, rank), (count, number) in zip((KNOWN[0], KNOWN[-1]), (("8", "6"), ("2", "1")), strict=True):
        monkeypatch.setenv(size, count)
        monkeypatch.setenv(rank, number)
    assert launched() == (6, 8)


def start(monkeypatch: pytest.MonkeyPatch, ranks: int, rank: int = 0) -> None:
    """Let the environment be that of a process that Open MPI has started."""
    monkeypatch.setenv(KNOWN[0][0], str(ranks))
    monkeypatch.setenv(KNOWN[0][1], str(rank))


def test_a_grid_of_ranks_has_a_place_for_each_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch, 6)
    assert sharing.checked_grid(None) is None
    assert [sharing.checked_grid(text) for text in ("2x3", "6X1")] == [(2, 3), (6, 1)]
    for text in ("2 x 3", "2", "0x6", "-2x-3", "2x3x1", ""):
        with pytest.raises(UsageError, match=rf"^--ranks: {text!r}; expected ROWSxCOLUMNS, such as 2x3$"):
            sharing.checked_grid(text)
    with pytest.raises(UsageError, match=r"^--ranks 2x2: 4 ranks, but mpiexec has started 6$"):
        sharing.checked_grid("2x2")
    start(monkeypatch, 6, rank=1)
    with pytest.raises(typer.Exit):
        sharing.checked_grid("2x2")
    start(monkeypatch, 1)
    with pytest.raises(UsageError, match=r"^--ranks 2x2: 4 ranks, but there is one process; start them with mpiexec$"):
        sharing.checked_grid("2x2")


@pytest.mark.parametrize(("started", "bound", "wanted"), [(1, 8, 8), (2, 8, 4), (2, 1, 1), (3, 8, 2), (20, 8, 1)])
def test_a_rank_takes_its_share_of_the_cores_that_it_is_bound_to(
    started: int, bound: int, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(bound)), raising=False)
    assert ranks._cores_for_each(started) == wanted


FRAME = f"{'-' * 74}\nThe launcher says\n\nthat a rank has ended.\n{'-' * 74}\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"of a rank\n{FRAME}{FRAME}\0", "of a rank"),
        (f"of a rank{FRAME}of another\n", "of a rank\nof another"),  # the end of its line comes in another piece
        (f"{FRAME}\0of a rank\n{FRAME}", "of a rank"),
        (f"of a rank\n{FRAME[:90]}", "of a rank"),
        ("[host] PMIX ERROR: gone\n\n\0of a rank\n", "of a rank"),
    ],
)
def test_the_tests_leave_out_what_the_launcher_says_of_itself(text: str, kept: str) -> None:
    assert ranked.without_launcher(text) == kept
