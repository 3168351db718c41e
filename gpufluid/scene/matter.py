"""What a material is in a world: an amount that a rule keeps in a field, or an atom a cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.errors import did_you_mean
from gpufluid.core.fields import FIELDS, FULL
from gpufluid.matter.materials import State
from gpufluid.rules import RULES
from gpufluid.world import World


def held(world: World) -> dict[str, str]:
    """The materials that a rule keeps as an amount, and the field that keeps each."""
    return {name: field for rule in world.rules for name, field in RULES[rule].held(world.mixture.names).items()}


def amounts(world: World, fields: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
    """How much there is of each material that a rule keeps as an amount: (height, width) views, in units.

    Args:
        world: whose laws hold.
        fields: the arrays of a part of it; by default the world's own.
    """
    arrays = fields if fields is not None else {name: world[name] for name in world.fields}
    return {
        name: arrays[field][world.mixture[name]] if FIELDS[field].layered else arrays[field]
        for name, field in held(world).items()
    }


def has(world: World, field: str, material: str) -> bool:
    """Whether cells of a material have a value of their own of a field in this world."""
    if field not in world.fields or material in held(world) or material not in world.materials:
        return False
    state = world.materials.records[world.materials[material]].state
    demanded = {State.EMPTY: FIELDS[field].empty, State.SOLID: FIELDS[field].solid}
    return demanded.get(state) is None


def has_velocity(world: World, material: str) -> bool:
    """Whether cells of a material have a velocity of their own in this world."""
    return has(world, "velocity", material)


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
    there = amounts(world, arrays)
    if material in there:
        return there[material] > 0
    cells = arrays["material"] == world.materials[material]
    for amount in there.values():
        cells &= amount == 0
    return cells


def material_in(world: World, fields: Mapping[str, np.ndarray]) -> str:
    """What the one cell holds of which these are the arrays: the largest amount before what stands in it."""
    there = {name: units for name, amount in amounts(world, fields).items() if (units := amount.item()) > 0}
    return max(there, key=there.__getitem__) if there else world.materials.records[fields["material"].item()].name


def unknown_material(world: World, name: str) -> str:
    """The sentence for a material that a world does not know."""
    return f"unknown material {name!r}{did_you_mean(name, [record.name for record in world.materials])}"


def has_temperature(world: World, material: str) -> bool:
    """Whether cells of a material have a temperature of their own in this world."""
    return has(world, "temperature", material)


def lay(
    world: World,
    fields: Mapping[str, np.ndarray],
    cells: np.ndarray,
    material: str,
    amount: int = FULL,
    temperature: float | None = None,
    mix: bool = False,
) -> None:
    """Put a material into cells: as an amount where a rule keeps it so, else as the cells' material.

    Args:
        world: whose laws hold.
        fields: its arrays, or all those of a part of it; what had lain in the cells is gone from them.
        cells: a mask of them.
        material: one that the world can hold.
        amount: in units of mass, where it is kept so.
        temperature: of its atoms in degrees C, where they have one; None: as new ones have it.
        mix: whether what else is in the cells' mixture stays there.
    """
    there = amounts(world, fields)
    for name, field in fields.items():
        if FIELDS[name].layered and not mix:
            field[:, cells] = 0
        elif name != "material" and not FIELDS[name].layered:
            field[cells] = 0
    fields["material"][cells] = 0 if material in there else world.materials[material]
    if material in there:
        there[material][cells] = amount
    if has_temperature(world, material):
        fields["temperature"][cells] = world.temperature_units(material, temperature)
