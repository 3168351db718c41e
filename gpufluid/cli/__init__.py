"""The command line: parses arguments, calls the package, prints results and errors."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from gpufluid.core.extras import without_libraries
from gpufluid.core.interrupts import catch_all, held_back, ignore_all


def main() -> NoReturn:
    """Run the command line, and end the process with its exit code.

    Ctrl-C, SIGTERM and SIGHUP end a command with one remark, also while it is imported: an interrupted import of a
    compiled module can print a traceback or raise another error. So this module itself imports little.
    """
    catch_all()
    debug = "--debug" in sys.argv
    sys.argv = [sys.argv[0], *(word for word in sys.argv[1:] if word != "--debug")]
    try:
        with held_back():
            commands = _commands()
        code = commands.run_command(debug)
        ignore_all()
    except KeyboardInterrupt:
        ignore_all()
        code = import_module("gpufluid.cli.commands").end_interrupted()
    sys.exit(code)


def _commands() -> ModuleType:
    """The module `cli.commands`. Raises SystemExit: a library that gpufluid needs is not installed."""
    try:
        import_module("gpufluid.public")
        return import_module("gpufluid.cli.commands")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("gpufluid"):
            raise
        raise SystemExit(f"gpufluid: {without_libraries(error)}") from None
