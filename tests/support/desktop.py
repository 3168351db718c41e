"""A virtual screen, the program in a window on it, and its input and output: keys, pointer and screenshots."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import pytest
from support import observed
from support.observed import Progress, Slowness
from support.patience import PATIENCE, wait_until
from support.processes import default_signals
from support.selection import mostly_long

import gpufluid
from gpufluid.world import World

NEEDED = {"Xvfb": "xvfb", "xdotool": "xdotool"}
"""The programs needed, and the packages that have them."""

KEYSYMS = {
    "[": "bracketleft",
    "]": "bracketright",
    ".": "period",
    ",": "comma",
    "=": "equal",
    "-": "minus",
    "+": "plus",
    "enter": "Return",
    "escape": "Escape",
    "backspace": "BackSpace",
    "delete": "Delete",
    "tab": "Tab",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
}
ABOVE_THE_TIME_BAR = slice(0, 740)
"""Rows of a window of 800: below them the ticks a second fall to 0 some time after the world was paused."""

SEARCH = (135, 310)
"""A pixel of the search in the palette of a world of atoms, in a window of 1280 x 800."""

BUTTONS = {"left": 1, "middle": 2, "right": 3}


AT_ANY_START = pytest.mark.parametrize(
    "view",
    mostly_long([None, Slowness(0.8, frames=5)], None, why="the same with slow first frames"),
    indirect=True,
    ids=["prompt start", "slow start"],
)
"""Runs a test of the window a second time, with slow first frames, in which the test's first input arrives."""


SLOW_COMPILER = pytest.mark.parametrize("view", [Slowness(compiling=0.15)], indirect=True, ids=["slow compiler"])
"""Runs a test of the window with a slow compiler, so that the page before the first frame is seen."""

BAR = (41, 107, 173)
"""The colour of the bar on that page."""

PAPER = (31, 33, 38)
"""The background of that page, and of panels."""


def missing() -> str | None:
    """The reason why there can be no virtual screen here; None: there can be one."""
    if not sys.platform.startswith("linux"):
        return "a window is tested under Xvfb, which is for Linux"
    lacking = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    return f"not installed: {', '.join(lacking)} (apt-get install {' '.join(lacking)})" if lacking else None


