"""The camera: conversion between pixels and cells, and the fixed point of each zoom, move and resize."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gpufluid.viewer.camera import MARGIN, STRETCH_LEAST, ZOOMS, Camera

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
    for at, there, window in zip(camera.offset, picture, camera.drawn_size, strict=True):
        seen = min(at + there, window) - max(at, 0)
        assert seen >= min(MARGIN, there)


WORLDS = st.one_of(
    st.tuples(SIDES, SIDES), st.sampled_from([(10, 10), (1280, 800), (1270, 790), (4096, 4096), (65_536, 3)])
)


@given(WORLDS, st.tuples(st.integers(300, 2600), st.integers(300, 1500)), st.integers(0, 280), st.integers(0, 60))
def test_a_fitted_view_shows_the_whole_world_beside_the_panels(
    world: tuple[int, int], window: tuple[int, int], side: int, bar: int
) -> None:
    camera = Camera(world, window)
    camera.margins = (side, bar, side // 3, bar)
    camera.fit()
    low, high = camera.pixel_of((0, 0)), camera.pixel_of(world)
    inside = low[0] > side - 1e-6, low[1] > bar - 1e-6
    inside += high[0] < window[0] - side // 3 + 1e-6, high[1] < window[1] - bar + 1e-6
    assert all(inside) or camera.scale == ZOOMS[0]


@given(WORLDS)
def test_a_fitted_view_fills_the_window_or_shows_each_cell_in_the_same_pixels(world: tuple[int, int]) -> None:
    camera = Camera(world, (1280, 800))
    low, high = camera.pixel_of((0, 0)), camera.pixel_of(world)
    left = min((1280 - 2) / (high[0] - low[0]), (800 - 2) / (high[1] - low[1]))
    assert left < STRETCH_LEAST or camera.scale == ZOOMS[-1]
    picture = camera.scale.picture_size(*world)
    assert picture[0] * camera.stretch <= 1280 or camera.scale == ZOOMS[0]
    assert 0.49 < camera.stretch < 2, "a stretched picture is near what was drawn"


def test_a_world_that_fits_nearly_is_not_stretched() -> None:
    assert Camera((320, 200), (1300, 810)).stretch == 1


@given(st.tuples(st.integers(1, 1500), st.integers(1, 1500)), st.sampled_from([-1, 1]))
def test_the_first_zoom_of_a_fitted_view_goes_to_the_next_whole_factor(world: tuple[int, int], step: int) -> None:
    camera = Camera(world, (1280, 800))
    factors = [scale.zoom / scale.cells_a_pixel for scale in ZOOMS]
    before = camera.pixel_of((1, 0))[0] - camera.pixel_of((0, 0))[0]
    camera.zoom_at((640, 400), step)
    after = camera.pixel_of((1, 0))[0] - camera.pixel_of((0, 0))[0]
    wanted = min((f for f in factors if f > before + 1e-6), default=factors[-1])
    if step < 0:
        wanted = max((f for f in factors if f < before - 1e-6), default=factors[0])
    assert abs(after - wanted) < 1e-6
    assert camera.stretch == 1


def test_a_slow_drag_moves_a_stretched_view_as_far_as_the_pointer() -> None:
    camera = Camera((700, 437), (1280, 800))
    assert camera.stretch > 1.5
    before = camera.pixel_of((0, 0))
    for _ in range(200):
        camera.pan(1, 0)
    assert abs(camera.pixel_of((0, 0))[0] - before[0] - 200) < camera.stretch


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
