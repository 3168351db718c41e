"""Actions of what is seen: matter to paint with, overlays, panels, the camera, the window."""

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


@action("Matter", "Paint with this material.", NUMBER_KEYS, lasting=True)
def material(viewer: Viewer, name: str | None = None, number: int | None = None) -> None:
    """By its name, or by its place in the palette from 0 on."""
    there = viewer.materials
    if name is None and number is not None:
        if not 0 <= number < len(there):
            return
        name = there[number]
    if name not in there:
        raise UsageError(f"material: {shown(name)}{did_you_mean(str(name), there)}")
    viewer.tool = replace(viewer.tool, material=name)


@action("Matter", "The next material.", "o", lasting=True)
def next_material(viewer: Viewer) -> None:
    walk(viewer, 1)


@action("Matter", "The material before.", "shift+o", lasting=True)
def previous_material(viewer: Viewer) -> None:
    walk(viewer, -1)


@action("Matter", "Paint with what lies in a cell.", lasting=True)
def pick(viewer: Viewer, at: tuple[int, int]) -> None:
    found = material_at(viewer, at)
    if found in viewer.materials:
        viewer.tool = replace(viewer.tool, material=found, mode="paint")


@action("Look", "Show a quantity in false colour, or the moves of the last tick.")
def overlay(viewer: Viewer, name: str | None = None) -> None:
    """Without a name none."""
    if name is not None:
        find_overlay(viewer.sim.laws, name)
    trace = name is not None and find_overlay(viewer.sim.laws, name).lines
    viewer.overlay = name
    if trace != viewer.sim.traced:
        viewer.show(viewer.sim.read())


@action("Look", "The next overlay.", "d")
def next_overlay(viewer: Viewer) -> None:
    names: list[str | None] = [None, *(found.name for found in viewer.overlays)]
    overlay(viewer, names[(names.index(viewer.overlay) + 1) % len(names)])


@action("Look", "No overlay.", "shift+d")
def no_overlay(viewer: Viewer) -> None:
    overlay(viewer, None)


PANEL_KEYS = {"f1": "help", "f2": "inspector", "f3": "statistics", "f4": "palette", "f5": "overlays"}
PANEL_KEYS |= {"f6": "time", "ctrl+o": "scenes"}


@action("Window", "Open a panel, or close it.", {key: {"name": name} for key, name in PANEL_KEYS.items()})
def panel(viewer: Viewer, name: str) -> None:
    if name not in PANELS:
        raise UsageError(f"panel: {shown(name)}{did_you_mean(str(name), PANELS)}")
    viewer.panels[name] = not viewer.panels[name]


@action("Look", "See the whole world.", "f home")
def fit(viewer: Viewer) -> None:
    viewer.camera.fit()


@action("Look", "A pixel for each cell.", "end")
def one_to_one(viewer: Viewer) -> None:
    viewer.camera.one_to_one()


@action("Look", "Nearer or farther, at a pixel of the window.", {"pageup": {"steps": 1}, "pagedown": {"steps": -1}})
def zoom(viewer: Viewer, steps: int, at: tuple[float, float] | None = None) -> None:
    """Without a pixel at the pointer."""
    viewer.camera.zoom_at(viewer.pointer.at if at is None else at, steps)


PAN_KEYS = {"left": {"x": 64}, "right": {"x": -64}, "up": {"y": 64}, "down": {"y": -64}}


@action("Look", "Move the world by so many pixels.", PAN_KEYS)
def pan(viewer: Viewer, x: float = 0, y: float = 0) -> None:
    viewer.camera.pan(x, y)


@action("Window", "The whole screen, or a window again.", "f11")
def full_screen(viewer: Viewer) -> None:
    viewer.full_screen = not viewer.full_screen


@action("Window", "Larger text.", "ctrl+= ctrl++")
def text_bigger(viewer: Viewer) -> None:
    viewer.text_scale = next((scale for scale in TEXT_SCALES if scale > viewer.text_scale), TEXT_SCALES[-1])


@action("Window", "Smaller text.", "ctrl+-")
def text_smaller(viewer: Viewer) -> None:
    viewer.text_scale = next((scale for scale in reversed(TEXT_SCALES) if scale < viewer.text_scale), TEXT_SCALES[0])


def walk(viewer: Viewer, steps: int) -> None:
    """Along the palette, round and round."""
    there = viewer.materials
    place = there.index(viewer.tool.material) if viewer.tool.material in there else 0
    viewer.tool = replace(viewer.tool, material=there[(place + steps) % len(there)])
