"""Saving a world as a scene that loses nothing."""

from __future__ import annotations

from pathlib import Path

from gpufluid import scene
from gpufluid.io import snapshots
from gpufluid.world import World


def save_scene(
    world: World, path: str | Path, title: str, about: str, source: str | None = None, ticks: int = 600
) -> list[Path]:
    """Write a world as a scene: with a map if that keeps everything, else with a snapshot from which it starts.

    `io.loading.load` gives a world of equal digest and ledgers, which continues in the same way.

    Args:
        world: a valid world.
        path: the scene file, whose name ends in ``.toml``; it and the file of the same name beside it are replaced.
        title: the name of the scene.
        about: a description in one sentence.
        source: the origin of the world, for a comment at the top of the file; None: no comment.
        ticks: the suggested length of a run.
    Returns: the paths of the two files: the scene file, and its map (``.png``) or its snapshot (``.npz``).
    Raises: UsageError: no such folder, another ending, or text that is not UTF-8. WorldError: an invalid world.
        OutputError: the disk is full or not writable; then no file is changed.
    """
    return scene.write_whole(world, path, title, about, snapshots.write, source, ticks)


def files_of_scene(world: World, path: str | Path, title: str, about: str) -> list[Path]:
    """The paths of the two files that `save_scene` would write; arguments and errors are those of `save_scene`."""
    return scene.paths_of_whole(world, path, title, about)
