"""Choices in the window that are kept for later sessions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufluid.viewer.preferences import Preferences, read_preferences, write_preferences


def test_choices_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "new" / "window.toml"
    assert read_preferences(file) == Preferences()
    for chosen in (Preferences(True, 14.5, 30), Preferences(False, 0, 200)):
        write_preferences(file, chosen)
        assert read_preferences(file) == chosen


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("over_walls = 1", "over_walls: 1; expected true or false"),
        ("left_column = true", "left_column: True; expected a number from 0 to 200"),
        ("right_column = 201", "right_column: 201; expected a number from 0 to 200"),
        ("right_column = -1", "right_column: -1; expected"),
        ("left_colum = 20", "left_colum: unknown key; did you mean 'left_column'"),
        ("over_walls = ", "cannot be read"),
    ],
)
def test_an_invalid_file_is_an_error(error_in: Callable[..., str], text: str, said: str) -> None:
    assert re.search(said, error_in(read_preferences, text))
