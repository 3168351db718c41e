"""The folder in which the window keeps files, the listing of folders, and pictures opened as worlds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.desktop import Program
from support.patience import wait_until

from gpufluid import World
from gpufluid.core.errors import UsageError
from gpufluid.matter.materials import SHIPPED
from gpufluid.scene import matched_picture
from gpufluid.viewer import folders
from gpufluid.viewer.folders import Entry, folder_settings, in_words, list_folder, read_folder
from gpufluid.viewer.viewer import Viewer

View = Callable[..., Program]
COLOURS = {record.name: record.colour for record in SHIPPED}


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: object) -> Iterator[Viewer]:  # noqa: ARG001
    """A viewer of an empty world, in an empty working directory, with settings of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(matched_picture, "RULES", ("atoms",))  # whose shaders other tests have compiled
    viewer = Viewer(World(16, 24, ("atoms",)), source="pool")
    yield viewer
    viewer.close()


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of 12 x 8 pixels: water over sand, and under it a row of an orange that no material has."""
    pixels = np.full((8, 12, 3), COLOURS["water"], np.uint8)
    pixels[4:] = COLOURS["sand"]
    pixels[7] = 225, 180, 100
    Image.fromarray(pixels).save(tmp_path / "beach.png")
    return tmp_path / "beach.png"


def materials(viewer: Viewer) -> list[str]:
    """The material in each row of the first column."""
    world = viewer.sim.read()
    return [world.materials.records[number].name for number in world["material"][:, 0]]


def test_files_are_kept_in_the_chosen_folder_also_in_later_sessions(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("save")
    assert Path("pool_0.npz").is_file()
    (tmp_path / "kept").mkdir()
    viewer.do("keep_in", folder=tmp_path / "kept")
    for action in ("save", "save_scene", "screenshot"):
        viewer.do(action)
    assert {path.name for path in (tmp_path / "kept").iterdir()} >= {"pool_0.npz", "pool_0.png"}
    assert any(path.suffix == ".toml" for path in (tmp_path / "kept").iterdir())
    assert [path.name for path in Path().iterdir()] == ["pool_0.npz"]
    later = Viewer(World(4, 4, ("atoms",)), source="later")
    later.do("save")
    later.close()
    assert (tmp_path / "kept" / "later_0.npz").is_file()


def test_a_folder_that_is_none_is_refused(viewer: Viewer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for wrong, reason in (("file", "Not a directory"), ("absent", "No such file")):
        with pytest.raises(UsageError, match=f"cannot be listed: {reason}"):
            viewer.do("keep_in", folder=tmp_path / wrong)
    assert viewer.folder == Path()
    assert not folder_settings().exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("folder = 3", "folder: 3; expected the whole path of a folder"),
        ('folder = "here"', "folder: 'here'; expected the whole path of a folder"),
        ('folders = "/"', "folders: unknown key; expected only folder"),
        ("folder", "cannot be read"),
    ],
)
def test_a_bad_settings_file_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "files.toml").write_text(text)
    with pytest.raises(UsageError, match=reason):
        read_folder(tmp_path / "files.toml")


def test_a_listing_has_folders_then_files_that_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.toml", "A.npz", "c.PNG", "notes.txt", ".hidden.toml"):
        (tmp_path / name).write_text("12345")
    (tmp_path / "z").mkdir()
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.toml")
    found = list_folder(tmp_path)
    assert [(entry.name, entry.kind, entry.size) for entry in found.entries] == [
        ("z", "folder", 0),
        ("A.npz", "snapshot", 5),
        ("b.toml", "scene", 5),
        ("c.PNG", "picture", 5),
    ]
    assert found.others == 3
    monkeypatch.setattr(folders, "LISTED_MOST", 2)
    assert (len(list_folder(tmp_path).entries), list_folder(tmp_path).others) == (2, 5)


@pytest.mark.parametrize("changed", [3e11, -1e11, 1e300])
def test_a_time_beyond_all_dates_is_not_shown(changed: float) -> None:
    """Some file systems store times after the year 9999; a page that lists such a file must not end the server."""
    assert in_words(Entry("far.npz", Path("far.npz"), "snapshot", 2_000_000, changed)) == ("2.0 MB", "")


def test_a_picture_opens_with_materials_that_can_be_changed(viewer: Viewer, picture: Path) -> None:
    viewer.do("request_open", path=picture)
    assert viewer.clock.paused
    assert viewer.panels["picture"]
    assert materials(viewer) == ["water"] * 4 + ["sand"] * 4
    assert viewer.matched is not None
    assert [group.material for group in viewer.matched.groups] == ["water", "sand", "sand"]
    viewer.do("step", ticks=3)
    viewer.do("picture_material", group=2, name="wall")
    assert viewer.sim.tick == 0
    assert materials(viewer) == ["water"] * 4 + ["sand"] * 3 + ["wall"]
    viewer.do("picture_pixels", every=2)
    assert (viewer.sim.blank.width, viewer.sim.blank.height) == (6, 4)
    assert viewer.panels["picture"]


def test_materials_of_colours_do_not_change_a_world_that_was_painted_on(viewer: Viewer, picture: Path) -> None:
    with pytest.raises(UsageError, match="was not opened from a picture"):
        viewer.do("picture_material", group=0, name="oil")
    viewer.do("open", path=picture)
    viewer.do("paint", points=[(3, 3)])
    before = viewer.sim.digest()
    with pytest.raises(UsageError, match="has been changed by hand"):
        viewer.do("picture_material", group=0, name="oil")
    with pytest.raises(UsageError, match="has been changed by hand"):
        viewer.do("picture_pixels", every=2)
    assert viewer.sim.digest() == before
    viewer.do("request_open", path=picture)
    assert viewer.opening == str(picture), "a question comes first"
    viewer.open(World(8, 8, ("atoms",)), "another")
    assert viewer.matched is None
    assert not viewer.panels["picture"]


def test_a_bad_picture_is_a_message_and_the_world_stays(viewer: Viewer, tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_text("no picture")
    before = viewer.sim.digest()
    assert not viewer.attempt(lambda: viewer.do("open", path=tmp_path / "bad.png"))
    assert len(viewer.messages) == 1
    assert "bad.png" in viewer.messages[0].text
    assert viewer.sim.digest() == before
    assert viewer.matched is None


@pytest.mark.long("each test of the window starts the program")
def test_the_browser_opens_a_picture_of_the_folder(view: View, marked: Path, picture: Path) -> None:
    program = view(marked)
    (program.folder / "beach.png").write_bytes(picture.read_bytes())
    program.press("p", "ctrl+o")
    program.click((380, 94))  # "Your files"; below it are the folder "settings" and the picture
    program.double_click((340, 194))
    wait_until(lambda: "beach" in program.desktop.do("getwindowname", program.window), "the picture")
    program.settle()
    world = program.world()
    assert (world["material"][0] == world.materials["water"]).all()


@pytest.mark.long("each test of the window starts the program")
def test_view_opens_a_picture_named_on_the_command_line(view: View, picture: Path) -> None:
    program = view(picture)
    program.settle()
    world = program.world()
    assert (world.width, world.height, world.tick) == (12, 8, 0)
