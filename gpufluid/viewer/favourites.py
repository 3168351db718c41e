"""The favourites, which the digit keys choose. The user's own are kept in a file of the settings folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.paths import settings_folder
from gpufluid.viewer.settings import read_settings, write_settings

ERASE = "erase"
"""The favourite that chooses the tool of this name and no material."""

DEFAULT = ("water", "sand", "stone", "wall", "fire", "oil", "acid", "seed", "lava", ERASE)
"""The favourites of the keys 1 to 9 and 0."""


def favourites_file() -> Path:
    """Path of the user's favourites; the file need not exist."""
    return settings_folder() / "favourites.toml"


def digit(place: int) -> str:
    """The digit on the key of a favourite; `place` counts from 0."""
    return str((place + 1) % len(DEFAULT))


def read_favourites(path: Path) -> tuple[str, ...]:
    """Read the favourites from a file with one line, ``favourites = [...]``: ten names of materials, or ``erase``.

    Args:
        path: the file; if it does not exist, the favourites are `DEFAULT`.
    Raises: UsageError: the file cannot be read, or has something else in it.
    """
    found = read_settings(path)
    if found is None:
        return DEFAULT
    for key in found.keys() - {"favourites"}:
        raise UsageError(f"{path}: {key}: unknown key; expected only favourites")
    names = found.get("favourites")
    wanted = f"expected {len(DEFAULT)} names of materials, or {ERASE!r}"
    if not isinstance(names, list) or len(names) != len(DEFAULT):
        raise UsageError(f"{path}: favourites: {shown(names)}; {wanted}")
    for name in names:
        if not isinstance(name, str) or not name:
            raise UsageError(f"{path}: favourites: {shown(name)}; {wanted}")
    return tuple(names)


def write_favourites(path: Path, names: Sequence[str]) -> None:
    """Write the favourites. Raises: OutputError, UsageError: the file cannot be written."""
    write_settings(path, f"favourites = {json.dumps(list(names))}\n")
