"""The dialogs that save the world under a name, and that choose the folder for files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui
from support.dialogs import Drawn

import gpufluid
from gpufluid import World
from gpufluid.core.errors import OutputError
from gpufluid.viewer import _files, saving
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")

SIZES = pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
DIALOG = ["Another folder...", "Save", "Cancel"]


@pytest.fixture
def viewer(paused_viewer: Callable[..., Viewer]) -> Viewer:
    """A viewer of a world in which one stroke is unsaved, in an empty folder with a folder `other` in it."""
    Path("other").mkdir()
    viewer = paused_viewer(World(16, 24, ("atoms",)), source="pool")
    viewer.do("paint", points=[(3, 3)])
    return viewer


def names(folder: Path = Path()) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_file()}


def test_a_typed_name_replaces_the_suggested_one_and_enter_saves(viewer: Viewer, drawn: Drawn) -> None:
    digest = viewer.sim.digest()
    viewer.do("ask_save")
    drawn.until_focus()
    assert drawn.ui.saving.name == "pool_0"
    drawn.write("my pond")
    drawn.key(imgui.Key.enter)
    assert (viewer.dialog, viewer.unsaved, names()) == (None, False, {"my pond.npz"})
    assert viewer.messages[-1].text == f"world saved as my pond.npz in {Path().absolute()}"
    assert gpufluid.load("my pond.npz").digest() == digest


def test_the_suggested_name_is_that_of_no_file_of_any_kind(viewer: Viewer, drawn: Drawn) -> None:
    viewer.source = "my.pond.toml"
    Path("my.pond_0.png").touch()
    viewer.do("ask_save")
    drawn.until_focus()
    assert drawn.ui.saving.name == "my.pond_0_2"


def test_escape_and_cancel_save_nothing(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.key(imgui.Key.escape)
    assert (viewer.dialog, names()) == (None, set())
    viewer.do("ask_save")
    assert drawn.labels("Cancel") == DIALOG
    assert (viewer.dialog, names()) == (None, set())


@pytest.mark.parametrize(
    ("name", "ending", "files", "kept"),
    [
        ("a", ".toml", {"a.toml", "a.npz"}, "scene saved as a.toml in "),
        ("a.toml", ".npz", {"a.toml", "a.npz"}, "scene saved as a.toml in "),
        ("a.PNG", ".npz", {"a.PNG"}, "picture saved as a.PNG in "),
        ("a.b", ".npz", {"a.b.npz"}, "world saved as a.b.npz in "),
        (" a ", ".png", {"a.png"}, "picture saved as a.png in "),
    ],
)
def test_the_kind_is_that_of_the_ending_or_the_chosen_one(
    viewer: Viewer, drawn: Drawn, name: str, ending: str, files: set[str], kept: str
) -> None:
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.ui.saving.ending = ending
    drawn.write(name)
    drawn.labels("Save")
    assert names() == files
    assert viewer.messages[-1].text.startswith(kept)


def test_a_file_that_exists_is_replaced_only_after_a_question(viewer: Viewer, drawn: Drawn) -> None:
    Path("old.npz").write_text("old")
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("old")
    assert drawn.labels() == DIALOG
    drawn.key(imgui.Key.enter)
    assert (viewer.dialog, Path("old.npz").read_text()) == ("save", "old")
    assert drawn.labels() == ["Another folder...", "Replace", "Cancel"]
    drawn.key(imgui.Key.enter)
    assert gpufluid.load("old.npz").digest() == viewer.sim.digest()


def test_another_name_is_asked_about_anew(viewer: Viewer, drawn: Drawn) -> None:
    for name in ("old", "older"):
        Path(f"{name}.npz").write_text("old")
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("old")
    drawn.labels("Save")
    drawn.write("er")
    assert drawn.labels() == DIALOG
    drawn.labels("Save")
    assert drawn.labels()[1] == "Replace"
    assert {path.read_text() for path in Path().glob("*.npz")} == {"old"}


def test_the_files_beside_a_scene_are_named_too(tmp_path: Path) -> None:
    for name in ("a.toml", "a.npz", "a.png", "b.npz"):
        (tmp_path / name).touch()
    found = {place: [each.name for each in saving.replaced_files(tmp_path / place)] for place in ("a.toml", "b.toml")}
    assert found == {"a.toml": ["a.toml", "a.png", "a.npz"], "b.toml": ["b.npz"]}
    assert saving.replaced_files(tmp_path / "c.npz") == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "Type a name."),
        ("  ", "Type a name."),
        ("old.txt/a", f"{Path('old.txt')} is no folder."),
        ("old.txt/more/a", "old.txt is no folder."),
        ("other/", "Type a name."),
        ("folder.npz", "folder.npz is a folder."),
        ("x" * 300, "This cannot be the name of a file"),
    ],
)
def test_a_name_that_cannot_be_is_said_and_not_saved(viewer: Viewer, drawn: Drawn, name: str, words: str) -> None:
    Path("folder.npz").mkdir()
    Path("old.txt").touch()
    said = saving.problem_of(name, saving.named_file(viewer.folder, name, ".npz"))
    assert said is not None
    assert said.replace(f"{Path().absolute()}/", "").startswith(words)
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write(name)
    drawn.key(*() if name else (imgui.Key.delete,))
    drawn.labels("Save")  # the button is disabled; here it is pressed in any case
    assert (viewer.dialog, names()) == ("save", {"old.txt"})


@pytest.mark.parametrize("name", ["gone/a", "gone/deep/a", "other/a"])
def test_a_name_with_a_folder_makes_the_folder(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    place = Path(f"{name}.npz").absolute()
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write(name)
    drawn.labels()
    assert (f"The folder {place.parent} will be made." in said) == name.startswith("gone")
    assert not Path("gone").exists()
    drawn.key(imgui.Key.enter)
    assert (viewer.dialog, viewer.unsaved, place.exists()) == (None, False, True)


def test_a_folder_that_cannot_be_made_is_said(viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("gone/a")
    monkeypatch.setattr(Path, "mkdir", fail)
    drawn.key(imgui.Key.enter)
    assert (viewer.dialog, drawn.ui.saving.problem) == ("save", "gone: could not be made: Permission denied")


@pytest.mark.parametrize("fails", [True, False])
def test_the_name_has_the_keys_again_after_enter_that_has_not_saved(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    def fail(*_: object) -> None:
        raise OutputError("the disk is full")

    Path("old.npz").touch()
    viewer.do("ask_save")
    drawn.until_focus()
    if fails:
        monkeypatch.setattr(_files.snapshots, "save", fail)
    else:
        drawn.write("old.npz")  # which it asks about
    drawn.key(imgui.Key.enter)
    assert bool(drawn.ui.saving.problem) == fails
    assert not fails or viewer.messages[-1] in drawn.ui.read_messages, "the dialog shows it, and no message beside it"
    drawn.until_focus()
    drawn.clear()
    drawn.write("new")
    assert drawn.ui.saving.name == "new"


def test_only_files_that_a_scene_replaces_are_named(viewer: Viewer, drawn: Drawn) -> None:
    for name in ("a.toml", "a.png", "a.npz", "b.png"):
        Path(name).touch()
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("a.toml")
    drawn.key(imgui.Key.enter)
    assert drawn.ui.saving.asked == ("a.toml", "a.npz"), "an edited world is kept in a snapshot"
    viewer.open(World(16, 24, ("atoms",)), "pool")
    drawn.labels()
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("a.toml")
    drawn.key(imgui.Key.enter)
    assert drawn.ui.saving.asked == ("a.toml", "a.png"), "a world at its beginning has a map"
    drawn.until_focus()
    drawn.key(imgui.Key.enter)
    assert (viewer.dialog, Path("a.npz").read_bytes()) == (None, b"")


def test_if_saving_fails_the_dialog_stays_and_says_why(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OutputError("a.npz: could not be written: the disk is full")

    viewer.do("ask_save")
    drawn.until_focus()
    with monkeypatch.context() as full:
        full.setattr(_files.snapshots, "save", fail)
        drawn.labels("Save")
    assert (viewer.dialog, drawn.ui.saving.problem) == ("save", "a.npz: could not be written: the disk is full")
    drawn.labels("Save")
    assert (viewer.dialog, names()) == (None, {"pool_0.npz"})


def test_another_folder_is_chosen_and_the_name_stays(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("mine")
    drawn.labels("Another folder...")
    assert viewer.dialog == "folder"
    drawn.labels()
    assert [entry.name for entry in drawn.ui.chooser.entries] == ["other"]
    drawn.key(imgui.Key.right_arrow)
    assert drawn.ui.chooser.folder == Path("other").resolve()
    drawn.key(imgui.Key.enter)
    assert (viewer.dialog, viewer.folder) == ("save", Path("other").resolve())
    drawn.until_focus()
    drawn.labels("Save")
    assert names(Path("other")) == {"mine.npz"}


def test_the_folder_is_left_as_it_was_by_escape_and_the_name_stays(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("mine")
    drawn.labels("Another folder...")
    drawn.labels()
    drawn.key(imgui.Key.right_arrow, imgui.Key.escape)
    assert (viewer.dialog, viewer.folder, drawn.ui.saving.name) == ("save", Path(), "mine")
    drawn.key(imgui.Key.escape)
    viewer.do("ask_folder")
    drawn.labels()
    assert drawn.ui.chooser.folder == Path().resolve(), "it begins at the folder for files"
    drawn.key(imgui.Key.left_arrow)
    assert drawn.ui.chooser.folder == Path().resolve().parent
    drawn.key(imgui.Key.escape)
    assert viewer.dialog is None


def test_a_world_opened_while_the_folder_is_chosen_has_a_name_of_its_own(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_save")
    drawn.until_focus()
    drawn.write("mine")
    drawn.labels("Another folder...")
    drawn.labels()
    viewer.open(World(8, 8, ("atoms",)), "lake")
    drawn.labels()
    viewer.do("ask_save")
    drawn.until_focus()
    assert drawn.ui.saving.name == "lake_0"


@SIZES
@pytest.mark.parametrize("dialog", ["save", "folder"])
def test_a_dialog_has_room_for_all_that_is_in_it(
    viewer: Viewer, drawn: Drawn, dialog: str, size: tuple[int, int]
) -> None:
    for number in range(30):
        (Path() / f"folder {number}").mkdir()
    imgui.get_io().display_size = imgui.ImVec2(*size)
    viewer.do(f"ask_{dialog}")
    drawn.labels()
    drawn.labels()
    window = next(window for window in imgui.get_current_context().windows if f"###{dialog}" in window.name)
    assert (window.scroll_max.x, window.scroll_max.y) == (0, 0)
    assert window.size.y <= size[1]
