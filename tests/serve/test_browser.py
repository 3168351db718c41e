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
from gpufluid.io import snapshots
from gpufluid.matter.materials import SHIPPED
from gpufluid.viewer.search import found

PAGE = Path(gpufluid.serve.__file__).parent / "page"
BROWSER = pytest.mark.long("of a browser, which needs the extra serve and Chromium")
SAND, STONE = (217, 185, 106), (138, 129, 114)


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

    def pause(self) -> None:
        self.page.click("#pause")
        wait_until(lambda: self.page.inner_text("#pause") == "Run", "time is paused")

    @property
    def digest(self) -> tuple[str, str]:
        return self.page.eval_on_selector("#digest", "each => [each.dataset.digest, each.dataset.tick]")

    def choose_sand(self) -> None:
        """Choose sand on a phone, by one tap."""
        self.page.tap("#quick [data-favourite=sand]")
        wait_until(lambda: self.page.inner_text("#now") == "sand", "the brush has sand")

    def _like(self, colour: tuple[int, int, int]) -> np.ndarray:
        """The pixels of the world that have about a colour, (pixels, 2): rows and columns."""
        picture = Image.open(io.BytesIO(self.page.locator("#picture").screenshot())).convert("RGB")
        away = np.abs(np.asarray(picture).astype(int) - colour).max(axis=2)
        return np.argwhere(away < 45)

    def count(self, colour: tuple[int, int, int]) -> int:
        """The number of these pixels."""
        return len(self._like(colour))

    def sand(self) -> int:
        """The number of pixels of the world that look like sand."""
        return self.count(SAND)

    def settled_sand(self) -> int:
        """This number, once it no longer changes."""
        found = [self.sand()]
        wait_until(lambda: found.append(self.sand()) or found[-1] == found[-2] > 0, "a picture that stands")
        return found[-1]

    def middle(self) -> tuple[float, float]:
        """The mean row and column of these pixels; there must be some."""
        row, column = self._like(SAND).mean(axis=0)
        return float(row), float(column)

    def set_slider(self, name: str, value: float) -> str:
        """Move a slider to a place that it did not have. Returns what it says once the server has answered."""
        before = self.said(name)
        self.page.locator(f"#{name}").fill(str(value))
        self.page.wait_for_timeout(1500)  # longer than the page shows what one has set, whatever the server says
        wait_until(lambda: self.said(name) != before, f"another value of the slider {name}")
        return self.said(name)

    def said(self, name: str) -> str:
        """What a slider says."""
        return self.page.inner_text(f"#{name}-said")

    def is_chosen(self, selector: str) -> bool:
        return "chosen" in (self.page.get_attribute(selector, "class") or "").split()

    def choose(self, selector: str) -> None:
        """Click a button that stands for a choice, and wait until the server says that it is chosen."""
        self.page.click(selector)
        wait_until(lambda: self.is_chosen(selector), f"{selector} is chosen")

    def drag(self, button: str, *places: tuple[float, float]) -> None:
        """Drag over places of the picture with a mouse button."""
        mouse = self.page.mouse
        mouse.move(*self.place(*places[0]))
        mouse.down(button=button)
        for each in places[1:]:
            mouse.move(*self.place(*each), steps=5)
        mouse.up(button=button)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A place in the picture, each coordinate 0 to 1, as pixels of the page."""
        box = self.page.locator("#picture").bounding_box()
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def paint(self, *places: tuple[float, float]) -> None:
        self.drag("left", *places)


@BROWSER
def test_a_search_lists_the_same_order_as_the_window(chromium) -> None:
    """The script's order of all materials and of harder names is that of Python, for each part of a name."""
    page = chromium.new_page()
    page.add_script_tag(content=(PAGE / "search.js").read_text().replace("export ", ""))
    harder = ["Old_dam-break", "dam break", "Dam", "a.dam", "b2dam", "élan", "x+(dam"]
    names = [*(record.name for record in SHIPPED), *harder]
    parts = {name[at : at + length] for name in names for at in range(len(name)) for length in range(1, 20)}
    texts = ["", " ", *sorted(parts), *(f" {name.upper()} " for name in names)]
    listed = "found(text, names.map((name) => ({ name }))).map((each) => each.name)"
    by_script = page.evaluate(f"([texts, names]) => texts.map((text) => {listed})", [texts, names])
    assert by_script == [found(text, names, lambda name: (name,)) for text in texts]
    page.close()


