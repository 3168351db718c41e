"""States that are written: that of a world in memory, or of a simulation, which writes the cells of a store itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from gpufluid.io.shards import OneWriter, write_shards
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.pieces import window_of


class State(Protocol):
    """The state of a world, which may be larger than the memory."""

    @property
    def laws(self) -> World:
        """A world with its laws, ports, tick and ledgers, whose cells are not read."""
        ...

    def digest(self) -> str:
        """Its digest."""
        ...

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store; arguments and errors as for `shards.write_shards`."""
        ...

    def world(self) -> World:
        """The whole state, in memory."""
        ...


class StateInMemory:
    """The state of a world in memory, which must not change meanwhile."""

    def __init__(self, world: World) -> None:
        self._world, self._arrays = world, world.complete_arrays()

    @property
    def laws(self) -> World:
        """The world."""
        return self._world

    def digest(self) -> str:
        """Its digest."""
        return self._world.digest()

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store; see `shards.write_shards`."""
        write_shards(folder, path, self._world, OneWriter(self._window))

    def _window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """Views of all fields by name, each (height, width) or with more axes, of the field's type."""
        return {name: array[window_of(name, (*at, *size))] for name, array in self._arrays.items()}

    def world(self) -> World:
        """The world."""
        return self._world


class Readable(Protocol):
    """A simulation whose state can be written, of one process or of many."""

    @property
    def tick(self) -> int:
        """The number of the next tick."""
        ...

    @property
    def blank(self) -> World:
        """A world of the same laws and ports, without cells."""
        ...

    @property
    def ledgers(self) -> Mapping[str, AnyLedger]:
        """The current ledgers of all quantities, by the quantity's name."""
        ...

    def digest(self) -> str:
        """The digest of the current state."""
        ...

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store; see `shards.write_shards`."""
        ...

    def read(self) -> World:
        """The exact current state, as a new world."""
        ...


class StateOfSimulation:
    """The current state of a simulation, which must not run meanwhile."""

    def __init__(self, simulation: Readable) -> None:
        self._simulation = simulation
        self._laws = simulation.blank.blank()
        self._laws.tick, self._laws.ledgers = simulation.tick, dict(simulation.ledgers)

    @property
    def laws(self) -> World:
        """A world with the laws, ports, tick and ledgers, without cells."""
        return self._laws

    def digest(self) -> str:
        """The digest of the state."""
        return self._simulation.digest()

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store; see `shards.write_shards`."""
        self._simulation.write_shards(folder, path)

    def world(self) -> World:
        """The whole state, as a new world."""
        return self._simulation.read()
