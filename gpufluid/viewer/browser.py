"""`Browser`: the folder that a file browser shows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from gpufluid.viewer.folders import Entry, Listing, list_folder

_SECONDS = 1.0
"""Time after which a folder is listed again."""


class Attempts(Protocol):
    """The part of `Viewer` that a browser uses."""

    def attempt(self, act: Callable[[], None]) -> bool:
        """See `Viewer.attempt`."""
        ...


class Browser:
    """The folder that a file browser shows, listed again every second.

    Attributes:
        listing: the folder; None: none could be listed yet.
        picked: the number of the picked entry, among those that are drawn.
    """

    def __init__(self) -> None:
        self.listing: Listing | None = None
        self.picked = 0
        self._next = 0.0  # the time at which it is listed again
        self._wanted: Path | None = None

    @property
    def folder(self) -> Path | None:
        """The folder shown."""
        return None if self.listing is None else self.listing.folder

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its folders and files."""
        return () if self.listing is None else self.listing.entries

    def begin_at(self, folder: Path) -> None:
        """Show this folder from the next `refresh` on."""
        self.listing, self._wanted, self.picked, self._next = None, folder, 0, 0.0

    def refresh(self, viewer: Attempts, usual: Path) -> None:
        """List the folder again if it is time; ``usual`` is the folder to begin with.

        A folder that cannot be listed becomes a message, once.
        """
        if time.monotonic() >= self._next:
            self._list(viewer, self.folder or self._wanted or usual)

    def show(self, viewer: Attempts, folder: Path) -> None:
        """Show a folder; one that cannot be listed becomes a message, and the folder shown stays."""
        if self._list(viewer, folder):
            self.picked = 0

    def show_parent(self, viewer: Attempts) -> None:
        """Show the folder around this one, with this one picked."""
        if self.listing is None:
            return
        left = self.listing.folder
        self.show(viewer, left.parent)
        names = [entry.name for entry in self.entries if entry.kind == "folder"]
        self.picked = names.index(left.name) if left.name in names else 0

    def _list(self, viewer: Attempts, folder: Path) -> bool:
        def list_it() -> None:
            self.listing = list_folder(folder)

        done = viewer.attempt(list_it)
        shown = self.listing is not None and self.listing.folder != folder  # another folder than the one that failed
        self._next = time.monotonic() + _SECONDS if done or shown else math.inf
        return done
