"""Planes in buffers hold, show and draw what planes in textures do, whatever a shader loads and stores at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.probes import probe
from support.selection import crossed, mostly_long
from support.worlds import moving_water, random_world

from gpufluid import Drain, Emitter, Simulation, World
from gpufluid.core.errors import ShaderError
from gpufluid.core.fields import PLANES
from gpufluid.core.packing import cell_glsl
from gpufluid.core.runs import Runs
from gpufluid.gpu.buffer_textures import BufferTexture, planes_in_buffers
from gpufluid.gpu.device import Device
from gpufluid.gpu.images import Image
from gpufluid.gpu.textures import make_texture
from gpufluid.rules import RULES
from gpufluid.runtime import simulation
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.strokes import Laying
from gpufluid.world.laws import EDGES, GRAVITIES

SIDES = (8, 5)  # columns, rows


@pytest.fixture
def plane(device: Device) -> Iterator[BufferTexture]:
    with device:
        made = BufferTexture(device, *SIDES, "r32i", counted())
        yield made
        made.release()


@pytest.fixture
def in_textures(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A patch under which simulations keep all planes in textures, until it is undone."""
    monkeypatch.setattr(simulation, "planes_in_buffers", lambda *_: frozenset())
    return monkeypatch


def counted() -> np.ndarray:
    return np.arange(SIDES[0] * SIDES[1], dtype=np.int32).reshape(SIDES[::-1])


def texels(plane: BufferTexture) -> np.ndarray:
    found = np.empty(SIDES[::-1], np.int32)
    plane.read_into(found)
    return found


@pytest.mark.parametrize("window", [(0, 0, 8, 5), (0, 2, 8, 2), (3, 1, 4, 3), (7, 4, 1, 1)], ids=str)
def test_a_rectangle_is_read_copied_and_written(
    plane: BufferTexture, device: Device, window: tuple[int, int, int, int]
) -> None:
    x, y, width, height = window
    wanted = counted()[y : y + height, x : x + width]
    read = np.empty((height, width), np.int32)
    plane.copy(window, read)
    assert np.array_equal(read, wanted)
    copied = device.buffer(4 + read.nbytes)
    plane.copy(window, copied, 4)
    assert np.array_equal(np.frombuffer(copied.read(offset=4), np.int32).reshape(height, width), wanted)
    copied.release()
    plane.write(-wanted, window)
    expected = counted()
    expected[y : y + height, x : x + width] *= -1
    assert np.array_equal(texels(plane), expected)


def test_a_new_plane_is_empty_and_counts_as_memory_until_it_is_released(device: Device) -> None:
    with device:
        before = device.allocations.held
        made = BufferTexture(device, *SIDES, "r32i")
        assert not texels(made).any()
        assert device.allocations.held - before == 4 * SIDES[0] * SIDES[1]
        made.release()
        assert device.allocations.held == before
        assert isinstance(made.mglo, moderngl.InvalidObject)


@pytest.mark.parametrize("at", [(-1, 2), (8, 2), (3, -1), (3, 5), (-1, 0), (8, 4)], ids=str)
@pytest.mark.parametrize("fours", [False, True], ids=["a cell", "four cells"])
def test_nothing_is_stored_for_a_cell_outside(
    plane: BufferTexture, device: Device, fours: bool, at: tuple[int, int]
) -> None:
    """In a buffer the texel beside a row is one of the next row."""
    stored = "store_four_mass(at, ivec4(-7));" if fours else "store_free_mass(at, -7);"
    image = Image.of(PLANES["mass"], "writeonly").holding(plane, fours)
    program = probe(
        device, f"uniform ivec2 at;\nvoid main() {{ {stored} }}", [image], (1, 1), {"generated/cell.glsl": cell_glsl()}
    )
    program.dispatch((1, 1), [plane], {"at": at})
    assert np.array_equal(texels(plane), counted())


def test_a_plane_held_in_another_way_is_an_error(plane: BufferTexture, device: Device) -> None:
    texture = make_texture(device, *SIDES, "r32i")
    image = Image.of(PLANES["mass"], "readonly")
    for wrong, given in ((image, plane), (image.holding(plane), texture)):
        with pytest.raises(ShaderError, match=r"the image mass and its texture differ in whether"):
            wrong.bound(given)
    texture.release()


