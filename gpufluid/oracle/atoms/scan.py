"""Scan of a line from its front to its back: the free cells ahead of each atom. Twin of ``lib/scan.glsl``.

Arrays in this module are [index, line]; along a line the index grows in the direction of motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.rules.atoms import CONSTANTS
from gpufluid.world.laws import Edges

CLEAR = CONSTANTS["clear"]

HARD_NONE, HARD_ATOM, HARD_SOLID, HARD_SOFT, HARD_AMOUNT = (
    CONSTANTS[name] for name in ("hard_none", "hard_atom", "hard_solid", "hard_soft", "hard_amount")
)

EMPTY, MOVER, BLOCK = 0, 1, 2
"""The kind of a cell in a line: empty, an atom that moves along the line, or an obstacle."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Cells as steps of the scan.

    Args:
        kind: `EMPTY`, `MOVER` or `BLOCK`.
        value: the cells that a mover would move without obstacles, or the hardness of a block; 0 of an empty cell.
    """

    kind: np.ndarray
    value: np.ndarray


@dataclass(frozen=True, slots=True)
class Ahead:
    """The state of the scan: what lies ahead of a cell.

    Args:
        free: empty cells up to the next obstacle, after that obstacle has moved.
        hard: the hardness of that obstacle.
    """

    free: np.ndarray
    hard: np.ndarray


def ahead_after(ahead: Ahead, kind: np.ndarray, value: np.ndarray) -> Ahead:
    """The state of the scan behind one cell of each line, from the state ahead of it.

    Args:
        ahead: the state ahead of the cells.
        kind, value: (lines,) int32, the kind of each cell and its value, as in `Steps`.
    """
    moved = np.minimum(value, ahead.free)
    rests = (ahead.free == 0) & (ahead.hard == HARD_AMOUNT)  # the atoms behind count it as an atom at rest
    pushed = np.where(moved == ahead.free, np.where(rests, HARD_ATOM, ahead.hard), HARD_NONE)
    free = np.where(kind == EMPTY, np.minimum(ahead.free + 1, CLEAR), np.where(kind == MOVER, moved, 0))
    return Ahead(free, np.where(kind == EMPTY, ahead.hard, np.where(kind == MOVER, pushed, value)))


def ahead_of_line(steps: Steps, edges: Edges) -> Ahead:
    """The state of the scan ahead of the foremost cell of each line: the edge, or on a torus the line's own back."""
    lines = np.zeros(steps.kind.shape[1], np.int32)
    if edges == "closed":
        return Ahead(lines, lines + HARD_SOLID)
    if edges == "open":
        return Ahead(lines + CLEAR, lines)
    around = Ahead(lines, lines)
    gain, cap = lines, lines + CLEAR
    for kind, value in zip(steps.kind[::-1], steps.value[::-1], strict=True):
        around = ahead_after(around, kind, value)
        cap = np.where(kind == EMPTY, np.minimum(cap + 1, CLEAR), np.minimum(cap, value))
        gain = np.where(kind == EMPTY, np.minimum(gain + 1, CLEAR), gain)
    known = (steps.kind == BLOCK).any(axis=0)
    bounded = (gain > cap) | (gain == CLEAR)  # the result no longer depends on what lies ahead
    return Ahead(np.where(known, around.free, np.where(bounded, cap, 0)), np.where(known, around.hard, HARD_NONE))


def survey_words(steps: Steps, strip: int) -> np.ndarray:
    """The scan of each strip as one word, (strips, lines) uint32, packed as ``scan_word`` in GLSL packs it."""
    words = []
    for first in range(0, len(steps.kind), strip):
        lines = np.zeros(steps.kind.shape[1], np.int32)
        gain, cap, known, ahead = lines, lines + CLEAR, lines.astype(bool), Ahead(lines, lines)
        cells = slice(first, first + strip)
        for kind, value in zip(steps.kind[cells][::-1], steps.value[cells][::-1], strict=True):
            known = known | (kind == BLOCK)
            ahead = ahead_after(ahead, kind, value)
            cap = np.where(kind == EMPTY, np.minimum(cap + 1, CLEAR), np.minimum(cap, value))
            gain = np.where(kind == EMPTY, np.minimum(gain + 1, CLEAR), gain)
        mover = (steps.kind[cells][-1] == MOVER).astype(np.int32)  # the foremost cell
        words.append(np.where(known, 1 << 16 | ahead.hard << 8 | ahead.free, mover << 17 | gain << 8 | cap))
    return np.array(words, np.uint32)
