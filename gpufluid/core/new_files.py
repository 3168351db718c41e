"""New files that are invisible until they are complete, and that vanish with their process.

Linux can make a file without a name (`O_TMPFILE`) and name it when it is complete. If the process ends before that,
even by SIGKILL, the system frees the file. Only a file that replaces another one has a temporary name, between two
calls of the system: a link cannot replace a file; a rename can, but needs a name.

Other systems and some file systems, such as NFS, have no files without a name. There a new file has a temporary name
from the beginning, and a killed process leaves it behind. The process that writes a file holds a lock on it (`flock`),
which the system releases when the process ends. So `remove_abandoned` removes the files that it can lock.

A lock is certain to be seen only by processes of one running kernel that use one mount: over a network a file system
may keep locks to each machine. (A container runs on the kernel of its machine.) So a temporary name has a digest of the
running kernel and the mount, and files with another digest stay, as do those of other users. The price is that a
temporary file that outlives a restart of its machine is left for its owner to delete.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PREFIX = ".gpufluid-"
UNLOCKED = "unlocked"
"""In place of the digest in the name of a file that cannot be locked, and so is never taken for abandoned."""

ROOM = "-room"
"""The ending of the name of a room of `new_folders`, after that of a temporary file."""

OLD = "old"
"""In a room of `new_folders` the folder that was taken from its place, and may have to go back there."""

_NO_SYNC = (errno.EBADF, errno.EINVAL, errno.ENOTSUP, errno.EROFS)
"""The errors of files that cannot be written through to a disk, as in some file systems."""

_OPEN_FILES = Path("/proc/self/fd")
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class NewFile:
    """A new, empty file. `place` gives it its name; `close` deletes it if it has none by then.

    Args:
        folder: the folder of the file.
        mode: the rights of the file; None: those of any new file of this user.
    Raises: OSError: no file can be made in the folder.
    """

    def __init__(self, folder: Path, mode: int | None = None) -> None:
        self._folder, self._mode = folder, mode
        self._rights = 0o666 if mode is None else 0o600  # while it is written, before the mask of the process
        self._name: Path | None = None
        self._handle = _open_nameless(folder, self._rights)
        if self._handle is None:
            self._handle, self._name = _open_named(folder, self._rights)

    @property
    def path(self) -> Path:
        """A path that opens the file, in this process and in those that inherit `descriptors_of` this path."""
        return self._name if self._name is not None else _OPEN_FILES / str(self._handle)

    def place(self, target: Path) -> None:
        """Give the complete file its name, in one step. An existing file of this name is replaced.

        The file is written through to the disk before, so that after a loss of power the earlier or the new one is
        there.

        Raises: OSError: the file cannot have this name; an existing file is unchanged.
        """
        if self._mode is not None:
            self.path.chmod(self._mode)
        sync(self.path)
        self._take_place(target)
        sync(target.parent)

    def _take_place(self, target: Path) -> None:
        if self._name is None:
            assert self._handle is not None
            try:
                _link(self._handle, target)
                return
            except FileExistsError:
                self._name = unused_name(self._folder, tag_of(self._folder) if lock(self._handle) else UNLOCKED)
                _link(self._handle, self._name)
            except OSError:  # the file system makes files without a name, and then does not name them
                self._copy()
        assert self._name is not None
        self._name.replace(target)
        self._name = None

    def _copy(self) -> None:
        """Become a file that has a temporary name, with the same content and rights."""
        handle, path = self._handle, self.path
        try:
            self._handle, self._name = _open_named(self._folder, self._rights)
            shutil.copyfile(path, self._name)
            shutil.copymode(path, self._name)
        finally:
            if handle is not None and handle != self._handle:
                os.close(handle)

    def close(self) -> None:
        """Delete the file unless it was placed. A second call does nothing."""
        if self._name is not None:
            self._name.unlink(missing_ok=True)
            self._name = None
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def descriptors_of(path: Path) -> tuple[int, ...]:
    """The open files that another process must inherit to open the path of a `NewFile`; none if it has a name."""
    return (int(path.name),) if path.parent == _OPEN_FILES else ()


@cache
def remove_abandoned(folder: Path) -> None:
    """Delete the temporary files and rooms in a folder whose processes have ended; once a folder in this process."""
    tag = tag_of(folder)
    if fcntl is None or tag == UNLOCKED:
        return
    ours = re.compile(re.escape(f"{PREFIX}{tag}-") + f"[0-9a-f]{{16}}({ROOM})?")
    with suppress(OSError), os.scandir(folder) as entries:  # a folder that may be written need not be readable
        for path in [Path(entry.path) for entry in entries if ours.fullmatch(entry.name)]:
            _remove_if_abandoned(path)


def _remove_if_abandoned(path: Path) -> None:
    with suppress(OSError):  # it is placed by now, belongs to another user, or another process removes it
        is_room = path.name.endswith(ROOM)
        handle = os.open(path, (os.O_RDONLY | os.O_DIRECTORY if is_room else os.O_RDWR) | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            found = os.fstat(handle)
            if found.st_uid != os.geteuid() or not lock(handle):
                return
            if is_room and not (path / OLD).exists():
                shutil.rmtree(path)
            elif stat.S_ISREG(found.st_mode):
                path.unlink()
        finally:
            os.close(handle)


def _open_nameless(folder: Path, rights: int) -> int | None:
    """Make a file without a name. Returns None where there are none, or no path opens them."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None or fcntl is None:
        return None
    try:
        handle = os.open(folder, flag | os.O_RDWR, rights)
    except OSError:  # each system has its own error for this; any other error comes again with a named file
        return None
    if handle < 3:  # a standard stream is closed, and a process that inherits the file would take it for the stream
        low, handle = handle, fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, 3)
        os.close(low)
    with suppress(OSError):  # there is no /proc
        if os.path.samestat((_OPEN_FILES / str(handle)).stat(), os.fstat(handle)):
            return handle
    os.close(handle)
    return None


