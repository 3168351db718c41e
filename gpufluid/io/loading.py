"""Loading a world by name: a shipped scene, a scene file, a snapshot, or a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gpufluid import scene
from gpufluid.core.errors import UsageError
from gpufluid.io import snapshots, stores
from gpufluid.scene import Scene
from gpufluid.scene.changes import Changes
from gpufluid.world import SIZE_LIMIT, World
from gpufluid.world.pieces import Unbuilt

Parameters = Mapping[str, Mapping[str, object]]
"""Values of parameters by rule and name."""


def load(name: str | Path, seed: int | None = None) -> World:
    """Load a world.

    Args:
        name: the name of a shipped scene, such as ``dam_break``; or a path to a ``.toml`` scene file, to a ``.npz``
            snapshot, or to a ``.zarr`` store.
        seed: replaces the seed of the scene; None: the scene's own. Not for snapshots and stores, and not for scenes
            with a ``[state]``, which start from one.
    Raises: UsageError: no such scene or file, or an invalid file; SceneError: an invalid scene file, with file, line
        and field of each problem.
    """
    return load_scene(str(name), seed).world


def load_scene(
    name: str,
    seed: int | None = None,
    parameters: Parameters | None = None,
    max_side: int = SIZE_LIMIT,
    on_size: Callable[[int, int], None] | None = None,
    cells: bool = True,
    changes: Changes | None = None,
) -> Scene:
    """Load a world with the data of its scene file; see `scene.read`.

    A snapshot becomes a scene with a title of its own. It continues with its own seed and parameters, so neither can be
    given, nor can ``changes``; the same holds for a scene that starts from a snapshot. With ``cells=False`` the world
    of a scene or a store has no cells; each process can then build its own part of it by `WorldName.open`.
    """
    path = Path(name)
    if path.suffix.lower() not in snapshots.ENDINGS:
        return scene.read(scene.find(name), seed, parameters, max_side, on_size, snapshots.load, cells, changes)
    _refuse_changes(name, seed, parameters, changes)
    is_built = cells or path.suffix.lower() != stores.ENDING
    world = snapshots.load(path) if is_built else stores.opened(path).blank
    if on_size is not None:
        on_size(world.width, world.height)
    return Scene(path, path.stem, f"A snapshot at tick {world.tick}.", 600, "off", world)


@dataclass(frozen=True, slots=True)
class WorldName:
    """The name of a world that several processes open, each for itself.

    Args:
        name: as for `load`.
        seed, parameters: as for `load_scene`.
    """

    name: str
    seed: int | None = None
    parameters: Parameters | None = None

    def open(self) -> Unbuilt | World:
        """Check all but the cells. Errors are those of `load_scene`.

        Returns: a world of which any part can be built; of a snapshot in one file the world itself.
        """
        path = Path(self.name)
        if path.suffix.lower() not in snapshots.ENDINGS:
            return scene.opened(scene.find(self.name), self.seed, self.parameters, read_state=snapshots.load)
        _refuse_changes(self.name, self.seed, self.parameters)
        return stores.opened(path) if path.suffix.lower() == stores.ENDING else snapshots.load(path)


def _refuse_changes(name: str, seed: int | None, parameters: Parameters | None, changes: Changes | None = None) -> None:
    if seed is not None or parameters or changes:
        raise UsageError(f"{name}: a snapshot goes on with its own seed and parameters; neither can be given")
