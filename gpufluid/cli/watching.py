"""Runs a scene anew each time it is saved."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from gpufluid.cli.terminal import remark
from gpufluid.core.errors import GpufluidError

_LOOK_SECONDS = 0.2
"""Seconds between two looks at the files while nothing runs."""

_STEADY_SECONDS = 0.1
"""Seconds without a change after which a save is taken for complete: an editor can write a file in parts."""


class SceneSavedError(Exception):
    """A file of the scene was saved while it ran."""


class WatchedScene:
    """The files of a scene: the scene file, and those beside it that it names.

    Args:
        path: the scene file, or a snapshot.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._state()

    def check(self) -> None:
        """Raise SceneSavedError if a file has changed since the last call of `note`."""
        if self._state() != self._seen:
            raise SceneSavedError

    def note(self) -> None:
        """Record the state of the files, once they have not changed for `_STEADY_SECONDS`."""
        self._seen = self._state()
        while True:
            time.sleep(_STEADY_SECONDS)
            before, self._seen = self._seen, self._state()
            if before == self._seen:
                return

    def wait(self) -> None:
        """Wait until a file has changed since the last call of `note`."""
        while self._state() == self._seen:
            time.sleep(_LOOK_SECONDS)

    def _state(self) -> dict[Path, tuple[int, int, int] | None]:
        """The inode, size in bytes and time of the last change of each file; None: there is no such file."""
        found: dict[Path, tuple[int, int, int] | None] = {}
        for path in (self._path, *_named(self._path)):
            try:
                status = path.stat()
            except (OSError, ValueError):  # while an editor replaces it, or no file name
                found[path] = None
            else:
                found[path] = status.st_ino, status.st_size, status.st_mtime_ns
        return found


def run_at_each_save(path: Path, run: Callable[[Callable[[], None]], None]) -> None:
    """Run a scene, and again each time one of its files is saved, until a signal comes between two runs.

    An error of a run is printed; the next save starts another run.

    Args:
        path: the scene file, or a snapshot.
        run: reads the scene and runs it. It gets a function to call repeatedly, which raises `SceneSavedError` to end
            a run whose scene has been saved.
    Raises: KeyboardInterrupt, typer.Exit: a signal during a run.
    """
    watched, is_running = WatchedScene(path), False
    try:
        while True:
            watched.note()
            is_running = True
            try:
                run(watched.check)
            except SceneSavedError:
                is_running = False
                continue
            except GpufluidError as error:
                remark(str(error))
            is_running = False
            remark(f"waiting until {path} is saved; Ctrl-C ends this")
            watched.wait()
    except KeyboardInterrupt:  # nothing else ends it
        if is_running:
            raise
        remark("ended")


def _named(path: Path) -> Iterator[Path]:
    """The files that a scene names: each string in its tables ``map`` and ``state``; none if it cannot be read."""
    if path.suffix.lower() != ".toml":
        return
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # being edited; the next run reports the error
        return
    for key in ("map", "state"):
        table = tables.get(key)
        for name in table.values() if isinstance(table, dict) else ():
            if isinstance(name, str):
                yield path.parent / name
