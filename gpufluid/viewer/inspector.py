"""The contents of one cell as text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gpufluid.core.fields import FIELDS, Field, vector_in_words
from gpufluid.core.packing import cell_value
from gpufluid.runtime.editing import Workbench
from gpufluid.world import World


def inspect_cell(sim: Workbench, cell: tuple[int, int]) -> list[tuple[str, str]]:
    """(name, value with unit) for each field of the cell (column, row); see `Field.describe`."""
    window = sim.read_window(cell, (1, 1), whole=False)
    found = {name: cell_value(name, array, 0, 0) for name, array in window.items()}
    record = sim.blank.materials.records[int(found["material"])]
    lines = [("cell", f"{cell[0]}, {cell[1]}"), ("material", f"{record.name} ({record.state.name.lower()})")]
    for name, value in found.items():
        field = FIELDS[name]
        if field.describe is not None:
            lines += field.describe(sim.blank.laws, found)
        elif name != "material":
            lines += _described(sim.blank, field, value)
    return lines


def _described(world: World, field: Field, value: np.ndarray) -> Iterable[tuple[str, str]]:
    """The value of a field as text: one line, or one for each layer of a layered field."""
    names = world.mixture.names if field.layered else (field.name,)
    for name, parts in zip(names, value.reshape(len(names), -1).tolist(), strict=True):
        yield name, _formatted(field, parts)


def _formatted(field: Field, parts: list[int]) -> str:
    if field.components == 2:
        return vector_in_words(parts[0] / field.one, parts[1] / field.one, field.unit)
    return f"{parts[0] / field.one:.4f} {field.unit} ({parts[0]} units)" if field.unit else str(parts[0])
