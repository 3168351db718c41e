"""The folder in which the window keeps files, and listings of folders for its file browser."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.files import irregular
from gpufluid.core.paths import settings_folder
from gpufluid.scene.matched_picture import ENDINGS as PICTURES
from gpufluid.viewer.settings import read_settings, write_settings

FOLDER = "folder"
KINDS = {".toml": "scene", ".npz": "snapshot", **dict.fromkeys(PICTURES, "picture")}
"""The kinds of files that can be opened, by the endings of their names."""

LISTED_MOST = 2000
"""The most entries of a listing."""


def folder_settings() -> Path:
    """Path of the file with the user's folder; it need not exist."""
    return settings_folder() / "files.toml"


def read_folder(path: Path) -> Path:
    """Read the folder for files from a settings file with the line ``folder = "..."``.

    Args:
        path: the settings file.
    Returns: the folder, which may not exist any more; without a settings file the working directory, as ``Path()``.
    Raises: UsageError: the settings file cannot be read, or has something else in it.
    """
    found = read_settings(path)
    if found is None:
        return Path()
    for key in found.keys() - {FOLDER}:
        raise UsageError(f"{path}: {key}: unknown key; expected only {FOLDER}")
    folder = found.get(FOLDER)
    if not isinstance(folder, str) or not Path(folder).is_absolute():
        raise UsageError(f"{path}: {FOLDER}: {shown(folder)}; expected the whole path of a folder")
    return Path(folder)


def write_folder(path: Path, folder: Path) -> None:
    """Write the folder for files. Raises: OutputError, UsageError: the file cannot be written."""
    write_settings(path, f"{FOLDER} = {json.dumps(str(folder), ensure_ascii=False)}\n")


@dataclass(frozen=True, slots=True)
class Entry:
    """A folder, or a file that can be opened.

    Args:
        name: its name in its folder.
        path: its whole path.
        kind: ``folder``, or one of `KINDS`.
        size: in bytes; 0 of a folder.
        changed: the time of its last change, in seconds since 1970.
    """

    name: str
    path: Path
    kind: str
    size: int
    changed: float


def in_words(entry: Entry) -> tuple[str, str]:
    """The size of a file and the time of its last change; empty texts for a folder, and for a time without a date."""
    if entry.kind == "folder":
        return "", ""
    size = f"{entry.size / 1e6:,.1f} MB" if entry.size >= 1e6 else f"{max(entry.size / 1e3, 0.1):,.1f} KB"
    try:
        return size, datetime.fromtimestamp(entry.changed).strftime("%Y-%m-%d %H:%M")
    except (OSError, OverflowError, ValueError):  # some file systems store times after the year 9999
        return size, ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The contents of a folder.

    Args:
        folder: its whole path.
        entries: folders, then files that can be opened, each by name; hidden ones are left out.
        others: the number of files that cannot be opened, and of entries beyond `LISTED_MOST`.
    """

    folder: Path
    entries: tuple[Entry, ...]
    others: int


def list_folder(folder: Path) -> Listing:
    """List a folder. Raises: UsageError: no such folder, no folder, or no permission."""
    try:
        folder = folder.resolve()
        there = sorted(folder.iterdir(), key=lambda path: path.name.lower())
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(
            f"{shown(str(folder))}: cannot be listed: {getattr(error, 'strerror', None) or error}"
        ) from None
    visible = [path for path in there if not path.name.startswith(".")]
    found = [entry for path in visible if (entry := _entry(path)) is not None]
    found.sort(key=lambda entry: entry.kind != "folder")  # a stable sort: each kind stays in the order of names
    kept = tuple(found[:LISTED_MOST])
    return Listing(folder, kept, len(visible) - len(kept))


def _entry(path: Path) -> Entry | None:
    """The entry of a path; None: no folder and no file that can be opened."""
    try:
        if path.is_dir():
            return Entry(path.name, path, "folder", 0, path.stat().st_mtime)
        kind = KINDS.get(path.suffix.lower())
        if kind is None or irregular(path) is not None:
            return None
        facts = path.stat()
    except (OSError, ValueError):  # such as a file deleted meanwhile
        return None
    return Entry(path.name, path, kind, facts.st_size, facts.st_mtime)
