"""Where the files lie that are not Python: shaders, scenes, the tables of materials and reactions, what is the user's.

In a wheel the folders are inside the package; in a checkout and an editable install beside it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def _folder(name: str) -> Path:
    for parent in (_PACKAGE, _PACKAGE.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"the folder {name!r} is neither in {_PACKAGE} nor beside it: reinstall gpufluid")


def shaders_folder() -> Path:
    """The folder of GLSL files."""
    return _folder("shaders")


def scenes_folder() -> Path:
    """The folder of scenes that come with gpufluid."""
    return _folder("scenes")


def materials_file() -> Path:
    """The materials that come with gpufluid; always inside the package."""
    return _PACKAGE / "matter" / "materials.toml"


def reactions_file() -> Path:
    """The reactions that come with gpufluid; always inside the package."""
    return _PACKAGE / "matter" / "reactions.toml"


def mixtures_file() -> Path:
    """The constituents and conversions of mixtures that come with gpufluid; always inside the package."""
    return _PACKAGE / "matter" / "mixtures.toml"


def settings_folder() -> Path:
    """Where the user's settings are. Raises RuntimeError: the system knows of no home of the user's."""
    return _users("APPDATA", "AppData/Roaming") if sys.platform == "win32" else _users("XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    """Where that is kept which could be found out again. Raises RuntimeError: as `settings_folder`."""
    return _users("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else _users("XDG_CACHE_HOME", ".cache")


def _users(variable: str, place: str) -> Path:
    """Our folder in one that an environment variable names, if it is a whole path, or else in one below the home."""
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / place) / "gpufluid"
