"""New files are invisible until they are complete, and gone with their process, on every kind of system."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpufluid.core import new_files
from gpufluid.core.errors import OutputError
from gpufluid.core.files import written_whole
from gpufluid.core.new_files import NewFile, descriptors_of, remove_abandoned

pytestmark = pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="only Linux has files without a name")

WAYS = ("nameless", "named", "no proc", "no link", "no lock")
"""As usual; where no file lacks a name, no path opens such a file, none can be named later, or there are no locks."""


def go(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process work in one of `WAYS`."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOLCK if way == "no lock" else errno.EPERM, "not here")

    if way in ("named", "no lock"):
        monkeypatch.delattr(os, "O_TMPFILE")
    if way == "no proc":
        monkeypatch.setattr(new_files, "_OPEN_FILES", Path("/nonexistent"))
    if way == "no link":
        monkeypatch.setattr(os, "link", refuse)
    if way == "no lock":
        monkeypatch.setattr("fcntl.flock", refuse)


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    go(request.param, monkeypatch)
    return request.param


@pytest.fixture(autouse=True)
def _first_look() -> Iterator[None]:
    """Each test looks for abandoned files as a new process does."""
    remove_abandoned.cache_clear()
    yield
    remove_abandoned.cache_clear()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("earlier", [None, b"earlier"])
def test_a_file_appears_when_it_is_complete(tmp_path: Path, way: str, earlier: bytes | None) -> None:
    if earlier is not None:
        (tmp_path / "x").write_bytes(earlier)
    before = names(tmp_path)
    with written_whole(tmp_path / "x") as file:
        file.write_bytes(b"new")
        with file.open("ab") as more:
            more.write(b" and more")
        others = [name for name in names(tmp_path) if name not in before]
        assert len(others) == (0 if way in ("nameless", "no link") else 1)
        assert all(name.startswith(".gpufluid-") for name in others)
        assert earlier is None or (tmp_path / "x").read_bytes() == earlier
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x").read_bytes() == b"new and more"


def test_a_new_file_has_the_rights_of_any_new_file_and_a_replaced_one_keeps_its_rights(
    tmp_path: Path, way: str
) -> None:
    (tmp_path / "plain").touch()
    (tmp_path / "secret").touch(0o600)
    (tmp_path / "program").touch()
    (tmp_path / "program").chmod(0o755)
    for name, rights in (("x", (tmp_path / "plain").stat().st_mode & 0o777), ("secret", 0o600), ("program", 0o755)):
        with written_whole(tmp_path / name) as file:
            if name == "secret":
                assert file.stat().st_mode & 0o077 == 0, "others could read it while it is written"
            file.write_bytes(way.encode())
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == rights


def test_an_error_leaves_the_earlier_file_alone(tmp_path: Path, way: str) -> None:
    (tmp_path / "x").write_bytes(b"earlier")

    def write(name: str) -> None:
        with written_whole(tmp_path / name) as file:
            file.write_text(way)
            raise KeyboardInterrupt

    for name in ("x", "y"):
        with pytest.raises(KeyboardInterrupt):
            write(name)
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x").read_bytes() == b"earlier"


def test_a_name_that_is_taken_in_between_is_replaced(tmp_path: Path, way: str) -> None:
    with written_whole(tmp_path / "x") as file:
        file.write_text(way)
        (tmp_path / "x").write_text("of another program")
    assert (tmp_path / "x").read_text() == way
    assert names(tmp_path) == ["x"]


def test_a_file_that_cannot_be_placed_is_deleted(tmp_path: Path, way: str) -> None:
    def write() -> None:
        with written_whole(tmp_path / "x") as file:
            file.write_text(way)
            (tmp_path / "x").mkdir()

    with pytest.raises(OutputError, match="x: could not be written: "):
        write()
    assert names(tmp_path) == ["x"]


def test_another_process_writes_the_file_by_its_path(tmp_path: Path, way: str) -> None:
    with written_whole(tmp_path / "x") as file:
        inherited = descriptors_of(file)
        assert len(inherited) == (way in ("nameless", "no link"))
        subprocess.run(["sh", "-c", f"echo {way} >{file}"], pass_fds=inherited, check=True)
    assert (tmp_path / "x").read_text() == f"{way}\n"


def test_a_closed_standard_stream_is_not_taken_for_a_new_file(tmp_path: Path) -> None:
    """A program that is started with the file as its descriptor 1 would print into it."""
    text = "import os; os.closerange(0, 3); from gpufluid.core.new_files import *; from pathlib import Path\n"
    text += "number = descriptors_of(NewFile(Path('.')).path)[0]; Path('number').write_text(str(number))"
    assert subprocess.run([sys.executable, "-c", text], cwd=tmp_path).returncode == 0
    assert int((tmp_path / "number").read_text()) >= 3


KILLED = """
import os, signal, sys
from pathlib import Path
from gpufluid.core import new_files
from gpufluid.core.files import written_whole

