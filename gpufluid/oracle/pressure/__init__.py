"""The NumPy twin of rule ``pressure``; each pass equals its shader in ``shaders/pressure/`` bit for bit.

The passes hand results to each other in ``world.scratch``, as arrays [row, column] of the gravity frame:

- ``labels``, uint32: the label of the body of each cell, 0 for none.
- ``surfaces``, bool: the open surface cells.
- ``sources`` and ``sinks``, uint32: the best offers to give and to take, stored at the first cell of each body.
- ``highest`` and ``lowest``, uint32, only in mixtures: the best levels, stored at the first cell of each body.

The modules `atoms` and `mixture` each define, for one kind of cell, which cells are liquid and what a transfer moves.
The module `loads` finds the loads on liquid of atoms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gpufluid.core.frame import in_frame
from gpufluid.core.hashing import pcg4d, stream_seed
from gpufluid.oracle.labelling import merged_labels, own_labels
from gpufluid.oracle.pressure.atoms import AtomMatter
from gpufluid.oracle.pressure.loads import exchange_under_load, loads_of
from gpufluid.oracle.pressure.matter import LOW_HALF, FrameCell, Matter
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
from gpufluid.rules.pressure import ADOPTED, LEVEL_ONE, LOT_FACTORS, SURFACES
from gpufluid.world import World


def label(world: World, call: Call) -> Tally:
    """Label each liquid cell with 1 plus its index along the rows, and all other cells with 0."""
    store_labels(world, own_labels(_matter(world, call).liquid()))
    return Tally()


def merge_labels(world: World, call: Call) -> Tally:
    """Give all connected cells of one liquid the smallest of their labels."""
    kinds, labels = _matter(world, call).liquid(), load_labels(world)
    store_labels(world, merged_labels(kinds, labels, world.edges == "wrap"))
    return Tally()


def compress_labels(world: World, call: Call) -> Tally:
    """Find the surfaces of bodies of atoms, and those on which powder floats; reset all offers and bids.

    The labels are compressed by `merge_labels`.
    """
    labels = load_labels(world)
    if SURFACES in call.pass_.writes:
        matter, bodies = AtomMatter(world), _bodies(world)
        surfaces, floats = np.zeros(labels.shape, bool), np.zeros(labels.shape, np.uint32)
        for cell in [(row, column) for row, column in np.argwhere(labels).tolist()]:
            floating = matter.floats_on(cell)
            surfaces[cell] = floating is not None
            if floating:
                floats.flat[bodies[cell]] = 1
        store_surfaces(world, surfaces)
        store_highest(world, floats)
        store_lowest(world, np.zeros_like(labels))
    store_sources(world, np.zeros_like(labels))
    store_sinks(world, np.zeros_like(labels))
    return Tally()


def adopt(world: World, call: Call) -> Tally:
    """Label the unconnected cells of a mixture that lie on a body or beside one with the body's label and `ADOPTED`.

    A cell that lies on no body, and between two different bodies, gets no label. Then find the open surfaces of all
    labelled cells.
    """
    labels, matter = load_labels(world), _matter(world, call)
    assert isinstance(matter, MixtureMatter)
    under, left, right = matter.under(labels), matter.beside(labels, -1), matter.beside(labels, 1)
    beside = np.where((left == 0) | (left == right), right, np.where(right == 0, left, 0))
    adopted = (labels == 0) & ~in_frame(world.obstacles, world.gravity)
    adopters = np.where(adopted, np.where(under != 0, under, beside), 0).astype(np.uint32)
    store_labels(world, labels | np.where(adopters != 0, adopters | np.uint32(ADOPTED), np.uint32(0)))
    store_surfaces(world, (load_labels(world) != 0) & matter.is_open())
    store_highest(world, np.zeros_like(labels))
    store_lowest(world, np.zeros_like(labels))
    return Tally()


def bid(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing: in a whole world `offer` finds the levels, too."""
    return Tally()


