"""What a scene can say of a world's cells: a material each, and a few rectangles of one amount or one velocity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpufluid.core.fields import FIELDS, FULL, Field, any_component
from gpufluid.matter.ports import units
from gpufluid.scene.matter import amounts, has, held
from gpufluid.world import Domain, World
from gpufluid.world.ledger import no_ledgers

_FILLS = 16
"""A scene of more fills than this is nothing that one reads."""

_FILLED_CELLS = 1 << 26
"""Each fill goes over all cells when the scene is read: in a large world there are fewer."""

_Box = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class SceneFit:
    """A world as its scene will have it.

    Args:
        cells: (height, width) uint8, the number of the material that the map names in each cell.
        world: what the scene will be when it is read, but for its tick and ledgers.
        fills: the tables that lie over the map.
    """

    cells: np.ndarray
    world: World
    fills: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, world: World) -> SceneFit:
        """The nearest to a world that can run."""
        found = cls(world["material"].copy(), world.blank())
        found.world.domain = Domain.whole(world.width, world.height)
        largest = _largest(world)
        for material, amount in amounts(world).items():
            found._lay_amounts(world, material, np.where(largest == world.materials[material], amount, 0))
        found.world["material"] = np.where(_are_held(world, found.cells), 0, found.cells)
        said = [FIELDS[name] for name in world.fields if FIELDS[name].in_scene]
        if said:
            found._lay_atoms(world, said)
        found.world.draw_grain()
        return found

    @property
    def _fills_left(self) -> int:
        return min(_FILLS, _FILLED_CELLS // self.cells.size) - len(self.fills)

    def _lay_amounts(self, world: World, material: str, amount: np.ndarray) -> None:
        """A material that a rule keeps as an amount: in boxes of one amount each, or else full cells and none."""
        number, laid = world.materials[material], amounts(self.world)[material]
        wet = (amount > 0) & (self.cells == 0)
        boxes = _boxes(wet, amount, FULL, self._fills_left)
        if boxes is None:
            wet &= amount >= FULL // 2
        self.cells[wet] = number
        wet = self.cells == number  # with the atoms of it, which a scene cannot tell from full cells
        laid[wet] = FULL
        for amount_units, box in boxes or ():
            laid[box][wet[box]] = amount_units
            self._add_fill(material, box, amount=_cells_of_mass(amount_units))

    def _lay_atoms(self, world: World, said: list[Field]) -> None:
        """Lay boxes of one value of each field that a scene can say, for each material, or else all of it as new."""
        self.world.draw_temperature()
        values = np.zeros(self.cells.shape, np.int64)
        for each in said:
            values <<= each.bits + 1  # a difference has a bit more
            values += _as_number(each, world[each.name]) - _as_number(each, self.world[each.name])
        laid = {each.name: self.world[each.name].copy() for each in said}
        for number in np.unique(self.cells[values != 0]).tolist():
            material = world.materials.records[number].name
            cells = self.cells == number
            known = any(has(world, each.name, material) for each in said)
            boxes = _boxes(cells, values, 0, self._fills_left) if known else None
            for value, box in boxes or ():
                within = cells[box]
                first = tuple(int(index[0]) for index in np.nonzero(within & (values[box] == value)))
                what: dict[str, object] = {}
                for each in said:
                    found = world[each.name][box][first]
                    laid[each.name][box][within] = found
                    if (found != self.world[each.name][box][first]).any():
                        parts = [part / each.one for part in found.reshape(-1).tolist()]
                        what[each.name] = parts[0] if each.components == 1 else tuple(parts)
                self._add_fill(material, box, **what)
        for name, array in laid.items():
            self.world[name] = array

    def _add_fill(self, material: str, box: _Box, **what: object) -> None:
        """Noise that covers all is the one fill that keeps to the cells of a material."""
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
        """What is not kept of the world that this is of, a sentence each."""
        if not world.domain.is_whole:
            yield f"domain at {world.domain.origin}: not kept; a scene is a whole world, and draws by its own positions"
        if world.tick:
            yield f"tick {world.tick}: not kept; a scene begins at tick 0, and its emitters and drains count from there"
        if world.ledgers != no_ledgers():
            yield "ledger: not kept; in a scene nothing has entered or left yet"
        there, laid, largest = amounts(world), amounts(self.world), _largest(world)
        for material, name in held(world).items():
            amount, atoms = there[material], world["material"]
            beside = (amount > 0) & (atoms == 0) & (largest != world.materials[material])
            yield from _counted(beside, f"{material} in %s: not kept; there is more of something else")
            amount = np.where(beside, 0, amount)
            yield from _counted(
                atoms == world.materials[material],
                f"atoms of {material} in %s: not kept; a scene has full cells of it there",
            )
            yield from _counted((amount > 0) & (atoms != 0), f"{name} beside an atom in %s: not kept; the atom is")
            differs = (amount != laid[material]) & (atoms == 0)
            yield from _counted(differs, f"{name} of %s: not kept; from half a cell on they are full, else empty")
        for name in world.fields:
            if FIELDS[name].loss:
                other = any_component(name, world[name] != self.world[name])
                yield from _counted(other, FIELDS[name].loss)


def _as_number(field: Field, array: np.ndarray) -> np.ndarray:
    """(height, width) int64: the components of each cell side by side in one number, the first in the lowest bits."""
    bits = field.bits // field.components
    parts = array.reshape(*array.shape[:2], -1).astype(np.int64)
    found = parts[:, :, -1]
    for component in range(field.components - 2, -1, -1):
        found = found << bits | parts[:, :, component] & ((1 << bits) - 1)
    return found


def _largest(world: World) -> np.ndarray:
    """(height, width) uint8: the number of the material that a cell holds most of, of those kept as an amount."""
    there = amounts(world)
    found, most = np.zeros((world.height, world.width), np.uint8), np.zeros((world.height, world.width), np.int32)
    for material, amount in there.items():
        found[amount > most] = world.materials[material]
        most = np.maximum(most, amount)
    return found


def _cells_of_mass(amount: int) -> float:
    """Units of mass as the shortest decimal that means them."""
    return next(cells for digits in range(18) if units(cells := round(amount / FULL, digits)) == amount)


def _are_held(world: World, cells: np.ndarray) -> np.ndarray:
    """(height, width) bool: the cells of materials that a rule keeps as an amount."""
    return np.isin(cells, np.array([world.materials[material] for material in held(world)], np.uint8))


def _counted(cells: np.ndarray, sentence: str) -> Iterator[str]:
    count = int(np.count_nonzero(cells))
    if count:
        yield sentence % f"{count} cell{'s' if count > 1 else ''}"


def _boxes(mask: np.ndarray, values: np.ndarray, usual: int, most: int) -> list[tuple[int, _Box]] | None:
    """Values and the rectangles that, one laid over the other, give each cell of a mask its own; None: there are none.

    Args:
        mask: (height, width) bool.
        values: (height, width), whole numbers.
        usual: what needs no rectangle.
        most: so many rectangles at most.
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
    """The least rectangle around the marked cells."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _area(box: _Box) -> int:
    rows, columns = box
    return (rows.stop - rows.start) * (columns.stop - columns.start)
