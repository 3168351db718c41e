"""Scene files: reading a scene file as a world, and writing a world as a scene file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpufluid.core.errors import UsageError, shown, suggested
from gpufluid.core.files import irregular
from gpufluid.core.paths import scenes_folder
from gpufluid.scene.building import SceneBuilder
from gpufluid.scene.changes import Changes
from gpufluid.scene.matched_picture import ENDINGS as PICTURES
from gpufluid.scene.own_state import StateReader
from gpufluid.scene.reading import read_tables
from gpufluid.scene.schema import Noise
from gpufluid.scene.writing import paths_of_whole, write, write_whole
from gpufluid.world import SIZE_LIMIT, World
from gpufluid.world.pieces import Unbuilt

__all__ = ["Scene", "find", "headings", "opened", "paths_of_whole", "read", "shipped", "write", "write_whole"]


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene file and the world that it describes.

    Args:
        path: the scene file.
        title: the name of the scene.
        about: a description in one sentence.
        ticks: the suggested length of a run.
        test: ``golden`` (tests compare its digests), ``run`` (tests run it) or ``off``.
        world: the world at tick 0, or at the tick of its snapshot; maybe without cells, see `read`.
        remarks: warnings about settings without effect, each with its file and line.
        ranges: the ranges of the scene, by names such as ``fill[0].at``.
        drawn: by the same names, what the seed drew: a value for each copy of the table.
        begins_by_seed: whether the first cells depend on the seed, by ranges or by noise.
    """

    path: Path
    title: str
    about: str
    ticks: int
    test: str
    world: World
    remarks: tuple[str, ...] = ()
    ranges: Mapping[str, Any] = field(default_factory=dict)
    drawn: Mapping[str, list[Any]] = field(default_factory=dict)
    begins_by_seed: bool = False


def find(name: str) -> Path:
    """The path of a scene file.

    Args:
        name: the name of a shipped scene, or a path to a ``.toml`` file.
    Raises: UsageError: no such scene or file; names similar ones. No regular file; says what it is.
    """
    path = Path(name)
    names = {file.stem: file for file in shipped()}
    if name in names:
        return names[name]
    if not _holds(path.is_file):
        named_as_file = path.suffix == ".toml" or not _holds(path.is_dir)  # a folder can have the name of a scene
        if named_as_file and _holds(lambda: irregular(path) is not None):
            raise UsageError(f"{name}: is {irregular(path)}")
        near = [str(file) for file in path.parent.glob("*.toml")] if _holds(path.parent.is_dir) else []
        is_picture = path.suffix.lower() in PICTURES
        kind = "scene file" if path.suffix == ".toml" else "picture" if is_picture else "scene"
        meant = path.stem if path.stem in names else name[:60]
        hint = suggested(meant, [*names, *near])
        if not hint and kind == "scene":
            hint = "; `gpufluid scenes` lists those that come with gpufluid"
        raise UsageError(f"there is no {kind} {shown(name)}{hint}")
    if path.suffix != ".toml":
        picture = "; `gpufluid view` opens pictures" if path.suffix.lower() in PICTURES else ""
        raise UsageError(f"{name}: expected a scene (.toml), a snapshot (.npz) or a store (.zarr){picture}")
    return path


def _holds(question: Callable[[], bool]) -> bool:
    """The answer of a question to the file system; False for an invalid file name."""
    try:
        return question()
    except (OSError, ValueError):
        return False


def shipped() -> list[Path]:
    """The paths of the shipped scene files, sorted by name."""
    return sorted(scenes_folder().glob("*.toml"))


def headings() -> list[dict[str, str]]:
    """Name, title, description and path of each shipped scene; no world is built."""
    found = []
    for path in shipped():
        tables = read_tables(path)
        found.append({"name": path.stem, "title": tables.title, "about": tables.about, "path": str(path)})
    return found


def read(
    path: Path,
    seed: int | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    max_side: int = SIZE_LIMIT,
    on_size: Callable[[int, int], None] | None = None,
    read_state: StateReader | None = None,
    cells: bool = True,
    changes: Changes | None = None,
) -> Scene:
    """Read a scene file.

    Args:
        path: the scene file.
        seed: replaces the seed of the scene; None: the scene's own.
        parameters: by rule and name; they replace those of the scene.
        max_side: the longest allowed side of the world, in cells, such as that of the device.
        on_size: called with width and height in cells before anything of that size is allocated. A WorldError that it
            raises is reported as a problem of the file.
        read_state: reads the snapshot of a scene with a ``[state]``, such as `io.snapshots.load`; None: such a scene is
            refused.
        cells: False if the cells are not built, so that the world has only laws, ports and tick (`World.has_cells`). A
            scene with a ``[state]`` has its cells in any case.
        changes: other values in place of those of the file; None: none.
    Raises: SceneError: names file, line and field of all problems. WorldError: an invalid ``seed`` or ``parameters``.
        UsageError: a ``seed``, ``parameters`` or ``changes`` for a scene with a ``[state]``, which goes on with its
        own; a change of something that the file does not have.
    """
    builder = SceneBuilder(path, seed, parameters or {}, max_side, read_state, changes)
    opened = builder.world(on_size) if cells else builder.open(on_size)
    world = opened if isinstance(opened, World) else opened.blank
    tables = builder.tables
    title = tables.title or path.stem.replace("_", " ").capitalize()
    drawn, said = builder.drawn, tuple(builder.remarks(world))
    by_seed = bool(drawn.ranges) or any(isinstance(fill, Noise) for fill in tables.fill)
    about, ticks, test = tables.about, tables.ticks, tables.test
    return Scene(path, title, about, ticks, test, world, said, drawn.ranges, drawn.values, by_seed)


def opened(
    path: Path,
    seed: int | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    max_side: int = SIZE_LIMIT,
    read_state: StateReader | None = None,
) -> Unbuilt | World:
    """Check all of a scene but its cells. Arguments and errors are those of `read`.

    Returns: a world of which any part can be built; of a scene with a ``[state]`` the world itself.
    """
    return SceneBuilder(path, seed, parameters or {}, max_side, read_state).open()
