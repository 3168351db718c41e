"""The commands, the options that stand before them, and the exit codes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from gpufluid.cli import bench, check, info, materials, new, run, scenes, serve, view
from gpufluid.cli.importing import Command, import_package
from gpufluid.cli.opening import means_scene
from gpufluid.cli.sharing import check_command, printed_once
from gpufluid.cli.terminal import remark, standard_streams
from gpufluid.core.errors import GpufluidError, UsageError
from gpufluid.core.interrupts import has_interrupted
from gpufluid.core.version import __version__

_NOT_GIVEN = dict.fromkeys(("help", "install_completion", "show_completion"), False)
"""Options of typer that are not in the words: to convert None it would import pydantic, also for a command's help."""

app = typer.Typer(
    name="gpufluid",
    help="Fluids and falling matter as cellular automata in GPU compute shaders, exact to the last unit.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"], "default_map": _NOT_GIVEN},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit code: 0 done; 1 the command failed, was interrupted, or could not write its answer; 2 a wrong option"
    " or input file. Messages that cannot be written on standard error are lost.",
)

_BY_CTRL_C = 130
"""The exit code that typer gives KeyboardInterrupt."""


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"gpufluid {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error; valid anywhere.")] = False,
) -> None:
    del version, debug  # the first is eager, the second is taken before
    check_command(context.invoked_subcommand)


_COMMANDS: dict[Callable[..., None], str] = {
    view.view: "Watch a scene in a window, and paint in it.",
    serve.serve: "Show a scene in a browser, also from far away.",
    run.run: "Run a scene; write films, pictures and states.",
    new.new: "Write a small scene, from which to start.",
    check.check: "Compare the GPU with NumPy, bit for bit.",
    bench.bench: "Measure the speed of each rule here.",
    info.info: "Report the renderer, versions and limits.",
    scenes.scenes: "List the scenes that come with gpufluid.",
    materials.materials: "List what materials do.",
}
for _command, _about in _COMMANDS.items():
    app.command(cls=Command, short_help=_about)(_command)


def run_command(debug: bool) -> int:
    """Run the command that `sys.argv` names, and print its `GpufluidError`, if any, as one message.

    Args:
        debug: raise the error instead.
    Returns: the exit code, also of wrong arguments.
    Raises: KeyboardInterrupt: a signal ended the command.
    """
    with standard_streams(), printed_once():
        try:
            _understand(sys.argv)
            code = _exit_code()
            sys.stdout.flush()
        except GpufluidError as error:
            if debug:
                raise
            remark(str(error))
            return error.exit_code
        except MemoryError:
            if debug:
                raise
            remark("not enough memory")
            return 1
        except BrokenPipeError:  # the reader of standard output has exited, such as `head`
            return 1
        except Exception:
            if has_interrupted() and not debug:  # such as a library's complaint of a file that was cut short
                raise KeyboardInterrupt from None
            raise
        return code


def end_interrupted() -> int:
    """Say that a signal has ended the command. Returns the exit code."""
    with standard_streams(), printed_once():
        remark("interrupted")
    exec("")  # CPython ends itself by SIGINT if KeyboardInterrupt left the last text that ran, as in a new dataclass
    return 1


def _understand(words: list[str]) -> None:
    """Write ``help run`` as ``run --help``. Raises UsageError: a scene in place of a command, with what shows it."""
    first = words[1] if len(words) > 1 else ""
    if first == "help" and words[2:3] != ["help"]:
        words[1:] = [*words[2:], "--help"]
    elif first and not first.startswith("-") and first not in {command.__name__ for command in _COMMANDS}:
        import_package()
        if means_scene(first):
            shown = shlex.quote(first)
            raise UsageError(f"{first!r} names a scene, not a command: gpufluid view {shown}, or gpufluid run {shown}")


def _exit_code() -> int:
    try:
        app()
    except SystemExit as leaving:
        if leaving.code == _BY_CTRL_C:
            raise KeyboardInterrupt from None
        return leaving.code if isinstance(leaving.code, int) else 0
    return 0
