"""The law of the plain Margolus falling sand, which numba, Taichi and Warp run alike, to the cell.

A tick is one pass over the 2x2 blocks of a partition that changes with the tick. Ranks stand for materials: 0 empty,
1 water, 2 sand. In each block, turned round by a coin: what is denser than what lies below it sinks; if nothing did,
the near upper atom slides onto the far lower place, if that and the place beside it hold something lighter, else the
far one likewise; if nothing slid, water changes places with emptiness beside it. No velocities; an atom moves by a cell
a tick at most.
"""

from __future__ import annotations

HASH = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F)
"""Odd numbers that mix column, row, tick and result. Source: xxHash's 32-bit primes."""

WATER = 1


def offset(tick: int) -> tuple[int, int]:
    """(x, y) of the first block in this tick: all four partitions by turns."""
    return (tick ^ tick >> 1) & 1, tick & 1


def tick_word(tick: int) -> int:
    """What the tick contributes to the hash of a block."""
    return tick * HASH[2] & 0xFFFFFFFF
