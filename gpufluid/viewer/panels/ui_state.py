"""State of the user interface that persists from frame to frame: text inputs, panel areas, dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.new_world import Choices

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.gpu.imgui_renderer import ImguiRenderer
    from gpufluid.viewer.folders import Listing
    from gpufluid.viewer.messages import Message
    from gpufluid.viewer.panels.gallery import Gallery


@dataclass
class UiState:
    """State of the panels.

    Args:
        device: draws the pictures of scenes.
        renderer: shows the pictures of scenes.
        search: text in the palette's search input.
        path: text in the input for a file to open.
        browsing: whether the page of what can be opened shows files, and not the scenes that come with gpufluid.
        browsed: the folder that the file browser shows; None until it is first opened.
        listed_at: time in seconds at which that folder was listed.
        unsaved_dialog_open: whether the dialog about unsaved changes is open; it then receives all keys.
        world_dialog: the open dialog about the whole world, as `Viewer.dialog`; it then receives all keys.
        list_open: whether a list of that dialog is open, which then receives Enter and Escape.
        new_world: what the dialog for a new world says.
        measured: the (rules, width, height) of the world that the dialog is about, its cells and memory in words, and
            what it lacks of memory; None until they are first computed.
        large: whether the user wants a world that is so large.
        new_size: the (width, height) in the dialog for another size, in cells.
        align: the place of the kept part in that dialog; see `gpufluid.resized`.
        close_confirmed: whether the user has confirmed to close the window.
        read_messages: the errors that the user has marked as read.
        menu_open: whether a menu or a dialog is open, above all panels.
        areas: the areas that panels covered when they were last drawn.
        columns: the titles of the panels in each column, as last drawn.
        column_widths: the user's widths of the columns, in line heights; 0: the usual width.
        free_area: the part of the window between the columns of panels.
        gallery: the pictures of scenes; None until the scenes page is first opened.
        pointer: position of the pointer in pixels; None outside the window.
        over_world: position of the pointer while it is not over a panel; else None.
        inspected: time of the inspector's last reading of a cell, in seconds, and its lines.
        now: time in seconds, as passed to `Viewer.advance`.
    """

    device: Device
    renderer: ImguiRenderer
    search: str = ""
    path: str = ""
    browsing: bool = False
    browsed: Listing | None = None
    listed_at: float = 0.0
    unsaved_dialog_open: bool = False
    world_dialog: str | None = None
    list_open: bool = False
    new_world: Choices = field(default_factory=Choices)
    measured: tuple[tuple[tuple[str, ...], int, int], str, str | None] | None = None
    large: bool = False
    new_size: tuple[int, int] = (1, 1)
    align: tuple[float, float] = (0.5, 1.0)
    close_confirmed: bool = False
    read_messages: set[Message] = field(default_factory=set)
    menu_open: bool = False
    areas: list[Area] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)
    column_widths: dict[str, float] = field(default_factory=lambda: {"left": 0.0, "right": 0.0})
    free_area: Area = field(default_factory=lambda: Area(0, 0, 1, 1))
    gallery: Gallery | None = None
    pointer: tuple[float, float] | None = None
    over_world: tuple[float, float] | None = None
    inspected: tuple[float, list[tuple[str, str]]] = (0.0, [])
    now: float = 0.0

    @property
    def dialog_open(self) -> bool:
        """Whether a dialog is open, which receives all keys."""
        return self.unsaved_dialog_open or self.world_dialog is not None

    def begin(self) -> None:
        """Begin the layout of a frame: clear the areas covered by panels."""
        at = self.pointer
        self.over_world = None if at is None or self.covers(*at) else at
        self.areas.clear()

    def covers(self, x: float, y: float) -> bool:
        """Whether pixel (x, y) belongs to a panel, a menu or a dialog."""
        return self.menu_open or any(area.holds(x, y) for area in self.areas)

    @contextmanager
    def window(self, name: str, flags: int = 0) -> Iterator[None]:
        """An imgui window without decoration. Its position is set before, by `imgui.set_next_window_pos`."""
        kind = imgui.WindowFlags_
        plain = kind.no_title_bar | kind.no_resize | kind.no_move | kind.no_collapse | kind.no_saved_settings
        imgui.begin(name, None, int(plain | kind.no_nav | kind.no_bring_to_front_on_focus) | flags)
        try:
            yield
        finally:
            self.cover()
            imgui.end()

    def cover(self) -> None:
        """Add the current imgui window to the areas covered by panels."""
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        self.areas.append(Area(at.x, at.y, at.x + size.x, at.y + size.y))
