"""Powder that floats on water by mass as deep as its density says. Twin of ``shaders/atoms/floating.glsl``.

A *stack* is a run of light powder in a column, at most 63 cells, with water by mass below it, and above it an empty
cell, or a film of water that is not denser than the powder. The pressure of the water below carries the stack. The
stack rests where this pressure is that of a depth at which the displaced water weighs as much as the stack. Rows are
those of the gravity frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from gpufluid.core.fields import FULL, WATER_HEAT_LIMIT
from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells
from gpufluid.oracle.atoms.columns import Columns
from gpufluid.rules.atoms import WATER_DENSITY

HEAVIEST = 2 * FULL
"""Units: a stack does not sink if a cell of water that would make room holds this or more."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of light powder on water.

    Args:
        row, column: its lowest cell.
        cells: the number of its cells.
        wet: the number of cells of water below it, without a gap, as far as they are counted.
        film: whether a film of water lies on it.
    """

    row: int
    column: int
    cells: int
    wet: int
    film: bool


def floating_cells(columns: Columns) -> np.ndarray:
    """The cells of powder at rest that is less dense than the water by mass below it: [row, column] bool."""
    density, along = columns.density, columns.cells.along
    below, wet = (np.roll(array, -1, axis=0) for array in (density, columns.is_amount))
    if columns.world.edges != "wrap":
        wet[-1] = False
    floats = (columns.state == State.POWDER) & wet & (density < WATER_DENSITY) & (density <= below) & (along == 0)
    return floats & ("inertia" in columns.world.rules and columns.world.fixed("inertia")["acceleration"] > 0)


def stack_at(columns: Columns, row: int, column: int) -> Stack | None:
    """The stack of which a cell is the lowest; None: it is too high, or something lies on it."""
    rows, fixed = columns.cells.shape[0], columns.world.fixed("atoms")
    upper, cells = columns.at(row, column), 1
    while cells < min(fixed["run_most"], rows - 1) and columns.at(row - cells, column).is_same_run(upper):
        cells += 1
    over, higher = columns.at(row - cells, column), columns.at(row - cells - 1, column)
    film = over.run == len(columns.world.materials) and over.density <= upper.density and higher.state == State.EMPTY
    if cells == fixed["run_most"] or not (over.state == State.EMPTY or film):
        return None
    most = min(fixed["run_most"] + columns.world.fixed("inertia")["floats_over"], rows - cells - 1)
    below = (columns.at(row + 1 + i, column).run == len(columns.world.materials) for i in range(most))
    return Stack(row, column, cells, sum(takewhile(bool, below)), film)


def direction_of(columns: Columns, stack: Stack) -> int:
    """The direction in which a stack moves when it floats too deep or not deep enough: -1 up, 1 down, 0 none.

    It rises if the water below it has the pressure of a row more than the stack weighs, or of two rows if a film lies
    on it. It sinks if even the second cell of this water has no more pressure than the stack weighs. Under a film it
    does not sink, because it would then sink and rise for ever. It does not move while the water and the matter below
    the water pass each other.
    """
    fixed, mass = columns.world.fixed("inertia"), columns.cells.amounts["mass"]
    rows, column = columns.cells.shape[0], stack.column
    if stack.wet < 2:
        return 0
    under = columns.at(stack.row + 1 + stack.wet, column)
    counted = fixed["floats_over"] + columns.world.fixed("atoms")["run_most"]
    if stack.wet < counted and columns.at(stack.row + stack.wet, column).passes(under):
        return 0
    density = columns.at(stack.row, column).density
    load = stack.cells * density * fixed["acceleration"] // (WATER_DENSITY // 2) >> fixed["head_bits"]
    below = [int(mass[(stack.row + 1 + i) % rows, column]) for i in range(min(stack.wet, fixed["floats_over"] + 1))]
    first, second = (each - FULL >> fixed["head_bits"] for each in below[:2])
    giving = min(stack.wet, fixed["floats_over"])
    if first >= load + (4 if stack.film else 2):
        return -1 if (giving + 1) * density <= giving * WATER_DENSITY else 0
    return 1 if not stack.film and below[1] >= FULL and second <= load and max(below) < HEAVIEST else 0


def move_stack(columns: Columns, moved: Cells, stack: Stack, direction: int) -> None:
    """Move a stack by a row. The cells of water below it give it room, or fill the cell that it leaves.

    The water that a stack displaces is shared by the cells below, with its heat. If the stack rises, each of these
    cells gives the same share to the cell that the stack leaves. If a cell might get too much heat, nothing moves.

    Args:
        moved: the cells to change.
        direction: as `direction_of` returns it.
    """
    rows, most, column = columns.cells.shape[0], columns.world.fixed("inertia")["floats_over"], stack.column
    shared = [name for name in ("mass", "warmth") if name in moved.parts()]
    first, last = (
        (stack.row - stack.cells, stack.row) if direction < 0 else (stack.row - stack.cells + 1, stack.row + 1)
    )
    near = np.arange(min(stack.wet, most) if direction < 0 else min(stack.wet - 1, most)) + last + 1
    concerned = np.append(near, first if direction < 0 else last) % rows
    if "warmth" in shared and not has_room_for_heat(columns.cells.carried["warmth"][concerned, column]).all():
        return
    span = np.arange(first, last + 1) % rows
    for name, values in moved.parts().items():
        values[span, column] = np.roll(columns.cells.parts()[name][span, column], direction)
        if name in shared:
            give_way(values[:, column], near % rows, (last if direction < 0 else first) % rows, direction)


def has_room_for_heat(heat: np.ndarray) -> np.ndarray:
    """True where water has at most half of the heat that a cell can hold. Where all has, no cell can get too much.

    Args:
        heat: of the water of some cells, int32 of any shape.
    Returns: bool of the same shape.
    """
    return np.abs(heat.astype(np.int64)) <= WATER_HEAT_LIMIT // 2


def give_way(values: np.ndarray, near: np.ndarray, left: int, direction: int) -> None:
    """Let cells of water in a column share what something displaces that moves down, or fill the cell that it leaves.

    Args:
        values: (rows,) int32, masses or heats of a column, to change.
        near: (n,) int64, the rows of the cells that give way, from the uppermost on.
        left: the row of the cell that what moves has left. If it moves down, this is what it has displaced.
        direction: 1 down, -1 up.
    """
    if direction < 0:
        given = _part(values[near], len(near) + 1)
        values[near] -= given
        values[left] += given.sum()
    else:
        displaced = int(values[left])
        each, more = _part(np.array(displaced), len(near)), abs(displaced) % len(near)
        values[near] += each + np.sign(displaced) * (np.arange(len(near)) < more)
        values[left] = 0


def _part(numbers: np.ndarray, parts: int) -> np.ndarray:
    """Numbers divided by a number of parts, rounded toward zero: int64 of the same shape."""
    return np.sign(numbers) * (np.abs(numbers.astype(np.int64)) // parts)
