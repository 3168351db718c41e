"""``python -m gpufluid.viewer.picture_window``: a window that shows pictures from standard input, such as episodes.

A process of its own, because two OpenGL contexts in one thread disturb each other. It reads a line with the title, a
line with width and height in pixels, and then pictures, rows of 3 bytes a pixel, sRGB, from the top. It writes a line
when the window is open, and ends when its input ends or the user closes the window.
"""

from __future__ import annotations

import sys
from collections import deque
from io import FileIO
from threading import Event, Thread

import numpy as np
from imgui_bundle import imgui

from gpufluid.core.errors import GpufluidError
from gpufluid.gpu.device import device_of
from gpufluid.gpu.imgui_renderer import ImguiRenderer
from gpufluid.gpu.textures import make_texture
from gpufluid.viewer.events import held_keys
from gpufluid.viewer.glfw_window import GlfwWindow
from gpufluid.viewer.panels import style
from gpufluid.viewer.starting import KeptEvents
from gpufluid.viewer.window import FRAME_SECONDS, with_imgui

_SIDE = 512
"""The window is at least about so large, in the system's points: small pictures are enlarged."""


def main() -> int:
    """Show the pictures. Returns the exit code; 2: no window can be opened, and standard error says why."""
    # Without a buffer: the lock of one would be held by the thread that reads when the process ends.
    source = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115  it is never closed
    title = source.readline().decode().strip()
    width, height = (int(side) for side in source.readline().split())
    pictures: deque[np.ndarray] = deque(maxlen=1)  # only the latest one is shown
    ended = Event()
    try:
        window = GlfwWindow(title, _size_of_window(width, height))
    except GpufluidError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        with with_imgui(window) as renderer:
            kept = window.listener = KeptEvents(lambda: held_keys(window))
            window.visible = True
            print("open", flush=True)
            Thread(target=_read, args=(source, (height, width, 3), pictures, ended), daemon=True).start()
            _show(window, renderer, kept, pictures, ended)
    finally:
        window.destroy()
    return 0


def _read(source: FileIO, shape: tuple[int, int, int], pictures: deque[np.ndarray], ended: Event) -> None:
    """Put pictures of a shape, (rows, columns, 3), into a queue until the input ends."""
    size = shape[0] * shape[1] * shape[2]
    picture, filled = np.empty(size, np.uint8), 0
    while count := source.readinto(memoryview(picture.data)[filled:]):
        filled += count
        if filled == size:
            pictures.append(picture.reshape(shape))
            picture, filled = np.empty(size, np.uint8), 0
    ended.set()


def _show(
    window: GlfwWindow, renderer: ImguiRenderer, kept: KeptEvents, pictures: deque[np.ndarray], ended: Event
) -> None:
    """Draw the latest picture until the input ends or the window is closed."""
    device = device_of(window.ctx)
    texture = None
    with device:
        while not (kept.closing or ended.is_set()):
            if pictures:
                picture = pictures.pop()
                if texture is not None:
                    renderer.forget(texture)
                opaque = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
                texture = make_texture(device, picture.shape[1], picture.shape[0], "rgba8", opaque)
            size = window.framebuffer_size
            imgui.get_io().display_size = imgui.ImVec2(*size)
            imgui.get_io().delta_time = FRAME_SECONDS
            imgui.new_frame()
            if texture is not None:
                corners = _place(texture.size, size)
                imgui.get_background_draw_list().add_image(renderer.shown(texture), *corners)
            imgui.render()
            renderer.draw_grounds([(0, 0, *size)], style.PAPER, size)
            renderer.draw_panels(size)
            window.swap_buffers()
            window.wait(FRAME_SECONDS)


def _size_of_window(width: int, height: int) -> tuple[int, int]:
    """(width, height) of the window for pictures of a size."""
    scale = max(_SIDE // max(width, height), 1)
    return width * scale, height * scale


def _place(picture: tuple[int, int], window: tuple[int, int]) -> tuple[tuple[float, float], tuple[float, float]]:
    """The corners at which a picture fills a window, in its middle, as large as it fits."""
    scale = min(window[0] / picture[0], window[1] / picture[1])
    width, height = picture[0] * scale, picture[1] * scale
    left, top = (window[0] - width) / 2, (window[1] - height) / 2
    return (left, top), (left + width, top + height)


if __name__ == "__main__":
    sys.exit(main())
