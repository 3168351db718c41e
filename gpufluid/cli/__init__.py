"""The command line: parses arguments, calls the package, prints results and errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from gpufluid.cli import bench, check, info, run, scenes, view
from gpufluid.cli.terminal import remark
from gpufluid.core.errors import GpufluidError

app = typer.Typer(
    name="gpufluid",
    help="Fluids and falling matter as cellular automata in GPU compute shaders, exact to the last unit.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_BY_CTRL_C = 130
"""The exit code that typer gives Ctrl-C where a command does not handle it."""


def _show_version(wanted: bool) -> None:
    if wanted:
        from gpufluid import __version__

        print(f"gpufluid {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error; valid anywhere.")] = False,
) -> None:
    pass


for _command in (view.view, run.run, check.check, bench.bench, info.info, scenes.scenes):
    app.command()(_command)


def main() -> None:
    """Run the command line. A GpufluidError is printed as its message alone, and sets the exit code."""
    debug = "--debug" in sys.argv
    sys.argv = [sys.argv[0], *(word for word in sys.argv[1:] if word != "--debug")]
    try:
        app()
    except GpufluidError as error:
        if debug:
            raise
        remark(str(error))
        sys.exit(error.exit_code)
    except SystemExit as leaving:
        if leaving.code != _BY_CTRL_C:
            raise
        remark("interrupted")
        sys.exit(1)
    except MemoryError:
        if debug:
            raise
        remark("not enough memory")
        sys.exit(1)
    except BrokenPipeError:  # the reader of standard output has exited, such as `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
