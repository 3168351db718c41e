"""Every shader of a world, as the driver gets it, passes the GLSL validator of Khronos."""

import shutil
import subprocess

import numpy as np
import pytest
from support.selection import mostly_long

import gpufluid
from gpufluid.benchmark.bandwidth import SHAPES, copy_bandwidth
from gpufluid.core.runs import Runs
from gpufluid.gpu.counting import Counting
from gpufluid.gpu.device import Device, shared_device
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.rules import RULES
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.observed import observable_planes
from gpufluid.scene.strokes import Adding, Laying

VALIDATOR = shutil.which("glslangValidator")
needs_validator = pytest.mark.skipif(
    VALIDATOR is None, reason="glslangValidator is not installed (package glslang-tools)"
)

RULE_SETS = [
    ("flow",),
    ("atoms",),
    ("flow", "atoms", "heat", "reactions", "pressure", "collapse"),
    ("atoms", "heat", "reactions", "mixture"),
    ("mixture", "pressure"),
]
"""Sets of rules that have, together, every rule, and every rule beside each kind of matter that it works on."""
SECONDS = "seconds for each set of rules"


@needs_validator
@pytest.mark.parametrize("case", mostly_long(range(2 * len(RULE_SETS)), 1, why=SECONDS))
def test_every_shader_is_valid_glsl(case: int, monkeypatch: pytest.MonkeyPatch):
    """Each set of rules in its first variants, as on a GPU, and in its second; the three kinds of edges by turns.

    The passes for matter of all kinds are compiled when the simulation is made. None runs: a driver generates machine
    code when a program runs, which takes longer than to validate its text.
    """
    rules, number, edges = RULE_SETS[case // 2], case % 2, ("closed", "open", "wrap")[case % 3]
    monkeypatch.setattr(Device, "tests_tiles", number == 0)
    device = Device(shared_device().context)  # its own cache has only this world's shaders
    ports = {"emitters": [gpufluid.Emitter((0, 0))], "drains": [gpufluid.Drain((1, 1))]}
    world = gpufluid.World(8, 8, rules, edges=edges, **ports)
    every = {rule: [each.name for each in RULES[rule].variants] for rule in rules}
    variants = {rule: names[number % len(names)] for rule, names in every.items()}
    with gpufluid.Simulation(world, device, trace=True, variant=variants, any_matter=True) as simulation:
        simulation.digest()
        simulation.counts()
        for overlay in (None, *(overlay.name for rule in rules for overlay in RULES[rule].overlays)):
            simulation.frame(overlay=overlay)
        simulation.frame(theme="night", size=(13, 11))
    assert len(device.programs) > 5
    assert_valid(device)


@needs_validator
def test_shaders_that_sum_temperatures_are_valid_glsl():
    device = Device(shared_device().context)
    world = gpufluid.World(8, 8, ("atoms", "heat"))
    with device:
        Counting(device, world, PlaneTextures(device, world, ())).now(0)
    assert len(device.programs) == 2
    assert_valid(device)


@needs_validator
@pytest.mark.parametrize("rules", mostly_long(RULE_SETS, RULE_SETS[0], why=SECONDS), ids="+".join)
def test_shaders_of_edits_are_valid_glsl(rules: tuple[str, ...]):
    device = Device(shared_device().context)
    cells = Runs.of_mask(1, 2, np.full((2, 3), True))
    with Workbench(gpufluid.World(8, 8, rules), device) as sim:
        device.programs.clear()
        sim.paint(cells, Laying("wall"))
        if "heat" in rules:
            sim.paint(cells, Adding("temperature", 10))
        assert len(device.programs) == 1 + ("heat" in rules)
        assert_valid(device)


@needs_validator
@pytest.mark.parametrize("rules", mostly_long(RULE_SETS, RULE_SETS[4], why=SECONDS), ids="+".join)
def test_shaders_of_edits_of_a_batch_are_valid_glsl(rules: tuple[str, ...]):
    device = Device(shared_device().context)
    cells = np.ones((8, 8), bool)
    with gpufluid.Batch(gpufluid.World(8, 8, rules), count=2, context=device) as batch:
        device.programs.clear()
        batch.paint(cells, Laying("wall"))
        if "heat" in rules:
            batch.paint(cells, Adding("temperature", 10))
        assert len(device.programs) == 1 + ("heat" in rules)
        assert_valid(device)


@needs_validator
@pytest.mark.parametrize("rules", mostly_long(RULE_SETS, RULE_SETS[1], why=SECONDS), ids="+".join)
def test_shaders_of_observations_are_valid_glsl(rules: tuple[str, ...]):
    device = Device(shared_device().context)
    world = gpufluid.World(8, 8, rules)
    with gpufluid.Batch(world, count=2, context=device) as batch:
        device.programs.clear()
        batch.observe("materials")
        batch.observe("pixels")
        batch.observe("planes", list(observable_planes(world)))
        assert len(device.programs) == 3
        assert_valid(device)


@needs_validator
def test_the_copy_shaders_of_the_benchmark_are_valid_glsl():
    device = Device(shared_device().context)
    for image in ("r8ui", "r32i", "r32ui"):
        copy_bandwidth(device, (8, 8), image, runs=1)
    assert len(device.programs) == 3 * len(SHAPES)
    assert_valid(device)


VALID: set[str] = set()
"""The texts that were found valid in this run. Sets of rules share many."""


def assert_valid(device: Device) -> None:
    for text in device.programs.keys() - VALID:
        answer = subprocess.run(
            [str(VALIDATOR), "--stdin", "-l", "-S", "comp"], input=text, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stdout + text
        VALID.add(text)