@BROWSER
def test_enter_in_the_search_chooses_the_exact_name(visit) -> None:
    page = visit().page
    page.fill("#search", "metal")
    assert page.locator("#materials [data-material]").all_inner_texts() == ["metal\nEnter", "molten metal"]
    page.press("#search", "Enter")
    wait_until(lambda: page.locator("#materials .chosen").inner_text() == "metal\nEnter", "metal is chosen")


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
    painter.page.keyboard.press("Control+z")
    wait_until(lambda: watcher.tick == start and watcher.sand() < 20, "the scene as it was")
    offer = "#notes button:visible"
    assert watcher.page.locator(offer).count() == 0, "that page has no brush"
    painter.page.click(offer)
    wait_until(lambda: painter.tick == start + 10 and painter.page.locator(offer).count() == 0, "the time again")
    painter.page.keyboard.press("Control+Shift+z")
    painter.page.click("[data-act=rewind][data-ticks='10']")
    wait_until(lambda: watcher.tick == start, "ten ticks back")
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


SLIDERS = {"size": 500, "share": 300, "throw-x": 1.5, "throw-y": -2}
"""The sliders of a world with rule atoms, and the positions to which a test moves them."""


@BROWSER
def test_each_control_of_a_tool_reaches_the_server(visit) -> None:
    """The page is loaded again: it then shows what the server has."""
    tab = visit()
    page = tab.page
    said = {name: tab.set_slider(name, value) for name, value in SLIDERS.items()}
    page.check("#over_walls")
    for group in ("mode", "shape"):
        for name in page.eval_on_selector_all(f"[data-{group}]", f"all => all.map(each => each.dataset['{group}'])"):
            tab.choose(f"[data-{group}='{name}']")
    tab.choose("[data-mode=paint]")
    tab.choose("[data-shape=square]")
    tab.choose("#materials [data-material=gravel]")
    tab.choose("[data-favourite=water]")
    page.click("[data-rule=reactions]")  # with it come brushes that heat, and their slider
    wait_until(lambda: page.is_visible("#degrees"), "the slider of degrees")
    tab.set_slider("degrees", 700)
    tab.choose("[data-mode=warm]")
    page.click("#undo")
    wait_until(lambda: page.is_hidden("#degrees"), "a world without heat again")
    page.keyboard.press("h")
    tab.choose("[data-mode=paint]")
    tab.choose("#fastest")
    page.reload()
    page.wait_for_selector("body[data-frames]")
    for name, words in said.items():
        wait_until(lambda name=name, words=words: tab.said(name) == words, f"the slider {name}")
    for selector in ("[data-mode=paint]", "[data-shape=square]", "[data-favourite=water]", "#fastest"):
        wait_until(lambda selector=selector: tab.is_chosen(selector), selector)
    assert page.is_checked("#over_walls")
    words = tab.set_slider("rate", 400)
    assert re.fullmatch(r"\d+ ticks/s", words)
    wait_until(lambda: not tab.is_chosen("#fastest"), "a limited speed")
    assert tab.said("rate") == words


@BROWSER
def test_buttons_of_the_mouse_the_wheel_and_the_view(visit) -> None:
    tab = visit()
    page = tab.page
    tab.pause()
    page.click("[data-material=sand]")
    for _ in range(4):
        page.keyboard.press("]")
    tab.paint((0.4, 0.3), (0.6, 0.3))
    wait_until(lambda: tab.sand() > 500, "sand")
    painted = tab.settled_sand()
    page.mouse.move(*tab.place(0.5, 0.3))
    page.mouse.wheel(0, -200)
    wait_until(lambda: tab.sand() > 1.05 * painted, "the wheel has made the world larger")
    tab.settled_sand()
    row, column = tab.middle()
    tab.drag("middle", (0.5, 0.3), (0.6, 0.3))
    wait_until(lambda: tab.middle()[1] > column + 20, "the view has moved to the right")
    row, column = tab.middle()
    page.keyboard.down("Space")
    tab.drag("left", (0.5, 0.3), (0.5, 0.4))
    page.keyboard.up("Space")
    wait_until(lambda: tab.middle()[0] > row + 20, "the view has moved down")
    page.click("[data-act=fit]")
    wait_until(lambda: abs(tab.sand() - painted) < 0.03 * painted, "the whole world")
    assert page.inner_text("#pause") == "Run", "the space bar of a drag starts no time"
    tab.drag("right", (0.35, 0.3), (0.65, 0.3))
    wait_until(lambda: tab.sand() < 20, "the right button has erased it")
    page.keyboard.press("Shift+Equal")  # the sign +: time faster
    wait_until(lambda: tab.said("rate") != "60 ticks/s", "another speed")
    page.keyboard.down("Alt")
    tab.paint((0.5, 0.5), (0.6, 0.4))
    page.keyboard.up("Alt")
    wait_until(
        lambda: float(page.input_value("#throw-x")) > 0 > float(page.input_value("#throw-y")), "an arrow's speed"
    )
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    before = page.evaluate(size)
    page.keyboard.press("Control+Equal")
    assert page.evaluate(size) > before


