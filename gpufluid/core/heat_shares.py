"""The heat that goes along with a part of what a cell holds. Twin of ``shaders/lib/heat_shares.glsl``.

Arrays are int64 of any shape. Heat is in units of field ``water_heat``; mass is in units of field ``mass``: of water,
or of all parts of a mixture together.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.fields import FULL, WATER_HEAT_MOST, WATER_HEAT_ONE

RATE_BITS = 14

WARMED_MOST = 16 * FULL
"""Units of mass: what is added to a cell beyond this at once is as warm as the air."""


def heat_along(heat: np.ndarray, mass: np.ndarray, part: np.ndarray) -> np.ndarray:
    """The heat that goes along with a part of the mass of a cell: the same part, rounded; all of it with all mass.

    Args:
        heat, mass: of the cells, int64 of any shape.
        part: the mass that goes, int64 of the same shape.
    Returns: int64 of the same shape.
    """
    amount = np.abs(heat)
    rate = np.where(amount >> 6 >= mass, 64 << RATE_BITS, (amount << RATE_BITS) // np.maximum(mass, 1))
    along = np.minimum((part * rate + (1 << (RATE_BITS - 1))) >> RATE_BITS, amount)
    return np.where(part == mass, heat, np.sign(heat) * along)


def heat_received(along: np.ndarray, there: np.ndarray) -> np.ndarray:
    """The part of some heat for which a cell has room: beyond `WATER_HEAT_MOST` it takes none.

    Args:
        along: the heat that comes, int64 of any shape.
        there: the heat of the cell before, int64 of the same shape.
    Returns: int64 of the same shape.
    """
    room = np.maximum(WATER_HEAT_MOST - np.abs(there), 0)
    return np.clip(along, -room, room)


def heat_with_new(heat: np.ndarray, added: np.ndarray, full: int) -> np.ndarray:
    """The heat of cells that get new mass. Beyond `WATER_HEAT_MOST` a cell gets no more heat.

    Args:
        heat: of the cells before, int64 of any shape.
        added: the new mass, int64 of the same shape.
        full: the heat of a full cell of it, a multiple of `WATER_HEAT_ONE`.
    Returns: int64 of the same shape.
    """
    warmer, mass = full // WATER_HEAT_ONE, np.minimum(added, WARMED_MOST)
    more = (mass >> 10) * warmer + ((mass & 1023) * warmer >> 10)
    return np.clip(heat + more, np.minimum(heat, -WATER_HEAT_MOST), np.maximum(heat, WATER_HEAT_MOST))


def heat_after_mixing(heat: np.ndarray, before: np.ndarray, after: np.ndarray, full: int) -> np.ndarray:
    """The heat of cells whose amounts are changed by hand. What is taken away takes its share of the heat along.

    Args:
        heat: of the cells before, int64 of any shape.
        before, after: the amounts of each material, (materials, ...) int64.
        full: the heat of a full cell of what is added, a multiple of `WATER_HEAT_ONE`.
    Returns: int64 of the same shape as ``heat``.
    """
    removed, added = (np.maximum(change, 0).sum(axis=0) for change in (before - after, after - before))
    kept = heat - np.where(removed > 0, heat_along(heat, before.sum(axis=0), removed), 0)
    return heat_with_new(kept, added, full)
