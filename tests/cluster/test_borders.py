"""When borders between ranks move, and to where."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufluid.cluster.borders import FIRST_TICKS, MOST_TICKS, UNEVEN, Balance, balanced
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.shares import STRIP_ROWS


@given(st.lists(st.tuples(st.integers(1, 40), st.floats(0, 100)), min_size=1, max_size=7))
def test_each_rank_gets_a_strip_and_at_most_a_strip_beyond_its_share_of_the_work(ranks: list) -> None:
    strips, busy = zip(*ranks, strict=True)
    found = balanced(strips, busy)
    assert (len(found), sum(found), min(found) >= 1) == (len(strips), sum(strips), True)
    seconds = np.repeat(np.divide(busy, strips), strips)
    ends = np.cumsum(found)
    for end, begin in zip(ends, ends - found, strict=True):
        if end - begin > 2:  # fewer strips may be the least that ranks beside it leave
            assert seconds[begin + 1 : end - 1].sum() <= sum(busy) / len(strips) + 1e-9


def test_a_settled_half_costs_nothing() -> None:
    assert balanced((16, 16), (0, 1)) == (24, 8)
    assert balanced((4, 4, 4, 4), (1, 0, 0, 1)) == (2, 6, 6, 2)
    assert balanced((1, 1, 1), (0, 5, 0)) == (1, 1, 1)


def after(balance: Balance, ticks: int, strips: tuple[int, ...], busy: tuple[float, ...]) -> tuple[int, ...] | None:
    """Run so many ticks since the last comparison; work of rows of ranks is compared before the next one."""
    assert [balance.due() for _ in range(ticks)] == [False] * (ticks - 1) + [True]
    found = balance.decide(((3,), strips), np.reshape(busy, (-1, 1)))
    assert found is None or found[0] == (3,)
    return None if found is None else found[1]


def test_borders_move_only_if_that_is_worth_it() -> None:
    balance = Balance()
    assert not balance.due()
    assert after(balance, FIRST_TICKS, (8, 8), (0, 9)) is None  # shaders were compiled meanwhile
    assert after(balance, 2 * FIRST_TICKS, (8, 8), (1, 1 / UNEVEN)) is None
    assert after(balance, 4 * FIRST_TICKS, (8, 8), (0, 0.001)) is None  # it would save less than it takes
    assert after(balance, 8 * FIRST_TICKS, (8, 8), (0, 2)) == (12, 4)
    balance.moved(30.0)
    assert after(balance, FIRST_TICKS, (12, 4), (0, 9)) is None
    assert (
        after(balance, 2 * FIRST_TICKS, (12, 4), (0, 1)) is None
    )  # 16 ms a tick, and the last move took half a minute
    assert after(balance, 4 * FIRST_TICKS, (12, 4), (0, 10)) == (14, 2)
    balance.refused()
    assert after(balance, MOST_TICKS, (12, 4), (0, 900)) == (14, 2)


def test_work_that_stays_even_is_compared_less_and_less_often() -> None:
    balance, ticks = Balance(), FIRST_TICKS
    assert not balance.due()
    for _ in range(9):
        assert after(balance, ticks, (4, 4), (1, 1)) is None
        ticks = min(2 * ticks, MOST_TICKS)
    assert ticks == MOST_TICKS


def test_in_a_grid_the_borders_move_that_save_more() -> None:
    """A row or a column of ranks is as busy as the busiest of its ranks."""
    balance = Balance()
    strips = (8, 8), (4, 4, 4)
    for busy, wanted in (
        ([[0, 0], [0, 0], [0, 0]], None),  # counts for nothing
        ([[0, 8], [0, 8], [0, 8]], ((12, 4), (4, 4, 4))),
        ([[0, 0], [0, 0], [8, 8]], ((8, 8), (9, 2, 1))),
        ([[0, 0], [0, 0], [0, 8]], ((8, 8), (9, 2, 1))),
        ([[7, 8], [8, 7], [7, 8]], None),
    ):
        assert balance.decide(strips, np.array(busy, float)) == wanted


@pytest.mark.parametrize("wrap", [False, True])
def test_each_row_of_another_division_comes_from_the_rank_that_computes_it(wrap: bool) -> None:
    rows = 9 * STRIP_ROWS
    before = Grid.of((5, rows), (3, 1), (8, 32), wrap)
    other = Grid.of((5, rows), (3, 1), (8, 32), wrap, ((1,), (1, 6, 2)))
    assert (before.rows.strips, other.rows.strips) == ((3, 3, 3), (1, 6, 2))
    moves = before.moves_to(other)
    for rank in range(3):
        found = {}
        for move in (each for each in moves if each.receiver == rank):
            assert move.sent[0] == move.received[0] == move.whole[0] == (0, 5)
            first = before.part_of(move.sender)[1][0]
            for sent, place in zip(range(*move.sent[1]), range(*move.received[1]), strict=True):
                assert first + sent in range(*before.own_of(move.sender)[1])
                found[place] = first + sent
        assert found == {place: row % rows for place, row in enumerate(range(*other.part_of(rank)[1]))}
