"""Worlds as plain arrays, with a border so that no loop asks for it: as a user would lay them out."""

from __future__ import annotations

import numpy as np

from gpufluid import World
from gpufluid.core.fields import PLANES, pack, unpack

SOLID = -1
"""The mass of a solid cell in the arrays of peers."""

PAD = 2
"""Cells of border on each side: an outflow across the edge depends on what lies two cells away."""

INSIDE = (slice(PAD, -PAD), slice(PAD, -PAD))


def masses_of(world: World) -> np.ndarray:
    """The masses of a world that is closed, int32 units; solid cells, and the border, hold `SOLID`.

    Raises: ValueError: a world with other edges, or with emitters and drains, which the peers do not know.
    """
    _check_plain(world)
    return np.pad(np.where(world.solid, SOLID, world["mass"]).astype(np.int32), PAD, constant_values=SOLID)


def masses_in(bordered: np.ndarray) -> np.ndarray:
    """The same the other way: (height, width), 0 in solid cells, as gpufluid has it."""
    return np.maximum(bordered[INSIDE], 0)


def words_of(world: World) -> np.ndarray:
    """The cells of a world of atoms, uint32 words as gpufluid's planes have them; the border is wall.

    Raises: ValueError: as `masses_of`, or gravity that is not down.
    """
    _check_plain(world)
    if world.gravity != "down":
        raise ValueError(f"gravity {world.gravity!r}; the peers know down alone")
    arrays = {name: world[name] for name in PLANES["cells"].fields}
    return np.pad(pack(PLANES["cells"], arrays), PAD, constant_values=world.materials["wall"])


def with_words(world: World, bordered: np.ndarray) -> World:
    """A copy of the world with these cells."""
    after = world.copy()
    for name, values in unpack(PLANES["cells"], np.ascontiguousarray(bordered[INSIDE])).items():
        after[name] = values
    return after


def ranks_of(world: World) -> np.ndarray:
    """The materials of a world as uint8 ranks, the denser the higher: 0 empty, 1 water, 2 sand.

    Raises: ValueError: a world with any other material.
    """
    _check_plain(world)
    number = world.materials
    ranks = np.full(256, 255, np.uint8)
    ranks[[0, number["water"], number["sand"]]] = 0, 1, 2
    found = ranks[world["material"]]
    if (found == 255).any():
        raise ValueError("the plain peers know empty cells, water and sand alone")
    return found


def _check_plain(world: World) -> None:
    if world.edges != "closed" or world.emitters or world.drains:
        raise ValueError("the peers know closed worlds without emitters and drains alone")
