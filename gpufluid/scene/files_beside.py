"""The files that a scene names: pictures and snapshots, which lie beside or below the scene file."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.files import irregular

_SEARCHED = 100
"""Folders that are searched for the name of a file that is missing."""


def file_beside(scene: Path, name: str, ending: str) -> Path:
    """The path of a file that a scene names.

    Args:
        scene: the scene file.
        name: the name of the other file in the scene, relative to the folder of the scene.
        ending: the usual ending of such files; a message on a missing file proposes names with it.
    Raises: ValueError: an invalid name, a file outside the folder of the scene, no such file, or no regular file; the
        message says which.
    """
    folder = scene.resolve().parent
    try:
        path = (folder / name).resolve()
        inside, is_file, other = path.is_relative_to(folder), path.is_file(), irregular(folder / name)
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of symbolic links, a zero byte
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"{shown(name)} is no file name: {reason}") from None
    if not inside:
        raise ValueError(f"{shown(name)} is not beside or below the scene file")
    if other is not None:
        raise ValueError(f"{shown(name)} is {other}")
    if not is_file:
        raise ValueError(f"there is no {shown(name)}{did_you_mean(name, _files_below(folder, ending))}")
    return path


def _files_below(folder: Path, ending: str) -> list[str]:
    """The names of files with an ending in a folder and in some below: a scene can lie at the top of a whole disk."""
    found = ((Path(place), name) for place, _, names in islice(os.walk(folder), _SEARCHED) for name in names)
    return [(place / name).relative_to(folder).as_posix() for place, name in found if name.endswith(ending)]
