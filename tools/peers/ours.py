"""gpufluid itself, as one of those that are compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gpufluid import World
from gpufluid.rules import Call
from gpufluid.runtime.editing import Workbench
from peers.turns import Peer


class Ticks(Peer):
    """Whole ticks of a world. Its state is the mass, or else the material, of each cell."""

    def __init__(
        self,
        world: World,
        threads: int,  # noqa: ARG002 - the driver has its own way to learn of it
        sleeping: bool = True,
    ) -> None:
        self._world, self._bench = world, Workbench(world, sleeping=sleeping)
        self._field = "mass" if "mass" in world.fields else "material"
        self.where = "software OpenGL" if self._bench.device.software else self._bench.renderer

    def begin(self) -> None:
        """Go back to the first state."""
        self._bench.restore(self._world)

    def step(self, ticks: int) -> None:
        """Run so many ticks."""
        self._bench.step(ticks)

    def finish(self) -> None:
        """Wait for the device."""
        self._bench.finish()

    def state(self) -> np.ndarray:
        """The field of all cells."""
        return self._bench.read()[self._field]

    def close(self) -> None:
        """Give the device's memory back."""
        self._bench.close()


class Settle(Ticks):
    """Runs of the pass ``settle`` alone, each waited for, over all tiles.

    What it calls a tick is one run; its state is all fields.
    """

    def __init__(self, world: World, threads: int) -> None:
        super().__init__(world, threads, sleeping=False)
        self._calls = settles(world)

    def begin(self) -> None:
        """Go back to the first state and the first run."""
        super().begin()
        self._calls = settles(self._world)

    def step(self, ticks: int) -> None:
        """Run the pass so many times."""
        for _ in range(ticks):
            self._bench.run(next(self._calls))
            self._bench.finish()

    def state(self) -> np.ndarray:
        """Material, velocity and grain of each cell: (height, width, 4)."""
        return fields_side_by_side(self._bench.read())


def settles(world: World) -> Iterator[Call]:
    """The runs of ``settle`` in the ticks to come of a world, as if they had no other pass."""
    tick = world.tick
    while True:
        yield from (call for call in world.schedule().calls(tick) if call.pass_.name == "settle")
        tick += 1


def fields_side_by_side(world: World) -> np.ndarray:
    """(height, width, 4) int32: material, both components of the velocity, grain."""
    arrays = (world["material"], *np.moveaxis(world["velocity"], 2, 0), world["grain"])
    return np.stack([array.astype(np.int32) for array in arrays], axis=2)
