"""Actions that read and write files (pictures, films, snapshots, scenes), and the close actions."""

from __future__ import annotations

from pathlib import Path

from gpufluid.io import snapshots
from gpufluid.io.loading import load_scene
from gpufluid.io.scenes import save_scene as write_scene
from gpufluid.render.film import save_picture
from gpufluid.render.settings import PictureSettings
from gpufluid.viewer._pictures import open_picture
from gpufluid.viewer.actions import action
from gpufluid.viewer.folders import folder_settings, list_folder, write_folder
from gpufluid.viewer.recorder import FILM_SIDE, SOFTWARE_FILM_SIDE, Recorder, check_every
from gpufluid.viewer.viewer import Viewer


@action("Files", "Save a picture of the whole world, as large as it is shown.", "f12")
def screenshot(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".png")
    scale = viewer.camera.scale
    settings = PictureSettings(f"{scale.zoom}/{scale.cells_a_pixel}", viewer.overlay, look=viewer.look)
    save_picture(viewer.sim.picture(settings), place)
    viewer.tell(f"{place} written")


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
        viewer.tell(f"recording {place}, a frame for every {ticks_in_words(viewer.film_every)}")
        return
    recorder, viewer.recorder = viewer.recorder, None
    recorder.stop()
    viewer.tell(f"{recorder.path} written")


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
    viewer.tell(f"{place} written")


@action("Files", "Save a scene: a TOML file that one can edit, and its map or the exact state.", "ctrl+shift+s")
def save_scene(viewer: Viewer, path: str | Path | None = None) -> None:
    place = chosen(viewer, path, ".toml", beside=(".png", ".npz"))
    title = Path(viewer.source).stem.replace("_", " ").capitalize() or "A world"
    about = f"Saved from the viewer at tick {viewer.sim.tick}."
    _, beside = write_scene(viewer.sim.read(), place, title, about)
    viewer.unsaved = False
    starts = ", from which the scene starts" if beside.suffix == ".npz" else ""
    viewer.tell(f"{place} written, with {beside.name} beside it{starts}")


@action("Files", "Keep files in another folder, also in later sessions.")
def keep_in(viewer: Viewer, folder: str | Path) -> None:
    found = list_folder(Path(folder)).folder
    write_folder(folder_settings(), found)
    viewer.folder = found
    viewer.tell(f"files are kept in {found}")


@action("Files", "Open a scene, a snapshot or a picture.")
def open(viewer: Viewer, path: str | Path) -> None:  # noqa: A001  the action's name
    viewer.opening = None
    if Path(path).suffix.lower() == ".png":
        open_picture(viewer, Path(path))
        viewer.tell(f"{path} opened, paused: choose what its colours are, then run")
        return
    world = load_scene(str(path), max_side=viewer.sim.device.max_side).world
    viewer.open(world, str(path))
    viewer.tell(f"{path} opened")


@action("Files", "Open a scene, a snapshot or a picture, after a question if changes would be lost.")
def request_open(viewer: Viewer, path: str | Path) -> None:
    if viewer.unsaved:
        viewer.opening = str(path)
    else:
        open(viewer, path)


@action("Window", "Close the window; it asks first if changes are not saved.", "ctrl+q")
def close(viewer: Viewer) -> None:
    viewer.closing = True


@action("Window", "Keep the world: neither close the window nor open or make another world.")
def stay(viewer: Viewer) -> None:
    viewer.closing, viewer.opening, viewer.creating = False, None, None


def ticks_in_words(ticks: int) -> str:
    """Such as ``2 ticks``."""
    return "tick" if ticks == 1 else f"{ticks} ticks"


def chosen(viewer: Viewer, path: str | Path | None, ending: str, beside: tuple[str, ...] = ()) -> Path:
    """The given path, or else an unused file name in the user's folder.

    ``beside`` are the endings of files of the same name that may be written too: none of them exists either.
    """
    if path is not None:
        return Path(path)
    stem = Path(viewer.source).stem or "world"
    names = (
        viewer.folder / Path(f"{stem}_{viewer.sim.tick}{suffix}{ending}")
        for suffix in ["", *(f"_{n}" for n in range(2, 10_000))]
    )
    return next(name for name in names if not any(name.with_suffix(each).exists() for each in (ending, *beside)))
