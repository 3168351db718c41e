"""Draw the window as a picture: ``.venv/bin/python tools/picture_of_window.py docs/viewer.png``.

It needs Xvfb and xdotool. The window opens on a virtual screen of its own with a scene, the inspector and the
statistics; some seconds after it shows the world the screen is the picture. How far the world has come then depends on
the machine: draw it while nothing else runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import ImageGrab

SIZE = (1280, 800)
POINTER = (562, 479)
"""The place of the pointer: a cell of the world, which the inspector then shows."""

_GROUND = (400, 520, 700, 640)
"""A rectangle of the screen, (left, top, right, bottom), in which the world lies and no progress bar."""

_FLOOR = (400, 612, 700, 640)
"""A rectangle in which the floor of the scene lies, still, once the panels are open and the view has its size."""

_COLOURS = 8
"""A rectangle with more colours shows a world; before it the window has one colour there."""

_PATIENCE = 120.0
"""Seconds to wait for a window that opens, shows a world or closes."""


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """A virtual screen. Yields the environment of the programs on it. Raises: SystemExit: Xvfb does not start."""
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"]
    try:
        server = subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        raise SystemExit("Xvfb is not installed: apt-get install xvfb xdotool") from None
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            raise SystemExit("Xvfb did not start")
        kept = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        yield kept | {"DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait()


def xdotool(environment: dict[str, str], *words: str) -> str:
    """Run a command of xdotool and return its output. Raises: SystemExit: it is not installed."""
    try:
        return subprocess.run(["xdotool", *words], env=environment, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        raise SystemExit("xdotool is not installed: apt-get install xvfb xdotool") from None


def draw(file: Path, scene: str, seconds: float) -> None:
    """Open the window, wait, and write the picture. Raises: SystemExit: no window opened, or it shows no world."""
    with tempfile.TemporaryDirectory() as folder, screen() as environment:
        settings = Path(folder) / "gpufluid"
        settings.mkdir()
        (settings / "welcomed").touch()  # so that the first steps do not lie over the world
        command = [sys.executable, "-m", "gpufluid", "view", scene, "--size", f"{SIZE[0]}x{SIZE[1]}"]
        program = subprocess.Popen(command, env=environment | {"XDG_CONFIG_HOME": folder})
        try:
            begin = time.monotonic()
            while not (window := xdotool(environment, "search", "--onlyvisible", "--name", "gpufluid")):
                if program.poll() is not None or time.monotonic() - begin > _PATIENCE:
                    raise SystemExit("the window did not open")
                time.sleep(0.2)
            window = window.partition("\n")[0]
            xdotool(environment, "windowmove", "--sync", window, "0", "0")
            xdotool(environment, "mousemove", *map(str, POINTER))
            while ImageGrab.grab(_GROUND, xdisplay=environment["DISPLAY"]).getcolors(_COLOURS):
                if time.monotonic() - begin > _PATIENCE:
                    raise SystemExit("the window shows no world")
                time.sleep(0.2)
            before = floor = without_panels = ImageGrab.grab(_FLOOR, xdisplay=environment["DISPLAY"]).tobytes()
            for key in ("F2", "F3"):  # the inspector and the statistics
                xdotool(environment, "key", "--window", window, key)
            while floor == without_panels or floor != before:
                if time.monotonic() - begin > _PATIENCE:
                    raise SystemExit("the window opens no panels")
                time.sleep(0.3)
                before, floor = floor, ImageGrab.grab(_FLOOR, xdisplay=environment["DISPLAY"]).tobytes()
            time.sleep(seconds)
            ImageGrab.grab(xdisplay=environment["DISPLAY"]).save(file, optimize=True)
            xdotool(environment, "key", "--window", window, "ctrl+q")
            program.wait(_PATIENCE)
        finally:
            if program.poll() is None:
                program.terminate()
                program.wait()


def main() -> int:
    words = argparse.ArgumentParser(description="Draw the window as a picture.")
    words.add_argument("file", type=Path, metavar="FILE", help="a .png")
    words.add_argument("--scene", default="wood_fire", help="the name of a scene")
    words.add_argument("--seconds", type=float, default=14.0, help="from the first picture of the world to this one")
    given = words.parse_args()
    draw(given.file, given.scene, given.seconds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
