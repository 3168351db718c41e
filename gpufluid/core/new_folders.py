"""New folders that take their place in one step when they are complete.

A folder is made in a *room*, a hidden folder beside its place. Only one process at a time has a room for a place. If a
folder is at the place already, the two folders change places in one step where the system can do this (`renameat2` of
Linux). Elsewhere the earlier folder is moved into the room first. A process that is killed at this moment leaves it
there, and the next `NewFolder` of this place puts it back.

A room is locked while its process runs, as `new_files` describes for files, and removed by the first process that finds
it abandoned. The name of a room has the digest of the running kernel that `new_files` describes. So after a restart of
the machine, and on a file system without locks, no process puts back what a killed one left in a room: the earlier
folder is then ``old`` in a hidden folder beside its place, for its owner to move back.

The files of a new folder are written through to the disk before it takes its place, and its place before the earlier
folder is deleted. So after a loss of power one of the two folders is there and complete, if the disk keeps the writes
that it confirms.
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Self

from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.new_files import (
    OLD,
    PREFIX,
    ROOM,
    UNLOCKED,
    is_named,
    lock,
    remove_abandoned,
    sync,
    tag_of,
    unused_name,
)

_EXCHANGE = 2
"""``RENAME_EXCHANGE`` of <linux/fs.h>."""

_HERE = -100
"""``AT_FDCWD`` of <fcntl.h>."""

_TRIES, _PAUSE = 50, 0.02
"""Tries to remove a folder, and seconds between them: threads may still write into it."""


Refusal = Callable[[Path], str | None]
"""A function that says why a file or folder must not be replaced, such as "is a file"; None: it may be replaced."""


class NewFolder:
    """A new, empty folder. `place` gives it its name; `close` deletes it if it has none by then.

    After `place` there is a new empty folder, which can be placed, too. ``path`` is that of the folder.

    Args:
        target: the place of the folder, in a folder that exists. Until `close` no other process has a NewFolder for it.
        refusal: says why a file or folder at the place must not be replaced, and deleted; returns None if it may be.
    Raises: BlockingIOError: another process has a NewFolder for this place. OSError: no folder can be made there.
    """

    def __init__(self, target: Path, refusal: Refusal) -> None:
        self._target, self._refusal = target, refusal
        self._handle, self._room = _open_room(target)
        try:
            _put_back(self._room, target)
            self.path = self._begun()
        except BaseException:
            self.close()
            raise

    def _begun(self) -> Path:
        # The name is new: other machines may take that of an earlier folder for the one that is in its place by now.
        path = self._room / f"new-{secrets.token_hex(8)}"
        path.mkdir()
        return path

    def renew(self) -> None:
        """Delete the new folder, and make another one."""
        _remove(self.path)
        self.path = self._begun()

    def place(self) -> None:
        """Give the complete folder its name. An existing folder of this name is replaced, and deleted.

        What is at the place may have changed since the NewFolder was made. So it is checked again before it is
        replaced, and before it is deleted. If it must not be deleted, it gets its place back.

        Raises: OSError: the folder cannot have this name, or must not replace what is there, which is unchanged.
        """
        _sync_all(self.path)
        if os.path.lexists(self._target):
            self._check(self._target)
            self.path.chmod(stat.S_IMODE(self._target.stat().st_mode))
            self._change_places()
            try:
                self._check(self.path)
            except BaseException:
                self._change_places()
                raise
        else:
            self.path.rename(self._target)
        sync(self._target.parent)
        self.renew()

    def _check(self, path: Path) -> None:
        """Raise OSError if what is at a path must not be replaced."""
        if (reason := self._refusal(path)) is not None:
            raise FileExistsError(errno.EEXIST, f"it {reason}", str(self._target))

    def _change_places(self) -> None:
        """Let the new folder and what is at its place change places."""
        if _exchange(self.path, self._target):
            return
        earlier = self._room / OLD
        self._target.rename(earlier)
        try:
            self.path.rename(self._target)
        except OSError:
            earlier.rename(self._target)
            raise
        earlier.rename(self.path)

    def close(self) -> None:
        """Delete what was not placed, and let other processes write this folder. A second call does nothing."""
        if self._handle is None and not self._room.exists():
            return
        _put_back(self._room, self._target)
        _remove(self._room)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def reserved(path: Path, refusal: Refusal) -> Iterator[NewFolder]:
    """Yield the new folder that is to take the place of a path, and let no other process write one there meanwhile.

    Args:
        path: the place; of a symbolic link its target. Its folder exists.
        refusal: see `NewFolder`.
    Raises: UsageError: another process writes this folder. OutputError: no folder can be made there.
    """
    target = path.resolve()
    remove_abandoned(target.parent)
    try:
        folder = NewFolder(target, refusal)
    except BlockingIOError:
        raise UsageError(f"{path}: another run is writing it; expected a name that no other run writes") from None
    except OSError as error:
        raise OutputError(f"{path}: could not be written: {error.strerror or error}") from None
    with folder:
        yield folder


def _open_room(target: Path) -> tuple[int | None, Path]:
    """Make the room of a place, or take an abandoned one, and lock it if the system has locks.

    Raises: BlockingIOError: another process has locked the room. OSError: the room belongs to another user.
    """
    folder, tag = target.parent, tag_of(target.parent)
    own = blake2b(os.fsencode(target.name), digest_size=8).hexdigest()
    while tag != UNLOCKED:
        room = folder / f"{PREFIX}{tag}-{own}{ROOM}"
        room.mkdir(exist_ok=True)
        _check_owner(room)
        try:
            handle = os.open(room, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:  # another process took it for abandoned
            continue
        locked = lock(handle)
        if locked and is_named(handle, room):
            return handle, room
        os.close(handle)
        if locked is None:  # the file system has no locks
            room.rmdir()
            break
        if not locked:
            raise BlockingIOError
    room = unused_name(folder, UNLOCKED)
    room.mkdir()
    return None, room


def _check_owner(room: Path) -> None:
    """Raise OSError if a room is that of another user, who may still write in it."""
    with suppress(FileNotFoundError):  # another process took it for abandoned
        if room.lstat().st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, f"the folder {room.name!r} beside it belongs to another user")


def _put_back(room: Path, target: Path) -> None:
    """Put an earlier folder back that a killed process took from its place."""
    if (room / OLD).exists() and not target.exists():
        (room / OLD).rename(target)


def _exchange(first: Path, second: Path) -> bool:
    """Let two folders change places, in one step. Returns False where the system or the file system cannot do this."""
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # no Linux, or an old one
        return False
    return function(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE) == 0


def _sync_all(folder: Path) -> None:
    """Write a folder and all in it through to the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            sync(Path(place, name))
        sync(Path(place))


def _remove(folder: Path) -> None:
    """Delete a folder and all in it. What cannot be deleted stays, and the next process removes it."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_PAUSE)
