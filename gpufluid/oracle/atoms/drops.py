"""Passes `find_drops` and `form_drops`: a stream of liquid that falls stays together and tears in drops.

Twin of ``shaders/atoms/drops.glsl``.
"""

from __future__ import annotations

import numpy as np

from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties, bounded_speed
from gpufluid.oracle.neighbours import beside
from gpufluid.oracle.state import load_drops, store_drops
from gpufluid.oracle.tally import Tally
from gpufluid.rules import LINE_STRIP, Call
from gpufluid.rules.atoms import DROP_LOOKS
from gpufluid.world import World

ROWS_OF_WORD = 8
"""The rows of a strip of which one word says to which sides the atoms are drawn, in four bits each."""


def find_drops(world: World, call: Call) -> Tally:
    """Find the sides to which atoms of a liquid that fall freely are drawn by others of their liquid.

    An atom is drawn to the side on which it sees more of the others, and less to a side from which these move away. One
    that lies between two in its column, or touches one in its column and one in its row, is not drawn: so a body of
    liquid falls as it is.
    """
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    fixed, falls, wrap = matter.fixed, falls_freely(cells, matter), world.edges == "wrap"
    across, along = (np.zeros(cells.shape, np.int32) for _ in range(2))
    for x, y in _offsets(call.tick):
        there = falls & beside(falls, y, x, wrap=wrap) & (beside(cells.material, y, x, wrap=wrap) == cells.material)
        more_across = beside(cells.across, y, x, wrap=wrap) - cells.across
        more_along = beside(cells.along, y, x, wrap=wrap) - cells.along
        across += np.where(there, fixed["drop_pull"] * np.sign(x) + more_across, 0)
        along += np.where(there, fixed["drop_pull"] * np.sign(y) + more_along, 0)
    over, under, left, right = (beside(falls, *at, wrap=wrap) for at in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    still = (over & under) | ((over | under) & (left | right))
    drawn = falls & ~still & (call.tick % 2 == 0)
    bits = np.where(drawn, _bits_of_side(across) | _bits_of_side(along) << 2, 0)
    store_drops(world, _words(bits))
    return Tally()


def form_drops(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Change the velocities of atoms toward the sides that `find_drops` has found."""
    cells, fixed = Cells.of(world), world.laws.once(MaterialProperties).fixed
    bits = _by_cell(load_drops(world), cells.shape[0])
    cells.across = bounded_speed(cells.across + fixed["drop_push"] * _side_of_bits(bits))
    cells.along = bounded_speed(cells.along + fixed["drop_push"] * _side_of_bits(bits >> 2))
    cells.write(world)
    return Tally()


def falls_freely(cells: Cells, matter: MaterialProperties) -> np.ndarray:
    """The atoms of liquids that fall faster than one that only closes a hole in their body: [row, column] bool."""
    pull = matter.pull[cells.material]
    fast = np.sign(pull) * cells.along > matter.fixed["free_fall"] * abs(pull)
    return (matter.state[cells.material] == State.LIQUID) & fast


def _offsets(tick: int) -> set[tuple[int, int]]:
    """The cells at which an atom looks in a tick, (columns, rows) from its own cell."""
    looks = DROP_LOOKS[tick // 2 % len(DROP_LOOKS)]
    return {(x * side, y * way) for x, y in looks for side in (1, -1) for way in (1, -1)}


def _bits_of_side(pulls: np.ndarray) -> np.ndarray:
    """Two bits for each pull: 1 toward the positive side, 2 toward the negative side."""
    return np.where(pulls > 0, 1, np.where(pulls < 0, 2, 0))


def _side_of_bits(bits: np.ndarray) -> np.ndarray:
    """The inverse of `_bits_of_side`, of the lowest two bits: 1, -1 or 0."""
    return (bits & 1) - (bits >> 1 & 1)


def _words(bits: np.ndarray) -> np.ndarray:
    """Four bits of each cell, (rows, columns), as words of strips: (strips, columns, 4) uint32."""
    rows, columns = bits.shape
    padded = np.zeros((-(-rows // LINE_STRIP) * LINE_STRIP, columns), np.uint32)
    padded[:rows] = bits
    shifts = 4 * np.arange(ROWS_OF_WORD, dtype=np.uint32)[:, None]
    words = np.bitwise_or.reduce(padded.reshape(-1, 4, ROWS_OF_WORD, columns) << shifts, axis=2)
    return words.transpose(0, 2, 1)


def _by_cell(words: np.ndarray, rows: int) -> np.ndarray:
    """Words of strips, (strips, columns, 4) uint32, as four bits of each cell: (rows, columns) int32."""
    shifts = 4 * np.arange(ROWS_OF_WORD, dtype=np.uint32)[:, None]
    bits = words.transpose(0, 2, 1)[:, :, None] >> shifts & np.uint32(15)
    return bits.reshape(-1, words.shape[1])[:rows].astype(np.int32)
