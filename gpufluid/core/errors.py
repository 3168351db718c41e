"""Exceptions with a message for the user and an exit code.

The command line prints one of these as its message alone. Any other exception is a bug in gpufluid.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

_SHOWN = 60
"""The most characters of a value from a user's file in a message."""

_LISTED = 200
"""The most characters of names that a message lists: enough for the shipped names, too few for hundreds of them."""

NAMES_SHOWN = 60
"""The most characters of names in the ``repr`` of a table."""

_COMPARED = 300
"""The most names that an unknown one is compared with: those of the most similar length. One can take 0.1 ms."""

_BEGINNING = 3
"""The fewest characters of a name's beginning for which the name is suggested."""


class GpufluidError(Exception):
    """An error that the user can read and act on. The run failed: exit code 1."""

    exit_code = 1

    order: tuple[int, ...] = ()
    """The place of what is wrong, a cell or a part of a file, in the order in which one process checks them.

    Of the errors of several processes the first in this order is reported.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes; the constructors of subclasses take other arguments than a message."""
        return _unpickled, (type(self), self.args, self.__dict__)


def _unpickled(kind: type[GpufluidError], args: tuple[object, ...], attributes: dict[str, object]) -> GpufluidError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class UsageError(GpufluidError):
    """A wrong call or a wrong input file, found before any work began: exit code 2."""

    exit_code = 2


class WorldError(UsageError):
    """A world that breaks a law: wrong size, wrong array, mass inside a wall.

    Args:
        field: the place of the error, such as ``mass[3, 7]`` or ``emitter[0].rate``.
        message: what was found and what was expected.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class UnknownNameError(UsageError, KeyError):
    """A name that a table or a world does not have, in ``table[name]``; so it is a KeyError, too."""

    __str__ = Exception.__str__  # that of KeyError puts the message in quotes


class UnknownFieldError(WorldError, UnknownNameError):
    """A field that a world does not have; arguments as for `WorldError`."""


class SharedCellError(WorldError):
    """A cell that holds both an atom and water, or a part of a mixture."""


class ShortageError(WorldError):
    """A world that needs more memory than the machine has free; the message has both numbers."""


class PortError(WorldError):
    """An emitter or drain that is invalid in every world; the message is the first problem.

    Args:
        kind: ``emitter`` or ``drain``.
        problems: all problems found, at least one; each names its field.
    """

    def __init__(self, kind: str, problems: Sequence[WorldError]) -> None:
        super().__init__(f"{kind}.{problems[0].field}", problems[0].message)
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Problem:
    """One error in a scene file.

    Args:
        field: the path of the field in the file, such as ``fill[2].size``; empty for the file as a whole.
        message: what was found and what was expected.
        line: the line of the field, counted from 1; None if the problem has no line.
    """

    field: str
    message: str
    line: int | None = None

    def located(self, path: Path) -> str:
        """The problem as one line of text."""
        place = f"{path}:{self.line}" if self.line else str(path)
        return f"{place}: {self.field}: {self.message}" if self.field else f"{place}: {self.message}"


class SceneError(UsageError):
    """An invalid scene file; the message has one line for each problem.

    Args:
        path: the scene file.
        problems: all problems found, at least one.
    """

    def __init__(self, path: Path, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(problem.located(path) for problem in problems))
        self.path = path
        self.problems = tuple(problems)


class DeviceError(GpufluidError):
    """OpenGL is missing, too old, or rejected a request."""


class ShaderError(GpufluidError):
    """A shader that does not compile; the message names the source file and line, through all includes."""


class OutputError(GpufluidError):
    """A result could not be written. An earlier file of that name is unchanged."""


class MissingExtraError(GpufluidError):
    """A library is not installed, mostly an optional one; the message has the command that installs it."""


def shown(value: object) -> str:
    """Format a value for a message: its ``repr``, shortened."""
    try:
        text = repr(value)
    except ValueError:  # Python converts no integer of more than 4300 digits to text
        return "a number of thousands of digits"
    except RecursionError:
        return f"a {type(value).__name__} of hundreds of levels"
    return shortened(text)


def shortened(text: str) -> str:
    """A text for a message, cut if it is longer than `_SHOWN` characters."""
    return text if len(text) <= _SHOWN else f"{text[:40]}... ({len(text)} characters)"


def named(word: str) -> str:
    """Format a name for a message: a plain short word as it is, anything else as `shown`."""
    return word if word.isascii() and word.isidentifier() and len(word) <= 40 else shown(word)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for an unknown name: the similar known names, or else the list of known names.

    Args:
        word: the unknown name.
        known: the valid names.
    Returns: ``; did you mean 'sand'?`` or ``; expected one of: ...``, to be appended to a message. A list of over 200
        characters is cut, and the number of all names is added. Empty if no name is known.
    """
    names = sorted(known)
    return suggested(word, names) or (f"; expected one of: {listed(names)}" if names else "")


def suggested(word: str, known: Sequence[str]) -> str:
    """``; did you mean 'sand'?`` for a word that is similar to known names, to be appended to a message; else empty."""
    near = similar(word, known)
    return "; did you mean " + " or ".join(repr(name) for name in near) + "?" if near else ""


def similar(word: str, known: Sequence[str]) -> list[str]:
    """At most three of the known names that are similar to a word, or else begin with it; the most similar first."""
    compared = sorted(known, key=lambda name: abs(len(name) - len(word)))[:_COMPARED]
    near = difflib.get_close_matches(word[:_SHOWN], compared, n=3, cutoff=0.61)
    return near or [name for name in compared if len(word) >= _BEGINNING and name.startswith(word)][:3]


def listed(names: Sequence[str], most: int = _LISTED) -> str:
    """Names joined by commas. If they have more than ``most`` characters: the first names, and the number of all."""
    fitting = max(1, sum(end <= most for end in accumulate(len(name) + 2 for name in names)))
    more = f", ... ({len(names)} in all)" if fitting < len(names) else ""
    return f"{', '.join(names[:fitting])}{more}"
