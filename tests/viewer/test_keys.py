"""Key bindings: the default table, and the user's changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpufluid.core.errors import UsageError
from gpufluid.viewer.actions import ACTIONS
from gpufluid.viewer.keys import bindings, chord


def test_no_key_is_bound_twice_and_each_to_something_that_is_there() -> None:
    found = bindings()
    assert len(found) == sum(len(action.keys) for action in ACTIONS.values())
    assert {name for name, _ in found.values()} <= set(ACTIONS)


@pytest.mark.parametrize(
    ("key", "action"),
    [("o", "next_material"), ("p", "pause"), ("r", "reset"), ("f1", "panel"), ("f4", "panel"), ("d", "next_overlay")],
)
def test_the_seeds_keys_do_what_they_did(key: str, action: str) -> None:
    """Keys of seed 002: O next material, P pause, D debug, R reset; of seed 004: F1 help, F4 edit mode."""
    assert bindings()[key][0] == action


def test_a_chord_names_its_modifiers_in_one_order() -> None:
    assert chord("Z", frozenset({"shift", "ctrl"})) == "ctrl+shift+z"


def test_a_user_changes_keys(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('undo = ["shift+ctrl+u", "f9"]\npause = "x"\n')
    found = bindings(file)
    assert found["ctrl+shift+u"][0] == found["f9"][0] == "undo"
    assert "ctrl+z" not in found
    assert found["x"][0] == "pause"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('pant = "x"', "no action is named 'pant'; did you mean 'paint'"),
        ("undo = 3", "undo: expected a key"),
        ('undo = "x"\nredo = "x"', "'x' is bound to both undo and redo"),
        ('tool = {q = {mood = "line"}}', "tool: missing a required argument: 'mode'"),
        ("undo = ", "cannot be read"),
    ],
)
def test_a_wrong_file_is_answered_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=said):
        bindings(file)


def test_a_users_key_goes_before_any_other_and_may_have_arguments(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('undo = ["ctrl+z", "u"]\ntool = {q = {mode = "line"}}\n')
    found = bindings(file)
    assert found["u"] == ("undo", {})
    assert found["q"] == ("tool", {"mode": "line"})
    assert found["e"] == ("tool", {"mode": "erase"})
