"""Bodies of one material of a mixture: connected cells that hold enough of the material.

Twin of ``shaders/pressure/of_mixture.glsl``.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.fields import FULL
from gpufluid.core.frame import in_frame, in_world, layers_in_frame
from gpufluid.core.heat_shares import heat_along, heat_received
from gpufluid.oracle.mixture import free_amounts
from gpufluid.oracle.pressure.matter import LOW_HALF, FrameCell
from gpufluid.oracle.state import (
    load_highest,
    load_labels,
    load_lowest,
    load_mixture,
    load_water_heat,
    store_highest,
    store_lowest,
    store_mixture,
    store_surfaces,
    store_water_heat,
)
from gpufluid.oracle.tally import Tally
from gpufluid.oracle.water_heat import heat_ledger
from gpufluid.rules.pressure import LEVEL_SHIFT
from gpufluid.world import World


class MixtureMatter:
    """The `Matter` of one layer of a world's mixture."""

    def __init__(self, world: World, layer: int) -> None:
        self._world, self._layer = world, layer
        self._all = layers_in_frame(free_amounts(world), world.gravity).astype(np.int64)
        self._solid = in_frame(world.obstacles, world.gravity)
        self._amounts = self._all[layer]
        tables = world.tables("pressure")
        self._up = tables["open_toward"][layer]
        self._connected, self._least_flow = tables["connected"][layer], tables["least_flow"][layer]
        self._least_liquid, self._least_room = tables["least_liquid"][layer], tables["least_room"][layer]
        self._moved = self._lost = 0
        self._heat: np.ndarray | None = None
        if "water_heat" in world:
            self._heat = in_frame(load_water_heat(world), world.gravity).astype(np.int64)

    def liquid(self) -> np.ndarray:
        """1 in cells that hold more than ``connectedliquid``, else 0: (height, width) int64."""
        return (self._amounts > self._connected).astype(np.int64)

    def is_open(self) -> np.ndarray:
        """The cells whose neighbour toward the surface lies in the world and has room: (height, width) bool."""
        room = np.where(self._solid, -1, FULL - self._amounts)
        return self._shifted(room, 0, self._up, -1) >= max(self._least_room, 0)

    def under(self, labels: np.ndarray) -> np.ndarray:
        """The labels at the supporting cells, both (height, width) of the same type; 0 outside the world."""
        return self._shifted(labels, 0, -self._up, 0)

    def beside(self, labels: np.ndarray, step: int) -> np.ndarray:
        """The labels at the left neighbours (-1) or the right ones (1), (height, width) of the same type; 0 outside."""
        return self._shifted(labels, 1, -step, 0)

    def _shifted(self, array: np.ndarray, axis: int, by: int, outside: int) -> np.ndarray:
        """The array shifted by 1 or -1 along an axis; the value ``outside`` comes in over an edge."""
        moved = np.roll(array, by, axis)
        if self._world.edges != "wrap":
            moved[(slice(None),) * axis + (0 if by > 0 else -1,)] = outside
        return moved

    def has_bids(self, bodies: np.ndarray) -> np.ndarray:
        """All True, (height, width) bool: every body has bids.

        Args:
            bodies: (height, width) of any integer type.
        """
        return np.ones(bodies.shape, bool)

    def levels_to_give(self) -> np.ndarray:
        """The level of the surface in each cell, upward: (height, width) uint32, in 1/65536 rows; 0: may not give."""
        levels = ((LOW_HALF - 1 - self._depths()) << 16) + (self._amounts >> LEVEL_SHIFT)
        enough = (self._amounts >= self._least_liquid) & (self._amounts > self._least_flow)
        return np.where(enough & self.is_open(), levels, 0).astype(np.uint32)

    def levels_to_take(self) -> np.ndarray:
        """The level of the surface in each cell, downward: (height, width) uint32, in 1/65536 rows; 0: may not take."""
        levels = (self._depths() << 16) + ((FULL - self._amounts) >> LEVEL_SHIFT)
        return np.where((self._room() > self._least_flow) & self.is_open(), levels, 0).astype(np.uint32)

    def _depths(self) -> np.ndarray:
        """The depth of each row, (height, 1): rows from the top, or from the bottom for a material that rises."""
        rows = np.arange(len(self._amounts))[:, None]
        return rows if self._up > 0 else len(self._amounts) - 1 - rows

    def _room(self) -> np.ndarray:
        """The amount that each cell can still take."""
        return FULL - (self._all.sum(axis=0) if self._world.exclusive else self._amounts)

    def may_offer(self, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the cells at the highest level of their body, which may give, and at the lowest, which may take.

        Args:
            bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
        Returns: (giving, taking), each (height, width) bool. In a body without a cell that may give all cells offer
            to give, so that there is a winner who ends its round.
        """
        stored = load_highest(self._world), load_lowest(self._world)
        best = [levels.reshape(-1)[np.maximum(bodies, 0)] for levels in stored]  # of each cell's body
        own = self.levels_to_give(), self.levels_to_take()
        giving, taking = (levels == most for levels, most in zip(own, best, strict=True))
        return giving, taking & (own[1] != 0)

    def has_giver(self, body: FrameCell) -> bool:
        """True if a cell of a body may give; the body is given by its first cell."""
        return bool(load_highest(self._world)[body])

    def goes_first(self) -> tuple[np.ndarray, np.ndarray]:
        """All False, two arrays (height, width) bool: amounts even out within a row by themselves."""
        return np.zeros(self._amounts.shape, bool), np.zeros(self._amounts.shape, bool)

    def give(self, label: int, source: FrameCell, sink: FrameCell) -> bool:
        """Move half of the difference of levels from ``source`` to ``sink``.

        At most the amount in ``source`` and the room in ``sink`` moves. A flow of ``least_flow`` or less does not,
        and the result is then False.
        """
        depths = self._depths()[:, 0]
        lower = int(np.clip(depths[sink[0]] - depths[source[0]], -2, 2))  # at two rows the whole amount may flow
        amount, in_sink = int(self._amounts[source]), int(self._amounts[sink])
        higher = (lower - 1) * (FULL >> LEVEL_SHIFT) + (amount >> LEVEL_SHIFT) + (FULL - in_sink >> LEVEL_SHIFT)
        flow = min(higher << LEVEL_SHIFT >> 1, amount, int(self._room()[sink]))
        if flow <= self._least_flow:
            return False
        self._send_heat(source, sink, flow)
        self._amounts[source] -= flow
        self._amounts[sink] += flow
        self._moved += flow
        rows, below = len(self._amounts), source[0] + self._up
        under = below % rows, source[1]
        if (self._world.edges == "wrap" or 0 <= below < rows) and load_labels(self._world)[under] == label:
            store_surfaces(self._world, True, under)
        return True

    def _send_heat(self, source: FrameCell, sink: FrameCell, flow: int) -> None:
        """Move the heat that goes along with a flow; what the sink has no room for goes to the air."""
        if self._heat is None:
            return
        mass = self._all[(slice(None), *source)].sum()
        along = heat_along(self._heat[source], mass, np.array(flow, np.int64))
        received = heat_received(along, self._heat[sink])
        self._heat[source] -= along
        self._heat[sink] += received
        self._lost += int(along - received)

    def begin_next_round(self, body: FrameCell) -> None:
        """Reset the levels of a body."""
        store_highest(self._world, 0, body)
        store_lowest(self._world, 0, body)

    def write(self) -> Tally:
        """Write the amounts back to the world. Returns the units that moved."""
        enclosed = load_mixture(self._world)[self._layer]
        amounts = in_world(self._amounts, self._world.gravity)
        store_mixture(self._world, np.where(self._world.obstacles, enclosed, amounts), self._layer)
        if self._heat is None:
            return Tally(self._moved)
        store_water_heat(self._world, in_world(self._heat, self._world.gravity))
        return Tally(self._moved, heat_ledger(air=-self._lost))
