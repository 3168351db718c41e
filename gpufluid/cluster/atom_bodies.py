"""`AtomBodies`: the bodies of atoms, of rule ``pressure``, that lie in the parts of several ranks.

In each round the ranks join the best bids of these bodies before `pressure.offer`, if powder may float on them, and
their best offers before `pressure.see_winners`. So all know the cell that gives and the cell that takes. Before
`pressure.transfer_in_part` they send the contents of these two places, and each rank writes what comes to its own
cells, and to those of its halo near a border. So halos are not copied between rounds.

A stack of powder on a surface moves, too, by a row, and so does the top of a load. They may reach above a rank's own
rows from any body, also one that lies in that rank alone. Then all ranks move what they have of the stack. For this
they send what crosses their borders. Before each round they share what goes on above their own rows
(`cluster.runs_above`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpufluid.cluster.column_cells import ColumnCells
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.ranks import meet_before
from gpufluid.cluster.runs_above import RunsAbove
from gpufluid.core.frame import Span
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.rules import Pass
from gpufluid.rules.passes import NEAR_COLUMNS
from gpufluid.rules.pressure import ADOPTED, HIGHEST, LOWEST, SINKS, SOURCES, STORED, WINNERS
from gpufluid.world import World

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

_LOW_HALF = 0xFFFF

_Place = tuple[int, int]
"""(column, row) of the whole world, in gravity's frame."""

_Winners = tuple[int, int, int, int]
"""A texel of scratch `WINNERS`."""


@dataclass(frozen=True, slots=True)
class _Axis:
    """The columns, or the rows, of a rank's part.

    Args:
        own: the lines, columns or rows, of the whole world that the rank computes.
        first: the place of its first own line in the part.
        part_lines: the lines of the part, halo included.
        whole_lines: the lines of the whole world.
        is_ring: whether the halo goes on around a torus.
    """

    own: Span
    first: int
    part_lines: int
    whole_lines: int
    is_ring: bool

    def is_own(self, line: int) -> bool:
        """True if the rank computes a line of the whole world."""
        return self.own[0] <= line < self.own[1]

    def in_part(self, line: int) -> int:
        """The place of an own line in the part."""
        return line - self.own[0] + self.first

    def places(self, line: int, before: int, after: int) -> list[int]:
        """The places in the part of a line of the whole world, among own ones and so many before and after them."""
        place = self.in_part(line % self.whole_lines)
        offsets = (-self.whole_lines, 0, self.whole_lines) if self.is_ring else (0,)
        first, end = self.first - before, self.in_part(self.own[1]) + after
        return [place + each for each in offsets if max(first, 0) <= place + each < min(end, self.part_lines)]


@dataclass(frozen=True, slots=True)
class _Move:
    """An atom that moves onto a surface, under the powder there.

    Args:
        source: its place.
        sink: the surface.
        floating: the atoms that float on the surface; they rise by a row.
        following: those that float on the source, and sink by a row.
        top: the top of the load on the source, which comes to its place; None: there is none.
    """

    source: _Place
    sink: _Place
    floating: int
    following: int
    top: _Place | None = None


@dataclass(frozen=True, slots=True)
class _Shift:
    """Cells of a column that all move by a row, except that something else comes to the last one.

    Args:
        column: of the whole world, in gravity's frame.
        first: the row of the uppermost one in the whole world.
        cells: their number.
        rises: whether they move up.
        coming: the place of what comes to the cell that is left.
        rests: whether that does not move any more.
    """

    column: int
    first: int
    cells: int
    rises: bool
    coming: _Place
    rests: bool


