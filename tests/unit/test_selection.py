"""The short run leaves out tests and combinations, but no subject."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import selection
from support.selection import COLLECTED, covering, few, mostly_long

HERE = Path(__file__)


@pytest.mark.long("an example of what is left to --all")
def test_example_marked_long(request: pytest.FixtureRequest) -> None:
    """A long test runs only with ``--all``, or if it is named."""
    assert request.config.getoption("--all") or any("::" in word for word in request.config.args)


def item(name: str, *marks: pytest.MarkDecorator) -> pytest.Item:
    found = {mark.name: mark.mark for mark in marks}
    return SimpleNamespace(nodeid=f"a.py::{name}", name=name, get_closest_marker=found.get)  # pyright: ignore[reportReturnType]


def test_a_long_test_is_selected_only_with_all_or_by_name() -> None:
    short, *long = item("short"), *(item(f"long[{number}]", pytest.mark.long("of a film")) for number in range(2))
    every = [short, *long]
    assert selection.selected(every, everything=False, words=["tests/a.py"]) == [short]
    assert selection.selected(every, everything=True, words=["tests/a.py"]) == every
    assert selection.selected(every, everything=False, words=["tests/a.py::long"]) == every
    assert selection.selected(every, everything=False, words=["tests/a.py::long[1]"]) == [short, long[1]]


def test_this_run_selects_long_tests_only_with_all_or_by_name(request: pytest.FixtureRequest) -> None:
    names = {item.name for item in request.session.items}
    if request.config.getoption("all"):
        assert selection.everything
    else:
        assert not selection.everything
        named = any(word.endswith(f"::{test_example_marked_long.__name__}") for word in request.config.args)
        assert (test_example_marked_long.__name__ in names) == named


@pytest.mark.parametrize("mark", [pytest.mark.long(), pytest.mark.long(" "), pytest.mark.long("a", "b")], ids=str)
def test_mark_long_needs_one_reason(mark: pytest.MarkDecorator) -> None:
    with pytest.raises(pytest.UsageError, match="mark long needs one reason"):
        selection.reason_of(item("test_y", mark))


def test_every_file_has_a_test_in_the_short_run(request: pytest.FixtureRequest) -> None:
    files = request.config.stash[COLLECTED]
    assert HERE in files
    assert [path.name for path, short in files.items() if not short] == []


def test_few_combinations_have_every_value() -> None:
    rows = list(product("abc", "vwxyz", (1, 2)))
    chosen = [rows[number] for number in covering(rows)]
    assert len(chosen) == 5
    assert [set(column) for column in zip(*chosen, strict=True)] == [set("abc"), set("vwxyz"), {1, 2}]


def test_a_selection_of_pairs_has_every_pair_of_values() -> None:
    rows = list(product("abc", "vwx", (1, 2, 3)))
    chosen = [rows[number] for number in covering(rows, 2)]
    assert len(chosen) < len(rows) / 2
    for one, other in combinations(range(3), 2):
        assert {(row[one], row[other]) for row in chosen} == {(row[one], row[other]) for row in rows}


def test_few_laws_have_every_value_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = [{"edges": edges, "table": [number]} for edges, number in product("abc", range(3))]
    monkeypatch.setattr("support.selection.everything", False)
    assert sorted(each["table"] for each in few(laws)) == [[0], [1], [2]]
    monkeypatch.setattr("support.selection.everything", True)
    assert few(laws) == laws


def test_mostly_long_refuses_an_unknown_parameter() -> None:
    with pytest.raises(ValueError, match="not among the parameters: \\['c'\\]"):
        mostly_long("ab", "c", why="for this test")
