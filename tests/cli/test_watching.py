"""``gpufluid run --watch``: a scene is run again each time it is saved."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.patience import PATIENCE, wait_until
from support.processes import is_filming

SCENE = """title = "{}"
size = [16, 8]
ticks = {}
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [{}, 8]
material = "{}"
"""


def saved(path: Path, text: str) -> None:
    """Save a file as editors do: a new file takes the place of the old one."""
    other = path.with_suffix(".new")
    other.write_text(text)
    other.replace(path)


@pytest.fixture
def watching(start, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that watches ``x.toml`` and writes its last state to ``x.png``; it has run once."""
    saved(tmp_path / "x.toml", SCENE.format("First", 2, 4, "wall"))
    with start("run", "x.toml", "--out", "x.png", "--watch", "--json") as running:
        try:
            assert answer(running)["scene"] == "First"
            assert said(running) == "waiting until x.toml is saved; Ctrl-C ends this"
            yield running
            running.send_signal(signal.SIGINT)
            _, err = running.communicate(timeout=PATIENCE)
            assert (running.returncode, err) == (0, "gpufluid: ended\n")
        finally:
            running.kill()


def answer(running: subprocess.Popen[str]) -> dict:
    """The next JSON result of a command."""
    lines = []
    for line in running.stdout:
        lines.append(line)
        if line == "}\n":
            return json.loads("".join(lines))
    raise AssertionError(running.stderr.read())


def said(running: subprocess.Popen[str]) -> str:
    """The next remark of a command."""
    return running.stderr.readline().removeprefix("gpufluid: ").rstrip("\n")


def walled(path: Path) -> int:
    """The number of columns of wall in a picture of a cell a pixel."""
    pixels = np.asarray(Image.open(path).convert("RGB")).astype(int)
    return int((abs(pixels[4] - pixels[4, -1]).sum(axis=1) > 60).sum())


def test_each_save_is_drawn(watching: subprocess.Popen[str], tmp_path: Path) -> None:
    assert walled(tmp_path / "x.png") == 4
    for columns in (9, 2):
        saved(tmp_path / "x.toml", SCENE.format("Next", 3, columns, "wall"))
        found = answer(watching)
        assert (found["scene"], found["ticks"]) == ("Next", 3)
        assert said(watching).startswith("waiting")
        assert walled(tmp_path / "x.png") == columns


def test_an_error_is_printed_and_the_next_save_is_drawn(watching: subprocess.Popen[str], tmp_path: Path) -> None:
    saved(tmp_path / "x.toml", SCENE.format("Wrong", 2, 4, "wal"))
    assert said(watching).startswith("x.toml:8: fill[0].material: ")
    assert said(watching).startswith("waiting")
    assert walled(tmp_path / "x.png") == 4
    saved(tmp_path / "x.toml", SCENE.format("Right", 2, 5, "wall"))
    assert answer(watching)["scene"] == "Right"
    assert said(watching).startswith("waiting")
    assert walled(tmp_path / "x.png") == 5


def test_a_picture_that_the_scene_names_is_watched_too(watching: subprocess.Popen[str], tmp_path: Path) -> None:
    def draw(columns: int) -> None:
        pixels = np.zeros((8, 16, 3), np.uint8)
        pixels[:, :columns] = 255
        Image.fromarray(pixels).save(tmp_path / "new.png")
        (tmp_path / "new.png").replace(tmp_path / "map.png")

    draw(3)
    saved(
        tmp_path / "x.toml",
        'title = "Map"\nticks = 1\n[map]\nimage = "map.png"\nlegend = { "#000000" = "empty", "#ffffff" = "wall" }\n',
    )
    answer(watching)
    assert said(watching).startswith("waiting")
    for columns in (5, 7):
        draw(columns)
        answer(watching)
        assert said(watching).startswith("waiting")
    assert walled(tmp_path / "x.png") == 7


def test_a_save_ends_a_run_that_goes_on(start, tmp_path: Path) -> None:
    saved(tmp_path / "x.toml", SCENE.format("Endless", 10**9, 4, "wall"))
    with start("run", "x.toml", "--out", "x.mp4", "--every", 5, "--watch", "--json") as running:
        try:
            wait_until(lambda: is_filming(running.pid, tmp_path), "a film")
            saved(tmp_path / "x.toml", SCENE.format("Short", 20, 4, "wall"))
            assert answer(running)["ticks"] == 20
            assert said(running).startswith("waiting")
            assert sorted(path.name for path in tmp_path.iterdir()) == ["x.mp4", "x.toml"]
        finally:
            running.kill()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere.toml",), "there is no scene file 'nowhere.toml'"),
        (("x.toml", "--out", "x.bmp"), "x.bmp: "),
        (("x.toml", "--size", "1"), "--size: '1'"),
    ],
)
def test_what_no_save_can_mend_ends_the_command(call, words: tuple[str, ...], message: str) -> None:
    Path("x.toml").write_text(SCENE.format("Right", 2, 4, "wall"))
    answer = call("run", *words, "--watch")
    assert answer.code == 2
    assert answer.err.startswith(f"gpufluid: {message}")
