"""Shapes compared cell by cell with exact fractions: a cell belongs to a shape if its centre is inside."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import Meeting, ThreadBuilders

from gpufluid.scene.noise import NoiseRegion
from gpufluid.scene.schema import Circle, Line, Noise, Polygon, Rectangle
from gpufluid.scene.shapes import Region, ShapeError
from gpufluid.world.pieces import OneBuilder

HEIGHT, WIDTH = 9, 13
WATER = {"material": "water"}

points = st.tuples(st.integers(-4, WIDTH + 4), st.integers(-4, HEIGHT + 4))
lengths = st.integers(1, 40).map(lambda quarters: quarters / 4)


def mask(shape, height: int = HEIGHT, width: int = WIDTH, seed: int = 0) -> np.ndarray:
    """The cells of a shape in a world, (height, width) bool; they are drawn in pieces, row by row and one by one."""
    size, found = (width, height), np.zeros((height, width), bool)
    region = NoiseRegion(shape, size, seed, 0) if isinstance(shape, Noise) else Region(shape, size)
    if isinstance(region, NoiseRegion):
        region.choose((0, 0, *size), OneBuilder())
    left, top, columns, rows = region.bounds
    for row in range(top, top + rows):
        found[row, left : left + columns] = region.mask((left, row, columns, 1))[0]
    there = found[top : top + rows, left : left + columns]
    np.testing.assert_array_equal(region.mask(region.bounds), there)
    if not isinstance(region, NoiseRegion):  # outside of its bounds there is no cell
        np.testing.assert_array_equal(region.mask((0, 0, *size)), found)
    return found


def assert_mask(shape, inside) -> None:
    """The cells of a shape are those for which ``inside`` is true; a shape without cells is an error."""
    wanted = np.array([[inside(x, y) for x in range(WIDTH)] for y in range(HEIGHT)])
    if wanted.any():
        np.testing.assert_array_equal(mask(shape), wanted)
    else:
        with pytest.raises(ShapeError, match="no cell of the"):
            mask(shape)


@given(x=st.integers(0, WIDTH - 1), y=st.integers(0, HEIGHT - 1), data=st.data())
def test_a_rectangle_begins_at_its_top_left_cell(x: int, y: int, data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, WIDTH - x)), data.draw(st.integers(1, HEIGHT - y))
    shape = Rectangle(shape="rectangle", at=(x, y), size=(width, height), **WATER)
    assert_mask(shape, lambda column, row: x <= column < x + width and y <= row < y + height)


@given(at=points, radius=lengths)
def test_a_circle_covers_the_centres_within_its_radius(at: tuple[int, int], radius: float) -> None:
    shape = Circle(shape="circle", at=at, radius=radius, **WATER)
    assert_mask(shape, lambda x, y: (x - at[0]) ** 2 + (y - at[1]) ** 2 <= Fraction(radius) ** 2)


def assert_line(start: tuple[int, int], end: tuple[int, int], width: float) -> None:
    """A line's cells are those whose centre is no farther from it than half its width."""

    def distance2(x: int, y: int) -> Fraction:
        (x0, y0), (x1, y1) = start, end
        length2 = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = Fraction((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0), length2) if length2 else 0
        part = min(max(along, 0), 1)
        return (x - x0 - part * (x1 - x0)) ** 2 + (y - y0 - part * (y1 - y0)) ** 2

    shape = Line.model_validate({"shape": "line", "from": start, "to": end, "width": width, **WATER})
    assert_mask(shape, lambda x, y: distance2(x, y) <= (Fraction(width) / 2) ** 2)


def assert_polygon(corners: list[tuple[int, int]]) -> None:
    """Even-odd: a ray from an inner centre to the right crosses the outline an odd number of times."""

    def inside(column: int, row: int) -> bool:
        x, y = column + Fraction(1, 2), row + Fraction(1, 2)
        crossings = 0
        for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
            if min(y0, y1) < y < max(y0, y1):
                crossings += x < x0 + (y - y0) * Fraction(x1 - x0, y1 - y0)
        return crossings % 2 == 1

    assert_mask(Polygon(shape="polygon", points=corners, **WATER), inside)


@given(start=points, end=points, width=lengths)
def test_a_line_covers_the_centres_within_half_its_width(
    start: tuple[int, int], end: tuple[int, int], width: float
) -> None:
    assert_line(start, end, width)


