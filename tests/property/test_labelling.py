"""Bodies of liquid are the connected components of liquid cells, also in pictures that are hard to label."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage
from support.pictures import PICTURES, first_cells, spiral
from support.selection import crossed

from gpufluid import FULL, Simulation, World
from gpufluid.core.frame import in_frame
from gpufluid.matter.mixtures import Constituent, MixtureTable, PressureFlow
from gpufluid.rules.pressure import ADOPTED
from gpufluid.world.laws import GRAVITIES

pytestmark = pytest.mark.usefixtures("device")

every_picture = pytest.mark.parametrize("name", PICTURES)


def water_world(picture: np.ndarray, **laws) -> World:
    """A world with water at rest in the cells of a picture of the gravity frame."""
    sides = picture.shape[::-1] if laws.get("gravity") in ("left", "right") else picture.shape
    world = World(*sides, ("atoms", "pressure"), **laws)
    in_frame(world["material"], world.gravity)[...] = np.where(picture, world.materials["water"], 0)
    return world


CONNECTS = 0.3
"""Cells that hold more than this fraction are connected."""


def fractions(picture: np.ndarray, direction: str = "up", **laws) -> World:
    """A mixture whose connected cells are the cells of a picture; other cells hold too little, or nothing."""
    flow = PressureFlow(direction, connectedliquid=CONNECTS)
    mixture = MixtureTable((Constituent("sand"), Constituent("water", pressure=flow)))
    world = World(*picture.shape, ("mixture", "pressure"), mixture=mixture, **laws)
    rng, least = np.random.default_rng(picture.size), round(CONNECTS * FULL)
    amounts = rng.integers(least + 1, FULL, picture.shape, endpoint=True)
    world["mixture"][1] = np.where(picture, amounts, rng.choice([0, least], picture.shape))
    world["mixture"][0] = FULL  # a material without pressure connects no cells
    return world


WORLDS = {"atoms": water_world, "mixture": fractions}
every_matter = pytest.mark.parametrize("matter", WORLDS)


def labels_of(world: World) -> np.ndarray:
    """The labels of the first tick, before any transfer, from the device: [row, column] of the gravity frame."""
    with Simulation(world) as sim:
        for call in sim.calls():
            if call.pass_.name in (
                "find_liquid_tiles",
                "merge_tiles",
                "activate_components",
                "label",
                "merge_labels",
                "compress_labels",
            ):
                sim.run(call)
        return sim.scratch("labels")


@crossed(name=PICTURES, matter=WORLDS)
def test_bodies_are_connected_components(name: str, matter: str) -> None:
    for side in (1, 31, 97):
        picture = PICTURES[name](side)
        found = labels_of(WORLDS[matter](picture))
        np.testing.assert_array_equal(found, first_cells(picture), err_msg=f"{side}")


LARGE = [
    ("spiral", 2048, "atoms"),
    ("spiral", 512, "mixture"),
    ("comb", 2048, "mixture"),
    ("lying_comb", 512, "atoms"),
    ("scattered 0.593", 2048, "mixture"),
]


@pytest.mark.parametrize(("name", "side", "matter"), LARGE, ids=lambda part: str(part))
def test_labels_of_large_pictures_equal_those_of_scipy_up_to_numbering(name: str, side: int, matter: str) -> None:
    picture = PICTURES[name](side)
    labels, count = ndimage.label(picture)
    found = labels_of(WORLDS[matter](picture))
    names = np.zeros(count + 1, np.uint32)
    names[labels] = found  # the label of one cell of each body
    np.testing.assert_array_equal(found, names[labels])
    assert len(np.unique(names)) == count + 1
    assert not found[~picture].any()


@pytest.mark.parametrize("direction", ["up", "down"])
def test_cells_on_a_body_or_beside_one_are_adopted(direction: str) -> None:
    """A thin layer between two bodies belongs to neither; a thin layer on a body belongs to that body."""
    picture = np.zeros((5, 9), bool)
    picture[1:, 1], picture[2:, 3:6] = True, True
    world = fractions(picture if direction == "up" else picture[::-1], direction)
    rows = slice(None, None, 1 if direction == "up" else -1)
    adopted = np.zeros(picture.shape, int)
    adopted[0, 1] = adopted[1:, 0] = adopted[1, 2] = 1  # around the narrow body
    adopted[1, 3:6] = adopted[2:, 6] = 2
    with Simulation(world) as sim:
        for call in sim.calls():
            if call.pass_.name == "offer":
                break
            sim.run(call)
        found = sim.scratch("labels")[rows]
    bodies = found[4, 1], found[4, 3]
    assert len({0, *bodies}) == 3
    expected = np.choose(adopted, [np.zeros(found.shape, int), *(body | ADOPTED for body in bodies)])
    np.testing.assert_array_equal(found, np.where(picture, found & (ADOPTED - 1), expected))


@pytest.mark.parametrize("sides", [(2, 2), (64, 64), (66, 40)])
def test_bodies_close_around_a_torus(sides: tuple[int, int]) -> None:
    """Random pictures."""
    for seed in range(3):
        picture = np.random.default_rng(seed).random(sides) < 0.55
        for make in WORLDS.values():
            found = labels_of(make(picture, edges="wrap"))
            np.testing.assert_array_equal(found, first_cells(picture, wrap=True))


@pytest.mark.parametrize("gravity", GRAVITIES[:4])
def test_bodies_are_labelled_in_the_frame_of_gravity(gravity: str) -> None:
    picture = spiral(70)[:, :45]
    np.testing.assert_array_equal(labels_of(water_world(picture, gravity=gravity)), first_cells(picture))


def test_two_touching_liquids_are_two_bodies_and_moving_liquid_has_none() -> None:
    world = World(6, 40, ("atoms", "pressure"))
    world["material"][2:5, :20], world["material"][2:5, 20:] = world.materials["water"], world.materials["oil"]
    world["velocity"][3, 10, 1] = 8
    picture = world["material"] != 0
    picture[3, 10] = False
    found = labels_of(world)
    assert np.unique(found).tolist() == [0, 2 * 40 + 1, 2 * 40 + 21]
    assert (found[2:5, :20] == np.where(picture[2:5, :20], 2 * 40 + 1, 0)).all()
