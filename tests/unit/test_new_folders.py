"""New folders take their place in one step, one process at a time, and leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpufluid.core import new_folders
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.new_files import remove_abandoned
from gpufluid.core.new_folders import NewFolder, reserved

pytestmark = pytest.mark.skipif(
    not hasattr(os, "O_TMPFILE"), reason="written for Linux: its locks of folders, and folders that change places"
)

SYSTEMS = ("exchanged", "by turns", "no lock")


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """As usual; where two folders cannot change places; and where there are no locks."""

    def refuse(*_: object) -> None:
        raise OSError("not here")

    if request.param == "by turns":
        monkeypatch.setattr(new_folders, "_exchange", lambda *_: False)
    if request.param == "no lock":
        monkeypatch.setattr("fcntl.flock", refuse)
    return request.param


@pytest.fixture(autouse=True)
def _first_look() -> Iterator[None]:
    """Each test looks for abandoned rooms as a new process does."""
    remove_abandoned.cache_clear()
    yield
    remove_abandoned.cache_clear()


def anything(_: Path) -> None:
    """All may be replaced."""


def only_empty(path: Path) -> str | None:
    return "has files" if any(path.iterdir()) else None


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("system")
def test_a_folder_takes_its_place_whole_and_again(tmp_path: Path) -> None:
    with reserved(tmp_path / "x", anything) as folder:
        for content in ("first", "second", "third"):
            (folder.path / content).write_text(content)
            assert content not in (names(tmp_path / "x") if (tmp_path / "x").exists() else ())
            folder.place()
            assert names(tmp_path / "x") == [content]
    assert names(tmp_path) == ["x"]


@pytest.mark.usefixtures("system")
def test_what_was_there_stays_if_the_block_fails(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir(mode=0o750)
    (tmp_path / "x" / "mine").write_text("mine")
    with pytest.raises(ZeroDivisionError), reserved(tmp_path / "x", anything) as folder:
        (folder.path / "part").write_text(f"{1 / 0}")
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["mine"]
    with reserved(tmp_path / "x", anything) as folder:
        folder.place()
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o750


def test_a_place_that_cannot_be_taken_keeps_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_folders, "_exchange", lambda *_: False)
    (tmp_path / "x" / "mine").mkdir(parents=True)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.startswith("new-"):
            raise OSError("not here")
        return rename(self, target)

    with reserved(tmp_path / "x", anything) as folder:
        monkeypatch.setattr(Path, "rename", refuse)
        with pytest.raises(OSError, match="not here"):
            folder.place()
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["mine"]


@pytest.mark.usefixtures("system")
def test_what_came_to_the_place_meanwhile_stays(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with reserved(tmp_path / "x", only_empty) as folder:
        (folder.path / "part").write_text("part")
        (tmp_path / "x" / "mine").write_text("mine")
        with pytest.raises(FileExistsError, match="it has files"):
            folder.place()
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["mine"]


@pytest.mark.usefixtures("system")
def test_what_comes_to_the_place_in_the_last_moment_gets_it_back(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    looks = []

    def refusal(path: Path) -> str | None:
        found = only_empty(path)
        looks.append(path)
        if len(looks) == 1:
            (tmp_path / "x" / "mine").write_text("mine")
        return found

    with reserved(tmp_path / "x", refusal) as folder:
        (folder.path / "part").write_text("part")
        with pytest.raises(FileExistsError, match="it has files"):
            folder.place()
    assert len(looks) == 2
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["mine"]


def test_a_new_folder_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    sync, parent = os.fsync, tmp_path.stat().st_ino

    def note(handle: int) -> None:
        sync(handle)
        synced.append((os.fstat(handle).st_ino, (tmp_path / "x").exists()))

    monkeypatch.setattr(os, "fsync", note)
    with reserved(tmp_path / "x", anything) as folder:
        (folder.path / "inner").mkdir()
        (folder.path / "inner" / "part").write_text("part")
        parts = [folder.path, folder.path / "inner", folder.path / "inner" / "part"]
        expected = {(part.stat().st_ino, False) for part in parts}
        folder.place()
    assert set(synced) == expected | {(parent, True)}


def test_a_room_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with pytest.raises(
        OutputError, match=r"x: could not be written: the folder '\S+' beside it belongs to another user"
    ):
        reserved(tmp_path / "x", anything).__enter__()


def test_one_process_at_a_time_writes_a_folder(tmp_path: Path) -> None:
    with reserved(tmp_path / "x", anything):
        with pytest.raises(UsageError, match="x: another run is writing it; expected a name that no other run writes"):
            reserved(tmp_path / "x", anything).__enter__()
        with reserved(tmp_path / "y", anything) as other:
            other.place()
    with reserved(tmp_path / "x", anything) as folder:
        folder.place()
    assert names(tmp_path) == ["x", "y"]


KILLED = """
import os, signal, sys
from pathlib import Path
from gpufluid.core import new_folders
folder = new_folders.NewFolder(Path(sys.argv[1]), lambda path: None)
(folder.path / "part").write_text("half")
if sys.argv[2] == "in between":
    new_folders._exchange = lambda *_: False
    rename = Path.rename
    def die(self, target):
        if self.name.startswith("new-"):
            os.kill(os.getpid(), signal.SIGKILL)
        return rename(self, target)
    Path.rename = die
    folder.place()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("moment", ["before", "in between"])
def test_what_a_killed_process_leaves_is_removed_or_put_back(tmp_path: Path, moment: str) -> None:
    (tmp_path / "x" / "mine").mkdir(parents=True)
    assert subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "x"), moment]).returncode < 0
    assert names(tmp_path) != ["x"]
    remove_abandoned(tmp_path)
    if moment == "before":  # else it holds the folder that has to go back
        assert names(tmp_path) == ["x"]
    with NewFolder(tmp_path / "x", anything):
        assert names(tmp_path / "x") == ["mine"]
    assert names(tmp_path) == ["x"]


def test_a_folder_in_which_nothing_can_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="x: could not be written: No such file or directory"):
        reserved(tmp_path / "none" / "x", anything).__enter__()
