"""Who is compared with what: the worlds, the programs, and a sentence on each of what is compared."""

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
        name: as the table has it.
        peer: its class, as ``module:name`` in this package; the module is imported when it is made.
        about: a sentence: what it does, and what it does not.
        law: the name of the entry whose cells it must hold after the same ticks, if it follows the same law as one.
        package: what to install for it.
    """

    name: str
    peer: str
    about: str
    law: str | None = None
    package: str = ""

    @property
    def is_ours(self) -> bool:
        """Whether it is gpufluid itself."""
        return self.name == OURS

    def make(self, world: World, threads: int) -> Peer:
        """The program, with this world. Raises: ImportError: its library is not installed."""
        module, _, name = self.peer.partition(":")
        return getattr(import_module(f"peers.{module}"), name)(world, threads)

    def problem(self, error: Exception) -> str:
        """What kept it from running, in a few words."""
        if isinstance(error, ModuleNotFoundError):
            return f"{error.name} is not installed (pip install {self.package})"
        return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


@dataclass(frozen=True, slots=True)
class Contest:
    """Programs that run the same world; the first is gpufluid.

    Args:
        name: the world and what is run of it.
        side: of the world where none is asked for, in cells.
        world: makes it, of a side.
        entries: the programs.
        unit: what is counted.
        most: so many of them at most are a stretch.
    """

    name: str
    side: int
    world: Callable[[int], World]
    entries: tuple[Entry, ...]
    unit: str = "ticks"
    most: int = 1000

    @property
    def ours(self) -> str:
        """The name of the entry that all are compared with."""
        return OURS

    def is_held_against(self, entry: Entry) -> bool:
        """Whether its cells are compared with another's, or another's with them."""
        return entry.law is not None or entry.name in {other.law for other in self.entries}

    def title(self, side: int) -> str:
        """Name and size."""
        return f"{self.name}, {side} x {side}"


def settling_world(side: int, ticks: int = 32) -> World:
    """The world of thirds after so many ticks, in the middle of its falling, sinking and piling."""
    with Simulation(thirds_world(side)) as running:
        running.step(ticks)
        return running.read()


NUMBA, TAICHI, WARP = "numba", "taichi", "warp-lang"
_PLAIN = "One random pass over 2x2 blocks a tick: an atom moves by a cell at most, no velocities, no levelling in runs."

CONTESTS = (
    Contest(
        "Rule flow, dense: every cell busy, a tenth walls",
        2048,
        dense_world,
        (
            Entry(OURS, "ours:Ticks", "Also sums up what moved, from which it knows when a world has settled."),
            Entry(
                "numba, rows",
                "numba_flow:Rows",
                "The same law by a careful hand: bands of rows in parallel, each outflow once, loops that vectorise.",
                OURS,
                NUMBA,
            ),
            Entry(
                "numba, plain gather",
                "numba_flow:Plain",
                "The same law as one writes it first: in parallel over rows, five outflows a cell.",
                OURS,
                NUMBA,
            ),
            Entry("Taichi", "taichi_rules:Flow", "The same law, over cells, five outflows a cell.", OURS, TAICHI),
            Entry(
                "Warp",
                "warp_rules:Flow",
                "The same law, a thread a cell, five outflows a cell; on a processor Warp has but one thread.",
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
                "The usual loop from the bottom up: a cell a tick, no velocities, and it depends on the loop's order.",
                None,
                NUMBA,
            ),
            Entry("numba, Margolus", "numba_sand:Margolus", _PLAIN, None, NUMBA),
            Entry("Taichi, Margolus", "taichi_rules:Margolus", "The same plain law.", "numba, Margolus", TAICHI),
            Entry(
                "Warp, Margolus",
                "warp_rules:Margolus",
                "The same plain law; on a processor Warp has but one thread.",
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
            Entry(OURS, "ours:Settle", "Each run is waited for. Also notes whether anything is active."),
            Entry(
                "numba, settle",
                "numba_settle:Settle",
                "The same law on the same words, rows of blocks in parallel; copies blocks in which nothing can move.",
                OURS,
                NUMBA,
            ),
        ),
        "passes",
        16,  # of this pass alone: after many, nothing would be left to settle
    ),
)
