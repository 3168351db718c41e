"""The functions, constants and macros of a shader that its `main` reaches. The text for the compiler has no others.

The compiler removes unused code, too, but only after it has read it, and software OpenGL keeps what it compiled by the
text. Worlds whose laws differ in parameters or tables that a pass does not use share its program.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_PROGRAMS_KEPT = 1024
"""Largest number of programs whose reached parts are kept."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_CONSTANT = re.compile(r"const \w+ (\w+)(?:\[\d+\])? = .*;")
# Shaders are formatted: at the outermost level only a function begins so, and its last line is a brace.
_FUNCTION = re.compile(r"[A-Za-z]\w* (\w+)\([^;]*")
_MACRO = re.compile(r"\s*#\s*define\s+(\w+)")
_DIRECTIVE = re.compile(r"\s*#\s*(if|else|elif|endif)")


class Line(NamedTuple):
    """A line of a file: its number, from 1, and its text without comments, line end and spaces at its end."""

    number: int
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """Successive lines of a file: a function, a constant, a macro, or lines between these.

    Args:
        file: the name of the file.
        lines: the lines.
        name: the function, constant or macro that it defines; empty for lines that are always needed.
        words: all words of the lines.
    """

    file: str
    lines: tuple[Line, ...]
    name: str
    words: frozenset[str]


def parts_of(file: str, lines: Sequence[Line]) -> Iterator[Part]:
    """Divide successive lines of a file into parts."""
    texts = [line.text for line in lines]
    between, start = 0, 0
    while start < len(lines):
        name, end = _definition(texts, start)
        if name:
            if between < start:
                yield _part(file, lines[between:start], "")
            yield _part(file, lines[start:end], name)
            between = end
        start = end
    if between < len(lines):
        yield _part(file, lines[between:], "")


@lru_cache(maxsize=_PROGRAMS_KEPT)
def reached(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts that a program needs, in order: those without a name, `main`, and all that these use in turn."""
    named = defaultdict[str, list[Part]](list)
    for part in parts:
        named[part.name].append(part)
    pending = [*named.pop("", ()), *named.pop("main", ())]
    needed = set(pending)
    while pending:
        for word in pending.pop().words & named.keys():
            found = named.pop(word)
            needed.update(found)
            pending += found
    return tuple([part for part in parts if part in needed])


def _part(file: str, lines: Sequence[Line], name: str) -> Part:
    words = _WORD.findall("\n".join([line.text for line in lines]))
    return Part(file, tuple(lines), name, frozenset(words))


def _definition(lines: Sequence[str], start: int) -> tuple[str, int]:
    """The name of the constant, macro or function that begins at a line, and the number of the line after it.

    The name is empty if none begins there, or if it cannot be told where it ends.
    """
    line = lines[start]
    if constant := _CONSTANT.fullmatch(line):
        return constant[1], start + 1
    end = start + 1
    if macro := _MACRO.match(line):
        while end < len(lines) and lines[end - 1].endswith("\\"):
            end += 1
        return macro[1], end
    function = _FUNCTION.match(line)
    if function is None or line.endswith(";"):
        return "", end
    if not line.endswith("}"):
        while end < len(lines) and lines[end] != "}":
            end += 1
        end += 1
    return (function[1], end) if _is_whole(lines[start:end]) else ("", start + 1)


def _is_whole(lines: Sequence[str]) -> bool:
    """True if lines have as many opening as closing braces, and each directive ``#if`` with all that belongs to it."""
    text = "\n".join(lines)
    depth = 0
    for line in lines:
        directive = _DIRECTIVE.match(line)
        depth += {"if": 1, "endif": -1}.get(directive[1], 0) if directive else 0
        if depth < 0 or (directive and depth == 0 and directive[1] in ("else", "elif")):
            return False
    return depth == 0 and 0 < text.count("{") == text.count("}")
