"""Worlds that ranks share, held against the same worlds in one process. A program for ``mpiexec``; see `ranked`.

Its arguments are names of `CASES`. Rank 0 makes the worlds and prints what differs; nothing else is printed. The tests
of tests/cluster run some cases, because each takes up to minutes, and of some only the first worlds: ``CASE:2``. After
a change of how ranks share a world run all:
``mpiexec --oversubscribe -n 4 python tests/support/shared_worlds.py CASE``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from support.shared_matter import (
    BODIES,
    BURNING,
    FLUIDS,
    HEAT,
    LADEN,
    LAYERS,
    MELTING,
    MIXED,
    POWDERS,
    REACTIONS,
    THAWING,
    THIN,
    WARM_PONDS,
    WASHED,
    WET,
    Case,
    at_rest,
    atoms_of,
    cooling,
    distant,
    edges_and_gravities,
    full_columns,
    golden,
    grid_of_water,
    grids_of_pools,
    mixed,
    pools_at_rest,
    rain_of_powder,
    scene,
    seams,
    stacks,
    strips_of,
    thin_shares,
    through_all,
    water,
    wet,
    wide_fluids,
)
from support.shared_sets import (
    laden_tubes,
    piles,
    pools,
    rafts,
    rubble,
    slabs,
    tubes,
    vessels,
    wide_rafts,
    wide_slabs,
    wide_vessels,
)

import gpufluid
from gpufluid import World, cluster
from gpufluid.cluster import pieces, ranks, simulation
from gpufluid.cluster.borders import Balance
from gpufluid.cluster.grid import Strips
from gpufluid.cluster.rank import RankSimulation
from gpufluid.core.errors import DeviceError
from gpufluid.core.fields import FIELDS
from gpufluid.world.laws import EDGES, GRAVITIES

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

CASES: dict[str, Callable[[], Iterator[Case]]] = {
    "dam_break": lambda: scene("dam_break", 1, 40),
    "fluids": lambda: atoms_of(FLUIDS),
    "layers": lambda: atoms_of(LAYERS, range(5, 8)),
    "bodies": lambda: atoms_of(BODIES, range(10, 13)),
    "tall": lambda: chain.from_iterable(
        atoms_of(kinds, range(first, first + 2), strips=45)
        for first, kinds in ((20, LAYERS), (24, BODIES), (28, FLUIDS))
    ),
    "stacks": stacks,
    "seams": seams,
    "powders": lambda: atoms_of(POWDERS),
    "atoms_awake": lambda: atoms_of(LAYERS, range(40, 43)),
    "atoms_in_strips": lambda: chain(stacks(), atoms_of((*LAYERS, *BODIES), range(43, 46))),
    "heat": lambda: chain(atoms_of(MELTING, range(50, 53), rules=HEAT), atoms_of(THAWING, range(56, 57), rules=HEAT)),
    "heat_tall": lambda: atoms_of(MELTING, range(60, 62), strips=45, rules=HEAT),
    "cooling": cooling,
    "deep_freeze": lambda: scene("deep_freeze", 1, 30, 90),
    "reactions": lambda: atoms_of(BURNING, range(70, 73), rules=REACTIONS),
    "hourglass": lambda: scene("hourglass", 1, 40, 150),
    "harbour": lambda: scene("harbour", 1, 20),
    "harbour_and_flood": lambda: chain(scene("harbour", 40, 100), scene("flood", 1, 40, 100)),
    "wet": lambda: chain.from_iterable(wet(luck, WET) for luck in range(80, 83)),
    "wet_with_inertia": lambda: chain.from_iterable(wet(luck, (*WET, "inertia")) for luck in range(85, 88)),
    "wet_reactions": lambda: chain.from_iterable(
        wet(luck, (*WET, "inertia", "heat", "reactions"), kinds=(*BURNING, "ice", "steam")) for luck in range(90, 93)
    ),
    "wet_tall": lambda: chain.from_iterable(
        wet(luck, (*WET, "inertia", "heat"), 45, (*WASHED, "steam")) for luck in range(95, 98)
    ),
    "rain_of_powder": rain_of_powder,
    "mixed": lambda: chain.from_iterable(mixed(luck) for luck in range(100, 103)),
    "mixed_in_cells": lambda: chain(full_columns(), *(mixed(luck) for luck in range(112, 115))),
    "mixed_awake": lambda: chain.from_iterable(mixed(luck) for luck in range(118, 121)),
    "mixed_among_atoms": lambda: chain.from_iterable(
        mixed(luck, rules)
        for luck, rules in enumerate((MIXED, MIXED, (*MIXED, "heat"), (*MIXED, *HEAT[1:], "reactions")))
    ),
    "full_columns": full_columns,
    "vessel": lambda: islice(vessels(), 1),
    "vessels": vessels,
    "ponds": lambda: chain.from_iterable(mixed(luck, ("mixture", "pressure")) for luck in range(300, 303)),
    "ponds_awake": lambda: chain.from_iterable(mixed(luck, ("mixture", "pressure")) for luck in range(316, 319)),
    "warm_vessels": lambda: vessels(WARM_PONDS),
    "warm_ponds": lambda: chain.from_iterable(
        mixed(luck, WARM_PONDS, kinds=("water", "steam", "ice", "empty")) for luck in range(322, 325)
    ),
    "moving_ponds": lambda: chain.from_iterable(mixed(luck, ("mixture", "pressure")) for luck in range(319, 322)),
    "tube": lambda: islice(tubes(), 1),
    "tubes": tubes,
    "pools": lambda: chain.from_iterable(pools(luck) for luck in range(330, 333)),
    "pools_among_others": lambda: chain.from_iterable(
        pools(350 + luck, (*others, "pressure")) for luck, others in enumerate((WET, MIXED, ("atoms", "collapse"), WET))
    ),
    "laden_tube": lambda: islice(laden_tubes(), 1),
    "laden_tubes": laden_tubes,
    "laden_pools": lambda: chain.from_iterable(pools(luck, kinds=LADEN) for luck in range(360, 363)),
    "laden_pools_tall": lambda: chain.from_iterable(pools(luck, strips=45, kinds=LADEN) for luck in range(380, 383)),
    "laden_pools_awake": lambda: chain.from_iterable(pools(luck, kinds=LADEN) for luck in range(366, 368)),
    "laden_pools_among_others": lambda: chain.from_iterable(
        pools(370 + luck, (*others, "pressure"), kinds=LADEN)
        for luck, others in enumerate((WET, (*MIXED, "heat"), (*WET, "heat"), ("atoms", "collapse")))
    ),
    "moving_laden_pools": lambda: chain.from_iterable(pools(luck, kinds=LADEN) for luck in range(368, 370)),
    "moving_pools": lambda: chain.from_iterable(pools(luck) for luck in range(346, 350)),
    "slabs": slabs,
    "slabs_in_strips": slabs,
    "rafts": rafts,
    "pieces": lambda: chain.from_iterable(rubble(luck) for luck in range(200, 203)),
    "pieces_among_powders": lambda: chain.from_iterable(
        rubble(luck, kinds=("sand", "gravel", "snow", "empty")) for luck in range(206, 209)
    ),
    "pieces_awake": lambda: chain.from_iterable(rubble(luck) for luck in range(212, 215)),
    "pieces_in_strips": lambda: chain.from_iterable(rubble(luck) for luck in range(216, 219)),
    "pieces_in_water": lambda: chain.from_iterable(rubble(luck, (*WET, "collapse")) for luck in range(220, 223)),
    "pieces_in_waves": lambda: chain.from_iterable(
        rubble(luck, (*WET, "inertia", "collapse")) for luck in range(240, 243)
    ),
    "warm_pieces_in_waves": lambda: chain.from_iterable(
        rubble(luck, (*WET, "inertia", "heat", "collapse"), strips=14) for luck in range(245, 248)
    ),
    "piles": piles,
    "pieces_in_mixture": lambda: chain.from_iterable(rubble(luck, (*MIXED, "collapse")) for luck in range(225, 228)),
    "moving_pieces": lambda: chain.from_iterable(rubble(luck) for luck in range(230, 233)),
    "moving_water": lambda: chain(
        edges_and_gravities(("flow",)), [(water(5, ("flow", "inertia"), "open", "down", 7), (1, 7, 24))]
    ),
    "moving_atoms": lambda: chain.from_iterable(wet(luck, (*WET, "inertia", "heat")) for luck in range(130, 133)),
    "moving_mixture": lambda: chain(*(mixed(luck) for luck in range(133, 136)), mixed(136, (*MIXED, "heat"), strips=9)),
    "warm_mixtures": lambda: chain.from_iterable(mixed(luck, (*MIXED, "heat")) for luck in range(140, 143)),
    "warm_mixtures_in_cells": lambda: chain.from_iterable(mixed(luck, (*MIXED, "heat")) for luck in range(145, 148)),
    "moving_rest": at_rest,
    "failing_moves": lambda: iter([(water(5, ("flow",), "wrap", "down", 7), (1, 24))]),
    "pools_at_rest": pools_at_rest,
    **{f"golden_{third}": partial(golden, third) for third in range(3)},
    "flow": lambda: edges_and_gravities(("flow",)),
    "inertia": lambda: (
        (water(luck, ("flow", "inertia"), EDGES[luck % 3], gravity, strips=4 + luck % 3), (1, 7, 24))
        for luck, gravity in enumerate(GRAVITIES)  # few, because each needs programs of its own
    ),
    "distant": lambda: chain.from_iterable(
        distant(rules, 15, range(20, 200, 9)) for rules in (("flow", "inertia"), ("mixture",))
    ),
    "distant_atoms": lambda: distant(("atoms",), 120, range(20, 600, 40)),
    "thin": thin_shares,
    "through": through_all,
    "rest": at_rest,
    "awake": lambda: (
        (water(luck, ("flow", "inertia"), "open", gravity, strips=5), (1, 7, 24))
        for luck, gravity in enumerate(("down", "left", "off"))
    ),
    "grid_of_water": lambda: grid_of_water(range(401, 403)),
    "grids_of_water": lambda: grid_of_water(range(403, 409)),
    "grids_of_pools": grids_of_pools,
    "grids_that_move": lambda: chain(
        grid_of_water(range(437, 439)),
        mixed(440, strips=4, across=3),
        atoms_of(POWDERS, range(441, 442), strips=3, across=6),
    ),
    "grid_of_powders": lambda: atoms_of(POWDERS, range(500, 501), strips=3, across=6),
    "grids_of_powders": lambda: atoms_of(POWDERS, range(501, 504), strips=3, across=6),
    "grids_of_powders_in_strips": lambda: atoms_of(POWDERS, range(505, 508), strips=3, across=6),
    "grids_of_bodies": lambda: atoms_of(BODIES, range(510, 513), strips=3, across=20),
    "grids_of_fluids": lambda: wide_fluids(("water", "smoke", "wall"), range(515, 518)),
    "grids_of_layers": lambda: wide_fluids(LAYERS, range(520, 523)),
    "grids_of_warm_powders": lambda: atoms_of(THAWING, range(525, 528), strips=3, across=6, rules=HEAT),
    "grids_of_reactions": lambda: wide_fluids(BURNING, range(531, 533), REACTIONS),
    "grids_of_wet": lambda: wide_fluids(WASHED, range(540, 542), (*WET, "inertia", "heat")),
    "grids_awake": lambda: chain(grid_of_water(range(418, 420)), mixed(419, strips=3, across=3)),
    "grid_of_mixtures": lambda: mixed(422, strips=3, across=3),
    "grids_of_mixed_atoms": lambda: mixed(600, MIXED, strips=1, across=54),
    "grids_of_mixtures": lambda: chain.from_iterable(mixed(luck, strips=3, across=3) for luck in range(423, 426)),
    "grid_of_vessels": lambda: wide_vessels((("mixture", "closed", "down"), ("mixture", "wrap", "left"))),
    "grid_of_tubes": lambda: wide_vessels((("atoms", "closed", "up"), ("atoms", "open", "right"))),
    "grids_of_ponds": lambda: chain.from_iterable(
        mixed(luck, ("mixture", "pressure"), strips=3, across=3) for luck in range(611, 614)
    ),
    "grids_of_warm_ponds": lambda: chain.from_iterable(
        mixed(luck, WARM_PONDS, strips=3, across=3, kinds=("water", "steam", "ice", "empty")) for luck in (622, 624)
    ),
    "grids_of_laden_pools": lambda: chain(
        pools(630, strips=3, across=3),
        *(pools(luck, strips=3, across=3, kinds=LADEN) for luck in (640, 642)),  # no torus: its halos would be wide
    ),
    "grid_of_slabs": lambda: wide_slabs((("closed", "down"),)),
    "grids_of_slabs": lambda: wide_slabs((("open", "left"), ("wrap", "up"), ("wrap", "right"))),
    "grids_of_pieces": lambda: chain.from_iterable(
        rubble(luck, strips=3, across=6, kinds=("sand", "gravel", "snow", "empty")) for luck in range(650, 655)
    ),
    "grid_of_rafts": lambda: wide_rafts(((WET, "closed", "down"),)),
    "grid_of_rafts_on_atoms": lambda: wide_rafts(((("atoms",), "closed", "down"), (("atoms",), "open", "left"))),
    "grids_of_rafts": lambda: wide_rafts(
        ((MIXED, "open", "left"), ((*WET, "inertia", "heat"), "closed", "up"), (WET, "open", "right"))
    ),
    "grids_of_rafts_on_a_torus": lambda: (  # halos are wide, so it takes minutes
        (world, (1, 3)) for world, _ in wide_rafts(((WET, "wrap", "down"),))
    ),
    "grids_of_piles": lambda: islice(piles(columns=60, rows=THIN * 32), 1, 2),
    "grids_of_pieces_in_water": lambda: chain(
        *(rubble(luck, (*WET, "collapse"), 3, edges="closed", across=3) for luck in (660, 661, 664)),
        rubble(662, (*WET, "inertia", "collapse"), 3, edges="open", across=3),
        rubble(663, (*MIXED, "collapse"), 3, edges="closed", across=3),
    ),
    "grids_of_moving_pieces": lambda: chain(
        rubble(670, strips=3, across=6, kinds=("sand", "snow", "empty")),
        rubble(671, (*WET, "collapse"), 3, edges="closed", across=6),
    ),
    "grids_of_pieces_awake": lambda: chain(
        rubble(675, strips=3, across=6, kinds=("sand", "snow", "empty")),
        rubble(676, (*WET, "inertia", "heat", "collapse"), 3, edges="open", across=3),
    ),
    "grids_of_pieces_in_strips": lambda: rubble(680, strips=3, across=6, kinds=("sand", "snow", "empty")),
    "grids_of_pieces_and_pools": lambda: chain.from_iterable(
        pools(luck, (*others, "pressure"), strips=3, across=3, kinds=LADEN)
        for luck, others in ((685, ("atoms", "collapse")), (687, (*WET, "collapse")))
    ),
    "grids_of_mixtures_in_cells": lambda: chain.from_iterable(
        mixed(luck, strips=3, across=3) for luck in range(434, 438)
    ),
}


class RandomBorders(Balance):
    """Moves borders at random before every fifth tick; alike on all ranks."""

    def __init__(self) -> None:
        super().__init__()
        self._rng = np.random.default_rng(1)
        self.moves = self.refusals = 0

    def due(self) -> bool:
        return self._rng.random() < 0.2

    def decide(self, strips: Strips, busy: np.ndarray) -> Strips | None:
        assert busy.shape == (len(strips[1]), len(strips[0]))
        return self._divided(strips[0]), self._divided(strips[1])

    def _divided(self, strips: tuple[int, ...]) -> tuple[int, ...]:
        cuts = sorted(self._rng.choice(np.arange(1, sum(strips)), len(strips) - 1, replace=False).tolist())
        return tuple(np.diff([0, *cuts, sum(strips)]).tolist())

    def moved(self, seconds: float) -> None:
        assert seconds > 0
        self.moves += 1

    def refused(self) -> None:
        self.refusals += 1


class FailingParts(RankSimulation):
    """Rank 1 has no memory for the part that it would have after a move of borders."""

    made = 0

    def __init__(self, *given: Any) -> None:
        FailingParts.made += 1
        if given[1].rank == 1 and FailingParts.made > 1:
            raise DeviceError("not enough memory")
        super().__init__(*given)


HOW: dict[str, dict[str, Any]] = {
    "moving_water": {"balance": RandomBorders},
    "moving_atoms": {"balance": RandomBorders},
    "moving_mixture": {"balance": RandomBorders},
    "moving_rest": {"balance": RandomBorders},
    "moving_pieces": {"balance": RandomBorders},
    "moving_ponds": {"balance": RandomBorders},
    "moving_pools": {"balance": RandomBorders},
    "laden_pools_awake": {"sleeping": False},
    "moving_laden_pools": {"balance": RandomBorders},
    "ponds_awake": {"sleeping": False},
    "pieces_awake": {"sleeping": False},
    "pieces_in_strips": {"variant": "strips"},
    "slabs_in_strips": {"variant": "strips"},
    "failing_moves": {"balance": RandomBorders},
    "awake": {"sleeping": False},
    "atoms_awake": {"sleeping": False},
    "atoms_in_strips": {"variant": "strips"},
    "mixed_in_cells": {"variant": "single"},
    "warm_mixtures_in_cells": {"variant": "single"},
    "mixed_awake": {"sleeping": False},
    "grids_of_mixtures_in_cells": {"variant": "single"},
    "grids_awake": {"sleeping": False},
    "grids_of_powders_in_strips": {"variant": "strips"},
    "grids_that_move": {"balance": RandomBorders},
    "grids_of_moving_pieces": {"balance": RandomBorders},
    "grids_of_pieces_awake": {"sleeping": False},
    "grids_of_pieces_in_strips": {"variant": "strips"},
}
"""Further arguments of a shared simulation, by the name of the case."""

GRIDS = {2: (1, 2), 3: (1, 3), 4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""The grids of ranks, by their number, in cases whose name begins with ``grid``."""


