"""Readback returns the exact texels, at once into one array, or late without waiting."""

from __future__ import annotations

import numpy as np
import pytest
from support.worlds import random_atoms, random_world

from gpufluid import Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.gpu.device import Device
from gpufluid.gpu.readback import LateReadback, Readback, WindowCopies
from gpufluid.gpu.textures import FORMATS, Pair, make_texture

TEXELS = {image: np.dtype(dtype) for image, (_, _, dtype) in FORMATS.items()}


def random_texels(image: str, width: int, height: int) -> np.ndarray:
    """Random texels, (height, width[, components]) of the format's type, over its whole range."""
    components, limits = FORMATS[image][0], np.iinfo(TEXELS[image])
    shape = (height, width) if components == 1 else (height, width, components)
    return np.random.default_rng(0).integers(limits.min, limits.max, shape, TEXELS[image], endpoint=True)


@pytest.mark.parametrize("image", FORMATS)
@pytest.mark.parametrize("size", [(1, 1), (5, 3), (33, 7)], ids=str)
def test_read_texels_equal_the_written_ones(device: Device, image: str, size: tuple[int, int]) -> None:
    texels = random_texels(image, *size)
    with device:
        read = Readback(*size, image).read(make_texture(device, *size, image, texels))
    assert read.dtype == texels.dtype
    np.testing.assert_array_equal(read, texels)


def test_readback_reuses_its_array(device: Device) -> None:
    with device:
        readback = Readback(2, 2, "r32i")
        first = readback.read(make_texture(device, 2, 2, "r32i", np.full((2, 2), 1)))
        second = readback.read(make_texture(device, 2, 2, "r32i", np.full((2, 2), 2)))
    assert first is second
    assert (first == 2).all()


@pytest.mark.parametrize("deep", [2, 3, 5])
def test_late_readback_answers_a_fixed_number_of_requests_later(device: Device, deep: int) -> None:
    with device:
        late, answers = LateReadback(device, "r32i", WindowCopies(device, "r32i"), deep), []
        for label in range(8):
            answer = late.request(make_texture(device, 3, 1, "r32i", np.full((1, 3), 10 * label)), label)
            answers.append(answer and (answer[0], answer[1].tolist()))
        late.release()
    assert answers == [None] * (deep - 1) + [(label, [[10 * label] * 3]) for label in range(9 - deep)]


def test_late_readback_with_one_buffer_is_refused(device: Device) -> None:
    with pytest.raises(UsageError, match=r"^deep: 1; expected 2 buffers or more"):
        LateReadback(device, "r32i", WindowCopies(device, "r32i"), 1)


@pytest.mark.parametrize("image", FORMATS)
def test_late_windows_of_any_size_follow_swapped_textures(device: Device, image: str) -> None:
    windows = [(0, 0, 11, 6), (3, 2, 4, 3), (10, 5, 1, 1), None, (0, 1, 11, 2), (2, 0, 5, 6), (1, 1, 2, 2), None]
    with device:
        pair = Pair(make_texture(device, 11, 6, image), make_texture(device, 11, 6, image))
        copies, expected = WindowCopies(device, image), []
        late = LateReadback(device, image, copies)
        for label, window in enumerate(windows):
            texels = np.roll(random_texels(image, 11, 6), label)
            pair.read.write(np.ascontiguousarray(texels), alignment=1)
            x, y, width, height = window or (0, 0, 11, 6)
            expected.append(texels[y : y + height, x : x + width])
            answer = late.request(pair.read, label, window)
            pair.swap()
            assert (answer is None) == (label < 2)
            if answer is not None:
                assert answer[0] == label - 2
                np.testing.assert_array_equal(answer[1], expected[label - 2])
        late.release()
        copies.release()
        pair.release()


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
@pytest.mark.parametrize("world", [random_world(20, 30), random_atoms(20, 30)], ids=repr)
def test_late_readback_of_a_running_world_is_two_calls_late(world: World) -> None:
    """Whole fields and a moving window, with one to three ticks between two requests."""
    with Simulation(world) as sim:
        seen: list[World] = []
        for look in range(9):
            seen.append(sim.read())
            at = (2 * look, look)
            whole, part = sim.late("material"), sim.late(world.fields[-1], (at, (7, 5)))
            sim.step(1 + look % 3)
            if look < 2:
                assert whole is None
                assert part is None
                continue
            then, (x, y) = seen[look - 2], (2 * look - 4, look - 2)
            assert whole is not None
            assert part is not None
            assert whole[0] == part[0] == then.tick
            np.testing.assert_array_equal(whole[1], then["material"])
            np.testing.assert_array_equal(part[1], then[world.fields[-1]][y : y + 5, x : x + 7])


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("window", [((-1, 0), (2, 2)), ((3, 0), (2, 1)), ((0, 0), (1, 0))])
def test_a_late_window_outside_the_world_is_refused(window: tuple[tuple[int, int], tuple[int, int]]) -> None:
    with Simulation(World(4, 4, rules=("flow",))) as sim, pytest.raises(UsageError, match="not all inside the world"):
        sim.late("mass", window)


@pytest.mark.parametrize(
    "window",
    [(0, 0, 10, 10), ((0, 0), 4), (None, None), ((0, 0, 1), (4, 4)), ((0, 0),), ("ab", "cd"), ((0.5, 0), (4, 4)), 7],
    ids=str,
)
def test_an_invalid_late_window_is_refused(window: object) -> None:
    with (
        Simulation(World(20, 30, rules=("flow",))) as sim,
        pytest.raises(UsageError, match=r"^window: .*expected \(\(?column, row\)"),
    ):
        sim.late("mass", window=window)  # pyright: ignore[reportArgumentType]
