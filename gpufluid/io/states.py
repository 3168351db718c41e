"""States that are written: that of a world in memory, or of a simulation, of which any rectangle is read alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from gpufluid.core.fields import FIELDS
from gpufluid.io.labels import COLUMN, ROW, axes_of
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.pieces import Box


class State(Protocol):
    """The state of a world, which may be larger than the memory."""

    @property
    def laws(self) -> World:
        """A world with its laws, ports, tick and ledgers, whose cells are not read."""
        ...

    def digest(self) -> str:
        """Its digest."""
        ...

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> Mapping[str, np.ndarray]:
        """The exact state of a rectangle of cells, to be read only; arguments as for `Simulation.read_window`.

        Returns: all fields by name, each (height, width) or with more axes, of the field's type.
        """
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

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """Views of all fields by name, each (height, width) or with more axes, of the field's type."""
        return {name: array[cells_of(name, array.shape, (*at, *size))] for name, array in self._arrays.items()}

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

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """The fields of a rectangle by name, each (height, width) or with more axes, of the field's type."""
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

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """All fields by name, each (height, width) or with more axes, of the field's type."""
        return self._simulation.read_window(at, size)

    def world(self) -> World:
        """The whole state, as a new world."""
        return self._simulation.read()


def cells_of(name: str, shape: tuple[int, ...], box: Box) -> tuple[slice, ...]:
    """The cells of a rectangle in the array of a field, as a slice for each axis.

    Args:
        name: the name of the field.
        shape: the shape of its array.
        box: column and row of the top left cell, width and height.
    """
    assert len(shape) == len(axes_of(name)), FIELDS[name]
    spans = {ROW: slice(box[1], box[1] + box[3]), COLUMN: slice(box[0], box[0] + box[2])}
    return tuple(spans.get(axis, slice(0, size)) for axis, size in zip(axes_of(name), shape, strict=True))
