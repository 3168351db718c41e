"""The dialog that asks before unsaved changes are lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpufluid.viewer.panels import modal, style, widgets
from gpufluid.viewer.saving import unused_file

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def title(viewer: Viewer) -> str:
    """The title, which asks what is about to happen."""
    return f"{_wanted(viewer)}?"


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw what is in the dialog. Sets `UiState.close_confirmed`."""
    wanted = _wanted(viewer)
    widgets.wrapped("The world has been changed since it was last saved.")
    if not viewer.closing:
        other = "The new world" if viewer.opening is None else Path(viewer.opening).name
        widgets.wrapped(f"{other} will replace it.")
    place = unused_file(viewer.folder, viewer.source, viewer.sim.tick, ".npz")
    widgets.wrapped(f"If you save it, it is kept as {place.name} in {place.absolute().parent}.", style.FAINT)
    save = modal.confirmed(ui, f"Save and {wanted.lower()}")
    if save:
        widgets.act(viewer, "save")
    if (widgets.button(f"{wanted} without saving") or save) and not (save and viewer.unsaved):
        _go_on(viewer, ui)
    if widgets.button("Stay"):
        widgets.act(viewer, "stay")


def _wanted(viewer: Viewer) -> str:
    return "Close" if viewer.closing else "Open" if viewer.opening is not None else "Make a new world"


def _go_on(viewer: Viewer, ui: UiState) -> None:
    """Do what the user has confirmed."""
    if viewer.closing:
        ui.close_confirmed = True
        return
    opening, creating = viewer.opening, viewer.creating
    widgets.act(viewer, "stay")  # the question is answered
    if opening is not None:
        widgets.act_later(viewer, ui, "open", path=opening)
    elif creating is not None:
        widgets.act_later(viewer, ui, "new", **creating)
