"""Pictures of worlds that ranks share, held against those of one process. A program for ``mpiexec``; see `ranked`.

Its arguments are names of `CASES`. Rank 0 makes the worlds and prints what differs; nothing else is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from support.shared_matter import HEAT, MIXED, WET, atoms, mixed, water, wet
from support.shared_worlds import RandomBorders, how_of

import gpufluid
from gpufluid import World, cluster
from gpufluid.cluster import drawing, pieces, ranks
from gpufluid.world.laws import EDGES, GRAVITIES

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

How = dict[str, Any]
"""The arguments of `Simulation.frame`."""

Case = tuple[World, int, Sequence[How]]
"""A world, the number of ticks after which it is drawn, and the pictures."""

GASES = ("smoke", "steam", "fire", "water", "sand", "wall", "lava", "ember")
"""Materials that are drawn beyond their own cells, and some that are not."""

FEW_PIXELS = 3000
"""The most cells of a band in a case that draws in many."""


def looks(world: World) -> list[How]:
    """Pictures of a world at all kinds of scales, in all looks, of all of it and of parts."""
    width, height = world.width, world.height
    part = width // 5, height // 3, max(1, width // 2), max(1, height // 2)
    return [
        {},
        {"scale": 4},
        *({"scale": f"1/{cells}"} for cells in (2, 3, 4, 7, 64)),
        {"theme": "night"},
        {"theme": "night", "scale": "1/5"},
        {"background": "#3070e0", "scale": "1/3"},
        {"crop": part},
        {"crop": part, "scale": 3},
        {"crop": (0, height // 2, width, 1), "scale": "1/64"},
        {"crop": (width - 1, 0, 1, height), "scale": 2, "theme": "night"},
        {"size": (2 * width + 11, 2 * height)},
        {"size": (width + 5, height + 7)},
        {"size": (width // 2 + 1, 40), "crop": part, "theme": "night"},
    ]


def overlays(world: World, *names: str) -> list[How]:
    """Pictures of a world with each of these overlays."""
    half = 0, 0, max(1, world.width // 2), world.height
    how: list[How] = [{}, {"scale": 3, "crop": half}, {"scale": "1/5", "background": "#3070e0"}]
    return [{"overlay": name, **each} for name in names for each in how]


def of_water() -> Iterator[Case]:
    """Water by mass, with all edges and directions of gravity."""
    for luck in range(15):
        gravity, edges = GRAVITIES[luck % 5], EDGES[luck % 3]
        world = water(luck, ("flow",), edges, gravity, strips=5 + luck % 2)
        yield world, 3, looks(world) if luck < 5 else looks(world)[luck % 3 :: 3]


def of_gases(worlds: range, strips: int, rules: tuple[str, ...] = ("atoms", "heat")) -> Iterator[Case]:
    """Atoms among which are gases, flames and light, with all edges and directions of gravity."""
    for luck in worlds:
        gravity, edges = GRAVITIES[luck % 5], EDGES[luck % 3]
        world = atoms(luck, GASES, edges, gravity, strips, rules)
        yield world, 3, looks(world)[luck % 2 :: 2]


def of_all() -> Iterator[Case]:
    """A world of most rules, and its overlays."""
    rules = (*WET, "inertia", "heat", "reactions")
    names = "mass", "speed", "flow", "temperature", "pressure", "latent", "blocks", "integrity", "age"
    for world, _ in wet(201, rules, 8, GASES, "left", "wrap"):
        yield world, 3, [*looks(world)[1::2], *overlays(world, *names), {"tint": False}]


def of_mixtures() -> Iterator[Case]:
    """Mixtures, alone and among atoms, and their overlays."""
    for luck in (300, 301, 302, 303):
        for world, _ in mixed(luck):
            yield world, 3, [*looks(world)[luck % 2 :: 2], *overlays(world, "total", world.mixture.names[0])]
    for world, _ in mixed(304, (*MIXED, *HEAT[1:])):
        yield world, 3, [*looks(world)[::2], *overlays(world, "total", "speed")]


CASES: dict[str, Callable[[], Iterator[Case]]] = {
    "short": lambda: ((world, 3, looks(world)) for world in [water(1, ("flow",), "open", "left", 4)]),
    "water": of_water,
    "gases": lambda: chain(of_gases(range(3), 6), of_gases(range(3, 5), 30, ("atoms",))),
    "turned_gases": lambda: of_gases(range(5, 11), 6, ("atoms",)),
    "all": of_all,
    "mixtures": of_mixtures,
    "grids": lambda: chain(
        (
            (world, 3, looks(world))
            for luck in range(30, 35)
            for world in [water(luck, ("flow",), EDGES[luck % 3], GRAVITIES[luck % 5], 3, across=3)]
        ),
        ((world, 3, looks(world)) for luck in (310, 311) for world, _ in mixed(luck, strips=3, across=3)),
    ),
    "bands": lambda: chain(
        of_gases(range(20, 22), 9, ("atoms",)),
        ((world, 2, looks(world)) for world in [water(22, ("flow",), "wrap", "right", 9)]),
        ((world, 2, [*looks(world)[::2], *overlays(world, "total", "water")]) for world, _ in mixed(301)),
    ),
    "moving": lambda: chain(
        of_gases(range(23, 25), 16, ("atoms",)),
        ((world, 20, looks(world)) for world in [water(25, ("flow",), "open", "up", 9)]),
    ),
}


def differences(
    comm: Comm, world: World | None, ticks: int, pictures: Sequence[How], moving: bool, **how: Any
) -> list[str]:
    """Compare pictures of a shared world with those of one process. Rank 0 compares; the others return no difference.

    Args:
        comm: the communicator of the ranks that share it.
        world: the world, on rank 0; None on the others.
        ticks: the number of ticks before it is drawn.
        pictures: the arguments of each picture.
        moving: whether borders move at random, between the ticks.
        how: further arguments of the shared simulation.
    """
    found: list[str] = []
    borders = RandomBorders() if moving else None
    with cluster.Simulation(world, comm, balance=borders, **how) as shared:
        shared.step(ticks)
        for more in (0, 10) if moving else (0,):
            shared.step(more)
            drawn = [shared.frame(**picture) for picture in pictures]
            if world is None:
                found += [f"rank {shared.rank} has a picture" for each in drawn if each is not None]
            else:
                with gpufluid.Simulation(world) as alone:
                    alone.step(ticks + more)
                    for drawing_of, picture in zip(pictures, drawn, strict=True):
                        wanted = alone.frame(**drawing_of)
                        assert picture is not None
                        if picture.shape != wanted.shape:
                            found.append(
                                f"{world!r} on {shared.ranks} ranks, {drawing_of}: {picture.shape}, {wanted.shape}"
                            )
                        elif not np.array_equal(picture, wanted):
                            wrong = np.argwhere((picture != wanted).any(axis=2))
                            found.append(
                                f"{world!r} on {shared.ranks} ranks, {drawing_of}: {len(wrong)} pixels, {wrong[0]}"
                            )
            ranks.meet_asleep(comm)  # what rank 0 does alone takes as long as all else
    if borders is not None and not borders.moves:
        found.append(f"{world!r}: no border has moved")
    return found


def main(every: Comm, words: list[str]) -> None:
    """Hold the pictures of the named cases against those of one process."""
    pieces.PIECE = 1000  # so that each array is sent in several
    usual = drawing.BAND
    for name in words:
        drawing.BAND = FEW_PIXELS if name == "bands" else usual
        cases = list(CASES[name]()) if every.rank == 0 else []
        ranks.meet_asleep(every)
        told = every.bcast([(ticks, pictures) for _, ticks, pictures in cases])
        worlds = [world for world, _, _ in cases] if cases else [None] * len(told)
        for world, (ticks, pictures) in zip(worlds, told, strict=True):
            for wrong in differences(every, world, ticks, pictures, name == "moving", **how_of(name, every.size)):
                print(wrong, flush=True)
    drawing.BAND = usual


if __name__ == "__main__":
    from mpi4py import MPI

    ranks.end_all_at_an_error(MPI.COMM_WORLD)
    main(MPI.COMM_WORLD, sys.argv[1:])
