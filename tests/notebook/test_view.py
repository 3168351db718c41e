"""The live view of a notebook: painted in by events of a browser, and in a real notebook."""

from __future__ import annotations

import asyncio
import gc
import io
import re
import sys
import weakref
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image
from support.jupyter import TOKEN, jupyter, marimo, page_in_chromium
from support.patience import wait_until

from gpufluid import Simulation, World
from gpufluid.core.errors import MissingExtraError, UsageError
from gpufluid.core.extras import LIBRARIES

if TYPE_CHECKING:
    from gpufluid.notebook import View

pytestmark = pytest.mark.usefixtures("device")

EXTRA = "needs the extra notebook"


def test_without_its_extra_the_view_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "notebook", {"jupyter-rfb": "no_such_module"})
    for name in [name for name in sys.modules if name.startswith("gpufluid.notebook")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError) as caught:
        import_module("gpufluid.notebook")
    assert str(caught.value) == "gpufluid.notebook needs jupyter-rfb: pip install 'gpufluid[notebook]'"


@pytest.fixture
def view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[View]:
    """A paused view of an empty world of 64 x 48 cells, 640 x 480 pixels."""
    pytest.importorskip("jupyter_rfb", reason=EXTRA)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    from gpufluid.notebook import View

    view = View(World(48, 64, ("atoms",), seed=1), paused=True)
    yield view
    view.close()


def send(view: View, *events: dict[str, Any], until: Any = None) -> None:
    """Send events as the browser does, in a notebook's loop; then run frames until a function returns True."""

    async def run() -> None:
        view.canvas._has_visible_views = True
        for event in events:
            view.canvas._rfb_handle_msg(view.canvas, {"modifiers": [], **event}, [])
            await asyncio.sleep(0)
        for _ in range(1000):
            if until is None or until():
                break
            await asyncio.sleep(0.01)
        task, view.canvas._running = view.canvas._running, None
        if task is not None:
            task.cancel()

    asyncio.run(run())


def pointer(kind: str, cell: tuple[int, int], button: int = 0, **more: object) -> dict[str, Any]:
    """An event of the pointer in the middle of a cell of the whole world, 10 pixels a cell."""
    return {"type": f"pointer_{kind}", "x": 10 * cell[0] + 5, "y": 10 * cell[1] + 5, "button": button, **more}


def key(name: str, *modifiers: str) -> tuple[dict[str, Any], dict[str, Any]]:
    held = {"key": name, "modifiers": list(modifiers)}
    return {"type": "key_down", **held}, {"type": "key_up", **held}


RESIZE = {"type": "resize", "width": 640, "height": 480, "ratio": 1}


def cells_of(view: View, pixel: tuple[float, float]) -> tuple[float, float]:
    return view.viewer.camera.position_at(pixel)


@pytest.mark.long(EXTRA)
def test_a_drag_paints_and_the_right_button_erases(view: View) -> None:
    view.do("brush_size", cells=1)
    camera = view.viewer.camera

    def at(cell: tuple[int, int]) -> dict[str, float]:
        x, y = camera.pixel_of((cell[0] + 0.5, cell[1] + 0.5))
        return {"x": x, "y": y}

    send(
        view,
        RESIZE,
        {"type": "pointer_down", "button": 1, **at((3, 5))},
        {"type": "pointer_move", "button": 1, **at((9, 5))},
        {"type": "pointer_up", "button": 1, **at((9, 5))},
        {"type": "pointer_down", "button": 2, **at((4, 5))},
        {"type": "pointer_up", "button": 2, **at((4, 5))},
    )
    world = view.sim.read()
    sand = np.argwhere(world["material"] == world.materials["sand"]).tolist()
    assert sand == [[5, column] for column in (3, 5, 6, 7, 8, 9)]
    send(view, *key("z", "Control"), *key("z", "Control"))
    assert view.sim.counts()["sand"] == 0


