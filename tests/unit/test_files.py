"""Only regular files are read and replaced; for any other file the error names its kind."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gpufluid import World, load, save, scene
from gpufluid.benchmark import report
from gpufluid.core.errors import UsageError
from gpufluid.core.files import check_writable, irregular, open_regular, written_whole
from gpufluid.gpu import choices
from gpufluid.render.film import Film, save_picture
from gpufluid.run.timeseries import TimeSeries
from gpufluid.viewer.keys import bindings

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes"),
    pytest.mark.timeout(120),  # opening a pipe without a writer blocks for ever
]

KINDS = {
    "folder": "a folder, not a file",
    "pipe": "a named pipe (FIFO), not a file",
    "socket": "a socket, not a file",
    "device": "a device, not a file",
    "to_pipe": "a link to a named pipe (FIFO), not a file",
    "to_folder": "a link to a folder, not a file",
    "to_device": "a link to a device, not a file",
    "to_nothing": "a link to 'gone', which does not exist",
}


def make(kind: str, path: Path) -> Path:
    """Make a file of a kind of `KINDS`; for a link also its target."""
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "socket":
            where = os.open(path.parent, os.O_RDONLY)  # the address of a socket is short, a path may be long
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(f"/proc/self/fd/{where}/{path.name}")
            os.close(where)
        case "device":  # never one of /dev, which a faulty program would replace
            try:
                os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            except PermissionError:
                pytest.skip("this user may not make devices")
        case "to_nothing":
            path.symlink_to("gone")
        case _:
            inner = kind.removeprefix("to_")
            path.symlink_to(make(inner, path.with_name(f"{inner}_{path.name}")))
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_an_irregular_file_is_named_and_not_opened(tmp_path: Path, kind: str) -> None:
    path = make(kind, tmp_path / "x")
    assert irregular(path) == KINDS[kind]
    with pytest.raises(OSError, match="it is") as caught:
        open_regular(path)
    assert caught.value.strerror == f"it is {KINDS[kind]}"


def test_a_file_and_a_link_to_one_are_opened(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"some")
    (tmp_path / "link").symlink_to("x")
    for name in ("x", "link"):
        assert irregular(tmp_path / name) is None
        with open_regular(tmp_path / name) as file:
            assert file.read() == b"some"


def test_a_missing_file_gives_the_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    for name in ("gone", "gone/x", "x/y"):
        assert irregular(tmp_path / name) is None
        with pytest.raises(OSError, match=r"No such file or directory|Not a directory"):
            open_regular(tmp_path / name)


def test_opening_a_file_that_a_pipe_has_replaced_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check finds a file, and a pipe is opened, as if the file had been replaced in between."""
    os.mkfifo(tmp_path / "x")
    monkeypatch.setattr("gpufluid.core.files.irregular", lambda _: None)
    with pytest.raises(OSError, match="it is no regular file"):
        open_regular(tmp_path / "x")


def run_map(path: Path) -> None:
    scene = path.with_name("scene.toml")
    scene.write_text(f'[map]\nimage = "{path.name}"\nlegend = {{ "#000000" = "wall" }}\n')
    load(scene)


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "x.toml": (load, "x.toml: is "),
    "x.npz": (load, "x.npz: cannot be read: it is "),
    "x.png": (run_map, "scene.toml:2: map.image: 'x.png' is "),
    "x.json": (report.read, "x.json: cannot be read: it is "),
    "keys.toml": (bindings, "keys.toml: cannot be read: it is "),
}


@pytest.mark.parametrize("kind", ["folder", "pipe", "to_pipe", "to_nothing"])
@pytest.mark.parametrize("name", READERS)
def test_every_reader_names_the_kind_of_an_irregular_file(tmp_path: Path, name: str, kind: str) -> None:
    read, said = READERS[name]
    with pytest.raises(UsageError) as caught:
        read(make(kind, tmp_path / name))
    assert str(caught.value) == f"{tmp_path}/{said}{KINDS[kind]}"


def test_a_pipe_as_the_file_of_choices_counts_as_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "choices_file", lambda: make("pipe", tmp_path / "variants.json"))
    assert choices.kept("any", "4.5") == {}


def film(path: Path) -> None:
    with Film(path, 2, 2, 25):
        pytest.fail("the film has begun")


def time_series(path: Path) -> None:
    world = World(2, 2, rules=("flow",))
    series = TimeSeries(world)
    series.note(world.statistics())
    series.save(path)


WRITERS: dict[str, Callable[[Path], object]] = {
    "x.npz": lambda path: save(World(2, 2, rules=("flow",)), path),
    "x.toml": lambda path: scene.write(World(2, 2, rules=("flow",)), path, "", ""),
    "x.png": lambda path: scene.write(World(2, 2, rules=("flow",)), path.with_suffix(".toml"), "", ""),
    "picture.png": lambda path: save_picture(np.zeros((2, 2, 3), np.uint8), path),
    "x.mp4": film,
    "x.gif": film,
    "x.csv": time_series,
    "x.json": lambda path: report.write({}, path),
    "x": check_writable,
}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "to_nothing"])
@pytest.mark.parametrize("name", WRITERS)
def test_only_a_regular_file_is_replaced(tmp_path: Path, name: str, kind: str) -> None:
    path = make(kind, tmp_path / name)
    before = {each.name: each.lstat() for each in tmp_path.iterdir()}
    with pytest.raises(UsageError) as caught:
        WRITERS[name](path)
    assert str(caught.value) == f"{path}: is {KINDS[kind]}"
    after = {each.name: each.lstat() for each in tmp_path.iterdir()}
    assert after.keys() == before.keys()
    assert all(os.path.samestat(after[each], found) for each, found in before.items())


def test_links_to_files_and_to_nothing_are_written_through(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x").write_bytes(b"earlier")
    (tmp_path / "link").symlink_to("there/x")
    (tmp_path / "new").symlink_to("there/y")
    (tmp_path / "hard").hardlink_to(tmp_path / "there" / "x")
    for name in ("link", "new", "hard"):
        with written_whole(tmp_path / name) as file:
            file.write_text(name)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new").is_symlink()
    assert {path.name: path.read_text() for path in (tmp_path / "there").iterdir()} == {"x": "link", "y": "new"}
    assert (tmp_path / "hard").read_text() == "hard"


def test_a_link_into_a_missing_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("gone/x")
    with pytest.raises(
        UsageError, match=r"link: is a link to 'gone/x', which does not exist; there is no folder '.*gone'"
    ):
        check_writable(tmp_path / "link")


ASKED = """
from pathlib import Path
from gpufluid.core.files import check_writable
for name in ("x", "link"):
    try:
        check_writable(Path(name))
    except Exception as error:
        with open("told", "a") as told:
            told.write(f"{error}\\n")
"""


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_the_file_that_a_standard_stream_goes_to_is_not_replaced(tmp_path: Path, stream: str) -> None:
    """As with ``--stats x.csv >x.csv``: the answer would go to a file that has no name any more."""
    (tmp_path / "link").symlink_to("x")
    with (tmp_path / "x").open("w") as file:
        subprocess.run([sys.executable, "-c", ASKED], cwd=tmp_path, check=True, **{stream: file})
    said = f"is where standard {'output' if stream == 'stdout' else 'error'} goes; expected another file\n"
    assert (tmp_path / "told").read_text() == f"x: {said}link: {said}"
