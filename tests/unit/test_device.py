"""The device: a request that it cannot serve is refused with one sentence, before OpenGL is called."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace

import moderngl
import pytest
from support.patience import PATIENCE

from gpufluid import Simulation, World
from gpufluid.core.errors import DeviceError, UsageError
from gpufluid.gpu import device as device_module
from gpufluid.gpu.device import Device, device_of, shared_device
from gpufluid.gpu.textures import make_texture


def test_process_has_one_shared_device(device: Device) -> None:
    assert shared_device() is device
    assert device.context.version_code >= 430


@pytest.mark.parametrize(
    "attempt",
    [
        lambda device, width, height: device.check_side(width, height),
        lambda device, width, height: make_texture(device, width, height, "r32i"),
        lambda _, width, height: Simulation(World(height, width, rules=("flow",))),
    ],
    ids=["check", "texture", "simulation"],
)
def test_a_world_over_the_limit_is_refused_with_both_numbers(device: Device, attempt: Callable) -> None:
    side = device.max_side + 1
    for width, height in ((side, 1), (1, side)):
        message = f"size: {width} by {height} is over this device's limit of {device.max_side} "
        with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
            attempt(device, width, height)


def test_a_world_at_the_limit_runs(device: Device) -> None:
    with Simulation(World(1, device.max_side, rules=("flow",))) as sim:
        sim.step()
        assert sim.read().tick == 1


def no_context(*refused: int) -> Callable:
    """A stand-in for `moderngl.create_context` that refuses some versions."""

    def create(require: int, **_: object) -> SimpleNamespace:
        if require in refused:
            raise ValueError(f"requested OpenGL version {require}")
        return SimpleNamespace(version_code=require, release=lambda: None)

    return create


def test_an_old_context_is_refused_with_both_versions() -> None:
    with pytest.raises(DeviceError, match=r"^OpenGL 3\.3 is too old: compute shaders need 4\.3; install "):
        Device(SimpleNamespace(version_code=330))


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ((430,), r"^OpenGL 3\.3 is too old: compute shaders need 4\.3; install "),
        ((430, 330), r"^no OpenGL here \(requested OpenGL version 430\); install "),
    ],
)
def test_without_compute_shaders_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, refused: tuple[int, ...], message: str
) -> None:
    monkeypatch.setattr(moderngl, "create_context", no_context(*refused))
    monkeypatch.setattr(device_module, "_shared", None)
    with pytest.raises(DeviceError, match=message):
        shared_device()


def test_on_macos_the_error_says_where_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_module, "_shared", None)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(DeviceError, match=r"^macOS has no OpenGL compute shaders.*run gpufluid on Linux or Windows$"):
        shared_device()


def test_in_a_forked_process_the_error_says_to_use_spawn() -> None:
    """Without this check OpenGL would hang without a message; see also `test_threads`."""
    program = """
import multiprocessing, gpufluid
gpufluid.Simulation(gpufluid.World(1, 1)).step()

def child(answers):
    try:
        gpufluid.Simulation(gpufluid.World(1, 1))
    except gpufluid.GpufluidError as error:
        answers.put(str(error))

context = multiprocessing.get_context("fork")
answers = context.Queue()
process = context.Process(target=child, args=(answers,))
process.start()
print(answers.get())
process.join()
"""
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert "start worker processes with the method 'spawn'" in answer.stdout


def test_a_context_has_one_device_and_keeps_its_programs() -> None:
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    try:
        assert device_of(context) is device_of(context)
        for _ in range(2):
            with Simulation(World(2, 2, rules=("flow",)), context=context) as simulation:
                simulation.step()
        assert len(device_of(context).programs) == 5  # emit, flow, its activator, drain, sum: each once
    finally:
        context.release()
        with shared_device():
            pass
