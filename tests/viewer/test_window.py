"""The window: keys, pointer, size, full screen, closing, and the errors where no window can be opened."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.desktop import ABOVE_THE_TIME_BAR, AT_ANY_START, SEARCH, Desktop, Program, find
from support.marks import MARK, SHADES, block
from support.patience import PATIENCE, wait_until
from support.selection import mostly_long

from gpufluid.render.scale import Scale
from gpufluid.viewer.camera import ZOOMS
from gpufluid.world import World

View = Callable[..., Program]


def paused(view: View, *words: object) -> Program:
    program = view(*words)
    program.press("p", "f4")  # close the palette: its swatch of the mark has the same colour
    program.settle()
    return program


def filled(world: World) -> set[tuple[int, int]]:
    """The cells that are not empty, as (column, row)."""
    return {(int(column), int(row)) for row, column in np.argwhere(world["material"] != 0)}


@AT_ANY_START
@pytest.mark.parametrize("notches", mostly_long([0, 3, -2], 3, why="another zoom, in a window of its own"))
def test_painting_lands_under_the_pointer_at_every_zoom(view: View, marked: Path, notches: int) -> None:
    program = paused(view, marked)
    zoom = ZOOMS.index(Scale(zoom=round(block(program)[0]))) + notches
    program.wheel((500, 400), notches)  # the block stays in the window
    pixels, corner = block(program)
    assert pixels == ZOOMS[zoom].zoom
    program.press("1", "[", "[", "[", "[")  # with water
    program.click((corner[0] + 40.5 * pixels, corner[1] + 40.5 * pixels))
    painted = filled(program.world())
    assert (40, 40) in painted
    program.press("ctrl+z")
    assert filled(program.world()) == painted - {(40, 40)}


@pytest.mark.long("a window of its own; test_camera.py has what pixels show which cells")
def test_painting_lands_under_the_pointer_in_a_stretched_view(view: View, marked: Path) -> None:
    marked.write_text(marked.read_text().replace("[96, 88]", "[96, 64]"))
    program = paused(view, marked)
    assert 9 < block(program)[0] < 12, "wider than at the factor 8"
    pixels = (764 - 22) / (8 * 64 + 2) * 8
    middle = 1280 / 2, 22 + (764 - 22) / 2
    program.press("1", "[", "[", "[", "[")
    places = [(2, 3), (90, 5), (47, 40), (93, 60)]
    for column, row in places:
        program.click((middle[0] + (column + 0.5 - 48) * pixels, middle[1] + (row + 0.5 - 32) * pixels))
    assert set(places) <= filled(program.world())


@pytest.mark.long("each test of the window starts the program")
def test_a_stroke_is_continuous_however_fast_the_pointer_moves(view: View, marked: Path) -> None:
    program = paused(view, marked)
    pixels, corner = block(program)
    program.press("[", "[", "[", "[")
    at = [(corner[0] + (column + 0.5) * pixels, corner[1] + 50.5 * pixels) for column in (10, 80)]
    program.drag(*at)
    world = program.world()
    assert (world["material"][50, 10:81] != 0).all()
    assert not (world["material"][50, [*range(10), *range(81, 96)]] != 0).any()


@pytest.mark.long("each test of the window starts the program")
def test_a_button_held_still_pours(view: View, marked: Path) -> None:
    program = paused(view, marked)
    pixels, corner = block(program)
    program.press("1")
    at, before = (round(corner[0] + 40.5 * pixels), round(corner[1] + 5.5 * pixels)), program.world()
    program.desktop.do("mousemove", *at, "mousedown", 1)
    laid = len(filled(program.world()))
    program.press("p")

    def poured() -> int:
        program.settle()  # a frame without input, in which ticks run however slow they are
        return len(filled(program.world())) - laid

    wait_until(lambda: poured() > 40, "more than was laid at the press")
    program.desktop.do("mouseup", 1)
    program.press("p", "ctrl+z")
    assert program.world().digest() == before.digest(), "the scene as it was"
    program.press("ctrl+alt+shift+z")
    assert program.world().atoms["water"].erased > 0, "taken back in place"


@pytest.mark.long("a window; the camera is tested without one")
@pytest.mark.parametrize("by", ["middle", "left and space"])
def test_dragging_pans_the_world_by_the_same_distance(view: View, marked: Path, by: str) -> None:
    button, _, held = by.partition(" and ")
    program = paused(view, marked)
    before = block(program)[1]
    program.drag((700, 300), (720, 310), (773, 341), button=button, held=held)
    after = block(program)[1]
    assert (after[0] - before[0], after[1] - before[1]) == (73, 41)
    assert (program.world()["material"] != 0).sum() == 8 * 4 + 4 * 4


@pytest.mark.long("a window; the camera is tested without one")
def test_the_wheel_zooms_about_the_pointer(view: View, marked: Path) -> None:
    program = paused(view, marked)
    pixels, corner = block(program)
    at = corner[0] + 24 * pixels, corner[1] + 32 * pixels
    program.wheel(at, 2)
    nearer, moved = block(program)
    assert nearer > pixels
    assert abs(moved[0] + 24 * nearer - at[0]) <= 1
    assert abs(moved[1] + 32 * nearer - at[1]) <= 1


@pytest.mark.long("each test of the window starts the program")
def test_pause_step_and_reset(view: View, marked: Path) -> None:
    program = paused(view, marked)
    first = program.world()
    program.press(".", ".", "shift+.")
    assert program.world().tick == first.tick + 12
    program.press("r")
    assert program.world().tick == 0


@pytest.mark.long("each test of the window starts the program")
def test_the_night_begins_and_ends_with_a_key(view: View, marked: Path) -> None:
    program = paused(view, marked)
    day = program.settle()
    program.press("n")
    night = program.settle()
    program.press("n")
    middle = (slice(150, 500), slice(300, 1000))
    assert night[middle].mean() < 0.5 * day[middle].mean()
    np.testing.assert_array_equal(program.settle()[middle], day[middle])


@pytest.mark.long("each test of the window starts the program")
def test_a_held_key_pauses_once(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.desktop.do("keydown", "p", "keydown", "p", "keydown", "p", "keyup", "p")  # as the X server repeats keys
    first = program.world().tick
    wait_until(lambda: program.world().tick > first, "ticks")


@pytest.mark.long("a window; the actions of keys are tested without one")
def test_typing_in_the_search_runs_no_action(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press("f4")
    program.click(SEARCH)
    program.write("po")
    program.press("escape")
    first = program.world()
    program.wait_frames(20)  # in which a world that runs has run
    assert program.world().tick == first.tick


@pytest.mark.long("a window; the brush is tested without one")
def test_a_click_on_a_panel_paints_nothing(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press("f4", "end")
    program.drag((700, 300), (300, 300), (100, 300), button="middle")
    before = program.world().digest()
    program.click((130, 226))
    program.click((200, 782))
    assert program.world().digest() == before


@pytest.mark.parametrize(
    "desktop", mostly_long([(800, 600), (1280, 800)], (800, 600), why="another size of the screen"), indirect=True
)
def test_the_window_is_as_large_as_the_screen_allows(view: View, desktop: Desktop, marked: Path) -> None:
    program = view(marked)
    assert program.size == desktop.size


@pytest.mark.long("each test of the window starts the program")
def test_a_resized_window_is_filled(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.resize((900, 500))
    wait_until(lambda: program.size == (900, 500), "the new size")
    picture = program.settle()
    window = picture[:500, :900]
    assert (window[490, 5:895].max(axis=1) > 0).all(), "the time bar reaches from edge to edge"
    assert find(picture, MARK, SHADES) is not None


@pytest.mark.long("each test of the window starts the program")
@pytest.mark.parametrize("desktop", [(1400, 900)], indirect=True)
def test_full_screen_and_back(view: View, marked: Path, desktop: Desktop) -> None:
    program = paused(view, marked)
    small = program.size
    program.press("f11")
    wait_until(lambda: program.size == desktop.size, "the whole screen")
    program.press("f11")
    wait_until(lambda: program.size == small, "the window again")


@pytest.mark.long("each test of the window starts the program")
def test_the_close_key_ends_the_program(view: View, marked: Path) -> None:
    program = view(marked)
    program.press("ctrl+q")
    assert (program.ended(), program.said) == (0, "")


@pytest.mark.long("each test of the window starts the program")
def test_the_close_button_ends_the_program(view: View, marked: Path) -> None:
    program = view(marked)
    program.ask_to_close()
    assert (program.ended(), program.said) == (0, "")


def test_closing_with_unsaved_changes_asks_for_confirmation(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.click((700, 500))
    program.press("ctrl+q")
    program.settle()
    assert program.process.poll() is None
    program.press("escape", ".")
    assert program.world().tick > 0, "the program goes on; reading its world has saved it"
    program.press("ctrl+q")
    assert program.ended() == 0


@pytest.mark.long("each test of the window starts the program")
def test_opening_with_unsaved_changes_asks_for_confirmation(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.click((700, 500))
    program.press("ctrl+o")
    program.write("hourglass")
    program.press("enter", "escape")
    program.settle()
    assert "hourglass" not in program.desktop.do("getwindowname", program.window)
    assert (program.world()["material"] != 0).sum() > 8 * 4 + 4 * 4, "reading the world has saved it"
    program.press("ctrl+o")
    program.write("hourglass")
    program.press("enter")
    program.settle()
    assert "hourglass" in program.desktop.do("getwindowname", program.window)


@pytest.mark.long("the request that asks is in the short run")
def test_a_second_close_request_skips_the_confirmation(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.click((700, 500))
    program.press("ctrl+q")
    program.settle()
    program.ask_to_close()
    assert program.ended() == 0


@pytest.mark.long("each test of the window starts the program")
def test_a_scene_named_in_the_browser_opens(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press("ctrl+o")
    program.write("hourglass")
    program.press("enter")
    program.settle()
    assert "hourglass" in program.desktop.do("getwindowname", program.window)


@pytest.mark.long("each test of the window starts the program")
def test_a_page_that_hides_the_cell_under_the_pointer_is_seen(view: View, marked: Path) -> None:
    """The panel reads no cell then, and no test waits for that."""
    program = paused(view, marked)
    program.resize((800, 500))
    program.press("f4", "f2")
    program.move((300, 300))
    beside = program.settle()[:500, :800]
    program.press("f1")
    assert (program.settle()[:500, :800] != beside).any()


@pytest.mark.long("each test of the window starts the program")
def test_escape_closes_a_menu_before_a_page(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press("f1")
    page = program.settle()
    program.click((24, 12))  # the menu World
    menu = program.settle()
    program.press("escape")
    program.move((640, 790))
    closed = program.settle()
    program.press("escape")
    shown = [picture[60:700, 20:300] for picture in (page, menu, closed, program.settle())]
    np.testing.assert_array_equal(shown[2], shown[0])
    assert (shown[1] != shown[0]).any()
    assert (shown[3] != shown[0]).any()


@pytest.mark.long("each test of the window starts the program")
def test_space_pauses_and_a_drag_with_space_held_does_not(view: View, marked: Path) -> None:
    program = paused(view, marked)
    first = program.world().tick
    program.drag((700, 300), (720, 310), held="space")
    program.wait_frames(5)
    assert program.world().tick == first
    program.press("space")
    wait_until(lambda: program.world().tick > first, "ticks")


@pytest.mark.parametrize("known", mostly_long([True, False], why="each test of the window starts the program"))
def test_first_steps_are_shown_at_the_first_start_only(view: View, marked: Path, known: bool) -> None:
    program = view(marked, known=known)
    program.press("p")
    # What is compiled for the first tick is told meanwhile.
    wait_until(lambda: np.array_equal(program.settle(), program.settle()), "a picture that stays")
    before = program.settle()[ABOVE_THE_TIME_BAR]
    program.press("escape")
    assert np.array_equal(before, program.settle()[ABOVE_THE_TIME_BAR]) == known


def test_view_without_a_display_says_what_to_do(marked: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    command = [sys.executable, "-m", "gpufluid", "view", marked]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert "gpufluid serve" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_view_with_old_opengl_names_the_needed_version(desktop: Desktop, marked: Path) -> None:
    environment = desktop.environment | {"MESA_GL_VERSION_OVERRIDE": "3.3"}
    command = [sys.executable, "-m", "gpufluid", "view", marked]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert "OpenGL 4.3" in done.stderr
    assert len(done.stderr.splitlines()) == 1
