"""The lines of a shader that its conditions select: ``#ifdef`` and the like are decided before the compiler reads it.

Software OpenGL keeps what it compiled by the text. Worlds that differ only in what a pass leaves out by a condition
then share its program. A condition that cannot be told here stays in the text, for the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gpufluid.gpu.reached import Line, Part, parts_of

_SELECTIONS_KEPT = 4096
"""Largest number of selections from segments that are kept: worlds of the same rules have the same."""

_DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif|define|undef)\b\s*(.*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"\s*(!?)\s*defined\s*(?:\(\s*(\w+)\s*\)|\s(\w+))\s*")
_OF_THE_COMPILER = ("GL_", "__")
"""Names that begin so are defined by the compiler, or are not: only it knows."""


class Branch(NamedTuple):
    """The part of an ``#if`` that a line is in.

    Args:
        line: the line number of the ``#if``.
        selected: True if its lines are selected; None if only the compiler can tell.
        over: no branch that follows can be selected.
    """

    line: int
    selected: bool | None
    over: bool


@dataclass(frozen=True, eq=False, slots=True)
class Segment:
    """Successive lines of a file without an include.

    Args:
        file: the name of the file.
        lines: the lines, without comments.
    """

    file: str
    lines: tuple[Line, ...]
    asked: frozenset[str]
    """All words of its conditions: what it selects depends on which of these are defined."""


class Selection(NamedTuple):
    """The lines that a segment selects, and the names and branches after them.

    Args:
        parts: the selected lines, divided.
        defined: for each name that a selected line defines, True; False if it is undefined; None: only the compiler
            knows.
        branches: the branches that are open after its last line, the outermost first.
    """

    parts: tuple[Part, ...]
    defined: dict[str, bool | None]
    branches: tuple[Branch, ...]


def segment(file: str, lines: Sequence[Line]) -> Segment:
    """The segment of some lines of a file."""
    conditions = [found[2] for line in lines if (found := _DIRECTIVE.match(line.text)) and found[1] != "define"]
    return Segment(file, tuple(lines), frozenset(_WORD.findall(" ".join(conditions))))


def is_selected(branches: Sequence[Branch]) -> bool:
    """True if lines in these branches are selected, or may be."""
    return all(branch.selected is not False for branch in branches)


def select(of: Segment, defined: Mapping[str, bool | None], branches: tuple[Branch, ...]) -> Selection:
    """Select the lines of a segment.

    Args:
        of: the segment.
        defined: True for names that are defined where it begins, False for undefined ones, None if only the compiler
            knows.
        branches: the branches that are open where it begins, the outermost first.
    """
    return _select(of, frozenset([(name, defined[name]) for name in of.asked & defined.keys()]), branches)


@lru_cache(maxsize=_SELECTIONS_KEPT)
def _select(of: Segment, defined: frozenset[tuple[str, bool | None]], branches: tuple[Branch, ...]) -> Selection:
    before, changed = dict(defined), dict[str, bool | None]()
    open_ = list(branches)
    kept: list[Line] = []
    for line in of.lines:
        directive = _DIRECTIVE.match(line.text)
        word, rest = (directive[1], directive[2]) if directive else ("", "")
        if word in ("", "define", "undef") or (word[:2] != "if" and not open_):
            if is_selected(open_):
                kept.append(line)
                if word in ("define", "undef") and (name := _WORD.match(rest)):
                    changed[name[0]] = word == "define" if all(branch.selected for branch in open_) else None
        else:
            stays = _step(open_, word, _decided(word, rest, before | changed), line)
            kept += [stays] if stays else []
    return Selection(tuple(parts_of(of.file, kept)), changed, tuple(open_))


def _step(branches: list[Branch], word: str, holds: bool | None, line: Line) -> Line | None:
    """Open a branch, go on to the next, or close it, as a directive says; its line, if it stays in the text.

    Args:
        branches: the open branches; they are changed.
        word: the directive, such as ``elif``.
        holds: True if its condition holds, None if only the compiler can tell.
        line: the line of the directive.
    """
    if word[:2] == "if":
        outer = is_selected(branches)
        branches.append(Branch(line.number, holds if outer else False, over=not outer or holds is True))
        return line if outer and holds is None else None
    branch = branches.pop()
    if word == "endif":
        return line if branch.selected is None else None
    if branch.selected is None:  # this branch, too, is for the compiler
        branches.append(branch)
        return line
    branches.append(Branch(branch.line, False if branch.over else holds, over=branch.over or holds is True))
    # The first branch that only the compiler can tell: those before it are gone.
    return Line(line.number, line.text.replace("elif", "if", 1)) if not branch.over and holds is None else None


def _decided(word: str, rest: str, defined: Mapping[str, bool | None]) -> bool | None:
    """True if the condition of a directive holds, None if only the compiler can tell."""
    if word in ("else", "endif"):
        return True
    if word in ("ifdef", "ifndef"):
        rest = f"{'!' * (word == 'ifndef')}defined({rest.strip()})"
    holds = False
    for alternative in rest.split("||"):
        all_hold = True
        for term in alternative.split("&&"):
            found = _DEFINED.fullmatch(term)
            name = (found[2] or found[3]) if found else ""
            known = defined.get(name, False)
            if not found or known is None or name.startswith(_OF_THE_COMPILER):
                return None
            all_hold &= known != bool(found[1])
        holds |= all_hold
    return holds
