"""Readback: the exact texels, at once into one array, or late without waiting."""

from __future__ import annotations

import numpy as np
import pytest

from gpufluid import FULL, Simulation, World
from gpufluid.errors import WorldError
from gpufluid.gpu.device import Device
from gpufluid.gpu.readback import LateReadback, Readback
from gpufluid.gpu.textures import FORMATS, Pair, make_texture

TEXELS = {image: np.dtype(dtype) for image, (_, _, dtype) in FORMATS.items()}


def random_texels(image: str, width: int, height: int) -> np.ndarray:
    """(height, width[, components]) of the format's type, over its whole range."""
    components, limits = FORMATS[image][0], np.iinfo(TEXELS[image])
    shape = (height, width) if components == 1 else (height, width, components)
    return np.random.default_rng(0).integers(limits.min, limits.max, shape, TEXELS[image], endpoint=True)


@pytest.mark.parametrize("image", FORMATS)
@pytest.mark.parametrize("size", [(1, 1), (5, 3), (33, 7)], ids=str)
def test_what_is_read_is_what_was_written(device: Device, image: str, size: tuple[int, int]) -> None:
    texels = random_texels(image, *size)
    with device:
        read = Readback(*size, image).read(make_texture(device, *size, image, texels))
    assert read.dtype == texels.dtype
    np.testing.assert_array_equal(read, texels)


def test_the_array_is_used_again(device: Device) -> None:
    with device:
        readback = Readback(2, 2, "r32i")
        first = readback.read(make_texture(device, 2, 2, "r32i", np.full((2, 2), 1)))
        second = readback.read(make_texture(device, 2, 2, "r32i", np.full((2, 2), 2)))
    assert first is second
    assert (first == 2).all()


def test_what_is_asked_for_comes_one_request_later(device: Device) -> None:
    with device:
        late, answers = LateReadback(device, 3, 1, "r32i"), []
        for label in range(5):
            answer = late.request(make_texture(device, 3, 1, "r32i", np.full((1, 3), 10 * label)), label)
            answers.append(answer and (answer[0], answer[1].tolist()))
        late.release()
    assert answers == [None, *((label, [[10 * label] * 3]) for label in range(4))]


def test_a_new_texture_is_zero(device: Device) -> None:
    with device:
        assert not Readback(9, 5, "rg32ui").read(make_texture(device, 9, 5, "rg32ui")).any()


def test_a_pair_swaps_and_a_single_texture_has_nothing_to_write(device: Device) -> None:
    with device:
        one, two = make_texture(device, 1, 1, "r32i"), make_texture(device, 1, 1, "r32i")
    pair = Pair(one, two)
    pair.swap()
    assert (pair.read, pair.write) == (two, one)
    with pytest.raises(LookupError, match="no pass gathers it"):
        _ = Pair(one).write


@pytest.mark.usefixtures("device")
def test_a_simulation_hands_out_a_field_one_call_late() -> None:
    world = World(6, 4)
    world["mass"][0], world["material"][3, :2] = FULL, world.materials["wall"]
    with Simulation(world) as sim:
        assert sim.late("mass") is None
        for tick in range(4):
            expected = sim.read()["mass"].copy()
            sim.step()
            label, mass = sim.late("mass")
            assert label == tick
            np.testing.assert_array_equal(mass, expected)
        assert sim.late("material") is None


@pytest.mark.usefixtures("device")
def test_a_field_that_a_world_has_not_is_refused() -> None:
    with Simulation(World(1, 1)) as sim, pytest.raises(WorldError, match=r"^mas: .*did you mean 'mass'\?$"):
        sim.late("mas")