@BROWSER
def test_time_files_and_statistics(visit, tmp_path: Path) -> None:
    tab = visit()
    page = tab.page
    tab.pause()
    start = tab.tick
    tab.paint((0.4, 0.3), (0.6, 0.3))
    wait_until(lambda: page.is_enabled("#back"), "an edit")
    page.click("[data-act=step][data-ticks='100']")
    wait_until(lambda: tab.tick == start + 100, "a hundred ticks")
    page.click("#back")
    wait_until(lambda: tab.tick == start, "the tick of the stroke")
    page.click("[data-act=save_scene]")
    wait_until(lambda: list(tmp_path.glob("pond_*.toml")), "a scene in the folder")
    page.click("[data-panel=statistics]")
    page.click("#pause")
    wait_until(lambda: "atoms." in page.inner_text("#passes"), "the time of each pass")
    assert "wall" in page.inner_text("#plot-names") or "water" in page.inner_text("#plot-names")
    page.click("[data-panel=overlays]")
    tab.choose("#tint")
    tab.choose("#theme")
    page.click("#pause")
    page.click("[data-act=reset]")
    wait_until(lambda: tab.tick == 0, "the first tick")


@BROWSER
def test_the_brush_goes_to_another_page_and_keys_are_those_of_the_settings(chromium, tmp_path: Path) -> None:
    (tmp_path / "settings" / "gpufluid").mkdir(parents=True)
    (tmp_path / "settings" / "gpufluid" / "keys.toml").write_text('pause = "f8"\n')
    with served(tmp_path) as server:
        one, other = (Tab(chromium.new_context().new_page(), server.address) for _ in range(2))
        one.page.keyboard.press("F8")
        wait_until(lambda: one.page.inner_text("#pause") == "Run", "time is paused")
        other.page.click("#take")
        wait_until(lambda: "watching" in (one.page.get_attribute("body", "class") or ""), "the first page watches")
        other.page.click("[data-material=sand]")
        other.paint((0.4, 0.5), (0.6, 0.5))
        for tab in (one, other):
            wait_until(lambda tab=tab: tab.sand() > 100, "sand of the page that has the brush")
            assert tab.errors == []
            tab.page.context.close()


@BROWSER
def test_all_paint_with_tools_of_their_own(chromium, tmp_path: Path) -> None:
    with served(tmp_path, "--shared") as server:
        tabs = [Tab(chromium.new_context().new_page(), server.address) for _ in range(2)]
        tabs[0].pause()
        for tab, material, row in zip(tabs, ("sand", "stone"), (0.3, 0.6), strict=True):
            tab.choose(f"#materials [data-material={material}]")
            tab.paint((0.4, row), (0.6, row))
        for tab in tabs:
            wait_until(lambda tab=tab: tab.sand() > 100, "sand of the first page")
            wait_until(lambda tab=tab: tab.count(STONE) > 100, "stone of the second page")
            assert tab.page.is_hidden("#take")
        assert tabs[0].is_chosen("#materials [data-material=sand]"), "the other page's choice is its own"
        wait_until(lambda: tabs[0].digest == tabs[1].digest, "one world")
        for tab in tabs:
            assert tab.errors == []
            tab.page.context.close()


@BROWSER
def test_a_phone_that_is_turned_shows_the_world_and_its_tools(visit, chromium) -> None:
    upright = chromium.phone["viewport"]
    tab = visit(**chromium.phone | {"viewport": {"width": upright["height"], "height": upright["width"]}})
    page = tab.page
    page.tap("#pause")
    tab.choose_sand()
    page.touchscreen.tap(*tab.place(0.5, 0.5))
    wait_until(lambda: tab.sand() > 20, "sand")
    for axis in ("Width", "Height"):
        assert page.evaluate(f"document.documentElement.scroll{axis} - inner{axis}") <= 0, axis


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


PHONES = ((360, 640), (390, 844), (844, 390))
"""Screens of phones, (width, height) in CSS pixels; the last one lies on its side."""

