"""Approximation of a world by a scene: one material per cell, and a few rectangles with one amount or velocity each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpufluid.core.fields import FIELDS, FULL, Field
from gpufluid.core.packing import any_component
from gpufluid.matter.ports import units
from gpufluid.scene.matter import amount_fields, amounts, has_field, lay_heat
from gpufluid.world import Domain, World
from gpufluid.world.ledger import no_ledgers

_FILLS = 16
"""The most fills written to a scene, so that a person can read it."""

_FILLED_CELLS = 1 << 26
"""The most fills times cells: reading a scene takes time in proportion to both."""

_Box = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class SceneFit:
    """A scene that approximates a world.

    Args:
        cells: (height, width) uint8, the number of the material in the map.
        world: the world that reading the scene will give.
        fills: the tables of the fills over the map.
    """

    cells: np.ndarray
    world: World
    fills: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, world: World) -> SceneFit:
        """The scene that approximates a valid world."""
        arrays = world.complete_arrays()
        found = cls(arrays["material"].copy(), world.blank())
        found.world.domain = Domain.whole(world.width, world.height)
        largest = _largest(world)
        for material, amount in amounts(world).items():
            found._lay_amounts(world, material, np.where(largest == world.materials[material], amount, 0))
        found.world.own_array("material")[...] = np.where(_are_held(world, found.cells), 0, found.cells)
        said = [FIELDS[name] for name in world.fields if FIELDS[name].in_scene]
        if said:
            found._lay_atoms(world, arrays, said)
        found.world.draw_grain()
        return found

    @property
    def _laid(self) -> dict[str, np.ndarray]:
        return {name: self.world.own_array(name) for name in self.world.fields}

    @property
    def _fills_left(self) -> int:
        return min(_FILLS, _FILLED_CELLS // self.cells.size) - len(self.fills)

    def _lay_amounts(self, world: World, material: str, amount: np.ndarray) -> None:
        """Represent a material stored as an amount: by boxes of one amount each, or else by full and empty cells."""
        number, laid = world.materials[material], amounts(self.world, self._laid)[material]
        wet = (amount > 0) & (self.cells == 0)
        boxes = _boxes(wet, amount, FULL, self._fills_left)
        if boxes is None:
            wet &= amount >= FULL // 2
        self.cells[wet] = number
        wet = self.cells == number  # also atoms of this material, which a scene cannot distinguish from full cells
        laid[wet] = FULL
        for amount_units, box in boxes or ():
            laid[box][wet[box]] = amount_units
            self._add_fill(material, box, amount=_cells_of_mass(amount_units))
        lay_heat(self.world, self._laid, wet, material)

    def _lay_atoms(self, world: World, arrays: Mapping[str, np.ndarray], said: list[Field]) -> None:
        """Represent the atoms of each material: by boxes of one value per field in ``said``, or else as new atoms.

        ``arrays`` are the complete arrays of ``world``.
        """
        self.world.draw_temperature()
        new = self._laid
        values = np.zeros(self.cells.shape, np.int64)
        for each in said:
            values <<= each.bits + 1  # a difference needs one bit more
            values += _as_number(each, arrays[each.name]) - _as_number(each, new[each.name])
        laid = {each.name: new[each.name].copy() for each in said}
        for number in np.unique(self.cells[values != 0]).tolist():
            material = world.materials.records[number].name
            cells = self.cells == number
            known = any(has_field(world, each.name, material) for each in said)
            boxes = _boxes(cells, values, 0, self._fills_left) if known else None
            for value, box in boxes or ():
                within = cells[box]
                first = tuple(int(index[0]) for index in np.nonzero(within & (values[box] == value)))
                what: dict[str, object] = {}
                for each in said:
                    found = arrays[each.name][box][first]
                    laid[each.name][box][within] = found
                    if (found != new[each.name][box][first]).any():
                        parts = [part / each.one for part in found.reshape(-1).tolist()]
                        what[each.name] = parts[0] if each.components == 1 else tuple(parts)
                self._add_fill(material, box, **what)
        for name, array in laid.items():
            new[name][...] = array

    def _add_fill(self, material: str, box: _Box, **what: object) -> None:
        """Add a fill of the cells of one material in a box, as noise with a cover of 1: only noise has ``only_in``."""
        rows, columns = box
        place = {
            "at": (columns.start, rows.start),
            "size": (columns.stop - columns.start, rows.stop - rows.start),
            "scale": 4096,
            "octaves": 1,
            "cover": 1.0,
        }
        self.fills.append({"shape": "noise", **place, "only_in": material, "material": material, **what})

    def losses(self, world: World) -> Iterator[str]:
        """The differences between a world and this scene of it, one message each."""
        if not world.domain.is_whole:
            yield f"domain at {world.domain.origin}: not kept; a scene is a whole world with its origin at (0, 0)"
        if world.tick:
            yield f"tick {world.tick}: not kept; a scene begins at tick 0, and its emitters and drains count from there"
        if world.ledgers != no_ledgers():
            yield "ledger: not kept; a scene begins with an empty ledger"
        arrays, own = world.complete_arrays(), self.world.complete_arrays()
        there, laid, largest = amounts(world, arrays), amounts(self.world, own), _largest(world)
        for material, name in amount_fields(world).items():
            amount, atoms = there[material], arrays["material"]
            beside = (amount > 0) & (atoms == 0) & (largest != world.materials[material])
            yield from _counted(beside, f"{material} in %s: not kept; a scene keeps the largest amount of a cell")
            amount = np.where(beside, 0, amount)
            yield from _counted(
                atoms == world.materials[material],
                f"atoms of {material} in %s: not kept; the scene has full cells of it instead",
            )
            yield from _counted((amount > 0) & (atoms != 0), f"{name} beside an atom in %s: not kept; the atom is kept")
            differs = (amount != laid[material]) & (atoms == 0)
            yield from _counted(differs, f"{name} of %s: not kept; half a cell or more becomes full, less is removed")
        for name in world.fields:
            if FIELDS[name].loss:
                other = any_component(name, arrays[name] != own[name])
                yield from _counted(other, FIELDS[name].loss)


def _as_number(field: Field, array: np.ndarray) -> np.ndarray:
    """(height, width) int64: the components of each cell packed into one number, the first in the lowest bits."""
    bits = field.bits // field.components
    parts = array.reshape(*array.shape[:2], -1).astype(np.int64)
    found = parts[:, :, -1]
    for component in range(field.components - 2, -1, -1):
        found = found << bits | parts[:, :, component] & ((1 << bits) - 1)
    return found


def _largest(world: World) -> np.ndarray:
    """(height, width) uint8: the number of the material with the largest amount in each cell; 0 without amounts."""
    there = amounts(world)
    found, most = np.zeros((world.height, world.width), np.uint8), np.zeros((world.height, world.width), np.int32)
    for material, amount in there.items():
        found[amount > most] = world.materials[material]
        most = np.maximum(most, amount)
    return found


def _cells_of_mass(amount: int) -> float:
    """Units of mass as the shortest decimal number of full cells that gives them back."""
    return next(cells for digits in range(18) if units(cells := round(amount / FULL, digits)) == amount)


def _are_held(world: World, cells: np.ndarray) -> np.ndarray:
    """(height, width) bool: the cells whose material a rule stores as an amount."""
    return np.isin(cells, np.array([world.materials[material] for material in amount_fields(world)], np.uint8))


def _counted(cells: np.ndarray, sentence: str) -> Iterator[str]:
    count = int(np.count_nonzero(cells))
    if count:
        yield sentence % f"{count} cell{'s' if count > 1 else ''}"


def _boxes(mask: np.ndarray, values: np.ndarray, usual: int, most: int) -> list[tuple[int, _Box]] | None:
    """Rectangles with one value each that, drawn in order, give every cell of a mask its value; None: not possible.

    Args:
        mask: (height, width) bool.
        values: (height, width) integers.
        usual: the value that needs no rectangle.
        most: the largest number of rectangles.
    """
    found = values[mask]
    if (found == usual).all():
        return []
    if most < 1 or len(np.unique(found[:4096])) > most + 1:
        return None
    kinds = np.unique(found).tolist()
    if len(kinds) > most + 1:
        return None
    boxes = [(value, _box(mask & (values == value))) for value in kinds]
    boxes.sort(key=lambda item: _area(item[1]), reverse=True)
    if boxes[0][0] == usual:
        del boxes[0]
    laid = np.full_like(values, usual)
    for value, box in boxes:
        laid[box] = value
    return boxes if len(boxes) <= most and (laid[mask] == found).all() else None


def _box(mask: np.ndarray) -> _Box:
    """The bounding box of the cells of a mask."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _area(box: _Box) -> int:
    rows, columns = box
    return (rows.stop - rows.start) * (columns.stop - columns.start)
