"""The page in headless Chromium: what one paints is seen, by all, on a screen and on a phone."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.chromium import headless_chromium
from support.patience import PATIENCE, wait_until
from support.served import Served, served

import gpufluid.serve

PAGE = Path(gpufluid.serve.__file__).parent / "page"
BROWSER = pytest.mark.long("of a browser, which needs the extra serve and Chromium")
SAND = (217, 185, 106)


def test_the_page_is_whole_and_asks_no_other_host() -> None:
    """Every element that a script names is there, every file that is imported, and no address of another host."""
    texts = {path.name: path.read_text() for path in PAGE.iterdir()}
    ids = set(re.findall(r'id="([\w-]+)"', texts["index.html"]))
    for name, text in texts.items():
        named = set(re.findall(r'(?:byId|getElementById)\("([\w-]+)"\)', text))
        assert named <= ids, name
        assert set(re.findall(r'from "\./([\w.]+)"', text)) <= texts.keys()
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text), name
        assert "eval(" not in text
        assert "innerHTML" not in text
    assert set(re.findall(r'(?:src|href)="page/([\w.]+)"', texts["index.html"])) <= texts.keys()


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install -e '.[serve]'")
    with headless_chromium() as (playwright, browser):
        browser.phone = playwright.devices["Pixel 7"]
        yield browser


@pytest.fixture
def server(chromium, tmp_path: Path) -> Iterator[Served]:  # noqa: ARG001  without a browser nothing is served
    with served(tmp_path, "--folder", tmp_path) as found:
        yield found


@pytest.fixture
def visit(chromium, server: Served) -> Iterator[Callable[..., Tab]]:
    """``visit(**context)`` opens the address in a browser of its own; none may have an error at the end.

    ``copied`` is a script that runs before those of the page.
    """
    tabs = []

    def come(copied: str = "", **how: object) -> Tab:
        context = chromium.new_context(**({"viewport": {"width": 1000, "height": 640}} | how))
        context.add_init_script(copied)
        tabs.append(Tab(context.new_page(), server.address))
        return tabs[-1]

    yield come
    for tab in tabs:
        assert tab.errors == []
        tab.page.context.close()


class Tab:
    """A page in a browser, once it shows the world."""

    def __init__(self, page, address: str) -> None:
        self.page, self.errors = page, []
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("body[data-frames]")

    @property
    def tick(self) -> int:
        return int(re.search(r"tick ([\d,]+)", self.page.inner_text("#said"))[1].replace(",", ""))

    @property
    def digest(self) -> tuple[str, str]:
        return self.page.eval_on_selector("#digest", "each => [each.dataset.digest, each.dataset.tick]")

    def choose_sand(self) -> None:
        """Choose sand on a phone, where a tab opens the palette and another shows the world again."""
        page = self.page
        page.tap("[data-tab=left]")
        page.tap("[data-material=sand]")
        page.tap("[data-tab='']")
        page.wait_for_function("document.querySelector('#materials [data-material=sand]').classList.contains('chosen')")

    def sand(self) -> int:
        """The number of pixels of the world that look like sand."""
        picture = Image.open(io.BytesIO(self.page.locator("#picture").screenshot())).convert("RGB")
        away = np.abs(np.asarray(picture).astype(int) - SAND).max(axis=2)
        return int((away < 45).sum())

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A place in the picture, each coordinate 0 to 1, as pixels of the page."""
        box = self.page.locator("#picture").bounding_box()
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def paint(self, *places: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*self.place(*places[0]))
        mouse.down()
        for each in places[1:]:
            mouse.move(*self.place(*each), steps=5)
        mouse.up()


@BROWSER
def test_one_paints_undoes_rewinds_and_shows_an_overlay_and_another_sees_the_same(
    visit, server: Served, tmp_path: Path
) -> None:
    painter, watcher = visit(), visit()
    painter.page.keyboard.press("Space")
    wait_until(lambda: painter.page.inner_text("#pause") == "Run", "time is paused")
    painter.page.click("[data-material=sand]")
    painter.page.fill("#search", "stone")
    assert painter.page.locator("[data-material]").count() < 5
    painter.page.fill("#search", "")
    for _ in range(4):
        painter.page.keyboard.press("]")
    painter.paint((0.4, 0.3), (0.6, 0.3))
    for tab in (painter, watcher):
        wait_until(lambda tab=tab: tab.sand() > 500, "sand on the page")
    painter.page.keyboard.press("Meta+r")  # restarts nothing: it is the browser's own
    painter.page.keyboard.press("Control+z")
    for tab in (painter, watcher):
        wait_until(lambda tab=tab: tab.sand() < 20, "no sand on the page")
    painter.page.click("#redo")
    wait_until(lambda: watcher.sand() > 500, "sand on the page again")
    start = painter.tick
    painter.page.click("[data-act=step][data-ticks='10']")
    wait_until(lambda: watcher.tick == start + 10, "ten ticks")
    painter.page.click("[data-act=rewind][data-ticks='10']")
    wait_until(lambda: watcher.tick == start, "ten ticks back")
    wait_until(lambda: painter.digest == watcher.digest == [painter.digest[0], str(start)], "the digest of this tick")
    painter.page.keyboard.press("F5")
    painter.page.click("[data-overlay=speed]")
    wait_until(lambda: watcher.page.is_visible("#legend"), "the legend of the overlay")
    wait_until(lambda: watcher.sand() < 20, "the overlay in place of the materials")
    painter.page.keyboard.press("Shift+d")
    wait_until(lambda: watcher.page.is_hidden("#legend"), "no legend")
    assert "watching" in watcher.page.get_attribute("body", "class")
    watcher.paint((0.4, 0.6), (0.6, 0.6))
    painter.page.click("[data-act=save]")
    wait_until(lambda: list(tmp_path.glob("pond_*.npz")), "a snapshot in the folder")
    saved = gpufluid.load(next(tmp_path.glob("pond_*.npz")))
    assert saved.digest() == painter.digest[0] == watcher.digest[0]
    assert server.process.poll() is None


