"""The words in which a pass is declared: what it shares out, what it reads and changes. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

LINE_STRIP = 32
"""Cells of a column or row that one invocation owns, and that a word of scratch over columns sums up."""

PATCH = 4
"""Columns of a tile that one invocation owns."""

SEGMENT = 16
"""Cells of a row in which one thing is found."""

MOVED = "rg32ui"
"""The format of the image in which each strip says what it moved: a count of 64 bits, the low word first."""


class Over(Enum):
    """What the invocations of a pass share out among them."""

    STRIPS = "strips of cells, one an invocation"
    CELLS = "one invocation a cell"
    PAIRS = "pairs of cells of a column: each invocation owns its pair"
    TRIPLES = "triples of cells of a row: each invocation owns its triple"
    BLOCKS = "2x2 blocks: each invocation owns its block"
    COLUMNS = "strips of a column of gravity's frame, one an invocation"
    ROWS = "strips of a row of gravity's frame, one an invocation"
    SEGMENTS = "segments of every other row of gravity's frame, one an invocation"
    WHOLE_COLUMNS = "columns of gravity's frame, one an invocation"
    WHOLE_ROWS = "rows of gravity's frame, one an invocation"
    BLOCK_COLUMNS = "columns of 2x2 blocks of gravity's frame, one an invocation"
    TILES = "tiles of gravity's frame, a row of one an invocation"
    PATCHES = "tiles of gravity's frame, some columns of one an invocation"
    EMITTERS = "the cells of one emitter: one dispatch an emitter that acts"
    DRAINS = "the cells of one drain: one dispatch a drain that acts"

    @property
    def serves_ports(self) -> bool:
        """Whether it is over the cells of emitters or drains, and not over those of the world."""
        return self in (Over.EMITTERS, Over.DRAINS)


@dataclass(frozen=True, slots=True)
class Scratch:
    """What one pass of a tick leaves on the device for another: a texel an invocation, no part of the state.

    Args:
        name: as passes name it, and its image in GLSL.
        over: it has a texel for each invocation of a pass over these.
        image: its GLSL image format.
    """

    name: str
    over: Over
    image: str = "r32ui"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A table of a world that passes look things up in and none changes.

    Args:
        name: as passes name it, and its image in GLSL.
        image: its GLSL image format.
    """

    name: str
    image: str


@dataclass(frozen=True, slots=True)
class Pass:
    """One dispatch of one shader, ``shaders/<rule>/<name>.comp``; its twin is ``oracle.<rule>.<name>``.

    Args:
        rule: the rule it belongs to.
        name: its name, in all places.
        over: what is shared out.
        reads: planes that it only reads, by the names of `cell.PLANES`.
        gathers: planes of which it reads the old state and writes every cell of the new one (ping-pong).
        updates: planes that it changes in place, each invocation its own cells.
        writes, takes: scratch that it fills, and that it uses.
        refines: scratch that it changes in place, also where another invocation does, by atomic operations whose order
            does not show in the end.
        looks_up: tables that it reads.
        counts: the ledger entries it adds to, by name.
        repeats: the whole-number parameter of the rule that says how often it runs in a tick. Passes that share it
            run by turns, and the rate of an emitter or drain is shared out among the substeps.
        times: how often it runs in a tick, if no parameter says it.
        measures: whether it also binds the image ``moved``, in which each strip says what it moved; over strips only.
        stirs: whether it notes the tick in which it found anything that moves or could.
        rouses: the name of the pass by whose ``rouse_<name>`` in ``shaders/<rule>/rouse.glsl`` the tiles are known that
            are awake; it runs over those only, for in all others it would change nothing. Empty: over all.
        way: the file below ``shaders/<rule>/`` that shares the pass out among invocations, where there are several.
        strip: (columns, rows) of the cells that an invocation owns, and
        group: invocations in a group, (x, y), of a way that wants others than suit the device.
        fetches: whether on a processor it also reads what it is about to overwrite: by then that lies in the cache.
        scouts: whether it only finds out where others have work: it changes no state and has no twin.
        wakes: another rule, which its changes wake: it works in the tiles of that one, and notes things there; empty:
            it has its rule's own.
        matter: of a pass that runs for one kind of cell or another, the rule whose kind this is: it runs only in worlds
            with that rule, and ``shaders/<rule>/of_<matter>.glsl`` says what it must know of such cells.
        for_each: the flow of a mixture's materials, such as ``pressure``, for each layer with which it runs once more:
            it and those passes beside it in the tick that do so too, all of them for one layer before the next.
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
    measures: bool = False
    stirs: bool = False
    rouses: str = ""
    way: str = ""
    strip: tuple[int, int] | None = None
    group: tuple[int, int] | None = None
    fetches: bool = False
    scouts: bool = False
    wakes: str = ""
    matter: str = ""
    for_each: str = ""

    @property
    def tiled_by(self) -> str:
        """The rule whose tiles it works in, where tiles sleep."""
        return self.wakes or self.rule

    @property
    def moves_atoms(self) -> bool:
        """Whether it moves atoms, with whatever they carry."""
        return "cells" in (*self.gathers, *self.updates)
