"""Crops of the world, and pictures of a given size."""

from __future__ import annotations

import numpy as np
import pytest
from support.worlds import random_atoms, random_world

from gpufluid import Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.render.look import THEMES
from gpufluid.render.scale import Scale
from gpufluid.render.settings import PictureSettings

pytestmark = pytest.mark.usefixtures("device")

BEYOND = THEMES["day"].beyond
PARTS = [(0, 0, 38, 23), (5, 3, 20, 11), (37, 22, 1, 1), (0, 20, 38, 3)]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("zoom", [1, 2, 5])
@pytest.mark.parametrize("overlay", [None, "pressure"])
def test_a_crop_is_the_part_of_the_picture(overlay: str | None, zoom: int, part: tuple[int, int, int, int]) -> None:
    """In worlds of water details lie within a cell; in those of atoms a picture is enlarged."""
    x, y, width, height = part
    rows, columns = slice(zoom * y, zoom * (y + height)), slice(zoom * x, zoom * (x + width))
    for world in (random_world(23, 38), random_atoms(23, 38)):
        if overlay is not None and "flow" not in world.rules:
            continue
        with Simulation(world) as sim:
            np.testing.assert_array_equal(sim.frame(zoom, overlay, crop=part), sim.frame(zoom, overlay)[rows, columns])


def test_a_small_crop_averages_its_own_cells_only() -> None:
    """At its right and lower edges a pixel averages fewer cells."""
    with Simulation(random_world(23, 38)) as sim:
        light = sim.frame(1, crop=(5, 3, 20, 11)).astype(float) ** 2
        found = sim.frame("1/3", crop=(5, 3, 20, 11)).astype(float)
    assert found.shape == (4, 7, 3)
    wanted = [[light[y : y + 3, x : x + 3].mean(axis=(0, 1)) ** 0.5 for x in range(0, 20, 3)] for y in range(0, 11, 3)]
    assert np.abs(found - np.array(wanted)).max() <= 2


@pytest.mark.parametrize("overlay", ["moves", "tiles"])
def test_lines_of_an_overlay_are_drawn_where_the_crop_is(overlay: str) -> None:
    world = random_atoms(40, 60)
    with Simulation(world, trace=True) as sim:
        sim.step(3)
        whole, part = sim.frame(4, overlay), sim.frame(4, overlay, crop=(17, 9, 30, 22))
    np.testing.assert_array_equal(part[4:-4, 4:-4], whole[40 : 36 + 84, 72 : 68 + 116])


@pytest.mark.parametrize(
    ("size", "place"),
    [
        ((38, 23), (0, 0, 38, 23)),  # a pixel a cell
        ((114, 69), (0, 0, 114, 69)),  # three
        ((120, 69), (3, 0, 114, 69)),  # three, in the middle
        ((114, 100), (0, 15, 114, 69)),
        ((19, 40), (0, 14, 19, 12)),  # a half
        ((50, 30), (0, 0, 50, 30)),
        ((1, 1), (0, 0, 1, 1)),
        ((2500, 20), (1233, 0, 33, 20)),
    ],
)
def test_a_picture_of_a_size_shows_the_world_as_large_as_it_fits(
    size: tuple[int, int], place: tuple[int, int, int, int]
) -> None:
    with Simulation(random_world(23, 38)) as sim:
        picture = sim.frame(size=size)
    assert picture.shape == (size[1], size[0], 3)
    x, y, width, height = place
    outside = np.ones(picture.shape[:2], bool)
    outside[y : y + height, x : x + width] = False
    assert (picture[outside] == BEYOND).all()
    assert (picture[~outside] != BEYOND).any(axis=1).mean() > 0.9


