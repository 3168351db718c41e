"""The order in which a search lists names. Its twin for the page is ``serve/page/search.js``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

Entry = TypeVar("Entry")


def rank(text: str, *names: str) -> int | None:
    """How well a typed text fits an entry that has one or more names.

    Upper and lower case are alike, and so are spaces, underscores and hyphens.

    Returns: 0 if the text is a name of the entry, 1 if a name begins so, 2 if another word of a name begins so, 3 if
        the text is any other part of a name; None: it is no part of any.
    """
    wanted = _plain(text.strip())
    return min((place for name in names if (place := _rank(wanted, _plain(name))) is not None), default=None)


def found(text: str, entries: Iterable[Entry], names: Callable[[Entry], Iterable[str]]) -> list[Entry]:
    """The entries that a typed text fits, by their rank; those of one rank stay in their order.

    Args:
        text: the typed text; an empty one fits all.
        entries: those to choose from.
        names: returns the names of an entry.
    """
    ranked = [(place, entry) for entry in entries if (place := rank(text, *names(entry))) is not None]
    return [entry for _, entry in sorted(ranked, key=lambda each: each[0])]


def _plain(name: str) -> str:
    return name.lower().replace("_", " ").replace("-", " ")


def _rank(text: str, name: str) -> int | None:
    if text not in name:
        return None
    if name.startswith(text):
        return int(name != text)
    return 2 if re.search(rf"(?<!\w){re.escape(text)}", name) else 3
