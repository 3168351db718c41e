"""What a terminal shows: answers on standard output, remarks and progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gpufluid.core.errors import OutputError


def answer(found: object, text: str, *, as_json: bool = False) -> None:
    """Print a result, for a person or for a program. Raises OutputError: it could not be written."""
    try:
        print(json.dumps(found, indent=2) if as_json else text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # what it still holds cannot be written at the end either
        raise OutputError(f"the answer could not be written: {error.strerror}") from None


def remark(text: str) -> None:
    """Say something that is no part of the result."""
    print(f"gpufluid: {text}", file=sys.stderr)


@contextmanager
def progress_of_ticks(ticks: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on a terminal, nothing on a pipe."""
    with _bar(ticks) as bar:
        yield bar and (lambda done: bar(done, None))


@contextmanager
def progress_of_rows(rows: int) -> Iterator[Callable[[int, str], None] | None]:
    """The same with the name of what is being measured."""
    with _bar(rows) as bar:
        yield bar


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, str | None], None] | None]:
    """Told how much is done, and what to write beside it: by default the speed."""
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
