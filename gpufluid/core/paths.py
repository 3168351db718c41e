"""Paths of data files: shaders, scenes, material tables, and the user's settings and cache.

In a wheel the folders ``shaders`` and ``scenes`` lie inside the package; in a checkout or an editable install they lie
beside it.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def _folder(name: str) -> Path:
    for parent in (_PACKAGE, _PACKAGE.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"the folder {name!r} is neither in {_PACKAGE} nor beside it: reinstall gpufluid")


def shaders_folder() -> Path:
    """The folder of GLSL files."""
    return _folder("shaders")


def scenes_folder() -> Path:
    """The folder of the shipped scenes."""
    return _folder("scenes")


def new_scene_file() -> Path:
    """The scene with comments that ``gpufluid new`` writes; always inside the package."""
    return _PACKAGE / "scene" / "new_scene.toml"


def materials_file() -> Path:
    """The file of the shipped materials; always inside the package."""
    return _PACKAGE / "matter" / "materials.toml"


def reactions_file() -> Path:
    """The file of the shipped reactions; always inside the package."""
    return _PACKAGE / "matter" / "reactions.toml"


def mixtures_file() -> Path:
    """The file of the shipped constituents and conversions; always inside the package."""
    return _PACKAGE / "matter" / "mixtures.toml"


def settings_folder() -> Path:
    """The folder of the user's settings. Raises RuntimeError: the user has no home folder."""
    return _users("APPDATA", "AppData/Roaming") if sys.platform == "win32" else _users("XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    """The folder of data that can be computed again. Raises RuntimeError: the user has no home folder."""
    return _users("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else _users("XDG_CACHE_HOME", ".cache")


def _users(variable: str, place: str) -> Path:
    """The folder ``gpufluid`` inside the folder that an environment variable names, or inside ``~/place``.

    A relative path in the variable is ignored, as the XDG base directory specification demands.
    """
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / place) / "gpufluid"
