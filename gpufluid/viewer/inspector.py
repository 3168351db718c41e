"""What one cell holds, in words."""

from __future__ import annotations

from gpufluid.cell import FULL, VELOCITY_ONE
from gpufluid.workbench import Workbench


def inspected(sim: Workbench, cell: tuple[int, int]) -> list[tuple[str, str]]:
    """Each field of a cell, (column, row), in its units."""
    found = {name: array[0, 0] for name, array in sim.read_window(cell, (1, 1), whole=False).items()}
    record = sim.laws.materials.records[int(found["material"])]
    lines = [("cell", f"{cell[0]}, {cell[1]}"), ("material", f"{record.name} ({record.state.name.lower()})")]
    if "mass" in found:
        lines.append(("mass", f"{int(found['mass']) / FULL:.4f} cells ({int(found['mass'])} units)"))
    if "velocity" in found:
        across, down = (int(part) / VELOCITY_ONE for part in found["velocity"])
        lines.append(("velocity", f"{across:+.2f} right, {down:+.2f} down, cells a tick"))
    others = [name for name in found if name not in ("material", "mass", "velocity")]
    return [*lines, *((name, str(found[name])) for name in others)]