@given(corners=st.lists(points, min_size=3, max_size=7))
def test_a_polygon_covers_the_centres_inside_its_outline(corners: list[tuple[int, int]]) -> None:
    assert_polygon(corners)


@given(corner=st.integers(0, WIDTH), middle=points)
def test_polygons_side_by_side_neither_overlap_nor_leave_a_gap(corner: int, middle: tuple[int, int]) -> None:
    """A world cut in two along a bent line: every cell is in exactly one half."""
    cut = [(corner, 0), middle, (corner, HEIGHT)]
    far = 100
    left = Polygon(shape="polygon", points=[(-far, 0), *cut, (-far, HEIGHT)], **WATER)
    right = Polygon(shape="polygon", points=[(far, 0), *cut, (far, HEIGHT)], **WATER)
    assert (_cells(left) != _cells(right)).all()


FAR = 1 << 20
far_points = st.tuples(*[st.sampled_from((-FAR, 1 - FAR, -1000, 0, 7, 30_000, FAR - 1, FAR))] * 2)


@given(start=far_points, end=far_points, width=st.sampled_from((1, 2.5, 64)))
def test_a_line_between_far_points_is_as_exact_as_a_near_one(
    start: tuple[int, int], end: tuple[int, int], width: float
) -> None:
    """The products do not fit into a machine word; they must not overflow."""
    assert_line(start, end, width)


@given(corners=st.lists(far_points, min_size=3, max_size=5))
def test_a_polygon_of_far_points_is_as_exact_as_a_near_one(corners: list[tuple[int, int]]) -> None:
    assert_polygon(corners)


def _cells(shape: Polygon) -> np.ndarray:
    try:
        return mask(shape)
    except ShapeError:
        return np.zeros((HEIGHT, WIDTH), bool)


@given(
    cover=st.integers(0, 1000).map(lambda part: part / 1000),
    scale=st.integers(1, 40),
    octaves=st.integers(1, 8),
    seed=st.integers(0, 2**32),
)
def test_noise_covers_its_exact_share_of_its_rectangle(cover: float, scale: int, octaves: int, seed: int) -> None:
    shape = Noise(shape="noise", at=(2, 1), size=(10, 7), scale=scale, octaves=octaves, cover=cover, **WATER)
    cells = mask(shape, seed=seed)
    assert cells.sum() == round(cover * 70)
    assert cells[1:8, 2:12].sum() == cells.sum()


@pytest.mark.parametrize("cover", [0, 0.001, 0.2, 0.5, 0.99, 1])
def test_noise_takes_the_highest_values_and_of_equal_ones_the_first(cover: float) -> None:
    """Three builders count columns of their own, and come to what a sort of all cells gives."""
    shape = Noise(shape="noise", at=(3, 2), size=(90, 70), scale=4096, octaves=1, cover=cover, **WATER)
    regions = [NoiseRegion(shape, (100, 75), 5, 1) for _ in range(3)]
    meeting = Meeting(3)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: regions[n].choose((40 * n, 0, 40, 75), ThreadBuilders(meeting, n)), range(3)))
    values = regions[0]._values(regions[0].bounds).reshape(-1).astype(np.int64)
    assert len(np.unique(values)) < len(values) / 2
    wanted = np.zeros(values.size, bool)
    wanted[np.argsort(-values, kind="stable")[: round(cover * values.size)]] = True
    for region in regions:
        np.testing.assert_array_equal(region.mask(region.bounds).reshape(-1), wanted)


def test_noise_is_equal_for_equal_seeds_only() -> None:
    shape = Noise(shape="noise", scale=5, **WATER)
    masks = [mask(shape, 40, 40, seed) for seed in (1, 1, 2, 3)]
    np.testing.assert_array_equal(masks[0], masks[1])
    assert all((one != two).sum() > 200 for one, two in pairwise(masks[1:]))


def test_coarser_noise_has_fewer_borders() -> None:
    """The coarser the noise, the fewer neighbours differ; at scale 1 a cell says nothing about the next."""

    def borders(scale: int) -> int:
        cells = mask(Noise(shape="noise", scale=scale, octaves=1, **WATER), 128, 128, seed=4)
        return int((cells[:, 1:] != cells[:, :-1]).sum() + (cells[1:] != cells[:-1]).sum())

    counts = [borders(scale) for scale in (1, 4, 16, 64)]
    assert counts == sorted(counts, reverse=True)
    assert 0.4 < counts[0] / (2 * 127 * 128) < 0.6
    assert counts[2] * 4 < counts[0]
