"""The page Open: its input has the keys at once, filters what is listed, and opens the picked entry."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui
from support.dialogs import Drawn

from gpufluid import World
from gpufluid.gpu.device import Device
from gpufluid.io import snapshots
from gpufluid.viewer import panels
from gpufluid.viewer.panels.gallery import Gallery
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A viewer in a folder with two snapshots, a folder with one, and a text."""
    (tmp_path / "here" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr(Gallery, "work_on", lambda *_: None)
    for name, side in (("alpha", 10), ("beta", 12), ("deep/gamma", 14)):
        snapshots.save(World(side, side, ("atoms",)), Path(f"{name}.npz"))
    viewer = Viewer(World(16, 24, ("atoms",)), source="pool")
    viewer.clock.paused = True
    yield viewer
    viewer.close()


@pytest.fixture
def drawn(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawn]:
    """All panels, with the page Open."""
    drawn = Drawn(viewer, monkeypatch, panels.draw)
    drawn.ui.device, drawn.ui.renderer = viewer.sim.device, SimpleNamespace()  # pyright: ignore[reportAttributeAccessIssue]
    viewer.do("panel", name="scenes")
    yield drawn
    if drawn.ui.gallery is not None:
        drawn.ui.gallery.close()


def opened(viewer: Viewer, drawn: Drawn) -> int | None:
    """The width of the opened world, if the page has closed."""
    drawn.labels()
    return None if viewer.panels["scenes"] else viewer.sim.blank.width


def listed(drawn: Drawn, *, files: bool = False) -> None:
    drawn.ui.browsing = files
    drawn.until_focus()


def test_a_typed_part_of_a_name_and_enter_open_the_first_that_has_it(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn, files=True)
    drawn.write("bet")
    drawn.key(imgui.Key.enter)
    assert opened(viewer, drawn) == 12
    assert viewer.source.endswith("beta.npz")


def test_the_exact_name_of_a_file_comes_before_one_that_only_has_it(viewer: Viewer, drawn: Drawn) -> None:
    snapshots.save(World(18, 18, ("atoms",)), Path("a beta.npz"))
    listed(drawn, files=True)
    drawn.write("Beta")
    drawn.key(imgui.Key.enter)
    assert opened(viewer, drawn) == 12


def test_arrow_keys_pick_and_enter_enters_a_folder_and_then_opens_a_file(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn, files=True)
    assert [entry.name for entry in drawn.ui.browser.entries] == ["deep", "alpha.npz", "beta.npz"]
    drawn.key(imgui.Key.down_arrow, imgui.Key.down_arrow, imgui.Key.down_arrow)
    assert drawn.ui.browser.picked == 2
    drawn.key(imgui.Key.up_arrow, imgui.Key.up_arrow, imgui.Key.enter)
    drawn.until_focus()
    assert drawn.ui.browser.folder == Path("deep").resolve()
    drawn.key(imgui.Key.enter)
    assert opened(viewer, drawn) == 14


def test_the_picked_scene_is_that_of_the_whole_name_else_the_first(viewer: Viewer, drawn: Drawn) -> None:
    opened_names: list[object] = []
    viewer.do = lambda action, **given: opened_names.append(given.get("path")) if action == "request_open" else None
    listed(drawn)
    drawn.write("dam_break")
    drawn.key(imgui.Key.enter)
    drawn.labels()
    drawn.until_focus()
    drawn.clear()
    drawn.write("the volcano")
    drawn.key(imgui.Key.enter)
    assert [Path(str(path)).stem for path in opened_names[:1]] == ["dam_break"]
    assert opened_names[1:] == ["the volcano"]


def test_a_scene_is_found_by_its_title(drawn: Drawn) -> None:
    listed(drawn)
    assert drawn.ui.gallery is not None
    card = drawn.ui.gallery.cards[7]
    drawn.write(card.title.upper())
    drawn.labels()
    assert drawn.ui.picked == 0
    assert drawn.ui.path == card.title.upper()


def test_a_path_is_opened_whatever_is_listed(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn)
    drawn.write("deep/gamma.npz")
    drawn.key(imgui.Key.enter)
    assert opened(viewer, drawn) == 14


def test_the_path_of_a_folder_shows_the_folder(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn)
    drawn.write(f"{Path('deep').resolve()}")
    drawn.key(imgui.Key.enter)
    assert opened(viewer, drawn) is None
    assert (drawn.ui.browsing, drawn.ui.browser.folder) == (True, Path("deep").resolve())


def test_a_name_of_nothing_is_said_before_unsaved_work_is_asked_about(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("paint", points=[(3, 3)])
    listed(drawn)
    drawn.write("hourglas.toml")
    drawn.key(imgui.Key.enter)
    assert opened(viewer, drawn) is None
    assert viewer.question is None
    assert "there is no scene file 'hourglas.toml'" in viewer.messages[-1].text
    drawn.until_focus()
    assert drawn.ui.path == "hourglas.toml", "it can be corrected"
    drawn.clear()
    drawn.write("beta.npz")
    drawn.key(imgui.Key.enter)
    assert viewer.question == "unsaved"
    drawn.key(imgui.Key.enter)
    assert viewer.sim.blank.width == 12, "this Enter is for the dialog, the one before was not"


def test_escape_closes_the_page_and_it_begins_at_the_top_when_opened_again(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn, files=True)
    drawn.write("a")
    drawn.key(imgui.Key.down_arrow, imgui.Key.escape)
    assert not viewer.panels["scenes"]
    assert viewer.sim.blank.width == 24
    viewer.do("panel", name="scenes")
    drawn.until_focus()
    assert (drawn.ui.path, drawn.ui.browser.picked) == ("", 0)


def test_the_list_begins_at_its_top_again(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn)

    def scrolled() -> float:
        drawn.labels()
        return max(window.scroll.y for window in imgui.get_current_context().windows if "list" in window.name)

    drawn.key(*[imgui.Key.page_down] * 5)
    assert scrolled() > 0
    viewer.do("panel", name="scenes")
    drawn.labels()
    viewer.do("panel", name="scenes")
    assert scrolled() == 0


def click(drawn: Drawn, at: tuple[float, float]) -> None:
    imgui.get_io().add_mouse_pos_event(*at)
    drawn.labels()
    for down in (True, False):
        imgui.get_io().add_mouse_button_event(0, down)
        drawn.labels()


def test_a_click_picks_and_a_double_click_opens(viewer: Viewer, drawn: Drawn) -> None:
    listed(drawn, files=True)
    rows = next(window for window in imgui.get_current_context().windows if "list" in window.name and window.active)
    row = imgui.get_text_line_height_with_spacing()
    at = rows.pos.x + 40, rows.pos.y + 2.5 * row
    click(drawn, at)
    assert drawn.ui.browser.picked == 2
    assert viewer.panels["scenes"], "one click opens nothing"
    drawn.until_focus()
    drawn.ui.double_click = True  # as the second press is noted
    click(drawn, at)
    assert opened(viewer, drawn) == 12


def test_an_interrupt_waits_until_the_thread_that_reads_scenes_has_begun(device: Device) -> None:
    """A thread that is left half started would never end, and the program with it."""
    gallery = Gallery(device, SimpleNamespace())  # pyright: ignore[reportArgumentType]

    class Interrupted(ThreadPoolExecutor):
        def submit(self, *words: Any, **more: Any) -> Future[Any]:
            signal.raise_signal(signal.SIGINT)
            return super().submit(*words, **more)

    gallery._reader = Interrupted(1)
    with pytest.raises(KeyboardInterrupt):
        gallery.work_on(gallery.cards[0])
    assert gallery._read is not None
    gallery.close()
