"""The contents of one cell as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from gpufluid.core.fields import FIELDS, LATENT_ONE, TEMPERATURE_ONE
from gpufluid.core.packing import in_cell
from gpufluid.matter.materials import Material
from gpufluid.matter.reactions import WHOLE
from gpufluid.runtime.editing import Workbench
from gpufluid.world import World

_OWN_LINES = ("material", "mixture", "temperature", "integrity", "age")


def inspect_cell(sim: Workbench, cell: tuple[int, int]) -> list[tuple[str, str]]:
    """(name, value with unit) for each field of the cell (column, row)."""
    window = sim.read_window(cell, (1, 1), whole=False)
    found = {name: in_cell(name, array, 0, 0) for name, array in window.items()}
    record = sim.blank.materials.records[int(found["material"])]
    lines = [("cell", f"{cell[0]}, {cell[1]}"), ("material", f"{record.name} ({record.state.name.lower()})")]
    lines += [(name, _formatted(name, value)) for name, value in found.items() if name not in _OWN_LINES]
    amounts = zip(sim.blank.mixture.names, found.get("mixture", ()), strict=False)
    lines += [(name, _formatted("mixture", units)) for name, units in amounts]
    return [*lines, *(_thermal_lines(sim.blank, record, found) if "temperature" in found else ())]


def _thermal_lines(laws: World, record: Material, found: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:
    """Lines on temperature, latent heat, age and integrity.

    For a material that melts, boils or freezes, the field ``age`` holds latent heat.
    """
    if not found["material"]:
        yield "temperature", f"{laws.parameters['heat']['ambient']:g} degrees C, the air's"
        return
    yield "temperature", f"{int(found['temperature']) / TEMPERATURE_ONE:g} degrees C"
    if record.transitions:
        held = int(found["age"].view(np.int8)) * LATENT_ONE / TEMPERATURE_ONE
        ways = record.transitions.items()
        ends = [f"{change.product} at {'-' if way == 'below' else ''}{change.latent:g}" for way, change in ways]
        yield "latent heat", f"{held:g} degrees; {', '.join(ends)}"
    elif "reactions" in laws.rules:
        yield "age", str(found["age"])
    if "reactions" in laws.rules:
        yield "integrity", f"{int(found['integrity']) or WHOLE} of {WHOLE} parts"


def _formatted(name: str, value: np.ndarray) -> str:
    field, parts = FIELDS[name], value.reshape(-1).tolist()
    if field.components == 2:
        across, down = (part / field.one for part in parts)
        return f"{across:+.2f} right, {down:+.2f} down, {field.unit}"
    return f"{parts[0] / field.one:.4f} {field.unit} ({parts[0]} units)" if field.unit else str(parts[0])
