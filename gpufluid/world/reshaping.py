"""Changes of a whole world: another size, no matter, more rules. What they put in and take away is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from gpufluid.core.errors import WorldError, did_you_mean, shown
from gpufluid.core.fields import FIELDS
from gpufluid.core.numeric import is_number
from gpufluid.matter.ports import Port
from gpufluid.rules import RULES, with_requirements
from gpufluid.world.edits import edited
from gpufluid.world.new_atoms import new_values
from gpufluid.world.world import World

_Port = TypeVar("_Port", bound=Port)


@dataclass(frozen=True, slots=True)
class Border:
    """The lines of solid cells that reach along the edges of a world from end to end: its floor, walls and ceiling.

    Args:
        left, right, top, bottom: the number of columns and rows that are solid in all cells, counted from the edge.
    """

    left: int = 0
    right: int = 0
    top: int = 0
    bottom: int = 0

    @classmethod
    def of(cls, world: World) -> Border:
        """The border of a world. Where two opposite sides together are over half of the world, neither is a border."""
        solid = world.solid
        left, right = _ends(np.asarray(solid.all(axis=0)))
        top, bottom = _ends(np.asarray(solid.all(axis=1)))
        return cls(left, right, top, bottom)


def _ends(lines: np.ndarray) -> tuple[int, int]:
    """The number of True values at the beginning and at the end of (n,) bool; both 0 if they are over half of it."""
    if lines.all():
        return 0, 0
    ends = int(np.argmin(lines)), int(np.argmin(lines[::-1]))
    return ends if 2 * sum(ends) <= len(lines) else (0, 0)


def resized(world: World, width: int, height: int, align: tuple[float, float] | None = None) -> World:
    """A world of another size that keeps what fits.

    Lines of solid cells along an edge from end to end, such as a floor, stay at their edge, and become as long as the
    new edge. Between them the cells keep their places to each other; new cells are empty. Emitters and drains move with
    the cells, and those that do not fit are cut off. Laws, tick and random numbers of the seed stay.

    Law: what is cut off is counted as ``erased`` in the ledgers, and new cells of walls as ``painted``.

    Args:
        world: the world; it is not changed.
        width, height: of the new world, in cells.
        align: (x, y), 0 to 1: where the kept part lies, or which part of a larger world is kept: 0 at the left and at
            the top, 1 at the right and at the bottom. None: in the middle, and along gravity at the floor.
    Raises: WorldError: an invalid size or ``align``, a world that is a piece of another one, laws that do not allow the
        size, or no memory.
    """
    _check_whole_world(world, "resized")
    x, y = _alignment(align, world.gravity)
    laws = {name: getattr(world, name) for name in ("rules", "edges", "seed", "parameters", "tick", "materials")}
    tables = {name: getattr(world, name) for name in ("gravity", "reactions", "mixture")}
    new, border = World(height, width, **laws, **tables), Border.of(world)
    columns = _Line.between(world.width, new.width, (border.left, border.right), x)
    rows = _Line.between(world.height, new.height, (border.top, border.bottom), y)
    before, after = world.complete_arrays(), {name: new.own_array(name) for name in new.fields}
    kept, kept_before = np.outer(rows.is_kept, columns.is_kept), np.zeros((world.height, world.width), bool)
    kept_before[np.ix_(rows.source[rows.is_kept], columns.source[columns.is_kept])] = True
    filled = kept | rows.is_border[:, None] | columns.is_border[None, :]
    for name, array in after.items():
        there = kept if FIELDS[name].enclosed else filled  # a copy of a solid cell encloses nothing
        cells = _spread(there, name, array)
        array[...] = np.where(cells, _gathered(name, before[name], rows.source, columns.source), 0)
    lost = {name: np.where(_spread(kept_before, name, array), array, 0) for name, array in before.items()}
    grown = {name: np.where(_spread(kept, name, array), array, 0) for name, array in after.items()}
    new.ledgers = dict(world.ledgers)
    for counted in (edited(world, before, lost), edited(new, grown, after)):
        for quantity, ledger in counted.items():
            new.ledgers[quantity] = new.ledgers[quantity] + ledger
    shift = columns.shift, rows.shift
    new.replace_ports(_shifted(world.emitters, shift, new), _shifted(world.drains, shift, new))
    return new


def cleared(world: World) -> World:
    """A world without matter, emitters and drains, but with the lines of solid cells along its edges from end to end.

    Law: what is taken away is counted as ``erased`` in the ledgers.

    Args:
        world: the world; it is not changed.
    """
    new, before, kept = world.copy(), world.complete_arrays(), border_cells(world)
    for name in new.fields:
        array = new.own_array(name)
        array[...] = np.where(_spread(kept, name, array), before[name], 0)
    for quantity, ledger in edited(world, before, new.complete_arrays()).items():
        new.ledgers[quantity] = new.ledgers[quantity] + ledger
    new.replace_ports((), ())
    return new


def border_cells(world: World) -> np.ndarray:
    """(height, width) bool: the lines of solid cells along the edges of a world from end to end; see `Border`."""
    border, cells = Border.of(world), np.zeros((world.height, world.width), bool)
    cells[: border.top] = cells[world.height - border.bottom :] = True
    cells[:, : border.left] = cells[:, world.width - border.right :] = True
    return cells


def with_rules(world: World, rules: Sequence[str]) -> World:
    """A copy of a world with more rules, and with the rules that these need.

    Laws, cells and tick stay. Fields that the new rules bring have the values of new atoms: the temperature of each is
    that of its material, or of the surroundings.

    Law: what the new fields hold is counted as ``painted`` in the ledgers, such as the heat of the atoms.

    Args:
        world: the world; it is not changed.
        rules: the names of the new rules; those that the world has already are left out.
    Raises: WorldError: an unknown rule, or rules that cannot run together in this world.
    """
    together = rules_with(world.rules, rules)
    tables = {
        "reactions": world.reactions if "reactions" in world.rules else None,
        "mixture": world.mixture if len(world.mixture) else None,
    }
    laws = {name: getattr(world, name) for name in ("edges", "seed", "parameters", "tick", "materials", "gravity")}
    ports = {"emitters": world.emitters, "drains": world.drains, "domain": world.domain}
    new = World(world.height, world.width, together, **laws, **tables, **ports)
    cells = world.complete_arrays()
    for name, array in cells.items():
        new.own_array(name)[...] = array
    added = [name for name in new.fields if name not in cells]
    before = {name: array.copy() for name, array in new.complete_arrays().items()}
    for name in added:
        if FIELDS[name].fresh is not None:
            new.own_array(name)[...] = new_values(new.laws, name)[cells["material"]]
    if any(FIELDS[name].drawn for name in added):
        new.draw_grain()
    if any(FIELDS[name].new_amount is not None for name in added):
        new.draw_amounts()
    new.ledgers = dict(world.ledgers)
    for quantity, ledger in edited(new, before, new.complete_arrays()).items():
        new.ledgers[quantity] = new.ledgers[quantity] + ledger
    return new


def rules_with(rules: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    """The rules of a world, with more rules and with those that these need; not checked to run together.

    Raises: WorldError: an unknown rule.
    """
    if isinstance(more, str) or not isinstance(more, Iterable):
        raise WorldError("rules", f"{shown(more)}; expected names of rules, such as ['heat']")
    found = list(rules)
    for name in more:
        if name not in RULES:
            raise WorldError("rules", f"unknown rule {shown(name)}{did_you_mean(str(name), RULES)}")
        needed = [each for rule in RULES[name].requires.needs for each in with_requirements(rule, found)]
        found += [each for each in (*needed, *with_requirements(name, found)) if each not in found]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Line:
    """The places of the old world from which the places of a new one come, along one axis.

    Args:
        source: (n,) int, the old place; of places without one the nearest.
        is_kept: (n,) bool, whether the old place exists.
        is_border: (n,) bool, whether the place is one of the solid lines at the edge.
        shift: by how much places between these lines move.
    """

    source: np.ndarray
    is_kept: np.ndarray
    is_border: np.ndarray
    shift: int

    @classmethod
    def between(cls, old: int, new: int, border: tuple[int, int], align: float) -> _Line:
        """The line from ``old`` places to ``new`` ones; arguments otherwise as for `resized`."""
        first, last = border if new > sum(border) else (0, 0)
        shift = int(np.floor((new - old) * align + 0.5))
        place = np.arange(new)
        source = place - shift
        is_kept = (source >= first) & (source < old - last)
        source = np.clip(source, first, old - last - 1)
        is_border = (place < first) | (place >= new - last)
        source = np.where(place < first, place, np.where(place >= new - last, place - new + old, source))
        return cls(source, is_kept | is_border, is_border, shift)


def usual_alignment(gravity: str) -> tuple[float, float]:
    """The default ``align`` of `resized` for a world with this gravity."""
    return {"down": (0.5, 1.0), "up": (0.5, 0.0), "left": (0.0, 0.5), "right": (1.0, 0.5)}.get(gravity, (0.5, 0.5))


def _alignment(align: tuple[float, float] | None, gravity: str) -> tuple[float, float]:
    if align is None:
        return usual_alignment(gravity)
    if not isinstance(align, Sequence) or len(align) != 2 or not all(is_number(each, 0, 1) for each in align):
        raise WorldError("align", f"{shown(align)}; expected two numbers from 0 to 1")
    return align


def _check_whole_world(world: World, change: str) -> None:
    if not world.domain.is_whole:
        columns, rows = world.domain.whole_size
        wrong = f"{world.width} by {world.height} cells of a whole world of {columns} by {rows} cannot be {change}"
        raise WorldError("domain", f"{wrong}; expected a whole world")


def _spread(cells: np.ndarray, name: str, array: np.ndarray) -> np.ndarray:
    """One value a cell, (height, width), in a shape that broadcasts to the array of a field."""
    return cells if FIELDS[name].layered else cells.reshape(*cells.shape, *(1,) * (array.ndim - 2))


def _gathered(name: str, array: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The cells of an array of a field in these rows and columns, (rows, columns) or with more axes."""
    axis = 1 if FIELDS[name].layered else 0
    return array.take(rows, axis=axis).take(columns, axis=axis + 1)


def _shifted(ports: Sequence[_Port], shift: tuple[int, int], world: World) -> list[_Port]:
    """The ports at their places in a world after a shift (x, y), cut off at its edges; without those outside."""
    found = []
    for port in ports:
        starts = [max(at + by, 0) for at, by in zip(port.at, shift, strict=True)]
        ends = [
            min(at + size + by, most)
            for at, size, by, most in zip(port.at, port.size, shift, (world.width, world.height), strict=True)
        ]
        if starts[0] < ends[0] and starts[1] < ends[1]:
            size = ends[0] - starts[0], ends[1] - starts[1]
            found.append(replace(port, at=(starts[0], starts[1]), size=size))
    return found
