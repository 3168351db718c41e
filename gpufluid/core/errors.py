"""What can go wrong, as exceptions that carry their own sentence and exit code.

A user meets one of these as a single line. Everything else that is raised is a fault of ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

_LISTED = 200
"""A message lists names up to so many characters: those that come with gpufluid, and not hundreds more."""


class GpufluidError(Exception):
    """Something that a user can read and act on. The run failed: exit code 1."""

    exit_code = 1


class UsageError(GpufluidError):
    """The call or a file was wrong, and nothing was begun: exit code 2."""

    exit_code = 2


class WorldError(UsageError):
    """A world that breaks its own rules: wrong size, wrong array, mass inside a wall.

    Args:
        field: what is wrong, such as ``mass[3, 7]`` or ``emitter[0].rate``.
        message: what was found and what was expected.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class PortError(WorldError):
    """An emitter or drain that could act in no world; its sentence is the first of its problems.

    Args:
        kind: ``emitter`` or ``drain``.
        problems: all that is wrong, at least one; each names its field.
    """

    def __init__(self, kind: str, problems: Sequence[WorldError]) -> None:
        super().__init__(f"{kind}.{problems[0].field}", problems[0].message)
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a scene file.

    Args:
        field: as a path through the file, such as ``fill[2].size``; empty for the file as a whole.
        message: what was found and what was expected.
        line: the line of the field, from 1; None where no line is meant.
    """

    field: str
    message: str
    line: int | None = None

    def located(self, path: Path) -> str:
        """The problem as one line of text."""
        place = f"{path}:{self.line}" if self.line else str(path)
        return f"{place}: {self.field}: {self.message}" if self.field else f"{place}: {self.message}"


class SceneError(UsageError):
    """A scene file that cannot be a world: all that is wrong with it, a line each.

    Args:
        path: the scene file.
        problems: at least one.
    """

    def __init__(self, path: Path, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(problem.located(path) for problem in problems))
        self.path = path
        self.problems = tuple(problems)


class DeviceError(GpufluidError):
    """OpenGL is missing, too old, or refused what was asked of it."""


class ShaderError(GpufluidError):
    """A shader that does not compile: the message names its real file and line."""


class OutputError(GpufluidError):
    """A result could not be written. What was there before is untouched."""


def shown(value: object) -> str:
    """A value as a message shows it: at most 60 characters, however large it is."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence that lists the near names, or else all of them; of very many, as many as one reads.

    Args:
        word: what was written.
        known: the names that would have been right.
    Returns: ``; did you mean 'sand'?`` or ``; expected one of: ...``, to be put after a message.
    """
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=3, cutoff=0.6)
    if near:
        return "; did you mean " + " or ".join(repr(name) for name in near) + "?"
    fitting = max(1, sum(end <= _LISTED for end in accumulate(len(name) + 2 for name in names)))
    more = f", ... ({len(names)} in all)" if fitting < len(names) else ""
    return f"; expected one of: {', '.join(names[:fitting])}{more}" if names else ""
