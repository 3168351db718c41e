"""Draw the page of ``gpufluid serve``: ``.venv/bin/python tools/picture_of_page.py docs/served.png [--phone]``.

It needs playwright, of the extra ``dev-all``, and Chromium. The page of a scene is opened in a browser of its own, with
the inspector and the statistics, or with ``--phone`` on the screen of a phone. The picture is taken
once the world has come to the given tick; how much further it has come depends on the machine.
"""

from __future__ import annotations

import argparse
import io
import shutil
import time
from pathlib import Path
from typing import Any

from PIL import Image
from server import served

from gpufluid.serve.line import MOST

SIZE = {"width": 1100, "height": 700}
PHONE = "Pixel 7"
POINTER = 0.5, 0.62
"""The place of the pointer in the world's picture, as parts of its width and height."""

_PATIENCE = 300.0
"""Seconds to wait for a server that starts, a page that shows a world, and the tick."""

_FRAMES = 2 * MOST
"""Frames to wait for after the panels have opened: those on their way were drawn for the picture's former size."""

_BROWSERS = "chromium", "chromium-browser", "google-chrome"


def draw(file: Path, scene: str, tick: int, phone: bool) -> None:
    """Open the page, wait, and write the picture. Raises: SystemExit: a program is missing, or there is no world."""
    try:
        from playwright.sync_api import Error, sync_playwright  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        raise SystemExit("playwright is not installed: pip install -e '.[dev-all]'") from None
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    with served(scene) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        screen: dict[str, Any] = playwright.devices[PHONE] if phone else {"viewport": SIZE}
        page = chromium.new_context(**screen).new_page()
        page.set_default_timeout(1000 * _PATIENCE)
        try:
            page.goto(address)
            page.wait_for_selector("body[data-frames]")
            if not phone:
                page.click("[data-panel=inspector]")
                page.click("[data-panel=statistics]")
                box = page.locator("#picture").bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
                page.mouse.move(box["x"] + POINTER[0] * box["width"], box["y"] + POINTER[1] * box["height"])
            begin, frames = time.monotonic(), _number(page, "body", "data-frames") + _FRAMES
            while _number(page, "#digest", "data-tick") < tick or _number(page, "body", "data-frames") < frames:
                if time.monotonic() - begin > _PATIENCE:
                    raise SystemExit(f"the world has not come to tick {tick}")
                page.wait_for_timeout(50)
            shot = Image.open(io.BytesIO(page.screenshot()))
            size = screen["viewport"]
            shot.convert("RGB").resize((size["width"], size["height"])).save(file, optimize=True)
        except Error as error:
            raise SystemExit(f"the page shows no world: {error.message.splitlines()[0]}") from None
        finally:
            chromium.close()


def _number(page: Any, selector: str, attribute: str) -> int:
    """An attribute of an element of the page, as a number; 0 while it is not there."""
    return int(page.get_attribute(selector, attribute) or 0)


def main() -> int:
    words = argparse.ArgumentParser(description="Draw the page of gpufluid serve as a picture.")
    words.add_argument("file", type=Path, metavar="FILE", help="a .png")
    words.add_argument("--scene", default="wood_fire", help="the name of a scene")
    words.add_argument("--tick", type=int, default=400, help="the least tick of the picture")
    words.add_argument("--phone", action="store_true", help="on the screen of a phone")
    given = words.parse_args()
    draw(given.file, given.scene, given.tick, given.phone)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
