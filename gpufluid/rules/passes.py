"""The records that declare a pass: its layout over cells, the state that it reads and writes, its reach. Data only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal, Self

from gpufluid.core.fields import ATOM_PLANE

LINE_STRIP = 32
"""Cells of a strip of a column or row. An invocation owns one strip; scratch over columns has one word for each."""

PATCH = 4
"""Columns of a tile that one invocation owns."""

BLOCKS = 4
"""Blocks of a column of 2x2 blocks that one invocation owns, for passes over `Over.BLOCKS`."""

COLUMN_PARTS = 32
"""The parts into which a group divides each of its columns, for passes over `Over.COLUMN_PARTS`."""

SEGMENT = 16
"""Cells per segment of a row; `seek` reports at most one run in each segment."""

TRACE = "trace"
"""The plane that holds each atom's cell at the start of the tick. Atoms carry it; it exists only on the device."""

MOVED = "rg32ui"
"""The format of image ``moved``, which holds the units that each strip moved: 64 bits, the low word first."""


class Over(Enum):
    """The units of work of a pass: the cells that one invocation owns."""

    STRIPS = "one invocation for each strip of cells of the gravity frame"
    CELLS = "one invocation for each cell"
    TRIPLES = "one invocation for each horizontal triple of cells"
    BLOCKS = "one invocation for some 2x2 blocks of a column"
    COLUMNS = "one invocation for each strip of a column of the gravity frame"
    ROWS = "one invocation for each strip of a row of the gravity frame"
    SEGMENTS = "one invocation for each segment of every other row of the gravity frame"
    WHOLE_COLUMNS = "one invocation for each column of the gravity frame"
    COLUMN_PARTS = "one group for some columns, one invocation for one of so many equal parts of a column"
    WHOLE_ROWS = "one invocation for each row of the gravity frame"
    BLOCK_COLUMNS = "one invocation for each column of 2x2 blocks of the gravity frame"
    TILES = "one group for each tile of the gravity frame, one invocation for each row or column of it"
    BLOCK_TILES = "one group for each tile of the gravity frame, one invocation for some of its 2x2 blocks"
    PATCHES = "one group for each tile of the gravity frame, one invocation for some columns of it"
    EMITTERS = "one invocation for each cell of the acting emitters"
    DRAINS = "one invocation for each cell of the acting drains"

    @property
    def takes_several_groups(self) -> bool:
        """True if several groups work on a tile, or on a line of tiles."""
        return self in (Over.CELLS, Over.TRIPLES, Over.COLUMN_PARTS)

    @property
    def serves_ports(self) -> bool:
        """True if a pass works on the cells of emitters or drains, False if on the cells of the world."""
        return self in (Over.EMITTERS, Over.DRAINS)

    @property
    def lies_in_tiles(self) -> bool:
        """True if each unit is listed with one tile; False for whole lines, and for segments, listed by rows."""
        lines = Over.WHOLE_COLUMNS, Over.COLUMN_PARTS, Over.WHOLE_ROWS, Over.BLOCK_COLUMNS
        return not self.serves_ports and self not in (*lines, Over.SEGMENTS)

    @property
    def has_blocks(self) -> bool:
        """True if the units are 2x2 blocks, which can begin one cell before the first cell of the world."""
        return self in (Over.BLOCKS, Over.BLOCK_COLUMNS, Over.BLOCK_TILES)


