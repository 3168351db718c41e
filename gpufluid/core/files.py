"""Opening of regular files, and atomic writing: a file is written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gpufluid.core.errors import OutputError, UsageError, shown

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

    Raises: UsageError: the name is invalid, its folder is missing, it is a folder, or permission is denied.
    """
    folder = path.parent
    try:
        path.resolve()
        is_folder, has_folder = path.is_dir(), folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # an invalid file name, or a loop of symbolic links
        raise UsageError(f"{shown(str(path))}: cannot be a file: {getattr(error, 'strerror', None) or error}") from None
    if not has_folder:
        raise UsageError(f"{path}: there is no folder {str(folder)!r}")
    if is_folder:
        raise UsageError(f"{path}: is a folder, not a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise UsageError(f"{path}: exists and is not writable")
    try:
        with tempfile.TemporaryFile(dir=folder):  # only an attempt shows whether a folder is writable
            pass
    except OSError as error:
        raise UsageError(f"{path}: the folder {str(folder)!r} is not writable: {error.strerror or error}") from None


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary file in the folder of ``path``; it replaces ``path`` when the block ends without an error.

    Raises: UsageError: as `check_writable`. OutputError: the disk is full or the folder is not writable; the temporary
        file is deleted.
    """
    path = path.resolve()  # of a symbolic link the target is replaced, and the link stays
    check_writable(path)
    try:
        handle, name = tempfile.mkstemp(prefix=".gpufluid-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise OutputError(f"{path}: could not be written: {error.strerror or error}") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: could not be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def written_together(first: Path, second: Path) -> Iterator[tuple[Path, Path]]:
    """Yield a temporary file for each of two paths; when the block ends without an error both are replaced, or neither.

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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
