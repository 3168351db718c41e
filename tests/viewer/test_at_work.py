"""The program in a window: palette, overlays, panels, screenshots, films and snapshots."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.desktop import ABOVE_THE_TIME_BAR, SEARCH, Box, Program, find
from support.marks import CORNER, FITTED, SIZE
from support.patience import PATIENCE, wait_until
from support.selection import mostly_long

import gpufluid
from gpufluid.matter.materials import RECORDS, colour_of
from gpufluid.render.painter import colour_table
from gpufluid.rules import RULES
from gpufluid.viewer.viewer import Viewer

DOT = (237, 41, 41)
View = Callable[..., Program]


def paused(view: View, *words: object) -> Program:
    program = view(*words)
    program.press("p")
    program.settle()
    return program


def swatch(program: Program, material: str) -> Box:
    """The box of a material's colour swatch in the palette (the left column): the lowest one, below the favourites."""
    palette, colour = program.picture()[30:750, 5:265], colour_of(RECORDS[material]["colour"])
    rows = np.flatnonzero((np.abs(palette.astype(int) - colour).max(axis=2) <= 1).any(axis=1))
    assert rows.size, material
    top = int(rows[np.flatnonzero(np.diff(rows, prepend=-2) > 1)[-1]])
    found = find(palette[top:], colour, slack=1)
    assert found is not None
    return Box(found.left + 5, found.top + top + 30, found.right + 5, found.bottom + top + 30)


@pytest.mark.parametrize(
    "material",
    mostly_long(["water", "stone", "methane"], why="a window for each; test_window.py paints, too"),
)
def test_clicking_a_palette_swatch_selects_its_material(view: View, marked: Path, material: str) -> None:
    program = paused(view, marked)
    program.click(swatch(program, material).middle)
    program.settle()
    program.click((776, 600))
    world = program.world()
    assert (world["material"] == world.materials[material]).sum() > 8


