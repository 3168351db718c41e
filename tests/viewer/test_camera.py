"""The camera: conversion between pixels and cells, and the fixed point of each zoom, move and resize."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gpufluid.viewer.camera import MARGIN, ZOOMS, Camera

SIDES = st.integers(1, 5000)
STEPS = st.lists(st.tuples(st.integers(-8, 8), st.integers(0, 1279), st.integers(0, 799)), max_size=6)


@given(SIDES, SIDES, STEPS)
def test_pixel_of_a_cell_maps_back_to_the_cell(width: int, height: int, steps: list[tuple[int, int, int]]) -> None:
    camera = Camera((width, height), (1280, 800))
    for number, x, y in steps:
        camera.zoom_at((x, y), number)
    for cell in ((0, 0), (width - 1, height - 1), (width // 2, height // 3)):
        if camera.scale.cells_a_pixel == 1:
            assert camera.cell_at(camera.pixel_of((cell[0] + 0.5, cell[1] + 0.5))) == cell


@given(SIDES, SIDES, STEPS)
def test_zoom_keeps_the_position_under_the_pointer(width: int, height: int, steps: list[tuple[int, int, int]]) -> None:
    camera = Camera((width, height), (1280, 800))
    for number, x, y in steps:
        x, y = 320 + x // 2, 200 + y // 2  # not near the edges, where the offset is clamped
        before, inside = camera.position_at((x, y)), camera.cell_at((x, y)) is not None
        camera.zoom_at((x, y), number)
        if inside and number > 0:
            pixel = camera.pixel_of(before)
            assert abs(pixel[0] - x) <= 1
            assert abs(pixel[1] - y) <= 1


@given(SIDES, SIDES, st.integers(-9000, 9000), st.integers(-9000, 9000))
def test_panning_keeps_part_of_the_world_in_the_window(width: int, height: int, x: int, y: int) -> None:
    camera = Camera((width, height), (640, 480))
    camera.pan(x, y)
    picture = camera.scale.picture_size(width, height)
    for at, there, window in zip(camera.offset, picture, (640, 480), strict=True):
        seen = min(at + there, window) - max(at, 0)
        assert seen >= min(MARGIN, there)


def test_fit_selects_the_largest_zoom_that_shows_the_whole_world() -> None:
    for world in ((10, 10), (1280, 800), (4096, 4096), (65_536, 3)):
        camera = Camera(world, (1280, 800))
        picture = camera.scale.picture_size(*world)
        assert picture <= (1280, 800)
        nearer = ZOOMS[min(ZOOMS.index(camera.scale) + 1, len(ZOOMS) - 1)].picture_size(*world)
        assert camera.scale == ZOOMS[-1] or nearer[0] > 1280 or nearer[1] > 800


def test_one_to_one_keeps_the_middle_of_the_view() -> None:
    camera = Camera((4096, 4096), (1280, 800))
    camera.zoom_at((100, 700), 3)
    middle = camera.position_at((640, 400))
    camera.one_to_one()
    assert camera.scale.picture_size(10, 10) == (10, 10)
    again = camera.position_at((640, 400))
    assert max(abs(a - b) for a, b in zip(middle, again, strict=True)) <= 1


def test_resize_keeps_the_middle_of_the_view() -> None:
    camera = Camera((300, 200), (640, 480))
    camera.zoom_at((320, 240), 4)
    before = camera.position_at((320, 240))
    camera.resize((1000, 700))
    assert camera.position_at((500, 350)) == before


def test_a_view_is_fitted_until_it_is_zoomed_or_moved() -> None:
    camera = Camera((300, 200), (640, 480))
    assert camera.fitted
    for change in (lambda: camera.zoom_at((320, 240), 1), lambda: camera.pan(5, 0), camera.one_to_one):
        change()
        assert not camera.fitted
        camera.resize((800, 600))
        assert not camera.fitted
        camera.fit()
        camera.resize((640, 480))
        assert camera.fitted
