"""Edits by a brush, with NumPy. Twin of ``shaders/edit``.

The arrays of these functions are all fields of a rectangle of the world, by name, each (height, width) or with more
axes, of the field's type, as `Workbench.read_window` returns them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.fields import FIELDS
from gpufluid.core.hashing import pcg4d
from gpufluid.rules.laws import amount_in
from gpufluid.scene.matter import amounts, cells_of, mix_material, put_material
from gpufluid.scene.strokes import ALL, CHOSEN, Adding, Chance, Laying, drawn_fields
from gpufluid.world import World

Arrays = dict[str, np.ndarray]


def brush(
    laws: World, before: Mapping[str, np.ndarray], at: tuple[int, int], cells: np.ndarray, laying: Laying
) -> tuple[Arrays, np.ndarray, int]:
    """Lay a material in cells.

    Args:
        laws: a world with the laws and the domain; its arrays are not read.
        before: all fields of a rectangle by name, each (height, width) or with more axes, of the field's type. They
            stay as they are.
        at: (column, row) of the top left cell of the rectangle.
        cells: (height, width) bool, the cells of the brush.
        laying: the material, and in which of these cells it is laid.
    Returns: the arrays afterwards; (height, width) bool, the cells in which it was laid; the lowest number of another
        material that was spared, 0: none.
    """
    arrays = {name: array.copy() for name, array in before.items()}
    chosen = cells & _drawn(laws, at, cells.shape, laying.chance)
    if laying.replaced is not None:
        chosen &= _holds(laws, laying.replaced, arrays)
    held = amounts(laws, arrays).get(laying.material)
    if laying.only_new:
        chosen &= ~(_holds(laws, laying.material, arrays) if held is None else held >= laying.units)
    there, kept = arrays["material"].copy(), 0
    if laying.spares_walls:
        walls = laws.materials.column("anchored")[there] > 0
        others = chosen & walls & (there != laws.materials[laying.material])
        kept = int(there[others].min()) if others.any() else 0
        chosen &= ~walls
    if laying.mixes_in(laws):
        mix_material(laws, arrays, chosen, laying.material, laying.units)
    else:
        put_material(laws, arrays, chosen, laying.material, laying.units)
    if laying.draws(laws):
        columns, rows = _places(laws, at, cells.shape)
        for name, number in drawn_fields(laws):
            seed = laws.seed ^ number
            arrays[name][chosen] = pcg4d(columns, rows, laying.serial, seed)[0][chosen] >> np.uint32(24)
        arrays["velocity"][chosen] = laying.sample(laws)["velocity"][0, 0]
    return arrays, chosen, kept


def add(
    laws: World, before: Mapping[str, np.ndarray], at: tuple[int, int], cells: np.ndarray, adding: Adding
) -> tuple[Arrays, np.ndarray]:
    """Add a number to a field of the atoms in cells, and change the fields that follow it where there is no atom.

    Args:
        laws, before, at, cells: as for `brush`.
        adding: the field, the number, and to which of these cells it is added.
    Returns: the arrays afterwards, of which only those of the fields are new; (height, width) bool, the changed cells.
    """
    low, high = FIELDS[adding.field].range
    old = before[adding.field]
    drawn = cells & _drawn(laws, at, cells.shape, adding.chance)
    chosen = drawn & adding.takers(laws)[before["material"]]
    new = np.where(chosen, np.clip(old.astype(np.int64) + adding.units, low, high), old).astype(old.dtype)
    after, changed = {**before, adding.field: new}, new != old
    for field in adding.followers(laws):
        assert field.follows is not None
        old = before[field.name]
        found = field.follows.twin(laws.laws, amount_in(before), old, adding.units)
        after[field.name] = np.where(drawn & (before["material"] == 0), found, old).astype(old.dtype)
        changed |= after[field.name] != old
    return after, changed


def _places(laws: World, at: tuple[int, int], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The columns, (1, width), and the rows, (height, 1), of a rectangle, in the whole world: int64."""
    column, row = (origin + first for origin, first in zip(laws.domain.origin, at, strict=True))
    return column + np.arange(shape[1])[None, :], row + np.arange(shape[0])[:, None]


def _drawn(laws: World, at: tuple[int, int], shape: tuple[int, ...], chance: Chance) -> np.ndarray:
    """(height, width) bool: the cells that chance chooses."""
    if chance.units >= ALL:
        return np.full(shape, True)
    return pcg4d(*_places(laws, at, shape), chance.serial, CHOSEN)[0] < np.uint32(chance.units)


def _holds(laws: World, material: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    found = cells_of(laws, material, arrays)
    assert found is not None, material
    return found
