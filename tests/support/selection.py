"""Selects the tests, combinations and examples of the short run; ``pytest --all`` runs all.

Most of the time of a run goes into compiling shaders, and each set of laws needs its own programs. The short run has
every value of every law, but not all combinations, and not each value in each test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

everything = False
"""True in a run with ``--all``; set in ``tests/conftest.py`` before any test is imported."""

COLLECTED = pytest.StashKey[dict[Path, bool]]()
"""In the stash of pytest's config: the files that were collected, and whether the short run has a test of each."""

_OTHERS = "another combination of {}; the short run has a few"

_Test = TypeVar("_Test", bound=Callable[..., object])
_Value = TypeVar("_Value")


def reason_of(item: pytest.Item) -> str | None:
    """The reason why only ``--all`` runs a test; None: the short run has it. Raises UsageError: no reason given."""
    mark = item.get_closest_marker("long")
    if mark is None:
        return None
    if mark.kwargs or len(mark.args) != 1 or not isinstance(mark.args[0], str) or not mark.args[0].strip():
        raise pytest.UsageError(
            f'{item.nodeid}: mark long needs one reason, as in @pytest.mark.long("of a whole film")'
        )
    return mark.args[0]


def selected(items: Sequence[pytest.Item], *, everything: bool, words: Sequence[str]) -> list[pytest.Item]:
    """Choose the tests of a run: all tests, or the short ones and those that were named.

    Args:
        items: the tests collected.
        everything: whether ``--all`` was given.
        words: the files, folders and tests that pytest was given, a test as ``file.py::name``.
    """
    named = {word.partition("::")[2] for word in words}
    return [
        item
        for item in items
        if everything or reason_of(item) is None or {item.name, item.name.partition("[")[0]} & named
    ]


def examples(most: int, least: int = 2, **how: Any) -> settings:
    """Settings of hypothesis for a number of examples; the short run tries a sixteenth of them, but at least a few."""
    return settings(max_examples=most if everything else min(most, max(most // 16, least)), **how)


def covering(rows: Sequence[Sequence[object]], together: int = 1) -> set[int]:
    """Choose a few rows in which every value of every column occurs, or of several together. Returns their indices.

    Args:
        rows: combinations of values, one for each column.
        together: the number of columns. With 2, every pair of values of two columns that some row has occurs in a
            chosen row.
    """
    columns = [list(column) for column in zip(*rows, strict=True)]
    numbers = [[(place, columns[place].index(value)) for place, value in enumerate(row)] for row in rows]
    facts = [set(combinations(row, together)) for row in numbers]
    missing, chosen = set[tuple[tuple[int, int], ...]]().union(*facts), set[int]()
    while missing:
        best = max(range(len(rows)), key=lambda number: len(facts[number] & missing))
        chosen.add(best)
        missing -= facts[best]
    return chosen


def crossed(most: int | None = None, *, together: int = 0, **axes: Iterable[object]) -> Callable[[_Test], _Test]:
    """Parametrize a test with all combinations; those that the short run leaves out are marked long.

    Args:
        most: the largest number of combinations in the short run, for a test of which each takes seconds. Its name
            chooses which, so that the tests of a law have others, and all of them together every value.
        together: parametrize the test only with a few combinations, in a run with ``--all``, too. With 1 each value of
            each argument occurs, with 2 every pair of values of two arguments; 0: all combinations. For a test of which
            each combination needs programs of its own, while random tests or golden scenes compare all of them.
        axes: the values of each argument.
    """
    rows = list(product(*axes.values()))
    if together:
        rows = [rows[number] for number in sorted(covering(rows, together))]
    covered = sorted(covering(rows))

    def parametrized(test: _Test) -> _Test:
        first = crc32(test.__name__.encode()) % len(covered)
        kept = [*covered[first:], *covered[:first]][:most]
        why = pytest.mark.long(_OTHERS.format(", ".join(axes)))
        values = [pytest.param(*row, marks=() if number in kept else why) for number, row in enumerate(rows)]
        return pytest.mark.parametrize(tuple(axes), values)(test)

    return parametrized


def first(values: Sequence[_Value], most: int) -> Sequence[_Value]:
    """All of these in a run with ``--all``; else the first few, for a test that runs a world in several ways."""
    return values if everything else values[:most]


def few(laws: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of these in a run with ``--all``; else a few in which each value of each key occurs."""
    if everything:
        return list(laws)
    kept = covering([tuple(each.values()) for each in laws])
    return [each for number, each in enumerate(laws) if number in kept]


def mostly_long(values: Iterable[object], *kept: object, why: str) -> list[object]:
    """Parameters for `pytest.mark.parametrize`, of which the short run has only some.

    Args:
        values: all parameters.
        kept: the parameters of the short run.
        why: the reason why only ``--all`` runs the others.
    Raises: ValueError: ``kept`` has one that is not in ``values``.
    """
    every = list(values)
    if unknown := [value for value in kept if value not in every]:
        raise ValueError(f"not among the parameters: {unknown}")
    return [pytest.param(value, marks=() if value in kept else pytest.mark.long(why)) for value in every]
