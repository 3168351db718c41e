"""The NumPy twin of rule ``collapse``; each pass equals its shader in ``shaders/collapse/`` bit for bit.

The passes hand results to each other in ``world.scratch``, as arrays [row, column] of the gravity frame, uint32:

- ``pieces``: the label of the piece of each cell, 0 for none.
- ``held``: bits of the piece, from `gpufluid.rules.collapse`, stored at its first cell.
- ``weight_low`` and ``weight_high``: the weight of each piece that is not held, stored at its first cell.
- ``spills``: of liquid that runs off a piece, where it goes; of the cell that it is to enter, the greatest claim.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.fields import FULL
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.atoms.floating import give_way, has_room_for_heat
from gpufluid.oracle.displacing import Displaced, is_time_to_rise, roles_of
from gpufluid.oracle.labelling import merged_labels, own_labels
from gpufluid.oracle.neighbours import beside
from gpufluid.oracle.spills import spills_among, words_of_spills
from gpufluid.oracle.state import (
    load_held,
    load_pieces,
    load_spills,
    load_weight_high,
    load_weight_low,
    store_held,
    store_pieces,
    store_spills,
    store_weight_high,
    store_weight_low,
)
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.rules.collapse import (
    BEARS,
    FIXED,
    GAP_SAMPLES,
    HOLDS,
    LOOSE,
    NO_FALL,
    NO_RISE,
    SLOWS,
    WET,
)
from gpufluid.world import World


def label(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Label each loose cell with 1 plus its index along the rows, and all other cells with 0."""
    store_pieces(world, own_labels(roles_of(world) == LOOSE))
    return Tally()


