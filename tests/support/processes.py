"""How other processes begin, and what they are doing, as /proc shows it."""

from __future__ import annotations

import os
import pty
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from gpufluid.core.interrupts import SIGNALS


def default_signals() -> None:
    """Let the signals that end a program do so, in a process that begins.

    The tests may run under nohup or in the background, where some are ignored, which a process hands on.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def pseudo_terminal() -> tuple[int, int]:
    """A new pseudo-terminal: the end of the test and that of the program. Skips the test if the system has none."""
    try:
        return pty.openpty()
    except OSError as error:
        pytest.skip(f"this system has no pseudo-terminal ({error})")


def children(pid: int) -> list[int]:
    """The numbers of the processes that a process has started and that have not ended."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # the process has ended
        return []


def kill_with_descendants(pid: int) -> None:
    """Send SIGKILL to a process, and to all that it and these have started."""
    found = [pid]
    for each in found:
        found += children(each)
    for each in found:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def open_files(pid: int) -> list[str]:
    """The files that a process has open; the path of one without a name ends in ``(deleted)``."""
    try:
        return [str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:  # the process has ended, or closed a file in the meantime
        return []


def is_filming(pid: int, folder: Path) -> bool:
    """Whether an encoder that a process has started writes a film in a folder."""
    return any(str(folder) in name for child in children(pid) for name in open_files(child))
