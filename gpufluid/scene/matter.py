"""What a material is in a world: an amount that a rule keeps in a field, or an atom a cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.cell import FULL
from gpufluid.errors import did_you_mean
from gpufluid.materials import State
from gpufluid.rules import RULES
from gpufluid.world import World


def held(world: World) -> dict[str, str]:
    """The materials that a rule keeps as an amount, and the field that keeps each."""
    return {name: field for rule in world.rules for name, field in RULES[rule].holds.items()}


def has_velocity(world: World, material: str) -> bool:
    """Whether cells of a material have a velocity of their own in this world."""
    if "velocity" not in world.fields or material in held(world) or material not in world.materials:
        return False
    return world.materials.records[world.materials[material]].state not in (State.EMPTY, State.SOLID)


def cells_of(world: World, material: str, fields: Mapping[str, np.ndarray] | None = None) -> np.ndarray | None:
    """The cells that hold a material, by whichever field; None where there is no such material.

    Args:
        world: whose laws hold.
        material: its name.
        fields: the arrays of a part of it; by default the world's own.
    """
    if material not in world.materials:
        return None
    arrays = fields if fields is not None else {name: world[name] for name in world.fields}
    amounts = held(world)
    if material in amounts:
        return arrays[amounts[material]] > 0
    cells = arrays["material"] == world.materials[material]
    for field in set(amounts.values()):
        cells &= arrays[field] == 0
    return cells


def material_in(world: World, fields: Mapping[str, np.ndarray]) -> str:
    """What the one cell holds of which these are the arrays: an amount, however small, before what stands in it."""
    found = (name for name, field in held(world).items() if fields[field].item() > 0)
    return next(found, world.materials.records[fields["material"].item()].name)


def unknown_material(world: World, name: str) -> str:
    """The sentence for a material that a world does not know."""
    return f"unknown material {name!r}{did_you_mean(name, [record.name for record in world.materials])}"


def has_temperature(world: World, material: str) -> bool:
    """Whether cells of a material have a temperature of their own in this world."""
    there = "temperature" in world.fields and material not in held(world) and material in world.materials
    return there and world.materials[material] != 0


def lay(
    world: World,
    fields: Mapping[str, np.ndarray],
    cells: np.ndarray,
    material: str,
    amount: int = FULL,
    temperature: float | None = None,
) -> None:
    """Put a material into cells: as an amount where a rule keeps it so, else as the cells' material.

    Args:
        world: whose laws hold.
        fields: its arrays, or all those of a part of it; what had lain in the cells is gone from them.
        cells: a mask of them.
        material: one that the world can hold.
        amount: in units of mass, where it is kept so.
        temperature: of its atoms in degrees C, where they have one; None: as new ones have it.
    """
    amounts = held(world)
    for name, field in fields.items():
        if name != "material":
            field[cells] = 0
    fields["material"][cells] = 0 if material in amounts else world.materials[material]
    if material in amounts:
        fields[amounts[material]][cells] = amount
    if has_temperature(world, material):
        fields["temperature"][cells] = world.temperature_units(material, temperature)
