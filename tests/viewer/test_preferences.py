"""Choices in the window that are kept for later sessions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufluid import World
from gpufluid.core.errors import UsageError
from gpufluid.viewer import viewer
from gpufluid.viewer.preferences import Preferences, read_preferences, write_preferences


def test_choices_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "new" / "window.toml"
    assert read_preferences(file) == Preferences()
    for chosen in (Preferences(14.5, 30), Preferences(0, 200)):
        write_preferences(file, chosen)
        assert read_preferences(file) == chosen
    file.write_text(f"over_walls = true\n{file.read_text()}")
    assert read_preferences(file) == chosen, "older files have another line"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left_column = true", "left_column: True; expected a number from 0 to 200"),
        ("right_column = 201", "right_column: 201; expected a number from 0 to 200"),
        ("right_column = -1", "right_column: -1; expected"),
        ("left_colum = 20", "left_colum: unknown key; did you mean 'left_column'"),
        ("left_column = ", "cannot be read"),
    ],
)
def test_an_invalid_file_is_an_error(error_in: Callable[..., str], text: str, said: str) -> None:
    assert re.search(said, error_in(read_preferences, text))


@pytest.mark.parametrize("file", ["window.toml", "keys.toml", "files.toml", "favourites.toml"])
def test_an_invalid_file_is_told_before_anything_is_compiled(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = pytest.importorskip("gpufluid.viewer.window", reason="imgui-bundle is not installed")
    made: list[str] = []
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(window, "GlfwWindow", lambda *_: made.append("window"))
    monkeypatch.setattr(viewer, "Workbench", lambda *_, **__: made.append("simulation"))
    (tmp_path / "gpufluid").mkdir()
    (tmp_path / "gpufluid" / file).write_text("nonsense = ")
    starts = {"window.toml": lambda: window.show(lambda _: pytest.fail("a viewer was made"))}
    start = starts.get(file, lambda: viewer.Viewer(World(8, 8, ("atoms",))))
    with pytest.raises(UsageError, match=f"{file}: cannot be read"):
        start()
    assert made == []
