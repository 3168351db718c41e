"""Atomic writing: a file is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpufluid.core.errors import OutputError, UsageError, shown


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
