"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpufluid.core.errors import OutputError, UsageError, shown


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done. Raises UsageError: no folder, or no right."""
    folder = path.parent
    try:
        path.resolve()
        is_folder, has_folder = path.is_dir(), folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # a name that no file can have, links in a circle
        raise UsageError(f"{shown(str(path))}: cannot be a file: {getattr(error, 'strerror', None) or error}") from None
    if not has_folder:
        raise UsageError(f"{path}: there is no folder {str(folder)!r}")
    if is_folder:
        raise UsageError(f"{path}: is a folder, not a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise UsageError(f"{path}: is there and may not be written")
    try:
        with tempfile.TemporaryFile(dir=folder):  # who may write where is known only by trying
            pass
    except OSError as error:
        raise UsageError(f"{path}: the folder {str(folder)!r} is not writable: {error.strerror or error}") from None


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A file beside the wanted one, which takes its place when the block ends without an error.

    Raises: OutputError: the disk is full or the place cannot be written; then nothing is left behind.
    """
    path = path.resolve()  # a link stays a link; its target is replaced
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
    """Two files that are of use only together: both take their places when the block ends without an error, or neither.

    Raises: OutputError: as `written_whole`; what was there before is there still.
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
