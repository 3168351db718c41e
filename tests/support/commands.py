"""Commands of gpufluid, as words."""

from __future__ import annotations

from typing import Any

from typer.main import get_command

from gpufluid.cli.commands import app

_COMMANDS = get_command(app).commands


def parsed(words: list[str]) -> dict[str, Any]:
    """Parse a command as the program does, and run nothing. Returns its parameters. Raises: it would be refused."""
    return _COMMANDS[words[0]].make_context(words[0], words[1:]).params
