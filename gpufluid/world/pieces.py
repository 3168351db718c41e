"""Worlds that are built in pieces: the cells of a rectangle, and the processes that each make some of them.

What one cell holds at first must depend on its place in the whole world only, and on numbers that are the same for all
pieces. Such numbers, of which the share of a noise is one, are sums over all cells: the builders add them up together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from gpufluid.core.fields import FIELDS
from gpufluid.world.world import World

Box = tuple[int, int, int, int]
"""A rectangle of cells: column and row of the top left one, width and height."""


def common(first: Box, second: Box) -> Box | None:
    """The cells that are in both of two rectangles; None: there are none."""
    x, y = max(first[0], second[0]), max(first[1], second[1])
    width = min(first[0] + first[2], second[0] + second[2]) - x
    height = min(first[1] + first[3], second[1] + second[3]) - y
    return (x, y, width, height) if width > 0 and height > 0 else None


def bands(box: Box, cells: int) -> Iterator[Box]:
    """The rows of a rectangle from the top, in rectangles of at most so many cells but at least one row."""
    x, y, width, height = box
    most = max(1, cells // width)
    for first in range(0, height, most):
        yield x, y + first, width, min(most, height - first)


@dataclass(frozen=True, slots=True)
class WorldPiece:
    """The cells of a rectangle of a whole world.

    Args:
        at: (column, row) of the top left cell in the whole world.
        fields: all fields of the cells by name, each (height, width) or with more axes, of the field's type. They may
            be views of larger arrays; what is written into them is written there.
    """

    at: tuple[int, int]
    fields: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, world: World, at: tuple[int, int] = (0, 0), cells: Box | None = None) -> Self:
        """Cells of a world, with its own arrays.

        Args:
            world: the world, which may be a part of the whole world.
            at: (column, row) of the first of the cells in the whole world.
            cells: the cells, as places in ``world``; None: all.
        """
        arrays = {name: world.own_array(name) for name in world.fields}
        return cls(at, arrays if cells is None else _window(arrays, cells))

    @property
    def box(self) -> Box:
        """The rectangle of the whole world."""
        height, width = self.fields["material"].shape
        return (*self.at, width, height)

    def within(self, box: Box) -> WorldPiece | None:
        """The cells of this piece that are in a rectangle of the whole world; None: there are none."""
        shared = common(self.box, box)
        if shared is None:
            return None
        x, y, width, height = shared
        return WorldPiece((x, y), _window(self.fields, (x - self.at[0], y - self.at[1], width, height)))

    def bands(self, cells: int) -> Iterator[WorldPiece]:
        """The rows of this piece from the top, in pieces of at most so many cells but at least one row."""
        for x, y, width, height in bands(self.box, cells):
            yield WorldPiece((x, y), _window(self.fields, (0, y - self.at[1], width, height)))


def window_of(name: str, box: Box) -> tuple[slice, ...]:
    """The index by which an array of a field gives the cells of a rectangle."""
    x, y, width, height = box
    return (slice(None),) * FIELDS[name].layered + (slice(y, y + height), slice(x, x + width))


def _window(fields: Mapping[str, np.ndarray], box: Box) -> dict[str, np.ndarray]:
    return {name: array[window_of(name, box)] for name, array in fields.items()}


class Builders(Protocol):
    """The processes that build a world together, each some rectangles of it that are no other's.

    All of them make the same calls in the same order.
    """

    def sum_of(self, numbers: np.ndarray) -> np.ndarray:
        """The sums of the numbers of all builders: int64 of any shape, which is the same for all."""
        ...

    def most_of(self, numbers: np.ndarray) -> np.ndarray:
        """The largest of the numbers of all builders: int64 of any shape, which is the same for all."""
        ...

    def agreeing(self) -> AbstractContextManager[object]:
        """If an error leaves the block of some builders, raise the error that one process would raise in all of them.

        That is the one with the least `GpufluidError.order`, or else that of the first builder.
        """
        ...


class OneBuilder:
    """A process that builds a world alone; see `Builders`."""

    def sum_of(self, numbers: np.ndarray) -> np.ndarray:
        """The numbers: int64 of any shape."""
        return numbers

    def most_of(self, numbers: np.ndarray) -> np.ndarray:
        """The numbers: int64 of any shape."""
        return numbers

    def agreeing(self) -> AbstractContextManager[object]:
        """Errors leave the block."""
        return nullcontext()


class Unbuilt(Protocol):
    """A world that is not built yet: its laws are known, and each builder can build rectangles of its cells."""

    @property
    def blank(self) -> World:
        """The world without cells: its laws, ports, tick and ledgers."""
        ...

    @property
    def contents(self) -> bytes:
        """A hash of the files that say what the cells hold; equal for builders that build the same world."""
        ...

    def materials_of(self, own: Box) -> frozenset[int]:
        """The numbers of the materials that the cells of a rectangle may have: at least those that they have."""
        ...

    def begin(self, own: Box, builders: Builders) -> None:
        """Find what has to be known of all cells before one of them is built.

        Args:
            own: the cells that this builder builds for all; those of all builders together are the whole world.
            builders: all of them.
        """
        ...

    def build(self, pieces: Sequence[WorldPiece]) -> None:
        """Write the cells of some rectangles, whose arrays are all 0, in any order. Only after `begin`."""
        ...

    def check(self, own: WorldPiece, builders: Builders) -> None:
        """Raise the errors that only the built cells show; ``own`` and ``builders`` as for `begin`."""
        ...

    @property
    def was_replaced(self) -> bool:
        """True if the cells may come from two files, one of which took the place of the other meanwhile."""
        ...


def built(unbuilt: Unbuilt) -> World:
    """Build a whole world in this process.

    Raises: ShortageError: it does not fit into the free memory. What the methods of ``unbuilt`` raise.
    """
    unbuilt.blank.check_room()
    world, alone = unbuilt.blank.blank(), OneBuilder()
    whole = WorldPiece.of(world)
    unbuilt.begin(whole.box, alone)
    unbuilt.build([whole])
    unbuilt.check(whole, alone)
    return world
