"""Passes `weigh` and `sink`: runs of a column pass each other where denser matter lies on a less dense fluid.

A *run* is a stack of touching atoms of one powder or fluid. One of the two runs moves, and the cells that it passes
come out behind it; `columns` has the law. Stacks of light powder sink or rise on water by mass; see `floating`.
"""

from __future__ import annotations

import numpy as np

from gpufluid.oracle.atoms.cells import Cells
from gpufluid.oracle.atoms.columns import Columns
from gpufluid.oracle.atoms.floating import direction_of, floating_cells, move_stack, stack_at
from gpufluid.oracle.state import load_runs, store_runs
from gpufluid.oracle.tally import Tally
from gpufluid.rules import LINE_STRIP, Call
from gpufluid.world import World


def weigh(world: World, call: Call) -> Tally:
    """Find where runs of a column pass each other, and by how many cells; and which stacks sink or rise by a row."""
    columns = Columns(world, call)
    rows, width = columns.cells.shape
    words = np.zeros((-(-rows // LINE_STRIP), width, 4), np.uint32)
    if world.gravity != "off":
        for row, begins in enumerate(columns.begins()):
            words[row // LINE_STRIP, :, 0] |= begins.astype(np.uint32) << np.uint32(row % LINE_STRIP)
        for row, column in np.argwhere(columns.passing()):
            down, step = columns.passing_at(int(row), int(column))
            parts = np.array([0, down, step & 1, step >> 1], np.uint32)
            words[row // LINE_STRIP, column] |= parts << np.uint32(row % LINE_STRIP)
        for row, column in np.argwhere(floating_cells(columns)).tolist():
            stack = stack_at(columns, row, column)
            direction = direction_of(columns, stack) if stack and columns.may_float(row, column) else 0
            parts = np.array([0, direction > 0, direction != 0, 0], np.uint32)
            words[row // LINE_STRIP, column] |= parts << np.uint32(row % LINE_STRIP)
    store_runs(world, words)
    return Tally()


def sink(world: World, call: Call) -> Tally:
    """Let the runs of a column pass each other, and stacks sink or rise, where `weigh` has found it."""
    columns, words = Columns(world, call), load_runs(world)
    moved, floating = Cells.of(world), floating_cells(columns)
    for strip, column in np.argwhere(words[:, :, 2] | words[:, :, 3]):
        _, down, low, high = (int(word) for word in words[strip, column])
        for bit in range(LINE_STRIP):
            step, row = (low >> bit & 1) | (high >> bit & 1) << 1, int(strip) * LINE_STRIP + bit
            if step and floating[row, column]:
                stack = stack_at(columns, row, int(column))
                assert stack is not None
                move_stack(columns, moved, stack, 1 if down >> bit & 1 else -1)
            elif step:
                columns.pass_cells(moved, row, int(column), bool(down >> bit & 1), step)
    moved.write(world)
    return Tally()
