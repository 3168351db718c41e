"""Writes the cells of a store: one process all of its shards, or each of several ranks some, which it writes whole.

A *box* is a rectangle of cells, of a world or of a coarse level, each field of which fills shards of its own. Boxes of
the world are shared out evenly; most ranks write cells that they compute. In a round each rank receives the cells of a
box, writes their shards, and sends the coarse cells of the box to the ranks that write the shards of the levels: a box
of a level is written by the rank that writes the first of the world's boxes that it covers. So a rank holds the cells
of one box, and coarse cells of boxes that are not complete yet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Protocol

import numpy as np

from gpufluid.core.errors import OutputError
from gpufluid.io import pyramid, store_layout
from gpufluid.io.labels import COLUMN, ROW, is_amount
from gpufluid.io.store_layout import METADATA, open_to_write, output_errors_of
from gpufluid.world import World
from gpufluid.world.pieces import Box, window_of

Fields = Mapping[str, np.ndarray]
"""Fields of some cells by name, each (height, width) or with more axes, of the field's type."""

Place = tuple[int, int]
"""The row and the column of a box among the boxes of a level."""


class Writers(Protocol):
    """The ranks that write a store together. All of them make the same calls in the same order.

    If the disk of a rank fails, all raise its error; any other error of a rank ends them all.
    """

    @property
    def rank(self) -> int:
        """The number of this rank, from 0."""
        ...

    @property
    def count(self) -> int:
        """The number of ranks."""
        ...

    def holder_of(self, box: Box) -> int:
        """The rank that has most of the cells of a rectangle."""
        ...

    def gathered(self, box: Box, receiver: int) -> Fields | None:
        """All fields of a rectangle of cells, to be read only, on the rank that asks for them; None on the others."""
        ...

    def sent(self, fields: Fields | None, sender: int, receiver: int) -> Fields | None:
        """The fields that a rank gives, on the rank to which it sends them, which may be the same; None on others."""
        ...

    def agreeing(self) -> AbstractContextManager[object]:
        """If a GpufluidError leaves the block on some ranks, raise one of these errors on all ranks."""
        ...


class OneWriter:
    """A process that writes a store alone; see `Writers`.

    Args:
        read_window: reads the fields of a rectangle; arguments as for `Simulation.read_window`.
    """

    rank, count = 0, 1

    def __init__(self, read_window: Callable[[tuple[int, int], tuple[int, int]], Fields]) -> None:
        self._read_window = read_window

    def holder_of(self, box: Box) -> int:
        """This process."""
        del box
        return 0

    def gathered(self, box: Box, receiver: int) -> Fields:
        """The fields of a rectangle of cells."""
        del receiver
        return self._read_window(box[:2], box[2:])

    def sent(self, fields: Fields | None, sender: int, receiver: int) -> Fields | None:
        """The same fields."""
        del sender, receiver
        return fields

    def agreeing(self) -> AbstractContextManager[object]:
        """Errors leave the block."""
        return nullcontext()


def coarse_fields(world: World) -> list[str]:
    """The names of the fields of which a store has coarse levels."""
    return ["material", *(name for name in world.fields if is_amount(name))]


def array_of(name: str, level: int) -> str:
    """The place in a store of the array of a level of a field."""
    return f"{pyramid.GROUP}/{level}/{name}" if level else name


def write_shards(folder: Path, path: Path, world: World, writers: Writers) -> None:
    """Write all cells into the arrays of a store, which are there. All ranks call this.

    Args:
        folder: the folder of the arrays.
        path: the path of the store, for messages.
        world: a world with the laws of the one that is written; its cells are not read.
        writers: the ranks that have the cells.
    Raises, on all ranks: OutputError: the disk of a rank is full, or a rank does not find the folder.
    """
    with writers.agreeing(), output_errors_of(path):
        if not (folder / METADATA).exists():
            unseen = f"this process does not see its folder {folder.parent}"
            raise OutputError(f"{path}: could not be written: {unseen}; expected a disk that all ranks share")
        shards = _Shards(folder, world, writers)
    for places in shards.division.rounds():
        shards.write_round(places, path)