def painted_by(program: Program, *inputs: Callable[[Program], object]) -> list[str]:
    """Act, click into the world, and so on. Returns the material of each clicked cell."""
    for number, act in enumerate(inputs):
        act(program)
        program.click((500 + 100 * number, 600))
    world = program.world()
    columns = [(500 + 100 * number - CORNER[0]) // FITTED for number in range(len(inputs))]
    found = world["material"][(600 - CORNER[1]) // FITTED, columns]
    return [world.materials.records[number].name for number in found]


@pytest.mark.long("each test of the window starts the program")
def test_digits_and_o_select_materials(view: View, marked: Path) -> None:
    with_names = Viewer(gpufluid.load(marked))
    names = with_names.materials
    with_names.close()
    program = paused(view, marked)
    keys = [lambda program, key=key: program.press(key) for key in ("2", "o", "o", "shift+o")]
    place = names.index("sand")
    assert painted_by(program, *keys) == [names[place + further] for further in (0, 1, 2, 1)]


@pytest.mark.long("another session; tests/viewer/test_favourites.py sets favourites without a window")
def test_shift_and_a_digit_over_the_palette_set_a_favourite(view: View, marked: Path) -> None:
    program = paused(view, marked)

    def set_it(program: Program) -> None:
        program.move(swatch(program, "snow").middle)
        program.settle()  # the palette is drawn with the pointer there
        program.press("shift+3")

    assert painted_by(program, set_it, lambda program: program.press("3"))[1] == "snow"
    assert (program.folder / "settings" / "gpufluid" / "favourites.toml").exists()


@pytest.mark.long("each test of the window starts the program")
def test_enter_in_the_search_chooses_the_first_material(view: View, marked: Path) -> None:
    program = paused(view, marked)

    def search(program: Program) -> None:
        program.click(SEARCH)
        program.write("oi")
        program.press("enter")

    names = [name for name in RECORDS if "oi" in name]
    assert names[0] == "oil"
    (found,) = painted_by(program, search)
    assert "oi" in found
    assert find(program.settle()[30:750, 5:265], colour_of(RECORDS["sand"]["colour"]), slack=1), "all are shown again"


@pytest.mark.parametrize(
    "scene",
    mostly_long(["dam_break", "hourglass"], why="all overlays of a rule, in a window of their own"),
)
def test_each_overlay_is_drawn_with_its_legend(view: View, scene: str) -> None:
    program = paused(view, scene)
    program.press("shift+.", "shift+.", "f5")
    offered = [overlay for rule in gpufluid.load(scene).rules for overlay in RULES[rule].overlays]
    world = slice(100, 700), slice(300, 980)
    pictures = []
    for number, overlay in enumerate(offered, 1):
        program.press(*["d"] * number, ".")  # run a tick: some overlays show what the last tick did
        pictures.append(program.settle())
        program.press("shift+d")
        plain = program.settle()
        assert not np.array_equal(pictures[-1][world], plain[world]), overlay.name
        if not overlay.lines:
            highest = colour_table(overlay)[-1][:3]
            assert find(pictures[-1][:, 1000:], highest, slack=2) is not None, f"{overlay.name}: no legend"
            assert find(plain[:, 1000:], highest, slack=2) is None
    assert len({picture[world].tobytes() for picture in pictures}) == len(offered)


@pytest.mark.long("a window; the brush is tested without one")
def test_heat_brush_in_the_window_adds_counted_heat(view: View) -> None:
    program = paused(view, "ice_dam")
    program.press("h")
    program.drag((500, 300), (700, 500))
    now = program.world()
    assert now.heat.given > 0
    assert gpufluid.load("ice_dam").heat_held() + now.heat.balance == now.heat_held()


@pytest.mark.long("each test of the window starts the program")
def test_a_palette_group_collapses_on_click(view: View, marked: Path) -> None:
    program = paused(view, marked)
    water, sand = (colour_of(RECORDS[name]["colour"]) for name in ("water", "sand"))
    at = swatch(program, "sand")
    program.click((at.left + 8, at.top - 27 + 8))
    below = program.settle()[at.top - 10 : 750, 5:265]  # the favourites stay
    assert find(below, sand, slack=1) is None
    assert find(below, water, slack=1) is not None


@pytest.mark.long("it opens all panels in turn")
def test_every_panel_opens_and_closes_by_its_key(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.move((700, 120))
    for key in ("f1", "f2", "f4", "f5", "f6"):
        before = program.settle()[ABOVE_THE_TIME_BAR]
        program.press(key)
        assert not np.array_equal(program.settle()[ABOVE_THE_TIME_BAR], before), f"{key} opens"
        program.press(key)
        assert np.array_equal(program.settle()[ABOVE_THE_TIME_BAR], before), f"{key} closes"


@pytest.mark.long("each test of the window starts the program")
def test_scene_browser_draws_pictures_of_its_scenes(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press("ctrl+o")
    wait_until(lambda: (program.picture()[80:700, 280:1250].min(axis=2) > 240).mean() > 0.05, "pictures")


@pytest.mark.long("each test of the window starts the program")
def test_screenshot_equals_the_world_on_the_screen(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.move((700, 10))  # away from the world: the brush outline is drawn around the pointer
    screen = program.settle()  # before a message covers a part of the world
    path = program.made(".png", lambda: program.press("f12"))
    picture = np.asarray(Image.open(path).convert("RGB"))
    height, width = SIZE[1] * FITTED, SIZE[0] * FITTED
    assert picture.shape == (height, width, 3)
    corner = find(screen[30:750, 280:], (245, 246, 248), slack=0)
    assert corner is not None
    left, top = corner.left + 280, corner.top + 30
    assert np.array_equal(screen[top : top + height, left : left + width], picture)


ENDS: dict[str, Callable[[Program], object]] = {
    "by its key": lambda program: program.press("ctrl+r"),
    "with the window": lambda program: program.press("ctrl+q"),
    "with the terminal": lambda program: program.process.send_signal(signal.SIGHUP),
}


@pytest.mark.parametrize(
    "ends", mostly_long(ENDS, why="a whole film for each of its ends; test_films.py has films without a window")
)
def test_a_red_dot_is_shown_while_a_film_is_recorded(view: View, marked: Path, ends: str) -> None:
    program = view(marked)
    assert find(program.settle()[:22], DOT) is None
    program.press("ctrl+r")
    assert find(program.settle()[:22], DOT) is not None
    wait_until(lambda: program.world().tick > 90, "a second and a half of the world, at 60 ticks a second")
    film = program.made(".mp4", lambda: ENDS[ends](program))
    if ends == "by its key":
        assert find(program.settle()[:22], DOT) is None
    else:
        assert (program.ended(), program.said) == ((1, "gpufluid: interrupted\n") if "terminal" in ends else (0, ""))
    if shutil.which("ffprobe") is None:
        pytest.skip("ffprobe is not installed (package ffmpeg)")
    asked = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", film]
    answer = json.loads(subprocess.run(asked, capture_output=True, check=True, timeout=PATIENCE).stdout)
    assert int(answer["streams"][0]["nb_read_frames"]) > 5


@pytest.mark.long("each test of the window starts the program")
def test_a_saved_snapshot_opens_with_the_same_digest(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.click((776, 600))
    first = program.made(".npz", lambda: program.press("ctrl+s"))
    program.press("ctrl+q")
    assert program.ended() == 0
    again = paused(view, first)
    again.press("r")
    assert again.world().digest() == gpufluid.load(first).digest()


@pytest.mark.long("a window; scenes are written and read without one")
def test_a_world_saved_as_a_scene_loads_with_the_same_materials(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.click((776, 600))
    path = program.made(".toml", lambda: program.press("ctrl+shift+s"))
    assert np.array_equal(gpufluid.load(path)["material"], program.world()["material"])


def test_opening_an_invalid_scene_shows_an_error_and_keeps_the_world(view: View, marked: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.toml").write_text("size = [3")
    program = paused(view, marked)
    before = program.world()
    program.press("ctrl+o")
    program.write("b.toml")
    red = 255, 115, 97
    assert find(program.settle()[500:760, 280:], red, slack=12) is None
    program.press("enter")
    assert find(program.settle()[500:760, 280:], red, slack=12) is not None, "the message"
    assert program.world().digest() == before.digest()
