"""Actions that change the view (overlays, panels, camera, window) and choose the material to paint with."""

from __future__ import annotations

from dataclasses import replace

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.render.painter import find_overlay
from gpufluid.viewer._paint import material_at
from gpufluid.viewer.actions import action
from gpufluid.viewer.tool import PANELS
from gpufluid.viewer.viewer import Viewer

TEXT_SCALES = (0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
NUMBER_KEYS = {str((number + 1) % 10): {"number": number} for number in range(10)}


@action("Material", "Choose the material to paint with.", NUMBER_KEYS, logged=True)
def material(viewer: Viewer, name: str | None = None, number: int | None = None) -> None:
    """Choose by name, or by position in the palette, from 0; a position past the end is ignored."""
    there = viewer.materials
    if name is None and number is not None:
        if not 0 <= number < len(there):
            return
        name = there[number]
    if name not in there:
        raise UsageError(f"material: {shown(name)}{did_you_mean(str(name), there)}")
    viewer.tool = replace(viewer.tool, material=name)


@action("Material", "Choose the next material.", "o", logged=True)
def next_material(viewer: Viewer) -> None:
    step_through_palette(viewer, 1)


@action("Material", "Choose the previous material.", "shift+o", logged=True)
def previous_material(viewer: Viewer) -> None:
    step_through_palette(viewer, -1)


@action("Material", "Choose the material of a cell.", logged=True)
def pick(viewer: Viewer, at: tuple[int, int]) -> None:
    found = material_at(viewer, at)
    if found in viewer.materials:
        viewer.tool = replace(viewer.tool, material=found, mode="paint")


@action("View", "Show a quantity in false colour, or the moves of the last tick.")
def overlay(viewer: Viewer, name: str | None = None) -> None:
    """Show the named overlay; None: no overlay."""
    if name is not None:
        find_overlay(viewer.sim.blank, name)
    trace = name is not None and find_overlay(viewer.sim.blank, name).lines
    viewer.overlay = name
    if trace != viewer.sim.traced:
        viewer.show(viewer.sim.read())


@action("View", "Show the next overlay.", "d")
def next_overlay(viewer: Viewer) -> None:
    names: list[str | None] = [None, *(found.name for found in viewer.overlays)]
    overlay(viewer, names[(names.index(viewer.overlay) + 1) % len(names)])


@action("View", "Hide the overlay.", "shift+d")
def no_overlay(viewer: Viewer) -> None:
    overlay(viewer, None)


PANEL_KEYS = {"f1": "help", "f2": "inspector", "f3": "statistics", "f4": "palette", "f5": "overlays"}
PANEL_KEYS |= {"f6": "time", "ctrl+o": "scenes"}


@action("Window", "Open or close a panel.", {key: {"name": name} for key, name in PANEL_KEYS.items()})
def panel(viewer: Viewer, name: str) -> None:
    if name not in PANELS:
        raise UsageError(f"panel: {shown(name)}{did_you_mean(str(name), PANELS)}")
    viewer.panels[name] = not viewer.panels[name]


@action("View", "Fit the whole world into the window.", "f home")
def fit(viewer: Viewer) -> None:
    viewer.camera.fit()


@action("View", "Draw each cell as one pixel.", "end")
def one_to_one(viewer: Viewer) -> None:
    viewer.camera.one_to_one()


@action("View", "Zoom in or out, about a pixel of the window.", {"pageup": {"steps": 1}, "pagedown": {"steps": -1}})
def zoom(viewer: Viewer, steps: int, at: tuple[float, float] | None = None) -> None:
    """Zoom by steps, positive in, about pixel `at`; None: about the pointer."""
    viewer.camera.zoom_at(viewer.pointer.at if at is None else at, steps)


PAN_KEYS = {"left": {"x": 64}, "right": {"x": -64}, "up": {"y": 64}, "down": {"y": -64}}


@action("View", "Move the world by a number of pixels.", PAN_KEYS)
def pan(viewer: Viewer, x: float = 0, y: float = 0) -> None:
    viewer.camera.pan(x, y)


@action("Window", "Switch between full screen and a window.", "f11")
def full_screen(viewer: Viewer) -> None:
    viewer.full_screen = not viewer.full_screen


@action("Window", "Larger text.", "ctrl+= ctrl++")
def text_bigger(viewer: Viewer) -> None:
    viewer.text_scale = next((scale for scale in TEXT_SCALES if scale > viewer.text_scale), TEXT_SCALES[-1])


@action("Window", "Smaller text.", "ctrl+-")
def text_smaller(viewer: Viewer) -> None:
    viewer.text_scale = next((scale for scale in reversed(TEXT_SCALES) if scale < viewer.text_scale), TEXT_SCALES[0])


def step_through_palette(viewer: Viewer, steps: int) -> None:
    """Choose the material that is `steps` after the current one in the palette, cyclically."""
    there = viewer.materials
    place = there.index(viewer.tool.material) if viewer.tool.material in there else 0
    viewer.tool = replace(viewer.tool, material=there[(place + steps) % len(there)])
