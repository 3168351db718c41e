"""Drawing of rules heat and reactions: glow, lost integrity, and fading smoke."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import put, reacting

from gpufluid import Simulation, World
from gpufluid.core.fields import TEMPERATURE_ONE

pytestmark = pytest.mark.usefixtures("device")

EVERYWHERE = slice(None)
DEGREES = (20, 400, 700, 900, 1100, 1300, 1500)
"""Temperatures, in degrees C, of seven stripes, each four cells wide."""


def picture(world: World) -> np.ndarray:
    with Simulation(world) as sim:
        return sim.frame(1).astype(int)


def stripes(material: str, degrees: tuple[int, ...] = DEGREES) -> np.ndarray:
    """The mean colour of each stripe of a material, from the coldest to the hottest: (stripes, 3) float."""
    world = reacting(8, 4 * len(degrees))
    for place, warmth in enumerate(degrees):
        put(world, material, EVERYWHERE, slice(4 * place, 4 * place + 4), warmth)
    return picture(world).reshape(8, len(degrees), 4, 3).mean(axis=(0, 2))


def test_cold_stone_has_the_colour_of_stone_and_hot_stone_glows() -> None:
    """No glow below 500 degrees C; from there on dull red, orange and yellow, with increasing brightness."""
    colours = stripes("stone")
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
    """A flame is redder than empty cells, and reddens the empty cells beside it, but less."""
    reds = []
    for degrees in (20, 1100):
        world = reacting(9, 9)
        put(world, "fire", slice(4, 5), slice(4, 5), degrees)
        frame = picture(world)
        reds.append(frame[..., 0] - frame[..., 2])
    cold, hot = reds
    assert hot[4, 4] > hot[4, 5] > hot[5, 5] > 10
    assert hot[4, 5] > cold[4, 5] + 10
    assert abs(hot[4, 7]) < 5


def test_cells_are_drawn_darker_the_more_integrity_they_lost() -> None:
    world = reacting(8, 16)
    for place, parts in enumerate((0, 192, 128, 32)):
        put(world, "stone", EVERYWHERE, slice(4 * place, 4 * place + 4))
        world["integrity"][:, 4 * place : 4 * place + 4] = parts
    brightness = picture(world).reshape(8, 4, 4, 3).mean(axis=(0, 2, 3))
    assert (np.diff(brightness) < -8).all()


def test_smoke_thins_as_it_ages() -> None:
    """Older smoke is closer to the colour of empty cells."""
    world = reacting(8, 12)
    put(world, "smoke", EVERYWHERE, EVERYWHERE)
    for place, age in enumerate((0, 120, 255)):
        world["age"][:, 4 * place : 4 * place + 4] = age
    brightness = picture(world).reshape(8, 3, 4, 3).mean(axis=(0, 2, 3))
    assert (np.diff(brightness) > 15).all()