class Desktop:
    """An X server with one screen, which writes its picture to a file.

    Args:
        size: (width, height) in pixels.
        folder: the folder of that file.
    """

    def __init__(self, size: tuple[int, int], folder: Path) -> None:
        self.size = size
        self._picture = folder / "Xvfb_screen0"
        reading, writing = os.pipe()
        screen = f"{size[0]}x{size[1]}x24"
        words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", screen, "-fbdir", str(folder)]
        words += ["-nolisten", "tcp", "-noreset"]  # without -noreset a server restarts when its last client ends
        self._server = subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        self.display = f":{number}"

    def close(self) -> None:
        """Stop the server."""
        self._server.terminate()
        self._server.wait(PATIENCE)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of a program on this screen."""
        kept = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        return kept | {"DISPLAY": self.display}

    def picture(self) -> np.ndarray:
        """The picture of the screen, (height, width, 3) uint8. The file is an X window dump that the server maps."""
        data = self._picture.read_bytes()
        header = np.frombuffer(data, ">u4", 25)
        width, height, bits, stride, colours = (int(header[place]) for place in (4, 5, 11, 12, 19))
        assert bits == 32
        start = int(header[0]) + 12 * colours
        rows = np.frombuffer(data, np.uint8, stride * height, start).reshape(height, stride // 4, 4)[:, :width]
        big_endian = int(header[7]) == 1
        return np.ascontiguousarray(rows[:, :, 1:4] if big_endian else rows[:, :, 2::-1])

    @contextmanager
    def covered(self) -> Iterator[None]:
        """Another window lies over the whole screen meanwhile; xdotool cannot open one."""
        xlib = ctypes.CDLL(ctypes.util.find_library("X11"))
        xlib.XOpenDisplay.restype = ctypes.c_void_p
        server = ctypes.c_void_p(xlib.XOpenDisplay(self.display.encode()))
        xlib.XDefaultRootWindow.restype = xlib.XCreateSimpleWindow.restype = ctypes.c_ulong
        screen = ctypes.c_ulong(xlib.XDefaultRootWindow(server))
        window = ctypes.c_ulong(xlib.XCreateSimpleWindow(server, screen, 0, 0, *self.size, 0, 0, 0))
        xlib.XMapRaised(server, window)
        xlib.XSync(server, 0)
        yield
        xlib.XDestroyWindow(server, window)
        xlib.XSync(server, 0)
        xlib.XCloseDisplay(server)

    def ask_to_close(self, window: str) -> None:
        """Ask a window, by the number that xdotool tells, to close, as its close button does; xdotool cannot."""
        xlib = ctypes.CDLL(ctypes.util.find_library("X11"))
        xlib.XOpenDisplay.restype = ctypes.c_void_p
        server = ctypes.c_void_p(xlib.XOpenDisplay(self.display.encode()))
        xlib.XInternAtom.restype = ctypes.c_ulong
        protocols, delete = (xlib.XInternAtom(server, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        event = (ctypes.c_ulong * 24)()  # an XClientMessageEvent: type, serial, sent, display, window, message, format
        event[0], event[4], event[5], event[6], event[7] = 33, int(window), protocols, 32, delete
        xlib.XSendEvent(server, ctypes.c_ulong(int(window)), 0, ctypes.c_long(0), ctypes.byref(event))
        xlib.XCloseDisplay(server)

    def do(self, *words: object) -> str:
        """Run a command of xdotool and return its output."""
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the screen, in pixels; right and bottom are just outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2


def find(picture: np.ndarray, colour: Sequence[int], slack: int = 3) -> Box | None:
    """The smallest box around all pixels of a colour; None where there is none."""
    near = np.abs(picture.astype(int) - np.array(colour)).max(axis=2) <= slack
    if not near.any():
        return None
    rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
    return Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def is_starting(program: Program) -> bool:
    """Whether the page before the first frame is shown: a bar, and no menu."""
    picture = program.picture()
    menu = np.abs(picture[:20, :300].astype(int) - PAPER).max() > 20
    return find(picture, BAR) is not None and not menu


class Program:
    """gpufluid in a window, as a separate process.

    Args:
        desktop: the screen.
        folder: its working folder, where it also keeps its settings.
        words: the arguments of ``gpufluid``.
        known: whether it was started before; if so, it does not show the first steps.
        slowness: of its frames.

    Returns as soon as there is a window: input may come before its first frame.
    """

    def __init__(
        self,
        desktop: Desktop,
        folder: Path,
        words: Sequence[object],
        known: bool,
        slowness: Slowness,
    ) -> None:
        self.desktop, self.folder = desktop, folder
        settings = folder / "settings"
        (settings / "gpufluid").mkdir(parents=True, exist_ok=True)
        if known:
            (settings / "gpufluid" / "welcomed").touch()
        self._progress_folder = Path(tempfile.mkdtemp(dir=folder, prefix=".progress"))
        observer = [observed.__file__, self._progress_folder, *observed.words_of(slowness)]
        command = [sys.executable, "-P", *observer, *words]
        environment = desktop.environment | {"XDG_CONFIG_HOME": str(settings)}
        self._said = (folder / "said").open("w+")
        self.process = subprocess.Popen(
            [*map(str, command)],
            env=environment,
            cwd=folder,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=default_signals,
        )
        self._questions = 0
        self.window = ""
        wait_until(self._found, "the program's window")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(PATIENCE)
            self.process.kill()
        self.process.wait(PATIENCE)
        self._said.close()

    def _found(self) -> bool:
        assert self.process.poll() is None, f"it has ended: {self.said}"
        self.window = self.desktop.do("search", "--onlyvisible", "--name", "gpufluid").partition("\n")[0]
        return bool(self.window)

    @property
    def said(self) -> str:
        """The whole output of the program so far."""
        return (self.folder / "said").read_text()

    def ended(self) -> int:
        """Wait until the program ends, and return its exit code."""
        return self.process.wait(PATIENCE)

    def picture(self) -> np.ndarray:
        """The picture of the screen, (height, width, 3) uint8."""
        return self.desktop.picture()

    def settle(self) -> np.ndarray:
        """Wait until the program has handled all input so far and shows the result. Returns the picture.

        The picture was begun after that input was handled. Changes without input are not waited for: a running world, a
        note that fades, the ticks a second.
        """
        self._questions += 1
        observed.ask(self._progress_folder, self._questions)
        wait_until(lambda: self._progress().answered == self._questions, "a frame drawn after the input")
        return self.picture()

    def wait_frames(self, count: int) -> None:
        """Wait until the window has shown a number of frames more."""
        first = self._progress().frames
        wait_until(lambda: self._progress().frames >= first + count, f"{count} frames")

    def _progress(self) -> Progress:
        assert self.process.poll() is None, f"it has ended: {self.said}"
        return observed.read(self._progress_folder)

    def press(self, *chords: str) -> None:
        """Press keys, such as ``ctrl+shift+z``, one after another."""
        for chord in chords:
            *held, key = chord.split("+") if not chord.endswith("+") else [*chord[:-2].split("+"), "+"]
            words = [word for word in held if word]
            name = KEYSYMS.get(key, key.upper() if key[:1] == "f" and key[1:].isdigit() else key)
            self.desktop.do("key", "+".join([*words, name]))

    def write(self, text: str) -> None:
        """Press the keys of a text."""
        self.desktop.do("type", "--delay", 0, text)

    def move(self, at: tuple[float, float]) -> None:
        """Move the pointer to a pixel."""
        self.desktop.do("mousemove", round(at[0]), round(at[1]))

    def click(self, at: tuple[float, float], button: str = "left") -> None:
        """Click at a pixel."""
        self.desktop.do("mousemove", round(at[0]), round(at[1]), "click", BUTTONS[button])

    def double_click(self, at: tuple[float, float]) -> None:
        """Click twice at a pixel."""
        self.desktop.do("mousemove", round(at[0]), round(at[1]), "click", "--repeat", 2, "--delay", 20, 1)

    def drag(self, *places: tuple[float, float], button: str = "left", held: str = "") -> None:
        """Drag from the first pixel through the others to the last, with a key held if one is given."""
        words: list[object] = ["mousemove", *map(round, places[0])]
        words += ["keydown", held] if held else []
        words += ["mousedown", BUTTONS[button]]
        for place in places[1:]:
            words += ["mousemove", *map(round, place)]
        words += ["mouseup", BUTTONS[button]]
        self.desktop.do(*words, *(["keyup", held] if held else []))

    def wheel(self, at: tuple[float, float], notches: int) -> None:
        """Turn the wheel at a pixel by a number of notches, up if positive and down if negative."""
        if not notches:
            return
        click = ["click", "--repeat", abs(notches), "--delay", 0, 4 if notches > 0 else 5]
        self.desktop.do("mousemove", round(at[0]), round(at[1]), *click)

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window."""
        self.desktop.do("windowsize", "--sync", self.window, *size)

    def ask_to_close(self) -> None:
        """Ask the window to close, as its close button does."""
        self.desktop.ask_to_close(self.window)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the window."""
        lines = self.desktop.do("getwindowgeometry", "--shell", self.window).splitlines()
        found = dict(line.split("=") for line in lines if "=" in line)
        return int(found["WIDTH"]), int(found["HEIGHT"])

    def made(self, ending: str, act: Callable[[], object]) -> Path:
        """Act, wait until the program has written a new file with an ending, and return it."""
        before = set(self.folder.glob(f"[!.]*{ending}"))
        act()
        wait_until(lambda: set(self.folder.glob(f"[!.]*{ending}")) - before, f"a new file *{ending}")
        (path,) = set(self.folder.glob(f"[!.]*{ending}")) - before
        return path

    def world(self) -> World:
        """The current state, read from a snapshot that the program saves."""
        return gpufluid.load(self.made(".npz", lambda: self.press("ctrl+s")))
