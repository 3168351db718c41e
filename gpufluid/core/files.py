"""Opening of regular files, and atomic writing: a file is written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from gpufluid.core.errors import OutputError, UsageError, shown
from gpufluid.core.new_files import NewFile, remove_abandoned

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe (FIFO)",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def irregular(path: Path) -> str | None:
    """Say what a path names in place of a regular file, such as ``a folder, not a file``.

    Returns: None for a regular file, a link to one, and a path that names nothing.
    Raises: OSError, ValueError: the name is invalid, or its folder cannot be searched.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return f"a link to {shown(str(path.readlink()))}, which does not exist" if path.is_symlink() else None
    if stat.S_ISREG(mode):
        return None
    kind = _KINDS.get(stat.S_IFMT(mode), "no regular file")
    return f"a link to {kind}, not a file" if path.is_symlink() else f"{kind}, not a file"


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. Nothing else is opened: a pipe would block, and a device can act when opened.

    Raises: OSError: no such file, no permission, or no regular file; its ``strerror`` says which. ValueError: the name
        is invalid.
    """
    if (other := irregular(path)) is not None:
        raise OSError(errno.EINVAL, f"it is {other}", str(path))
    # The name may mean another file by now, so the opened one is what counts; O_NONBLOCK opens a pipe without waiting.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(handle, "rb")


def check_writable(path: Path) -> None:
    """Check that a file can be written, before any work is done.

    Raises: UsageError: the name is invalid, its folder is missing, permission is denied, or the name is in use by
        something that a file must not replace: a folder, a device, a pipe, or the file that standard output goes to.
    """
    folder = path.parent
    try:
        place, other = path.resolve(), irregular(path)
        has_folder = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # an invalid file name, or a loop of symbolic links
        raise UsageError(f"{shown(str(path))}: cannot be a file: {getattr(error, 'strerror', None) or error}") from None
    if not has_folder:
        raise UsageError(f"{path}: there is no folder {str(folder)!r}")
    if path.exists():
        if other is not None:
            raise UsageError(f"{path}: is {other}")
        if not os.access(path, os.W_OK):
            raise UsageError(f"{path}: exists and is not writable")
        if (stream := _stream_to(path)) is not None:  # replacing it would lose the printed text
            raise UsageError(f"{path}: is where {stream} goes; expected another file")
    elif not place.parent.is_dir():  # the path is a link to a file that does not exist yet
        raise UsageError(f"{path}: is {other}; there is no folder {str(place.parent)!r}")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Raise UsageError if no file can be made in the folder of a path; of a symbolic link that of its target."""
    try:
        NewFile(path.resolve().parent).close()  # only an attempt shows whether a folder is writable
    except OSError as error:
        folder = str(path.parent)
        raise UsageError(f"{path}: the folder {folder!r} is not writable: {error.strerror or error}") from None


def _stream_to(path: Path) -> str | None:
    """The standard stream that a file receives."""
    for handle, stream in ((1, "standard output"), (2, "standard error")):
        with suppress(OSError):  # the stream is closed
            if os.path.samestat(path.stat(), os.fstat(handle)):
                return stream
    return None


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path to a new file, which takes the place of ``path`` when the block ends without an error.

    The new file is deleted otherwise, even if the process is killed; `new_files` says how. Only this process can open
    it by the yielded path, and processes that inherit its `descriptors_of`.

    Raises: UsageError: as `check_writable`. OutputError: the disk is full or the folder is not writable.
    """
    check_writable(path)
    path = path.resolve()  # of a symbolic link the target is replaced, and the link stays
    remove_abandoned(path.parent)
    try:
        file = NewFile(path.parent, stat.S_IMODE(path.stat().st_mode) if path.exists() else None)
        try:
            yield file.path
            file.place(path)
        finally:
            file.close()
    except OSError as error:
        raise OutputError(f"{path}: could not be written: {error.strerror or error}") from None


@contextmanager
def written_together(first: Path, second: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the paths of two new files. When the block ends without an error both take their places, or neither.

    Raises: OutputError: as `written_whole`; both earlier files are unchanged.
    """
    earlier, is_placed = None, False
    try:
        with written_whole(second) as second_file:
            with written_whole(first) as first_file:
                yield first_file, second_file
                earlier = first.read_bytes() if first.exists() else None
            is_placed = True
    except BaseException:
        if is_placed:
            _put_back(first, earlier)
        raise


def _put_back(path: Path, earlier: bytes | None) -> None:
    if earlier is None:
        path.unlink(missing_ok=True)
        return
    with written_whole(path) as file:
        file.write_bytes(earlier)
