"""Drawing of rules heat and reactions: tint, glow, lost integrity, and fading smoke."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import put, reacting

from gpufluid import Simulation, World
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.matter.materials import SHIPPED

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)
DEGREES = (20, 400, 700, 900, 1100, 1300, 1500)
"""Temperatures, in degrees C, of seven stripes, each four cells wide."""


def picture(world: World, *, tint: bool = True) -> np.ndarray:
    with Simulation(world) as sim:
        return sim.frame(1, tint=tint).astype(int)


def stripes(material: str, degrees: tuple[float, ...] = DEGREES, *, tint: bool = True) -> np.ndarray:
    """The mean colour of each stripe of a material, from the coldest to the hottest: (stripes, 3) float."""
    world = reacting(8, 4 * len(degrees))
    for place, warmth in enumerate(degrees):
        put(world, material, EVERYWHERE, slice(4 * place, 4 * place + 4), warmth)
    return picture(world, tint=tint).reshape(8, len(degrees), 4, 3).mean(axis=(0, 2))


def redness(colours: np.ndarray) -> np.ndarray:
    """Red less the mean of green and blue, of colours (..., 3)."""
    return colours[..., 0] - colours[..., 1:].mean(axis=-1)


@pytest.mark.parametrize("material", ["stone", "wood", "metal", "water", "sand", "charcoal"])
def test_matter_is_tinted_red_from_40_degrees_on_the_more_the_warmer(material: str) -> None:
    """Visible: 5 of 255 steps. Below 30 degrees the colour is the material's own, with and without the tint."""
    degrees = (0, 0, 20, 30, 40, 90, 200, 500, 500)
    tints = (stripes(material, degrees) - stripes(material, degrees, tint=False))[1:-1]
    assert not tints[:3].any()
    assert redness(tints)[3] > 5
    assert (np.diff(redness(tints)[2:]) > 4).all()


def test_matter_is_tinted_blue_below_0_degrees_the_more_the_colder() -> None:
    degrees = (0, 0, -20, -100, -250, -250)
    tints = (stripes("stone", degrees) - stripes("stone", degrees, tint=False))[1:-1]
    bluer = tints[:, 2] - tints[:, 0]
    assert bluer[0] == 0
    assert (np.diff(bluer) > 5).all()


@pytest.mark.parametrize(
    ("material", "hotter"), [("burning oil", True), ("lava", True), ("ember", True), ("ice", False), ("snow", False)]
)
def test_a_material_at_the_temperature_of_its_own_has_its_own_colour(material: str, hotter: bool) -> None:
    """Its tint begins beyond: it is there at 200 degrees more, or less."""
    (own,) = (record.temperature for record in SHIPPED if record.name == material)
    assert own is not None
    degrees = (20, 20, own, own + (200 if hotter else -200), 20)
    tints = (stripes(material, degrees) - stripes(material, degrees, tint=False))[1:-1]
    assert not tints[:2].any()
    assert tints[2].any()


def test_gases_and_empty_cells_have_no_tint() -> None:
    """Steam of 110 degrees in warm colours would look like a flame."""
    world = reacting(8, 16)
    put(world, "steam", EVERYWHERE, slice(0, 8), 300)
    np.testing.assert_array_equal(picture(world), picture(world, tint=False))


def test_the_tint_grows_into_the_glow_without_a_step() -> None:
    degrees = tuple(range(440, 580, 10))
    steps = abs(np.diff(stripes("stone", degrees)[1:-1], axis=0)).max()
    assert steps < 10


def test_cold_stone_has_the_colour_of_stone_and_hot_stone_glows() -> None:
    """Without tint no glow below 500 degrees C; from there on dull red, orange and yellow, increasingly bright."""
    colours = stripes("stone", tint=False)
    red, green, blue = colours.T
    assert abs(colours[1] - colours[0]).max() < 4  # the first stripe is shaded at the world's edge
    assert (np.diff(red[1:5]) > 5).all()
    assert (np.diff(green[3:]) > 5).all()
    assert red[2] > green[2] + 20  # red
    assert red[4] > green[4] + 60 > blue[4] + 90  # orange
    assert red[6] > 200
    assert green[6] > 150
    assert blue[6] < green[6] - 30  # yellow, not white


def test_stone_that_glows_does_not_light_the_stone_beside_it() -> None:
    world = reacting(9, 9)
    put(world, "stone", EVERYWHERE, EVERYWHERE, 20)
    cold = picture(world)
    world["temperature"][4, 4] = 1200 * TEMPERATURE_ONE
    differs = (picture(world) != cold).any(axis=2)
    assert np.argwhere(differs).tolist() == [[4, 4]]


def test_hot_gas_lights_the_air_beside_it_and_cold_gas_does_not() -> None:
    """A flame is redder than empty cells, and reddens the empty cells around it, the less the further away."""
    reds = []
    for degrees in (20, 1100):
        world = reacting(31, 31)
        put(world, "fire", slice(15, 17), slice(14, 16), degrees)
        frame = picture(world)
        reds.append(frame[..., 0] - frame[..., 2])
    cold, hot = reds
    assert hot[15, 15] > hot[15, 17] + 20 > hot[15, 19] + 20 > 20
    assert hot[15, 15] > cold[15, 15] + 20
    assert abs(hot[15, 26]) < 5


def test_cells_are_drawn_darker_the_more_integrity_they_lost() -> None:
    world = reacting(8, 16)
    for place, parts in enumerate((0, 192, 128, 32)):
        put(world, "stone", EVERYWHERE, slice(4 * place, 4 * place + 4))
        world["integrity"][:, 4 * place : 4 * place + 4] = parts
    brightness = picture(world).reshape(8, 4, 4, 3).mean(axis=(0, 2, 3))
    assert (np.diff(brightness) < -8).all()


def test_smoke_thins_as_it_ages() -> None:
    """Older smoke is closer to the colour of empty cells."""
    world = reacting(8, 60)
    put(world, "smoke", EVERYWHERE, EVERYWHERE)
    for place, age in enumerate((0, 120, 255)):
        world["age"][:, 20 * place : 20 * place + 20] = age
    brightness = picture(world).reshape(8, 3, 20, 3)[:, :, 8:12].mean(axis=(0, 2, 3))
    assert (np.diff(brightness) > 5).all()
