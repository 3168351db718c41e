"""A name to a world: a scene that comes with gpufluid, a scene file, or a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from gpufluid import scene
from gpufluid.core.errors import UsageError
from gpufluid.io import snapshots as storage
from gpufluid.scene import Scene
from gpufluid.world import SIZE_LIMIT, World


def load(name: str | Path, seed: int | None = None) -> World:
    """The world that a name stands for.

    Args:
        name: a scene that comes with gpufluid (``dam_break``), a path to a ``.toml``, or to a ``.npz`` snapshot.
        seed: instead of the scene's own.
    Raises: UsageError: there is none, or its file is wrong; SceneError names file, line and field.
    """
    return load_scene(str(name), seed).world


def load_scene(
    name: str,
    seed: int | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    max_side: int = SIZE_LIMIT,
    begun: Callable[[int, int], None] | None = None,
) -> Scene:
    """The same with all that a scene file says; see `scene.read`. A snapshot goes on as it was and takes no seed."""
    path = Path(name)
    if path.suffix.lower() != ".npz":
        return scene.read(scene.find(name), seed, parameters, max_side, begun)
    if seed is not None or parameters:
        raise UsageError(f"{name}: a snapshot goes on with its own seed and parameters; neither can be given")
    world = storage.load(path)
    if begun is not None:
        begun(world.width, world.height)
    return Scene(path, path.stem, f"A snapshot at tick {world.tick}.", 600, "off", world)
