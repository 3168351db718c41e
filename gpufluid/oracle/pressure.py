"""The NumPy twin of rule ``pressure``: every pass bit for bit as ``shaders/pressure/`` computes it.

What it leaves for its next pass lies in ``world.scratch``, [row, column] of gravity's frame: ``labels``, uint32;
``surfaces``, bool; ``sources`` and ``sinks``, uint32, offers at the first cell of each body.
"""

from __future__ import annotations

import numpy as np

from gpufluid.hashing import keyed, pcg4d
from gpufluid.materials import State
from gpufluid.oracle.atoms.cells import TRAVELLING, Cells, Matter
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.rules.pressure import LOT_FACTORS
from gpufluid.world import World

HALF = 0xFFFF


def label(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Give each cell of a liquid at rest its own number, 1 and its place along the rows; 0 to all others."""
    there = liquid(world) != 0
    places = np.arange(1, there.size + 1, dtype=np.uint32).reshape(there.shape)
    world.scratch["labels"] = np.where(there, places, np.uint32(0))
    return Tally()


def unite(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Link all cells that touch one of the same liquid, until every body hangs together."""
    kinds, labels = liquid(world), world.scratch["labels"]
    links = np.arange(labels.size + 1, dtype=np.uint32)  # by number; 0 links to itself
    pairs = [_touching(kinds, labels, axis, world.edges == "wrap") for axis in (0, 1)]
    one, other = (np.concatenate(part) for part in zip(*pairs, strict=True))
    while len(one):
        ends = links[one], links[other]
        np.minimum.at(links, np.maximum(*ends), np.minimum(*ends))
        links = _followed(links)
        apart = links[one] != links[other]
        one, other = one[apart], other[apart]
    world.scratch["labels"] = links[labels]
    return Tally()


def flatten(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Of each body every cell has the smallest number already; say which cells are open surfaces."""
    labels = world.scratch["labels"]
    world.scratch["surfaces"] = (labels != 0) & is_open(world)
    world.scratch["sources"], world.scratch["sinks"] = np.zeros_like(labels), np.zeros_like(labels)
    return Tally()


def offer(world: World, call: Call) -> Tally:
    """Let each open surface cell offer to give and to take; of each body the highest and the lowest win."""
    rows, columns = np.nonzero(world.scratch["surfaces"] & is_open(world))
    bodies = world.scratch["labels"][rows, columns] - 1
    giving, taking = lots_of(columns, world, call)
    np.maximum.at(world.scratch["sources"].reshape(-1), bodies, ((HALF - rows) << 16 | giving).astype(np.uint32))
    np.maximum.at(world.scratch["sinks"].reshape(-1), bodies, (rows << 16 | taking).astype(np.uint32))
    return Tally()


def transfer(world: World, call: Call) -> Tally:
    """Let the winner of each body give its atom to the cell above the one that takes, if that is low enough."""
    cells, labels, surfaces = Cells.of(world), world.scratch["labels"], world.scratch["surfaces"]
    giving, taking = (_by_lot(lots, world.scratch["labels"].shape[1]) for lots in _all_lots(world, call))
    sources, sinks = (world.scratch[name].reshape(-1) for name in ("sources", "sinks"))
    wrap, count = world.edges == "wrap", labels.shape[0]
    for body in np.flatnonzero(sources).tolist():
        source, sink = int(sources[body]), int(sinks[body])
        sources[body] = sinks[body] = 0
        (row, column) = HALF - (source >> 16), giving[source & HALF]
        (low, lower) = sink >> 16, taking[sink & HALF]
        if low - row < world.fixed("pressure")["least_drop"]:
            continue
        over, under = ((low - 1) % count, lower), ((row + 1) % count, column)
        _exchange(cells, (row, column), over)
        labels[row, column], surfaces[row, column], surfaces[low, lower] = 0, False, False
        labels[over], surfaces[over] = body + 1, True
        if (wrap or row + 1 < count) and labels[under] == body + 1:
            surfaces[under] = True
    cells.write(world)
    return Tally()


def liquid(world: World) -> np.ndarray:
    """[row, column]: the liquid that rests in each cell of the frame, by its number; 0 where there is none."""
    cells, matter = Cells.of(world), Matter(world)
    rests = (matter.state[cells.material] == State.LIQUID) & (matter.pull[cells.material] > 0) & (cells.along == 0)
    return np.where(rests, cells.material, 0)


def is_open(world: World) -> np.ndarray:
    """[row, column] bool: whether the cell above each of the frame is of the world, and empty."""
    empty = Cells.of(world).material == 0
    above = np.roll(empty, 1, axis=0)
    if world.edges != "wrap":
        above[0] = False
    return above


def lots_of(columns: np.ndarray, world: World, call: Call) -> tuple[np.ndarray, np.ndarray]:
    """What is drawn for columns in a round, to give and to take: 16 bits each, no two alike."""
    seed = keyed(world.seed, world.fixed("pressure")["use_offer"] + call.substep)
    words = [int(word[0]) & HALF for word in pcg4d(0, 0, call.tick, seed)]
    giving, taking = (mixed(((columns + words[first]) & HALF) ^ words[first + 1]) for first in (0, 2))
    return giving, taking


def mixed(words: np.ndarray) -> np.ndarray:
    """A permutation of all numbers of 16 bits."""
    for shift, factor in zip((8, 7), LOT_FACTORS, strict=True):
        words = ((words ^ words >> shift) * factor) & HALF
    return words ^ words >> 9


def _all_lots(world: World, call: Call) -> tuple[np.ndarray, np.ndarray]:
    return lots_of(np.arange(world.scratch["labels"].shape[1]), world, call)


def _by_lot(lots: np.ndarray, columns: int) -> dict[int, int]:
    """Which column has drawn each lot."""
    return dict(zip(lots.tolist(), range(columns), strict=True))


def _exchange(cells: Cells, source: tuple[int, int], hole: tuple[int, int]) -> None:
    """An atom goes to a hole, where it rests; what lies there takes its place."""
    for name in TRAVELLING:
        values = getattr(cells, name)
        values[source], values[hole] = values[hole], values[source]
    cells.across[hole] = cells.along[hole] = 0


def _touching(kinds: np.ndarray, labels: np.ndarray, axis: int, wrap: bool) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of all cells of one liquid that touch along an axis: each, and the one before it."""
    before = np.roll(kinds, 1, axis), np.roll(labels, 1, axis)
    same = (kinds != 0) & (before[0] == kinds)
    if not wrap:
        same[(slice(None),) * axis + (0,)] = False
    return labels[same], before[1][same]


def _followed(links: np.ndarray) -> np.ndarray:
    """Links that have been followed to their ends."""
    while True:
        farther = links[links]
        if (farther == links).all():
            return links
        links = farther
