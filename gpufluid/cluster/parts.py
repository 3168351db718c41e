"""Cuts a whole world into the parts of the ranks, and combines their fields, ledgers and statistics again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from gpufluid.cluster.grid import Grid
from gpufluid.core.fields import FIELDS
from gpufluid.core.frame import (
    Area,
    Span,
    area_in_frame,
    area_in_world,
    frame_size,
    in_frame,
    in_world,
    layers_in_frame,
    layers_in_world,
    turned_to_world,
)
from gpufluid.matter.ports import Drain, Emitter, Port
from gpufluid.rules import Laws
from gpufluid.world import World
from gpufluid.world.domain import Part
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.pieces import Box
from gpufluid.world.statistics import Statistics

Served = TypeVar("Served", bound=Port)


@dataclass(frozen=True, slots=True)
class Outline:
    """The data of a whole world that every rank has: all but its cells and ledgers.

    Args:
        laws, emitters, drains, tick: those of the whole world.
    """

    laws: Laws
    emitters: tuple[Emitter, ...]
    drains: tuple[Drain, ...]
    tick: int

    @classmethod
    def of(cls, world: World) -> Outline:
        """The outline of a world."""
        return cls(world.laws, world.emitters, world.drains, world.tick)

    def blank(self) -> World:
        """A world with this outline, without cells."""
        laws = self.laws
        return _world(laws, laws.width, laws.height, self.emitters, self.drains, self.tick, cells=False)

    def part(self, rank: int, grid: Grid) -> World:
        """The part of a rank, with its halo; its arrays and ledgers are all 0."""
        laws, wrap = self.laws, self.laws.edges == "wrap"
        whole = laws.width, laws.height
        column, row, width, height = area_in_world(grid.part_of(rank), whole, laws.gravity)
        part = _world(laws, width, height, (), (), self.tick, cells=True)
        if grid.ranks > 1:
            domain = part.domain = Part((column, row), (width, height), whole, *grid.halo_of(rank))
            emitters = [_port_of(port, domain, laws.gravity, wrap) for port in self.emitters]
            part.replace_ports(emitters, [_port_of(port, domain, laws.gravity, wrap) for port in self.drains])
        else:
            part.replace_ports(self.emitters, self.drains)
        return part


def own_cells(world: World, grid: Grid, rank: int) -> Box:
    """The cells of a whole world that a rank computes; the arrays of the world are not used."""
    return area_in_world(grid.own_of(rank), (world.width, world.height), world.gravity)


def _world(
    laws: Laws,
    width: int,
    height: int,
    emitters: Sequence[Emitter],
    drains: Sequence[Drain],
    tick: int,
    *,
    cells: bool,
) -> World:
    """A world of some laws with another size; ``cells`` as for `World`."""
    return World(
        height,
        width,
        laws.rules,
        laws.edges,
        laws.seed,
        laws.parameters,
        emitters,
        drains,
        tick,
        laws.materials,
        laws.gravity,
        laws.reactions if "reactions" in laws.rules else None,
        laws.mixture if "mixture" in laws.rules else None,
        cells=cells,
    )


def cells_of(world: World, area: Area) -> dict[str, np.ndarray]:
    """Copies of the fields of some cells of gravity's frame, in the directions of the world.

    Args:
        world: the whole world.
        area: the cells; they may lie beyond the world, if it is a torus.
    Returns: all fields by name, each (height, width) or with more axes, of the field's type.
    """
    gravity, found = world.gravity, {}
    for name, array in world.complete_arrays().items():
        frame = (layers_in_frame if FIELDS[name].layered else in_frame)(array, gravity)
        axis = 1 if FIELDS[name].layered else 0
        taken = _lines(_lines(frame, area[1], axis), area[0], axis + 1)
        found[name] = (layers_in_world if FIELDS[name].layered else in_world)(taken, gravity).copy()
    return found


def _lines(array: np.ndarray, span: Span, axis: int) -> np.ndarray:
    """Some rows or columns of an array, which may lie beyond a torus; a view if they do not."""
    if span[0] < 0 or span[1] > array.shape[axis]:
        return np.take(array, np.arange(*span), axis=axis, mode="wrap")
    return array[(slice(None),) * axis + (slice(*span),)]


def put(world: World, at: tuple[int, int], arrays: Mapping[str, np.ndarray]) -> None:
    """Write fields, as `cells_of` returns them, into a rectangle of a world.

    Args:
        world: the world to write into.
        at: (column, row) of the rectangle's top left cell.
        arrays: the fields by name, each (height, width) or with more axes, of the field's type.
    """
    for name, array in arrays.items():
        axis = 1 if FIELDS[name].layered else 0
        height, width = array.shape[axis : axis + 2]
        box = slice(at[1], at[1] + height), slice(at[0], at[0] + width)
        world.own_array(name)[(slice(None), *box) if axis else box] = array


def _port_of(port: Served, domain: Part, gravity: str, wrap: bool) -> Served:
    """A port of a whole world in the coordinates of a part; the port may extend beyond the part.

    On a torus the halo of a part can repeat cells of the part, and so the port; the result is its first occurrence.

    Args:
        port: the port of the whole world.
        domain: that of the part.
        gravity: of the world.
        wrap: whether the world is a torus.
    """
    whole = domain.whole_size
    x, y = port.at[0] - domain.origin[0], port.at[1] - domain.origin[1]
    if wrap:
        area = area_in_frame((*port.at, *port.size), whole, gravity)
        sides = zip(area, domain.frame_origin(gravity), frame_size(*whole, gravity), strict=True)
        across, along = (-cells * ((end - 1 - first) // cells) for (_, end), first, cells in sides)
        right, down = turned_to_world(across, along, gravity)
        x, y = x + right, y + down
    return replace(port, at=(x, y))


def sum_of_ledgers(every: Sequence[Mapping[str, AnyLedger]]) -> dict[str, AnyLedger]:
    """The sums of the ledgers of all ranks, by quantity."""
    found = dict(every[0])
    for ledgers in every[1:]:
        for name, ledger in ledgers.items():
            found[name] = found[name] + ledger  # pyright: ignore[reportOperatorIssue]
    return found


def sum_of_statistics(every: Sequence[Statistics]) -> Statistics:
    """The statistics of a world, from those of the cells of all ranks."""
    first = every[0]
    return Statistics(
        first.tick,
        {name: sum(each.cells[name] for each in every) for name in first.cells},
        {name: sum(each.sums[name] for each in every) for name in first.sums},
        {name: _ends([each.extremes[name] for each in every]) for name in first.extremes},
        {
            name: {layer: sum(each.layers[name][layer] for each in every) for layer in layers}
            for name, layers in first.layers.items()
        },
    )


def _ends(every: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    there = [each for each in every if each is not None]
    return (min(low for low, _ in there), max(high for _, high in there)) if there else None
