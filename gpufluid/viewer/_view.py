"""Actions that change the view (overlays, panels, camera, window) and choose the material to paint with."""

from __future__ import annotations

from dataclasses import replace

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.render.look import THEMES, Look
from gpufluid.render.painter import find_overlay
from gpufluid.viewer._paint import material_at
from gpufluid.viewer.actions import action
from gpufluid.viewer.favourites import DEFAULT, ERASE, digit, favourites_file, write_favourites
from gpufluid.viewer.tool import PAINTING, PANELS
from gpufluid.viewer.viewer import Viewer

TEXT_SCALES = (0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)


@action("Material", "Choose the material to paint with.", logged=True)
def material(viewer: Viewer, name: str | None = None, number: int | None = None) -> None:
    """Choose by name, or by position in the palette, from 0; a position past the end is ignored."""
    there = viewer.materials
    if name is None and number is not None:
        if not 0 <= number < len(there):
            return
        name = there[number]
    if name not in there:
        hint = f": {viewer.idle_text(name)}" if name in viewer.idle else did_you_mean(str(name), there)
        raise UsageError(f"material: {shown(name)}{hint}")
    viewer.tool = replace(viewer.tool, material=name)
    if name in viewer.idle:
        viewer.tell(viewer.idle_text(name))


FAVOURITE_KEYS = {digit(place): {"place": place} for place in range(len(DEFAULT))}


@action("Material", "Choose a favourite material, or the eraser.", FAVOURITE_KEYS)
def favourite(viewer: Viewer, place: int) -> None:
    """Choose a favourite by its place, from 0. After a tool that paints nothing, the tool is the brush again."""
    name = viewer.favourites[checked_place(place)]
    if name == ERASE:
        viewer.do("tool", mode=ERASE)
    elif name not in viewer.materials:
        said = viewer.idle_text(name) if name in viewer.idle else f"there is no {name} in this world"
        viewer.tell(f"{digit(place)}: {said}")
    else:
        viewer.do("material", name=name)
        if viewer.tool.mode not in PAINTING:
            viewer.do("tool", mode="paint")


@action(
    "Material",
    "Make the material under the pointer, in the palette, a favourite.",
    {f"shift+{key}": given for key, given in FAVOURITE_KEYS.items()},
)
def set_favourite(viewer: Viewer, place: int, name: str | None = None) -> None:
    """Change a favourite, and keep it for later sessions.

    Args:
        place: of the favourite, from 0.
        name: of the material, or ``erase``; None: the material under the pointer in the palette.
    """
    checked_place(place)
    chosen = viewer.pointed_at if name is None else name
    if chosen is None:
        viewer.tell(f"Shift+{digit(place)}: point at a material of the palette")
        return
    if chosen != ERASE and chosen not in viewer.materials:
        raise UsageError(f"favourite: {shown(chosen)}{did_you_mean(str(chosen), [*viewer.materials, ERASE])}")
    names = (*viewer.favourites[:place], chosen, *viewer.favourites[place + 1 :])
    write_favourites(favourites_file(), names)
    viewer.favourites = names
    viewer.tell(f"{digit(place)} now chooses {chosen}")


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
    trace = name is not None and find_overlay(viewer.sim.blank, name).traces
    if name is not None:
        viewer.sim.check_overlay(name)
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


@action("View", "Tint warm matter red and cold matter blue, or stop.", "t")
def tint(viewer: Viewer) -> None:
    if "heat" not in viewer.sim.blank.rules:
        raise UsageError("tint: this world has no temperatures; expected a world with rule heat")
    viewer.look = replace(viewer.look, tint=not viewer.look.tint)


@action("View", "Draw the world by day or by night.", "n")
def theme(viewer: Viewer, name: str | None = None) -> None:
    """Choose a theme by its name; None: the next one."""
    names = list(THEMES)
    chosen = names[(names.index(viewer.look.theme) + 1) % len(names)] if name is None else name
    viewer.look = replace(viewer.look, theme=Look.of(chosen).theme)


@action("View", "Set the colour of empty cells.")
def background(viewer: Viewer, colour: str | None = None) -> None:
    """Set the background to a colour such as "#3070e0"; None: that of the theme."""
    viewer.look = replace(viewer.look, background=Look.of(background=colour).background)


PANEL_KEYS = {"f1": "help", "f2": "inspector", "f3": "statistics", "f4": "palette", "f5": "overlays"}
PANEL_KEYS |= {"f6": "time", "ctrl+o": "scenes"}


@action(
    "Window",
    "Open or close a panel.",
    {key: {"name": name} for key, name in PANEL_KEYS.items()},
    says=lambda name: f"Open or close: {PANELS[name]}.",
)
def panel(viewer: Viewer, name: str) -> None:
    if name not in PANELS:
        raise UsageError(f"panel: {shown(name)}{did_you_mean(str(name), PANELS)}")
    viewer.panels[name] = not viewer.panels[name]


@action("View", "Show the whole world.", "f home")
def fit(viewer: Viewer) -> None:
    viewer.camera.fit()


@action("View", "Show each cell as one pixel.", "end")
def one_to_one(viewer: Viewer) -> None:
    viewer.camera.one_to_one()


@action(
    "View",
    "Zoom in or out, about a pixel of the window.",
    {"pageup": {"steps": 1}, "pagedown": {"steps": -1}},
    says=lambda steps: "Look closer." if steps > 0 else "Look from further away.",
)
def zoom(viewer: Viewer, steps: int, at: tuple[float, float] | None = None) -> None:
    """Zoom by steps, positive in, about pixel `at`; None: about the pointer."""
    viewer.camera.zoom_at(viewer.pointer.at if at is None else at, steps)


PAN_KEYS = {"left": {"x": 64}, "right": {"x": -64}, "up": {"y": 64}, "down": {"y": -64}}


@action(
    "View",
    "Move the world by a number of pixels.",
    PAN_KEYS,
    says=lambda x=0, y=0: f"Look further {'left' if x > 0 else 'right' if x else 'up' if y > 0 else 'down'}.",
)
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


def checked_place(place: int) -> int:
    """The place of a favourite. Raises: UsageError: there is no favourite of this place."""
    if not isinstance(place, int) or not 0 <= place < len(DEFAULT):
        raise UsageError(f"favourite: place {shown(place)}; expected 0 to {len(DEFAULT) - 1}")
    return place


def step_through_palette(viewer: Viewer, steps: int) -> None:
    """Choose the material that is `steps` after the current one in the palette, cyclically."""
    there = viewer.materials
    place = there.index(viewer.tool.material) if viewer.tool.material in there else 0
    viewer.tool = replace(viewer.tool, material=there[(place + steps) % len(there)])