def kill(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

link, replace = os.link, Path.replace
way, moment = sys.argv[1:]
if way == "named":
    del os.O_TMPFILE
if way == "no link":
    os.link = lambda *_, **__: replace(Path("none"), Path("any"))
if moment == "linked":
    os.link = lambda source, target, **how: (link(source, target, **how), kill())
if moment == "unnamed":
    os.link = kill
if moment == "replacing":
    Path.replace = kill
with written_whole(Path("x")) as file:
    file.write_bytes(b"half")
    if moment == "writing":
        kill()
"""


@pytest.mark.parametrize("earlier", [None, b"earlier"])
@pytest.mark.parametrize(
    ("way", "moment"),
    [(way, "writing") for way in ("nameless", "named", "no link")]
    + [("nameless", "unnamed"), ("nameless", "linked"), ("nameless", "replacing")]
    + [("named", "replacing"), ("no link", "replacing")],
)
def test_a_killed_process_leaves_nothing_or_the_next_one_removes_it(
    tmp_path: Path, way: str, moment: str, earlier: bytes | None
) -> None:
    if earlier is not None:
        (tmp_path / "x").write_bytes(earlier)
    ended = subprocess.run([sys.executable, "-c", KILLED, way, moment], cwd=tmp_path).returncode
    named_at_once = way == "nameless" and earlier is None
    if named_at_once and moment == "replacing":  # nothing is replaced
        assert (ended, names(tmp_path)) == (0, ["x"])
        return
    assert ended == -signal.SIGKILL
    if named_at_once and moment == "linked":
        assert (tmp_path / "x").read_bytes() == b"half"
        assert names(tmp_path) == ["x"]
        return
    assert ((tmp_path / "x").read_bytes() if (tmp_path / "x").exists() else None) == earlier
    left = [name for name in names(tmp_path) if name != "x"]
    free = way != "named" and moment in ("writing", "unnamed")
    assert len(left) == (0 if free else 1)
    with written_whole(tmp_path / "y") as file:
        file.write_bytes(b"next")
    assert names(tmp_path) == (["y"] if earlier is None else ["x", "y"])


def test_the_file_of_a_running_process_stays_until_the_process_ends(tmp_path: Path) -> None:
    text = "import os; del os.O_TMPFILE; from gpufluid.core.new_files import *; from pathlib import Path\n"
    text += "file = NewFile(Path('.')); print(flush=True); input()"
    command = [sys.executable, "-c", text]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        running.stdout.readline()
        before = names(tmp_path)
        remove_abandoned(tmp_path)
        assert len(before) == 1
        assert names(tmp_path) == before
        running.kill()
        running.wait()
        assert names(tmp_path) == before
    remove_abandoned.cache_clear()
    remove_abandoned(tmp_path)
    assert names(tmp_path) == []


def test_a_file_of_this_process_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go("named", monkeypatch)
    with written_whole(tmp_path / "x") as file:
        remove_abandoned.cache_clear()
        with written_whole(tmp_path / "y") as other:
            other.touch()
        assert file.exists()
    assert names(tmp_path) == ["x", "y"]


def test_what_may_belong_to_others_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of another kernel or mount, without a lock, of another user, and of other names and kinds."""
    tag = new_files.tag_of(tmp_path)
    others = {f".gpufluid-{'0' * 16}-{'1' * 16}", f".gpufluid-unlocked-{'1' * 16}", f".gpufluid-{tag}-{'1' * 16}.png"}
    others |= {f"a.gpufluid-{tag}-{'1' * 16}", ".gpufluid-", "x"}
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / f".gpufluid-{tag}-{'2' * 16}").mkdir()
    (tmp_path / f".gpufluid-{tag}-{'3' * 16}").symlink_to("x")
    os.mkfifo(tmp_path / f".gpufluid-{tag}-{'4' * 16}")
    before = names(tmp_path)
    remove_abandoned(tmp_path)
    assert names(tmp_path) == before
    (tmp_path / f".gpufluid-{tag}-{'5' * 16}").touch()
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        remove_abandoned.cache_clear()
        remove_abandoned(tmp_path)
    assert names(tmp_path) == sorted([*before, f".gpufluid-{tag}-{'5' * 16}"])
    remove_abandoned.cache_clear()
    remove_abandoned(tmp_path)
    assert names(tmp_path) == before


def test_a_file_that_is_removed_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process looks for abandoned files between the making of a file and its lock."""
    go("named", monkeypatch)
    lock, removed = new_files.lock, []

    def remove_first(handle: int) -> bool | None:
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        return lock(handle)

    monkeypatch.setattr(new_files, "lock", remove_first)
    file = NewFile(tmp_path)
    assert file.path.exists()
    assert file.path != removed[0]
    file.close()
    assert names(tmp_path) == []


def test_the_name_of_a_file_that_cannot_be_locked_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go("no lock", monkeypatch)
    file = NewFile(tmp_path)
    assert names(tmp_path) == [file.path.name]
    assert file.path.name.startswith(".gpufluid-unlocked-")
    file.close()
    assert names(tmp_path) == []


def test_a_folder_that_can_be_written_and_not_listed_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with written_whole(tmp_path / "x") as file:
        file.write_bytes(b"new")
    assert (tmp_path / "x").read_bytes() == b"new"