@pytest.mark.long(EXTRA)
def test_keys_run_the_actions_of_the_window(view: View) -> None:
    send(view, RESIZE, *key("."), *key("."))
    assert view.sim.tick == 2
    send(view, *key(">", "Shift"))  # a keyboard has ">" on Shift, and no action is bound to it
    assert view.sim.tick == 2
    send(view, *key("d"))
    assert view.viewer.overlay == view.viewer.overlays[0].name == view._overlay.value
    send(view, *key("F1"), *key("s", "Control"))  # panels and files are the window's
    assert not view.viewer.panels["help"]
    left, top = view.viewer.camera.pixel_of((0, 0))
    send(view, *key("ArrowLeft"))
    np.testing.assert_allclose(view.viewer.camera.pixel_of((0, 0)), (left + 64, top), atol=1.5)


@pytest.mark.long(EXTRA)
def test_the_space_bar_pauses_unless_it_was_held_for_a_drag(view: View) -> None:
    down, up = key(" ")
    send(view, RESIZE, down, up, until=lambda: view.sim.tick > 3)
    assert not view.viewer.clock.paused
    assert view._play.description == "Pause"
    send(view, down, up)
    assert view.viewer.clock.paused
    left, top = view.viewer.camera.pixel_of((0, 0))
    drag = [pointer("down", (20, 20), 1), pointer("move", (25, 20), 1), pointer("up", (25, 20), 1)]
    send(view, down, *drag, up)
    np.testing.assert_allclose(view.viewer.camera.pixel_of((0, 0)), (left + 50, top), atol=1.5)
    assert view.viewer.clock.paused
    assert view.sim.counts()["sand"] == 0


@pytest.mark.long(EXTRA)
def test_the_wheel_zooms_about_the_pointer(view: View) -> None:
    send(view, RESIZE)
    scale, there = view.viewer.camera.scale, cells_of(view, (400, 300))
    send(view, *({"type": "wheel", "x": 400, "y": 300, "dx": 0, "dy": -50} for _ in range(4)))
    assert view.viewer.camera.scale.zoom > scale.zoom
    np.testing.assert_allclose(cells_of(view, (400, 300)), there, atol=0.1)


@pytest.mark.long(EXTRA)
def test_a_frame_is_the_picture_of_the_view(view: View) -> None:
    view.do("paint", points=[(10, 10), (40, 30)])
    send(view, {**RESIZE, "width": 300, "height": 200})
    assert view.viewer.camera.window == (300, 200)
    frame = view.canvas.get_frame()
    assert frame.shape == (200, 300, 3)
    send(view, *key("End"))  # a pixel a cell
    x, y = view.viewer.camera.offset
    np.testing.assert_array_equal(view.canvas.get_frame()[y : y + 48, x : x + 64], view.sim.frame())


@pytest.mark.long(EXTRA)
def test_the_controls_choose_what_the_viewer_has(view: View) -> None:
    view._material.value = "water"
    view._mode.value = "line"
    view._size.value = 9
    view._overlay.value = "speed"
    assert (view.viewer.tool.material, view.viewer.tool.mode, view.viewer.tool.size) == ("water", "line", 9)
    assert view.viewer.overlay == "speed"
    view._overlay.value = "none"
    assert view.viewer.overlay is None
    view._step.click()
    view._step.click()
    assert view._status.value == "tick 2"
    view._restart.click()
    assert view.sim.tick == 0
    view.do("material", name="oil")
    assert view._material.value == "oil"
    assert repr(view) == "<View 64x48 tick 0>"


@pytest.mark.long(EXTRA)
def test_a_view_of_a_simulation_begins_with_its_state_and_leaves_it_alone(view: View) -> None:
    from gpufluid.notebook import View

    world = World(8, 8, ("atoms",))
    world["material"][0, 3] = world.materials["sand"]
    with Simulation(world) as sim:
        sim.step(2)
        other = View(sim, paused=True)
        assert other.sim.digest() == sim.digest()
        other.do("step", ticks=3)
        assert (other.sim.tick, sim.tick) == (5, 2)
        other.close()
        other.close()
    assert repr(other) == "<View 8x8 tick 5, closed>"
    with pytest.raises(UsageError, match="this view is closed"):
        other.do("step")
    with pytest.raises(UsageError, match=r"View: 3; expected a Simulation, a World, or the name or file of a scene"):
        View(3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="no action is named 'paintt'"):
        view.do("paintt")


