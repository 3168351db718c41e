"""The command line: parses arguments, calls the package, prints results and errors."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from gpufluid.core.errors import MissingExtraError
from gpufluid.core.extras import import_whole
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
    """The module `cli.commands`. Raises SystemExit: a library that it needs is not installed."""
    try:
        return import_whole("gpufluid.cli.commands")
    except MissingExtraError as error:
        raise SystemExit(f"gpufluid: {error}") from None
