"""Drawing a panel or a dialog without a window, and pressing one of its buttons or a key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from imgui_bundle import imgui

from gpufluid.viewer.panels import dialogs, widgets
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.viewer import Viewer


def _draw_dialogs(viewer: Viewer, ui: UiState) -> None:
    ui.begin()
    dialogs.draw(viewer, ui)
    dialogs.close_list(ui)


class Drawn:
    """The panels of a viewer, drawn without a window.

    Args:
        viewer: the viewer.
        monkeypatch: replaces the buttons, so that one can be pressed by its label.
        draw: draws what is to be seen, such as `panels.draw`; by default the dialogs alone.
    """

    def __init__(
        self,
        viewer: Viewer,
        monkeypatch: pytest.MonkeyPatch,
        draw: Callable[[Viewer, UiState], None] | None = None,
    ) -> None:
        self.ui = UiState(None, None)  # pyright: ignore[reportArgumentType]
        self._viewer, self._draw = viewer, draw or _draw_dialogs
        self._labels: list[str] = []
        self._wanted: str | None = None
        monkeypatch.setattr(widgets, "button", self._button)

    def _button(self, label: str, *_: object, **__: object) -> bool:
        self._labels.append(label)
        return label == self._wanted

    def labels(self, press: str | None = None) -> list[str]:
        """Draw two frames. In the second a button is pressed. Returns the labels of the buttons in it."""
        for self._wanted in (None, press):
            self._frame()
        self._wanted = None
        return list(self._labels)

    def key(self, *keys: imgui.Key) -> None:
        """Press and release keys, one after another."""
        for key in keys:
            for down in (True, False):
                imgui.get_io().add_key_event(key, down)
                self._frame()

    def write(self, text: str) -> None:
        """Type a text."""
        for letter in text:
            imgui.get_io().add_input_character(ord(letter))
        self._frame()

    def clear(self) -> None:
        """Delete the text of the input that has the keys."""
        imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
        self.key(imgui.Key.a)
        imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
        self.key(imgui.Key.delete)

    def until_focus(self) -> None:
        """Draw frames until the input that gets the keys has them."""
        self._frame()
        while self.ui.focus_due:
            self._frame()
        assert imgui.get_io().want_text_input

    def _frame(self) -> None:
        self._labels.clear()
        imgui.new_frame()
        self._draw(self._viewer, self.ui)
        imgui.render()
        self.ui.do_due()
