"""Input that arrives while the window is still busy with earlier input, or with its first frame: none is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.desktop import SEARCH, SLOW_COMPILER, Program, is_starting
from support.marks import CORNER, FITTED, PLACE, block
from support.observed import Slowness
from support.patience import wait_until

from gpufluid.render.scale import Scale
from gpufluid.viewer.camera import ZOOMS

View = Callable[..., Program]
Place = tuple[float, float]

ALONE = (256, 41)
"""The corner of the fitted world without the palette."""

MIDDLE = 640, 400

slow_start = pytest.mark.parametrize("view", [Slowness(0.8, frames=4)], indirect=True, ids=["slow start"])
slow = pytest.mark.parametrize("view", [Slowness(0.15)], indirect=True, ids=["slow"])


long = pytest.mark.long("in a window of its own; test_events.py has the same without a window")


def zoomed(notches: int) -> tuple[int, Place]:
    """Pixels a cell and the top left corner of the fitted world after notches of the wheel over the middle."""
    pixels, (left, top) = FITTED, CORNER
    for _ in range(notches):
        before, pixels = pixels, ZOOMS[ZOOMS.index(Scale(zoom=pixels)) + 1].zoom
        left, top = (round(at - (at - old) / before * pixels) for at, old in zip(MIDDLE, (left, top), strict=True))
    return pixels, (left, top)


def pixel(column: int, row: int, corner: Place = CORNER) -> Place:
    """The pixel at the middle of a cell of the fitted world."""
    return corner[0] + (column + 0.5) * FITTED, corner[1] + (row + 0.5) * FITTED


@pytest.mark.long("each test of the window starts the program")
def test_the_first_view_is_fitted(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p", "f4")
    assert block(program) == (FITTED, ALONE)


@long
@slow_start
def test_a_zoom_and_a_pan_before_the_first_frame_change_the_fitted_view(view: View, marked: Path) -> None:
    program = view(marked)
    program.wheel(MIDDLE, 2)
    program.drag(MIDDLE, (670, 380), button="middle")
    program.press("p", "f4")
    pixels, (left, top) = zoomed(2)
    assert block(program) == (pixels, (left + 30, top - 20))


@slow_start
def test_paint_before_the_first_frame_lands_in_the_fitted_view(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p", "1", "[", "[", "[", "[")
    program.click(pixel(40, 60))
    assert program.world()["material"][60, 40] != 0


@long
@SLOW_COMPILER
def test_input_while_the_world_is_prepared_is_kept(view: View, marked: Path) -> None:
    program = view(marked)
    wait_until(lambda: is_starting(program), "the page before the first frame")
    program.press("p", "1", "[", "[", "[", "[")
    program.drag(MIDDLE, (670, 380), held="space")
    program.click((pixel(40, 60)[0] + 30, pixel(40, 60)[1] - 20))
    assert is_starting(program)
    assert program.world()["material"][60, 40] != 0


@long
@slow
def test_a_zoom_right_after_opening_a_scene_changes_the_fitted_view_of_that_scene(view: View, marked: Path) -> None:
    program = view(marked)
    other = marked.read_text().replace(f"at = [{PLACE[0]}, {PLACE[1]}]", "at = [30, 20]")
    (program.folder / "other.toml").write_text(other)
    program.press("p", "d", "ctrl+o")  # the legend of an overlay takes space, and no overlay is shown afterwards
    program.write("other.toml")
    program.press("enter")
    program.wheel(MIDDLE, 1)
    program.press("f4")
    assert block(program, (30, 20)) == zoomed(1)
    assert "other" in program.desktop.do("getwindowname", program.window)


@long
@slow
def test_input_before_and_after_a_resize_is_handled_in_order(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p", "1", "[", "[", "[", "[")
    program.wheel(MIDDLE, 1)
    program.press("f4")
    program.resize((900, 500))
    pixels, (left, top) = zoomed(1)
    corner = left + (900 - 1280) // 2, top + (500 - 800) // 2
    program.click((corner[0] + 40.5 * pixels, corner[1] + 40.5 * pixels))
    assert block(program) == (pixels, corner)
    assert program.world()["material"][40, 40] != 0


@long
@slow_start
def test_a_resize_before_the_first_frame_changes_the_size_that_the_world_is_fitted_into(
    view: View, marked: Path
) -> None:
    program = view(marked)
    program.resize((900, 600))
    program.press("p", "f4")
    pixels, (left, top) = block(program)
    assert pixels == 6
    assert left == (900 - 96 * pixels) / 2
    assert top > 0
    assert top + 88 * pixels < 600


@long
@slow
def test_a_click_right_after_a_key_closed_the_panel_there_paints(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p", "1", "[", "[", "[", "[")
    program.drag((700, 300), (400, 300), button="middle")  # part of the world lies under the palette now
    at = pixel(4, 20, (CORNER[0] - 300, CORNER[1]))
    program.click(at)
    assert program.world()["material"][20, 4] == 0, "the palette lies there"
    program.press("f4")
    program.click(at)
    assert program.world()["material"][20, 4] != 0


@long
@slow
def test_paint_while_a_film_is_finished_is_kept(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p", "1", "[", "[", "[", "[", "ctrl+r")
    program.settle()
    program.made(".mp4", lambda: (program.press("ctrl+r"), program.click(pixel(40, 60))))
    assert program.world()["material"][60, 40] != 0


@long
@slow
def test_paint_right_before_a_request_to_close_is_unsaved_work(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p")
    program.click(SEARCH)  # on the palette, which acts when it is next laid out
    program.click(pixel(40, 60))
    program.ask_to_close()
    program.settle()
    assert program.process.poll() is None, "it asks first"
    program.press("escape")
    assert program.world()["material"][60, 40] != 0


@long
def test_a_click_counts_after_another_window_covered_this_one(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("p", "1", "[", "[", "[", "[")
    program.move(pixel(40, 60))
    program.settle()
    with program.desktop.covered():
        program.settle()
    program.desktop.do("click", 1)  # without a move
    assert program.world()["material"][60, 40] != 0
