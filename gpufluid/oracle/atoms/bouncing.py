"""Passes `touch`, `join` and `bounce`: a body of elastic atoms reverses its velocity as a whole.

An elastic atom is an atom of a powder with a cohesion of 1, such as rubber. A *run* is a row or a column of touching
elastic atoms that move in the same direction. Twin of ``shaders/atoms/bodies.glsl``.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.fields import SPEED_LIMIT, VELOCITY_ONE
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties, slowed
from gpufluid.oracle.state import (
    load_joined,
    load_moving,
    load_stopped,
    store_joined,
    store_moving,
    store_stopped,
)
from gpufluid.oracle.tally import Tally
from gpufluid.rules import LINE_STRIP, Call
from gpufluid.world import World

Direction = tuple[int, int]
"""A direction along one axis of the frame, (rows, columns): one of them 1 or -1, the other 0."""

DIRECTIONS: tuple[Direction, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Down, up, right, left: the order of the four words of a strip of a column. A word has one bit for each row."""


def touch(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Find the elastic atoms that an obstacle would stop in this tick, in their column and in their row."""
    bodies = _Bodies(world)
    cells, matter = bodies.cells, bodies.matter
    moving, stopped = (np.zeros((*cells.shape, len(DIRECTIONS)), bool) for _ in range(2))
    for row, column in np.argwhere(bodies.elastic):
        pull = abs(int(matter.pull[cells.material[row, column]]))
        for number, direction in enumerate(DIRECTIONS):
            speed = bodies.speed(row, column, direction)
            most = speed + (pull if direction[0] else 0)
            moving[row, column, number] = speed > 0
            stopped[row, column, number] = speed > 0 and bodies.is_stopped(int(row), int(column), direction, most)
    store_moving(world, _words(moving))
    store_stopped(world, _words(stopped))
    return Tally()


def join(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Join the runs of a body: an atom is stopped, too, if an atom of its run across its direction is stopped."""
    bodies, joined = _Bodies(world), load_stopped(world).copy()
    moving, stopped = (_by_cell(words, bodies.cells.shape[0]) for words in (load_moving(world), joined))
    for row, column, number in np.argwhere(moving):
        across = abs(DIRECTIONS[number][1]), abs(DIRECTIONS[number][0])
        if bodies.is_run_stopped(moving[..., number], stopped[..., number], (int(row), int(column)), across):
            joined[row // LINE_STRIP, column, number] |= 1 << row % LINE_STRIP
    store_joined(world, joined)
    return Tally()


def bounce(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Reverse the velocity of each elastic atom if an atom of its run along its direction is stopped, after `join`."""
    bodies = _Bodies(world)
    cells, matter = bodies.cells, bodies.matter
    moving, joined = (_by_cell(words, cells.shape[0]) for words in (load_moving(world), load_joined(world)))
    for row, column, number in np.argwhere(moving)[::-1]:  # across first
        direction, material = DIRECTIONS[number], cells.material[row, column]
        line = abs(direction[0]), abs(direction[1])
        if not bodies.is_run_stopped(moving[..., number], joined[..., number], (int(row), int(column)), line):
            continue
        speed, bounce, pull = (
            bodies.speed(row, column, direction),
            int(matter.bounce[material]),
            int(matter.pull[material]),
        )
        if direction[1]:
            cells.across[row, column] = -direction[1] * (speed * max(bounce, matter.fixed["wall_bounce"]) >> 8)
            continue
        back = (
            min(max(speed + direction[0] * pull, 0), SPEED_LIMIT) * bounce >> 8
        )  # of the speed at the end of this tick
        if back > 3 * abs(pull):
            cells.along[row, column] = -direction[0] * back
            cells.across[row, column] = slowed(cells.across[row, column], matter.drag[material])
    cells.write(world)
    return Tally()


def _words(marks: np.ndarray) -> np.ndarray:
    """Marks of cells, (rows, columns, 4) bool, as words of strips: (strips, columns, 4) uint32."""
    rows, columns, directions = marks.shape
    padded = np.zeros((-(-rows // LINE_STRIP) * LINE_STRIP, columns, directions), np.uint32)
    padded[:rows] = marks
    bits = padded.reshape(-1, LINE_STRIP, columns, directions) << np.arange(LINE_STRIP, dtype=np.uint32)[:, None, None]
    return np.bitwise_or.reduce(bits, axis=1)


def _by_cell(words: np.ndarray, rows: int) -> np.ndarray:
    """Words of strips, (strips, columns, 4) uint32, as marks of cells: (rows, columns, 4) bool."""
    bits = words[:, None] >> np.arange(LINE_STRIP, dtype=np.uint32)[:, None, None] & np.uint32(1)
    return bits.reshape(-1, *words.shape[1:])[:rows].astype(bool)


class _Bodies:
    """The elastic atoms of a world, in the gravity frame."""

    def __init__(self, world: World) -> None:
        self.cells, self.matter = Cells.of(world), world.laws.once(MaterialProperties)
        self.elastic = self.matter.is_elastic(self.cells.material)
        self._edges, self._wall = world.edges, world.materials["wall"]

    def speed(self, row: int, column: int, direction: Direction) -> int:
        """The speed of an atom along a direction, in 1/16 cell a tick; 0 outside the world."""
        if self._is_outside(row, column):
            return 0
        at = self._inside(row, column)
        return int(self.cells.along[at]) * direction[0] + int(self.cells.across[at]) * direction[1]

    def is_stopped(self, row: int, column: int, direction: Direction, speed: int) -> bool:
        """True if an obstacle stops the run of an atom, along the direction in which the atom moves.

        Args:
            row, column: the atom.
            direction: the direction.
            speed: the largest speed that the atom may have in this tick, in 1/16 cell a tick.
        """
        most, cells, gap = self._most(direction), 1, 0

        def ahead(steps: int) -> tuple[int, int]:
            return row + steps * direction[0], column + steps * direction[1]

        while cells < most and self._is_elastic(*ahead(cells)) and self.speed(*ahead(cells), direction) > 0:
            cells += 1
        farthest = min((speed + SPEED_LIMIT) // VELOCITY_ONE + 2, most)
        while gap < farthest and self._material(*ahead(cells + gap)) == 0:
            gap += 1
        at = ahead(cells + gap)
        toward = -self.speed(*at, direction)
        if gap >= farthest or toward < 0 or gap > (speed + toward) // VELOCITY_ONE + 1:
            return False
        leaves = self._edges == "open" and self._is_outside(*at)
        own = np.array(self.cells.material[row, column])
        return not leaves and not self.matter.gives_way(np.array(self._material(*at)), own)

    def is_run_stopped(self, moving: np.ndarray, stopped: np.ndarray, at: tuple[int, int], line: Direction) -> bool:
        """True if an atom of the run through an atom is stopped.

        Args:
            moving: the elastic atoms that move in the direction of the atom, [row, column] bool.
            stopped: those of them that the previous pass has found stopped; bool of the same shape.
            at: the row and the column of the atom.
            line: the direction of the run.
        """
        found = bool(stopped[at])
        for side in (-1, 1):
            for i in range(1, self._most(line)):
                here = at[0] + side * i * line[0], at[1] + side * i * line[1]
                if found or self._is_outside(*here) or not moving[self._inside(*here)]:
                    break
                found = bool(stopped[self._inside(*here)])
        return found

    def _most(self, line: Direction) -> int:
        """The most cells of a body that are searched along a line."""
        rows, columns = self.cells.shape
        return min(self.matter.fixed["body_most"], rows if line[0] else columns)

    def _is_outside(self, row: int, column: int) -> bool:
        rows, columns = self.cells.shape
        return self._edges != "wrap" and not (0 <= row < rows and 0 <= column < columns)

    def _inside(self, row: int, column: int) -> tuple[int, int]:
        rows, columns = self.cells.shape
        return row % rows, column % columns

    def _material(self, row: int, column: int) -> int:
        """The material at a place, which may lie outside the world: a wall there, unless the world is a torus."""
        outside = self._is_outside(row, column)
        return self._wall if outside else int(self.cells.material[self._inside(row, column)])

    def _is_elastic(self, row: int, column: int) -> bool:
        return not self._is_outside(row, column) and bool(self.elastic[self._inside(row, column)])
