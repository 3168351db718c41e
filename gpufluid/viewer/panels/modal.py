"""Common parts of all dialogs: the window, the default button, and the keys that confirm and cancel a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState


def begin(title: str, width: float) -> bool:
    """Begin a dialog in the middle of the window, `width` line heights wide, above which nothing else can be used.

    `title` was opened by `imgui.open_popup`. Returns whether it is open; then `imgui.end_popup` ends it.
    """
    screen = imgui.get_io().display_size
    imgui.set_next_window_pos((screen.x / 2, screen.y / 2), pivot=(0.5, 0.5))
    wide = min(widgets.em(width), screen.x)
    imgui.set_next_window_size_constraints((wide, 0), (wide, screen.y))
    flags = imgui.WindowFlags_
    plain = int(flags.always_auto_resize | flags.no_move | flags.no_saved_settings)
    return imgui.begin_popup_modal(title, None, plain)[0]


def confirmed(ui: UiState, label: str, can: bool = True) -> bool:
    """Draw the default button of the dialog, in another colour. Returns whether it or Enter was pressed.

    Args:
        ui: knows whether the dialog has just opened.
        label: the text on the button.
        can: whether it can be pressed.
    """
    imgui.begin_disabled(not can)
    pressed = widgets.button(label, chosen=True, first=True)
    imgui.end_disabled()
    return can and (pressed or enter_is_pressed(ui))


def enter_is_pressed(ui: UiState) -> bool:
    """True if Enter was pressed while Tab has moved to no list or button of the dialog."""
    io = imgui.get_io()
    if io.nav_visible and not io.want_text_input:
        return False
    return is_pressed(ui, imgui.Key.enter, imgui.Key.keypad_enter)


def use_navigation(on: bool) -> None:
    """Let Tab and the arrow keys move between all inputs, lists and buttons, or only Tab between inputs."""
    io, flag = imgui.get_io(), int(imgui.ConfigFlags_.nav_enable_keyboard)
    io.config_flags = io.config_flags | flag if on else io.config_flags & ~flag


def is_pressed(ui: UiState, *keys: imgui.Key) -> bool:
    """True if one of these keys was pressed in the dialog: not in a list above it, nor to open the dialog."""
    alone = max(open_popups(), ui.popups) <= 1  # imgui closes a list before the dialog is drawn
    return not ui.dialog_opens and alone and any(imgui.is_key_pressed(key, repeat=False) for key in keys)


def open_popups() -> int:
    """The number of menus, lists and dialogs that are open, one above the other."""
    return imgui.get_current_context().open_popup_stack.size()
