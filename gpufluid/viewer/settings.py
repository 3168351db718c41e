"""Reading and writing of the TOML files in the user's settings folder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.files import open_regular, written_whole


def read_settings(path: Path) -> dict[str, Any] | None:
    """Read a file. Returns its values by key; None: there is no such file.

    Raises: UsageError: the file cannot be read, or is not TOML.
    """
    try:
        with open_regular(path) as file:
            return tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def write_settings(path: Path, text: str) -> None:
    """Write a file, and make its folder if there is none.

    Raises: OutputError: the disk is full or the folder is not writable. UsageError: the name is in use by no file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: could not be written: {error.strerror or error}") from None
    with written_whole(path) as file:
        file.write_text(text, encoding="utf-8")
