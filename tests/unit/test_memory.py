"""Memory of the device is counted; a request that does not fit is refused with the needed and the free memory."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.selection import crossed, mostly_long

from gpufluid import Simulation, World
from gpufluid.core import memory
from gpufluid.core.errors import DeviceError, UsageError, WorldError
from gpufluid.core.fields import TEXEL_BITS
from gpufluid.gpu import device as device_module
from gpufluid.gpu import footprint, gl_functions
from gpufluid.gpu import memory as gpu_memory
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import device_bytes, largest_side, shortage
from gpufluid.gpu.shares import moved_size
from gpufluid.gpu.textures import ArrayTexture, make_texture
from gpufluid.gpu.variants import decide
from gpufluid.matter.mixtures import SHIPPED
from gpufluid.rules import RULES, with_requirements

FLOW = {"flow": RULES["flow"].variants[0].name}
GROUPS = [*map(with_requirements, RULES), ("flow", "atoms"), ("atoms", "mixture"), ("mixture", "pressure")]


def variant_names(rule: str) -> list[str]:
    return [variant.name for variant in RULES[rule].variants]


@pytest.mark.parametrize(
    "rules",
    mostly_long(GROUPS, ("flow", "atoms"), ("mixture", "pressure"), why="all variants of other rules"),
    ids="+".join,
)
def test_a_simulation_holds_the_predicted_memory(device: Device, rules: tuple[str, ...]) -> None:
    """Except ledgers and tables of reactions, whose size does not depend on the world's size."""
    for each in range(max(len(RULES[rule].variants) for rule in rules)):
        check_footprint(device, rules, {rule: variant_names(rule)[each % len(variant_names(rule))] for rule in rules})


@crossed(atoms=variant_names("atoms"), heat=variant_names("heat"))
def test_carried_planes_are_counted_whichever_rule_gathers_them(device: Device, atoms: str, heat: str) -> None:
    check_footprint(device, ("atoms", "heat"), {"atoms": atoms, "heat": heat})


