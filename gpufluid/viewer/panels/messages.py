"""What the viewer has to say: notes that fade, and errors that stay until they have been read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.messages import Message
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_NOTE_SECONDS = 6.0
_SHOWN = 4
_SHARE = 0.5
"""The part of the room that they take at most."""


def draw(viewer: Viewer, desk: Desk, room: Area) -> Area:
    """Draw those that are to be seen, at the bottom of a room; what they leave of it."""
    seen = [message for message in viewer.messages if _to_be_seen(message, desk)][-_SHOWN:]
    if not seen:
        return room
    width = min(room.width, widgets.em(60))
    imgui.set_next_window_pos((room.left + room.width / 2, room.bottom), pivot=(0.5, 1))
    imgui.set_next_window_size_constraints((width, 0), (width, max(room.height * _SHARE, 1)))
    with desk.window("messages", int(imgui.WindowFlags_.always_auto_resize)):
        for number, message in enumerate(seen):
            if number:
                imgui.separator()
            error = message.kind == "error"
            widgets.wrapped(message.text, style.ALARM if error else style.INK)
            if error and imgui.small_button(f"Understood##{number}"):
                desk.read.add(id(message))
        height = imgui.get_window_height()
    return Area(room.left, room.top, room.right, room.bottom - height)


def _to_be_seen(message: Message, desk: Desk) -> bool:
    if message.kind == "error":
        return id(message) not in desk.read
    return desk.now - message.when < _NOTE_SECONDS