def laid(width: int = 64, gravity: str = "down") -> World:
    return random_world(40, width, gravity=gravity)


@pytest.mark.parametrize(
    ("world", "strip", "expected"),
    [
        (laid(), (16, 32), {"mass"}),
        (laid(gravity="up"), (16, 32), {"mass"}),
        (laid(gravity="off"), (16, 32), {"mass"}),
        (laid(gravity="left"), (16, 32), set()),
        (laid(width=66), (16, 32), set()),
        (laid(), (3, 32), set()),
    ],
    ids=repr,
)
def test_mass_lies_in_a_buffer_where_four_cells_lie_side_by_side(
    device: Device, world: World, strip: tuple[int, int], expected: set[str]
) -> None:
    passes = world.schedule({"flow": "strips"}).passes
    assert planes_in_buffers(device, world, passes, strip) == expected
    without_fours = [replace(each, layout=replace(each.layout, fours=False)) for each in passes]
    assert planes_in_buffers(device, world, without_fours, strip) == set()


def test_water_with_momentum_has_both_planes_in_buffers(device: Device) -> None:
    world = moving_water(40, 64)
    passes = world.schedule({"flow": "strips", "inertia": "strips"}).passes
    assert planes_in_buffers(device, world, passes, (16, 32)) == {"mass", "motion"}


def test_a_larger_world_than_buffers_show_lies_in_textures(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = laid().schedule({"flow": "strips"}).passes
    monkeypatch.setattr(device, "max_buffer_texels", 40 * 64 - 1)
    assert planes_in_buffers(device, laid(), passes, (16, 32)) == set()


def test_no_plane_lies_in_a_buffer_on_a_gpu(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = laid().schedule({"flow": "strips"}).passes
    monkeypatch.setattr(Device, "software", property(lambda _: False))
    assert planes_in_buffers(device, laid(), passes, (16, 32)) == set()


def test_no_variant_for_gpus_has_fours() -> None:
    marked = {
        variant for rule in RULES.values() for variant in rule.variants for each in variant.passes if each.layout.fours
    }
    assert marked
    assert all(variant.software is not False for variant in marked)


@crossed(2, together=2, makes=[random_world, moving_water], gravity=GRAVITIES, edges=EDGES, width=[4, 12, 64, 140])
def test_worlds_in_buffers_and_in_textures_are_equal(
    in_textures: pytest.MonkeyPatch, makes: Callable[..., World], gravity: str, edges: str, width: int
) -> None:
    world = makes(37, width, gravity=gravity, edges=edges, parameters={"flow": {"substeps": 2}})
    world.emitters = (Emitter((1, 1), (3, 2), rate=0.3),)
    world.drains = (Drain((0, 30), (2, 3), rate=0.2),)
    with Simulation(world) as sim:
        sim.step(30)
        wanted = sim.read(), sim.digest(), sim.ledger, sim.activity()
    in_textures.undo()
    with Simulation(world) as sim:
        sim.step(30)
        assert (sim.digest(), sim.ledger, sim.activity()) == wanted[1:]
        assert all(np.array_equal(sim.read()[name], wanted[0][name]) for name in world.fields)


def shown(world: World) -> list[object]:
    """What is read, drawn and counted of a world between strokes of a brush."""
    found: list[object] = []
    with Workbench(world) as sim:
        for number in range(3):
            sim.step(5)
            before = sim.digest()
            sim.paint(Runs.of_mask(3, 2 + number, np.ones((4, 9), bool)), Laying("water"), sim.new_copies())
            found += [sim.digest(), sim.read_window((5, 3), (9, 6))["mass"].tolist(), sim.frame(3).tolist()]
            late = sim.late("mass"), sim.late("mass", ((2, 1), (11, 4)))
            found += [each[1].tolist() for each in late if each is not None]
            found += [sim.statistics(), sim.read()["mass"].tolist()]
            assert sim.digest() != before
    return found


@pytest.mark.parametrize("makes", mostly_long([random_world, moving_water], random_world, why="another plane"))
def test_pictures_windows_and_late_reads_of_a_buffer_are_those_of_a_texture(
    in_textures: pytest.MonkeyPatch, makes: Callable[..., World]
) -> None:
    world = makes(40, 64)
    wanted = shown(world)
    in_textures.undo()
    found = shown(world)
    assert len(found) == len(wanted)
    assert len(found) > 15
    assert found == wanted
