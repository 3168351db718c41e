"""The inspector panel: all fields of the cell under the pointer, with units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_SECONDS = 0.1


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the panel. Reading a cell waits for the device, so a cell is read at most once every `_SECONDS`."""
    if ui.now - ui.inspected[0] > _SECONDS:
        ui.inspected = ui.now, viewer.inspect(ui.over_world) if ui.over_world is not None else []
    if ui.inspected[1]:
        widgets.rows("fields", ui.inspected[1])
    else:
        widgets.wrapped("Point at a cell of the world.", widgets.style.FAINT)
