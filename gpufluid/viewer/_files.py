"""Actions that read and write files (pictures, films, snapshots, scenes), and the close actions."""

from __future__ import annotations

from pathlib import Path

from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.files import open_regular
from gpufluid.io import snapshots
from gpufluid.io.loading import load_scene
from gpufluid.io.scenes import files_of_scene
from gpufluid.io.scenes import save_scene as write_scene
from gpufluid.render.film import save_picture
from gpufluid.render.settings import PictureSettings
from gpufluid.scene import find
from gpufluid.scene.matched_picture import ENDINGS as PICTURES
from gpufluid.viewer._pictures import open_picture
from gpufluid.viewer.actions import action
from gpufluid.viewer.folders import folder_settings, list_folder, write_folder
from gpufluid.viewer.recorder import FILM_SIDE, SOFTWARE_FILM_SIDE, Recorder, check_every
from gpufluid.viewer.saving import KINDS, in_words, replaced_files, unused_file
from gpufluid.viewer.viewer import Viewer


@action("Files", "Save a picture of the whole world, as large as it is shown.", "f12")
def screenshot(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".png")
    scale = viewer.camera.scale
    settings = PictureSettings(f"{scale.zoom}/{scale.cells_a_pixel}", viewer.overlay, look=viewer.look)
    save_picture(viewer.sim.picture(settings), place)
    viewer.tell(f"picture saved as {in_words(place)}")


@action(
    "Files",
    "Start recording a film, or stop.",
    {"ctrl+r": {}, "ctrl+shift+r": {"ending": ".gif"}},
    says=lambda ending=".mp4": (
        "Start recording a film, or stop."
        if ending == ".mp4"
        else f"Start recording a film as a {ending} file, or stop."
    ),
)
def record(viewer: Viewer, path: str | Path | None = None, ending: str = ".mp4") -> None:
    if viewer.recorder is None:
        side = SOFTWARE_FILM_SIDE if viewer.sim.device.software else FILM_SIDE
        place, world = chosen(viewer, path, ending), viewer.sim.blank
        viewer.recorder = Recorder(viewer.film_frame, world, place, viewer.film_every, side)
        viewer.recorder.seek(viewer.sim.tick)
        viewer.tell(f"recording {in_words(place)}, a frame for every {ticks_in_words(viewer.film_every)}")
        return
    recorder, viewer.recorder = viewer.recorder, None
    recorder.stop()
    viewer.tell(f"film saved as {in_words(recorder.path)}")


@action("Files", "Set the number of ticks between two frames of a film.")
def film_every(viewer: Viewer, ticks: int) -> None:
    viewer.film_every = check_every(ticks)
    if viewer.recorder is not None:
        viewer.recorder.every = ticks


@action("Files", "Save the world as a snapshot, exactly as it is now, to go on from there later.", "ctrl+s")
def save(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".npz")
    snapshots.save(viewer.sim.read(), place)
    viewer.unsaved = False
    viewer.tell(f"world saved as {in_words(place)}")


@action("Files", "Save a scene: a TOML file that one can edit, and its map or the exact state.", "ctrl+shift+s")
def save_scene(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".toml", KINDS[".toml"].beside)
    _, beside = write_scene(viewer.sim.read(), place, *_heading(viewer))
    viewer.unsaved = False
    starts = ", from which the scene starts" if beside.suffix == ".npz" else ""
    viewer.tell(f"scene saved as {in_words(place)}, with {beside.name} beside it{starts}")


def _heading(viewer: Viewer) -> tuple[str, str]:
    """Title and description of the scene that is saved."""
    title = Path(viewer.source).stem.replace("_", " ").capitalize() or "A world"
    return title, f"Saved from the viewer at tick {viewer.sim.tick}."


def replaced_by_saving(viewer: Viewer, place: Path) -> list[Path]:
    """The existing files that saving the world as a file replaces.

    Args:
        viewer: the viewer.
        place: the file, whose ending is one of `KINDS`.
    Raises: UsageError: a scene cannot be saved as this file.
    """
    found = replaced_files(place)
    if not found or not KINDS[place.suffix.lower()].beside:
        return found
    written = files_of_scene(viewer.sim.read(), place, *_heading(viewer))
    return [each for each in found if each.name in {path.name for path in written}]


@action("Files", "Make a folder, and those around it that are missing.")
def make_folder(viewer: Viewer, path: str | Path) -> None:  # noqa: ARG001
    """Make a folder. Raises: OutputError: it cannot be made."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: could not be made: {getattr(error, 'strerror', None) or error}") from None


@action("Files", "Save the world under a name: as it is, as a scene, or as a picture.", "ctrl+alt+s")
def ask_save(viewer: Viewer) -> None:
    ask(viewer, "save")


@action("Files", "Choose the folder in which files are kept.")
def ask_folder(viewer: Viewer) -> None:
    ask(viewer, "folder")


@action("Window", "Close the open dialog; nothing changes.")
def close_dialog(viewer: Viewer) -> None:
    viewer.dialog = None


def ask(viewer: Viewer, dialog: str) -> None:
    """Open a dialog. A stroke in progress ends."""
    viewer.pointer.cancel()
    viewer.dialog = dialog


@action("Files", "Keep files in another folder, also in later sessions.")
def keep_in(viewer: Viewer, folder: str | Path) -> None:
    found = list_folder(Path(folder)).folder
    write_folder(folder_settings(), found)
    viewer.folder = found
    viewer.tell(f"files are kept in {found}")


@action("Files", "Open a scene, a snapshot or a picture.")
def open(viewer: Viewer, path: str | Path) -> None:  # noqa: A001  the action's name
    viewer.opening = None
    if Path(path).suffix.lower() in PICTURES:
        open_picture(viewer, Path(path))
        viewer.tell(f"{path} opened, paused: choose what its colours are, then run")
        return
    world = load_scene(str(path), max_side=viewer.sim.device.max_side).world
    viewer.open(world, str(path))
    viewer.tell(f"{path} opened")


@action("Files", "Open a scene, a snapshot or a picture, after a question if changes would be lost.")
def request_open(viewer: Viewer, path: str | Path) -> None:
    """Open a file as `open` does; ask the user first if changes would be lost.

    Raises: UsageError: there is no such scene or file; then nothing is asked.
    """
    if not viewer.unsaved:
        open(viewer, path)
        return
    _check_there(str(path))
    viewer.pointer.cancel()
    viewer.opening = str(path)


def _check_there(name: str) -> None:
    """Raise UsageError if a name that is to be opened is neither that of a scene nor of a file."""
    if Path(name).suffix.lower() not in (".npz", *PICTURES):
        find(name)
        return
    try:
        open_regular(Path(name)).close()
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise UsageError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


@action("Window", "Close the window; it asks first if changes are not saved.", "ctrl+q")
def close(viewer: Viewer) -> None:
    viewer.pointer.cancel()
    viewer.closing = True


@action("Window", "Keep the world: neither close the window nor open or make another world.")
def stay(viewer: Viewer) -> None:
    viewer.closing, viewer.opening, viewer.creating = False, None, None


def ticks_in_words(ticks: int) -> str:
    """A number of ticks in words, such as ``2 ticks``."""
    return "tick" if ticks == 1 else f"{ticks} ticks"


def chosen(viewer: Viewer, path: str | Path | None, ending: str, beside: tuple[str, ...] = ()) -> Path:
    """The given path, or else an unused file name in the user's folder.

    ``beside`` are the endings of files of the same name that may be written too: none of them exists either.
    """
    if path is not None:
        return Path(path)
    return unused_file(viewer.folder, viewer.source, viewer.sim.tick, ending, beside)
