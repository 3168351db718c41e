"""Scene files to worlds, and worlds to scene files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.paths import scenes_folder
from gpufluid.scene.building import SceneBuilder
from gpufluid.scene.reading import read_tables
from gpufluid.scene.writing import write
from gpufluid.world import SIZE_LIMIT, World

__all__ = ["Scene", "find", "headings", "read", "shipped", "write"]


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene file and the world that it describes.

    Args:
        path: the file.
        title, about: its name and a sentence.
        ticks: how long it is worth running.
        test: ``golden`` (its digest is kept), ``run`` (it must run) or ``off``.
        world: its first state.
        remarks: what its author should know, though it runs.
    """

    path: Path
    title: str
    about: str
    ticks: int
    test: str
    world: World
    remarks: tuple[str, ...] = ()


def find(name: str) -> Path:
    """The scene file of that name: one that comes with gpufluid, or a path.

    Raises: UsageError: there is none; lists near names.
    """
    path = Path(name)
    names = {file.stem: file for file in shipped()}
    if name in names:
        return names[name]
    if not _holds(path.is_file):
        near = [str(file) for file in path.parent.glob("*.toml")] if _holds(path.parent.is_dir) else []
        kind = "scene file" if path.suffix == ".toml" else "scene"
        meant = path.stem if path.stem in names else name[:60]
        raise UsageError(f"there is no {kind} {shown(name)}{did_you_mean(meant, [*names, *near])}")
    if path.suffix != ".toml":
        raise UsageError(f"{name}: is no scene; a scene is a .toml file, whose [map] may name a picture")
    return path


def _holds(question: Callable[[], bool]) -> bool:
    """The answer of the file system; no for a name that no file can have."""
    try:
        return question()
    except (OSError, ValueError):
        return False


def shipped() -> list[Path]:
    """The scene files that come with gpufluid, by name."""
    return sorted(scenes_folder().glob("*.toml"))


def headings() -> list[dict[str, str]]:
    """Name, title, sentence and file of each scene that comes with gpufluid; their worlds are not built."""
    found = []
    for path in shipped():
        tables = read_tables(path)[1]
        found.append({"name": path.stem, "title": tables.title, "about": tables.about, "path": str(path)})
    return found


def read(
    path: Path,
    seed: int | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    max_side: int = SIZE_LIMIT,
    begun: Callable[[int, int], None] | None = None,
) -> Scene:
    """Read a scene file.

    Args:
        path: the file.
        seed: instead of the scene's own.
        parameters: by rule and name, over the scene's own.
        max_side: the longest side that can be held, in cells.
        begun: told the width and height in cells before anything of that size is allocated. A WorldError that it raises
            is a problem of the file.
    Raises: SceneError: names file, line and field of all that is wrong. WorldError: the seed or a parameter given.
    """
    builder = SceneBuilder(path, seed, parameters or {}, max_side)
    world = builder.world(begun)
    tables = builder.tables
    title = tables.title or path.stem.replace("_", " ").capitalize()
    return Scene(path, title, tables.about, tables.ticks, tables.test, world, tuple(builder.remarks(world)))
