"""Actions that warm and cool what there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpufluid.core.errors import UsageError, shown
from gpufluid.viewer._paint import Cell, begin, end_edit, size_of
from gpufluid.viewer.actions import action
from gpufluid.viewer.brush import stroke
from gpufluid.viewer.tool import DEGREES_LEAST, DEGREES_MOST
from gpufluid.viewer.viewer import Viewer


@action("Paint", "Warm with the brush what lies in these cells, by so many degrees C, or cool it.", lasting=True)
def heat(viewer: Viewer, points: Sequence[Cell], degrees: float | None = None, more: bool = False) -> None:
    """Without degrees by those of the tool. `more` says that it belongs to the stroke before: undone together."""
    if "temperature" not in viewer.sim.laws.fields:
        raise UsageError("the heat brush: this world has no temperatures; they are of rule heat")
    cells = [(int(x), int(y)) for x, y in points]
    given = viewer.tool.degrees if degrees is None else degrees
    if not more:
        begin(viewer)
    for start, end in zip(cells, cells[1:] or cells, strict=False):
        patch = stroke(viewer.tool.shape, viewer.tool.size, start, end, size_of(viewer), viewer.serial)
        viewer.serial += 1
        if patch is not None:
            viewer.sim.warm((patch.left, patch.top), patch.mask, given)
    end_edit(viewer)


@action("Paint", "What the heat brush gives or takes, in degrees C a tick.", lasting=True)
def degrees(viewer: Viewer, count: float) -> None:
    if not isinstance(count, int | float) or not count > 0:
        raise UsageError(f"degrees: {shown(count)}; expected a number above 0")
    viewer.tool = replace(viewer.tool, degrees=min(max(float(count), DEGREES_LEAST), DEGREES_MOST))


@action("Paint", "A stronger heat brush.", "ctrl+]", lasting=True)
def stronger(viewer: Viewer) -> None:
    degrees(viewer, 2 * viewer.tool.degrees)


@action("Paint", "A weaker heat brush.", "ctrl+[", lasting=True)
def weaker(viewer: Viewer) -> None:
    degrees(viewer, viewer.tool.degrees / 2)
