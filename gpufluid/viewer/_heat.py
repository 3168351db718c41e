"""Actions of the heat brush: heat or cool cells, and set the brush's strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpufluid.core.errors import UsageError, shown
from gpufluid.scene.strokes import Adding, Chance
from gpufluid.viewer._paint import Cell, begin, cells_along, size_of
from gpufluid.viewer.actions import action
from gpufluid.viewer.brush import stroke
from gpufluid.viewer.tool import DEGREES_LEAST, DEGREES_MOST
from gpufluid.viewer.viewer import Viewer


@action("Paint", "Heat, or cool, the cells under the brush by a number of degrees C.", logged=True)
def heat(viewer: Viewer, points: Sequence[Cell], degrees: float | None = None, more: bool = False) -> None:
    """Change the temperature of the cells along a stroke.

    Args:
        points: cells that the stroke passes through, (column, row).
        degrees: C to add, negative to cool; None: the tool's.
        more: whether this continues the previous stroke, so that both are undone together.
    """
    if "temperature" not in viewer.sim.blank.fields:
        raise UsageError("heat brush: this world has no temperatures; expected a world with rule heat")
    cells = cells_along(points)
    given = viewer.tool.degrees if degrees is None else degrees
    if not more or not viewer.history.is_open:
        begin(viewer)
    viewer.sim.check_degrees(given)
    for start, end in zip(cells, cells[1:] or cells, strict=False):
        sprays = viewer.tool.shape == "spray"
        chance = Chance(min(viewer.tool.rate, 1.0), viewer.serial) if sprays else Chance()
        viewer.serial += 1
        touched = stroke(viewer.tool.shape, viewer.tool.size, start, end, size_of(viewer))
        viewer.lay(touched, Adding("temperature", given, chance))


@action("Paint", "Set the strength of the heat brush, in degrees C a tick.", logged=True)
def degrees(viewer: Viewer, count: float) -> None:
    if not isinstance(count, int | float) or not count > 0:
        raise UsageError(f"degrees: {shown(count)}; expected a number above 0")
    viewer.tool = replace(viewer.tool, degrees=min(max(float(count), DEGREES_LEAST), DEGREES_MOST))


@action("Paint", "Warm and cool twice as fast.", "ctrl+]", logged=True)
def stronger(viewer: Viewer) -> None:
    degrees(viewer, 2 * viewer.tool.degrees)


@action("Paint", "Warm and cool half as fast.", "ctrl+[", logged=True)
def weaker(viewer: Viewer) -> None:
    degrees(viewer, viewer.tool.degrees / 2)
