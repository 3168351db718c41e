"""The contests: worlds, and the programs that are compared in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from measure import dense_world, thirds_world

from gpufluid import Simulation, World
from peers.turns import Peer

OURS = "gpufluid"


@dataclass(frozen=True, slots=True)
class Entry:
    """One program in a contest.

    Args:
        name: in the table.
        peer: class of the program, as ``module:name`` in this package; the module is imported by `make`.
        about: what the program does and leaves out; one or two sentences.
        law: name of the entry with the same law, whose cells it must reproduce; None: a law of its own.
        package: name of the package to install.
    """

    name: str
    peer: str
    about: str
    law: str | None = None
    package: str = ""

    @property
    def is_ours(self) -> bool:
        """True if the program is gpufluid."""
        return self.name == OURS

    def make(self, world: World, threads: int) -> Peer:
        """Make the program with a world. Raises: ImportError: its library is not installed."""
        module, _, name = self.peer.partition(":")
        return getattr(import_module(f"peers.{module}"), name)(world, threads)

    def problem(self, error: Exception) -> str:
        """Describe an error of the program in a few words."""
        if isinstance(error, ModuleNotFoundError):
            return f"{error.name} is not installed (pip install {self.package})"
        return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


@dataclass(frozen=True, slots=True)
class Contest:
    """Programs that run the same world; the first is gpufluid.

    Args:
        name: describes the world and what is run.
        side: default side of the world, in cells.
        world: makes the world from a side.
        entries: the programs.
        unit: of the counts: ``ticks`` or ``passes``.
        most: largest number of units in a turn.
    """

    name: str
    side: int
    world: Callable[[int], World]
    entries: tuple[Entry, ...]
    unit: str = "ticks"
    most: int = 1000

    @property
    def ours(self) -> str:
        """Name of the entry that all others are compared with."""
        return OURS

    def is_held_against(self, entry: Entry) -> bool:
        """True if the entry's cells are compared with another entry's."""
        return entry.law is not None or entry.name in {other.law for other in self.entries}

    def title(self, side: int) -> str:
        """The contest's name and the size of its world."""
        return f"{self.name}, {side} x {side}"


def settling_world(side: int, ticks: int = 32) -> World:
    """Make `thirds_world` after a number of ticks, while atoms fall, sink and pile up."""
    with Simulation(thirds_world(side)) as running:
        running.step(ticks)
        return running.read()


NUMBA, TAICHI, WARP = "numba", "taichi", "warp-lang"
_PLAIN = (
    "One random pass over 2x2 blocks a tick: an atom moves by one cell at most; no velocities, no levelling in runs."
)

CONTESTS = (
    Contest(
        "Rule flow, dense: every cell busy, a tenth walls",
        2048,
        dense_world,
        (
            Entry(OURS, "ours:Ticks", "Also counts moved mass, to detect when the world has settled."),
            Entry(
                "numba, rows",
                "numba_flow:Rows",
                "The same law, optimised: bands of rows in parallel, each outflow computed once, vectorised loops.",
                OURS,
                NUMBA,
            ),
            Entry(
                "numba, plain gather",
                "numba_flow:Plain",
                "The same law, straightforward: in parallel over rows, five outflows for each cell.",
                OURS,
                NUMBA,
            ),
            Entry(
                "Taichi",
                "taichi_rules:Flow",
                "The same law, in parallel over cells, five outflows for each cell.",
                OURS,
                TAICHI,
            ),
            Entry(
                "Warp",
                "warp_rules:Flow",
                "The same law, a thread for each cell, five outflows for each; on a processor Warp has one thread.",
                OURS,
                WARP,
            ),
        ),
    ),
    Contest(
        "Rule atoms, typical: a third sand, a third water, settling",
        1024,
        thirds_world,
        (
            Entry(OURS, "ours:Ticks", "A whole tick: velocities, up to 8 cells of movement, levelling in runs."),
            Entry(
                "numba, loop",
                "numba_sand:Loop",
                "The usual loop from the bottom up: a cell a tick, no velocities; results depend on the loop's order.",
                None,
                NUMBA,
            ),
            Entry("numba, Margolus", "numba_sand:Margolus", _PLAIN, None, NUMBA),
            Entry("Taichi, Margolus", "taichi_rules:Margolus", "The same plain law.", "numba, Margolus", TAICHI),
            Entry(
                "Warp, Margolus",
                "warp_rules:Margolus",
                "The same plain law; on a processor Warp has one thread.",
                "numba, Margolus",
                WARP,
            ),
            Entry(
                "Powderworld",
                "powderworld_sim:Powderworld",
                "Its own law of fourteen elements with wind and reactions, on a torus; a cell a tick.",
                None,
                "powderworld",
            ),
        ),
    ),
    Contest(
        "One pass of rule atoms: settle, in 2x2 blocks, of the typical world 32 ticks on",
        1024,
        settling_world,
        (
            Entry(OURS, "ours:Settle", "Waits for each call. Also marks active tiles."),
            Entry(
                "numba, settle",
                "numba_settle:Settle",
                "The same law on the same words, rows of blocks in parallel; copies blocks in which no atom can move.",
                OURS,
                NUMBA,
            ),
        ),
        "passes",
        16,  # more calls of this pass alone would leave no atom to move
    ),
)
