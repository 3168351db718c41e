"""The breaks that ``tools/mutate.py`` tries are breaks of the present code."""

from __future__ import annotations

from mutate import mutations


def test_each_break_is_of_a_text_that_is_there_once() -> None:
    assert len(mutations()) > 50
    assert [each.fault for each in mutations() if each.fault] == []
