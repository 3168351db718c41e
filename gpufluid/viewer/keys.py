"""Key bindings: the actions' default keys, changed by the user's settings file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.paths import settings_folder
from gpufluid.viewer.actions import ACTIONS, check_arguments
from gpufluid.viewer.settings import read_settings

MODIFIERS = ("ctrl", "alt", "shift")
"""Modifiers, in the order of their names in a chord."""

PRESETS = {path.stem: path for path in sorted((Path(__file__).parent / "presets").glob("*.toml"))}
"""The files of shipped key bindings, by name."""

Bindings = dict[str, tuple[str, Mapping[str, object]]]
"""By chord: (action's name, arguments)."""


def chord(key: str, modifiers: frozenset[str] = frozenset()) -> str:
    """Name of a key with its modifiers, such as ``ctrl+shift+z``."""
    return "+".join([*(name for name in MODIFIERS if name in modifiers), key.lower()])


def settings_file() -> Path:
    """Path of the user's key bindings; the file need not exist."""
    return settings_folder() / "keys.toml"


def bindings(path: Path | None = None) -> Bindings:
    """The action and arguments of each chord.

    The user's file has lines such as ``undo = "ctrl+z"`` or ``pause = ["p", "f9"]``, which replace the action's default
    keys, or ``tool = {q = {mode = "line"}}``, which adds keys with arguments. The user's keys override all defaults.
    With ``preset = "classic"`` the defaults are first changed by the shipped file of that name, one of `PRESETS`.

    Args:
        path: the user's file; need not exist.
    Returns: by chord: (action's name, arguments).
    Raises: UsageError: the file cannot be read, names an unknown action or preset, or binds one chord to two actions.
    """
    found: Bindings = {}
    for name, action in ACTIONS.items():
        found |= {_normal(key): (name, arguments) for key, arguments in action.keys.items()}
    tables = (read_settings(path) if path is not None else None) or {}
    if "preset" in tables:
        preset = tables.pop("preset")
        if preset not in PRESETS:
            raise UsageError(f"{path}: preset: {shown(preset)}{did_you_mean(str(preset), PRESETS)}")
        found = _changed(found, PRESETS[preset], read_settings(PRESETS[preset]) or {})
    return found if path is None else _changed(found, path, tables)


def _changed(before: Bindings, path: Path, tables: Mapping[str, object]) -> Bindings:
    """The bindings as changed by the content of a file."""
    given = _checked(path, tables)
    replaced = {name for name, keys in given.items() if isinstance(keys, list)}
    found = {chord: bound for chord, bound in before.items() if bound[0] not in replaced}
    own: dict[str, str] = {}
    for name, keys in given.items():
        for key, arguments in (keys if isinstance(keys, dict) else {key: {} for key in keys}).items():
            wanted = _normal(key)
            if own.setdefault(wanted, name) != name:
                raise UsageError(f"{path}: {wanted!r} is bound to both {own[wanted]} and {name}")
            found[wanted] = name, arguments
    return found


def _checked(path: Path, tables: Mapping[str, object]) -> dict[str, list[str] | dict[str, dict[str, object]]]:
    """By action: a list of keys that replace its keys, or a table of keys with arguments to add.

    Raises: UsageError: an unknown action, or something else than keys.
    """
    found: dict[str, list[str] | dict[str, dict[str, object]]] = {}
    for name, keys in tables.items():
        if name not in ACTIONS:
            raise UsageError(f"{path}: no action is named {name!r}{did_you_mean(name, ACTIONS)}")
        listed = [keys] if isinstance(keys, str) else keys
        if isinstance(listed, list) and all(isinstance(key, str) and key for key in listed):
            found[name] = listed
        elif isinstance(listed, dict) and all(isinstance(each, dict) for each in listed.values()):
            for arguments in listed.values():
                check_arguments(name, arguments)
            found[name] = listed
        else:
            raise UsageError(f'{path}: {name}: expected a key such as "ctrl+z", a list of keys, or {{key = {{...}}}}')
    return found


def _normal(text: str) -> str:
    """A chord with its modifiers in the order of `MODIFIERS`."""
    *modifiers, key = text.lower().removesuffix("+").split("+") if text != "+" else ["+"]
    if text.endswith("++"):
        modifiers, key = [*modifiers, key], "+"
    return chord(key, frozenset(modifiers))
