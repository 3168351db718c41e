"""Sets of cells that cross the borders between ranks: each has one number on all ranks; and where their columns end."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpufluid.cluster.bodies import NearLabels, SharedSets, cells_near_borders, ends_beyond
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.loose_pieces import rows_down
from gpufluid.cluster.shares import STRIP_ROWS, Shares
from gpufluid.oracle.labelling import merged_labels, own_labels
from gpufluid.rules.collapse import FIXED, NO_FALL, NO_RISE, WET
from gpufluid.rules.passes import NEAR_COLUMNS, NEAR_ROWS
from gpufluid.world.laws import EDGES, Edges

COLUMNS = 7


def random_cells(luck: int, rows: int, columns: int = COLUMNS) -> np.ndarray:
    """Which cells belong to sets, (rows, columns) bool: long runs, some of them all around."""
    rng = np.random.default_rng(luck)
    cells = np.repeat(rng.random((rows, columns)) < rng.choice([0.3, 0.6, 0.9]), rng.integers(1, 40, rows), axis=0)
    found = cells[:rows]
    found[:, rng.random(columns) < 0.2] = True
    found[rng.random(found.shape) < rng.choice([0.0, 0.02])] = False
    return found


def labels_of(cells: np.ndarray, edges: Edges, is_part: tuple[bool, bool] = (False, False)) -> np.ndarray:
    """The labels of a world or of a part of it, (rows, columns) uint32.

    Args:
        cells: which cells belong to sets, (rows, columns) bool.
        edges: of the world.
        is_part: whether rows are a part of those of the world, and columns: these do not close around.
    """
    closed = np.pad(cells, [(0, int(each)) for each in is_part])
    return merged_labels(closed, own_labels(closed), edges == "wrap")[: len(cells), : cells.shape[1]]


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, STRIP_ROWS),
    st.sampled_from(EDGES),
    st.sampled_from([(2, 1), (5, 1), (1, 2), (2, 2), (2, 3)]),
)
def test_labels_of_all_ranks_are_united_where_the_world_has_one_set(
    luck: int, last: int, edges: Edges, shape: tuple[int, int]
) -> None:
    wrap = edges == "wrap"
    rows, columns = (STRIP_ROWS * ranks if wrap else STRIP_ROWS * (ranks - 1) + last for ranks in shape)
    columns = COLUMNS if shape[1] == 1 else columns
    cells = random_cells(luck, rows, columns)
    whole = labels_of(cells, edges)
    grid = Grid.of((columns, rows), shape, (2 * NEAR_COLUMNS, STRIP_ROWS), wrap)
    near: list[NearLabels] = []
    of_world: list[NearLabels] = []
    divided = grid.rows.is_divided, grid.columns.is_divided
    for rank in range(grid.ranks):
        spans = grid.part_of(rank)
        places = np.ix_(*(np.arange(*span) % lines for span, lines in zip(spans[::-1], (rows, columns), strict=True)))
        own, there = labels_of(cells[places], edges, divided), whole[places]
        lines = [lines_beside(*each) for each in zip(grid.own_of(rank), spans, (NEAR_COLUMNS, NEAR_ROWS), strict=True)]
        near.append((taken(own.T, lines[0]), taken(own, lines[1])))
        of_world.append((taken(there.T, lines[0]), taken(there, lines[1])))
    sets = SharedSets.of(
        near,
        [cells_near_borders(grid, rank, (NEAR_COLUMNS, NEAR_ROWS), wrap) for rank in range(grid.ranks)],
        (columns, rows),
    )
    numbers = [tuple(sets.numbers_of(rank, each) for each in near[rank]) for rank in range(grid.ranks)]
    pairs = {
        (number, label)
        for found, labels in zip(chain(*numbers), chain(*of_world), strict=True)
        for number, label in zip(found.ravel().tolist(), labels.ravel().tolist(), strict=True)
        if number >= 0
    }
    assert len(pairs) == len({number for number, _ in pairs}) == len({label for _, label in pairs}) == sets.count
    for rank, own in enumerate(map(grid.own_of, range(grid.ranks))):  # no cell that touches another rank's is left out
        for axis, width in enumerate((NEAR_COLUMNS, NEAR_ROWS)):
            lines, (begin, end), along = (columns, rows)[axis], own[axis], own[1 - axis]
            in_part = grid.own_in_part(rank)[1 - axis]
            for own_line, other_line, place in ((begin, begin - 1, width), (end - 1, end, 3 * width - 1)):
                if divided[1 - axis] and (wrap or 0 <= other_line < lines):
                    frame = cells.T if axis == 0 else cells
                    touching = (frame[own_line] & frame[other_line % lines])[slice(*along)]
                    assert (numbers[rank][axis][place][slice(*in_part)][touching] >= 0).all()


def lines_beside(own: tuple[int, int], part: tuple[int, int], near: int) -> list[int]:
    """The lines on both sides of both borders of own lines, counted from the first one of the part; -1: beyond it."""
    beside = (line for border in own for line in range(border - near, border + near))
    return [line - part[0] if part[0] <= line < part[1] else -1 for line in beside]


def taken(labels: np.ndarray, lines: list[int]) -> np.ndarray:
    """Some rows of an array; 0 for those of number -1."""
    return np.array([labels[line] if line >= 0 else 0 * labels[0] for line in lines])


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, STRIP_ROWS), st.sampled_from(EDGES), st.integers(2, 5), st.booleans())
def test_columns_end_where_a_walk_through_the_world_ends(
    luck: int, last: int, edges: Edges, ranks: int, down: bool
) -> None:
    rows = STRIP_ROWS * ranks if edges == "wrap" else STRIP_ROWS * (ranks - 1) + last
    cells, step = random_cells(luck, rows), 1 if down else -1
    shares = Shares.of(rows, ranks, STRIP_ROWS, edges == "wrap")

    def walk(row: int, column: int, most: int, closes: bool) -> int:
        """How many cells of sets follow each other from a row on, at most so many."""
        count = 0
        while count < most and (closes or 0 <= row < rows) and cells[row % rows, column]:
            row, count = row + step, count + 1
        return count

    seen = []
    for first, end in shares.own:
        there = np.zeros((2, COLUMNS), np.int64)
        begin = first if down else end - 1
        for column in range(COLUMNS):
            there[1 - int(down), column] = walk(begin, column, end - first, closes=False)
        seen.append(there)
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
