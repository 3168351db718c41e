"""Terminal output: results on standard output, remarks and progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gpufluid.core.errors import OutputError


def answer(found: object, text: str, *, as_json: bool = False) -> None:
    """Print a result on standard output.

    Args:
        found: the result as data, for ``as_json``.
        text: the result as text.
        as_json: whether to print JSON.
    Raises: OutputError: standard output cannot be written.
    """
    try:
        print(json.dumps(found, indent=2) if as_json else text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # the interpreter would try to flush it at exit, and fail again
        raise OutputError(f"the answer could not be written: {error.strerror}") from None


def remark(text: str) -> None:
    """Print a message that is no part of the result, on standard error."""
    print(f"gpufluid: {text}", file=sys.stderr)


@contextmanager
def progress_of_ticks(ticks: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar of ticks: yields a function of the ticks done; None if standard error is no terminal."""
    with _bar(ticks) as bar:
        yield bar and (lambda done: bar(done, None))


@contextmanager
def progress_of_rows(rows: int) -> Iterator[Callable[[int, str], None] | None]:
    """A progress bar of rows: yields a function of the rows done and the name of the current row; None as above."""
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
