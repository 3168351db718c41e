"""Every field of the cell under the pointer, in its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer


def draw(viewer: Viewer, desk: Desk) -> None:
    """Draw the panel."""
    seen = desk.pointer is not None and not desk.covers(*desk.pointer)
    facts = viewer.inspect(desk.pointer) if seen and desk.pointer else []
    if facts:
        widgets.rows("fields", facts)
    else:
        widgets.wrapped("Point at a cell of the world.", widgets.style.FAINT)
