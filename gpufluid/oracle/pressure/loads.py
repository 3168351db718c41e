"""Liquid under a load: the weight of another liquid above moves it to the lowest surface of its own body.

Twin of ``shaders/pressure/loads.glsl`` and of the two passes that include it. A *load* is a run of one liquid at rest
on a cell of another body, with an open surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.pressure.atoms import AtomMatter
from gpufluid.oracle.pressure.matter import FrameCell
from gpufluid.oracle.state import load_labels
from gpufluid.world import World


@dataclass(frozen=True)
class Load:
    """The load on a cell.

    Args:
        cell: the cell that bears the load.
        top: the uppermost cell of the load, which is open.
        row_pressed: the row at which the cell's surface would be if the load were of the cell's own liquid, rounded to
            the lower row.
    """

    cell: FrameCell
    top: FrameCell
    row_pressed: int


def loads_of(world: World) -> list[Load]:
    """Find the loads on all cells of bodies, by row and column."""
    labels, cells = load_labels(world), Cells.of(world)
    is_open, density = AtomMatter(world).is_open(), world.laws.once(MaterialProperties).density
    rows, wrap = len(labels), world.edges == "wrap"
    over = np.roll(labels, 1, axis=0)
    if not wrap:
        over[0] = 0
    found = []
    for row, column in np.argwhere((labels != 0) & (over != 0) & (over != labels)).tolist():
        height = 1
        while height < rows and (wrap or row > height) and labels[row - height - 1, column] == over[row, column]:
            height += 1
        top = (row - height) % rows, column
        own, above = (int(cells.material[at, column]) for at in (row, row - 1))
        if is_open[top] and own != above:
            rows_of_own = height * int(density[above]) // max(int(density[own]), 1)
            found.append(Load((row, column), top, row - rows_of_own))
    return found


def exchange_under_load(world: World, load: Load, sink: FrameCell) -> None:
    """Move the atom under a load onto a surface, and the load's uppermost atom to the place of that atom; both rest.

    Args:
        world: the world, which changes.
        load: the load.
        sink: the surface that takes the atom.
    """
    matter = AtomMatter(world)
    matter.lay_on(sink, load.cell, [load.top])
    matter.come_to_rest((load.cell, load.top))
    matter.write()
