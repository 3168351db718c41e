"""The device of a window and the headless one: both in one thread, and each in another thread."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.desktop import Desktop
from support.patience import PATIENCE

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
