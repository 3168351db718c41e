"""Writes a scene with comments, from which a user starts one of their own."""

from __future__ import annotations

import shlex
from pathlib import Path

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.files import check_writable, written_whole
from gpufluid.core.paths import new_scene_file
from gpufluid.scene.writing import quoted


def new_scene_path(name: str) -> Path:
    """The path of the file that a name of a new scene means: itself if it ends with ``.toml``, else with this ending.

    Raises: UsageError: no name of a file, or one with characters that cannot stand in a comment.
    """
    path = Path(name).expanduser()
    if path.suffix != ".toml" and path.suffix[1:2].isalpha():
        raise UsageError(
            f"{shown(name)}: a scene is a .toml file; expected a name such as pond, or the path of the file"
        )
    if not path.name or not name.isprintable():
        raise UsageError(f"{shown(name)}: expected a name, such as pond, or the path of a .toml file")
    return path if path.suffix == ".toml" else path.with_name(f"{path.name}.toml")


def write_new(path: Path) -> None:
    """Write the scene ``new_scene.toml`` with a title from the file's name, and with commands that name the file.

    Raises: UsageError: the file exists, or cannot be written there. OutputError: the disk is full.
    """
    check_writable(path)
    if path.exists():
        raise UsageError(f"{path}: exists; give another name, or remove it first")
    title = path.stem.replace("_", " ").capitalize()
    text = new_scene_file().read_text(encoding="utf-8")
    text = text.replace("{title}", quoted(title)).replace("{file}", shlex.quote(str(path)))
    with written_whole(path) as file:
        file.write_text(text, encoding="utf-8")
