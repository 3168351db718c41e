"""Imports the package once a command is sure to run: its help, its completion and the version take none of that."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from gpufluid.core.extras import import_whole
from gpufluid.core.interrupts import held_back


def import_package() -> None:
    """Import what every command uses. A signal that arrives meanwhile counts afterwards, see `cli.main`.

    Raises: MissingExtraError: a library that gpufluid always needs is not installed.
    """
    with held_back():
        import_whole("gpufluid.public")


class Command(TyperCommand):
    """A command that imports the package after its words are understood, and before it runs."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  the class of a context differs between versions of typer
        """Import the package and run the command."""
        import_package()
        return super().invoke(ctx)
