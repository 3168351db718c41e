"""The command ``materials``: list what the materials of a world do."""

from __future__ import annotations

from typing import Annotated

import typer

from gpufluid.cli import options, terminal

_ALL = ("atoms", "heat", "reactions", "collapse", "flow", "inertia")
"""The rules of the world without a scene: in it every shipped material does all that it can."""


def materials(
    scene: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENE]",
            help="A scene, a .toml file, a .npz snapshot, or a .zarr store; by default the shipped materials.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """List what materials do: how they move, what heat does to them, and how they react."""
    from gpufluid.io.loading import load
    from gpufluid.world import World
    from gpufluid.world.material_words import MaterialWords

    laws = (World(2, 2, _ALL) if scene is None else load(scene)).laws
    words = MaterialWords(laws)
    told = {record.name: words.of(record.name) for record in [*laws.materials][1:]}
    width = max(map(len, told))
    found = [{"name": name, "does": list(parts)} for name, parts in told.items()]
    text = "\n".join(f"{name:{width}}  {', '.join(parts)}" for name, parts in told.items())
    terminal.answer(found, text, as_json=as_json)