class Division:
    """The boxes of each level of a world, and the ranks that write them.

    Args:
        size: (width, height) of the world.
        writers: the ranks.
    """

    def __init__(self, size: tuple[int, int], writers: Writers) -> None:
        self._size, self._sides = size, (store_layout.SHARD[COLUMN], store_layout.SHARD[ROW])
        self._columns, self._rows = (-(-cells // side) for cells, side in zip(size, self._sides, strict=True))
        order = sorted(
            product(range(self._rows), range(self._columns)),
            key=lambda place: (writers.holder_of(self.box(place)), _on_curve(place)),
        )
        self._writers = {place: number * writers.count // len(order) for number, place in enumerate(order)}

    def rounds(self) -> Iterator[dict[int, Place]]:
        """The box that each rank writes in each round, by rank; ranks without a box are left out."""
        own: defaultdict[int, list[Place]] = defaultdict(list)
        for place, writer in self._writers.items():
            own[writer].append(place)
        for number in range(max(map(len, own.values()))):
            yield {writer: places[number] for writer, places in own.items() if number < len(places)}

    def writer_of(self, place: Place, level: int) -> int:
        """The rank that writes a box of a level: the writer of the first of the world's boxes that it covers."""
        return self._writers[place[0] << level, place[1] << level]

    def box(self, place: Place, level: int = 0) -> Box:
        """The cells of a box of a level, in this level."""
        return self._cut(place, level, *self._sides)

    def part(self, place: Place, level: int) -> Box:
        """The cells of a level that cover a box of the world."""
        return self._cut(place, level, self._sides[0] >> level, self._sides[1] >> level)

    def parts(self, place: Place, level: int) -> int:
        """The number of the world's boxes that a box of a level covers."""
        rows, columns = (
            min((number + 1) << level, count) - (number << level)
            for number, count in zip(place, (self._rows, self._columns), strict=True)
        )
        return rows * columns

    def _cut(self, place: Place, level: int, width: int, height: int) -> Box:
        """One of the rectangles of a width and height into which a level is divided; those at its end are smaller."""
        columns, rows = (-(-cells >> level) for cells in self._size)
        x, y = place[1] * width, place[0] * height
        return x, y, min(width, columns - x), min(height, rows - y)


def _on_curve(place: Place) -> int:
    """The number of a place on Morton's curve, on which the boxes that a coarse one covers follow each other."""
    row, column = (int(f"{number:b}", 4) for number in place)  # a binary 0 after each binary digit
    return 2 * row + column


@dataclass(slots=True)
class _CoarseBox:
    """A box of a coarse level that is not complete yet.

    Args:
        fields: its fields by name, each (height, width) or with more axes, of the field's type.
        missing: how many parts of it have not come.
    """

    fields: dict[str, np.ndarray]
    missing: int


class _Shards:
    """The shards that a rank writes; arguments as for `write_shards`."""

    def __init__(self, folder: Path, world: World, writers: Writers) -> None:
        self._writers, self._coarse = writers, coarse_fields(world)
        self._levels = pyramid.levels(world.height, world.width)
        names = [array_of(name, level) for level in range(1, self._levels + 1) for name in self._coarse]
        self._arrays = open_to_write(folder, [*world.fields, *names])
        self.division = Division((world.width, world.height), writers)
        self._open: dict[tuple[int, Place], _CoarseBox] = {}

    def write_round(self, places: Mapping[int, Place], path: Path) -> None:
        """Write the boxes of a round, and the coarse ones that it completes. All ranks call this.

        Args:
            places: the box of each rank.
            path: as for `write_shards`.
        """
        own, fields = places.get(self._writers.rank), None
        for writer, place in places.items():
            found = self._writers.gathered(self.division.box(place), writer)
            fields = fields if found is None else found
        levels = self._levels_of(fields)
        for level, (writer, place) in product(range(1, self._levels + 1), places.items()):
            covering = place[0] >> level, place[1] >> level
            given = levels[level - 1] if place == own else None
            part = self._writers.sent(given, writer, self.division.writer_of(covering, level))
            if part is not None:
                self._add(part, place, level, covering)
        with self._writers.agreeing(), output_errors_of(path):
            if own is not None and fields is not None:
                self._write(fields, self.division.box(own))
            for level, place in [key for key, box in self._open.items() if not box.missing]:
                self._write(self._open.pop((level, place)).fields, self.division.box(place, level), level)

    def _levels_of(self, fields: Fields | None) -> list[dict[str, np.ndarray]]:
        """The coarse levels of the cells of a box, by field; none if there is no box."""
        if fields is None:
            return []
        found: list[dict[str, np.ndarray]] = [{} for _ in range(self._levels)]
        for name in self._coarse:
            kind = pyramid.majorities if name == "material" else pyramid.means
            for level, cells in zip(found, kind(fields[name], self._levels), strict=True):
                level[name] = cells
        return found

    def _add(self, part: Fields, place: Place, level: int, covering: Place) -> None:
        """Add the coarse cells of a box of the world to the box of a level that covers it."""
        x, y, width, height = self.division.box(covering, level)
        if (level, covering) not in self._open:
            empty = {name: np.empty((*cells.shape[:-2], height, width), cells.dtype) for name, cells in part.items()}
            self._open[level, covering] = _CoarseBox(empty, self.division.parts(covering, level))
        box, found = self._open[level, covering], self.division.part(place, level)
        for name, cells in part.items():
            box.fields[name][window_of(name, (found[0] - x, found[1] - y, *found[2:]))] = cells
        box.missing -= 1

    def _write(self, fields: Fields, box: Box, level: int = 0) -> None:
        """Write the shards of a box of a level."""
        for name, cells in fields.items():
            self._arrays[array_of(name, level)][window_of(name, box)] = cells
