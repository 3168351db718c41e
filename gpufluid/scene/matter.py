"""Materials in the arrays of a world: a material is an amount in a field of a rule, or one atom in a cell.

``fields`` in these functions maps names to arrays, each (height, width) or with more axes, of the field's type: the
arrays of a whole world, or the same rectangle of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.fields import FIELDS, FULL, MASS_LIMIT, Field
from gpufluid.core.heat_shares import heat_after_mixing
from gpufluid.matter.materials import State
from gpufluid.rules import RULES
from gpufluid.world import World


def amount_fields(world: World) -> dict[str, str]:
    """The field of each material that a rule stores as an amount."""
    return {name: field for rule in world.rules for name, field in RULES[rule].held(world.mixture.names).items()}


def amounts(world: World, fields: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
    """The amount of each material that a rule stores as an amount, by name.

    Args:
        world: the world with the laws.
        fields: all fields of a part of the world by name, each (height, width) or with more axes, of the field's type;
            by default the world's own.
    Returns: (height, width) int32 views, in units of mass.
    """
    arrays = fields if fields is not None else world.complete_arrays()
    return {
        name: arrays[field][world.mixture[name]] if FIELDS[field].layered else arrays[field]
        for name, field in amount_fields(world).items()
    }


def has_field(world: World, field: str, material: str) -> bool:
    """True if cells of a material can have any value of a field in this world."""
    if field not in world.fields or material in amount_fields(world) or material not in world.materials:
        return False
    state = world.materials.records[world.materials[material]].state
    demanded = {State.EMPTY: FIELDS[field].empty, State.SOLID: FIELDS[field].solid}
    return demanded.get(state) is None


def value_problem(field: Field, value: float | Sequence[float]) -> str | None:
    """The problem of a value of a field, in the unit that people count in; None: the value is valid.

    Args:
        field: the field.
        value: a number, or as many as the field has components.
    """
    parts = value if isinstance(value, Sequence) else [value]
    low, high = (end / field.one for end in field.range)
    if len(parts) == field.components and all(low <= part <= high for part in parts):
        return None
    numbers = {1: "a number", 2: "two numbers"}.get(field.components, f"{field.components} numbers")
    return f"{shown(value)}; expected {numbers} from {low:g} to {high:g} {field.unit}".rstrip()


def value_units(field: Field, value: float | Sequence[float]) -> int | list[int]:
    """A valid value of a field in the units of its array, rounded to the nearest; arguments as for `value_problem`."""
    return [round(part * field.one) for part in value] if isinstance(value, Sequence) else round(value * field.one)


def has_velocity(world: World, material: str) -> bool:
    """True if cells of a material have a velocity in this world."""
    return has_field(world, "velocity", material)


def is_thrown(world: World, material: str) -> bool:
    """True if emitters of a material have a velocity: of atoms that have one, or of water by mass with momentum."""
    keeps_momentum = "momentum" in world.fields and amount_fields(world).get(material) == "mass"
    return keeps_momentum or has_velocity(world, material)


def is_warmed(world: World, key: str, material: str) -> bool:
    """True if a key of fills and emitters gives heat to a material: ``temperature`` to an amount that has heat."""
    return key == "temperature" and material in amount_fields(world) and bool(world.new_amount())


def cells_of(world: World, material: str, fields: Mapping[str, np.ndarray] | None = None) -> np.ndarray | None:
    """The cells that hold a material, as an amount or as an atom.

    Args:
        world: the world with the laws.
        material: the name of the material.
        fields: all fields of a part of the world by name, each (height, width) or with more axes, of the field's type;
            by default the world's own.
    Returns: (height, width) bool; None: the world has no such material.
    """
    if material not in world.materials:
        return None
    arrays = fields if fields is not None else world.complete_arrays()
    there = amounts(world, arrays)
    if material in there:
        return there[material] > 0
    cells = arrays["material"] == world.materials[material]
    for amount in there.values():
        cells &= amount == 0
    return cells


def material_in(world: World, fields: Mapping[str, np.ndarray]) -> str:
    """The name of the material in one cell: that of the largest amount, or else that of the atom.

    Args:
        world: the world with the laws.
        fields: the arrays of the cell, (1, 1) or with more axes, of the field's type.
    """
    there = {name: units for name, amount in amounts(world, fields).items() if (units := amount.item()) > 0}
    return max(there, key=there.__getitem__) if there else world.materials.records[fields["material"].item()].name


def unknown_material(world: World, name: str) -> str:
    """The message for a material that the world does not have, with similar names."""
    return f"unknown material {shown(name)}{did_you_mean(name, [record.name for record in world.materials])}"


def rest_below(world: World, material: str) -> Callable[[int], int] | None:
    """The function that computes, from the mass of a cell at rest, the mass at rest of the cell below it, in units.

    Returns: None if depth makes no difference in this world, because the material is atoms or a part of a mixture, or
        because there is no gravity.
    """
    if world.gravity == "off" or amount_fields(world).get(material) != "mass":
        return None
    found = [rule.rest_below for name, rule in RULES.items() if name in world.rules]  # the last replaces the others
    below = next((each for each in reversed(found) if each is not None), None)
    return None if below is None else partial(below, world.laws)


class LiquidAtRest:
    """The amounts of a liquid at rest, which grow with the depth below its surface.

    Args:
        world: the world with the laws.
        material: the name of the material.
        amount: of a cell in the row of the surface and above it, in units of mass. A cell with more than a full cell
            does not rest there.
        surface: the row of the surface; with gravity to the left or right, its column.
    """

    def __init__(self, world: World, material: str, amount: int, surface: int) -> None:
        self._gravity, self._surface = world.gravity, surface
        self._below, self._masses = rest_below(world, material), [amount]  # by depth, as far as they were asked for

    def amounts(self, cells: np.ndarray, at: tuple[int, int] = (0, 0)) -> np.ndarray:
        """The amounts of some cells of the liquid.

        Args:
            cells: (height, width) bool, the cells, in a rectangle of the world.
            at: (column, row) of the rectangle's first cell in the world.
        Returns: (count,) int64, one for each cell, in units of mass, at most `MASS_LIMIT`, in the order of ``cells``.
        """
        rows, columns = np.nonzero(cells)
        place = columns + at[0] if self._gravity in ("left", "right") else rows + at[1]
        depth = np.maximum(self._surface - place if self._gravity in ("left", "up") else place - self._surface, 0)
        while self._below is not None and len(self._masses) <= depth.max(initial=0):
            self._masses.append(min(self._below(self._masses[-1]), MASS_LIMIT))
        return np.array(self._masses, np.int64)[np.minimum(depth, len(self._masses) - 1)]


def put_material(
    world: World,
    fields: Mapping[str, np.ndarray],
    cells: np.ndarray,
    material: str,
    amount: int | np.ndarray = FULL,
    temperature: float | None = None,
    mix: bool = False,
) -> None:
    """Put a material into cells: as an amount if a rule stores it as one, else as atoms.

    Args:
        world: the world with the laws.
        fields: all fields of the world, or of a part of it, by name, each (height, width) or with more axes, of the
            field's type. They are changed, and the cells lose what they held.
        cells: (height, width) bool, the cells to change.
        material: the name of a material that the world can hold.
        amount: in units of mass, for a material stored as an amount: one for all cells, or (count,) int64 with one for
            each.
        temperature: of new atoms, or of the new amount, in degrees C, if they have one; None: the default of the
            material, see `World.new_atom` and `World.new_amount`.
        mix: whether the other constituents of a mixture stay in the cells, with their heat.
    """
    there = amounts(world, fields)
    if mix and material in there:
        _mix_in(world, fields, cells, material, amount, temperature)
        return
    for name, field in fields.items():
        if FIELDS[name].layered:
            field[:, cells] = 0
        elif name != "material":
            field[cells] = 0
    fields["material"][cells] = 0 if material in there else world.materials[material]
    if material in there:
        there[material][cells] = amount
        lay_heat(world, fields, cells, material, temperature)
    for name, value in world.new_atom(material, temperature).items():
        if has_field(world, name, material):
            fields[name][cells] = value


def lay_heat(
    world: World, fields: Mapping[str, np.ndarray], cells: np.ndarray, material: str, temperature: float | None = None
) -> None:
    """Give cells that hold one amount alone the heat that it has as new matter, if amounts have heat in this world.

    Args:
        world, fields, cells: as for `put_material`.
        material: the name of what the cells hold.
        temperature: in degrees C; None: its default, see `World.new_amount`.
    """
    held = amounts(world, fields)[material]
    for name, full in world.new_amount(temperature, material).items():
        low, high = FIELDS[name].range
        fields[name][cells] = np.clip(held[cells].astype(np.int64) * full // FULL, low, high)


def mix_material(world: World, fields: Mapping[str, np.ndarray], cells: np.ndarray, material: str, amount: int) -> None:
    """Mix a material that a rule stores as an amount into cells: they hold at least this amount of it afterwards.

    Cells with an atom, such as those of a wall, stay as they are. In a world whose materials share the room of a cell,
    the others become less, all by the same factor, where there is no room for them.

    Args:
        world: the world with the laws.
        fields: all fields of the world, or of a part of it, by name, each (height, width) or with more axes, of the
            field's type. They are changed.
        cells: (height, width) bool, the cells to change.
        material: the name of the material.
        amount: in units of mass.
    """
    there = amounts(world, fields)
    mixed = cells & (fields["material"] == 0)
    before = _stacked(there, mixed) if world.new_amount() else None
    own = there.pop(material)
    own[mixed] = np.maximum(own[mixed], amount)
    shared = FIELDS[amount_fields(world)[material]].layered and world.parameters["mixture"]["exclusive"]
    if shared and there:
        others, room = sum(each[mixed].astype(np.int64) for each in there.values()), FULL - own[mixed].astype(np.int64)
        for each in there.values():
            each[mixed] = np.where(others > room, each[mixed] * room // np.maximum(others, 1), each[mixed])
    _mix_heat(world, fields, mixed, before, material, None)


def _mix_in(
    world: World,
    fields: Mapping[str, np.ndarray],
    cells: np.ndarray,
    material: str,
    amount: int | np.ndarray,
    temperature: float | None,
) -> None:
    """Replace the amount of one constituent in cells. The others stay; arguments as for `put_material`."""
    there = amounts(world, fields)
    held = {name: np.where(fields["material"][cells] != 0, 0, fields[name][cells]) for name in world.new_amount()}
    before = _stacked(there, cells) if held else None
    for name, field in fields.items():
        if not FIELDS[name].layered:
            field[cells] = held.get(name, 0)
    there[material][cells] = amount
    _mix_heat(world, fields, cells, before, material, temperature)


def _stacked(there: Mapping[str, np.ndarray], cells: np.ndarray) -> np.ndarray:
    """The amounts of all materials in some cells, (materials, count) int64."""
    return np.stack([each[cells].astype(np.int64) for each in there.values()])


def _mix_heat(
    world: World,
    fields: Mapping[str, np.ndarray],
    cells: np.ndarray,
    before: np.ndarray | None,
    material: str,
    temperature: float | None,
) -> None:
    """Change the heat of cells, if amounts have heat, after one material has been mixed in.

    Args:
        world, fields, cells: as for `put_material`; the amounts are those afterwards.
        before: the amounts of all materials before, (materials, count) int64; None: amounts have no heat.
        material: what was mixed in.
        temperature: in degrees C, or None: its default.
    """
    if before is None:
        return
    after = _stacked(amounts(world, fields), cells)
    for name, full in world.new_amount(temperature, material).items():
        fields[name][cells] = heat_after_mixing(fields[name][cells].astype(np.int64), before, after, full)


def empty_cells(world: World, count: int) -> dict[str, np.ndarray]:
    """The arrays of a row of empty cells: all fields of a world, of (1, count) cells and of the field's type."""
    shape = 1, count, len(world.mixture)
    return {name: np.zeros(FIELDS[name].shape(*shape), FIELDS[name].dtype) for name in world.fields}


def copy_cells(
    samples: Mapping[str, np.ndarray],
    fields: Mapping[str, np.ndarray],
    rows: slice,
    columns: slice,
    numbers: np.ndarray,
) -> None:
    """Copy a sample cell to each cell of a part of a world.

    Args:
        samples: fields of a row of cells by name, each (1, count) or with more axes, of the field's type; see
            `empty_cells`.
        fields: the fields of the world by name, each (height, width) or with more axes, of the field's type; those that
            ``samples`` has are changed.
        rows, columns: the part.
        numbers: (rows, columns) uint8, the number of the sample for each cell.
    """
    for name, sample in samples.items():
        axis = 1 if FIELDS[name].layered else 0  # of the rows
        part = fields[name][(slice(None),) * axis + (rows, columns)]
        np.take(sample.squeeze(axis), numbers, axis=axis, out=part, mode="clip")  # the default mode makes a copy first
