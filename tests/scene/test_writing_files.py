"""The two files of a written scene: both are complete, under any name, or there is one error and no file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from support.worlds import random_world

from gpufluid import World, scene
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.new_files import NewFile

NAMES = ['a "b" \\ c', "tab\tand\nline", "ünï 世界 🌊", "#[x] = 'y'", "a.b.c", " ", "\x7f\x01", "..x", "-rf"]


@pytest.mark.parametrize("name", NAMES)
def test_special_characters_in_names_and_titles_are_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.toml"
    scene.write(World(2, 3, rules=("flow",)), path, f"t{name}", name, source=name)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([f"{name}.toml", f"{name}.png"])
    read = scene.read(path)
    assert (read.title, read.about) == (f"t{name}", name)
    assert read.world.digest() == World(2, 3, rules=("flow",)).digest()


def test_invalid_paths_titles_and_worlds_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link.png").symlink_to(tmp_path / "elsewhere" / "x.png")
    (tmp_path / "circle.toml").symlink_to("circle.toml")
    broken = World(2, 2, rules=("flow",))
    broken["mass"] = -1
    before = sorted(tmp_path.iterdir())
    for world, name, title, words in (
        (World(2, 2, rules=("flow",)), "gone/x.toml", "", "gone/x.toml: there is no folder"),
        (World(2, 2, rules=("flow",)), "folder.toml", "", "folder.png: is a folder, not a file"),
        (World(2, 2, rules=("flow",)), "link.toml", "", "link.png: is a link to another folder"),
        (World(2, 2, rules=("flow",)), "x.npz", "", "x.npz: expected a scene file, whose name ends in .toml"),
        (World(2, 2, rules=("flow",)), "\0.toml", "", "cannot be a file: "),
        (World(2, 2, rules=("flow",)), "circle.toml", "", "circle.toml"),
        (World(2, 2, rules=("flow",)), "x" * 300 + ".toml", "", "cannot be a file: File name too long"),
        (World(2, 2, rules=("flow",)), "\udcff.toml", "", "cannot be written in a scene; expected UTF-8 text"),
        (World(2, 2, rules=("flow",)), "x.toml", "\ud800", "cannot be written in a scene"),
        (World(2, 2, rules=("flow",)), "x.toml", None, "None cannot be written in a scene"),
        (broken, "x.toml", "", "mass[0, 0]: -1; expected 0"),
        (None, "x.toml", "", "expected a World and a path; found None"),
    ):
        with pytest.raises(UsageError) as caught:
            scene.write(world, tmp_path / name, title, "")
        assert words in str(caught.value)
        assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs /proc, where no file can be created")
def test_an_unwritable_folder_is_named() -> None:
    with pytest.raises(UsageError, match="the folder '/proc' is not writable"):
        scene.write(World(2, 2, rules=("flow",)), "/proc/x.toml", "", "")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("ending", [".png", ".toml"])
def test_map_and_scene_file_are_both_written_or_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, is_there: bool
) -> None:
    path = tmp_path / "x.toml"
    if is_there:
        scene.write(World(2, 3, rules=("flow",)), path, "before", "")
    before = contents(tmp_path)
    place = NewFile.place

    def refuse(self: NewFile, target: Path) -> None:
        if target.suffix == ending:
            raise OSError(1, "Operation not permitted")
        place(self, target)

    monkeypatch.setattr(NewFile, "place", refuse)
    with pytest.raises(OutputError, match=rf"x\{ending}: could not be written: Operation not permitted"):
        scene.write(World(4, 5, rules=("flow",)), path, "after", "")
    assert contents(tmp_path) == before


def test_a_full_disk_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Image.Image, path: Path, **_) -> None:  # noqa: ARG001
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", fail)
    with pytest.raises(OutputError, match=r"x\.png: could not be written: No space left on device"):
        scene.write(World(2, 2, rules=("flow",)), tmp_path / "x.toml", "", "")
    assert list(tmp_path.iterdir()) == []


def test_writing_through_a_link_puts_both_files_beside_its_target(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link.toml").symlink_to(tmp_path / "there" / "x.toml")
    scene.write(World(2, 3, rules=("flow",)), tmp_path / "link.toml", "", "")
    assert sorted(contents(tmp_path / "there")) == ["x.png", "x.toml"]
    assert scene.read(tmp_path / "link.toml").world.digest() == World(2, 3, rules=("flow",)).digest()


def test_map_of_few_materials_is_a_small_palette_picture(tmp_path: Path) -> None:
    world = random_world(500, 600, walls=0)
    scene.write(world, tmp_path / "x.toml", "", "")
    with Image.open(tmp_path / "x.png") as picture:
        assert (picture.mode, picture.size) == ("P", (600, 500))
    assert (tmp_path / "x.png").stat().st_size < 600 * 500 / 6