def how_of(name: str, ranks: int) -> dict[str, Any]:
    """Further arguments of a shared simulation in a case on so many ranks."""
    return HOW.get(name, {}) | ({"ranks": GRIDS[ranks]} if name.startswith("grid") else {})


Answers = dict[str, object]
"""What a simulation answers, by what it was asked."""


def of_all(sim: gpufluid.Simulation | cluster.Simulation) -> Answers:
    """The answers that each rank has."""
    return {
        "digest": sim.digest(),
        "ledgers": dict(sim.ledgers),
        "statistics": sim.statistics(),
        "counts": sim.counts(),
        "activity": sim.activity() if sim.blank.has_amounts else None,
        "settled": sim.settled,
        "tick": sim.tick,
    }


def of_first(shared: cluster.Simulation, window: tuple[tuple[int, int], tuple[int, int]]) -> Answers:
    """The answers that rank 0 has, of which one is about a window: ((column, row), (width, height)) in cells."""
    part, frame = shared.read_window(*window), shared.frame("1/2")
    return {
        "read": shared.read(),
        "read_window": None if part is None else {name: array.tolist() for name, array in part.items()},
        "frame": None if frame is None else frame.tolist(),
    }


def wanted_of_first(alone: gpufluid.Simulation, window: tuple[tuple[int, int], tuple[int, int]]) -> Answers:
    """What `of_first` is to return."""
    (x, y), (width, height) = window
    world = alone.read()
    cells = slice(y, y + height), slice(x, x + width)
    arrays = world.complete_arrays().items()
    part = {name: array[(slice(None), *cells) if FIELDS[name].layered else cells].tolist() for name, array in arrays}
    return {"read": world, "read_window": part, "frame": alone.frame("1/2").tolist()}


