"""Starts gpufluid as its command does, slows its frames if asked to, and answers when input is handled and seen.

Run as ``python observed.py FOLDER SECONDS FRAMES COMPILING view ...``. After its input a test in another process asks
by a number in a file. The window answers with this number once it shows a whole picture that was begun after all input
before the question was handled. So a test waits for a frame, and never for a time.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import struct
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

_NUMBER = struct.Struct("=q")
_PROGRESS = struct.Struct("=qq")


class Slowness(NamedTuple):
    """How much longer the frames of a window take.

    Args:
        seconds: added to each frame.
        frames: the number of frames that are slow, from the first one on; None: all.
        compiling: seconds that the compiler takes longer for each program.
    """

    seconds: float = 0.0
    frames: int | None = None
    compiling: float = 0.0


class Progress(NamedTuple):
    """Progress of a window.

    Args:
        frames: number of frames shown.
        answered: the number of the last question answered.
    """

    frames: int = 0
    answered: int = 0


def words_of(slowness: Slowness) -> list[str]:
    """The arguments SECONDS, FRAMES and COMPILING."""
    frames = "all" if slowness.frames is None else str(slowness.frames)
    return [f"{slowness.seconds:g}", frames, f"{slowness.compiling:g}"]


def ask(folder: Path, number: int) -> None:
    """Ask the window for an answer; numbers count up from 1."""
    _write(folder / "asked", _NUMBER.pack(number))


def read(folder: Path) -> Progress:
    """Read the progress of a window; all zeros before its first frame."""
    path = folder / "progress"
    return Progress(*_PROGRESS.unpack(path.read_bytes())) if path.exists() else Progress()


def _asked(folder: Path) -> int:
    path = folder / "asked"
    return int(_NUMBER.unpack(path.read_bytes())[0]) if path.exists() else 0


def _write(path: Path, data: bytes) -> None:
    whole = path.with_suffix(".new")
    whole.write_bytes(data)
    whole.replace(path)


def observe(folder: Path, slowness: Slowness) -> None:
    """Let the windows of this process be as slow, write their progress after each frame, and answer questions."""
    import glfw
    from imgui_bundle import imgui

    from gpufluid.gpu import dispatch
    from gpufluid.runtime.editing import Workbench
    from gpufluid.viewer.events import Events
    from gpufluid.viewer.glfw_window import GlfwWindow
    from gpufluid.viewer.pacing import Pacing

    swap, view, draw = GlfwWindow.swap_buffers, Workbench.view, Pacing.draw
    frames = answered = asked = views = 0
    begun = whole_since = 0  # the frames in which the picture in progress and the last whole one were begun
    after: tuple[int, float] | None = None  # the frame that begins after all input was handled, and a time before it

    def sync() -> None:
        """Receive all that the screen has sent, and let it show all that was drawn."""
        x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
        x11.XSync.argtypes = ctypes.c_void_p, ctypes.c_int
        x11.XSync(glfw.get_x11_display(), 0)

    def view_and_note(bench: Workbench, *given: object, **named: object) -> object:
        nonlocal begun, whole_since, views
        views += 1
        size, rows = given[2], given[4]  # a slow picture is drawn in bands of rows, a few in each frame
        begun = frames if rows[0] == 0 else begun
        drawn = view(bench, *given, **named)
        whole_since = begun if rows[1] == size[1] else whole_since
        return drawn

    def draw_and_note(pacing: Pacing, *given: Any) -> object:
        nonlocal whole_since
        before, drawn = views, draw(pacing, *given)
        if views == before:  # the picture shows the present state already
            whole_since = frames
        return drawn

    def inspector_is_older_than(moment: float, events: Events) -> bool:
        """The inspector reads its cell ten times a second, unless a page hides it."""
        shown = any("Cell under the pointer" in titles for titles in events._ui.columns.values())
        return shown and events._ui.inspected[0] < moment

    def swap_and_note(window: GlfwWindow) -> None:
        nonlocal frames, asked, answered, after
        events = window.listener
        if not isinstance(events, Events):  # the page before the first frame
            swap(window)
            return
        if slowness.frames is None or frames < slowness.frames:
            time.sleep(slowness.seconds)
        swap(window)
        frames += 1
        if asked == answered:
            asked, after = _asked(folder), None
            if asked != answered:
                sync()
                glfw.poll_events()
        if events.pending or imgui.get_current_context().input_events_queue.size():
            after = None
        elif after is None:
            after = frames, time.monotonic()
        elif whole_since >= after[0] and not inspector_is_older_than(after[1], events):
            sync()
            answered = asked
        _write(folder / "progress", _PROGRESS.pack(frames, answered))

    def compile_slowly(*given: object) -> object:
        time.sleep(slowness.compiling)
        return compiled(*given)

    compiled = dispatch.compile_program
    dispatch.compile_program = compile_slowly
    GlfwWindow.swap_buffers = swap_and_note
    Workbench.view = view_and_note
    Pacing.draw = draw_and_note


if __name__ == "__main__":
    folder, seconds, slow_frames, compiling = sys.argv[1:5]
    slow = None if slow_frames == "all" else int(slow_frames)
    observe(Path(folder), Slowness(float(seconds), slow, float(compiling)))
    del sys.argv[:5]
    sys.argv.insert(0, "gpufluid")
    from gpufluid.cli import main

    main()