def check_footprint(device: Device, rules: tuple[str, ...], variants: dict[str, str]) -> None:
    with Simulation(World(96, 130, rules), variant=variants) as sim:
        assert sim.variants == variants
        told, ledgers = device_bytes(device, sim.variants, 130, 96), sim._ledger.buffer.size
        assert 0 <= sim.memory.held - told < ledgers + (24_000 if "reactions" in rules else 4_000)
        texels = [(plane.image, len(sim.blank.mixture) if plane.layered else 1) for plane in sim.blank.planes]
        assert sim.memory.needed == 96 * 130 * sum(layers * TEXEL_BITS[image] // 8 for image, layers in texels)
    assert sim.memory.held == 0


@pytest.mark.usefixtures("device")
def test_what_strips_have_moved_is_in_a_texture_of_which_no_side_is_a_power_of_two() -> None:
    """Else a world of another size would not use the programs that Mesa has compiled; see `moved_size`."""
    for count in range(1, 300):
        across, down = moved_size((count, 7))
        assert count <= across <= count + 2
        assert across.bit_count() > 1
        assert down == 7
    with Simulation(World(33, 128)) as sim:
        assert sim._runner._planner.strips == (8, 2)
        assert sim._runner._planner.moved.size == (9, 3)


@pytest.mark.usefixtures("device")
def test_each_simulation_counts_its_own_allocations() -> None:
    with Simulation(World(8, 8, rules=("flow",))) as one, Simulation(World(32, 32, ("atoms",))) as other:
        before = one.memory.held, other.memory.held
        assert before[0] < before[1]
        one.late("mass")  # makes a buffer
        assert one.memory.held == before[0] + 8 * 8 * 4
        one.step()
        assert other.memory.held == before[1]
    assert (one.memory.held, other.memory.held) == (0, 0)


@pytest.mark.usefixtures("device")
def test_a_trace_costs_two_more_planes_and_a_buffer() -> None:
    worlds = [Simulation(World(16, 16, ("atoms",)), trace=trace) for trace in (False, True)]
    plain, traced = (sim.memory.held for sim in worlds)
    assert traced - plain == 3 * 16 * 16 * 4
    for sim in worlds:
        sim.close()


def limited(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    """A machine with this number of free bytes."""
    monkeypatch.setattr(Device, "free_memory", property(lambda _: free))
    monkeypatch.setattr(footprint, "machine_memory", lambda: free)


def test_a_world_over_the_memory_is_refused_with_both_amounts(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, 100_000)
    asked = "too little memory: a world asks for 256 KiB beside 64.0 KiB that it has"
    message = f"{asked}, 97.7 KiB are free ({device.renderer})"
    with pytest.raises(DeviceError, match=f"^{re.escape(message)}$"):
        Simulation(World(256, 256, rules=("flow",)))
    assert device.allocations.held == 0  # everything was released


def test_a_texture_and_a_buffer_are_refused_alike(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, 1000)
    for attempt in (lambda: make_texture(device, 100, 100, "r32i"), lambda: device.buffer(40_000)):
        with pytest.raises(DeviceError, match=r"asks for 39\.1 KiB.*1000 bytes are free"):
            attempt()


def test_without_knowledge_of_free_memory_nothing_is_refused(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "free_memory", property(lambda _: None))
    monkeypatch.setattr(footprint, "machine_memory", lambda: None)
    with Simulation(World(4, 4, rules=("flow",))) as sim:
        sim.step()
    assert shortage(device, FLOW, 1024, 1024) is None
    assert largest_side(device, FLOW) is None


def test_the_largest_world_just_fits(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, 10 << 20)
    for rules in GROUPS:
        variants = decide(rules, None, device)
        side = largest_side(device, variants)
        assert side is not None
        assert 100 < side < 1000
        assert shortage(device, variants, side * 98 // 100, side * 98 // 100) is None
        lack = shortage(device, variants, side * 102 // 100, side * 102 // 100)
        assert lack is not None
        assert "10.0 MiB are free" in lack
    limited(monkeypatch, 1 << 60)
    assert largest_side(device, FLOW) == device.max_side
    side = largest_side(device, decide(("mixture",), None, device))
    assert side is not None
    assert device.can_hold(side, side, len(SHIPPED))
    assert side == device.max_side or not device.can_hold(side + 1, side + 1, len(SHIPPED))


def test_layers_bound_the_cells_of_a_world_not_its_sides(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    side = device.max_side
    device.check_side(side, 8, len(SHIPPED))
    device.check_side(8, side, len(SHIPPED))
    monkeypatch.setattr(device_module, "can_hold_layers", lambda *_: False)  # as software OpenGL has it for over 2 GiB
    message = f"size: 4 by 9 in 5 layers is over this device's limit of one texture ({device.renderer})"
    with pytest.raises(WorldError, match=f"^{re.escape(message)}$"):
        Simulation(World(9, 4, ("mixture",)))
    with Simulation(World(9, 4, ("atoms",))) as sim:
        sim.step()


@pytest.mark.parametrize("layers", [1, 5, 8])
def test_a_texture_with_layers_holds_what_they_take_until_it_is_released(device: Device, layers: int) -> None:
    with device:
        before = device.allocations.held
        made = ArrayTexture(device, 30, 20, layers, "r32i")
        assert device.allocations.held - before == 4 * 30 * 20 * layers
        made.release()
        made.release()
        assert device.allocations.held == before


def test_a_texture_that_opengl_cannot_make_is_an_error(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_module, "can_hold_layers", lambda *_: True)
    monkeypatch.setattr(Device, "free_memory", property(lambda _: None))
    with device, pytest.raises(DeviceError, match=r"could not hold the world \(GL_"):
        ArrayTexture(device, 8, 8, 1 << 16, "r32i")
    device.allocations.release()


def test_a_gpu_is_checked_against_its_own_memory(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, 1 << 40)
    monkeypatch.setattr(Device, "software", property(lambda _: False))
    monkeypatch.setattr(Device, "free_memory", property(lambda _: 1 << 20))
    lack = shortage(device, decide(("atoms",), None, device), 1024, 1024)
    assert lack is not None
    assert "of the GPU's memory, and 1.0 MiB are free" in lack


def test_an_opengl_memory_error_says_how_much_was_requested(device: Device) -> None:
    with device:
        device.context.texture((2 * device.max_side, 1), 1, dtype="u4").release()  # OpenGL does not raise
    with pytest.raises(
        DeviceError, match=r"could not hold the world \(GL_INVALID_VALUE\): .* were asked for, .* are free"
    ):
        device.check_memory()


def test_machine_memory_is_read_from_meminfo_and_the_container_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text("MemTotal:  9000 kB\nMemAvailable:    2000 kB\n")
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    assert memory.machine_memory() == 2000 * 1024
    (tmp_path / "memory.current").write_text("700000\n")
    (tmp_path / "memory.stat").write_text("anon 500000\nfile 200000\ninactive_file 7\n")
    (tmp_path / "memory.max").write_text("1000000\n")
    assert memory.machine_memory() == 500_000  # the limit of the container, less memory that is not file cache
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.machine_memory() == 2000 * 1024
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "gone")
    assert memory.machine_memory() is None


def free_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kilobytes: int) -> None:
    """A machine whose system reports so much free memory."""
    (tmp_path / "meminfo").write_text(f"MemAvailable:    {kilobytes} kB\n")
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)


def test_check_free_names_the_needed_and_the_free_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free_here(monkeypatch, tmp_path, 1024)
    memory.check_free(1 << 20, "a picture")
    with pytest.raises(
        UsageError, match=r"^a picture takes about 3\.0 MiB of the machine's memory, and 1\.0 MiB are free$"
    ):
        memory.check_free(3 << 20, "a picture")
    (tmp_path / "meminfo").unlink()
    memory.check_free(1 << 60, "a picture")  # the free memory is not known


def test_world_over_the_free_memory_is_refused_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free_here(monkeypatch, tmp_path, 64 << 10)
    assert World(3000, 4000, rules=("flow",))["mass"].nbytes < 64 << 20
    message = r"^size: a world of 5000 by 4000 cells with rules flow takes about 95\.4 MiB .*, and 64\.0 MiB are free$"
    with pytest.raises(WorldError, match=message):
        World(4000, 5000, rules=("flow",))


class Pretended:
    """A context of a driver with this extension."""

    def __init__(self, *extensions: str) -> None:
        self.extensions = set(extensions)


def test_graphics_memory_of_driver_extensions_is_in_kib(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(gpu_memory, "gl_integers", lambda name, count: asked.append((name, count)) or [4096] * count)
    assert gpu_memory.graphics_memory(Pretended("GL_NVX_gpu_memory_info")) == 4096 * 1024
    assert gpu_memory.graphics_memory(Pretended("GL_ATI_meminfo")) == 4096 * 1024
    assert asked == [(0x9049, 1), (0x87FC, 4)]
    assert gpu_memory.graphics_memory(Pretended("GL_other")) is None


def test_gl_integers_reads_a_limit_of_opengl(device: Device) -> None:
    with device:
        assert gpu_memory.gl_integers(0x0D33, 1) == [device.max_side]  # GL_MAX_TEXTURE_SIZE


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (150 << 20, "150 MiB"), (3 << 50, "3072 TiB")],
)
def test_bytes_in_words(size: int, text: str) -> None:
    assert memory.in_units(size) == text


def test_on_windows_functions_after_opengl_1_1_are_those_of_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_int)(called.append)
    addresses = {b"glNew": ctypes.cast(callback, ctypes.c_void_p).value, b"glFailed": 1}
    library = SimpleNamespace(wglGetProcAddress=lambda name: addresses.get(name))
    monkeypatch.setattr(gl_functions, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(ctypes, "CDLL", lambda _: library)
    find = gl_functions.gl_function.__wrapped__
    new = find("glNew", ctypes.c_int)
    assert new is not None
    new(7)
    assert called == [7]
    assert find("glFailed") is find("glMissing") is None
