"""`ColumnCells`: reads and writes what atoms take along in cells of columns of a rank's part, by gravity's frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.core.fields import ATOM_PLANE, PLANES, carried_planes
from gpufluid.core.frame import cell_in_world
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.world import World


class ColumnCells:
    """The cells of the columns of a rank's part. A *content* is all that an atom takes along, (planes,) uint32.

    Args:
        part: the part; its arrays are not read.
        planes: the planes of the part.
        changed: the names of all planes that passes change.
    """

    def __init__(self, part: World, planes: PlaneTextures, changed: Sequence[str]) -> None:
        self._planes, self._size, self._gravity = planes, (part.width, part.height), part.gravity
        self._moved = [name for name in (ATOM_PLANE, *carried_planes()) if name in changed]

    def box(self, column: int, rows: tuple[int, int]) -> tuple[tuple[int, int, int, int], int]:
        """Some rows of a column: their rectangle in the part, and 1 or -1: the order of its cells along the column."""
        ends = [cell_in_world(column, row, *self._size, self._gravity) for row in (rows[0], rows[1] - 1)]
        (x, y), (far_x, far_y) = ends
        box = min(x, far_x), min(y, far_y), abs(far_x - x) + 1, abs(far_y - y) + 1
        return box, -1 if far_x < x or far_y < y else 1

    def read(self, column: int, rows: tuple[int, int]) -> np.ndarray:
        """The contents of some rows of a column, from the first one to before the last: (rows, planes) uint32."""
        box, step = self.box(column, rows)
        return np.stack([self._planes.read_texels(name, box).reshape(-1)[::step] for name in self._moved], axis=1)

    def write(self, column: int, row: int, contents: np.ndarray) -> None:
        """Write contents, (rows, planes) uint32, from a row of a column on."""
        box, step = self.box(column, (row, row + len(contents)))
        for number, name in enumerate(self._moved):
            texels = np.ascontiguousarray(contents[::step, number])
            self._planes.put_texels(name, box, texels.view(np.uint8))

    @staticmethod
    def at_rest(content: np.ndarray) -> np.ndarray:
        """A copy of a content, (planes,) uint32, whose atom does not move.

        Returns: (planes,) uint32.
        """
        found = content.copy()
        found[:1].view(PLANES[ATOM_PLANE].layout)["velocity"] = 0
        return found
