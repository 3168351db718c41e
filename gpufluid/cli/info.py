"""The command ``info``: report the renderer, versions, limits, materials and rules."""

from __future__ import annotations

import typer

from gpufluid.cli import options, terminal


def info(as_json: options.AsJson = False) -> None:
    """Report the renderer, versions, limits, and what runs on this machine."""
    from gpufluid.run.environment import describe, table

    answer = describe()
    terminal.answer(answer, table(answer), as_json=as_json)
    if not answer["runs"]:
        raise typer.Exit(1)
