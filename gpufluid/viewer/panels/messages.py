"""The message panel: notes disappear after some seconds, errors later, or when the user marks them as read.

It lies beside the world if there is room, else away from the floor, on which matter comes to rest. It also says what
the driver compiles, while a first tick takes long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.panels import style, widgets
from gpufluid.viewer.panels.outlines import box_of_world

if TYPE_CHECKING:
    from gpufluid.gpu.preparing import Preparing
    from gpufluid.viewer.messages import Message, Offer
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

PREPARING_SECONDS = 0.5
"""Time after which a preparation is shown: where all is compiled already, it takes less."""

_NOTE_SECONDS, _LONG_SECONDS = 6.0, 20.0
"""Time for which a note is shown, and an error, or a note beside which something is offered."""

_SHOWN = 4
_SHARE = 0.5
"""Largest share of the room's height for messages."""

_WIDE, _NARROW = 60, 18
"""Widths in line heights: the largest of the panel, and the least beside the world."""


class Place(NamedTuple):
    """A place of the panel in a room: the end, ``top`` or ``bottom``, and the room's part from side to side."""

    end: Literal["top", "bottom"]
    left: float
    right: float


def place(viewer: Viewer, ui: UiState, room: Area, page_open: bool) -> Place:
    """The place at which messages cover the least that matters.

    Args:
        viewer, ui: see `draw`.
        room: the area for world and messages.
        page_open: whether a page covers the world; then that is the bottom.
    Returns: below or above the world, or at its right or left side, where there is room for messages; else the end of
        the room that is away from the floor.
    """
    left, top, right, bottom = box_of_world(viewer)
    if page_open or room.bottom - bottom >= ui.messages_height:
        return Place("bottom", room.left, room.right)
    if top - room.top >= ui.messages_height:
        return Place("top", room.left, room.right)
    for first, last in ((right, room.right), (room.left, left)):
        if last - first >= widgets.em(_NARROW):
            return Place("bottom", first, last)
    return Place("bottom" if viewer.sim.blank.gravity == "up" else "top", room.left, room.right)


def draw(viewer: Viewer, ui: UiState, room: Area, at: Place) -> Area:
    """Draw the visible messages at a place of a room. Returns the room without the rows or columns of the messages."""
    seen = [message for message in viewer.messages if _is_visible(viewer, message, ui)][-_SHOWN:]
    step = _preparing(viewer, ui)
    if not seen and step is None:
        return room
    width, is_low = min(at.right - at.left, widgets.em(_WIDE)), at.end == "bottom"
    imgui.set_next_window_pos(((at.left + at.right) / 2, room.bottom if is_low else room.top), pivot=(0.5, is_low))
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
            offer = _offer(viewer, message)
            if offer is not None and imgui.small_button(f"{offer.label}##{number}"):
                ui.read_messages.add(message)
                widgets.act(viewer, offer.action)
        height = ui.messages_height = imgui.get_window_height()
    if (at.left, at.right) != (room.left, room.right):
        is_left = at.left == room.left
        return Area(at.right if is_left else room.left, room.top, room.right if is_left else at.left, room.bottom)
    return Area(room.left, room.top + height * (not is_low), room.right, room.bottom - height * is_low)


def _offer(viewer: Viewer, message: Message) -> Offer | None:
    """What is offered beside a message, as long as it can be taken: until an edit follows."""
    return message.offer if message.offer is not None and viewer.history.has_gone_back else None


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


def _is_visible(viewer: Viewer, message: Message, ui: UiState) -> bool:
    if message.offer is not None and _offer(viewer, message) is None:
        return False  # time is no longer where the message says
    seconds = _NOTE_SECONDS if message.kind == "note" and message.offer is None else _LONG_SECONDS
    return message not in ui.read_messages and ui.now - message.when < seconds
