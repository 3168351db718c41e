"""TOML files with the line number of every field, for error messages."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tree_sitter_toml
from tree_sitter import Language, Node, Parser, Tree

from gpufluid.core.errors import Problem, SceneError, shortened
from gpufluid.core.files import open_regular
from gpufluid.core.text_limits import excess
from gpufluid.scene.toml_syntax import explained

Place = tuple[str | int, ...]
"""The path of a field in a file, such as ``("fill", 2, "size")``."""

TomlValue = Any
"""A value as TOML has it: a text, a number, a truth value, a date, a list or a table."""

Report = Callable[[Place, str], None]
"""A function that collects the problems of a file: it gets the place and the message of one problem."""

_PLAIN_KEY = re.compile(r"[^\s\"'\x00-\x1f\x7f]+")
"""Keys that are legible without quotes."""

_DEPTH_SHOWN = 6
"""The most parts of a field's name in a message; no field of a scene has more."""

BYTES_MOST = 200_000
"""The longest scene file, in bytes; the longest shipped one has two thousand."""

VALUES_MOST = 1 << 15
"""The most values in a scene file."""

PROBLEMS_MOST = 30
"""The most problems of a file that are reported. The search for similar names takes time for each."""

_PARTS_MOST = 32
"""The most parts of a key such as ``flow.substeps``; no key of a scene has as many."""


class TomlFile:
    """A parsed TOML file.

    Args:
        path: the file.
    Raises: SceneError: no such file, too large, not UTF-8, or not TOML; names the line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        raw = _bytes(path)
        if over := excess_of(raw):
            raise SceneError(path, [Problem("", f"is too large for a scene: {over}")])
        try:
            text = raw.decode("utf-8-sig")  # some editors begin a file with a byte order mark
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise SceneError(path, [Problem("", "not UTF-8 text", line)]) from None
        tree = Parser(Language(tree_sitter_toml.language())).parse(raw)
        if (line := _line_of_long_key(raw, tree)) is not None:
            raise SceneError(path, [Problem("", f"a key of more than {_PARTS_MOST} parts", line)])
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            message, line = explained(error, text)
            raise SceneError(path, [Problem("", f"not TOML: {message}", line)]) from None
        except (RecursionError, ValueError):
            lines = text.splitlines()
            longest = max(range(len(lines)), key=lambda number: len(lines[number])) + 1
            problem = Problem("", "not TOML: nested too deeply, or a number of too many digits", longest)
            raise SceneError(path, [problem]) from None
        self._lines = _lines(tree)

    def line(self, place: Place) -> int | None:
        """The line of a field, counted from 1; for a field that is not in the file, the line of its table."""
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place)

    def problem(self, place: Place, message: str) -> Problem:
        """A `Problem` of a field of this file, with its line."""
        return Problem(field_name(place), message, self.line(place))

    def refusal(self, problems: Sequence[Problem]) -> SceneError:
        """The error that reports problems of this file in the order of their lines; of many the first ones."""
        kept = sorted(problems[:PROBLEMS_MOST], key=lambda problem: problem.line or 0)
        if len(problems) >= PROBLEMS_MOST:
            kept.append(Problem("", f"only {PROBLEMS_MOST} problems are reported"))
        return SceneError(self.path, kept)


def excess_of(raw: bytes) -> str:
    """The limit of scene files that a text exceeds, in words for a message; empty: the text exceeds none."""
    return excess(raw, BYTES_MOST, VALUES_MOST, (b"=", b",", b"[", b"{"))


def _bytes(path: Path) -> bytes:
    """The content of a file; of one over the limit only the beginning."""
    try:
        with open_regular(path) as file:
            return file.read(BYTES_MOST + 1)
    except OSError as error:
        raise SceneError(path, [Problem("", f"cannot be read: {error.strerror}")]) from None


def field_name(place: Place) -> str:
    """``("fill", 2, "size")`` as ``fill[2].size``; an empty key or one with spaces is quoted: ``flow."a b"``.

    Long keys are shortened, and deep ones are cut after `_DEPTH_SHOWN` parts.
    """
    parts = place[:_DEPTH_SHOWN]
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{_shown_key(part)}" for part in parts)
    return text.removeprefix(".") + (f"... ({len(place)} parts)" if len(place) > len(parts) else "")


def _shown_key(key: str) -> str:
    if key.isprintable() and _PLAIN_KEY.fullmatch(key):
        return shortened(key)
    return shortened(json.dumps(key, ensure_ascii=not key.isprintable()))


def _line_of_long_key(raw: bytes, tree: Tree) -> int | None:
    """The line of a key of more than `_PARTS_MOST` parts; None: there is none.

    The time of tomllib grows with the square of that number, so such a key is found before the file is read.
    """
    if max(line.count(b".") for line in raw.split(b"\n")) < _PARTS_MOST:
        return None  # nearly every file; the rest would take long in a large one
    cursor, parts = tree.walk(), 0
    while True:
        node = cursor.node
        parts = parts + 1 if node is not None and node.type == "dotted_key" else 0
        if node is not None and parts >= _PARTS_MOST:
            return node.start_point[0] + 1
        if cursor.goto_first_child():
            continue
        parts = 0
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return None


def _lines(tree: Tree) -> dict[Place, int]:
    lines: dict[Place, int] = {(): 1}
    counts: dict[Place, int] = {}
    for node in tree.root_node.named_children:
        if node.type == "pair":
            _note_pair(node, (), lines)
        elif node.type in ("table", "table_array_element"):
            key, *pairs = node.named_children
            place = _resolved(_key(key), counts)
            if node.type == "table_array_element":
                counts[place] = counts.get(place, -1) + 1
                place = (*place, counts[place])
            _note(place, node, lines)
            for pair in pairs:
                if pair.type == "pair":
                    _note_pair(pair, place, lines)
    return lines


def _note(place: Place, node: Node, lines: dict[Place, int]) -> None:
    """Store the line of a place, and of tables that are defined only by the dotted name of the place."""
    for depth in range(1, len(place) + 1):
        lines.setdefault(place[:depth], node.start_point[0] + 1)


def _note_pair(pair: Node, place: Place, lines: dict[Place, int]) -> None:
    key, value = pair.named_children[:2]
    place = (*place, *_key(key))
    _note(place, pair, lines)
    if value.type == "inline_table":
        for inner in value.named_children:
            _note_pair(inner, place, lines)
    elif value.type == "array":
        items = [child for child in value.named_children if child.type != "comment"]
        for number, item in enumerate(items):
            lines[(*place, number)] = item.start_point[0] + 1


def _key(node: Node) -> Place:
    if node.type == "dotted_key":
        return tuple(part for child in node.named_children for part in _key(child))
    name = (node.text or b"").decode()
    return (name.strip("\"'"),)


def _resolved(place: Place, counts: dict[Place, int]) -> Place:
    """The place of a table below an array of tables, with the number of the array's last element."""
    resolved: Place = ()
    for part in place[:-1]:
        resolved = (*resolved, part)
        if resolved in counts:
            resolved = (*resolved, counts[resolved])
    return (*resolved, *place[-1:])
