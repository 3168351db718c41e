"""The values that a new atom has: its temperature, its grain. Completes arrays in which some of them are not set.

The fields with `Field.not_set`, such as ``temperature``, have two forms in a world:

- *complete*, as on the device, in snapshots, in digests and in every pass: each atom has a value, and cells without an
  atom have `Field.empty`;
- *open*, as users get arrays from ``world[name]``: cells without an atom are not set, so an atom that is written into
  ``material`` alone has no value yet. `complete` gives it that of a new atom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from gpufluid.core.fields import FIELDS, Field
from gpufluid.core.frame import in_frame
from gpufluid.core.hashing import pcg4d
from gpufluid.matter.materials import State
from gpufluid.rules import Laws
from gpufluid.world.domain import Domain
from gpufluid.world.laws import moved_by

_DRAWN = 0xFFFFFFFD
"""The stream of the first field of `Field.drawn`; the next fields have the streams below. No pass draws from them."""

_BAND = 1 << 18
"""Cells that are completed at once, so that this takes little memory beside the arrays."""

_DRAWN_AT_ONCE = 1 << 18
"""Cells whose random numbers are drawn at once: the numbers take many times the memory of the cells."""


def new_value(laws: Laws, field: Field, number: int, degrees: float | None = None) -> int:
    """The value of a field in a new atom, in the units of its array; 0 if the field does not declare it.

    Args:
        laws: those of the world.
        field: the field.
        number: the number of the atom's material; 0 has the value of cells without an atom.
        degrees: the wanted temperature in degrees C; None: as the field declares.
    """
    if not number or field.fresh is None:
        return field.empty or 0
    is_solid = laws.materials.records[number].state is State.SOLID
    return field.solid if is_solid and field.solid is not None else field.fresh(laws, number, degrees)


def new_values(laws: Laws, name: str) -> np.ndarray:
    """The value of a field in a new atom of each material: (256,) of the field's type, by the material's number."""
    values = np.full(256, FIELDS[name].empty or 0, FIELDS[name].dtype)
    values[: len(laws.materials)] = [new_value(laws, FIELDS[name], number) for number in range(len(laws.materials))]
    return values


def complete(arrays: Mapping[str, np.ndarray], laws: Laws) -> dict[str, np.ndarray]:
    """Give each atom whose value of a field is not set that of a new atom, and each other cell that of an empty one.

    Args:
        arrays: the fields of a world or of a rectangle of cells by name, ``material`` among them, each (height, width)
            or with more axes, of the field's type. They are not changed.
        laws: the laws of the world.
    Returns: the same arrays, with a new one for each field in which a value was not set; each (height, width) or with
        more axes, of the field's type.
    """
    found = dict(arrays)
    for name, array in arrays.items():
        not_set = FIELDS[name].not_set
        if not_set is None:
            continue
        values = new_values(laws, name)
        for band in _bands(*arrays["material"].shape):
            missing = array[band] == not_set
            if missing.any():
                if found[name] is array:
                    found[name] = array.copy()
                np.copyto(found[name][band], _spread(values[arrays["material"][band]], array), where=missing)
    return found


def mark_not_set(arrays: Mapping[str, np.ndarray]) -> None:
    """Mark the cells without an atom as not set, in place.

    Args:
        arrays: the complete fields of a world by name, each (height, width) or with more axes, of the field's type.
    """
    for name, array in arrays.items():
        if FIELDS[name].not_set is None:
            continue
        for band in _bands(*arrays["material"].shape):
            without_atom = _spread(arrays["material"][band] == 0, array)
            array[band][without_atom & (array[band] == FIELDS[name].empty)] = FIELDS[name].not_set


def _bands(height: int, width: int) -> Iterator[slice]:
    """The rows of a world in groups of `_BAND` cells."""
    rows = max(1, _BAND // max(width, 1))
    for first in range(0, height, rows):
        yield slice(first, first + rows)


def _spread(cells: np.ndarray, array: np.ndarray) -> np.ndarray:
    """One number a cell, (height, width), with an axis of length 1 for each further axis of an array."""
    return cells.reshape(*cells.shape, *(1,) * (array.ndim - 2))


def draw_bytes(arrays: Mapping[str, np.ndarray], laws: Laws, domain: Domain) -> None:
    """Write a random byte into each field with `Field.drawn` for each atom that a rule moves, and 0 elsewhere.

    The byte depends on the seed and on the position in the whole world.

    Args:
        arrays: the fields of the world by name, each (height, width) or with more axes, of the field's type.
        laws, domain: those of the world.
    """
    names = [name for name in arrays if FIELDS[name].drawn]
    if not names:
        return
    material = in_frame(arrays["material"], laws.gravity)
    moved = np.zeros(256, bool)
    moved[: len(laws.materials)] = [moved_by(laws.rules, record) for record in laws.materials]
    (first_column, first_row), (height, width) = domain.frame_origin(laws.gravity), material.shape
    columns, most = first_column + np.arange(width)[None, :], max(1, _DRAWN_AT_ONCE // width)
    for first in range(0, height, most):
        band = slice(first, min(height, first + most))
        rows, movable = first_row + np.arange(height)[band, None], moved[material[band]]
        for number, name in enumerate(names):
            drawn = pcg4d(columns, rows, laws.seed, _DRAWN - number)[0] >> np.uint32(24)
            in_frame(arrays[name], laws.gravity)[band] = np.where(movable, drawn, 0)