def _bid(world: World, matter: Matter, bodies: np.ndarray) -> None:
    """Find, for each body, the highest level of a cell that may give and the lowest level of a cell that may take.

    Args:
        world: the world.
        matter: its cells.
        bodies: (height, width) int64, the index of the first cell of each cell's body; -1: no body.
    """
    cells = np.nonzero(load_surfaces(world) & matter.has_bids(bodies))
    atomic_max_highest(world, matter.levels_to_give()[cells], bodies[cells])
    atomic_max_lowest(world, matter.levels_to_take()[cells], bodies[cells])


def offer(world: World, call: Call) -> Tally:
    """Find the best offers of each body, of the surface cells at its highest level to give, at its lowest to take.

    Among these the cells that go first win in each row, and among them a random lot of the column decides.
    """
    matter, bodies = _matter(world, call), _bodies(world)
    _bid(world, matter, bodies)
    surfaces = load_surfaces(world)
    lots = lots_of(np.arange(surfaces.shape[1]), world, call)
    shift, top_to_give, top_to_take = _rows_in_offers(world)
    allowed = zip(("sources", "sinks"), matter.may_offer(bodies), matter.goes_first(), lots, strict=True)
    for name, may_offer, first, lot in allowed:
        rows, columns = np.nonzero(surfaces & may_offer)
        ranks = top_to_give - rows if name == "sources" else top_to_take + rows
        goes_first = first[rows, columns].astype(np.int64) << 16 if shift > 16 else 0
        offers = (ranks << shift | goes_first | lot[columns]).astype(np.uint32)
        accessor("atomic_max", name)(world, offers, bodies[rows, columns])
    return Tally()


def transfer(world: World, call: Call) -> Tally:
    """Transfer liquid, in each body, from the cell with the best offer to give to the cell with the best offer to take.

    There is no transfer if the second cell is not low enough.
    """
    matter = _matter(world, call)
    shift, top_to_give, _ = _rows_in_offers(world)
    columns = np.arange(load_labels(world).shape[1])
    column_giving, column_taking = (
        dict(zip(lots.tolist(), columns.tolist(), strict=True)) for lots in lots_of(columns, world, call)
    )
    for row, column in np.argwhere(load_sources(world)).tolist():
        first, label = (row, column), row * len(columns) + column + 1  # the first cell of a body, and its label
        to_give, to_take = int(load_sources(world)[first]), int(load_sinks(world)[first])
        store_sources(world, 0, first)
        gives = False
        if to_take and matter.has_giver(first):
            source = top_to_give - (to_give >> shift), column_giving[to_give & LOW_HALF]
            gives = matter.give(label, source, _who_takes(to_take, world, column_taking))
        if matter.has_giver(first):
            matter.begin_next_round(first)
        if gives or call.substep != _last_round(world):  # else liquid under a load may still move there
            store_sinks(world, 0, first)
    return matter.write()


