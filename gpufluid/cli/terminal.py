"""Terminal output: results on standard output, remarks and progress on standard error."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from gpufluid.core.errors import OutputError

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.gpu.preparing import Preparing

PREPARING_SECONDS = 2.0
"""Time after which a remark says that the device compiles."""


def answer(found: object, text: str, *, as_json: bool = False) -> None:
    """Print a result on standard output.

    Args:
        found: the result as data, for ``as_json``.
        text: the result as text.
        as_json: whether to print JSON.
    Raises: OutputError: standard output cannot be written. BrokenPipeError: its reader has exited.
    """
    print(json.dumps(found, indent=2) if as_json else legible(text), flush=True)


def remark(text: str) -> None:
    """Print a message that is no part of the result, on standard error."""
    print(f"gpufluid: {legible(text)}", file=sys.stderr)


@contextmanager
def preparation_remarked(device: Device, clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """Say once what the device compiles if that takes over `PREPARING_SECONDS`, and standard error is a terminal.

    Args:
        device: the device.
        clock: returns the time in seconds.
    """
    began: float | None = None
    is_said = not sys.stderr.isatty()

    def announce(step: Preparing) -> None:
        nonlocal began, is_said
        began = clock() if began is None else began
        if not is_said and clock() - began > PREPARING_SECONDS:
            is_said = True
            remark(str(step))

    with device.announcing(announce):
        yield


def legible(text: str) -> str:
    """A text with escapes for all characters that are not printed, but for the ends of lines.

    The title of a scene and the name of a file can have characters that control a terminal.
    """
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode() for each in text
    )


@contextmanager
def standard_streams() -> Iterator[None]:
    """Prepare standard output and standard error for a command, whatever they are connected to.

    Output that cannot be written raises OutputError, or BrokenPipeError if its reader has exited. Remarks that cannot
    be written are lost, because a run must not end with the terminal that it was started from.
    """
    _occupy_closed_streams()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, _Output(before[0])), cast(TextIO, _Remarks(before[1]))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in before:
            _discard_unwritable(stream)


class _Stream:
    """A text stream in front of another one. Libraries write to it and ask it for its properties."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the stream has
        if name == "buffer":  # text written to the buffer would bypass this stream
            raise AttributeError(name)
        return getattr(self._stream, name)


class _Output(_Stream):
    """Standard output: errors are OutputError, or BrokenPipeError if its reader has exited.

    Characters that its encoding lacks are written as escapes.
    """

    def write(self, text: str) -> int:
        with _as_output_error():
            try:
                return self._stream.write(text)
            except UnicodeEncodeError as error:  # such as a title, on a terminal of another encoding
                return self._stream.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))

    def flush(self) -> None:
        with _as_output_error():
            self._stream.flush()


class _Remarks(_Stream):
    """Standard error: text that cannot be written is discarded."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


@contextmanager
def _as_output_error() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"the answer could not be written: {error.strerror or error}") from None


def _occupy_closed_streams() -> None:
    """Open the file descriptors of closed standard streams so that every use still fails.

    Otherwise the next file that is opened gets such a descriptor, and a library's warning would be written into it.
    """
    if os.name != "posix":
        return
    for number, wrong_way in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, wrong_way)  # the lowest free number, which is this one
            os.set_inheritable(opened, True)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


def _discard_unwritable(stream: TextIO) -> None:
    """Flush a stream or discard its text: the interpreter would try again as it exits, and print an error."""
    try:
        stream.flush()
    except OSError:
        with suppress(OSError):  # a stream without a number, in a test
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


@contextmanager
def progress_of_ticks(ticks: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar of ticks: yields a function of the ticks done; None if standard error is no terminal."""
    with _bar(ticks) as bar:
        yield bar and (lambda done: bar(done, None))


@contextmanager
def progress_of_rows(rows: int) -> Iterator[Callable[[int, str], None] | None]:
    """A progress bar of rows: yields a function of the rows done and the current row's name; None: no terminal."""
    with _bar(rows) as bar:
        yield bar


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, str | None], None] | None]:
    """A progress bar: yields a function of the amount done and a text beside the bar; by default the speed."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress
    from rich.console import Console

    columns = (
        progress.BarColumn(None),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[beside]}"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, beside="")

        def show(done: int, beside: str | None) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, beside=beside or (f"{speed:,.0f} ticks/s" if speed else ""))

        yield show
