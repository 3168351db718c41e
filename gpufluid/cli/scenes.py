"""The command ``scenes``: list the scenes that come with gpufluid."""

from __future__ import annotations

from gpufluid.cli import options, terminal


def scenes(as_json: options.AsJson = False) -> None:
    """List the scenes that come with gpufluid."""
    from gpufluid.scene import headings

    answer = headings()
    width = max(len(heading["name"]) for heading in answer)
    terminal.answer(answer, "\n".join(f"{h['name']:{width}}  {h['about']}" for h in answer), as_json=as_json)
