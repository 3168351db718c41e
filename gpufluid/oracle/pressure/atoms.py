"""Bodies of atoms: connected atoms of one liquid at rest. Twin of ``shaders/pressure/of_atoms.glsl``."""

from __future__ import annotations

import numpy as np

from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.pressure.matter import FrameCell
from gpufluid.oracle.state import load_labels, store_labels, store_surfaces
from gpufluid.oracle.tally import Tally
from gpufluid.world import World


class AtomMatter:
    """The `Matter` of a world of atoms."""

    def __init__(self, world: World, layer: int) -> None:  # noqa: ARG002
        self._world, self._cells = world, Cells.of(world)
        self._wrap = world.edges == "wrap"

    def liquid(self) -> np.ndarray:
        """The material of each cell that holds a liquid at rest that can fall, else 0: (height, width) int32."""
        properties, cells = MaterialProperties(self._world), self._cells
        is_liquid, falls = properties.state == State.LIQUID, properties.pull > 0
        rests = is_liquid[cells.material] & falls[cells.material] & (cells.along == 0)
        return np.where(rests, cells.material, 0)

    def is_open(self) -> np.ndarray:
        """The cells below an empty cell of the world: (height, width) bool."""
        above = np.roll(self._cells.material == 0, 1, axis=0)
        if not self._wrap:
            above[0] = False
        return above

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All True, two arrays (height, width) bool: every surface cell may give and take."""
        return np.ones(bodies.shape, bool), np.ones(bodies.shape, bool)

    def goes_first(self) -> tuple[np.ndarray, np.ndarray]:
        """The ends of the pieces of a row, and the cells below a place beside a piece: two (height, width) bool.

        So the atoms of a row that is not full keep together.
        """
        material = self._cells.material
        over = np.roll(material, 1, axis=0)
        gives, takes = np.zeros(material.shape, bool), np.zeros(material.shape, bool)
        for step in (1, -1):
            gives |= self._beside(material, step) == 0
            takes |= self._beside(over, step) == material
        return gives, takes

    def _beside(self, materials: np.ndarray, step: int) -> np.ndarray:
        """The material to one side of each cell, (height, width) int32, as of a solid beyond an edge."""
        found = np.roll(materials, step, axis=1)
        if not self._wrap:
            found[:, 0 if step > 0 else -1] = self._world.materials["wall"]
        return found

    def give(self, label: int, source: FrameCell, sink: FrameCell) -> bool:
        """Move the atom of ``source`` to the cell above ``sink``, where it rests; both cells exchange their contents.

        Nothing moves, and the result is False, if ``sink`` is less than ``least_drop`` rows below ``source``.
        """
        world, rows = self._world, len(load_labels(self._world))
        if sink[0] - source[0] < world.fixed("pressure")["least_drop"]:
            return False
        over, under = ((sink[0] - 1) % rows, sink[1]), ((source[0] + 1) % rows, source[1])
        self._exchange(source, over)
        store_labels(world, 0, source)
        store_labels(world, label, over)
        store_surfaces(world, False, source)
        store_surfaces(world, False, sink)
        store_surfaces(world, True, over)
        if (self._wrap or source[0] + 1 < rows) and load_labels(world)[under] == label:
            store_surfaces(world, True, under)
        return True

    def _exchange(self, source: FrameCell, hole: FrameCell) -> None:
        """Exchange the contents of two cells; the atom that comes to ``hole`` rests."""
        for values in self._cells.parts().values():
            values[source], values[hole] = values[hole], values[source]
        self._cells.across[hole] = self._cells.along[hole] = 0

    def begin_next_round(self, body: FrameCell) -> None:
        """Do nothing: bodies of atoms store no levels."""

    def write(self) -> Tally:
        """Write the atoms back to the world. Returns sums of 0, because no amounts have moved."""
        self._cells.write(self._world)
        return Tally()
