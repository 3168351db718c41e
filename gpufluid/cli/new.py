"""The command ``new``: write a scene to start from."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from gpufluid.cli import options, terminal


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the scene, or the path of its .toml file.")],
    as_json: options.AsJson = False,
) -> None:
    """Write a small scene with comments, from which to start one of your own."""
    from gpufluid.scene.new_scene import new_scene_path, write_new

    path = new_scene_path(name)
    write_new(path)
    terminal.answer(
        {"file": str(path)}, f"{path}: written. To watch it: gpufluid view {shlex.quote(str(path))}", as_json=as_json
    )
