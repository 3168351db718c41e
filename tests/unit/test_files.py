"""Input files: only regular files are opened; for any other file each reader raises an error that names its kind."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufluid import load
from gpufluid.benchmark import report
from gpufluid.core.errors import UsageError
from gpufluid.core.files import irregular, open_regular
from gpufluid.gpu import choices
from gpufluid.viewer.keys import bindings

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes"),
    pytest.mark.timeout(120),  # opening a pipe without a writer blocks for ever
]

KINDS = {
    "folder": "a folder, not a file",
    "pipe": "a named pipe (FIFO), not a file",
    "socket": "a socket, not a file",
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
        case "to_device":
            path.symlink_to(os.devnull)
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


@pytest.mark.parametrize("kind", ["pipe", "to_pipe", "to_nothing"])
@pytest.mark.parametrize("name", READERS)
def test_every_reader_names_the_kind_of_an_irregular_file(tmp_path: Path, name: str, kind: str) -> None:
    read, said = READERS[name]
    with pytest.raises(UsageError) as caught:
        read(make(kind, tmp_path / name))
    assert str(caught.value) == f"{tmp_path}/{said}{KINDS[kind]}"


def test_a_pipe_as_the_file_of_choices_counts_as_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "choices_file", lambda: make("pipe", tmp_path / "variants.json"))
    assert choices.kept("any", "4.5") == {}
