"""Every field of the cell under the pointer, in its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_SECONDS = 0.1


def draw(viewer: Viewer, desk: Desk) -> None:
    """Draw the panel; reading a cell waits for the device, so it is not done in every frame."""
    if desk.now - desk.inspected[0] > _SECONDS:
        desk.inspected = desk.now, viewer.inspect(desk.over_world) if desk.over_world is not None else []
    if desk.inspected[1]:
        widgets.rows("fields", desk.inspected[1])
    else:
        widgets.wrapped("Point at a cell of the world.", widgets.style.FAINT)
