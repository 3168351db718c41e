"""`to_xarray`: a world as a dataset of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpufluid.core.errors import MissingExtraError, UsageError, shown
from gpufluid.io.labels import axes_of, labels_of
from gpufluid.world import World

if TYPE_CHECKING:
    import xarray  # pyright: ignore[reportMissingImports] no dependency


def to_xarray(world: World) -> xarray.Dataset:
    """A copy of a world's arrays as a dataset of xarray, with named dimensions, as `xarray.open_zarr` shows a store.

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
    found = {name: (axes_of(name), array.copy(), labels_of(world, name)) for name, array in arrays.items()}
    size = [world.width, world.height]
    return xarray.Dataset(found, attrs={"tick": world.tick, "rules": list(world.rules), "size": size})
