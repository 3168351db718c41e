"""The welcome panel, shown at the first start: three lines of first steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.panels import style, widgets
from gpufluid.viewer.texts import keys_of

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def draw(viewer: Viewer, ui: UiState, room: Area) -> None:
    """Draw the panel at the top of a room, centred horizontally."""
    width = min(room.width, widgets.em(34))
    imgui.set_next_window_pos((room.left + room.width / 2, room.top), pivot=(0.5, 0))
    imgui.set_next_window_size_constraints((width, 0), (width, max(room.height, 1)))
    with ui.window("welcome", int(imgui.WindowFlags_.always_auto_resize)):
        for line in _lines(viewer):
            widgets.wrapped(line)
        if widgets.button("Begin", first=True):
            widgets.act(viewer, "panel", name="welcome")
        imgui.same_line()
        imgui.align_text_to_frame_padding()
        widgets.wrapped("This is shown once.", style.FAINT)


def _lines(viewer: Viewer) -> tuple[str, str, str]:
    keys = {name: keys_of(viewer, name) for name in ("pause", "undo", "next_material")}
    return (
        f"Drag with the left button to paint; {keys['next_material']} takes the next material, {keys['undo']} undoes.",
        f"{keys['pause']} pauses. Turn the wheel to zoom, drag with the middle button to move the world.",
        f"{keys_of(viewer, 'panel', {'name': 'help'})} shows every key; the menu Panels opens all panels.",
    )
