"""Key bindings: the actions' default keys, changed by the user's settings file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from gpufluid.core.errors import UsageError, did_you_mean
from gpufluid.core.files import open_regular
from gpufluid.core.paths import settings_folder
from gpufluid.viewer.actions import ACTIONS, check_arguments

MODIFIERS = ("ctrl", "alt", "shift")
"""Modifiers, in the order of their names in a chord."""


def chord(key: str, modifiers: frozenset[str] = frozenset()) -> str:
    """Name of a key with its modifiers, such as ``ctrl+shift+z``."""
    return "+".join([*(name for name in MODIFIERS if name in modifiers), key.lower()])


def settings_file() -> Path:
    """Path of the user's key bindings; the file need not exist."""
    return settings_folder() / "keys.toml"


def bindings(path: Path | None = None) -> dict[str, tuple[str, Mapping[str, object]]]:
    """The action and arguments of each chord.

    The user's file has lines such as ``undo = "ctrl+z"`` or ``pause = ["p", "f9"]``, which replace the action's default
    keys, or ``tool = {q = {mode = "line"}}``, which adds keys with arguments. The user's keys override all defaults.

    Args:
        path: the user's file; need not exist.
    Returns: by chord: (action's name, arguments).
    Raises: UsageError: the file cannot be read, names an unknown action, or binds one chord to two actions.
    """
    given = {} if path is None else _read(path)
    found: dict[str, tuple[str, Mapping[str, object]]] = {}
    for name, action in ACTIONS.items():
        if not isinstance(given.get(name), list):
            found |= {_normal(key): (name, arguments) for key, arguments in action.keys.items()}
    own: dict[str, str] = {}
    for name, keys in given.items():
        for key, arguments in (keys if isinstance(keys, dict) else {key: {} for key in keys}).items():
            wanted = _normal(key)
            if own.setdefault(wanted, name) != name:
                raise UsageError(f"{path}: {wanted!r} is bound to both {own[wanted]} and {name}")
            found[wanted] = name, arguments
    return found


def _read(path: Path) -> dict[str, list[str] | dict[str, dict[str, object]]]:
    """By action: a list of keys that replace its defaults, or a table of keys with arguments to add; empty: no file."""
    try:
        with open_regular(path) as file:
            tables = tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    found: dict[str, list[str] | dict[str, dict[str, object]]] = {}
    for name, keys in tables.items():
        if name not in ACTIONS:
            raise UsageError(f"{path}: no action is named {name!r}{did_you_mean(name, ACTIONS)}")
        listed = [keys] if isinstance(keys, str) else keys
        plain = isinstance(listed, list) and all(isinstance(key, str) and key for key in listed)
        if not plain and not (isinstance(keys, dict) and all(isinstance(each, dict) for each in keys.values())):
            raise UsageError(f'{path}: {name}: expected a key such as "ctrl+z", a list of keys, or {{key = {{...}}}}')
        for arguments in keys.values() if isinstance(keys, dict) else ():
            check_arguments(name, arguments)
        found[name] = listed
    return found


def _normal(text: str) -> str:
    """A chord with its modifiers in the order of `MODIFIERS`."""
    *modifiers, key = text.lower().removesuffix("+").split("+") if text != "+" else ["+"]
    if text.endswith("++"):
        modifiers, key = [*modifiers, key], "+"
    return chord(key, frozenset(modifiers))
