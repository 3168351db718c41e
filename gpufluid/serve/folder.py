"""The files that pages ask for: where they are written, and which of them can be fetched."""

from __future__ import annotations

from pathlib import Path

from gpufluid.core.errors import UsageError
from gpufluid.serve.permitted import OF_FILES
from gpufluid.viewer import Viewer
from gpufluid.viewer.saving import KINDS, unused_file

FILES_MOST = 200
"""After so many files pages can have none written any more in a session. A long film or many large worlds may still
fill the disk."""

FILMS = (".mp4", ".gif")
"""The endings of films that a page can ask for."""


class Folder:
    """The folder of a session. A page names no path: each file gets an unused name in this folder.

    Args:
        path: the folder, which exists.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self.made: dict[str, Path] = {}
        """The finished files of this session by name, the only ones that a page can fetch."""
        self._film: Path | None = None  # that is being recorded

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
        place = unused_file(self._path, viewer.source, viewer.sim.tick, wanted, beside)
        viewer.do(action, path=place)
        if action == "record":
            self._film = place
            return []
        written = [place, *(found for each in beside if (found := place.with_suffix(each)).exists())]
        self.made |= {each.name: each for each in written}
        return [each.name for each in written]

    def without_path(self, text: str) -> str:
        """A message without the path of the folder, which no page needs to know: with the names of its files alone."""
        return text.replace(f"{self._path}/", "").replace(str(self._path), "the folder")

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
