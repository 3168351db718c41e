"""The message panel: notes disappear after some seconds, errors later, or when the user marks them as read.

It also says what the driver compiles, while a first tick takes long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.gpu.preparing import Preparing
    from gpufluid.viewer.messages import Message
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

PREPARING_SECONDS = 0.5
"""Time after which a preparation is shown: where all is compiled already, it takes less."""

_NOTE_SECONDS, _ERROR_SECONDS = 6.0, 20.0
"""Time for which a message is shown."""

_SHOWN = 4
_SHARE = 0.5
"""Largest share of the room's height for messages."""


def draw(viewer: Viewer, ui: UiState, room: Area) -> Area:
    """Draw the visible messages at the bottom of a room. Returns the area above them."""
    seen = [message for message in viewer.messages if _is_visible(message, ui)][-_SHOWN:]
    step = _preparing(viewer, ui)
    if not seen and step is None:
        return room
    width = min(room.width, widgets.em(60))
    imgui.set_next_window_pos((room.left + room.width / 2, room.bottom), pivot=(0.5, 1))
    imgui.set_next_window_size_constraints((width, 0), (width, max(room.height * _SHARE, 1)))
    with ui.window("messages", int(imgui.WindowFlags_.always_auto_resize)):
        if step is not None:
            draw_progress(step)
        for number, message in enumerate(seen):
            if number:
                imgui.separator()
            error = message.kind == "error"
            widgets.wrapped(message.text, style.ALARM if error else style.INK)
            if error and imgui.small_button(f"Understood##{number}"):
                ui.read_messages.add(message)
        height = imgui.get_window_height()
    return Area(room.left, room.top, room.right, room.bottom - height)


def draw_progress(step: Preparing) -> None:
    """Draw a sentence on a pass that is compiled next, and a bar of what is done, in the current imgui window."""
    widgets.wrapped(f"{step}.")
    imgui.progress_bar(step.done, (-1, imgui.get_text_line_height() / 2), "")


def _preparing(viewer: Viewer, ui: UiState) -> Preparing | None:
    """The pass that is compiled next, once passes have been compiled for `PREPARING_SECONDS`."""
    step = viewer.sim.preparing
    if step is None:
        ui.preparing_since = None
    elif ui.preparing_since is None:
        ui.preparing_since = ui.now
    return None if ui.preparing_since is None or ui.now - ui.preparing_since < PREPARING_SECONDS else step


def _is_visible(message: Message, ui: UiState) -> bool:
    seconds = _ERROR_SECONDS if message.kind == "error" else _NOTE_SECONDS
    return message not in ui.read_messages and ui.now - message.when < seconds
