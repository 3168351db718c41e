"""A picture that is drawn in pieces, each from the cells around it alone, is that of all cells, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from support.mixtures import random_mixture
from support.selection import crossed
from support.worlds import moving_water, random_atoms

from gpufluid import Simulation, World
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.gpu.held_planes import HeldPlanes
from gpufluid.gpu.memory import Allocations
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.render.framing import Cells
from gpufluid.render.look import Look
from gpufluid.render.painter import Painter, cells_for, source_of
from gpufluid.render.settings import PictureSettings
from gpufluid.world.laws import EDGES, GRAVITIES

NIGHT, SKY = Look.of("night"), Look.of("day", "#3070e0")

HIGH, WIDE = 431, 39
"""The sides of a world: pieces of it are longer than light reaches, and no side is a multiple of a texel of light."""

GASES = ("smoke", "steam", "fire", "lava", "ember", "water", "sand", "wall")
"""Materials that are drawn beyond their own cells, and some that are not."""

ALL_RULES = ("flow", "inertia", "atoms", "heat", "reactions")


def spans(first: int, end: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Columns or rows, maybe beyond a torus, as (the first one in the world, their number, how many lie before)."""
    at = first
    while at < end:
        length = min(most - at % most, end - at)
        yield at % most, length, at - first
        at += length


def in_pieces(world: World, settings: PictureSettings, cuts: tuple[list[int], list[int]], device: Device) -> np.ndarray:
    """Draw a world in pieces between some columns and some rows of pixels of the source of the picture."""
    painter = Painter(device, world.blank(), generated.for_world(world))
    painter.tick = world.tick
    layout = settings.layout((world.width, world.height), device.max_side)
    source = source_of(world, settings, layout)
    width, height = source.size
    found = np.zeros((height, width, 3), np.uint8)
    with device:
        device.allocations = Allocations()
        planes, held = PlaneTextures(device, world, ()), HeldPlanes(device, world)
        edges = [
            sorted({0, most, *(cut * most // 100 for cut in own)}) for own, most in zip(cuts, source.size, strict=True)
        ]
        for (left, right), (top, bottom) in product(*map(pairwise, edges)):
            pixels = left, top, right, bottom
            cells = cells_for(world, settings, source, pixels)
            hold(held, planes, cells, world)
            drawn = painter.draw_piece(held.textures, cells, settings, source, pixels)
            found[top:bottom, left:right] = drawn
        picture = painter.complete(found, settings, layout)
        device.allocations.release()
    return picture


def hold(held: HeldPlanes, planes: PlaneTextures, cells: Cells, world: World) -> None:
    """Copy some cells of a world, maybe beyond a torus, to textures of their own."""
    left, top, right, bottom = cells
    held.reserve((right - left, bottom - top))
    for (x, width, across), (y, height, down) in product(
        spans(left, right, world.width), spans(top, bottom, world.height)
    ):
        held.copy(planes, (x, y, width, height), (across, down))


def check(world: World, settings: PictureSettings, cuts: tuple[list[int], list[int]], device: Device) -> None:
    with Simulation(world) as sim:
        whole = sim.picture(settings)
    assert np.ptp(whole, axis=(0, 1)).any()  # it is not all one colour
    np.testing.assert_array_equal(in_pieces(world, settings, cuts, device), whole)


@crossed(most=1, together=1, edges=EDGES, gravity=["down", "left", "off"])
@pytest.mark.parametrize(
    ("rules", "look"),
    [
        (("atoms",), Look()),
        pytest.param(ALL_RULES, NIGHT, marks=pytest.mark.long("programs of all rules")),
        (("flow", "inertia"), SKY),
    ],
)
def test_pieces_of_a_picture_are_those_of_the_whole(
    rules: tuple[str, ...], look: Look, edges: str, gravity: str, device: Device
) -> None:
    """Of a high world and a wide one; with scales whose pixels average cells of two pieces."""
    high, wide = (HIGH - 1, WIDE - 1) if edges == "wrap" else (HIGH, WIDE)  # even, for blocks
    for size, scale in (((high, wide), 1), ((wide, high), "1/5"), ((high, wide), "1/64")):
        laws = {"edges": edges, "gravity": gravity, "luck": 3, "tick": 77}
        world = (
            moving_water(*size, **laws)
            if "atoms" not in rules
            else random_atoms(*size, rules=rules, kinds=GASES, filled=0.1, **laws)
        )
        check(world, PictureSettings(scale, look=look), ([13, 55, 56], [3, 40, 41, 97]), device)


@crossed(most=3, edges=EDGES, gravity=GRAVITIES)
def test_pieces_of_a_mixture_are_those_of_the_whole(edges: str, gravity: str, device: Device) -> None:
    world = random_mixture(HIGH, WIDE, edges=edges, gravity=gravity)
    check(world, PictureSettings(2, look=NIGHT), ([50], [30, 60]), device)
    check(world, PictureSettings(overlay="total"), ([50], [30, 60]), device)


@pytest.mark.long("programs of all rules")
@pytest.mark.parametrize("overlay", ["mass", "flow", "pressure", "speed", "blocks", "temperature", "latent", "age"])
def test_pieces_of_an_overlay_are_those_of_the_whole(overlay: str, device: Device) -> None:
    for gravity in ("down", "left"):
        world = random_atoms(75, 90, rules=ALL_RULES, gravity=gravity, tick=1234)
        check(world, PictureSettings("1/3", overlay, look=SKY), ([30, 70], [44, 45]), device)


@pytest.mark.parametrize(
    "how",
    [
        {"scale": 5},
        {"crop": (3, 40, 25, 301)},
        {"crop": (36, 1, 1, 400), "scale": "1/3"},
        {"size": (2 * WIDE + 40, 2 * HIGH)},
        {"size": (50, 300)},
        {"size": (90, 1200), "crop": (0, 50, 30, 350)},
    ],
    ids=str,
)
@pytest.mark.parametrize("rules", [("flow",), ("atoms",)])
def test_pieces_of_a_part_or_a_size_are_those_of_the_whole(
    rules: tuple[str, ...], how: dict[str, object], device: Device
) -> None:
    world = random_atoms(HIGH, WIDE, rules=("flow", "atoms")) if "flow" in rules else random_atoms(HIGH, WIDE)
    check(world, PictureSettings(**how), ([20], [10, 50, 90]), device)  # pyright: ignore[reportArgumentType]
