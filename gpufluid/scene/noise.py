"""Value noise: the cells of a rectangle with the highest values, so many that they are a given share of it.

The value of a cell depends on its place in the world. Which values are high enough depends on all cells of the
rectangle, so builders that each have some of them count together; then each of them can draw any cells.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.hashing import pcg4d
from gpufluid.scene.schema import Noise
from gpufluid.scene.shapes import check_rectangle
from gpufluid.world.pieces import Box, Builders, bands, common

_ONE = np.uint32(1 << 16)
"""1.0 in the fixed point of noise values."""

_VALUES = 1 << 17
"""The sum of all octaves is below this number, because each has half the height of the one before."""

_CELLS_AT_ONCE = 1 << 17
"""Cells whose values are computed together, so that the arrays stay in a processor's cache."""


class NoiseRegion:
    """The fraction `cover` of the cells of a rectangle, rounded: those with the highest values of noise.

    Of cells with equal values the first ones are taken, row by row.

    Args:
        shape: the fill of the scene.
        size: (width, height) of the world.
        seed: the seed of the world.
        number: the position of the fill among the fills of the scene, from 0.
    Raises: ShapeError: the rectangle reaches outside the world.
    """

    def __init__(self, shape: Noise, size: tuple[int, int], seed: int, number: int) -> None:
        self._shape, self._seed, self._number = shape, seed, number
        self.bounds = check_rectangle(shape.at, shape.size or size, size)
        """The rectangle."""
        self._least = _VALUES  # the least value of a cell that is taken
        self._last = 0, 0  # (row, column) of the last cell of the least value that is taken

    def choose(self, own: Box, builders: Builders) -> None:
        """Find which values are taken. `mask` needs this.

        Args:
            own: the cells that this builder counts for all; those of all builders together are the whole world.
            builders: all of them.
        """
        left, top, width, height = self.bounds
        wanted = round(self._shape.cover * width * height)
        counted = common(own, self.bounds)
        mine = [] if counted is None else list(bands(counted, _CELLS_AT_ONCE))
        counts = np.zeros(_VALUES, np.int64)
        for band in mine:
            counts += np.bincount(self._values(band).reshape(-1), minlength=_VALUES)
        counts = builders.sum_of(counts)
        from_value = counts[::-1].cumsum()[::-1]  # the number of cells of each value or a larger one
        if not wanted:
            return
        self._least = int(np.flatnonzero(from_value >= wanted)[-1])
        left_over = wanted - int(from_value[self._least] - counts[self._least])
        if left_over == counts[self._least]:
            self._last = top + height, 0
            return
        equal = np.zeros(height, np.int64)  # cells of the least value in each row
        for band in mine:
            first = band[1] - top
            equal[first : first + band[3]] += (self._values(band) == self._least).sum(axis=1)
        so_far = builders.sum_of(equal).cumsum()
        row = int(np.searchsorted(so_far, left_over))
        in_row = np.flatnonzero(self._values((left, top + row, width, 1))[0] == self._least)
        before = int(so_far[row - 1]) if row else 0
        self._last = top + row, left + int(in_row[left_over - before - 1])

    def mask(self, box: Box) -> np.ndarray:
        """The cells of a rectangle inside of the bounds that are taken: (height, width) bool."""
        values, (left, top, width, height) = self._values(box), box
        y, x = np.ogrid[top : top + height, left : left + width]
        row, column = self._last
        is_early = (y < row) | ((y == row) & (x <= column))
        return (values > self._least) | ((values == self._least) & is_early)

    def _values(self, box: Box) -> np.ndarray:
        """The values of the cells of a rectangle of the world: (height, width) uint32, from 0 to below `_VALUES`."""
        total = np.zeros((box[3], box[2]), np.uint32)
        for octave in range(self._shape.octaves):
            scale = max(1, self._shape.scale >> octave)
            total += _value_noise(box, scale, self._seed, self._number << 4 | octave) >> np.uint32(octave)
        return total


def _value_noise(box: Box, scale: int, seed: int, layer: int) -> np.ndarray:
    """(height, width) uint32, 0 to 65535: value noise, hashed values on a lattice with smooth interpolation.

    The weights of two neighbours add up to 65536, so no sum of products passes 32 bits.
    """
    left, top, width, height = box
    row, row_part = _lattice(top, height, scale)
    column, column_part = _lattice(left, width, scale)
    first_row, first_column = int(row[0]), int(column[0])
    rows, columns = np.arange(first_row, row[-1] + 2), np.arange(first_column, column[-1] + 2)
    lattice = pcg4d(columns[None, :], rows[:, None], seed, layer)[0] >> np.uint32(16)
    joined = _joined(lattice, row - first_row, row_part, 0)
    return _joined(joined, column - first_column, column_part, 1)


def _joined(lattice: np.ndarray, place: np.ndarray, part: np.ndarray, axis: int) -> np.ndarray:
    """Interpolate between neighbours along an axis.

    Args:
        lattice: (rows, columns) uint32, at most 65535.
        place: (n,) int64, the places on the lattice before those that are wanted.
        part: (n,) uint32, the weight of the next place in 65536ths.
        axis: of the places.
    Returns: (n, columns) or (rows, n) uint32, at most 65535.
    """
    weight = part[:, None] if axis == 0 else part
    before = lattice.take(place, axis)
    before *= _ONE - weight
    after = lattice.take(place + 1, axis)
    after *= weight
    before += after
    before >>= np.uint32(16)
    return before


def _lattice(first: int, cells: int, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """The lattice index before each cell, and the interpolation weight 3t² - 2t³ in 65536ths; (cells,) each.

    Args:
        first: the place of the first cell.
        cells: the number of cells.
        scale: the cells between two places of the lattice.
    Returns: int64 and uint32.
    """
    position = np.arange(first, first + cells, dtype=np.int64)
    t = (position % scale << 16) // scale
    return position // scale, ((t * t >> 16) * ((3 << 16) - 2 * t) >> 16).astype(np.uint32)
