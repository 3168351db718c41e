"""What can go wrong, as exceptions that carry their own sentence and exit code.

A user meets one of these as a single line. Everything else that is raised is a fault of ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class GpufluidError(Exception):
    """Something that a user can read and act on. The run failed: exit code 1."""

    exit_code = 1


class UsageError(GpufluidError):
    """The call or a file was wrong, and nothing was begun: exit code 2."""

    exit_code = 2


class WorldError(UsageError):
    """A world that breaks its own rules: wrong size, wrong array, mass inside a wall."""


class SceneError(UsageError):
    """A scene file that cannot be a world.

    Args:
        message: what was found and what was expected.
        path: the scene file.
        line: the line of the field, from 1; None where the file as a whole is meant.
        field: the field as a path through the file, such as ``fill[2].size``.
    """

    def __init__(self, message: str, path: Path, line: int | None = None, field: str = "") -> None:
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {field}: {message}" if field else f"{place}: {message}")
        self.path = path
        self.line = line
        self.field = field


class DeviceError(GpufluidError):
    """OpenGL is missing, too old, or refused what was asked of it."""


class ShaderError(GpufluidError):
    """A shader that does not compile: the message names its real file and line."""


class OutputError(GpufluidError):
    """A result could not be written. What was there before is untouched."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence that lists the near names, or else all of them.

    Args:
        word: what was written.
        known: the names that would have been right.
    Returns: ``; did you mean 'sand'?`` or ``; expected one of: ...``, to be put after a message.
    """
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=3, cutoff=0.6)
    if near:
        return "; did you mean " + " or ".join(repr(name) for name in near) + "?"
    return "; expected one of: " + ", ".join(names) if names else ""
