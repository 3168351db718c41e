"""World validation: checks emitters, drains and cells against the laws of the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np

from gpufluid.core.errors import SharedCellError, WorldError, did_you_mean, shown
from gpufluid.core.fields import FIELDS, Field
from gpufluid.core.packing import any_component, cell_value, value_text
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.ports import PORTS_MOST, Drain, Emitter, Port
from gpufluid.rules import RULES, Laws, emitting_rule, solids_change
from gpufluid.rules.schema import Fault
from gpufluid.world.domain import Domain
from gpufluid.world.laws import can_hold
from gpufluid.world.new_atoms import complete

_BAND = 1 << 18
"""Cells that are checked at once, so that a check takes little memory beside the arrays."""


def check_ports(
    emitters: Sequence[object],
    drains: Sequence[object],
    size: tuple[int, int],
    rules: Sequence[str],
    table: MaterialTable,
    mixture: Sequence[str] = (),
) -> None:
    """Raise WorldError unless all emitters and drains can act in a world; arguments as for `port_problems`."""
    for kind, made, ports in (("emitter", Emitter, emitters), ("drain", Drain, drains)):
        if len(ports) > PORTS_MOST:
            raise WorldError(f"{kind}s", f"{len(ports)} of them; expected at most {PORTS_MOST}")
        for number, port in enumerate(ports):
            if not isinstance(port, made):
                raise WorldError(f"{kind}[{number}]", f"{shown(port)}; expected gpufluid.{made.__name__}(...)")
            for problem in port_problems(port, size, rules, table, mixture):
                raise WorldError(f"{kind}[{number}].{problem.field}", problem.message)


def port_problems(
    port: Port, size: tuple[int, int], rules: Sequence[str], materials: MaterialTable, mixture: Sequence[str] = ()
) -> list[WorldError]:
    """The problems of an emitter or drain in a world, each with its field; empty: it can act.

    Args:
        port: the emitter or drain.
        size: (width, height) of the world, in cells.
        rules, materials: the rules and the material table of the world.
        mixture: the names of the materials of its mixture.
    """
    outside = port.outside(*size)
    found = [outside] if outside else []
    if isinstance(port, Emitter):
        emitted = {record.name: emitting_rule(rules, record, mixture) for record in materials}
        rule = emitted.get(port.material)
        if port.material not in emitted:
            hint = did_you_mean(port.material, emitted)
            found.append(WorldError("material", f"unknown material {shown(port.material)}{hint}"))
        elif rule is None:
            hint = did_you_mean("", [name for name, rule in emitted.items() if rule])
            found.append(WorldError("material", f"no rule of this world emits {port.material!r}{hint}"))
        elif port.rate > 1 and port.material not in RULES[rule].held(mixture):
            found.append(_no_probability(port.rate, "an empty cell gets an atom"))
    elif isinstance(port, Drain) and (port.rate or 0) > 1 and not any(RULES[rule].held(mixture) for rule in rules):
        found.append(_no_probability(port.rate, "an atom is taken"))
    return found


def _no_probability(rate: float | None, of: str) -> WorldError:
    return WorldError("rate", f"{shown(rate)}; expected 0 to 1: how likely {of} in a tick")


def check_cells(
    arrays: Mapping[str, np.ndarray], laws: Laws, domain: Domain | None = None, completes: bool = False
) -> None:
    """Check every cell against the declarations of the fields and against the rules.

    Args:
        arrays: the fields of a world or of a rectangle of cells by name, each (height, width) or with more axes, of the
            field's type.
        laws: the laws of the world.
        domain: the place of the cells in the world that is checked in pieces; None: they are the world.
        completes: whether values that are not set are valid; see `world.new_atoms`.
    Raises: WorldError: an invalid cell; the message has the field, the cell, the value and what was expected. Of the
        errors in several pieces of a world, the one with the least ``order`` is that of the whole.
    """
    height, width = arrays["material"].shape
    place = Domain.whole(width, height) if domain is None else domain
    rows, above = max(1, _BAND // place.whole_size[0]), place.origin[1]
    ends = [end - above for end in range(above - above % rows + rows, above + height, rows)]  # those of the whole world
    for first, end in pairwise([0, *ends, height]):
        band = {name: _rows_of(FIELDS[name], array, first, end) for name, array in arrays.items()}
        _check_band(complete(band, laws) if completes else band, laws, (place.origin[0], above + first), place, rows)


def _rows_of(field: Field, array: np.ndarray, first: int, end: int) -> np.ndarray:
    return array[:, first:end] if field.layered else array[first:end]


def _check_band(arrays: Mapping[str, np.ndarray], laws: Laws, at: tuple[int, int], domain: Domain, rows: int) -> None:
    """Check some rows of a world.

    Args:
        arrays, laws: as for `check_cells`.
        at: (column, row) of the first cell, counted as in the domain.
        domain: that of the world.
        rows: of a band of the whole world.
    """
    others = chain(
        *(_wrong_values(FIELDS[name], arrays, laws) for name in arrays),
        *(RULES[rule].faults(arrays, laws) for rule in laws.rules),
    )
    checks = (
        (WorldError, _wrong_materials(arrays, laws)),
        (SharedCellError, _amounts_beside_atoms(arrays, laws)),
        (WorldError, others),
    )
    for kind, (error, faults) in enumerate(checks):
        for number, (wrong, name, reason) in enumerate(faults):
            if wrong.any():
                row, column = (int(i) for i in np.argwhere(wrong)[0])
                found = value_text(cell_value(name, arrays[name], row, column))
                x, y = (
                    (first + place) % side
                    for first, place, side in zip(at, (column, row), domain.whole_size, strict=True)
                )
                raised = error(f"{name}[{y}, {x}]", f"{found}{reason}")
                raised.order = (y // rows, kind, number, y, x)
                raise raised


def _wrong_materials(arrays: Mapping[str, np.ndarray], laws: Laws) -> Iterator[Fault]:
    material, rules, mixture = arrays["material"], laws.rules, laws.mixture.names
    yield material >= len(laws.materials), "material", f"; expected 0 to {len(laws.materials) - 1}"
    for number, record in enumerate(laws.materials):
        if not can_hold(rules, record):
            held = "".join(
                f"; rule {rule} holds it in field {RULES[rule].held(mixture)[record.name]!r}"
                for rule in rules
                if record.name in RULES[rule].held(mixture)
            )
            yield material == number, "material", f" ({record.name}): no rule of this world moves it{held}"


def _amounts_beside_atoms(arrays: Mapping[str, np.ndarray], laws: Laws) -> Iterator[Fault]:
    """Faults of cells that hold both an atom and amounts: water by mass and its momentum, or a part of a mixture."""
    material = arrays["material"]
    for name in arrays if laws.amounts_beside_atoms else ():
        both = any_component(name, arrays[name] != 0) & (material != 0)
        if FIELDS[name].enclosed:
            number, counted = int(material[both][0]) if both.any() else 0, FIELDS[name].counted
            atom = laws.materials.records[number].name
            held = "parts of a mixture" if FIELDS[name].layered else "water"
            wanted = f"a cell holds an atom or {held}; expected 0, or material 0 in this cell"
            yield both, name, f"{f' {counted}' if counted else ''} beside 1 atom of {atom}: {wanted}"


def _wrong_values(field: Field, arrays: Mapping[str, np.ndarray], laws: Laws) -> Iterator[Fault]:
    """Faults of a field against its declaration: values out of range, and values in solid and in empty cells."""
    values, name, counted = arrays[field.name], field.name, f" {field.counted}" if field.counted else ""
    if field.low is not None or field.high is not None:
        low, high = field.range
        beyond = any_component(name, (values < low) | (values > high))
        yield beyond, name, f"; expected {low} to {high}{counted}{field.remark}"
    if field.without_atom:
        yield (values != 0) & (arrays["material"] != 0), name, f"; expected 0{counted} in a cell with an atom"
    in_solid = None if field.enclosed and solids_change(laws.rules) else field.solid
    demands = ((in_solid, laws.materials.solid, "a solid"), (field.empty, np.arange(256) == 0, "an empty"))
    for value, where, place in demands:
        if value is not None:
            wanted = value_text(np.full(field.components, value) if field.components > 1 else np.int64(value))
            wrong = any_component(name, values != value) & where[arrays["material"]]
            yield wrong, name, f"; expected {wanted}{counted} in {place} cell"
