"""Matter looks right: what floats and sinks, how gases spread and streams fray, and no stripes."""

from __future__ import annotations

import numpy as np
import pytest
from stripes import stripes_of
from support.atoms import atoms, run, where

import gpufluid

pytestmark = pytest.mark.usefixtures("device")

SURFACE, BLOCK = 20, 12
ANOTHER_MIXTURE = pytest.mark.long("another scene of a mixture")


def rows_of(world: gpufluid.World, material: str) -> np.ndarray:
    """The row of each atom of a material, (atoms,) int."""
    return np.nonzero(where(world, material))[0]


def block_under_water(material: str) -> gpufluid.World:
    """A block of powder in the middle of water 60 deep."""
    world = atoms(80, 60)
    world["material"][SURFACE:] = world.materials["water"]
    world["material"][44 : 44 + BLOCK, 24 : 24 + BLOCK] = world.materials[material]
    return world


@pytest.mark.parametrize("material", ["snow", "ash"])
def test_a_light_powder_rises_to_the_surface(material: str) -> None:
    rows = rows_of(run(block_under_water(material), 80), material)
    assert rows.size == BLOCK**2
    assert rows.max() < SURFACE + BLOCK


@pytest.mark.parametrize("material", ["sand", "gravel", "mud"])
def test_a_heavy_powder_sinks_to_the_floor(material: str) -> None:
    rows = rows_of(run(block_under_water(material), 80), material)
    assert rows.size == BLOCK**2
    assert rows.min() >= 80 - BLOCK


def test_sand_that_falls_into_water_goes_under() -> None:
    """Measured: it reaches the water in tick 16; of 1,257 grains 1,129 are above the surface at tick 20, 17 at 40."""
    world = run(gpufluid.load("into_water"), 40)
    assert (rows_of(world, "sand") < 64).mean() < 0.1


def test_two_liquids_side_by_side_draw_level() -> None:
    world = atoms(40, 60)
    world["material"][8:, :30] = world.materials["oil"]
    world["material"][8:, 30:] = world.materials["water"]
    surface = where(run(world, 800), "water").argmax(axis=0)
    assert np.ptp(surface) <= 2


def test_a_gas_spreads_alike_along_both_axes_without_gravity() -> None:
    world = atoms(120, 120, gravity="off")
    world["material"][50:70, 50:70] = world.materials["steam"]
    rows, columns = np.nonzero(where(run(world, 300), "steam"))
    assert rows.std() > 10
    assert abs(rows.std() / columns.std() - 1) < 0.1


def test_a_rising_cloud_grows_in_height() -> None:
    world = atoms(160, 100)
    world["material"][130:150, 40:60] = world.materials["steam"]
    rows = rows_of(run(world, 60), "steam")
    assert np.ptp(rows) > 40


@pytest.mark.parametrize("material", ["water", "sand"])
def test_a_falling_block_frays(material: str) -> None:
    world = atoms(240, 60)
    world["material"][5:25, 20:40] = world.materials[material]
    falling = where(run(world, 45), material)
    assert 22 <= falling.any(axis=0).sum() <= 45
    assert falling[:, 22:38].sum() > 0.7 * 400  # it is still a block


def test_rubber_falls_whole() -> None:
    world = atoms(240, 60)
    world["material"][5:25, 20:40] = world.materials["rubber"]
    falling = where(run(world, 30), "rubber")
    assert falling.any(axis=0).sum() == falling.any(axis=1).sum() == 20


@pytest.mark.parametrize(
    ("scene", "material", "mean", "most"),
    [
        ("two_liquids", "oil", 0.0132, 0.0374),
        ("water_column", "water", 0.002, 0.008),
        ("water_drop", "water", 0.0004, 0.002),
        ("rubber_balls", "rubber", 0.002, 0.008),
        ("sand_columns", "sand", 0.007, 0.025),
        pytest.param("broken_walls", "water", 0.003, 0.009, marks=ANOTHER_MIXTURE),
        pytest.param("mixed_maze", "water", 0.005, 0.06, marks=ANOTHER_MIXTURE),
        pytest.param("steam_bells", "steam", 0.001, 0.001, marks=ANOTHER_MIXTURE),
        pytest.param("closed_cycle", "water", 0.0015, 0.02, marks=ANOTHER_MIXTURE),
        pytest.param("lava_meets_water", "water", 0.004, 0.07, marks=ANOTHER_MIXTURE),
    ],
)
def test_matter_does_not_lie_in_stripes(scene: str, material: str, mean: float, most: float) -> None:
    """The share of matter in bars one cell thick: not above what is reached.

    That is at most a tenth of the first edition's in the mean and a fifth at most, which `tools/stripes.py` has; but
    the 0.03 % of `water_drop` in the mean are to be 0.02.
    """
    found = stripes_of(gpufluid.load(scene), material)
    assert found.mean() < mean
    assert found.max() < most


@pytest.mark.long("a scene at eight seeds")
def test_a_waterfall_is_a_curtain_and_no_fan_of_bars() -> None:
    """Its bars are few among a few hundred drops, so they are counted at eight seeds.

    Measured: 0.0063 in the mean and 0.0181 at most; before its streams gathered in drops 0.0065 and 0.0145, and in the
    first edition 0.032 and 0.048.
    """
    found = np.mean([stripes_of(gpufluid.load("waterfall", seed=seed), "water") for seed in range(8)], axis=0)
    assert found.mean() < 0.0066
    assert found.max() < 0.0185
