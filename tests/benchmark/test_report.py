"""Benchmark results: written, read back, compared, and shown as tables and plots."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.benches import answer, row

from gpufluid.benchmark import comparing, plotting, report, tables
from gpufluid.core.errors import UsageError


def test_a_result_is_equal_after_writing_and_reading(tmp_path: Path) -> None:
    written = answer(row(), row("sparse"))
    report.write(written, tmp_path / "x.json")
    assert report.read(tmp_path / "x.json") == written


BROKEN = {
    "no JSON": ("speed: high", "is not JSON: "),
    "another program's": ('{"rows": []}', "is not a result of gpufluid bench"),
    "a list": ("[1]", "is not a result of gpufluid bench"),
    "another version": (json.dumps(answer(row(), version=2)), "is of version 2; expected version 1"),
    "no version": (json.dumps(answer(row(), version=None)), "is of version None; expected version 1"),
    "no rows": (json.dumps(answer() | {"rows": 3}), "rows: 3; expected a list"),
    "a row of nothing": (json.dumps(answer(1)), "rows[0]: 1; expected a table"),
    "no speed": (
        json.dumps(answer(row(), row(ticks_per_second="fast"))), "rows[1].ticks_per_second: 'fast'; expected a number",
    ),
    "no runs": (json.dumps(answer(row(ms=(1.0,), runs_ms_a_tick=[]))), "rows[0].runs_ms_a_tick: []; expected times"),
    "runs of no time": (json.dumps(answer(row(runs_ms_a_tick=[1, 0]))), "rows[0].runs_ms_a_tick: [1, 0]; expected"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_an_invalid_result_file_is_refused(tmp_path: Path, name: str) -> None:
    text, said = BROKEN[name]
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        report.read(path)
    assert str(caught.value).startswith(f"{path}: {said}")


def test_a_missing_result_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.json: cannot be read: No such file"):
        report.read(tmp_path / "gone.json")


SLOW, FAST = (2.0, 2.1, 1.9), (1.0, 1.1, 0.9)


@pytest.mark.parametrize(
    ("old", "new", "word", "ratio"),
    [
        (row(ms=SLOW), row(ms=FAST), "faster", 2.0),
        (row(ms=FAST), row(ms=SLOW), "slower", 0.5),
        (row(ms=FAST), row(ms=(1.05, 1.2, 1.0)), "unclear", 1 / 1.05),
        (row(ms=(1.0,)), row(ms=(1.01,)), "same", 1 / 1.01),
        (row(), row(digest="f" * 32), "not comparable", None),
        (row(course=True), row(course=True, ticks_a_run=11), "not comparable", None),
        (row(ms=SLOW), row(ms=FAST, ticks_a_run=11), "faster", 2.0),
    ],
)
def test_comparison_gives_each_row_a_verdict(old: dict, new: dict, word: str, ratio: float | None) -> None:
    (verdict,) = comparing.compare(answer(old), answer(new))
    assert (verdict.row, verdict.word) == ("flow dense 256", word)
    assert verdict.ratio == (ratio if ratio is None else pytest.approx(ratio))
    assert bool(verdict.why) == (ratio is None)


def test_comparison_names_rows_of_only_one_result() -> None:
    before, now = answer(row(), row("typical")), answer(row(), row("sparse", 512, variant="strip-1x16"))
    verdicts = comparing.compare(before, now)
    assert [(each.row, each.word) for each in verdicts] == [
        ("flow dense 256", "same"), ("flow sparse 512 strip-1x16", "only now"), ("flow typical 256", "only before"),
    ]  # fmt: skip
    lines = comparing.text(verdicts).splitlines()
    assert lines[0].split() == ["flow", "dense", "256", "same", "1.00", "times", "as", "fast"]
    assert len(lines) == 3


def test_a_result_of_another_device_gives_a_remark() -> None:
    other = answer(environment={"renderer": "another", "software": False})
    assert comparing.other_machine(answer(), answer()) is None
    assert "another; this is some device" in comparing.other_machine(other, answer())


def test_the_table_has_all_figures_and_marks_software_opengl() -> None:
    text = tables.text(answer(row(side=512), row("sparse"), row()))
    assert "some device (software OpenGL, no GPU)" in text
    speeds = [line.split() for line in text.splitlines() if line.startswith("flow")]
    assert [words[1:3] for words in speeds[:3]] == [["dense", "512"], ["dense", "256"], ["sparse", "256"]]
    assert speeds[0][3:8] == ["1,000.0", "262.1", "20%", "2.0", "50%"]
    assert speeds[-1][3:] == ["flow", "1", "(50%)"]


def test_an_empty_table_says_that_nothing_was_measured() -> None:
    assert tables.text(answer()).endswith("nothing was measured")


def ink(picture: Image.Image, colour: str) -> int:
    """Number of pixels of about this colour."""
    far = np.abs(np.asarray(picture, int) - list(bytes.fromhex(colour[1:]))).max(axis=2)
    return int((far < 24).sum())


@pytest.mark.parametrize("sides", [(256, 512, 1024), (256,)], ids=len)
def test_a_plot_shows_its_lines_and_the_ceiling(tmp_path: Path, sides: tuple[int, ...]) -> None:
    rows = [row(name, side, ms) for name, ms in (("dense", (1.0,)), ("sparse", (20.0,))) for side in sides]
    rows += [row("dense", side, (2.0,), rules=["atoms"]) for side in sides]
    plotting.save(answer(*rows), tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as picture:
        picture.load()
    assert picture.format == "PNG"
    assert picture.width > 900
    assert ink(picture, plotting.COLOURS[0]) > ink(picture, plotting.COLOURS[1]) > 10
    assert ink(picture, plotting._CEILING) > 10


def test_a_faster_row_is_drawn_higher() -> None:
    axes = plotting.LogAxes((128, 1024), (1.0, 1000.0), (0, 0))
    (x, y), (far, high) = axes.at(256, 10.0), axes.at(512, 100.0)
    assert far > x
    assert high < y
