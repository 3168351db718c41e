"""The law of the plain Margolus falling sand, which numba, Taichi and Warp run with equal results.

A tick is one pass over the 2x2 blocks of a partition that changes with the tick. Ranks stand for materials: 0 empty,
1 water, 2 sand. A coin for each block chooses the near column. In each block, an atom sinks if it is denser than the
cell below it. If no atom sinks, the near upper atom slides to the far lower cell, if that cell and the cell beside the
atom hold lighter matter; otherwise the far upper atom does likewise. If no atom slides, water moves to an empty cell
beside it. There are no velocities; an atom moves by at most one cell a tick.
"""

from __future__ import annotations

HASH = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F)
"""Odd factors for hashing column, row, tick and result. Source: xxHash's 32-bit primes."""

WATER = 1


def offset(tick: int) -> tuple[int, int]:
    """Return the partition offset (x, y) of a tick; the four offsets alternate."""
    return (tick ^ tick >> 1) & 1, tick & 1


def tick_word(tick: int) -> int:
    """Return the tick's term in the hash of a block."""
    return tick * HASH[2] & 0xFFFFFFFF