@pytest.mark.parametrize(("size", "scale"), [((38, 23), 1), ((76, 46), 2), ((114, 69), 3), ((19, 12), "1/2")])
@pytest.mark.parametrize("theme", THEMES)
def test_a_size_that_fits_exactly_is_the_picture_of_that_scale(
    size: tuple[int, int], scale: float | str, theme: str
) -> None:
    with Simulation(random_atoms(23, 38)) as sim:
        found, wanted = sim.frame(size=size, theme=theme), sim.frame(scale, theme=theme)
    if size == (19, 12):  # 23 rows are no whole number of pixels: the picture is averaged, nearly the same
        assert found.shape == wanted.shape
        assert np.abs(found.astype(int) - wanted)[:-1].mean() < 12
    else:
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("make", [random_world, random_atoms])
@pytest.mark.parametrize("size", [(50, 30), (95, 58), (31, 19), (11, 7)])
def test_other_sizes_average_the_light_of_what_a_pixel_covers(make, size: tuple[int, int]) -> None:
    """The mean light of the whole picture is kept, and that of each quarter."""
    with Simulation(make(23, 38)) as sim:
        scale = 4 if size > (38, 23) else 1
        whole = sim.frame(scale).astype(float) ** 2
        found = sim.frame(size=size).astype(float) ** 2
    assert np.abs(found.mean(axis=(0, 1)) ** 0.5 - whole.mean(axis=(0, 1)) ** 0.5).max() < 2
    half = found[: size[1] // 2, : size[0] // 2].mean(), whole[: len(whole) // 2, : 19 * scale].mean()
    assert abs(half[0] ** 0.5 - half[1] ** 0.5) < 12


def test_a_crop_of_a_size_is_enlarged_as_far_as_it_fits() -> None:
    with Simulation(random_atoms(23, 38)) as sim:
        part = sim.frame(6, crop=(4, 4, 16, 9))
        np.testing.assert_array_equal(sim.frame(crop=(4, 4, 16, 9), size=(96, 54)), part)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"crop": (0, 0, 5, 2)}, "crop: 0,0,5x2; expected cells inside the world of 4x3 cells"),
        ({"crop": (-1, 0, 2, 2)}, "crop: -1,0,2x2; expected cells inside the world of 4x3 cells"),
        ({"crop": (0, 0, 0, 2)}, "crop: 0,0,0x2; expected cells inside the world of 4x3 cells"),
        ({"crop": (1, 2)}, "crop: (1, 2); expected x, y, width and height in cells, such as (20, 0, 64, 48)"),
        ({"crop": (0.5, 0, 1, 1)}, "crop: (0.5, 0, 1, 1); expected x, y, width and height in cells"),
        ({"crop": True}, "crop: True; expected x, y, width and height"),
        ({"crop": {1, 2, 3, 4}}, "crop: {1, 2, 3, 4}; expected x, y, width and height"),
        ({"size": (0, 9)}, "size: 0x9; expected at least one pixel a side"),
        ({"size": 9}, "size: 9; expected width and height in pixels, such as (1280, 720)"),
        ({"size": (9.0, 9)}, "size: (9.0, 9); expected width and height in pixels"),
        ({"size": (9, 9), "scale": 2}, "scale: 2; has no effect beside size 9x9"),
        ({"size": (99999, 9)}, "size: 99999x9; a picture of 99999 by 9 pixels is over this device's limit of"),
    ],
)
def test_a_wrong_crop_or_size_is_refused(given: dict[str, object], words: str) -> None:
    with Simulation(World(3, 4, rules=("flow",))) as sim, pytest.raises(UsageError) as caught:
        sim.frame(**given)  # pyright: ignore[reportArgumentType]
    assert str(caught.value).startswith(words)


def test_a_source_that_is_averaged_is_no_larger_than_a_picture_can_be() -> None:
    """Of a world that several ranks share; in one process no world is larger."""
    layout = PictureSettings(size=(50, 900)).layout((8, 2500), 1000)
    assert layout.framing.scale == Scale(cells_a_pixel=3)
    assert PictureSettings(size=(50, 900)).layout((8, 1000), 1000).framing.scale == Scale()


def test_numbers_of_numpy_are_whole_numbers() -> None:
    with Simulation(random_world(8, 8)) as sim:
        part = sim.frame(crop=tuple(np.array([1, 2, 3, 4])), size=tuple(np.array([6, 8])))
        np.testing.assert_array_equal(part, sim.frame(2, crop=(1, 2, 3, 4)))
