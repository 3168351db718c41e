"""The device of a window and the headless one: both in one thread, each in another thread, and one for the other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support.desktop import Desktop, Program, find
from support.marks import MARK, SHADES
from support.patience import PATIENCE

from gpufluid.gpu.current import none_current
from gpufluid.gpu.device import Device
from gpufluid.gpu.picture_copy import PictureCopy

HEADLESS_FIRST = """
gpufluid.Simulation(gpufluid.World(1, 1)).close()
"""

PROGRAM = """
from concurrent.futures import ThreadPoolExecutor
import glfw
import gpufluid
{first}
from gpufluid.gpu.device import device_of, shared_device
from gpufluid.viewer.glfw_window import GlfwWindow

def refused(call):
    try:
        call()
    except gpufluid.GpufluidError as error:
        print(type(error).__name__, str(error).partition(":")[0])

window = GlfwWindow("test", (64, 64))
world = gpufluid.load("seed_000")
expected = [gpufluid.oracle.step(world, ticks).digest() for ticks in range(5)]
with gpufluid.Simulation(world) as headless:
    shown = gpufluid.Simulation(world, window.ctx)
    headless.step()
    shown.step()
    print("both", headless.digest() == shown.digest() == expected[1], shared_device() is not device_of(window.ctx))

    with device_of(window.ctx), shared_device(), device_of(window.ctx):
        headless.step()
        shown.step()
    print("nested", headless.digest() == shown.digest() == expected[2])

    window.ctx.screen.clear(1.0)
    window.swap_buffers()
    print("the window's stays current", window.ctx.buffer(b"kept").read(), window.ctx.error)

    thread = ThreadPoolExecutor(1)
    thread.submit(headless.step).result()
    refused(lambda: thread.submit(shown.step).result())
    glfw.make_context_current(None)
    thread.submit(glfw.make_context_current, window._window).result()
    thread.submit(shown.step).result()
    refused(shown.digest)
    print("other thread", headless.digest() == thread.submit(shown.digest).result() == expected[3])
    thread.submit(glfw.make_context_current, None).result()

    window.destroy()
    refused(shown.close)
    headless.step()
    print("after the window", headless.digest() == expected[4])
"""


@pytest.mark.parametrize("first", ["", HEADLESS_FIRST], ids=["window first", "headless first"])
def test_window_and_headless_device_work_in_one_thread(desktop: Desktop, first: str) -> None:
    """moderngl wraps the window's context in two different ways, which depend on whether it is the first one."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(first=first)],
        env=desktop.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    refusal = "DeviceError the OpenGL context of the window is not current in this thread"
    assert done.stdout.splitlines() == [
        "both True True",
        "nested True",
        "the window's stays current b'kept' GL_NO_ERROR",
        refusal,
        refusal,
        "other thread True",
        refusal,
        "after the window True",
    ]


def test_pictures_of_one_device_are_copied_to_another(device: Device) -> None:
    """Contexts of two devices have textures of the same names, with other texels."""
    backend: dict[str, Any] = {} if sys.platform == "win32" else {"backend": "egl"}
    with none_current():
        other = Device(context := moderngl.create_context(standalone=True, require=430, **backend), owned=True)
    copy, rng = PictureCopy(other), np.random.default_rng(3)
    for size in ((5, 3), (5, 3), (7, 2)):
        texels = rng.integers(0, 256, (size[1], size[0], 4), np.uint8)
        with device:
            picture = device.context.texture(size, 4, texels.tobytes(), alignment=1)
        shown = copy.of(picture, device)
        with other:
            assert (shown.size, shown.read(alignment=1)) == (size, texels.tobytes())
        with device:
            picture.release()
    copy.release()
    with other:
        assert context.error == "GL_NO_ERROR"
    context.release()


@pytest.mark.long("two windows")
def test_a_window_shows_the_world_of_another_device_as_that_of_its_own(
    view: Callable[..., Program], marked: Path
) -> None:
    """The same pixels, also after strokes, a zoom, another world and the page Open, whose pictures the window draws."""
    pictures = []
    for words in ((), ("--device", 0)):
        program = view(marked, *words)
        program.press("p", "r")  # the first tick
        seen = [program.settle()]
        assert find(seen[0], MARK, SHADES), "the block of the scene"
        program.press("4")
        program.drag((500, 300), (700, 350))
        seen.append(program.settle())
        program.wheel((640, 400), 2)
        seen.append(program.settle())
        program.press("ctrl+n")
        program.settle()
        program.press("enter")
        program.settle()
        program.press("escape")
        seen.append(program.settle())
        pictures.append([picture[30:740] for picture in seen])
        program.__exit__()
    for own, other in zip(*pictures, strict=True):
        np.testing.assert_array_equal(own, other)
