"""Starts gpufluid as its command does, and writes the progress of its window to a file after each frame.

Run as ``python observed.py FILE view ...``. A test in another process reads the file. So the test knows when input is
handled and its picture is drawn, however long a frame takes.
"""

from __future__ import annotations

import struct
import sys
import time
from pathlib import Path
from typing import NamedTuple

_FORMAT = struct.Struct("=qqd")


class Progress(NamedTuple):
    """Progress of a window.

    Args:
        frames: number of frames shown.
        still_frames: number of last frames, without a gap, in which no input waited for the panels.
        still_seconds: time since the first of these, by the program's clock.
    """

    frames: int = 0
    still_frames: int = 0
    still_seconds: float = 0.0


def read(path: Path) -> Progress:
    """Read the progress of a program; all zeros before its first frame."""
    return Progress(*_FORMAT.unpack(path.read_bytes())) if path.exists() else Progress()


def observe(path: Path) -> None:
    """Let every window of this process write its progress to a file after each frame."""
    from imgui_bundle import imgui

    from gpufluid.viewer.events import Events
    from gpufluid.viewer.glfw_window import GlfwWindow

    swap = GlfwWindow.swap_buffers
    noted, still_since = Progress(), 0.0

    def swap_and_note(window: GlfwWindow) -> None:
        nonlocal noted, still_since
        swap(window)
        assert isinstance(window.listener, Events)
        waits = window.listener.pending or imgui.get_current_context().input_events_queue.size() > 0
        now = time.monotonic()
        if waits or not noted.still_frames:
            still_since = now
        noted = Progress(noted.frames + 1, 0 if waits else noted.still_frames + 1, now - still_since)
        whole = path.with_suffix(".new")
        whole.write_bytes(_FORMAT.pack(*noted))
        whole.replace(path)

    GlfwWindow.swap_buffers = swap_and_note


if __name__ == "__main__":
    observe(Path(sys.argv[1]))
    del sys.argv[:2]
    sys.argv.insert(0, "gpufluid")
    from gpufluid.cli import main

    main()
