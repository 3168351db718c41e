"""What one cell holds, in words."""

from __future__ import annotations

import numpy as np

from gpufluid.cell import FIELDS, in_cell
from gpufluid.workbench import Workbench


def inspected(sim: Workbench, cell: tuple[int, int]) -> list[tuple[str, str]]:
    """Each field of a cell, (column, row), in its units."""
    window = sim.read_window(cell, (1, 1), whole=False)
    found = {name: in_cell(name, array, 0, 0) for name, array in window.items()}
    record = sim.laws.materials.records[int(found["material"])]
    lines = [("cell", f"{cell[0]}, {cell[1]}"), ("material", f"{record.name} ({record.state.name.lower()})")]
    lines += [(name, _said(name, value)) for name, value in found.items() if name not in ("material", "mixture")]
    amounts = zip(sim.laws.mixture.names, found.get("mixture", ()), strict=False)
    return [*lines, *((name, _said("mixture", units)) for name, units in amounts)]


def _said(name: str, value: np.ndarray) -> str:
    field, parts = FIELDS[name], value.reshape(-1).tolist()
    if field.components == 2:
        across, down = (part / field.one for part in parts)
        return f"{across:+.2f} right, {down:+.2f} down, {field.unit}"
    return f"{parts[0] / field.one:.4f} {field.unit} ({parts[0]} units)" if field.unit else str(parts[0])
