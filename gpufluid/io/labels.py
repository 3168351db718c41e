"""The names of the axes of a world's arrays, and the meaning of their numbers, for other programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpufluid.core.fields import FIELDS
from gpufluid.world import World

ROW, COLUMN, LAYER, COMPONENT = "row", "column", "constituent", "component"
"""The axes; a component is x (to the right), then y (down)."""

WORLD, TICK, SEED = "world", "tick", "seed"
"""The first axes of a data set, and the arrays that say where a state belongs: coordinates of xarray."""

COORDINATES = {"coordinates": f"{TICK} {SEED}"}
"""The attribute by which xarray takes these arrays as coordinates, as the CF conventions have it."""


def axes_of(name: str) -> tuple[str, ...]:
    """The names of the axes of the array of a field, in order."""
    field = FIELDS[name]
    if field.layered:
        return LAYER, ROW, COLUMN
    return (ROW, COLUMN) if field.components == 1 else (ROW, COLUMN, COMPONENT)


def for_others(name: str, array: np.ndarray) -> np.ndarray:
    """The array of a field as other programs read it: codes are decoded to float32, without loss.

    Args:
        name: the field.
        array: (height, width) or with more axes, of the field's type.
    Returns: the array itself, or a new one of the same shape, float32.
    """
    decode = FIELDS[name].decode
    return array if decode is None else decode(array)


def labels_of(world: World, name: str, *, decoded: bool = False) -> dict[str, Any]:
    """The meaning of the numbers of a field, as attributes of JSON's types.

    Args:
        world: a world; only its laws are used.
        name: the field.
        decoded: whether the numbers are those of `for_others`; else codes have no unit.

    ``flag_values`` and ``flag_meanings`` are the numbers and names of materials as the CF conventions have them, with
    ``_`` for blanks; ``constituents`` the materials of the layers of a mixture; ``unit`` and ``one`` the unit of the
    numbers and how many of them it has; ``units`` that unit where it is one of them, as those conventions have it.
    """
    field, found = FIELDS[name], {}
    if name == "material":
        names = [record.name for record in world.materials]
        found["flag_values"] = list(range(len(names)))
        found["flag_meanings"] = " ".join(each.replace(" ", "_") for each in names)
    if field.layered:
        found["constituents"] = list(world.mixture.names)
    unit = field.decoded_unit if decoded and field.decode else field.unit
    if unit:
        found |= {"unit": unit, "one": field.one} | ({"units": unit} if field.one == 1 else {})
    return found


def is_amount(name: str) -> bool:
    """True if a field holds amounts that belong to the cell, such as water by mass, so that a mean of cells is one."""
    field = FIELDS[name]
    return bool(field.quantity) and not field.carried and field.components == 1 and not field.without_atom