CUT_OFF = """() => {
    const clip = (each) => each.closest("#left, #right, #clock, #filing, #viewing, dialog")?.getBoundingClientRect();
    const shown = [...document.querySelectorAll("button, input, output, label, h1, h2, td, p, span, a, select")]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width);
    const wrong = shown.filter((each) => {
        const box = each.getBoundingClientRect(), within = clip(each);
        const across = box.left < -0.5 || box.right > innerWidth + 0.5;
        const along = !within && (box.top < -0.5 || box.bottom > innerHeight + 0.5);
        const beside = within && (box.left < within.left - 0.5 || box.right > within.right + 0.5);
        const inner = each.clientWidth && each.tagName !== "INPUT" && each.scrollWidth > each.clientWidth + 1;
        return across || along || beside || inner;
    });
    const root = document.documentElement;
    const sheets = document.querySelectorAll("#left, #right, #clock, #filing, #viewing, #quick, nav, dialog");
    const scrolls = [...sheets].filter((each) => each.scrollWidth > each.clientWidth + 1);
    return [...wrong, ...scrolls].map((each) => each.id || each.textContent || each.outerHTML)
        .concat(root.scrollWidth > innerWidth || root.scrollHeight > innerHeight ? ["the page scrolls"] : []);
}"""
"""A script that returns the elements that are cut off by the screen or by their sheet, or whose text is."""


def overlaps(page, one: str, other: str) -> bool:
    """True if the boxes of two elements have a pixel in common."""
    a, b = (page.locator(each).first.bounding_box() for each in (one, other))
    return all(a[at] < b[at] + b[size] and b[at] < a[at] + a[size] for at, size in (("x", "width"), ("y", "height")))


