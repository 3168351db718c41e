"""Layout of the panels: no panel covers another or cuts off its contents, at any size of window or text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui

from gpufluid import World
from gpufluid.gpu.device import Device
from gpufluid.io.loading import load
from gpufluid.rules.laws import Gravity
from gpufluid.scene.matched_picture import MatchedPicture
from gpufluid.viewer import panels
from gpufluid.viewer.area import Area
from gpufluid.viewer.panels import messages, outlines, style, tools, widgets
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.tool import MODES
from gpufluid.viewer.viewer import Viewer

SIZES = [(800, 500), (1280, 800), (2560, 1440)]
ALL = ("palette", "inspector", "overlays", "statistics", "time", "picture")
SETS = [
    (),
    ("time",),
    ("palette",),
    ("statistics", "time"),
    ALL,
    (*ALL, "help"),
    (*ALL, "scenes"),
    (*ALL, "scenes", "files"),
]
SETS += [(*ALL, "welcome")]


@pytest.fixture(scope="module")
def viewers() -> Iterator[dict[str, Viewer]]:
    found = {name: Viewer(load(name)) for name in ("dam_break", "hourglass")}
    for viewer in found.values():
        for frame in range(4):
            viewer.advance(frame * 0.5)
            viewer.sim.step(3)
    yield found
    for viewer in found.values():
        viewer.close()


@pytest.fixture(scope="module")
def gradient(tmp_path_factory: pytest.TempPathFactory) -> MatchedPicture:
    """A picture of as many colours as the panel lists, in a file with a long name."""
    path = tmp_path_factory.mktemp("pictures") / "a picture whose name is longer than a column is wide.png"
    Image.fromarray(np.add.outer(np.arange(64), 3 * np.arange(64)).astype(np.uint8)).save(path)
    return MatchedPicture.read(path)


def laid_out(
    viewer: Viewer,
    device: Device,
    size: tuple[int, int],
    scale: float,
    opened: tuple[str, ...],
    widths: tuple[float, float] = (0.0, 0.0),
) -> UiState:
    """Draw the panels for four frames, in columns of these widths in line heights. Returns their state."""
    shown = SimpleNamespace(shown=lambda _: imgui.ImTextureRef(1))
    ui = UiState(device, shown)  # pyright: ignore[reportArgumentType]
    viewer.panels = {name: name in opened for name in viewer.panels}
    ui.column_widths.update(left=widths[0], right=widths[1])
    ui.browsing = "files" in opened
    viewer.camera.resize(size)
    style.apply(scale)
    imgui.get_io().display_size = imgui.ImVec2(*size)
    ui.pointer = size[0] / 2, size[1] / 2
    for frame in range(4):
        ui.now = 1.0 + frame / 5
        imgui.get_io().delta_time = 0.2
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()
    if ui.gallery is not None:
        ui.gallery.close()
    return ui


def overlap(one: Area, other: Area) -> bool:
    return (
        min(one.right, other.right) - max(one.left, other.left) > 1
        and min(one.bottom, other.bottom) - max(one.top, other.top) > 1
    )


@pytest.mark.usefixtures("imgui_context")
def test_a_column_scrolls_to_a_panel_that_opens(viewers: dict[str, Viewer], device: Device) -> None:
    viewer, size = viewers["hourglass"], (800, 500)
    viewer.overlay, viewer.messages = None, []
    ui = laid_out(viewer, device, size, 2.0, ("inspector", "overlays"))
    scrolled = []
    for opened in (("inspector", "overlays"), ("inspector", "overlays", "statistics")):
        viewer.panels = {name: name in opened for name in viewer.panels}
        for _ in range(3):
            imgui.new_frame()
            panels.draw(viewer, ui)
            imgui.render()
        window = imgui.internal.find_window_by_name("right")
        scrolled.append((window.scroll.y, window.scroll_max.y))
    assert scrolled[0][0] == 0
    assert 0 < scrolled[1][0] <= scrolled[1][1], "the panel is below the end of the window"


def draw_with_pointer(viewer: Viewer, ui: UiState, at: tuple[float, float], down: bool, seconds: float = 1.0) -> None:
    """Draw the panels in two frames of that length, the pointer at a pixel, its left button down or up."""
    imgui.get_io().add_mouse_pos_event(*at)
    imgui.get_io().add_mouse_button_event(0, down)
    for _ in range(2):
        ui.now += seconds
        imgui.get_io().delta_time = seconds
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()


@pytest.mark.usefixtures("imgui_context")
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_a_drag_sets_the_width_of_a_column_and_a_double_click_makes_it_usual(
    viewers: dict[str, Viewer], device: Device, side: str, size: tuple[int, int]
) -> None:
    viewer = viewers["hourglass"]
    viewer.overlay, viewer.messages = None, []
    ui = laid_out(viewer, device, size, 1.0, ("palette", "statistics", "time"))
    usual = ui.free_area
    at = usual.left - 3 if side == "left" else usual.right + 3
    inwards = 1 if side == "left" else -1
    draw_with_pointer(viewer, ui, (at, 300), down=False)
    draw_with_pointer(viewer, ui, (at, 300), down=True)
    draw_with_pointer(viewer, ui, (at + 60 * inwards, 320), down=True)
    draw_with_pointer(viewer, ui, (at + 60 * inwards, 320), down=False)
    moved = ui.free_area.left - usual.left if side == "left" else usual.right - ui.free_area.right
    assert abs(moved - 60) <= 4
    assert usual.width - ui.free_area.width == pytest.approx(moved), "the other column stays"
    at = ui.free_area.left - 3 if side == "left" else ui.free_area.right + 3
    draw_with_pointer(viewer, ui, (at, 300), down=False)
    draw_with_pointer(viewer, ui, (at, 300), down=True)
    draw_with_pointer(viewer, ui, (size[0] / 2 + inwards * size[0] * 0.49, 300), down=True)
    draw_with_pointer(viewer, ui, (size[0] / 2 + inwards * size[0] * 0.49, 300), down=False)
    assert 200 < ui.free_area.width < 240
    at = ui.free_area.left - 3 if side == "left" else ui.free_area.right + 3
    for seconds, down in ((9.0, False), (0.01, True), (0.01, False), (0.01, True), (0.01, False), (0.01, False)):
        draw_with_pointer(viewer, ui, (at, 300), down, seconds)
    assert ui.free_area == usual, "the world keeps its room, and gets back what it had"


@pytest.mark.usefixtures("imgui_context")
def test_a_drag_that_is_faster_than_a_frame_sets_the_width_too(viewers: dict[str, Viewer], device: Device) -> None:
    viewer = viewers["hourglass"]
    viewer.overlay, viewer.messages = None, []
    ui = laid_out(viewer, device, (1280, 800), 1.0, ("palette", "time"))
    at, usual = ui.free_area.left - 3, ui.free_area.left
    draw_with_pointer(viewer, ui, (at, 300), down=False)
    imgui.get_io().add_mouse_button_event(0, True)
    imgui.get_io().add_mouse_pos_event(at + 40, 300)
    imgui.get_io().add_mouse_pos_event(at + 60, 300)
    imgui.get_io().add_mouse_button_event(0, False)
    draw_with_pointer(viewer, ui, (700, 300), down=False)
    draw_with_pointer(viewer, ui, (700, 300), down=False)
    assert abs(ui.free_area.left - usual - 60) <= 4


@pytest.mark.usefixtures("imgui_context")
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("widths", [(13.0, 13.0), (60.0, 0.0), (0.0, 60.0), (200.0, 200.0)])
def test_columns_of_any_width_leave_the_world_its_room(
    viewers: dict[str, Viewer], device: Device, widths: tuple[float, float], size: tuple[int, int], scale: float
) -> None:
    viewer = viewers["hourglass"]
    viewer.overlay, viewer.messages = viewer.overlays[0].name, []
    ui = laid_out(viewer, device, size, scale, ALL, widths)
    assert not [pair for pair in combinations(ui.areas, 2) if overlap(*pair)]
    assert ui.free_area.width >= min(14 * 16 * scale, size[0] * 0.44) - 0.1
    for name in ("left", "right"):
        window = imgui.internal.find_window_by_name(name)
        if window is not None and window.active:
            assert window.scroll_max.x == 0


@pytest.mark.usefixtures("imgui_context")
@pytest.mark.parametrize("rules", [("atoms", "heat"), ("flow",), ("mixture",)], ids="+".join)
@pytest.mark.parametrize("width", [208, 270])
def test_the_tool_panel_is_as_high_for_every_tool(rules: tuple[str, ...], width: int, device: Device) -> None:
    viewer, ui = Viewer(World(8, 8, rules), device), UiState(device, None)  # pyright: ignore[reportArgumentType]
    heights = set()
    for mode, material, speed in product(MODES, viewer.materials[:1] + viewer.materials[-1:], (0.0, 2.0)):
        viewer.do("material", name=material)
        viewer.do("velocity", x=speed)
        viewer.do("tool", mode=mode)
        imgui.new_frame()
        imgui.set_next_window_size((width, 700))
        imgui.begin("tool")
        tools.draw(viewer, ui)
        heights.add(imgui.get_cursor_pos_y())
        imgui.end()
        imgui.render()
    assert len(heights) == 1
    viewer.close()


@pytest.mark.usefixtures("imgui_context")
@pytest.mark.parametrize("opened", SETS, ids=lambda names: "+".join(names) or "nothing")
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("scene", ["dam_break", "hourglass"])
def test_panels_neither_overlap_nor_cut_off_their_contents(
    viewers: dict[str, Viewer],
    device: Device,
    gradient: MatchedPicture,
    scene: str,
    size: tuple[int, int],
    scale: float,
    opened: tuple[str, ...],
) -> None:
    viewer = viewers[scene]
    viewer.overlay = viewer.overlays[0].name
    viewer.matched = gradient
    viewer.messages = []
    viewer.tell("Something went wrong with a file whose name is long enough to need a second line. " * 2, "error")
    ui = laid_out(viewer, device, size, scale, opened)
    for area in ui.areas:
        assert area.left >= 0
        assert area.top >= 0
        assert area.right <= size[0]
        assert area.bottom <= size[1]
        assert area.height > 1
    assert not [pair for pair in combinations(ui.areas, 2) if overlap(*pair)]
    for name in ("left", "right", "time", "messages", "help", "scenes", "welcome"):
        window = imgui.internal.find_window_by_name(name)
        if window is not None and window.active:
            assert window.scroll_max.x == 0, f"{name} is too narrow for what is in it"


@pytest.mark.parametrize("zoom", [-6, -1, 0, 3])
@pytest.mark.parametrize("at", [(640, 400), (20, 790)])
def test_lines_show_the_edge_of_the_world_as_far_as_it_is_seen(
    viewers: dict[str, Viewer], zoom: int, at: tuple[int, int]
) -> None:
    """By night the sky of an open world and what lies around it are alike."""
    viewer = viewers["hourglass"]
    viewer.camera.resize((1280, 800))
    viewer.do("fit")
    viewer.do("zoom", steps=zoom, at=at)
    drawn, cells = np.zeros((800, 1280), int), np.zeros((800, 1280), bool)
    for left, top, right, bottom in outlines.edge_of_world(viewer):
        drawn[int(top) : int(bottom), int(left) : int(right)] += 1
    (left, top), (right, bottom) = (viewer.camera.pixel_of(at) for at in ((0, 0), viewer.camera.world))
    cells[max(round(top), 0) : max(round(bottom), 0), max(round(left), 0) : max(round(right), 0)] = True
    around = np.pad(cells, 1, mode="edge")
    around = (around[:-2] | around[2:])[:, 1:-1] | (around[:, :-2] | around[:, 2:])[1:-1]
    assert not (drawn[cells] > 0).any()
    if viewer.camera.stretch == 1:
        np.testing.assert_array_equal(drawn[around & ~cells], 1)
    assert drawn.max() <= 1


@pytest.mark.usefixtures("imgui_context")
def test_no_tooltip_lies_over_a_page_that_has_just_opened(viewers: dict[str, Viewer], device: Device) -> None:
    viewer = viewers["hourglass"]
    viewer.overlay, viewer.messages = None, []
    delays = []
    ui = laid_out(viewer, device, (1280, 800), 1.0, ("palette", "time"))
    for place, opened in (((40, 67), False), ((40, 67), True), ((40, 67), True), ((41, 67), True), ((41, 67), False)):
        viewer.panels["help"] = opened
        ui.pointer = place
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()
        delays.append(imgui.get_style().hover_delay_short < 1)
    assert delays == [True, False, False, True, True]


@pytest.mark.usefixtures("imgui_context")
def test_a_note_is_shown_once_and_an_error_goes_after_some_time(
    viewers: dict[str, Viewer], device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer, said = viewers["hourglass"], []
    viewer.overlay, viewer.messages = None, []
    ui = laid_out(viewer, device, (1280, 800), 1.0, ("time",))
    began = time.monotonic()
    for text, kind in (("a note", "note"), ("an error", "error"), ("a note", "note"), ("a note", "note")):
        viewer.tell(text, kind)
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    shown = []
    for seconds in (1, 5, 8, 18, 30):
        said.clear()
        ui.now = began + seconds
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()
        shown.append(list(said))
    assert shown == [["an error", "a note"]] * 2 + [["an error"]] * 2 + [[]]


@pytest.mark.usefixtures("imgui_context")
@pytest.mark.parametrize(
    ("gravity", "steps", "size", "covers"),
    [
        ("down", 0, (1280, 800), False),
        ("down", 0, (1000, 800), False),
        ("down", 5, (1280, 800), True),
        ("up", 5, (1280, 800), True),
        ("left", 5, (1280, 800), True),
    ],
)
def test_messages_lie_beside_the_world_or_away_from_its_floor(
    gravity: Gravity, steps: int, size: tuple[int, int], covers: bool, device: Device
) -> None:
    """A world that fills the window has nothing beside it."""
    viewer = Viewer(World(90, 160 if size[0] > 1000 else 16, ("atoms",), gravity=gravity), device)
    viewer.camera.resize(size)
    ui = laid_out(viewer, device, size, 1.0, ("palette", "time"))
    free = ui.free_area
    around = free.left, free.top, size[0] - free.right, size[1] - free.bottom
    left, top, right, bottom = (round(margin) for margin in around)
    viewer.camera.margins = left, top, right, bottom
    viewer.do("fit")
    viewer.do("zoom", steps=steps, at=(640, 400))
    panels_before = set(ui.areas)
    viewer.tell("This world was saved by another version, and this is said in a line. " * 2)
    for _ in range(3):
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()
    (told,) = set(ui.areas) - panels_before
    world = outlines.box_of_world(viewer)
    assert overlap(told, Area(*world)) == covers
    floor = {"down": slice(3, 4), "up": slice(1, 2), "left": slice(0, 1)}[gravity]
    if covers and gravity != "left":
        assert told.box[floor] != ui.free_area.box[floor], "the floor is seen"
    viewer.close()


@pytest.mark.usefixtures("imgui_context")
def test_what_a_message_offers_is_taken_by_its_button_until_an_edit_follows(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer, labels, pressed = Viewer(World(20, 20, ("atoms",)), device), [], False

    def button(label: str) -> bool:
        labels.append(label.partition("##")[0])
        return pressed

    said: list[str] = []
    monkeypatch.setattr(messages.imgui, "small_button", button)
    monkeypatch.setattr(messages.widgets, "wrapped", lambda text, *_: said.append(text))
    ui = UiState(device, None)  # pyright: ignore[reportArgumentType]

    def offered() -> list[str]:
        labels.clear()
        said.clear()
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()
        return labels

    viewer.do("material", name="sand")
    for number in range(3):
        viewer.do("paint", points=[(4 + 5 * number, 4)])
        assert offered() == [], "an edit follows"
        assert not any("time is back" in text for text in said), "nor where time no longer is"
        viewer.do("step", ticks=5)
        viewer.do("undo")
        assert offered() == ["Keep the time, take back what still lies"]
        assert any("time is back" in text for text in said)
        assert viewer.sim.tick == 0
    pressed = True
    offered()
    assert viewer.sim.tick == 5
    assert offered() == []
    viewer.close()


@pytest.mark.usefixtures("imgui_context")
@pytest.mark.parametrize(("opened", "drawn"), [((), True), (("help",), False), (("scenes",), False)])
def test_no_outline_of_the_world_lies_over_a_page(
    viewers: dict[str, Viewer], device: Device, monkeypatch: pytest.MonkeyPatch, opened: tuple[str, ...], drawn: bool
) -> None:
    outlined: list[Viewer] = []
    monkeypatch.setattr(outlines, "draw", lambda viewer, *_: outlined.append(viewer))
    viewer = viewers["hourglass"]
    viewer.overlay, viewer.messages = None, []
    laid_out(viewer, device, (1280, 800), 1.0, ("palette", "time", *opened))
    assert bool(outlined) == drawn
