"""Actions that keep something: pictures, films, snapshots, scenes; and opening one."""

from __future__ import annotations

import math
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from gpufluid import storage
from gpufluid.errors import OutputError, UsageError
from gpufluid.loading import load_scene
from gpufluid.render.film import FILM_ENDINGS, Film, save_picture
from gpufluid.viewer.actions import action

if TYPE_CHECKING:
    from gpufluid.viewer.viewer import Viewer

FRAMES_A_SECOND = 30
FILM_SIDE = 1280
"""Pixels: a film's scale is the largest at which neither side is longer."""


class Recorder:
    """A film of what a viewer shows, in real time.

    Args:
        viewer: whose world it films.
        path: an ``.mp4`` or ``.gif``.
    Raises: UsageError: another ending. OutputError: it cannot be begun.
    """

    def __init__(self, viewer: Viewer, path: Path) -> None:
        if path.suffix.lower() not in FILM_ENDINGS:
            raise UsageError(f"{path}: a film's name ends in {' or '.join(FILM_ENDINGS)}")
        self.path = path
        self._scale = film_scale(viewer)
        first = self._frame(viewer)
        self._stack = ExitStack()
        film = Film(path, first.shape[1], first.shape[0], FRAMES_A_SECOND, keep_part=True)
        self._film = self._stack.enter_context(film)
        self._film.add(first)
        self._due: float | None = None

    def look(self, viewer: Viewer, now: float) -> None:
        """A frame has been shown at a time in seconds; if a film's frame is due, it is taken."""
        self._due = now if self._due is None else self._due
        if now < self._due:
            return
        self._due = max(self._due + 1 / FRAMES_A_SECOND, now - 1 / FRAMES_A_SECOND)
        try:
            self._film.add(self._frame(viewer))
        except OutputError as error:
            viewer.recorder = None
            viewer.tell(f"{error}; the recording has ended", "error")
            viewer.attempt(self.stop)

    def stop(self) -> None:
        """End the film. Raises OutputError: it could not be written to its end."""
        self._stack.close()

    def _frame(self, viewer: Viewer):  # noqa: ANN202  an array
        return viewer.sim.frame(self._scale, viewer.overlay)


def film_scale(viewer: Viewer) -> str:
    """The largest scale at which the world's picture is no larger than a film should be."""
    longest = max(viewer.camera.world)
    if longest > FILM_SIDE:
        return f"1/{min(math.ceil(longest / FILM_SIDE), 64)}"
    return str(min(FILM_SIDE // longest, 8))


@action("Keep", "A picture of the whole world, as large as it is seen.", "f12")
def screenshot(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".png")
    scale = viewer.camera.scale
    save_picture(viewer.sim.frame(f"{scale.zoom}/{scale.cells_a_pixel}", viewer.overlay), place)
    viewer.tell(f"{place} written")


@action("Keep", "Begin a film, or end it.", "ctrl+r")
def record(viewer: Viewer, path: str | Path | None = None) -> None:
    if viewer.recorder is None:
        viewer.recorder = Recorder(viewer, chosen(viewer, path, ".mp4"))
        viewer.tell(f"recording {viewer.recorder.path}")
        return
    recorder, viewer.recorder = viewer.recorder, None
    recorder.stop()
    viewer.tell(f"{recorder.path} written")


@action("Keep", "A snapshot: the exact state, to go on from.", "ctrl+s")
def save(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".npz")
    storage.save(viewer.sim.read(), place)
    viewer.unsaved = False
    viewer.tell(f"{place} written")


@action("Keep", "A scene that gpufluid run takes: a picture and a TOML file.", "ctrl+shift+s")
def save_scene(viewer: Viewer, path: str | Path | None = None) -> None:
    from gpufluid.scene.writing import write

    place = chosen(viewer, path, ".toml")
    title = Path(viewer.source).stem.replace("_", " ").capitalize() or "A world"
    about = f"Saved from the viewer at tick {viewer.sim.tick}."
    lost = write(viewer.sim.read(), place, title, about)
    viewer.unsaved = False
    viewer.tell(f"{place} written")
    for sentence in lost:
        viewer.tell(sentence)


@action("Keep", "Open a scene, a scene file or a snapshot.")
def open(viewer: Viewer, path: str | Path) -> None:  # noqa: A001  the action's name
    world = load_scene(str(path), max_side=viewer.sim.device.max_side).world
    viewer.open(world, str(path))
    viewer.tell(f"{path} opened")


@action("Window", "End. What is not saved is asked about once.", "ctrl+q")
def close(viewer: Viewer) -> None:
    viewer.closing = True


def chosen(viewer: Viewer, path: str | Path | None, ending: str) -> Path:
    """A path that was given, or a name that is not taken in the folder that the program was started in."""
    if path is not None:
        return Path(path)
    stem = Path(viewer.source).stem or "world"
    names = (Path(f"{stem}_{viewer.sim.tick}{suffix}{ending}") for suffix in ["", *(f"_{n}" for n in range(2, 10_000))])
    return next(name for name in names if not name.exists())