class AtomBodies:
    """The bodies of atoms that cross the borders of one rank, and what floats or lies on bodies above its own rows.

    Args:
        sets: the sets of connected cells of rule ``pressure``.
        comm: the communicator of all ranks.
        same_columns: that of the ranks with the same columns, from the first row of the grid on.
        costs: those of the rank.
        grid: the parts of all ranks.
        part: the rank's part; its arrays are not read.
        planes: the planes of the part.
        planes_there: the names of all planes that passes change.
        near: rows of the halo on each side that are kept right between rounds.
        kinds: the kinds of matter of rule ``pressure`` that the world can come to have.
        wake: wakes the tiles from one cell to another; cells are (column, row) of the part's frame.
    """

    def __init__(
        self,
        sets: JoinedSets,
        comm: Comm,
        same_columns: Comm,
        costs: Costs,
        grid: Grid,
        part: World,
        planes: PlaneTextures,
        planes_there: Sequence[str],
        near: int,
        kinds: frozenset[str],
        wake: Callable[[_Place, _Place], None],
    ) -> None:
        self._sets, self._comm, self._costs, self._near, self._wake = sets, comm, costs, near, wake
        torus = part.edges == "wrap"
        self._columns, self._rows = (
            _Axis(own, first, part_lines, shares.lines, torus and shares.is_divided)
            for own, (first, _), part_lines, shares in zip(
                grid.own_of(comm.rank),
                part.domain.own_area(part.gravity),
                (sets.columns, sets.rows),
                (grid.columns, grid.rows),
                strict=True,
            )
        )
        self._borders = [first for first, _ in grid.rows.own if first > 0 or torus]
        self._cells = ColumnCells(part, planes, planes_there)
        self._floats, self._loads = "floats" in kinds, "loads" in kinds
        self._last_round = int(part.parameters["pressure"]["rounds"]) - 1
        self._runs = RunsAbove(sets, same_columns, costs, grid.rows, torus)
        self._sinks: dict[int, _Winners] = {}  # after the rounds: of bodies in which the last one moved nothing

    @property
    def reaches_above(self) -> bool:
        """True if bodies that do not cross borders, too, may move what is above a rank's own rows."""
        return self._floats or self._loads

    def forget(self) -> None:
        """Begin a tick in which no body at a border is active."""
        for scratch in (WINNERS, SOURCES, SINKS):  # the last round of an earlier tick may have left some
            self._sets.clear(scratch)
        self._sets.forget()

    def join(self, pass_: Pass, run: int, tick: int) -> None:
        """Join what `Pass.joins` names before a pass. All ranks call it.

        Args:
            pass_: the pass.
            run: the number of its run in the tick, from 0 on.
            tick: not used.
        """
        del tick
        if pass_.joins == "labels":
            self._sinks = {}
            self._sets.unite(STORED, mark=ADOPTED)
            if self._floats:
                self._sets.write(HIGHEST, self._sets.marked[self._sets.own].astype(np.uint32))
        elif pass_.joins == "runs":
            self._share_runs(pass_)
        elif pass_.joins == "loads":
            self._move_loads()
        elif pass_.joins == "winners":
            if self._floats or self._sets.shared.count:
                self._move_winners(is_last=run == self._last_round)
        elif self._sets.shared.count == 0:
            return  # on all ranks
        elif pass_.joins == "offers":
            self._sets.join_greatest((SOURCES, SINKS))
        elif self._floats:
            self._sets.join_greatest((HIGHEST, LOWEST))

    def _share_runs(self, pass_: Pass) -> None:
        """Find the runs above this rank's own rows, of the kinds on which a pass depends."""
        if pass_.name == "offer_under_load":
            self._runs.share(liquid=True)
        elif self._floats and pass_.name == "bid":
            self._runs.share(liquid=False)
        elif self._floats:  # the first pass of a tick
            changed = self._runs.changed_stacks().tolist()
            if changed:
                self._wake((changed[0], max(self._rows.first - 1, 0)), (changed[-1], self._rows.first))

    def _move_winners(self, is_last: bool) -> None:
        """Let the atoms that won move, wherever they lie, with the powder that floats on both surfaces."""
        self._sets.wait_for_device()
        winners = {
            number: words
            for number, words in zip(
                self._sets.own.tolist(), map(tuple, self._sets.read(WINNERS).tolist()), strict=True
            )
            if words[0]
        }
        self._begin_next_round(is_last)
        if self._floats:
            own = {
                number: words
                for number, words in winners.items()
                if self._is_own(*words[:2]) or self._is_own(*words[2:])
            }
            every = self._gathered((own, self._across()))
            winners = _merged([shared for shared, _ in every])
            moves = [_transfer(words) for words in (*winners.values(), *(each for _, more in every for each in more))]
            if not moves:
                return  # on all ranks
        else:
            moves = [_transfer(words) for words in winners.values()]
        self._move(moves)

    def _is_own(self, column: int, row: int) -> bool:
        """True if two words of `_Winners` are an own cell."""
        return self._columns.is_own(column - 1) and self._rows.is_own(row & _LOW_HALF)

    def _begin_next_round(self, is_last: bool) -> None:
        """Reset the offers; after the last round those to take stay, of bodies in which it moved nothing."""
        self._sets.clear(SOURCES)
        if not (is_last and self._loads):
            self._sets.clear(SINKS)
            return
        own = list(zip(self._sets.own.tolist(), map(tuple, self._sets.read(WINNERS).tolist()), strict=True))
        left = {number: words for number, words in own if words[2] and not words[0]}
        self._sinks = {number: words for number, words in left.items() if self._is_own(*words[2:])}
        sinks = self._sets.read(SINKS)
        self._sets.write(SINKS, np.where(np.isin(self._sets.own, list(left)), sinks, 0).astype(np.uint32))

    def _across(self) -> list[_Winners]:
        """The moves in bodies of this rank alone whose stack or load reaches above its rows; they are deleted there."""
        row = self._sets.read_rows(WINNERS, (0, 1))
        found = [tuple(words) for words in row[0][row[0, :, 0] != 0].tolist()]
        if found:
            self._sets.write_rows(WINNERS, 0, np.zeros_like(row))
        return found

    def _move_loads(self) -> None:
        """Let liquid under a load move, wherever it, the top of its load and the surface that takes it lie."""
        self._sets.wait_for_device()
        own = {}
        if self._sets.shared.count:
            words = zip(self._sets.own.tolist(), map(tuple, self._sets.read(WINNERS).tolist()), strict=True)
            offers = {number: each for number, each in words if each[0] and not each[2]}
            own = {number: each for number, each in offers.items() if self._is_own(*each[:2])}
            self._sets.clear(WINNERS)
            for scratch in (SOURCES, SINKS):
                self._sets.clear(scratch)
        every = self._gathered((own, self._sinks, self._across()))
        self._sinks = {}
        sinks = {number: words for _, found, _ in every for number, words in found.items()}
        giving = {number: words for found, _, _ in every for number, words in found.items()}
        moves = [_load((*words[:2], *sinks[number][2:])) for number, words in giving.items()]
        moves += [_load(words) for _, _, more in every for words in more]
        if moves:
            self._move(moves)

    def _gathered(self, own: object) -> list[Any]:
        """The contributions of all ranks, by rank. All ranks call it."""
        with self._costs.waiting():
            meet_before(self._comm)
            return self._comm.allgather(own)

    def _move(self, moves: Sequence[_Move]) -> None:
        """Carry out moves: what this rank has of them. All ranks that have a part of a move call it with that move."""
        shifts = [shift for move in moves for shift in self._shifts(move)]
        needed = {shift.coming for shift in shifts}
        for shift in shifts:
            needed |= {(shift.column, row) for row in self._rows_at_borders(shift)}
        own = {
            (column, row): self._cells.read(self._columns.in_part(column), (local, local + 1))[0]
            for column, row in needed
            if self._columns.is_own(column) and self._rows.is_own(row)
            for local in [self._rows.in_part(row)]
        }
        self._costs.bytes_sent += sum(words.nbytes for words in own.values())
        contents = {place: words for each in self._gathered(own) for place, words in each.items()}
        for shift in shifts:
            self._shift(shift, contents)

    def _shifts(self, move: _Move) -> Iterator[_Shift]:
        """The cells of columns that a move shifts."""
        column, row = move.sink
        opened = column, self._row(row - 1 - move.floating)
        yield _Shift(column, opened[1], 1 + move.floating, True, move.source, rests=True)
        column, row = move.source
        if move.top is None:
            yield _Shift(column, self._row(row - move.following), 1 + move.following, False, opened, rests=False)
        else:
            yield _Shift(column, row, 1, False, move.top, rests=True)
            yield _Shift(*move.top, 1, False, opened, rests=False)

    def _row(self, row: int) -> int:
        return row % self._rows.whole_lines

    def _rows_of(self, shift: _Shift) -> set[int]:
        return {self._row(shift.first + number) for number in range(shift.cells)}

    def _rows_at_borders(self, shift: _Shift) -> Iterator[int]:
        """The rows of a shift whose content another rank than their own may need."""
        if shift.cells > 1:
            rows = self._rows_of(shift)
            for border in self._borders:
                beside = {self._row(border + number) for number in (-2, -1, 0)}
                yield from beside & rows

    def _shift(self, shift: _Shift, contents: dict[_Place, np.ndarray]) -> None:
        """Shift the own cells of a column, those of the row above them, and a single cell also near the borders."""
        coming = contents[shift.coming]
        coming = self._cells.at_rest(coming) if shift.rests else coming
        for column in self._columns.places(shift.column, NEAR_COLUMNS, NEAR_COLUMNS):
            if shift.cells > 1:
                self._shift_in(column, shift, coming, contents)
                continue
            for row in self._rows.places(shift.first, self._near, self._near):
                self._cells.write(column, row, coming[None])
                self._wake((column, row), (column, row))

    def _shift_in(self, column: int, shift: _Shift, coming: np.ndarray, contents: dict[_Place, np.ndarray]) -> None:
        """Shift several cells in a column of the part, to the last of which comes a content."""
        last = shift.cells - 1
        rows: dict[int, int] = {}  # by row of the part: the number of the cell from the uppermost one
        for number in range(shift.cells):
            for row in self._rows.places(shift.first + number, 1, 0):
                rows[row] = number
        for group in _groups(sorted(rows)):
            before = self._cells.read(column, (max(group[0] - 1, 0), min(group[-1] + 2, self._sets.rows)))
            found = np.empty((len(group), before.shape[1]), np.uint32)
            for place, row in enumerate(group):
                number = rows[row]
                if number == (last if shift.rises else 0):
                    found[place] = coming
                    continue
                step = 1 if shift.rises else -1
                whole = self._row(shift.first + number + step)
                known = contents.get((shift.column, whole))
                found[place] = before[row + step - max(group[0] - 1, 0)] if known is None else known
            self._cells.write(column, group[0], found)
            self._wake((column, group[0]), (column, group[-1]))

    def release(self) -> None:
        """Release what reads the scratch; call it before the scratch is released."""
        self._sets.release()


def _merged(every: Sequence[dict[int, _Winners]]) -> dict[int, _Winners]:
    """The winners of each body: only the rank with a cell knows how many atoms float on it."""
    found: dict[int, _Winners] = {}
    for each in every:
        for number, words in each.items():
            before = found.get(number, words)
            found[number] = words[0], words[1] | before[1], words[2], words[3] | before[3]
    return found


def _transfer(words: _Winners) -> _Move:
    """The move of a transfer."""
    giving, source, taking, sink = words
    return _Move((giving - 1, source & _LOW_HALF), (taking - 1, sink & _LOW_HALF), sink >> 16, source >> 16)


def _load(words: _Winners) -> _Move:
    """The move of liquid under a load."""
    giving, rows, taking, sink = words
    column = giving - 1
    return _Move((column, rows & _LOW_HALF), (taking - 1, sink & _LOW_HALF), sink >> 16, 0, (column, rows >> 16))


def _groups(rows: Sequence[int]) -> Iterator[list[int]]:
    """Rows in ascending order as groups that follow each other."""
    group: list[int] = []
    for row in rows:
        if group and row != group[-1] + 1:
            yield group
            group = []
        group.append(row)
    if group:
        yield group
