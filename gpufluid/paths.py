"""Where the files lie that are not Python: shaders, scenes, the tables of materials and of reactions.

In a wheel the folders are inside the package; in a checkout and an editable install beside it.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


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
    return _PACKAGE / "materials.toml"


def reactions_file() -> Path:
    """The reactions that come with gpufluid; always inside the package."""
    return _PACKAGE / "reactions.toml"
