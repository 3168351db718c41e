"""The command ``info``: report the renderer, versions and limits, and if asked materials and rules."""

from __future__ import annotations

from typing import Annotated

import typer

from gpufluid.cli import options, terminal


def info(
    everything: Annotated[
        bool, typer.Option("--all", help="Also list all materials, and each rule's presets, overlays and parameters.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Report the renderer, versions, limits, and the largest world of each rule on this machine."""
    from gpufluid.run.environment import describe, table

    answer = describe()
    terminal.answer(answer, table(answer, everything=everything), as_json=as_json)
    if not answer["runs"]:
        raise typer.Exit(1)