@BROWSER
def test_panels_help_and_a_download(visit) -> None:
    tab = visit()
    tab.page.keyboard.press("F2")
    tab.page.keyboard.press("F3")
    tab.page.wait_for_selector("#inspector")
    tab.page.wait_for_selector("#statistics")  # the panels make the picture narrower
    tab.page.mouse.move(*tab.place(0.5, 0.5))
    wait_until(lambda: "empty (empty)" in tab.page.inner_text("#cell"), "the cell under the pointer")
    wait_until(lambda: "64 x 48 cells" in tab.page.inner_text("#speeds"), "the statistics")
    tab.page.keyboard.press("F1")
    tab.page.wait_for_selector("#help[open]")
    assert "Ctrl+Z" in tab.page.inner_text("#help")
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_selector("#help", state="hidden")
    with tab.page.expect_download() as download:
        tab.page.keyboard.press("F12")
    assert Path(download.value.path()).read_bytes()[:4] == b"\x89PNG"


@BROWSER
def test_a_phone_paints_by_touch_and_comes_back_after_a_reload(visit, chromium) -> None:
    tab = visit(**chromium.phone)
    page = tab.page
    tab.choose_sand()
    page.touchscreen.tap(*tab.place(0.5, 0.45))
    wait_until(lambda: page.is_enabled("#undo"), "an edit")
    page.reload()  # the connection ends and a new one begins, under the same name
    page.wait_for_selector("body[data-frames]")
    wait_until(lambda: page.is_enabled("#undo"), "the world with the edit")
    assert page.evaluate("!document.body.classList.contains('watching')"), "the page has its brush again"
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "nothing is wider than the screen"


class Fingers:
    """Fingers on the screen of a phone, by the protocol of Chromium's developer tools."""

    def __init__(self, tab: Tab) -> None:
        self._tab, self._tools = tab, tab.page.context.new_cdp_session(tab.page)

    def _send(self, kind: str, places: tuple[tuple[float, float], ...]) -> None:
        at = [self._tab.place(*each) for each in places]
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(at)]
        self._tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, *moments: tuple[tuple[float, float], ...], steps: int = 8) -> None:
        """Put fingers down, move them in steps from moment to moment, and lift them; each at places of the picture."""
        self._send("touchStart", moments[0])
        for before, after in pairwise(moments):
            for step in range(1, steps + 1):
                part = step / steps
                moved = [(x + part * (u - x), y + part * (v - y)) for (x, y), (u, v) in zip(before, after, strict=True)]
                self._send("touchMove", tuple(moved))
                self._tab.page.wait_for_timeout(30)
        self._send("touchEnd", ())


@BROWSER
def test_one_finger_paints_a_line_and_two_fingers_zoom_and_paint_nothing(visit, chromium) -> None:
    tab = visit(**chromium.phone)
    page = tab.page
    page.tap("#pause")
    tab.choose_sand()
    fingers = Fingers(tab)
    fingers.drag(((0.45, 0.5),), ((0.55, 0.5),))
    wait_until(lambda: page.is_enabled("#undo"), "an edit")
    wait_until(lambda: tab.sand() > 200, "a line of sand")
    painted = tab.sand()
    wait_until(lambda: tab.digest[1] == str(tab.tick), "the digest of this tick")
    digest = tab.digest
    fingers.drag(((0.48, 0.5), (0.52, 0.5)), ((0.4, 0.5), (0.6, 0.5)))
    wait_until(lambda: tab.sand() > 2 * painted, "the same sand, larger")
    assert tab.digest == digest


@BROWSER
def test_a_film_is_recorded_and_fetched(visit) -> None:
    tab = visit()
    page = tab.page
    page.click("#record")
    wait_until(lambda: page.inner_text("#record") == "End the film", "a film is recorded")
    page.click("[data-act=step][data-ticks='100']")
    with page.expect_download() as download:
        page.click("#record")
    assert Path(download.value.path()).read_bytes()[4:8] == b"ftyp"  # an MP4
    wait_until(lambda: page.inner_text("#record") == "Film", "no film is recorded")


@BROWSER
def test_a_copy_of_a_tab_is_a_page_of_its_own(visit) -> None:
    """A browser that copies a tab copies the name of its page; the first tab takes another name and goes on."""
    first = visit()
    name = first.page.evaluate("sessionStorage.getItem('gpufluid-page')")
    copied = f"sessionStorage.getItem('gpufluid-page') ?? sessionStorage.setItem('gpufluid-page', '{name}')"
    second = visit(copied=copied)
    wait_until(lambda: "2 people" in first.page.inner_text("#said"), "both tabs are there")
    wait_until(lambda: first.page.is_hidden("#lost"), "the first tab has a connection again")
    assert first.page.evaluate("sessionStorage.getItem('gpufluid-page')") != name
    assert second.page.evaluate("sessionStorage.getItem('gpufluid-page')") == name


@BROWSER
def test_a_page_of_an_earlier_start_says_so(chromium, tmp_path: Path) -> None:
    """The new server has a new token; the page says what to do, and does not try for ever."""
    with served(tmp_path) as server:
        tab = Tab(chromium.new_page(), server.address)
        server.stop()
    wait_until(lambda: "Trying again" in tab.page.inner_text("#lost"), "the connection is lost")
    with served(tmp_path, "--port", server.place.rpartition(":")[2]):
        wait_until(lambda: "started anew" in tab.page.inner_text("#lost"), "the page says what to do")
    tab.page.context.close()