def transfer_in_part(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing: in a world that is no part of another no body lies in several parts, so `transfer` serves all."""
    return Tally()


def transfer_heat(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing, as `transfer_in_part`."""
    return Tally()


def transfer_across(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing: nothing goes on above a whole world."""
    return Tally()


def transfer_load_across(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing, as `transfer_across`."""
    return Tally()


def offer_under_load(world: World, call: Call) -> Tally:
    """Find, for each body, the highest cell under a load that pushes liquid up to the body's lowest surface.

    The sinks are those of the last round, of bodies in which it moved nothing.
    """
    shift, top_to_give, _ = _rows_in_offers(world)
    columns, matter = np.arange(load_labels(world).shape[1]), AtomMatter(world)
    giving, taking_lots = lots_of(columns, world, replace(call, substep=_last_round(world)))
    column_taking = dict(zip(taking_lots.tolist(), columns.tolist(), strict=True))
    bodies, offering = _bodies(world), np.zeros(load_labels(world).shape, bool)
    for load in loads_of(world):
        body, (row, column) = bodies[load.cell], load.cell
        taking = int(load_sinks(world).flat[body])
        level = matter.level(_who_takes(taking, world, column_taking), False) if taking else None
        if level is not None and level // LEVEL_ONE - load.row_pressed >= world.fixed("pressure")["least_drop"]:
            offering[load.cell] = True
            word = np.uint32((top_to_give - row) << shift | int(giving[column]))
            accessor("atomic_max", "sources")(world, np.array([word]), np.array([body]))
    store_surfaces(world, offering)
    return Tally()


def transfer_under_load(world: World, call: Call) -> Tally:
    """Move, in each body, an atom from under the winning load onto the body's lowest surface.

    The uppermost atom of the load comes to its place.
    """
    shift, top_to_give, _ = _rows_in_offers(world)
    columns = np.arange(load_labels(world).shape[1])
    giving, taking = lots_of(columns, world, replace(call, substep=_last_round(world)))
    column_taking = dict(zip(taking.tolist(), columns.tolist(), strict=True))
    bodies = _bodies(world)
    loads = [load for load in loads_of(world) if load_surfaces(world)[load.cell]]
    for load in loads:
        row, column = load.cell
        if int(load_sources(world).flat[bodies[load.cell]]) == (top_to_give - row) << shift | int(giving[column]):
            to_take = int(load_sinks(world).flat[bodies[load.cell]])
            exchange_under_load(world, load, _who_takes(to_take, world, column_taking))
    return Tally()


def _who_takes(offer: int, world: World, columns: Mapping[int, int]) -> FrameCell:
    """The cell of an offer to take; ``columns`` has the column of each lot."""
    shift, _, top_to_take = _rows_in_offers(world)
    return (offer >> shift) - top_to_take, columns[offer & LOW_HALF]


def _rows_in_offers(world: World) -> tuple[int, int, int]:
    """The bits of an offer below its row, and the numbers of the top row in it: in offers to give, and to take.

    So no offer is 0 in a world of less than 2**16 rows. Tall worlds have no bit of offers that go first.
    """
    rows = world.domain.whole_size[world.gravity not in ("left", "right")]
    shift, greatest = (17, LOW_HALF >> 1) if rows < 1 << 15 else (16, LOW_HALF)
    return shift, greatest, greatest + 1 - rows


def lots_of(columns: np.ndarray, world: World, call: Call) -> tuple[np.ndarray, np.ndarray]:
    """The lots of columns in a round, to give and to take: two int64 arrays of any shape, 0 to 65535.

    A lot is a random number. No two columns have the same lot.

    Args:
        columns: columns of the gravity frame, integers of any shape.
        world: the world, of which the seed and the origin in the whole world are used.
        call: the call, of which the tick, the substep (the number of the round) and the layer are used.
    """
    columns = columns + world.domain.frame_origin(world.gravity)[0]
    seed = stream_seed(world.seed, world.fixed("pressure")["use_offer"] + call.substep)
    words = [int(word[0]) & LOW_HALF for word in pcg4d(call.layer, 0, call.tick, seed)]
    giving, taking = (permuted(((columns + words[first]) & LOW_HALF) ^ words[first + 1]) for first in (0, 2))
    return giving, taking


def permuted(words: np.ndarray) -> np.ndarray:
    """A fixed permutation of words, the numbers 0 to 65535: from integers of any shape to the same type."""
    for shift, factor in zip((8, 7), LOT_FACTORS, strict=True):
        words = ((words ^ words >> shift) * factor) & LOW_HALF
    return words ^ words >> 9


def _matter(world: World, call: Call) -> Matter:
    if call.pass_.matter == "mixture":
        return MixtureMatter(world, call.layer)
    return AtomMatter(world, call.substep)


def _last_round(world: World) -> int:
    """The number of the last round of a tick."""
    return world.fixed("pressure")["rounds"] - 1


def _bodies(world: World) -> np.ndarray:
    """The index, row by row, of the first cell of each cell's body: [row, column] int64; -1: no body."""
    return (load_labels(world) & np.uint32(ADOPTED - 1)).astype(np.int64) - 1
