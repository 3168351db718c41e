"""`to_xarray`: a world as a dataset of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.errors import MissingExtraError, UsageError, shown
from gpufluid.io.labels import SEED, TICK, axes_of, for_others, labels_of
from gpufluid.world import World

if TYPE_CHECKING:
    import xarray  # pyright: ignore[reportMissingImports] no dependency


def to_xarray(world: World) -> xarray.Dataset:
    """A copy of a world's arrays as a dataset of xarray, with the coordinates ``tick`` and ``seed``.

    It is as `xarray.open_zarr` shows a store, but momentum is decoded. Datasets of several ticks can be joined by
    ``xarray.concat(datasets, "tick")``; then ``.sel(tick=40)`` is one of them.

    Args:
        world: the world.
    Raises: UsageError: no World. MissingExtraError: xarray is not installed; gpufluid needs it for nothing else.
    """
    if not isinstance(world, World):
        raise UsageError(f"expected a World; found {shown(world)}")
    try:
        import xarray  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        raise MissingExtraError("gpufluid.to_xarray() needs xarray: pip install xarray") from None
    arrays = world.complete_arrays()
    found = {
        name: (axes_of(name), for_others(name, array).copy(), labels_of(world, name, decoded=True))
        for name, array in arrays.items()
    }
    places = {TICK: ((), np.int64(world.tick)), SEED: ((), np.uint32(world.seed))}
    size = [world.width, world.height]
    return xarray.Dataset(found, places, attrs={"tick": world.tick, "rules": list(world.rules), "size": size})
