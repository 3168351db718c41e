"""`UiState`: the state of the panels and dialogs that lasts from frame to frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.browser import Browser
from gpufluid.viewer.new_world import Choices, Cost
from gpufluid.viewer.saving import SaveInputs

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.gpu.imgui_renderer import ImguiRenderer
    from gpufluid.viewer.messages import Message
    from gpufluid.viewer.panels.gallery import Gallery


_LAYOUTS_TO_FOCUS = 3
"""Layouts from the request that an input gets the keys to the one in which imgui says that it has them."""


@dataclass
class UiState:
    """State of the panels and dialogs.

    Args:
        device: the device of the window, which draws the pictures of scenes.
        renderer: shows the pictures of scenes.
        search: text in the palette's search input.
        page: the page that was drawn last, such as the help; None: no page.
        page_opens: whether that page was not drawn in the frame before.
        path: text in the input of the page Open: a part of a name, a whole name or a path.
        path_changes: whether that text has changed in this frame.
        picked: the number of the picked scene among those that the page Open lists.
        browsing: whether the page Open lists files. If not, it lists the scenes that come with gpufluid.
        browser: the folder that the page Open shows.
        chooser: the folder that the dialog for the folder of files shows.
        dialog: the dialog that was drawn last, see `Viewer.question`; it receives all keys. None: no dialog.
        popups: the number of menus, lists and dialogs that were open after the dialog was drawn last.
        dialog_opens: whether the dialog is drawn for the first time since it was opened.
        focus_due: the number of layouts until the text input that gets the keys is ready for them.
        new_world: the choices with which the dialog for a new world begins: those of the last press of Create.
        choices: the choices in that dialog; a press of Create makes them `new_world`.
        size_note: a sentence on the last size typed in a dialog, if it is outside the limits; else empty.
        measured: the (rules, width, height) of the world that the dialog is about, and its cost; None until it is
            first computed.
        large: whether the user wants a world that is so large.
        new_size: the (width, height) in the dialog for another size, in cells.
        align: the place of the kept part in that dialog; see `gpufluid.resized`.
        saving: what the dialog that saves under a name holds.
        close_confirmed: whether the user has confirmed to close the window.
        preparing_since: time in seconds since when passes are compiled; None: none is.
        read_messages: the errors that the user has marked as read, and the offers that were taken.
        messages_height: the height of the messages when they were drawn last, in pixels.
        menu_open: whether a menu or a dialog is open, above all panels.
        double_click: whether the last press of a button was the second of a double click.
        areas: the areas that panels covered when they were last drawn.
        columns: the titles of the panels in each column that was drawn last.
        column_widths: the user's widths of the columns, in line heights; 0: the usual width.
        still_at: the pointer's position when a page opened, until the pointer moves; else None.
        free_area: the part of the window between the columns of panels.
        gallery: the pictures of scenes; None until the page Open is first drawn.
        pointer: position of the pointer in pixels; None outside the window.
        over_world: position of the pointer while it is not over a panel; else None.
        inspected: time of the inspector's last reading of a cell, in seconds, and its lines.
        now: time in seconds, as passed to `Viewer.advance`.
        due: what takes long and was asked for, such as another world; it is done once the panels are shown without
            the dialog that has asked for it.
    """

    device: Device
    renderer: ImguiRenderer
    search: str = ""
    page: str | None = None
    page_opens: bool = False
    path: str = ""
    path_changes: bool = False
    picked: int = 0
    browsing: bool = False
    browser: Browser = field(default_factory=Browser)
    chooser: Browser = field(default_factory=Browser)
    dialog: str | None = None
    popups: int = 0
    dialog_opens: bool = False
    focus_due: int = 0
    new_world: Choices = field(default_factory=Choices)
    choices: Choices = field(default_factory=Choices)
    size_note: str = ""
    measured: tuple[tuple[tuple[str, ...], int, int], Cost] | None = None
    large: bool = False
    new_size: tuple[int, int] = (1, 1)
    align: tuple[float, float] = (0.5, 1.0)
    saving: SaveInputs = field(default_factory=SaveInputs)
    close_confirmed: bool = False
    preparing_since: float | None = None
    read_messages: set[Message] = field(default_factory=set)
    messages_height: float = 0.0
    menu_open: bool = False
    double_click: bool = False
    areas: list[Area] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)
    column_widths: dict[str, float] = field(default_factory=lambda: {"left": 0.0, "right": 0.0})
    still_at: tuple[float, float] | None = None
    free_area: Area = field(default_factory=lambda: Area(0, 0, 1, 1))
    gallery: Gallery | None = None
    pointer: tuple[float, float] | None = None
    over_world: tuple[float, float] | None = None
    inspected: tuple[float, list[tuple[str, str]]] = (0.0, [])
    now: float = 0.0
    due: list[Callable[[], object]] = field(default_factory=list)

    @property
    def dialog_open(self) -> bool:
        """True if a dialog is open, which receives all keys."""
        return self.dialog is not None

    def do_due(self) -> None:
        """Do what is due."""
        due, self.due = self.due, []
        for act in due:
            act()

    def begin(self) -> None:
        """Begin the layout of a frame: clear the areas covered by panels."""
        at = self.pointer
        self.over_world = None if at is None or self.covers(*at) else at
        self.areas.clear()
        self.focus_due = max(self.focus_due - 1, 0)

    def take_keys(self) -> None:
        """Give the keys to the next item, a text input, if the dialog that it belongs to has just opened."""
        if self.dialog_opens:
            self.focus_next()

    def focus_next(self) -> None:
        """Give the keys to the next item, a text input. `Events` lets input wait until it is ready for them."""
        imgui.set_keyboard_focus_here()
        self.focus_due = _LAYOUTS_TO_FOCUS

    def covers(self, x: float, y: float) -> bool:
        """True if pixel (x, y) belongs to a panel, a menu or a dialog."""
        return self.menu_open or any(area.holds(x, y) for area in self.areas)

    @contextmanager
    def window(self, name: str, flags: int = 0) -> Iterator[None]:
        """An imgui window without decoration. Its position is set before, by `imgui.set_next_window_pos`."""
        kind = imgui.WindowFlags_
        plain = kind.no_title_bar | kind.no_resize | kind.no_move | kind.no_collapse | kind.no_saved_settings
        plain |= kind.no_focus_on_appearing  # a message takes the keys from no text input
        imgui.begin(name, None, int(plain | kind.no_nav | kind.no_bring_to_front_on_focus) | flags)
        try:
            yield
        finally:
            self.cover()
            imgui.end()

    def cover(self) -> None:
        """Add the current imgui window to the areas covered by panels, unless imgui does not show it yet.

        In its first layout imgui does not know the size of a window that is as large as what is in it.
        """
        if imgui.internal.get_current_window().hidden:
            return
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        self.areas.append(Area(at.x, at.y, at.x + size.x, at.y + size.y))
