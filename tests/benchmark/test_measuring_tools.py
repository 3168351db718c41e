"""The tools with which pages measure their figures run, here in small worlds for a moment."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import draw_tasks
import gallery
import measure_batches
import measure_environments
import measure_scaling
import pytest

from gpufluid.benchmark.workloads import flow

DOCS = Path(__file__).parents[2] / "docs"
MOMENT = "a tool that measures, with programs of its own"


def test_a_rate_counts_the_steps_after_the_first_two() -> None:
    calls = []
    found = measure_environments.rate(lambda: calls.append(sum(range(100_000))), 4, 0)
    assert len(calls) == 4
    assert re.fullmatch(r"\d+ / \d+", found)


def printed(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tool: object, *words: object) -> str:
    """What the ``main`` of a tool prints with some words."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["tool", *map(str, words)])
        tool.main()
    return capfd.readouterr().out


@pytest.mark.long(MOMENT)
@pytest.mark.usefixtures("device")
def test_environment_steps(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    last = printed(monkeypatch, capfd, measure_environments, "--worlds", 2, "--seconds", 0.01).splitlines()[-1]
    assert re.fullmatch(r"\| 2 \|( \d+ / \d+ \|){4} (\d+ / \d+|not installed) \|", last)


@pytest.mark.long(MOMENT)
@pytest.mark.usefixtures("device")
def test_the_cost_of_a_batch() -> None:
    found = measure_batches.measure(("flow",), 4, 2)
    assert found.shape == (2, 4)
    assert (found > 0).all()


@pytest.mark.long(MOMENT)
def test_the_cost_of_a_rank(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    words = "--ranks", 1, 2, "--size", 128, 128, "--ticks", 1, "--rounds", 1, "--world", "atoms"
    lines = printed(monkeypatch, capfd, measure_scaling, *words).splitlines()
    figures = [
        re.fullmatch(
            r"atoms, ranks (\d): [\d.]+ ms a tick, [\d.]+ ms of processor time, ([\d.]+) kB sent, [\d.]+ ms waited",
            line,
        )
        for line in lines
    ]
    assert [found and found[1] for found in figures] == ["1", "2"]
    assert [found is not None and float(found[2]) > 0 for found in figures] == [False, True]


@pytest.mark.long(MOMENT)
def test_pictures_and_delay_of_a_served_world() -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install -e '.[serve]'")
    import measure_served

    world = next(each for each in flow.WORKLOADS if each.name == "dense").make(128, 128)
    found = measure_served.figures_of(world, 4)
    assert found["pictures/s"] > 0
    assert 0 < found["median ms"] <= found["most ms"]


@pytest.mark.long(MOMENT)
@pytest.mark.usefixtures("device")
def test_the_picture_of_the_tasks_is_what_its_tool_draws(tmp_path: Path) -> None:
    draw_tasks.main(tmp_path / "x.png")
    assert gallery.same(DOCS / "environments.png", (tmp_path / "x.png").read_bytes())