@BROWSER
def test_on_a_phone_the_world_fills_the_width_nothing_is_cut_off_and_one_tap_changes_the_material(
    visit, chromium
) -> None:
    for width, height in PHONES:
        tab = visit(**chromium.phone | {"viewport": {"width": width, "height": height}})
        page, upright = tab.page, width < height
        if (width, height) != PHONES[0]:
            assert page.evaluate(CUT_OFF) == [], (width, "a page without the brush")
            page.tap("#take")
            page.wait_for_selector("#now")
        world = page.locator("#picture").bounding_box()
        assert world["width"] == width if upright else world["width"] > width / 2
        assert world["height"] == pytest.approx(world["width"] * 48 / 64, abs=1)
        picture = np.asarray(Image.open(io.BytesIO(page.locator("#picture").screenshot())).convert("RGB")).astype(int)
        beyond = (0x33, 0x36, 0x3B)
        middle = picture[picture.shape[0] // 2]
        assert (np.abs(middle[[3, -4]] - beyond).max(axis=1) > 60).all(), "no band beside the world"
        for name in page.eval_on_selector_all("nav [data-tab]", "all => all.map(each => each.dataset.tab)"):
            page.tap(f"nav [data-tab={name}]")
            if name == "view":
                for panel in ("overlays", "inspector", "statistics"):
                    page.tap(f"[data-panel={panel}]")
                    page.wait_for_selector(f"#{panel}")
                page.tap("[data-overlay=speed]")
                page.wait_for_selector("#legend")
                tab.choose("[data-overlay='']")
            assert page.evaluate(CUT_OFF) == [], (width, name)
            for material, place in (("stone", 2), ("water", 0)):
                page.tap(f"#quick > :nth-child({place + 1})")
                wait_until(lambda material=material, page=page: page.inner_text("#now") == material, material)
        page.tap("[data-act=screenshot]")
        page.wait_for_selector("#notes div")
        for gravity in ("up", "left", "down"):
            page.evaluate(f"document.body.dataset.gravity = '{gravity}'")
            assert not [each for each in ("#picture", "nav", "#quick", "#pause") if overlaps(page, "#notes div", each)]
        assert page.evaluate(CUT_OFF) == [], (width, "a message")
        page.tap("#notes div")
        page.tap("nav [data-tab=paint]")
        page.tap("[data-mode=emitter]")
        wait_until(lambda page=page: page.inner_text("#now") == "Emitter: water", "the tool and its material")
        assert page.evaluate(CUT_OFF) == [], (width, "a tool with a longer name")
        page.tap("[data-mode=paint]")
        wait_until(lambda page=page: page.inner_text("#now") == "water", "the first tool")
        page.touchscreen.tap(*tab.place(0.5, 0.2))
        wait_until(lambda page=page: page.is_enabled("#undo"), "an edit")
        start = tab.tick
        wait_until(lambda tab=tab, start=start: tab.tick > start + 5, "water that falls")
        page.tap("#undo")
        page.wait_for_selector("#notes .offer")
        assert page.evaluate(CUT_OFF) == [], (width, "a message with a button")
        page.tap("#redo")
        page.wait_for_selector("#notes .offer", state="detached")  # time is no longer where the message says


@BROWSER
def test_a_world_is_opened_made_and_resized_by_touch(visit, chromium, tmp_path: Path) -> None:
    snapshots.save(gpufluid.World(30, 20, ("atoms",)), tmp_path / "small.npz")
    for number in range(12):  # more files than a phone shows at once
        (tmp_path / f"broken_{number}.toml").write_text("size = [10")
    for width, height in PHONES:
        tab = visit(**chromium.phone | {"viewport": {"width": width, "height": height}})
        page = tab.page
        if (width, height) != PHONES[0]:
            page.tap("#take")

        def comes_to(title: str, page=page) -> None:
            wait_until(lambda: page.title() == title, title)

        page.tap("nav [data-tab=files]")
        for dialog in ("ask_open", "ask_new", "ask_resize"):
            page.tap(f"[data-dialog={dialog}]")
            page.wait_for_selector("#worlds[open]")
            assert page.evaluate(CUT_OFF) == [], (width, dialog)
            if dialog == "ask_open":
                page.tap("[data-entry='broken_0.toml']")
                page.wait_for_selector("#dialog-notes div")
                said = page.locator("#dialog-notes div").bounding_box()
                assert 0 < said["y"] < height - said["height"], "the message is seen"
            page.tap("#stay")
            page.wait_for_selector("#worlds", state="hidden")
        if (width, height) != PHONES[-1]:
            continue
        page.tap("[data-dialog=ask_open]")
        page.click("[data-entry='small.npz']", delay=500)  # the world runs on while a finger lies on it
        comes_to("small - gpufluid")
        page.wait_for_selector("#worlds", state="hidden")
        page.tap("[data-dialog=ask_new]")
        page.fill("#width", "0")
        wait_until(lambda page=page: "is 1 to" in page.inner_text("#problem"), "a size that is not possible")
        assert page.is_disabled("#confirm")
        page.fill("#width", "")
        wait_until(lambda page=page: "whole numbers" in page.inner_text("#problem"), "no size")
        page.fill("#width", "40")
        page.fill("#height", "24")
        page.select_option("#rules", "own")
        page.wait_for_selector("#own input")
        assert page.evaluate(CUT_OFF) == [], (width, "single rules")
        page.locator("[data-own=heat]").click(delay=500)
        wait_until(lambda page=page: page.locator("[data-own=heat]").locator("input").is_checked(), "heat")
        page.select_option("#rules", "matter")
        wait_until(lambda page=page: "960 cells" in page.inner_text("#cost"), "the cells of the size")
        page.tap("#confirm")
        comes_to("gpufluid")
        tab.choose_sand()
        page.touchscreen.tap(*tab.place(0.5, 0.5))
        wait_until(lambda page=page: page.is_enabled("#undo"), "an edit")
        page.tap("[data-dialog=ask_resize]")
        page.fill("#width", "50")
        wait_until(lambda page=page: "1,200 cells" in page.inner_text("#cost"), "the cells of the size")
        page.tap("#confirm")
        page.wait_for_selector("#worlds", state="hidden")
        page.tap("[data-dialog=ask_open]")
        page.tap("[data-entry=pond]")  # the world served at first
        page.wait_for_selector("#without")
        assert page.evaluate(CUT_OFF) == [], (width, "unsaved")
        page.tap("#without")
        comes_to("pond - gpufluid")


@BROWSER
def test_a_message_does_not_cover_the_floor(visit) -> None:
    page = visit().page
    page.click("[data-act=screenshot]")
    page.wait_for_selector("#notes div")
    note, world = (page.locator(each).bounding_box() for each in ("#notes div", "#picture"))
    assert note["y"] + note["height"] < world["y"] + world["height"] / 3
    page.click("#notes div")
    page.wait_for_selector("#notes div", state="detached")
    for gravity, at in (("up", "bottom"), ("left", "right")):
        page.evaluate(f"document.body.dataset.gravity = '{gravity}'")
        page.click("[data-act=screenshot]")
        page.wait_for_selector("#notes div")
        note, world = (page.locator(each).bounding_box() for each in ("#notes div", "#picture"))
        if at == "bottom":
            assert note["y"] > world["y"] + world["height"] / 2
        else:
            assert note["x"] > world["x"] + world["width"] / 10, "beside the floor"
        page.click("#notes div")


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
