"""Conversion of worlds to and from plain arrays with a border, so that loops need no test for the world's edges."""

from __future__ import annotations

import numpy as np

from gpufluid import World
from gpufluid.core.fields import PLANES
from gpufluid.core.packing import pack, unpack

SOLID = -1
"""The mass of a solid cell in the arrays of peers."""

PAD = 2
"""Width of the border, in cells: an outflow depends on cells up to two cells away."""

INSIDE = (slice(PAD, -PAD), slice(PAD, -PAD))


def masses_of(world: World) -> np.ndarray:
    """Return the masses of a closed world with a border: (height + 2 PAD, width + 2 PAD) int32, units.

    Solid cells and the border hold `SOLID`.
    Raises: ValueError: other edges, or emitters or drains, which the peers do not support.
    """
    _check_plain(world)
    return np.pad(np.where(world.solid, SOLID, world["mass"]).astype(np.int32), PAD, constant_values=SOLID)


def masses_in(bordered: np.ndarray) -> np.ndarray:
    """Convert bordered masses, as from `masses_of`, to (height, width) int32 with 0 in solid cells."""
    return np.maximum(bordered[INSIDE], 0)


def words_of(world: World) -> np.ndarray:
    """Return the packed cells of a world of atoms with a border of wall: (height + 2 PAD, width + 2 PAD) uint32.

    Raises: ValueError: as `masses_of`, or gravity other than down.
    """
    _check_plain(world)
    if world.gravity != "down":
        raise ValueError(f"gravity {world.gravity!r}; the peers support only 'down'")
    arrays = {name: world[name] for name in PLANES["cells"].fields}
    return np.pad(pack(PLANES["cells"], arrays), PAD, constant_values=world.materials["wall"])


def with_words(world: World, bordered: np.ndarray) -> World:
    """Return a copy of a world with the given cells; `bordered` as from `words_of`."""
    after = world.copy()
    for name, values in unpack(PLANES["cells"], np.ascontiguousarray(bordered[INSIDE])).items():
        after[name] = values
    return after


def ranks_of(world: World) -> np.ndarray:
    """Return the ranks of a world's materials by density: (height, width) uint8, 0 empty, 1 water, 2 sand.

    Raises: ValueError: as `masses_of`, or another material.
    """
    _check_plain(world)
    number = world.materials
    ranks = np.full(256, 255, np.uint8)
    ranks[[0, number["water"], number["sand"]]] = 0, 1, 2
    found = ranks[world["material"]]
    if (found == 255).any():
        raise ValueError("the plain peers support only empty cells, water and sand")
    return found


def _check_plain(world: World) -> None:
    if world.edges != "closed" or world.emitters or world.drains:
        raise ValueError("the peers support only closed worlds without emitters and drains")