def merge_labels(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Give all connected loose cells the smallest of their labels."""
    store_pieces(world, merged_labels(roles_of(world) == LOOSE, load_pieces(world), world.edges == "wrap"))
    return Tally()


def compress_labels(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Set the bits and the weight of each piece to 0. `merge_labels` has compressed the labels already."""
    for store in (store_held, store_weight_low, store_weight_high):
        store(world, np.zeros_like(load_pieces(world)))
    return Tally()


def hold(world: World, call: Call) -> Tally:
    """Find what keeps pieces from moving, as bits of `HELD`.

    A piece is fixed if one of its cells is above, below or beside a cell of role `HOLDS`, and on a torus if one of its
    columns closes around the world. It does not fall if a cell lies on a cell of role `BEARS`; from the second substep
    of a tick on also on one of role `SLOWS`, a liquid. It does not rise if a cell of role `BEARS` lies on it, or
    another piece lies two rows above it.
    """
    roles, pieces = roles_of(world), load_pieces(world)
    above, below, left, right = (_around(world, roles, down, across) for down, across in _SIDES)
    fixed = (above == HOLDS) | (below == HOLDS) | (left == HOLDS) | (right == HOLDS)
    if world.edges == "wrap":
        fixed |= (roles == LOOSE).all(axis=0)
    over = np.roll(pieces, 2, axis=0)
    if world.edges != "wrap":
        over[:2] = 0
    other = (above != LOOSE) & (over != 0) & (over != pieces)
    wet = (above == SLOWS) | (below == SLOWS) | (left == SLOWS) | (right == SLOWS)
    no_fall = below >= (SLOWS if call.substep else BEARS)
    found = np.zeros_like(pieces)
    for bit, there in ((FIXED, fixed), (NO_FALL, no_fall), (NO_RISE, (above >= BEARS) | other), (WET, wet)):
        found.reshape(-1)[np.unique(pieces[there & (pieces != 0)]).astype(np.int64) - 1] |= np.uint32(bit)
    store_held(world, found)
    return Tally()


def weigh(world: World, call: Call) -> Tally:
    """Sum up the weight of each piece that may move.

    The weight is four times `GAP_SAMPLES` times the sum of the densities of its cells, minus, for each row of the
    piece, the densities of the fluid that it displaces, times the number of cells of the row; see `Displaced`.
    """
    pieces = load_pieces(world)
    density = world.laws.once(MaterialProperties).density[Cells.of(world).material].astype(np.int64)
    places = pieces.astype(np.int64) - 1
    bits, both = load_held(world).reshape(-1)[places], NO_FALL | NO_RISE if is_time_to_rise(call) else NO_FALL
    counts = (places >= 0) & (bits & FIXED == 0) & (bits & both != both)
    weights = np.zeros(pieces.size, np.int64)
    np.add.at(weights, places[counts], 4 * GAP_SAMPLES * density[counts])
    displaced = Displaced(world, density, is_time_to_rise(call))
    for row, column, cells in displaced.rows_of_pieces():
        if counts[row, column]:
            weights[places[row, column]] -= cells * displaced.beside(row, column, cells)
    words = weights.view(np.uint64).reshape(pieces.shape)
    store_weight_low(world, (words & np.uint64(0xFFFFFFFF)).astype(np.uint32))
    store_weight_high(world, (words >> np.uint64(32)).astype(np.uint32))
    return Tally()


def move(world: World, call: Call) -> Tally:
    """Move each falling piece one row down: each run changes places with the cell below it.

    In the first substep of every second tick pieces in a liquid may rise instead. If a run moves through a surface of
    water with momentum, the water below it gives way: it shares what the run displaces, or fills the cell that the run
    leaves.
    """
    cells, pieces, down = Cells.of(world), load_pieces(world), _rows_down(world, call)
    before = Cells.of(world)
    for column, rows in _runs(world):
        by = int(down[pieces[rows[0], column] - 1])
        if by:
            moved = [*rows, (rows[-1] + 1) % len(pieces)] if by > 0 else [(rows[0] - 1) % len(pieces), *rows]
            giving = _giving_way(world, before, column, rows, by)
            for name, values in cells.parts().items():
                values[moved, column] = np.roll(before.parts()[name][moved, column], by, axis=0)
                if giving and name in ("mass", "warmth"):
                    give_way(values[:, column], np.array(giving), moved[0] if by > 0 else moved[-1], by)
    cells.write(world)
    return Tally()


def find_spills(world: World, call: Call) -> Tally:
    """Find the liquid that runs off floating pieces, and the cell that each of its atoms is to enter."""
    store_spills(world, words_of_spills(world, call))
    return Tally()


def claim_spills(world: World, call: Call) -> Tally:
    """Claim the cells that liquid is to enter as it runs off. Of several claims the greatest stays."""
    words = load_spills(world).copy()
    for each in spills_among(words):
        to = each.to_row, each.to_column
        words[to] = max(int(words[to]), each.claim(call))
    store_spills(world, words)
    return Tally()


def spill(world: World, call: Call) -> Tally:
    """Let liquid run off floating pieces: it changes places with the cell that it has claimed."""
    cells, words = Cells.of(world), load_spills(world)
    for each in spills_among(words):
        here, to = (each.row, each.column), (each.to_row, each.to_column)
        if int(words[to]) == each.claim(call):
            for values in cells.parts().values():
                values[here], values[to] = values[to], values[here]
    cells.write(world)
    return Tally()


COMPRESSED = 3 * FULL // 2
"""Units: a cell of water with this or more does not give way to a piece."""


def _giving_way(world: World, cells: Cells, column: int, rows: list[int], by: int) -> list[int]:
    """The rows of the water below a run that gives way to it; none if the cell above the run is not air.

    Water that another piece may change does not give way, nor does water below a compressed cell.

    Args:
        cells: of the world before anything moves.
        column, rows: the run.
        by: 1 if it moves down, -1 if up.
    """
    if "inertia" not in world.rules:
        return []
    pieces, mass, matter = load_pieces(world), cells.amounts["mass"], world.laws.once(MaterialProperties)
    heat = cells.parts().get("warmth", np.zeros_like(mass))
    height, found = len(pieces), []

    def is_inside(row: int) -> bool:
        return world.edges == "wrap" or 0 <= row < height

    def is_piece(row: int) -> bool:
        return is_inside(row) and bool(pieces[row % height, column])

    def is_water(row: int) -> bool:
        return is_inside(row) and bool(matter.is_amount(cells.material[row % height, column]))

    def may_share(row: int) -> bool:
        at = row % height, column
        return bool(mass[at] < COMPRESSED and has_room_for_heat(heat[at]))

    above, below = rows[0] - 1, rows[-1] + 1
    empty = is_inside(above) and cells.material[above % height, column] == 0
    if is_piece(above - 1) or not (empty or (is_water(above) and mass[above % height, column] < FULL // 2)):
        return []
    if not may_share(below if by > 0 else above) or (by > 0 and not is_water(below)):
        return []
    row = below + max(by, 0)
    while len(found) < world.fixed("inertia")["floats_over"] and not is_piece(row) and not is_piece(row + 1):
        if not is_water(row) or not may_share(row):
            break
        found.append(row % height)
        row += 1
    return found


_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""The neighbours of a cell, as (rows down, columns across)."""


def _around(world: World, roles: np.ndarray, down: int, across: int) -> np.ndarray:
    """The roles of the neighbours on one side: [row, column] int64. Cells beyond the edge of the world are `HOLDS`."""
    return beside(roles, down, across, wrap=world.edges == "wrap", outside=HOLDS)


def _runs(world: World) -> list[tuple[int, list[int]]]:
    """The runs of all pieces. A run that closes around a torus is left out.

    Returns: of each run its column, and its rows from top to bottom.
    """
    pieces = load_pieces(world)
    height, found = len(pieces), []
    over = np.roll(pieces, 1, axis=0)
    if world.edges != "wrap":
        over[0] = 0
    for row, column in np.argwhere((pieces != 0) & (over == 0)).tolist():
        rows = [row]
        while (world.edges == "wrap" or rows[-1] + 1 < height) and pieces[(rows[-1] + 1) % height, column]:
            rows.append((rows[-1] + 1) % height)
        found.append((column, rows))
    return found


def _rows_down(world: World, call: Call) -> np.ndarray:
    """The rows by which each piece moves down, by its label less 1: (cells,) int64, 1, 0 or -1."""
    words = load_weight_high(world).astype(np.uint64) << np.uint64(32) | load_weight_low(world)
    weights = words.view(np.int64).reshape(-1)
    bits = load_held(world).reshape(-1)
    free = (bits & FIXED == 0) & (world.gravity != "off")
    down = ((weights > 0) & free & (bits & NO_FALL == 0)).astype(np.int64)
    if not is_time_to_rise(call):
        return down
    up = (weights < 0) & free & (bits & NO_RISE == 0)
    return np.where(bits & WET == 0, down, -up.astype(np.int64))
