"""Threads that build a world together, as ranks do: each opens the world itself, and builds cells of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from threading import Barrier, BrokenBarrierError

import numpy as np

from gpufluid import World
from gpufluid.world.pieces import Box, Unbuilt, WorldPiece, common

PATIENCE = 30.0
"""Seconds in which a thread waits for the others."""

Parts = Sequence[Sequence[Box]]
"""The rectangles of each builder; those of all builders are the whole world, and no two overlap."""


class Meeting:
    """A place where all threads leave what they have, and see what the others left."""

    def __init__(self, threads: int) -> None:
        self._left: list[object] = [None] * threads
        self._barrier = Barrier(threads, timeout=PATIENCE)

    def exchange(self, number: int, value: object) -> list:
        """The values of all threads, of which this one has the given number."""
        self._left[number] = value
        self._barrier.wait()
        found = list(self._left)
        self._barrier.wait()
        return found


class ThreadBuilders:
    """One of several threads that build a world together; see `Builders`."""

    def __init__(self, meeting: Meeting, number: int) -> None:
        self._meeting, self._number = meeting, number

    def sum_of(self, numbers: np.ndarray) -> np.ndarray:
        return np.sum(self._meeting.exchange(self._number, numbers), axis=0)

    def most_of(self, numbers: np.ndarray) -> np.ndarray:
        return np.max(self._meeting.exchange(self._number, numbers), axis=0)

    @contextmanager
    def agreeing(self) -> Iterator[None]:
        failure = None
        try:
            yield
        except Exception as error:
            failure = error
        failures = [each for each in self._meeting.exchange(self._number, failure) if each is not None]
        if failures:
            raise min(failures, key=lambda error: getattr(error, "order", ()))


def built_together(opened: Callable[[], Unbuilt], parts: Parts) -> World:
    """A world that several threads build, each the cells of one of these parts.

    Args:
        opened: opens the world; called by each thread.
        parts: the rectangles of each thread. What it builds for all is the smallest rectangle around them.
    Raises: the error that all threads raise. AssertionError: not all of them raise the same.
    """
    meeting = Meeting(len(parts))
    world = opened().blank.blank()
    whole = WorldPiece.of(world)

    def build(number: int) -> None:
        unbuilt, builders, boxes = opened(), ThreadBuilders(meeting, number), parts[number]
        own = around(boxes)
        unbuilt.begin(own, builders)
        pieces = [piece for box in boxes if (piece := whole.within(box)) is not None]
        with builders.agreeing():
            unbuilt.build(pieces)
        owned = whole.within(own)
        assert owned is not None
        unbuilt.check(owned, builders)

    with ThreadPoolExecutor(len(parts)) as pool:
        errors = [each.exception() for each in [pool.submit(build, number) for number in range(len(parts))]]
    failures = [error for error in errors if error is not None]
    for error in sorted(failures, key=lambda each: isinstance(each, BrokenBarrierError)):
        assert len({str(each) for each in errors}) == 1, f"not all builders raise the error: {errors}"
        raise error
    return world


def around(boxes: Sequence[Box]) -> Box:
    """The smallest rectangle around some rectangles."""
    x, y = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return x, y, max(box[0] + box[2] for box in boxes) - x, max(box[1] + box[3] for box in boxes) - y


def strips(width: int, height: int, count: int, *, of_rows: bool) -> list[list[Box]]:
    """So many strips of a world of that width and height in cells, each of whole rows or of whole columns."""
    ends = np.linspace(0, height if of_rows else width, count + 1).round().astype(int).tolist()
    spans = [(first, end - first) for first, end in pairwise(ends) if end > first]
    return [[(0, first, width, size) if of_rows else (first, 0, size, height)] for first, size in spans]


def tiled(parts: Parts, columns: int, rows: int) -> list[list[Box]]:
    """The same parts, cut into tiles of so many columns and rows, the last ones first."""
    found = []
    for boxes in parts:
        x, y, width, height = around(boxes)
        tiles = [(x + i, y + j, columns, rows) for j in range(0, height, rows) for i in range(0, width, columns)]
        found.append([tile for each in reversed(tiles) if (tile := common(each, (x, y, width, height))) is not None])
    return found