def _open_named(folder: Path, rights: int) -> tuple[int | None, Path]:
    """Make a file with a temporary name, and lock it if the system has locks."""
    tag = tag_of(folder)
    while True:
        path = unused_name(folder, tag)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), rights)
        if fcntl is None:  # Windows renames no open file
            os.close(handle)
            return None, path
        locked = lock(handle)
        if tag == UNLOCKED or (locked and is_named(handle, path)):
            return handle, path
        os.close(handle)
        path.unlink(missing_ok=True)
        if locked is None:
            tag = UNLOCKED


def unused_name(folder: Path, tag: str) -> Path:
    """A temporary name that nothing in a folder has; ``tag``: that of the folder, or `UNLOCKED`."""
    return folder / f"{PREFIX}{tag}-{secrets.token_hex(8)}"


def tag_of(folder: Path) -> str:
    """A digest of the running kernel and the mount of a folder: those that see each other's locks have the same."""
    try:
        seen = f"{_BOOT_ID.read_text().strip()} {folder.stat().st_dev}"
    except OSError:  # no Linux
        return UNLOCKED
    return blake2b(seen.encode(), digest_size=8).hexdigest()


def lock(handle: int) -> bool | None:
    """Lock a file. Returns False if another process has the lock, None if the file system has no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def sync(path: Path) -> None:
    """Write a file or a folder through to the disk. Raises OSError: the disk is full or fails."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # it may be written and not read; Windows opens no folder
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(handle)


def is_named(handle: int, path: Path) -> bool:
    """True if an open file still has a name. Before its lock, another program may have removed it as abandoned."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _link(handle: int, path: Path) -> None:
    """Name an open file that has no name. Raises: FileExistsError: the name is in use."""
    # Without a folder's descriptor Python calls link(), which follows no links, in place of linkat(), which follows.
    os.link(_OPEN_FILES / str(handle), path, src_dir_fd=handle, follow_symlinks=True)
