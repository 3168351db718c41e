"""Connected sets of tiles that cross the borders between ranks, and sleep only together.

The rules that follow connected sets of cells run in sets of tiles in which something has changed. Such a set can lie in
the parts of several ranks, and a rank sees only its own tiles change. So the sets at borders are active on all ranks if
one of them is on any rank. A set that is active without need changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.costs import Costs
from gpufluid.cluster.ranks import meet_before
from gpufluid.core.frame import Area, Span
from gpufluid.gpu.tiles import Tiles

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


def agree_on_tiles(
    comm: Comm, costs: Costs, tiles: Tiles, flags: tuple[str, str], own: Area, near: tuple[int, int], tick: int
) -> tuple[bool, bool]:
    """Activate the sets of tiles at the borders of all ranks if one of them is active. All ranks call it.

    Args:
        comm: the communicator of all ranks.
        costs: those of this rank.
        tiles: the tiles of this rank.
        flags: the names of two flags: the number of the set of each tile; and the last tick in which a set was active,
            which the tile of that number has.
        own: the own cells of this rank's part.
        near: own columns, and own rows, that count as near a border; 0: the axis is not divided.
        tick: the number of the tick in progress.
    Returns: whether they are active, and whether any set of any rank is; the same on all ranks.
    """
    from mpi4py.MPI import IN_PLACE, MAX

    if tiles.all_awake:
        return True, True  # on all ranks, which follow the same laws
    sets, active = (tiles.read_flag(name) for name in flags)
    numbers = np.arange(sets.size, dtype=np.uint32).reshape(sets.shape)
    sets = np.where(sets < sets.size, sets, numbers)  # a tile that was never visited is a set of its own
    is_inside = np.zeros(sets.shape, bool)
    is_inside[tuple(_tiles_inside(*each) for each in zip(own, near, tiles.tile, strict=True))[::-1]] = True
    at_borders = np.unique(sets[~is_inside])
    now = np.uint32(tick & 0xFFFFFFFF)
    is_active = active.reshape(-1) == now
    found = np.array([is_active[at_borders].any(), is_active.any()], np.uint8)
    costs.bytes_sent += found.nbytes
    with costs.waiting():
        meet_before(comm)
        comm.Allreduce(IN_PLACE, found, MAX)
    if found[0]:
        active.reshape(-1)[at_borders] = now
        tiles.write_flag(flags[1], active, tick)
    return bool(found[0]), bool(found[1])


def _tiles_inside(own: Span, near: int, cells: int) -> slice:
    """The tiles of an axis of a part that are not near a border.

    Args:
        own: the own columns or rows of the part.
        near: those that count as near a border; 0: there is none.
        cells: the columns or rows of a tile.
    """
    if near == 0:
        return slice(None)
    first, last = (own[0] + near - 1) // cells, (own[1] - near) // cells
    return slice(first + 1, max(last, first + 1, 0))
