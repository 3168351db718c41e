"""Strokes, rectangles and flood fills as runs of cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufluid.core.runs import Runs
from gpufluid.viewer.brush import SHAPES, flood_fill, rectangle, stroke

CELLS = st.tuples(st.integers(-40, 140), st.integers(-40, 100))


def whole(cells: Runs, width: int = 100, height: int = 60) -> np.ndarray:
    """Cells as a mask of the whole world, (height, width) bool."""
    world = np.zeros((height, width), bool)
    if cells:
        (left, top), (across, down) = cells.at, cells.size
        world[top : top + down, left : left + across] = cells.mask
    assert world.sum() == cells.count
    return world


def distance_mask(size: int, start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    """The cells at most half of a size, and at least 0.71, from the line between two cells; in whole numbers."""
    x, y = np.arange(100)[None, :] - start[0], np.arange(60)[:, None] - start[1]
    a, b = end[0] - start[0], end[1] - start[1]
    length, along, across = a * a + b * b, x * a + y * b, x * b - y * a
    square = max(10_000 * size * size, 20_164)
    near = 40_000 * np.minimum(x * x + y * y, (x - a) ** 2 + (y - b) ** 2) <= square
    return near | ((along >= 0) & (along <= length) & (40_000 * across**2 <= square * length) & (length > 0))


def square_mask(size: int, start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    """The union of the squares around all cells of a line."""
    mask = np.zeros((60, 100), bool)
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    for step in range(steps + 1):
        column, row = (round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
        left, top = column - size // 2, row - size // 2
        mask[max(top, 0) : max(top + size, 0), max(left, 0) : max(left + size, 0)] = True
    return mask


@given(st.integers(1, 60), CELLS, CELLS)
def test_a_stroke_has_the_cells_near_its_line(size: int, start: tuple, end: tuple) -> None:
    for shape, mask in (("round", distance_mask), ("square", square_mask)):
        found = whole(stroke(shape, size, start, end, (100, 60)))
        np.testing.assert_array_equal(found, mask(size, start, end), shape)
        if shape == "round":
            np.testing.assert_array_equal(whole(stroke(shape, size, end, start, (100, 60))), found)


def test_a_long_stroke_takes_runs_and_no_mask() -> None:
    """A line across the largest world has a run a row; its rectangle would have 268 million cells."""
    line = stroke("round", 5, (0, 0), (16383, 16383), (16384, 16384))
    assert len(line.table) == 16384
    assert line.count == pytest.approx(16384 * 5 * 2**0.5, rel=0.05)


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 0.9))
def test_runs_of_a_mask_have_its_cells(seed: int, share: float) -> None:
    mask = np.random.default_rng(seed).random((7, 9)) < share
    np.testing.assert_array_equal(whole(Runs.of_mask(3, 2, mask), 20, 12)[2:9, 3:12], mask)


@given(st.sampled_from(SHAPES), st.integers(1, 60), CELLS, CELLS)
def test_a_stroke_stays_inside_the_world(shape: str, size: int, start: tuple, end: tuple) -> None:
    row, first, last = stroke(shape, size, start, end, (100, 60)).table.T
    assert ((row >= 0) & (row < 60) & (first >= 0) & (first < last) & (last <= 100)).all()
    assert len(np.unique(row)) == len(row)


@given(
    st.sampled_from(["round", "square"]),
    st.integers(1, 9),
    st.tuples(st.integers(0, 99), st.integers(0, 59)),
    st.tuples(st.integers(0, 99), st.integers(0, 59)),
)
def test_a_stroke_covers_both_ends_without_gaps(shape: str, size: int, start: tuple, end: tuple) -> None:
    """The cells of a stroke are 8-connected along its longer axis."""
    mask = whole(stroke(shape, size, start, end, (100, 60)))
    assert mask[start[1], start[0]]
    assert mask[end[1], end[0]]
    axis = 0 if abs(end[0] - start[0]) >= abs(end[1] - start[1]) else 1
    first, last = sorted((start[axis], end[axis]))
    assert mask.any(axis=axis)[first : last + 1].all()


@pytest.mark.parametrize("size", [1, 2, 3, 8, 21])
def test_square_and_round_brushes_cover_their_area(size: int) -> None:
    square, disc = (whole(stroke(shape, size, (50, 30), (50, 30), (100, 60))) for shape in ("square", "round"))
    assert square.sum() == size * size
    assert abs(disc.sum() - np.pi * size**2 / 4) <= max(4, 0.25 * size**2)


def test_rectangle_is_clipped_to_the_world() -> None:
    mask = whole(rectangle((120, 5), (90, -3), (100, 60)))
    assert mask.sum() == 10 * 6
    assert mask[:6, 90:].all()
    assert not rectangle((100, 0), (120, 5), (100, 60))
    assert not rectangle((5, 60), (9, 70), (100, 60))


@given(st.integers(0, 2**32 - 1), st.floats(0.3, 0.9))
def test_flood_fill_covers_the_connected_area(seed: int, share: float) -> None:
    """The flood fill equals a dilation repeated until nothing changes."""
    same = np.random.default_rng(seed).random((24, 31)) < share
    same[12, 15] = True
    reached = np.zeros_like(same)
    reached[12, 15] = True
    while True:
        wider = reached.copy()
        wider[1:] |= reached[:-1]
        wider[:-1] |= reached[1:]
        wider[:, 1:] |= reached[:, :-1]
        wider[:, :-1] |= reached[:, 1:]
        wider &= same
        if (wider == reached).all():
            break
        reached = wider
    np.testing.assert_array_equal(whole(flood_fill(same, (15, 12)), 31, 24), reached)
