"""Edits of a viewer's world: the writes and strokes of which they consist, and what takes them back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.fields import FIELDS
from gpufluid.core.runs import Runs
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.scene.strokes import Stroke
from gpufluid.world import World

if TYPE_CHECKING:
    from gpufluid.gpu.edit_copies import EditCopies

Arrays = Mapping[str, np.ndarray]
"""All fields of a rectangle of cells by name, each (height, width) or with more axes, of the field's type."""

Ports = tuple[tuple[Emitter, ...], tuple[Drain, ...]]
"""Emitters and drains."""


_STROKE_EFFORT, _CELL_EFFORT = 1 << 16, 8
"""The estimated `effort` of repeating a stroke: of the stroke, and of each of its cells."""


@dataclass(frozen=True, slots=True)
class Write:
    """Values of some cells at a tick.

    Args:
        tick: the tick.
        at: (column, row) of the top left cell of a rectangle.
        cells: (height, width) bool, the cells of the rectangle that have these values.
        values: the fields of these cells by name, in the order of the cells; see `write_of`.
        given: whether the change of heat is counted as given.
    """

    tick: int
    at: tuple[int, int]
    cells: np.ndarray
    values: Arrays
    given: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the rectangle."""
        return self.cells.shape[1], self.cells.shape[0]

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self.cells.nbytes + sum(values.nbytes for values in self.values.values())

    @property
    def effort(self) -> int:
        """The time that repeating it takes, in units of the time that a write takes for a byte."""
        return self.nbytes

    def put_into(self, arrays: Arrays, at: tuple[int, int]) -> None:
        """Put the values into arrays of a rectangle that holds the cells and whose top left cell is ``at``."""
        left, top = self.at[0] - at[0], self.at[1] - at[1]
        height, width = self.cells.shape
        part = slice(top, top + height), slice(left, left + width)
        for name, values in self.values.items():
            if FIELDS[name].layered:
                arrays[name][:, *part][:, self.cells] = values
            else:
                arrays[name][part][self.cells] = values


def write_of(tick: int, at: tuple[int, int], cells: np.ndarray, arrays: Arrays, given: bool = False) -> Write:
    """The values of some cells of arrays; ``cells`` is (height, width) bool, other arguments are those of `Write`."""
    values = {name: array[:, cells] if FIELDS[name].layered else array[cells] for name, array in arrays.items()}
    return Write(tick, at, cells, values, given)


def _write_of(tick: int, at: tuple[int, int], rows: np.ndarray, columns: np.ndarray, arrays: Arrays) -> Write:
    """As `write_of`, for the cells with these indices, of which there is one: in the smallest rectangle with all."""
    top, left = int(rows.min()), int(columns.min())
    cells = np.zeros((int(rows.max()) + 1 - top, int(columns.max()) + 1 - left), bool)
    cells[rows - top, columns - left] = True
    window = ..., slice(top, top + cells.shape[0]), slice(left, left + cells.shape[1])
    own = {name: array[window] if FIELDS[name].layered else array[window[1:]] for name, array in arrays.items()}
    return write_of(tick, (at[0] + left, at[1] + top), cells, own)


@dataclass(frozen=True, slots=True)
class Touch:
    """A stroke of a brush at a tick. What it changes follows from the world in that tick.

    Args:
        tick: the tick.
        cells: the cells that the brush touched.
        stroke: what it did to them.
    """

    tick: int
    cells: Runs
    stroke: Stroke

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self.cells.nbytes

    @property
    def effort(self) -> int:
        """The time that repeating it takes, in the units of `Write.effort`."""
        return _STROKE_EFFORT + _CELL_EFFORT * self.cells.count


Event = Write | Touch
"""A change of cells that can be repeated."""


@dataclass(frozen=True, slots=True)
class RewindPoint:
    """A world stored for rewinding.

    Args:
        world: the world.
        root: whether it is the result of something else than ticks and writes: no earlier world leads to it.
        serial: the number of the last event before it.
    """

    world: World
    root: bool
    serial: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """A timeline: stored worlds, by their ticks, and the writes and strokes with their numbers."""

    points: tuple[RewindPoint, ...]
    writes: tuple[tuple[int, Event], ...]

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return sum(each.world.nbytes for each in self.points) + sum(write.nbytes for _, write in self.writes)


@dataclass(eq=False, slots=True)
class Edit:
    """A change by the user, and what is needed to take it back.

    Args:
        tick: the tick in which it began; of a jump to another world the tick of that world.
        serial: the number of its first event.
        before: the values that its cells had before it. No cell is in two of these.
        after: what it wrote, in order; a later write of a cell replaces an earlier one.
        copies: both for the cells that its strokes have changed, on the device; None: they are in the two lists.
        ports: the emitters and drains before it; None: it did not change them.
        world, timeline: the world before a jump to another world, and the timeline that led there; None: it is no jump.
        is_return: whether it takes back that time went back to before an edit, and so brings that edit back as it was.
        has_moved_on: whether some of its matter was elsewhere when it was last taken back, and stayed there.
    """

    tick: int = 0
    serial: int = 0
    before: list[Write] = field(default_factory=list)
    after: list[Write] = field(default_factory=list)
    copies: EditCopies | None = None
    ports: Ports | None = None
    world: World | None = None
    timeline: Timeline | None = None
    is_return: bool = False
    has_moved_on: bool = False

    @property
    def is_empty(self) -> bool:
        """True if it has changed nothing yet."""
        return not self.before and self.copies is None and self.ports is None and self.world is None

    def load(self) -> None:
        """Read the copies of the cells that its strokes have changed into the lists, and free the device's memory."""
        read, self.copies = None if self.copies is None else self.copies.read(), None
        if read is None:
            return
        rows, columns = np.nonzero(read.moments)
        moments = read.moments[rows, columns]
        order = np.argsort(moments, kind="stable")
        first = np.flatnonzero(np.diff(moments[order], prepend=0))
        for moment, part in zip(moments[order][first].tolist(), np.split(order, first[1:]), strict=True):
            tick, places = self.tick + moment - 1, (rows[part], columns[part])
            self.before.append(_write_of(tick, read.at, *places, read.before))
            self.after.append(_write_of(tick, read.at, *places, read.after))

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        writes = sum(part.nbytes for part in (*self.before, *self.after))
        copies = 0 if self.copies is None else self.copies.nbytes
        return writes + copies + (0 if self.timeline is None else self.timeline.nbytes)


def still_there(edit: Edit, at: tuple[int, int], now: Arrays) -> np.ndarray:
    """Find the cells that hold what an edit left in them.

    Args:
        edit: the edit.
        at: (column, row) of the top left cell of a rectangle with all cells of the edit.
        now: all fields of the rectangle by name.
    Returns: (height, width) bool; True also for cells that the edit has not changed.
    """
    left = {name: array.copy() for name, array in now.items()}
    for write in edit.after:
        write.put_into(left, at)
    found = [
        (array == now[name]).all(axis=0) if FIELDS[name].layered else array == now[name]
        for name, array in left.items()
        if FIELDS[name].says_what_is_there
    ]
    return np.logical_and.reduce(found)
