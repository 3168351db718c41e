"""``gpufluid new``: a scene with comments to start from."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import pytest

from gpufluid import scene


@pytest.mark.parametrize(
    ("name", "file"), [("pond", "pond.toml"), ("my pond's.toml", "my pond's.toml"), ("v1.2", "v1.2.toml")]
)
def test_a_new_scene_is_read_without_a_remark_and_names_itself(call, tmp_path: Path, name: str, file: str) -> None:
    answer = call("new", name)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{file}: written. To watch it: gpufluid view {shlex.quote(file)}\n"
    made = scene.read(tmp_path / file)
    assert not made.remarks
    assert made.title == Path(file).stem.capitalize()
    text = (tmp_path / file).read_text()
    assert text.count(shlex.quote(file)) == 3
    assert "{" not in text


def test_the_commands_in_a_new_scene_run(call, tmp_path: Path) -> None:
    """Up to `--watch`, which has tests of its own."""
    call("new", "pond")
    lines = (tmp_path / "pond.toml").read_text().splitlines()
    commands = [shlex.split(line.partition("gpufluid ")[2]) for line in lines if "gpufluid run pond" in line]
    assert [words[-1] for words in commands] == ["4", "--watch"]
    for words in commands:
        answer = call(*(word for word in words if word != "--watch"), "--ticks", 3)
        assert answer.code == 0, answer.err
    assert {path.name for path in tmp_path.iterdir()} == {"pond.toml", "film.mp4", "now.png"}


def test_the_material_in_the_comments_is_valid(call, tmp_path: Path) -> None:
    call("new", "pond")
    path = tmp_path / "pond.toml"
    head, _, commented = path.read_text().partition("# [[material]]")
    lines = ("# [[material]]" + commented).splitlines()
    path.write_text(head + "\n".join(line.removeprefix("# ") for line in lines))
    assert tomllib.loads(path.read_text())["material"]
    assert "slate" in scene.read(path).world.materials


def test_an_existing_file_is_kept(call, tmp_path: Path) -> None:
    (tmp_path / "pond.toml").write_text("mine")
    answer = call("new", "pond")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "gpufluid: pond.toml: exists; give another name, or remove it first\n"
    assert (tmp_path / "pond.toml").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "'': expected a name, such as pond, or the path of a .toml file"),
        (".", "'.': expected a name, such as pond, or the path of a .toml file"),
        ("a\nb", "'a\\nb': expected a name, such as pond, or the path of a .toml file"),
        ("pond.png", "'pond.png': a scene is a .toml file; expected a name such as pond, or the path of the file"),
        ("no/pond", "no/pond.toml: there is no folder 'no'"),
        ("n" * 300, f"'{'n' * 300}.toml'"[:40]),
    ],
)
def test_a_bad_name_is_refused(call, tmp_path: Path, name: str, said: str) -> None:
    answer = call("new", name)
    assert answer.code == 2
    assert answer.err.startswith(f"gpufluid: {said}")
    assert answer.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
