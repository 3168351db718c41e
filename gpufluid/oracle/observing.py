"""Observations of a world, with NumPy. Twin of ``shaders/batch/observe_*.comp``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.core.fields import FULL
from gpufluid.scene.matter import amounts
from gpufluid.scene.observed import SHOWN, ObservedPlane
from gpufluid.world import World


def _blocks(array: np.ndarray, pool: int) -> np.ndarray:
    """The cells of each block, (rows, columns, cells), of an array (height, width)."""
    rows, columns = array.shape[0] // pool, array.shape[1] // pool
    return array.reshape(rows, pool, columns, pool).swapaxes(1, 2).reshape(rows, columns, pool * pool)


def _largest(world: World) -> tuple[np.ndarray, np.ndarray]:
    """The number of the material of each cell's largest amount, and its units: two arrays (height, width)."""
    shape = world.height, world.width
    number, units = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for name, own in amounts(world).items():
        more = own > units
        number[more], units[more] = world.materials[name], own[more]
    return number, units


def materials(world: World, pool: int = 1) -> np.ndarray:
    """The material with the most cells in each block; of several the one with the lowest number.

    A cell is of the material of its atom; without an atom, of that of its largest amount from `SHOWN` units on.

    Returns: (rows, columns) uint8, of the blocks.
    """
    number, units = _largest(world)
    atoms = world.own_array("material")
    seen = np.where((atoms == 0) & (units >= SHOWN), number, atoms)
    cells = _blocks(seen, pool)
    counts = (cells[..., None, :] == cells[..., None]).sum(axis=-1)
    most = counts.max(axis=-1, keepdims=True)
    return np.where(counts == most, cells, 255).min(axis=-1).astype(np.uint8)


def planes(world: World, observed: Sequence[ObservedPlane], pool: int = 1) -> np.ndarray:
    """The sums of some planes over each block, in units of the fields: (planes, rows, columns) int32."""
    arrays = world.complete_arrays()
    atoms = arrays["material"]
    found = []
    for each in observed:
        if each.field:
            values = arrays[each.field].astype(np.int64)
            values = np.where(atoms != 0, values if values.ndim == 2 else values[..., each.component], 0)
        elif each.scale == FULL:
            values = np.where(atoms == 0, np.minimum(amounts(world)[each.material], FULL), 0)
        else:
            values = (atoms == world.materials[each.material]).astype(np.int64)
        found.append(_blocks(values, pool).sum(axis=-1))
    return np.stack(found).astype(np.int32)


def pixels(world: World, pool: int = 1) -> np.ndarray:
    """The mean of the colours of each block, rounded down: (rows, columns, 3) uint8, sRGB.

    A cell has the colour of its atom's material. Without an atom the colour of its largest amount is mixed with that of
    an empty cell: the more of it, up to a full cell, the stronger.
    """
    colours = np.array([record.colour for record in world.materials], np.int64)
    number, units = _largest(world)
    atoms = world.own_array("material")
    part = np.minimum(units, FULL)[..., None]
    mixed = (colours[number] * part + colours[0] * (FULL - part)) // FULL
    cells = np.where((atoms == 0)[..., None], mixed, colours[atoms])
    means = [_blocks(cells[..., channel], pool).sum(axis=-1) // pool**2 for channel in range(3)]
    return np.stack(means, axis=-1).astype(np.uint8)