@dataclass(frozen=True, slots=True)
class Scratch:
    """An image by which one pass of a tick hands results to another; not a part of the state.

    Args:
        name: the name of the scratch in passes, and of its image in GLSL.
        over: the units of work; the image has one texel for each.
        image: the GLSL image format.
        texels: the number of texels for each unit of work, in rows of the image.
        sets: the rows of the image below these, in a part of a world, for sets of cells that lie in several parts. A
            part that has not whole rows has more; see `rows_of_sets`.
        is_given: True if no pass writes it, but the host, for a part of a world.
    """

    name: str
    over: Over
    image: str = "r32ui"
    texels: int = 1
    sets: int = 0
    is_given: bool = False

    def rows_of_sets(self, frame: tuple[int, int], across: bool) -> int:
        """The rows of the image for sets: room also for those that lie near the left and the right border of a part.

        Images over rows have no such room, because no set is stored in them.

        Args:
            frame: (columns, rows) of the part.
            across: whether the part has not whole rows.
        """
        if not (self.sets and across) or self.over is Over.ROWS:
            return self.sets
        return self.sets + -(-4 * NEAR_COLUMNS * frame[1] // frame[0])


@dataclass(frozen=True, slots=True)
class Lookup:
    """A read-only table of a world, stored as an image.

    Args:
        name: the name of the table in passes, and of its image in GLSL.
        image: the GLSL image format.
    """

    name: str
    image: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The assignment of the units of work of a pass to invocations and work groups. The result does not depend on it.

    Args:
        file: the file in ``shaders/<rule>/`` that assigns cells to invocations, if the pass has several layouts:
            ``cpu/lines`` is ``shaders/<rule>/cpu/lines.glsl``. Layouts for software OpenGL only lie in ``cpu/``.
            Empty: the pass has one layout, in its own file.
        group: invocations in a work group, (x, y); None: the device's default.
        fetches: True if, on a processor, the pass first reads the texels that it will overwrite, to bring them into the
            cache.
        fours: True if, on a processor, the pass can load and store four cells of a row at once in the planes that it
            gathers; then these lie in buffers (`gpu.buffer_textures`).
        two_ticks: True if, on a processor, a run of the pass can compute two ticks of a world in which no other pass
            runs; see `Pass.ticks`.
        wide: True if the pass computes much for the columns beside its strip, which the neighbouring invocations
            compute, too. On a GPU an invocation then owns two columns.
    """

    file: str = ""
    group: tuple[int, int] | None = None
    fetches: bool = False
    fours: bool = False
    two_ticks: bool = False
    wide: bool = False


NEAR_ROWS = 2
"""The least rows on each side of a border between two parts of a world in which the labels of connected sets are
compared; `rows_near` of rules ``collapse`` and ``pressure`` says how many. Else a pass looks at the labels of cells at
most two rows away.
"""

NEAR_COLUMNS = 2
"""The columns on each side of a border between two parts of a world in which ranks compare the labels of connected
sets; for all rules, because within a tick no set gets cells in columns other than those it has.
"""

AHEAD = Scratch("line_ahead", Over.COLUMNS, "rg32ui")
"""The cells ahead of a part of a world (`world.domain.Part`) that several simulations compute, summed up. The first row
has a texel for each column of the part, with the state of the scan ahead of the column's foremost cell, and the word of
the cell ahead of it. The simulations exchange it; no pass writes it.
"""

STRETCHES = Scratch("stretches", Over.COLUMNS, "rg32ui", is_given=True)
"""The stretches of each column that a pass sums up (`cluster.stretches`), a row of texels for each; unused rows are 0.

The first word is a stretch of matter that moves down, the second one of matter that moves up: the number of its strips
in the upper 16 bits, the strip at its back in the lower.
"""

SUMS = Scratch("sums", Over.COLUMNS, "rg32ui")
"""For each stretch of a column (`STRETCHES`): its scan as one word, and the word of the cell at its back.

`AHEAD` is made of these.
"""

AHEAD_ACROSS = Scratch("row_ahead", Over.ROWS, "rg32ui")
"""As `AHEAD`, for each row of a part that has not whole rows."""

ROW_STRETCHES = Scratch("row_stretches", Over.ROWS, "rg32ui", is_given=True)
"""As `STRETCHES`, of rows: matter moves to the right, and to the left."""

ROW_SUMS = Scratch("row_sums", Over.ROWS, "rg32ui")
"""As `SUMS`, for the stretches of rows. `AHEAD_ACROSS` is made of these."""

Reach = tuple[int, int] | None
"""The farthest distance at which a pass reads: (columns, rows) of the gravity frame; None: `UNBOUNDED`."""

UNBOUNDED: Reach = None
"""The reach of a pass that scans a line or follows a body."""

Joined = Literal["", "tiles", "labels", "row_ends", "sums", "levels", "offers", "winners", "heats", "runs", "loads"]
"""The kinds of results on connected sets of cells that ranks join; see `Pass.joins`."""

OWN_CELLS: Reach = (0, 0)
"""The reach of a pass that reads only the cells that it changes."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One dispatch of one shader, ``shaders/<rule>/<name>.comp``; its twin is ``oracle.<rule>.<name>``.

    Args:
        rule: the name of the pass's rule.
        name: the name of the pass, its shader, its oracle function and its test.
        over: the unit of work of an invocation.
        reads: the planes that the pass only reads, by the names of `fields.PLANES`.
        gathers: the planes whose old state the pass reads and whose new state it writes completely (ping-pong).
        updates: the planes that the pass changes in place; each invocation changes only its own cells.
        writes, takes: the scratch that the pass fills, and the scratch that it reads.
        refines: the scratch that several invocations change in place, by atomic operations; the result does not depend
            on their order.
        looks_up: the tables that the pass reads.
        counts: the ledger entries that the pass adds to, by name; ``moved``: the units of a mixture that it moves, of
            which no ledger is kept.
        repeats: the parameter of the rule that gives the number of runs in a tick. Passes with the same parameter take
            turns, and the rate of an emitter or drain is divided among the runs.
        times: the number of runs in a tick, if no parameter gives it.
        ticks: the number of ticks that one run computes, 1 or 2; see `of_two_ticks`.
        before: the pass of the rule before each of whose runs this pass runs; both have the same `times`. Empty: the
            runs of the pass follow each other.
        measures: True if the pass also binds the image ``moved``, in which each strip stores the units it moved.
        marks_active: True if the pass records the last tick with possible motion.
        activated_by: names the function ``activate_<activated_by>(tile)`` in ``shaders/<rule>/activate.glsl``, which
            tests whether a tile is awake. The pass runs on awake tiles only; on others it would change nothing. For a
            pass over segments the function returns the pairs of rows of the tile that the pass must visit, one bit
            each. Empty: the pass runs everywhere.
        tests_tiles: True if on a GPU each group of the pass tests whether its tile is awake, so that no dispatch lists
            the tiles before the pass (`gpu.tiles`). Passes that share a list agree in this.
        layout: the assignment of the units of work to invocations and work groups.
        analysis_only: True if the pass only finds the tiles in which other passes have work. Such a pass changes no
            state and has no twin.
        wakes: the rule in whose tiles the pass runs; the pass may set tile flags there. Empty: the pass's own rule.
        also_wakes: another rule, in whose tiles the pass notes the cells that it has changed, where such tiles can
            sleep. Empty: none.
        matter: the kind of cell that the pass is compiled for, as the name of a rule. The pass runs only in worlds with
            that rule; ``shaders/<rule>/of_<matter>.glsl`` describes such cells, and ``tiles_of_<matter>.glsl``
            their sleep if tiles sleep. Empty: one pass for all kinds.
        amounts: how the pass treats the amounts of a world with atoms and water by mass, or with atoms and a mixture
            (`laws.amounts_beside_atoms`). ``sees``: the pass reads which cells hold amounts, and leaves them there.
            ``moves``: where the pass changes the contents of two cells, the amounts go along, or the pass makes and
            uses up water. Empty: the pass does not look at amounts.
        needs: kinds of matter, names in `Rule.kinds`. In a world that can have none of them the pass would change
            nothing, and does not run. Empty: it always runs.
        beside: another rule; the pass runs only in worlds that have it, too. Empty: in all worlds with the pass's rule.
        reads_there, updates_there: further planes that the pass reads, or changes in place, in worlds that have them.
        counts_there: further ledger entries that the pass adds to in worlds with a plane of ``updates_there``.
        if_obstacles_change: True if the pass runs only in worlds in which the cells change that no amount can enter.
        for_each: a kind of flow of a mixture, such as ``pressure``; the pass runs once for each layer with such a flow.
            Passes with the same value that follow each other all run for one layer, then for the next. Empty: one run.
        reach: (columns, rows) of the gravity frame: the farthest cell on which the result in a cell depends. For
            scratch with one word a strip, and for tile flags, the distance counts from the strip or the tile.
        rows: of a pass of unbounded reach: the rows of gravity's frame beside a cell on which the result depends, if
            what lies ahead of the part's columns is known (`looks_ahead`). None: no number of rows is enough.
        columns: the same of columns, in a world that several columns of ranks share. None: no number of columns is
            enough.
        looks_ahead: the scratch that the pass also takes in a part of a world, because it scans whole columns: the
            state of the scan ahead of each column of the part. Or, over rows, in a part that has not whole rows. None:
            it scans none.
        sums_up: "down" or "up" if the pass sums up the strips or stretches of columns in which matter moves down or up;
            it runs only in a part of a world. "across" if it sums up those of rows; it runs only in a part that has not
            whole rows. "" in other passes.
        only_in_part: True for another pass that runs only in a part of a world.
        only_across: True for a pass that runs only in a part that has not whole rows.
        looks_across: the scratch that the pass also takes in a part that has not whole rows: what lies beyond each of
            its rows. None: the pass does not look there.
        port_reach: of a pass over emitters or drains: (columns, rows) of the gravity frame on each side of a port that
            the pass reads or changes besides the port's cells. Ports between which nothing is shared act at once.
        follows_sets: True if the pass follows connected sets of cells through any number of cells. In a part of a world
            the whole halo must be right before it, and what it changes is right in own cells only.
        joins: what the simulations of all parts join before the pass, of sets of cells that cross their borders:
            ``tiles``, whether it is time to look for them; ``labels``, those of one set in each part; ``runs``, what
            goes on from one part to another in columns; ``row_ends``, in rows; the others, what each part has stored of
            the sets. Empty: nothing.
    """

    rule: str
    name: str
    over: Over
    reads: tuple[str, ...] = ()
    gathers: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    writes: tuple[Scratch, ...] = ()
    takes: tuple[Scratch, ...] = ()
    refines: tuple[Scratch, ...] = ()
    looks_up: tuple[Lookup, ...] = ()
    counts: tuple[str, ...] = ()
    repeats: str | None = None
    times: int = 1
    ticks: int = 1
    before: str = ""
    measures: bool = False
    marks_active: bool = False
    activated_by: str = ""
    tests_tiles: bool = False
    layout: Layout = Layout()
    analysis_only: bool = False
    wakes: str = ""
    also_wakes: str = ""
    matter: str = ""
    amounts: Literal["", "sees", "moves"] = ""
    needs: tuple[str, ...] = ()
    beside: str = ""
    reads_there: tuple[str, ...] = ()
    updates_there: tuple[str, ...] = ()
    counts_there: tuple[str, ...] = ()
    if_obstacles_change: bool = False
    for_each: str = ""
    reach: Reach = UNBOUNDED
    rows: int | None = None
    columns: int | None = None
    looks_ahead: Scratch | None = None
    sums_up: Literal["", "down", "up", "across"] = ""
    only_in_part: bool = False
    only_across: bool = False
    looks_across: Scratch | None = None
    port_reach: tuple[int, int] = (0, 0)
    follows_sets: bool = False
    joins: Joined = ""

    def reach_along(self, axis: int) -> int | None:
        """The columns (axis 0) or rows (1) that a part of a world must know beyond a cell; None: no number is known."""
        return (self.columns, self.rows)[axis] if self.reach is None else self.reach[axis]

    @property
    def full_name(self) -> str:
        """``rule.pass``: the name of the pass in `rules.TICK`, times, traffic, traces and checks."""
        return f"{self.rule}.{self.name}"

    @property
    def lists_tiles(self) -> bool:
        """True if the awake tiles are listed for this pass, and not for an earlier pass whose list it shares."""
        return self.activated_by == self.name

    @property
    def tiled_by(self) -> str:
        """The name of the rule in whose tiles the pass works."""
        return self.wakes or self.rule

    @property
    def moves_atoms(self) -> bool:
        """True if the pass moves atoms, and with them the planes that atoms carry."""
        return ATOM_PLANE in (*self.gathers, *self.updates)

    def beside_amounts(self, plane: str) -> Self:
        """The pass for a world with atoms and amounts, which share no cell: it also binds the plane of the amounts.

        Args:
            plane: ``mass`` or ``mixture``.
        """
        if self.amounts == "sees":
            return replace(self, reads=(*self.reads, plane))
        if self.amounts == "moves" and ATOM_PLANE in self.gathers:
            return replace(self, gathers=(*self.gathers, plane))
        return replace(self, updates=(*self.updates, plane)) if self.amounts == "moves" else self

    def of_two_ticks(self) -> Self:
        """The pass that computes two ticks in one run; see `Layout.two_ticks`. It reads twice as far."""
        return replace(self, ticks=2, reach=self.reach and (2 * self.reach[0], 2 * self.reach[1]))

    def in_part(self, across: bool) -> Self:
        """The pass for a part of a world: if the lines that it scans go on beyond, it also takes what lies there.

        Args:
            across: whether the part has not whole rows.
        """
        beyond = (each for each in (self.looks_ahead, self.looks_across) if each)
        return replace(self, takes=(*self.takes, *(each for each in beyond if across or each.over is not Over.ROWS)))

    def with_planes(self, there: Collection[str]) -> Self:
        """The pass for a world with some planes: it also binds the planes of `reads_there` and `updates_there`.

        With a plane of `updates_there` it also counts the entries of `counts_there`.

        Args:
            there: the names of the planes of the world.
        """
        reads = tuple(name for name in self.reads_there if name in there)
        updates = tuple(name for name in self.updates_there if name in there)
        if not reads and not updates:
            return self
        counts = (*self.counts, *(self.counts_there if updates else ()))
        return replace(self, reads=(*self.reads, *reads), updates=(*self.updates, *updates), counts=counts)

    def gathered(self, carried: Iterable[str]) -> tuple[str, ...]:
        """The planes that need two textures: the pass reads their old state and writes their new state completely.

        Args:
            carried: the planes that atoms carry, which a pass that gathers the cells gathers too.
        """
        return tuple(dict.fromkeys((*self.gathers, *(carried if ATOM_PLANE in self.gathers else ()))))

    def updated(self, carried: Iterable[str]) -> tuple[str, ...]:
        """The planes that the pass changes in place.

        Args:
            carried: the planes that atoms carry, which a pass that changes the cells in place changes too.
        """
        return tuple(dict.fromkeys((*self.updates, *(carried if ATOM_PLANE in self.updates else ()))))

    def image_names(self, carried: Iterable[str]) -> tuple[str, ...]:
        """The names of the images that the shader binds, in order; a ping-pong pair is ``<name>_old``, ``<name>_new``.

        Args:
            carried: the planes that atoms carry, which a pass that moves atoms binds too.
        """
        moved = list(carried) if self.moves_atoms else []
        tables = (*self.takes, *self.writes, *self.refines, *self.looks_up)
        return (
            *self.reads,
            *_both_parts(self.gathers),
            *self.updates,
            *(each.name for each in tables),
            *(_both_parts(moved) if ATOM_PLANE in self.gathers else moved),
            *(["moved"] if self.measures else []),
        )


def gathered_planes(passes: Iterable[Pass], carried: Iterable[str]) -> frozenset[str]:
    """The planes of a world that need two textures, because one of its passes gathers them.

    Args:
        passes: the passes of the world.
        carried: the planes that the world's atoms carry, by name.
    """
    carried = tuple(carried)
    return frozenset(name for pass_ in passes for name in pass_.gathered(carried))


def _both_parts(planes: Iterable[str]) -> list[str]:
    """The names of both images of each ping-pong pair."""
    return [f"{name}_{part}" for name in planes for part in ("old", "new")]
