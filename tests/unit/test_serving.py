"""Ports that one dispatch serves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.selection import examples

from gpufluid.rules.serving import SERVED_MOST, in_turns, meeting

SIDE = 12


def seen_by(at: tuple[int, int], size: tuple[int, int], beside: tuple[int, int], torus: bool) -> np.ndarray:
    """The cells of a port and those beside it, cell by cell: (`SIDE`, `SIDE`) bool."""
    found = np.zeros((SIDE, SIDE), bool)
    for x in range(at[0] - beside[0], at[0] + size[0] + beside[0]):
        for y in range(at[1] - beside[1], at[1] + size[1] + beside[1]):
            if torus or (0 <= x < SIDE and 0 <= y < SIDE):
                found[y % SIDE, x % SIDE] = True
    return found


places = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
sides = st.tuples(st.integers(0, 4), st.integers(1, 4))


@examples(200)
@given(
    ports=st.lists(st.tuples(places, sides), min_size=2, max_size=5),
    beside=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    torus=st.booleans(),
)
def test_ports_that_see_a_cell_in_common_meet(
    ports: list[tuple[tuple[int, int], tuple[int, int]]], beside: tuple[int, int], torus: bool
) -> None:
    at, size = (np.array([[port[part] for port in ports]], np.int64) for part in (0, 1))
    found = meeting(at, size, beside, (SIDE, SIDE) if torus else None)
    assert (found == found.T).all()
    for one, (place, area) in enumerate(ports):
        for other, (other_place, other_area) in enumerate(ports):
            seen = seen_by(place, area, beside, torus) & seen_by(other_place, other_area, beside, torus)
            assert found[one, other] or not seen.any() or 0 in (*area, *other_area)
            if torus or beside == (0, 0):
                assert found[one, other] == (seen.any() and 0 not in (*area, *other_area))


def test_ports_meet_if_they_do_in_any_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.rules.serving._PAIRS_AT_ONCE", 4)  # a world at a time
    at = np.array([[(0, 0), (5, 0)], [(0, 0), (0, 0)], [(0, 0), (9, 9)]])
    size = np.ones_like(at)
    assert meeting(at, size, (0, 0), None)[0, 1]
    size[1, 1] = 0
    assert not meeting(at, size, (0, 0), None)[0, 1]


@examples(100)
@given(luck=st.integers(0, 1000), count=st.integers(0, 80))
def test_ports_that_meet_act_in_their_order_and_each_acts_once(luck: int, count: int) -> None:
    rng = np.random.default_rng(luck)
    meets = rng.random((count, count)) < 0.03
    meets |= meets.T
    areas = [(int(width), int(height)) for width, height in rng.integers(1, 90, (count, 2))]
    parts = in_turns(meets, areas)
    assert sorted(number for part in parts for number in part) == list(range(count))
    place = {number: turn for turn, part in enumerate(parts) for number in part}
    assert all(place[one] < place[other] for one, other in np.argwhere(np.triu(meets, 1)).tolist())
    assert max(map(len, parts), default=0) <= SERVED_MOST


def test_ports_that_do_not_meet_act_at_once_unless_their_sizes_differ_much() -> None:
    none = np.zeros((3, 3), bool)
    assert in_turns(none, [(4, 1)] * 3) == [[0, 1, 2]]
    assert in_turns(none, [(4, 1), (200, 10), (200, 9)]) == [[1, 2], [0]]
    assert in_turns(none, [(1, 30_000)] * 3) == [[0], [1], [2]]  # too many rows of groups
