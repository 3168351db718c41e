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

pytestmark = pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="folders have locks on Linux only")

WAYS = ("exchanged", "by turns", "no lock")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
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


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("way")
def test_a_folder_takes_its_place_whole_and_again(tmp_path: Path) -> None:
    with reserved(tmp_path / "x") as folder:
        for content in ("first", "second", "third"):
            (folder.path / content).write_text(content)
            assert content not in (names(tmp_path / "x") if (tmp_path / "x").exists() else ())
            folder.place()
            assert names(tmp_path / "x") == [content]
    assert names(tmp_path) == ["x"]


@pytest.mark.usefixtures("way")
def test_what_was_there_stays_if_the_block_fails(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir(mode=0o750)
    (tmp_path / "x" / "mine").write_text("mine")
    with pytest.raises(ZeroDivisionError), reserved(tmp_path / "x") as folder:
        (folder.path / "part").write_text(f"{1 / 0}")
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["mine"]
    with reserved(tmp_path / "x") as folder:
        folder.place()
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o750


def test_a_place_that_cannot_be_taken_keeps_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_folders, "_exchange", lambda *_: False)
    (tmp_path / "x" / "mine").mkdir(parents=True)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError("not here")
        return rename(self, target)

    with reserved(tmp_path / "x") as folder:
        monkeypatch.setattr(Path, "rename", refuse)
        with pytest.raises(OSError, match="not here"):
            folder.place()
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["mine"]


def test_one_process_at_a_time_writes_a_folder(tmp_path: Path) -> None:
    with reserved(tmp_path / "x"):
        with pytest.raises(UsageError, match="x: another run is writing it; expected a name that no other run writes"):
            reserved(tmp_path / "x").__enter__()
        with reserved(tmp_path / "y") as other:
            other.place()
    with reserved(tmp_path / "x") as folder:
        folder.place()
    assert names(tmp_path) == ["x", "y"]


KILLED = """
import os, signal, sys
from pathlib import Path
from gpufluid.core import new_folders
folder = new_folders.NewFolder(Path(sys.argv[1]))
(folder.path / "part").write_text("half")
if sys.argv[2] == "in between":
    new_folders._exchange = lambda *_: False
    rename = Path.rename
    def die(self, target):
        if self.name == "new":
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
    with NewFolder(tmp_path / "x"):
        assert names(tmp_path / "x") == ["mine"]
    assert names(tmp_path) == ["x"]


def test_a_folder_in_which_nothing_can_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="x: could not be written: No such file or directory"):
        reserved(tmp_path / "none" / "x").__enter__()
