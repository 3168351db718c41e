"""The names of the axes of a world's arrays, and the meaning of their numbers, for other programs."""

from __future__ import annotations

from typing import Any

from gpufluid.core.fields import FIELDS
from gpufluid.world import World

ROW, COLUMN, LAYER, COMPONENT = "row", "column", "constituent", "component"
"""The axes; a component is x (to the right), then y (down)."""


def axes_of(name: str) -> tuple[str, ...]:
    """The names of the axes of the array of a field, in order."""
    field = FIELDS[name]
    if field.layered:
        return LAYER, ROW, COLUMN
    return (ROW, COLUMN) if field.components == 1 else (ROW, COLUMN, COMPONENT)


def labels_of(world: World, name: str) -> dict[str, Any]:
    """The meaning of the numbers of a field, as attributes of JSON's types.

    ``flag_values`` and ``flag_meanings`` are the numbers and names of materials as the CF conventions have them, with
    ``_`` for blanks; ``constituents`` the materials of the layers of a mixture; ``unit`` and ``one`` the unit of the
    numbers and how many of them it has.
    """
    field, found = FIELDS[name], {}
    if name == "material":
        names = [record.name for record in world.materials]
        found["flag_values"] = list(range(len(names)))
        found["flag_meanings"] = " ".join(each.replace(" ", "_") for each in names)
    if field.layered:
        found["constituents"] = list(world.mixture.names)
    if field.unit:
        found |= {"unit": field.unit, "one": field.one}
    return found


def is_amount(name: str) -> bool:
    """True if a field holds amounts that belong to the cell, such as water by mass, so that a mean of cells is one."""
    field = FIELDS[name]
    return bool(field.quantity) and not field.carried and field.components == 1 and not field.without_atom
