"""Errors: one sentence for each problem, with its place and an exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpufluid.core import errors
from gpufluid.core.errors import GpufluidError, Problem, SceneError, UsageError, WorldError, did_you_mean

EVERY = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.mark.parametrize("kind", EVERY)
def test_a_wrong_call_exits_with_2_and_a_failed_run_with_1(kind: type[GpufluidError]) -> None:
    assert issubclass(kind, GpufluidError)
    assert kind.exit_code == (2 if issubclass(kind, UsageError) else 1)
    assert kind.__doc__


@pytest.mark.parametrize(
    ("word", "known", "said"),
    [
        ("wal", ["water", "wall", "wood"], "; did you mean 'wall'?"),
        ("seed-00", ["seed-000", "default"], "; did you mean 'seed-000'?"),
        ("xyzzy", ["b", "a"], "; expected one of: a, b"),
        ("anything", [], ""),
    ],
)
def test_did_you_mean_offers_similar_names_or_else_all(word: str, known: list[str], said: str) -> None:
    assert did_you_mean(word, known) == said


def test_several_similar_names_are_joined_by_or() -> None:
    assert did_you_mean("sand", ["sandy", "sane"]) == "; did you mean 'sandy' or 'sane'?"


def test_a_world_error_names_its_field() -> None:
    error = WorldError("mass[3, 7]", "-1; expected 0 or more")
    assert (str(error), error.field) == ("mass[3, 7]: -1; expected 0 or more", "mass[3, 7]")


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("fill[2].size", "too small", 31), "pool.toml:31: fill[2].size: too small"),
        (Problem("", "empty file"), "pool.toml: empty file"),
        (Problem("size", "missing"), "pool.toml: size: missing"),
    ],
)
def test_a_problem_of_a_scene_begins_with_its_place(problem: Problem, text: str) -> None:
    assert problem.located(Path("pool.toml")) == text


def test_a_scene_error_has_one_line_for_each_problem() -> None:
    problems = [Problem("size", "missing"), Problem("edges", "unknown", 4)]
    assert str(SceneError(Path("a.toml"), problems)).splitlines() == [
        "a.toml: size: missing",
        "a.toml:4: edges: unknown",
    ]