@pytest.mark.long(EXTRA)
def test_a_closed_view_keeps_nothing(view: View) -> None:
    from ipywidgets.widgets.widget import _instances

    from gpufluid.notebook import View

    def shown() -> list[str]:
        kinds = [type(widget).__name__ for widget in _instances.values()]
        return sorted(kind for kind in kinds if not kind.endswith(("Layout", "Style", "StyleModel")))

    before = shown()
    other = View(World(48, 64, ("atoms",)), paused=True)
    other.do("paint", points=[(10, 10)])
    viewer = weakref.ref(other.viewer)
    other.close()
    assert not other.viewer.history.can_undo
    assert shown() == before
    del other
    gc.collect()
    assert viewer() is None
    view.do("step")


@pytest.mark.long(EXTRA)
def test_a_cell_that_is_run_again_closes_its_earlier_views(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpufluid.notebook import View
    from gpufluid.notebook import view as module

    def run(cell: str | None, request: str, count: int = 1) -> list[View]:
        parent = {"metadata": {} if cell is None else {"cellId": cell}, "header": {"msg_id": request}}
        shell = SimpleNamespace(get_parent=lambda: parent)
        monkeypatch.setattr(module, "get_ipython", lambda: shell)
        return [View(World(8, 8, ("atoms",)), paused=True) for _ in range(count)]

    made = [*run("a", "1", count=2), *run("b", "2"), *run(None, "3"), *run(None, "4")]
    assert [each.canvas.ended for each in made] == [False] * 5
    (again,) = run("a", "5")
    assert [each.canvas.ended for each in made] == [True, True, False, False, False]
    for each in (again, view, *made):
        each.close()


@pytest.mark.long(EXTRA)
def test_time_stands_still_once_a_page_no_longer_confirms_frames(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is closed says nothing; another page that shows the view gets new frames."""
    from gpufluid.notebook import canvas as module

    view.do("step", ticks=2)  # compiles what a tick needs, which takes longer than a page may be silent
    monkeypatch.setattr(module, "_SILENT_SECONDS", 0.5)
    monkeypatch.setattr(module, "_HIDDEN_SECONDS", 0.01)
    canvas = view.canvas
    sent: list[int] = []
    monkeypatch.setattr(canvas, "send", lambda message, _: sent.append(message["index"]))
    still: list[int] = []

    def has_stopped() -> bool:
        still.append(view.sim.tick)
        return still[-1] > 2 and len(still) > 30 and len(set(still[-30:])) == 1

    send(view, RESIZE, *key(" "), until=has_stopped)
    assert not view.viewer.clock.paused
    frames, ticks = len(sent), view.sim.tick
    assert ticks > 2
    send(view, RESIZE, until=lambda: len(sent) > frames and view.sim.tick > ticks)
    assert len(sent) > frames
    assert view.sim.tick > ticks


@pytest.mark.long(EXTRA)
def test_an_error_of_a_frame_is_printed_once_and_pauses(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(view.canvas, "print", said.append)
    view.do("pause")
    view.sim.close()
    frames: list[int] = []
    after = view.canvas._after_frame
    monkeypatch.setattr(view.canvas, "_after_frame", lambda: (after(), frames.append(1)))
    send(view, RESIZE, until=lambda: len(frames) > 5)
    assert len(said) == 1
    assert "this simulation is closed" in said[0]
    assert view.viewer.clock.paused
    assert view._play.description == "Play"


@pytest.mark.long(EXTRA)
def test_another_world_keeps_the_material_and_the_overlay_of_the_tool(view: View) -> None:
    view.do("material", name="stone")
    view.do("open", path="dam_break")
    assert view.viewer.tool.material == view._material.value == "stone"
    view.do("overlay", name="mass")
    view.do("new", width=32, height=32, rules=("flow", "atoms"))
    assert (view.viewer.tool.material, view._material.value) == ("stone", "stone")


@pytest.mark.long(EXTRA)
@pytest.mark.parametrize(
    ("action", "arguments"),
    [("close", {}), ("panel", {"name": "help"}), ("ask_new", {}), ("request_open", {"path": "dam_break"})],
)
def test_an_action_that_asks_in_the_window_is_refused(view: View, action: str, arguments: dict[str, Any]) -> None:
    """Else time would stand still for an answer that nobody can give."""
    view.do("paint", points=[(10, 10)])
    with pytest.raises(UsageError, match=f"{action}: a notebook has no dialogs, pages and windows"):
        view.do(action, **arguments)
    view.do("pause")
    send(view, RESIZE, until=lambda: view.sim.tick > 0)
    assert view.sim.tick > 0


CELLS = (
    """from gpufluid import Simulation, World
from gpufluid.notebook import View
sim = Simulation(World(48, 64, rules=("atoms",), seed=1))
view = View(sim, paused=True)
view""",
    "print('sand:', view.sim.counts()['sand'], 'tick:', view.sim.tick)",
    """after = view.sim.read()
print('later:', view.sim.counts()['sand'], 'ticks:', after.tick > 20, 'bottom:', int(after['material'][47].any()))""",
)


def run_cell(page: Any, number: int, until: str) -> str:
    """Run a cell of the notebook and wait for a text in its output; returns the line that begins with the text."""
    page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    output = page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".jp-OutputArea-output", has_text=until)
    output.first.wait_for()
    return output.first.inner_text().strip()


@pytest.mark.long("a Jupyter server, a kernel and a browser")
def test_painting_in_a_notebook_in_a_browser_changes_the_cells(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="of the extra dev-all")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(made, tmp_path / "live.ipynb")
    with jupyter(tmp_path) as address, page_in_chromium() as page:
        page.goto(f"{address}/lab/tree/live.ipynb?token={TOKEN}")
        page.locator(".jp-Notebook .jp-CodeCell").nth(2).wait_for()
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        run_cell(page, 0, "Restart")
        picture = page.locator("img.renderview-view")
        page.wait_for_function("document.querySelector('img.renderview-view')?.naturalWidth > 100")
        before = Image.open(io.BytesIO(picture.screenshot())).convert("RGB")
        picture.hover()
        page.mouse.down()
        box = picture.bounding_box()
        page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 0.5 * box["height"], steps=5)
        page.mouse.up()
        page.wait_for_timeout(700)  # the last frame is sent without loss
        after = Image.open(io.BytesIO(picture.screenshot())).convert("RGB")
        changed = (np.asarray(before) != np.asarray(after)).any(axis=2)
        assert 0.01 < changed.mean() < 0.2
        text = run_cell(page, 1, "sand:")
        sand = int(text.split()[1])
        assert sand > 30
        assert text == f"sand: {sand} tick: 0"
        page.get_by_role("button", name="Play").click()
        page.locator(".widget-label", has_text=re.compile(r"tick \d\d\d")).wait_for()
        assert run_cell(page, 2, "later:") == f"later: {sand} ticks: True bottom: 1"


MARIMO = """import marimo

app = marimo.App()


@app.cell
def _():
    import asyncio
    from pathlib import Path

    import marimo as mo
    from gpufluid import World
    from gpufluid.notebook import View

    view = View(World(48, 64, rules=("atoms",), seed=1), size=(480, 360))

    async def report():
        while True:
            Path("found.txt").write_text(f"{view.sim.tick} {view.sim.counts()['sand']}")
            await asyncio.sleep(0.2)

    task = asyncio.create_task(report())
    mo.ui.anywidget(view.canvas)
    return
"""


@pytest.mark.long("a marimo server and a browser")
def test_painting_in_marimo_changes_the_cells(tmp_path: Path) -> None:
    pytest.importorskip("marimo", reason="of the extra dev-all")
    (tmp_path / "live.py").write_text(MARIMO)
    with marimo(tmp_path / "live.py") as address, page_in_chromium() as page:
        page.goto(address)
        picture = page.locator("img.renderview-view")
        picture.hover()
        page.mouse.down()
        wait_until(lambda: found(tmp_path)[1] > 20, "sand is poured")
        page.mouse.up()
        ticks, sand = found(tmp_path)
        wait_until(lambda: found(tmp_path)[0] > ticks + 30, "time runs")
        assert found(tmp_path)[1] >= sand


def found(folder: Path) -> tuple[int, int]:
    """(tick, cells of sand), as the notebook reports them; (0, 0) before the first report."""
    file = folder / "found.txt"
    words = file.read_text().split() if file.exists() else []
    return (int(words[0]), int(words[1])) if len(words) == 2 else (0, 0)
