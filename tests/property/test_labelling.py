"""Bodies of liquid are what hangs together: found on the device as cell by cell, on pictures made to be hard."""

from __future__ import annotations

import numpy as np
import pytest
from support.pictures import PICTURES, first_cells, spiral

from gpufluid import Simulation, World
from gpufluid.frame import in_frame
from gpufluid.laws import GRAVITIES
from gpufluid.rules import RULES

pytestmark = pytest.mark.usefixtures("device")

VARIANTS = [each.name for each in RULES["pressure"].variants]
every_variant = pytest.mark.parametrize("variant", VARIANTS)
every_picture = pytest.mark.parametrize("name", PICTURES)


def pond(picture: np.ndarray, **laws) -> World:
    """A world whose frame has water at rest where the picture says."""
    sides = picture.shape[::-1] if laws.get("gravity") in ("left", "right") else picture.shape
    world = World(*sides, ("atoms", "pressure"), **laws)
    in_frame(world["material"], world.gravity)[...] = np.where(picture, world.materials["water"], 0)
    return world


def labels_of(world: World, variant: str) -> np.ndarray:
    """[row, column] of the frame: what the device finds before anything has moved."""
    with Simulation(world, variant={"pressure": variant}) as sim:
        for call in sim.calls():
            if call.pass_.name in ("wet", "meet", "stir", "label", "unite", "flatten"):
                sim.run(call)
        return sim.scratch("labels")


@every_variant
@every_picture
def test_bodies_are_what_hangs_together(name: str, variant: str) -> None:
    for side in (1, 31, 64, 97):
        picture = PICTURES[name](side)
        np.testing.assert_array_equal(labels_of(pond(picture), variant), first_cells(picture), err_msg=f"{side}")


@pytest.mark.parametrize("name", ["spiral", "comb", "scattered 0.593"])
def test_large_pictures_equal_those_of_scipy_up_to_names(name: str) -> None:
    ndimage = pytest.importorskip("scipy.ndimage", reason="scipy is not installed: pip install -e '.[dev]'")
    picture = PICTURES[name](512)
    labels, count = ndimage.label(picture)
    found = labels_of(pond(picture), VARIANTS[-1])
    pairs = np.unique(np.stack([labels[picture], found[picture].astype(np.int64)]), axis=1)
    assert pairs.shape[1] == count == len(np.unique(pairs[0])) == len(np.unique(pairs[1]))
    assert not found[~picture].any()


@every_variant
@pytest.mark.parametrize("name", ["spiral", "comb"])
def test_a_large_picture(name: str, variant: str) -> None:
    picture = PICTURES[name](512)
    np.testing.assert_array_equal(labels_of(pond(picture), variant), first_cells(picture))


@pytest.mark.parametrize("sides", [(2, 2), (64, 64), (66, 40)])
def test_bodies_close_around_a_torus(sides: tuple[int, int]) -> None:
    """Random ones, and the spiral's corridor, both ends of which lie at a side."""
    for luck in range(3):
        picture = np.random.default_rng(luck).random(sides) < 0.55
        for variant in VARIANTS:
            found = labels_of(pond(picture, edges="wrap"), variant)
            np.testing.assert_array_equal(found, first_cells(picture, wrap=True))


@pytest.mark.parametrize("gravity", GRAVITIES[:4])
def test_bodies_are_counted_in_the_frame_of_gravity(gravity: str) -> None:
    picture = spiral(70)[:, :45]
    for variant in VARIANTS:
        np.testing.assert_array_equal(labels_of(pond(picture, gravity=gravity), variant), first_cells(picture))


def test_two_liquids_that_touch_are_two_bodies_and_what_moves_is_of_none() -> None:
    world = World(6, 40, ("atoms", "pressure"))
    world["material"][2:5, :20], world["material"][2:5, 20:] = world.materials["water"], world.materials["oil"]
    world["velocity"][3, 10, 1] = 8
    picture = world["material"] != 0
    picture[3, 10] = False
    for variant in VARIANTS:
        found = labels_of(world, variant)
        assert np.unique(found).tolist() == [0, 2 * 40 + 1, 2 * 40 + 21]
        assert (found[2:5, :20] == np.where(picture[2:5, :20], 2 * 40 + 1, 0)).all()
