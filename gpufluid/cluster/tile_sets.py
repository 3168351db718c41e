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
from gpufluid.gpu.tiles import Tiles

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


def agree_on_tiles(
    comm: Comm, costs: Costs, tiles: Tiles, flags: tuple[str, str], own_rows: tuple[int, int], near: int, tick: int
) -> tuple[bool, bool]:
    """Activate the sets of tiles at the borders of all ranks if one of them is active. All ranks call it.

    Args:
        comm: the communicator of all ranks.
        costs: those of this rank.
        tiles: the tiles of this rank.
        flags: the names of two flags: the number of the set of each tile; and the last tick in which a set was active,
            which the tile of that number has.
        own_rows: the first own row of this rank's part, and the one after the last.
        near: own rows that count as near a border.
        tick: the number of the tick in progress.
    Returns: whether they are active, and whether any set of any rank is; the same on all ranks.
    """
    from mpi4py.MPI import IN_PLACE, MAX

    if tiles.all_awake:
        return True, True  # on all ranks, which follow the same laws
    sets, active = (tiles.read_flag(name) for name in flags)
    first, last = (own_rows[0] + near - 1) // tiles.rows, (own_rows[1] - near) // tiles.rows
    numbers = np.arange(sets.size, dtype=np.uint32).reshape(sets.shape)
    sets = np.where(sets < sets.size, sets, numbers)  # a tile that was never visited is a set of its own
    at_borders = np.unique(np.concatenate([sets[: first + 1], sets[max(last, 0) :]]))
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
