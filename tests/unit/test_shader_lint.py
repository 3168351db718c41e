"""Every shader of a world, as the driver gets it, passes the GLSL validator of Khronos."""

import shutil
import subprocess

import pytest
from support.selection import crossed

import gpufluid
from gpufluid.benchmark.bandwidth import SHAPES, copy_bandwidth
from gpufluid.gpu.counting import Counting
from gpufluid.gpu.device import Device, shared_device
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.rules import RULES

VALIDATOR = shutil.which("glslangValidator")


@pytest.mark.skipif(VALIDATOR is None, reason="glslangValidator is not installed (package glslang-tools)")
@crossed(edges=["closed", "open", "wrap"], rules=[("flow",), ("atoms",), ("flow", "atoms")], number=range(2))
def test_every_shader_is_valid_glsl(edges: str, rules: tuple[str, ...], number: int):
    device = Device(shared_device().context)  # its own cache has only this world's shaders
    ports = {"emitters": [gpufluid.Emitter((0, 0))], "drains": [gpufluid.Drain((1, 1))]}
    world = gpufluid.World(8, 8, rules, edges=edges, **ports)
    with gpufluid.Simulation(
        world, device, trace=True, variant=[RULES[rule].variants[number].name for rule in rules]
    ) as simulation:
        simulation.step()
        simulation.digest()
        simulation.counts()
        for overlay in (None, *(overlay.name for rule in rules for overlay in RULES[rule].overlays)):
            simulation.frame(overlay=overlay)
    assert len(device.programs) > (5 if "flow" in rules else 2)
    assert_valid(device)


@pytest.mark.skipif(VALIDATOR is None, reason="glslangValidator is not installed (package glslang-tools)")
def test_shaders_that_sum_temperatures_are_valid_glsl():
    device = Device(shared_device().context)
    world = gpufluid.World(8, 8, ("atoms", "heat"))
    with device:
        Counting(device, world, PlaneTextures(device, world, ())).now(0)
    assert len(device.programs) == 2
    assert_valid(device)


@pytest.mark.skipif(VALIDATOR is None, reason="glslangValidator is not installed (package glslang-tools)")
def test_the_copy_shaders_of_the_benchmark_are_valid_glsl():
    device = Device(shared_device().context)
    for image in ("r8ui", "r32i", "r32ui"):
        copy_bandwidth(device, (8, 8), image, runs=1)
    assert len(device.programs) == 3 * len(SHAPES)
    assert_valid(device)


def assert_valid(device: Device) -> None:
    for text in device.programs:
        answer = subprocess.run(
            [str(VALIDATOR), "--stdin", "-l", "-S", "comp"], input=text, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stdout + text
