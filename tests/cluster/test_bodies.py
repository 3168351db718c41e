"""Sets of cells that cross the borders between ranks: each has one number on all ranks; and where their columns end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpufluid.cluster.bodies import SharedSets, ends_beyond, rows_near_borders
from gpufluid.cluster.loose_pieces import rows_down
from gpufluid.cluster.shares import STRIP_ROWS, Shares
from gpufluid.oracle.labelling import merged_labels, own_labels
from gpufluid.rules.collapse import FIXED, NEAR_ROWS, NO_FALL, NO_RISE, WET
from gpufluid.world.laws import EDGES, Edges

COLUMNS = 7


def random_cells(luck: int, rows: int) -> np.ndarray:
    """Which cells belong to sets, (rows, columns) bool: long runs, some of them all around."""
    rng = np.random.default_rng(luck)
    cells = np.repeat(rng.random((rows, COLUMNS)) < rng.choice([0.3, 0.6, 0.9]), rng.integers(1, 40, rows), axis=0)
    found = cells[:rows]
    found[:, rng.random(COLUMNS) < 0.2] = True
    found[rng.random(found.shape) < rng.choice([0.0, 0.02])] = False
    return found


def labels_of(cells: np.ndarray, edges: Edges, is_part: bool) -> np.ndarray:
    """The labels of a world or of a part of it, (rows, columns) uint32; the columns of a part do not close around."""
    closed = np.pad(cells, ((0, int(is_part)), (0, 0)))
    return merged_labels(closed, own_labels(closed), edges == "wrap")[: len(cells)]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, STRIP_ROWS), st.sampled_from(EDGES), st.integers(2, 5))
def test_labels_of_all_ranks_are_united_where_the_world_has_one_set(
    luck: int, strips: int, last: int, edges: Edges, ranks: int
) -> None:
    rows = STRIP_ROWS * (strips - 1 + ranks) if edges == "wrap" else STRIP_ROWS * (strips - 2 + ranks) + last
    cells = random_cells(luck, rows)
    whole = labels_of(cells, edges, is_part=False)
    shares = Shares.of(rows, ranks, STRIP_ROWS, edges == "wrap")
    near, places, of_world = [], [], []
    for rank in range(ranks):
        first, end = shares.part_of(rank)
        own = labels_of(cells[np.arange(first, end) % rows], edges, is_part=True)
        places.append(rows_near_borders(shares, rank, NEAR_ROWS, edges == "wrap"))
        near_rows = [row for border in shares.own[rank] for row in range(border - NEAR_ROWS, border + NEAR_ROWS)]
        is_there = [first <= row < end for row in near_rows]
        found = [own[row - first] if there else 0 * own[0] for row, there in zip(near_rows, is_there, strict=True)]
        near.append(np.array(found))
        of_world.append(np.where(near[-1] != 0, whole[np.array(near_rows) % rows], 0))
    sets = SharedSets.of(near, places)
    numbers = [sets.numbers_of(rank, near[rank]) for rank in range(ranks)]
    pairs = {
        (number, label)
        for found, of_rank in zip(numbers, of_world, strict=True)
        for number, label in zip(found.ravel().tolist(), of_rank.ravel().tolist(), strict=True)
        if number >= 0
    }
    assert len(pairs) == len({number for number, _ in pairs}) == len({label for _, label in pairs}) == sets.count
    for rank, (first, end) in enumerate(shares.own):  # no cell that touches a cell of another rank is left out
        for own_row, other_row, place in ((first, first - 1, NEAR_ROWS), (end - 1, end, 3 * NEAR_ROWS - 1)):
            if edges == "wrap" or 0 <= other_row < rows:
                touching = cells[own_row] & cells[other_row % rows]
                assert (numbers[rank][place][touching] >= 0).all()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, STRIP_ROWS), st.sampled_from(EDGES), st.integers(2, 5), st.booleans())
def test_columns_end_where_a_walk_through_the_world_ends(
    luck: int, last: int, edges: Edges, ranks: int, down: bool
) -> None:
    rows = STRIP_ROWS * ranks if edges == "wrap" else STRIP_ROWS * (ranks - 1) + last
    cells, step = random_cells(luck, rows), 1 if down else -1
    density = np.random.default_rng(luck).integers(1, 9, cells.shape)
    shares = Shares.of(rows, ranks, STRIP_ROWS, edges == "wrap")

    def walk(row: int, column: int, most: int, closes: bool) -> int:
        """How many cells of sets follow each other from a row on, at most so many."""
        count = 0
        while count < most and (closes or 0 <= row < rows) and cells[row % rows, column]:
            row, count = row + step, count + 1
        return count

    seen = []
    for first, end in shares.own:
        texels = np.zeros((2, COLUMNS, 2), np.int64)
        begin = first if down else end - 1
        for column in range(COLUMNS):
            count = walk(begin, column, end - first, closes=False)
            inside = count < end - first
            texels[1 - int(down), column] = count, density[begin + step * count, column] if inside else 0
        seen.append(texels)
    for rank, ends in enumerate(ends_beyond(shares, seen, edges == "wrap", down)):
        begin = shares.own[rank][1] if down else shares.own[rank][0] - 1
        for column in range(COLUMNS):
            count = walk(begin, column, rows, edges == "wrap")
            assert bool(ends.closed[column]) == (count == rows and edges == "wrap")
            end = begin + step * count
            beyond = edges != "wrap" and not 0 <= end < rows
            if not ends.closed[column]:
                assert ends.cells[column] == count
                assert ends.row[column] == (-1 if beyond else end % rows)
            if not beyond and not ends.closed[column]:
                own = shares.own[ends.rank[column]]
                assert own[0] <= end % rows < own[1]
                assert ends.density[column] == density[end % rows, column]


@pytest.mark.parametrize(
    ("bits", "weight", "time_to_rise", "rows"),
    [
        (0, 5, False, 1),
        (0, 0, False, 0),
        (0, -5, False, 0),
        (FIXED, 5, False, 0),
        (NO_FALL, 5, False, 0),
        (NO_RISE | WET, 5, False, 1),
        (0, 5, True, 1),
        (WET, 5, True, 0),
        (WET, -5, True, -1),
        (WET | NO_RISE, -5, True, 0),
        (WET | FIXED, -5, True, 0),
        (0, -5, True, 0),
    ],
)
def test_a_piece_falls_if_it_is_heavy_and_rises_in_its_turn_if_it_is_light(
    bits: int, weight: int, time_to_rise: bool, rows: int
) -> None:
    assert rows_down(np.array([bits], np.uint32), np.array([weight]), time_to_rise).tolist() == [rows]
