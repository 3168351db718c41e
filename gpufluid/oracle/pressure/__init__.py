"""The NumPy twin of rule ``pressure``: every pass bit for bit as ``shaders/pressure/`` computes it.

What it leaves for its next pass lies in ``world.scratch``, [row, column] of gravity's frame: ``labels``, uint32;
``surfaces``, bool; ``sources`` and ``sinks``, uint32, offers at the first cell of each body; of a mixture also its
``highest`` and ``lowest`` levels, uint32. Which cells are liquid, and what goes from one to another, `atoms` and
`mixture` know, each of its own kind.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.hashing import keyed, pcg4d
from gpufluid.oracle.pressure.atoms import AtomMatter
from gpufluid.oracle.pressure.matter import HALF, Matter
from gpufluid.oracle.pressure.mixture import MixtureMatter
from gpufluid.oracle.state import (
    accessor,
    atomic_max_highest,
    atomic_max_lowest,
    load_labels,
    load_sinks,
    load_sources,
    load_surfaces,
    store_highest,
    store_labels,
    store_lowest,
    store_sinks,
    store_sources,
    store_surfaces,
)
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.rules.pressure import ADOPTED, LOT_FACTORS, SURFACES
from gpufluid.world import World


def label(world: World, call: Call) -> Tally:
    """Give each cell that is liquid its own number, 1 and its place along the rows; 0 to all others."""
    there = _matter(world, call).liquid() != 0
    places = np.arange(1, there.size + 1, dtype=np.uint32).reshape(there.shape)
    store_labels(world, np.where(there, places, np.uint32(0)))
    return Tally()


def merge_labels(world: World, call: Call) -> Tally:
    """Link all cells that touch one of the same liquid, until every body hangs together."""
    kinds, labels = _matter(world, call).liquid(), load_labels(world)
    links = np.arange(labels.size + 1, dtype=np.uint32)  # by number; 0 links to itself
    pairs = [_touching(kinds, labels, axis, world.edges == "wrap") for axis in (0, 1)]
    one, other = (np.concatenate(part) for part in zip(*pairs, strict=True))
    while len(one):
        ends = links[one], links[other]
        np.minimum.at(links, np.maximum(*ends), np.minimum(*ends))
        links = _followed(links)
        apart = links[one] != links[other]
        one, other = one[apart], other[apart]
    store_labels(world, links[labels])
    return Tally()


def compress_labels(world: World, call: Call) -> Tally:
    """Of each body every cell has the smallest number already; of atoms say which cells are open surfaces."""
    labels = load_labels(world)
    if SURFACES in call.pass_.writes:
        store_surfaces(world, (labels != 0) & _matter(world, call).is_open())
    store_sources(world, np.zeros_like(labels))
    store_sinks(world, np.zeros_like(labels))
    return Tally()


def adopt(world: World, call: Call) -> Tally:
    """Let what lies on a body of a mixture, or beside it, have its number and `ADOPTED`; it may be an open surface."""
    labels, matter = load_labels(world), _matter(world, call)
    assert isinstance(matter, MixtureMatter)
    under, left, right = matter.under(labels), matter.beside(labels, -1), matter.beside(labels, 1)
    beside = np.where((left == 0) | (left == right), right, np.where(right == 0, left, 0))
    adopters = np.where((labels == 0) & ~world.solid, np.where(under != 0, under, beside), 0).astype(np.uint32)
    store_labels(world, labels | np.where(adopters != 0, adopters | np.uint32(ADOPTED), np.uint32(0)))
    store_surfaces(world, (load_labels(world) != 0) & matter.is_open())
    store_highest(world, np.zeros_like(labels))
    store_lowest(world, np.zeros_like(labels))
    return Tally()


def bid(world: World, call: Call) -> Tally:
    """Of each body find the highest level of what may give, and the lowest of what may take."""
    matter = _matter(world, call)
    assert isinstance(matter, MixtureMatter)
    cells = np.nonzero(load_surfaces(world))
    bodies = _bodies(world)[cells]
    atomic_max_highest(world, matter.levels_to_give()[cells], bodies)
    atomic_max_lowest(world, matter.levels_to_take()[cells], bodies)
    return Tally()


def offer(world: World, call: Call) -> Tally:
    """Let each open surface cell offer to give and to take, if it may; of each body the highest and the lowest win."""
    matter, bodies = _matter(world, call), _bodies(world)
    surfaces = load_surfaces(world) & matter.is_open()
    lots = lots_of(np.arange(surfaces.shape[1]), world, call)
    for name, may, drawn in zip(("sources", "sinks"), matter.may_offer(bodies), lots, strict=True):
        rows, columns = np.nonzero(surfaces & may)
        heights = HALF - rows if name == "sources" else rows
        offers = (heights << 16 | drawn[columns]).astype(np.uint32)
        accessor("atomic_max", name)(world, offers, bodies[rows, columns])
    return Tally()


def transfer(world: World, call: Call) -> Tally:
    """Let the winner of each body give to the cell that takes, if that is low enough."""
    matter = _matter(world, call)
    columns = np.arange(load_labels(world).shape[1])
    giving, taking = (dict(zip(lots.tolist(), columns.tolist(), strict=True)) for lots in lots_of(columns, world, call))
    for first in np.argwhere(load_sources(world)).tolist():
        at = first[0], first[1]
        body, source, sink = at[0] * len(columns) + at[1], int(load_sources(world)[at]), int(load_sinks(world)[at])
        store_sources(world, 0, at)
        store_sinks(world, 0, at)
        matter.begin_next_round(at)
        if sink:
            gives = HALF - (source >> 16), giving[source & HALF]
            matter.give(body + 1, gives, (sink >> 16, taking[sink & HALF]))
    return matter.write()


def lots_of(columns: np.ndarray, world: World, call: Call) -> tuple[np.ndarray, np.ndarray]:
    """Random lots of the frame's columns in a round, to give and to take: int64 of any shape, 16 bits, each unique."""
    columns = columns + world.domain.frame_origin(world.gravity)[0]
    seed = keyed(world.seed, world.fixed("pressure")["use_offer"] + call.substep)
    words = [int(word[0]) & HALF for word in pcg4d(call.layer, 0, call.tick, seed)]
    giving, taking = (mixed(((columns + words[first]) & HALF) ^ words[first + 1]) for first in (0, 2))
    return giving, taking


def mixed(words: np.ndarray) -> np.ndarray:
    """A permutation of the numbers of 16 bits, applied to integers of any shape; the same type, such as int64."""
    for shift, factor in zip((8, 7), LOT_FACTORS, strict=True):
        words = ((words ^ words >> shift) * factor) & HALF
    return words ^ words >> 9


def _matter(world: World, call: Call) -> Matter:
    return {"atoms": AtomMatter, "mixture": MixtureMatter}[call.pass_.matter](world, call.layer)


def _bodies(world: World) -> np.ndarray:
    """[row, column]: the place of the first cell of the body that each cell is of, or by which it is adopted; or -1."""
    return (load_labels(world) & np.uint32(ADOPTED - 1)).astype(np.int64) - 1


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
