"""The folder of a session: where the files that pages ask for are written, which can be fetched, and which opened."""

from __future__ import annotations

from pathlib import Path

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.files import open_regular
from gpufluid.viewer import Viewer
from gpufluid.viewer.folders import KINDS as OPENED
from gpufluid.viewer.folders import Listing, list_folder
from gpufluid.viewer.saving import KINDS, unused_file

OF_FILES = {"screenshot": ".png", "save": ".npz", "save_scene": ".toml", "record": ".mp4"}
"""Actions that need the brush and write a file, with the ending of its name; a film may have another ending."""

FILES_MOST = 200
"""After so many files pages can have none written any more in a session. A long film or many large worlds may still
fill the disk."""

FILMS = (".mp4", ".gif")
"""The endings of films that a page can ask for."""


class Folder:
    """The folder of a session. Nothing outside of it is read or written for a page.

    A file that is written gets an unused name; a file or folder that is read is named from this folder on.

    Args:
        path: the folder, which exists.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.made: dict[str, Path] = {}
        """The finished files of this session by name, the only ones that a page can fetch."""
        self._film: Path | None = None  # that is being recorded

    def place(self, name: str) -> Path:
        """The path of a file or folder, free of links; it need not exist.

        Args:
            name: its path from this folder on; empty: this folder.
        Raises: UsageError: no file name, or the path or a link on it leaves this folder.
        """
        try:
            found = (self.path / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of links, a zero byte
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"{shown(name)} is no file name: {reason}") from None
        if not found.is_relative_to(self.path):
            raise UsageError(f"{shown(name)} is not in the folder of this server")
        return found

    def world(self, name: str) -> Path:
        """The path of a file that can be opened as a world. Raises: UsageError: as `place`; no file, or another kind.

        The errors name the file by its path from this folder on.
        """
        found = self.place(name)
        if found.suffix.lower() not in OPENED:
            raise UsageError(f"{shown(name)}: expected a file that ends in {', '.join(OPENED)}")
        try:
            open_regular(found).close()
        except OSError as error:
            raise UsageError(f"{shown(name)}: cannot be read: {error.strerror or error}") from None
        return found

    def listing(self, name: str) -> Listing:
        """List a folder in it, without links that leave it. Raises: UsageError: as `place`; it cannot be listed."""
        place = self.place(name)
        try:
            next(place.iterdir(), None)
        except OSError as error:
            raise UsageError(f"{shown(name)}: cannot be listed: {error.strerror or error}") from None
        found = list_folder(place)
        inside = tuple(each for each in found.entries if self._holds(each.path))
        return Listing(found.folder, inside, found.others + len(found.entries) - len(inside))

    def _holds(self, path: Path) -> bool:
        """True if a path, followed over all links, is in this folder."""
        try:
            return path.resolve().is_relative_to(self.path)
        except (OSError, RuntimeError):  # such as a loop of links
            return False

    def write(self, viewer: Viewer, action: str, ending: str | None = None) -> list[str]:
        """Run an action that writes a file, or starts or ends a film.

        Args:
            viewer: performs the action.
            action: a key of `OF_FILES`.
            ending: that of a film's name; None: the usual one.
        Returns: the names of the files that are finished.
        Raises: UsageError: too many files, or no such film. OutputError: the file cannot be written.
        """
        if action == "record" and viewer.recorder is not None:
            viewer.do("record")
            return self.finished_film(viewer)
        if len(self.made) >= FILES_MOST:
            raise UsageError(f"{FILES_MOST} files were written; expected no more in a session")
        wanted = ending or OF_FILES[action]
        if action == "record" and wanted not in FILMS:
            raise UsageError(f"record: {wanted!r}; expected {' or '.join(FILMS)}")
        beside = KINDS[wanted].beside if wanted in KINDS else ()
        place = unused_file(self.path, viewer.source, viewer.sim.tick, wanted, beside)
        viewer.do(action, path=place)
        if action == "record":
            self._film = place
            return []
        written = [place, *(found for each in beside if (found := place.with_suffix(each)).exists())]
        self.made |= {each.name: each for each in written}
        return [each.name for each in written]

    def without_path(self, text: str) -> str:
        """A message without the path of the folder, which no page needs to know: with the names of its files alone."""
        if self.path.parent == self.path:  # the top of a disk, whose path is that of no folder in it
            return text
        return text.replace(f"{self.path}/", "").replace(str(self.path), "the folder")

    def finished_film(self, viewer: Viewer) -> list[str]:
        """The name of the film if its recording has ended since the last call; it may also end by itself."""
        place = self._film
        if place is None or viewer.recorder is not None:
            return []
        self._film = None
        if not place.exists():
            return []
        self.made[place.name] = place
        return [place.name]
