"""Which emitters and drains of a pass one dispatch can serve, because their order does not matter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SERVED_MOST = 32
"""The most ports of a dispatch."""

_SPARE = 1024
"""Invocations without a cell that a dispatch may have in any case; or else a quarter of those with one."""

_ROWS_MOST = 1 << 15
"""The most rows of invocations that the ports of a dispatch have together, if there are several."""

_PAIRS_AT_ONCE = 1 << 22
"""The most pairs of ports that are compared at once."""


def meeting(at: np.ndarray, size: np.ndarray, beside: tuple[int, int], around: tuple[int, int] | None) -> np.ndarray:
    """Find the pairs of ports of which one may see what the other changes.

    Args:
        at: (worlds, ports, 2) int64, the first cell (column, row) of each port.
        size: (worlds, ports, 2) int64, (width, height) in cells; 0 by 0: there is no such port.
        beside: (columns, rows) of the world beside each port that the pass reads or changes, too.
        around: (width, height) of a torus; None: the edges of the world are not joined.
    Returns: (ports, ports) bool, true if the two meet in any of the worlds.
    """
    count = at.shape[1]
    found = np.zeros((count, count), bool)
    step = max(_PAIRS_AT_ONCE // max(count * count, 1), 1)
    for first in range(0, len(at), step):
        places, sizes = at[first : first + step], size[first : first + step]
        meets = (sizes[:, :, None] > 0).all(axis=3) & (sizes[:, None, :] > 0).all(axis=3)
        for axis in (0, 1):
            distance = places[:, None, :, axis] - places[:, :, None, axis]  # from the first port to the second
            reach = sizes[:, :, None, axis] + 2 * beside[axis]
            near = (distance >= 0) & (distance < reach) if around is None else distance % around[axis] < reach
            meets &= near | near.swapaxes(1, 2)
        found |= meets.any(axis=0)
    return found


def in_turns(meets: np.ndarray, areas: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Distribute ports among dispatches, such that ports that meet act in their order.

    Args:
        meets: (ports, ports) bool, as `meeting` returns it.
        areas: (columns, rows) of invocations that each port needs.
    Returns: the indices of the ports of each dispatch, `SERVED_MOST` at most.
    """
    turns = np.zeros(len(areas), np.int64)
    for number in range(1, len(areas)):
        before = turns[:number][meets[number, :number]]
        turns[number] = before.max() + 1 if len(before) else 0
    return [part for turn in range(turns.max(initial=-1) + 1) for part in _parts(np.flatnonzero(turns == turn), areas)]


def _parts(numbers: np.ndarray, areas: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Divide ports that do not meet among dispatches. In each all ports have as many invocations as the largest."""
    parts: list[list[int]] = []
    columns = rows = needed = 0
    for number in sorted(numbers.tolist(), key=lambda number: (-areas[number][0] * areas[number][1], number)):
        own = areas[number]
        columns, rows, needed = max(columns, own[0]), max(rows, own[1]), needed + own[0] * own[1]
        count = len(parts[-1]) + 1 if parts else SERVED_MOST + 1
        fits = count <= SERVED_MOST and rows * count <= _ROWS_MOST
        if fits and columns * rows * count <= needed + max(needed // 4, _SPARE):
            parts[-1].append(number)
        else:
            parts.append([number])
            columns, rows, needed = own[0], own[1], own[0] * own[1]
    return parts
