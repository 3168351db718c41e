"""Key bindings: the default table, and the user's changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufluid.viewer.actions import ACTIONS
from gpufluid.viewer.keys import PRESETS, bindings, chord


def test_default_keys_are_unique_and_bound_to_known_actions() -> None:
    found = bindings()
    assert len(found) == sum(len(action.keys) for action in ACTIONS.values())
    assert {name for name, _ in found.values()} <= set(ACTIONS)


@pytest.mark.parametrize(
    ("key", "action"),
    [
        ("o", "next_material"),
        ("p", "pause"),
        ("space", "pause"),
        ("r", "reset"),
        ("f1", "panel"),
        ("f4", "panel"),
        ("d", "next_overlay"),
    ],
)
def test_keys_of_the_seed_programs_have_the_same_actions(key: str, action: str) -> None:
    """Keys of seed 002: O next material, P pause, D debug, R reset; of seed 004: F1 help, F4 edit mode."""
    assert bindings()[key][0] == action


def test_chord_lists_its_modifiers_in_a_fixed_order() -> None:
    assert chord("Z", frozenset({"shift", "ctrl"})) == "ctrl+shift+z"


def test_a_key_file_replaces_the_keys_of_its_actions(tmp_path: Path) -> None:
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
        ('preset = "clasic"', "preset: 'clasic'; did you mean 'classic'"),
        ("preset = 3", "preset: 3; expected one of: classic"),
    ],
)
def test_an_invalid_key_file_is_an_error(error_in: Callable[..., str], text: str, said: str) -> None:
    assert re.search(said, error_in(bindings, text))


def test_a_key_file_overrides_default_keys_and_gives_arguments(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('undo = ["ctrl+z", "u"]\ntool = {q = {mode = "line"}}\n')
    found = bindings(file)
    assert found["u"] == ("undo", {})
    assert found["q"] == ("tool", {"mode": "line"})
    assert found["e"] == ("tool", {"mode": "erase"})


def test_digits_choose_favourites_and_shift_and_a_digit_sets_them() -> None:
    found = bindings()
    assert [found[key] for key in "190"] == [("favourite", {"place": place}) for place in (0, 8, 9)]
    assert found["shift+3"] == ("set_favourite", {"place": 2})


def test_the_classic_preset_has_the_old_keys_and_own_lines_count_more(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('preset = "classic"\nundo = "u"\n')
    found = bindings(file)
    assert "space" not in found
    assert found["p"] == ("pause", {})
    assert [found[key] for key in "10"] == [("material", {"number": 0}), ("material", {"number": 9})]
    assert "favourite" not in {name for name, _ in found.values()}
    assert found["u"] == ("undo", {})
    assert found["b"] == bindings()["b"]


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_can_be_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(f'preset = "{name}"\n')
    assert bindings(file) != bindings()
