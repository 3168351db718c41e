"""gpufluid as a peer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gpufluid import World
from gpufluid.rules import Call
from gpufluid.runtime.editing import Workbench
from peers.turns import Peer


class Ticks(Peer):
    """Runs whole ticks. The state is the mass of each cell, or else its material."""

    def __init__(
        self,
        world: World,
        threads: int,  # noqa: ARG002 - the driver reads its environment variable
        sleeping: bool = True,
    ) -> None:
        self._world, self._bench = world, Workbench(world, sleeping=sleeping)
        self._field = "mass" if "mass" in world.fields else "material"
        self.where = "software OpenGL" if self._bench.device.software else self._bench.renderer

    def begin(self) -> None:
        """Return to the initial state."""
        self._bench.restore(self._world)

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        self._bench.step(ticks)

    def finish(self) -> None:
        """Wait for the device."""
        self._bench.finish()

    def state(self) -> np.ndarray:
        """Return the field: (height, width)."""
        return self._bench.read()[self._field]

    def close(self) -> None:
        """Release the device's memory."""
        self._bench.close()


class Settle(Ticks):
    """Runs the pass ``settle`` alone, over all tiles, and waits for each call. One call counts as a tick."""

    def __init__(self, world: World, threads: int) -> None:
        super().__init__(world, threads, sleeping=False)
        self._calls = settles(world)

    def begin(self) -> None:
        """Return to the initial state and the first call."""
        super().begin()
        self._calls = settles(self._world)

    def step(self, ticks: int) -> None:
        """Run the pass `ticks` times."""
        for _ in range(ticks):
            self._bench.run(next(self._calls))
            self._bench.finish()

    def state(self) -> np.ndarray:
        """Return material, velocity and grain of each cell: (height, width, 4) int32."""
        return fields_side_by_side(self._bench.read())


def settles(world: World) -> Iterator[Call]:
    """Yield the calls of ``settle`` in a world's next ticks, without the other passes."""
    tick = world.tick
    while True:
        yield from (call for call in world.schedule().calls(tick) if call.pass_.name == "settle")
        tick += 1


def fields_side_by_side(world: World) -> np.ndarray:
    """Return (height, width, 4) int32: material, both components of the velocity, grain."""
    arrays = (world["material"], *np.moveaxis(world["velocity"], 2, 0), world["grain"])
    return np.stack([array.astype(np.int32) for array in arrays], axis=2)
