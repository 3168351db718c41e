"""Strokes, rectangles and flood fills as masks of cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufluid.viewer.brush import SHAPES, Patch, flood_fill, rectangle, stroke

CELLS = st.tuples(st.integers(-40, 140), st.integers(-40, 100))


def whole(patch: Patch | None, width: int = 100, height: int = 60) -> np.ndarray:
    """A patch as a mask of the whole world, (height, width) bool."""
    world = np.zeros((height, width), bool)
    if patch is not None:
        world[patch.window] = patch.mask
    return world


@given(st.sampled_from(SHAPES), st.integers(1, 60), CELLS, CELLS)
def test_a_stroke_stays_inside_the_world(shape: str, size: int, start: tuple, end: tuple) -> None:
    patch = stroke(shape, size, start, end, (100, 60))
    if patch is not None:
        rows, columns = patch.window
        assert 0 <= rows.start < rows.stop <= 60
        assert 0 <= columns.start < columns.stop <= 100
        assert patch.mask.shape == (rows.stop - rows.start, columns.stop - columns.start)


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


def test_each_spray_draws_different_cells_of_the_disc() -> None:
    sprays = [whole(stroke("spray", 41, (50, 30), (50, 30), (100, 60), serial, 1 / 8)) for serial in range(40)]
    disc = whole(stroke("round", 41, (50, 30), (50, 30), (100, 60)))
    assert not (np.array(sprays) & ~disc).any()
    assert 0.10 < np.mean([spray.sum() / disc.sum() for spray in sprays]) < 0.15
    assert (sprays[0] != sprays[1]).any()


def test_rectangle_is_clipped_to_the_world() -> None:
    mask = whole(rectangle((120, 5), (90, -3), (100, 60)))
    assert mask.sum() == 10 * 6
    assert mask[:6, 90:].all()
    assert rectangle((100, 0), (120, 5), (100, 60)) is None


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
