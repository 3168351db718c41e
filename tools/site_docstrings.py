"""An extension of griffe: reads this package's docstrings, in which a section may begin on its heading's line.

The docstrings write ``Returns: text.`` and ``Raises: ValueError: text. KeyError: text.`` on one line, or go on in
indented lines. The parser of griffe expects the text below the heading, one exception a line.
"""

from __future__ import annotations

import re

from griffe import Extension, Object  # pyright: ignore[reportMissingImports]

_SECTION = re.compile(r"^(Returns|Raises|Yields): (\S.*(?:\n[ \t]+\S.*)*)$", re.MULTILINE)
_NEXT_ERROR = re.compile(r"(?<=[.;]) (?=[A-Z]\w*(?:Error|Exit|Interrupt): )")
_NEXT_SECTION = re.compile(r"(?<=[.;]) (?=Raises: )")


def sections_apart(text: str) -> str:
    """A docstring in which each section's text is below its heading."""
    return _SECTION.sub(_section, text)


def _section(match: re.Match[str]) -> str:
    return "".join(map(_below, _NEXT_SECTION.split(" ".join(match[0].split()))))


def _below(section: str) -> str:
    heading, _, text = section.partition(": ")
    items = _NEXT_ERROR.split(text) if heading == "Raises" else [text]
    return "\n" + f"{heading}:\n" + "\n".join(f"    {item}" for item in items) + "\n"


class DocstringSections(Extension):
    """Rewrites each docstring before it is parsed."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Called by griffe for each object that it has read."""
        if obj.docstring:
            obj.docstring.value = sections_apart(obj.docstring.value)
