"""Actions of a world that was opened from a picture: which material its colours are, and how many pixels a cell has."""

from __future__ import annotations

from pathlib import Path

from gpufluid.core.errors import UsageError
from gpufluid.scene.matched_picture import MatchedPicture
from gpufluid.viewer.actions import action
from gpufluid.viewer.viewer import Viewer


@action("Files", "Give a colour of the opened picture another material.")
def picture_material(viewer: Viewer, group: int, name: str) -> None:
    """Give a group of colours another material, and return to the initial state.

    Args:
        group: the number of the group in `MatchedPicture.groups`.
        name: of the material.
    """
    _show_again(viewer, unchanged(viewer).with_material(group, name))


@action("Files", "Set how many pixels of the opened picture, along each side, are a cell.")
def picture_pixels(viewer: Viewer, every: int) -> None:
    picture = unchanged(viewer)
    _show_again(viewer, MatchedPicture.read(picture.path, every, viewer.sim.device.max_side))


def open_picture(viewer: Viewer, path: Path) -> None:
    """Open a picture as a world, paused."""
    picture = MatchedPicture.read(path, max_side=viewer.sim.device.max_side)
    viewer.open(picture.world(), str(picture.path))
    viewer.show_picture(picture)


def _show_again(viewer: Viewer, picture: MatchedPicture) -> None:
    """Replace the world of a picture by another one of it, of the same seed and parameters."""
    laws = viewer.sim.blank.laws
    viewer.open(picture.world(laws.seed, laws.parameters), str(picture.path))
    viewer.show_picture(picture)


def unchanged(viewer: Viewer) -> MatchedPicture:
    """The opened picture. Raises: UsageError: there is none, or edits would be lost."""
    if viewer.matched is None:
        raise UsageError("the world was not opened from a picture")
    if viewer.unsaved:
        raise UsageError("the world has been changed by hand since the picture was opened; open the picture again")
    return viewer.matched