def differences(
    comm: Comm,
    world: World | None,
    ticks: tuple[int, ...],
    rests: bool,
    asks_first: bool = True,
    **how: Any,
) -> list[str]:
    """Compare a shared world with the same one in one process. Rank 0 compares; the others return no difference.

    Args:
        comm: the communicator of the ranks that share it.
        world: the world, on rank 0; None on the others.
        ticks: the numbers of ticks after which answers are compared.
        rests: whether the world must be settled from the first of these on.
        asks_first: whether what only rank 0 answers is compared, too.
        how: further arguments of the shared simulation.
    """
    found: list[str] = []
    how = {name: value() if name == "balance" else value for name, value in how.items()}
    with cluster.Simulation(world, comm, **how) as shared:
        alone = None if world is None else gpufluid.Simulation(world)
        ranks.meet_asleep(comm)  # what rank 0 does alone takes as long as all else
        width, height = shared.blank.width, shared.blank.height
        window = (width // 5, height // 3), (max(1, width // 2), max(1, height // 2))
        done = 0
        for tick in ticks:
            shared.step(tick - done)
            every = comm.gather(of_all(shared))
            first = of_first(shared, window) if asks_first else {}
            if alone is None:
                found += [f"rank {shared.rank} has {name}" for name, answer in first.items() if answer is not None]
            else:
                assert every is not None
                alone.step(tick - done)
                wanted, wanted_of_one = of_all(alone), wanted_of_first(alone, window) if asks_first else {}
                wrong = [
                    f"{name} of rank {rank}"
                    for rank, answers in enumerate(every)
                    for name in wanted
                    if answers[name] != wanted[name]
                ]
                wrong += [name for name in wanted_of_one if first[name] != wanted_of_one[name]]
                wrong += ["not settled"] if rests and not wanted["settled"] else []
                found += [f"{world!r} on {shared.ranks} ranks after {tick} ticks: {name}" for name in wrong]
            ranks.meet_asleep(comm)
            done = tick
        if alone is not None:
            alone.close()
        if "balance" in how:
            moved, refused = how["balance"].moves > 0, how["balance"].refusals > 0
            if (moved, refused) != ((False, True) if simulation.RankSimulation is FailingParts else (True, False)):
                found.append(f"{world!r}: borders have moved: {moved}; have been refused: {refused}")
    return found


def main(every: Comm, words: list[str]) -> None:
    """Hold the worlds of the named cases against one process each."""
    pieces.PIECE = 1000  # so that each array is sent in several
    first = every.rank == 0
    for word in words:
        name, _, most = word.partition(":")
        cases = list(islice(CASES[name](), int(most) if most else None)) if first else []
        FailingParts.made = 0
        simulation.RankSimulation = FailingParts if name == "failing_moves" else RankSimulation
        ranks.meet_asleep(every)
        told = every.bcast([(ticks, strips_of(world)) for world, ticks in cases])
        worlds = [world for world, _ in cases] if first else [None] * len(told)
        is_golden = name.startswith("golden")  # many scenes, of which digests and ledgers are compared
        for place, (world, (ticks, strips)) in enumerate(zip(worlds, told, strict=True)):
            number = min(2 + place % (every.size - 1), strips) if is_golden else every.size
            some = every.Split(int(every.rank >= number))
            if every.rank < number:
                rests, how = name.endswith("rest"), how_of(name, number)
                for wrong in differences(some, world, ticks, rests, asks_first=not is_golden, **how):
                    print(wrong, flush=True)
            ranks.meet_asleep(every)
            some.Free()


if __name__ == "__main__":
    from mpi4py import MPI

    ranks.end_all_at_an_error(MPI.COMM_WORLD)
    main(MPI.COMM_WORLD, sys.argv[1:])
