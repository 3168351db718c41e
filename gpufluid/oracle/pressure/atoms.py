"""Bodies of atoms: what is connected of one liquid at rest. Twin of ``shaders/pressure/of_atoms.glsl``."""

from __future__ import annotations

import numpy as np

from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells
from gpufluid.oracle.atoms.cells import Matter as Kinds
from gpufluid.oracle.pressure.matter import Place
from gpufluid.oracle.state import load_labels, store_labels, store_surfaces
from gpufluid.oracle.tally import Tally
from gpufluid.world import World


class AtomMatter:
    """A `Matter`: the atoms of a world."""

    def __init__(self, world: World, layer: int) -> None:  # noqa: ARG002
        self._world, self._cells = world, Cells.of(world)
        self._wrap = world.edges == "wrap"

    def liquid(self) -> np.ndarray:
        """(height, width) int32: the material of a liquid that gravity pulls and that does not fall, else 0."""
        kinds, cells = Kinds(self._world), self._cells
        rests = (kinds.state[cells.material] == State.LIQUID) & (kinds.pull[cells.material] > 0) & (cells.along == 0)
        return np.where(rests, cells.material, 0)

    def is_open(self) -> np.ndarray:
        """(height, width) bool: whether the cell above lies in the world and is empty."""
        above = np.roll(self._cells.material == 0, 1, axis=0)
        if not self._wrap:
            above[0] = False
        return above

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Two arrays (height, width) bool, all True: every surface may give and take."""
        return np.ones(bodies.shape, bool), np.ones(bodies.shape, bool)

    def give(self, label: int, source: Place, sink: Place) -> None:
        """An atom goes to the cell above another, where it rests; what lies there takes its place."""
        world, (row, column), (low, lower), count = self._world, source, sink, len(load_labels(self._world))
        if low - row < self._world.fixed("pressure")["least_drop"]:
            return
        over, under = ((low - 1) % count, lower), ((row + 1) % count, column)
        self._exchange(source, over)
        store_labels(world, 0, source)
        store_labels(world, label, over)
        store_surfaces(world, False, source)
        store_surfaces(world, False, sink)
        store_surfaces(world, True, over)
        if (self._wrap or row + 1 < count) and load_labels(world)[under] == label:
            store_surfaces(world, True, under)

    def _exchange(self, source: Place, hole: Place) -> None:
        for values in self._cells.parts().values():
            values[source], values[hole] = values[hole], values[source]
        self._cells.across[hole] = self._cells.along[hole] = 0

    def begin_next_round(self, body: Place) -> None:
        """Nothing is known of it."""

    def write(self) -> Tally:
        """Put the atoms back; no amounts have moved."""
        self._cells.write(self._world)
        return Tally()
