"""Bodies of atoms: connected atoms of one liquid at rest. Twin of ``shaders/pressure/of_atoms.glsl``."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.pressure.matter import FrameCell
from gpufluid.oracle.state import (
    load_highest,
    load_labels,
    load_lowest,
    load_surfaces,
    store_labels,
    store_surfaces,
)
from gpufluid.oracle.tally import Tally
from gpufluid.rules.pressure import LEVEL_ONE
from gpufluid.world import World


class AtomMatter:
    """The `Matter` of a world of atoms."""

    def __init__(self, world: World, round_: int = 0) -> None:
        self._world, self._cells, self._round = world, Cells.of(world), round_
        self._wrap = world.edges == "wrap"
        self._matter, self._fixed = world.laws.once(MaterialProperties), world.fixed("pressure")

    def liquid(self) -> np.ndarray:
        """The material of each cell that holds a liquid at rest that can fall, else 0: (height, width) int32."""
        properties, cells = self._world.laws.once(MaterialProperties), self._cells
        is_liquid, falls = properties.state == State.LIQUID, properties.pull > 0
        rests = is_liquid[cells.material] & falls[cells.material] & (cells.along == 0)
        return np.where(rests, cells.material, 0)

    def is_open(self) -> np.ndarray:
        """The cells below an empty cell of the world: (height, width) bool."""
        above = np.roll(self._cells.material == 0, 1, axis=0)
        if not self._wrap:
            above[0] = False
        return above

    def floats_on(self, cell: FrameCell) -> list[FrameCell] | None:
        """The cells of the powder that floats on a cell, the lowest first; none on an open surface.

        Powder floats if it is at rest, its lowest atom is not denser than the liquid, and the cell above it is empty.
        Returns None if the cell is no surface.
        """
        material, (row, column) = self._cells.material, cell
        rows, stack = len(material), []
        while self._wrap or row > 0:
            row = (row - 1) % rows
            above = int(material[row, column])
            if above == 0:
                return stack
            denser = not stack and self._matter.density[above] > self._matter.density[material[cell]]
            powder = self._matter.state[above] == State.POWDER and self._cells.along[row, column] == 0
            if not powder or denser or len(stack) == rows:
                return None
            stack.append((row, column))
        return None

    def level(self, cell: FrameCell, gives: bool) -> int | None:
        """The level of a surface, on which floating powder counts as liquid of the same weight; None: no surface.

        The level is a distance from the top of the world, in units of 1/`LEVEL_ONE` row, at least 0. The distance is
        rounded up if the surface gives, and down if it takes, so that no transfer gains height by rounding.
        """
        stack = self.floats_on(cell)
        if stack is None:
            return None
        own = max(int(self._matter.density[self._cells.material[cell]]), 1)
        weight = sum(int(self._matter.density[self._cells.material[each]]) for each in stack)
        rows, part = min(weight // own, 0xFFFF), weight % own * LEVEL_ONE
        return max((cell[0] - rows) * LEVEL_ONE - (part // own if gives else -(-part // own)), 0)

    def has_bids(self, bodies: np.ndarray) -> np.ndarray:
        """Find the cells of the bodies that have bids, because powder floats on them: (height, width) bool.

        Args:
            bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
        """
        return load_highest(self._world).reshape(-1)[np.maximum(bodies, 0)] != 0

    def levels_to_give(self) -> np.ndarray:
        """The bid of each surface cell to give, the highest the greatest: (height, width) uint32; 0: no surface."""
        return self._bids(True)

    def levels_to_take(self) -> np.ndarray:
        """The bid of each surface cell to take, the lowest the greatest: (height, width) uint32; 0: no surface."""
        return self._bids(False)

    def _bids(self, gives: bool) -> np.ndarray:
        shift = self._fixed["round_shift"]
        bids = np.zeros(self._cells.shape, np.uint32)
        for row, column in np.argwhere(load_surfaces(self._world)).tolist():
            level = self.level((row, column), gives)
            if level is not None:
                bids[row, column] = self._round << shift | ((1 << shift) - 1 - level if gives else level + 1)
        return bids

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the cells at the highest level of their body, which may give, and at the lowest, which may take.

        In a body without bids all open surfaces may give and take: the row in each offer decides.

        Args:
            bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
        Returns: (giving, taking), each (height, width) bool.
        """
        stored = load_highest(self._world), load_lowest(self._world)
        own = self.levels_to_give(), self.levels_to_take()
        giving, taking = (
            (bids != 0) & (bids == best.reshape(-1)[np.maximum(bodies, 0)])
            for bids, best in zip(own, stored, strict=True)
        )
        alike = self.is_open() & ~self.has_bids(bodies)
        return giving & self.has_bids(bodies) | alike, taking & self.has_bids(bodies) | alike

    def has_giver(self, body: FrameCell) -> bool:  # noqa: ARG002
        """True: each surface may give."""
        return True

    def goes_first(self) -> tuple[np.ndarray, np.ndarray]:
        """Find the cells at the ends of the pieces of a row, and the cells below a place beside a piece.

        The first give before others, the second take before others, so that the atoms of a row that is not full keep
        together. Returns: (giving, taking), each (height, width) bool.
        """
        material = self._cells.material
        over = np.roll(material, 1, axis=0)
        gives, takes = np.zeros(material.shape, bool), np.zeros(material.shape, bool)
        for step in (1, -1):
            gives |= self._beside(material, step) == 0
            takes |= self._beside(over, step) == material
        return gives, takes

    def _beside(self, materials: np.ndarray, step: int) -> np.ndarray:
        """The material left (1) or right (-1) of each cell: (height, width) int32; that of a wall beyond an edge."""
        found = np.roll(materials, step, axis=1)
        if not self._wrap:
            found[:, 0 if step > 0 else -1] = self._world.materials["wall"]
        return found

    def give(self, label: int, source: FrameCell, sink: FrameCell) -> bool:
        """Move the atom of ``source`` onto ``sink``, under the powder there; the powder on ``source`` sinks by a row.

        Nothing moves, and the result is False, if ``sink`` is less than ``least_drop`` rows below ``source``.
        """
        world, rows = self._world, len(load_labels(self._world))
        giving, taking, floating = self.level(source, True), self.level(sink, False), self.floats_on(source)
        assert giving is not None
        assert taking is not None
        assert floating is not None
        if taking - giving <= (self._fixed["least_drop"] - 1) * LEVEL_ONE:
            return False
        over, under = ((sink[0] - 1) % rows, sink[1]), ((source[0] + 1) % rows, source[1])
        self.lay_on(sink, source, floating)
        store_labels(world, 0, source)
        store_labels(world, label, over)
        store_surfaces(world, False, source)
        store_surfaces(world, False, sink)
        store_surfaces(world, True, over)
        if (self._wrap or source[0] + 1 < rows) and load_labels(world)[under] == label:
            store_surfaces(world, True, under)
        return True

    def lay_on(self, sink: FrameCell, source: FrameCell, following: list[FrameCell]) -> None:
        """Move an atom onto a surface, under the powder that floats there, which rises by a row. The atom then rests.

        Args:
            sink: the surface.
            source: the cell of the atom.
            following: the content of the first of these cells comes to ``source``, that of each other one to the cell
                before it. The last of them gets the content of the open cell above ``sink`` and the powder that floats
                there.
        """
        rows, floating = len(self._cells.material), self.floats_on(sink)
        assert floating is not None
        highest = floating[-1] if floating else sink
        over = ((sink[0] - 1) % rows, sink[1])
        cycle = [source, *floating, ((highest[0] - 1) % rows, highest[1]), *following[::-1]]
        for values in self._cells.parts().values():
            before = [values[cell] for cell in cycle]
            for cell, value in zip([*cycle[1:], source], before, strict=True):
                values[cell] = value
        self.come_to_rest((over,))

    def come_to_rest(self, cells: Iterable[FrameCell]) -> None:
        """Set the velocity of the atoms of some cells to 0."""
        for cell in cells:
            self._cells.across[cell] = self._cells.along[cell] = 0

    def begin_next_round(self, body: FrameCell) -> None:
        """Do nothing: the bids of a round are greater than those of all earlier rounds, so no bid has to be reset."""

    def write(self) -> Tally:
        """Write the atoms back to the world. Returns sums of 0, because no amounts have moved."""
        self._cells.write(self._world)
        return Tally()
