"""What the panels keep from frame to frame, and is no part of a world: where they lie, what is typed into them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.gpu.imgui_renderer import ImguiRenderer
    from gpufluid.viewer.panels.gallery import Gallery


@dataclass
class Desk:
    """The panels' own state.

    Args:
        device: where the pictures of scenes are drawn.
        renderer: what shows them.
        search: what is typed into the palette's search.
        path: what is typed as a file to open.
        asking: whether the question at closing is open: it has the keyboard.
        leave: whether it was answered by leaving.
        read: the messages that have been read, by identity.
        menu_open: whether a menu, or the question at closing, lies over all the rest.
        areas: what the panels cover, as they were drawn last.
        free: what the columns leave of the window.
        gallery: the pictures of scenes; None until they are asked for.
        pointer: where the pointer is, in pixels; None outside the window.
        over_world: the same while no panel lies there.
        inspected: when the cell under the pointer was read last, and what it held.
        now: seconds, as `Viewer.advance` is told.
    """

    device: Device
    renderer: ImguiRenderer
    search: str = ""
    path: str = ""
    asking: bool = False
    leave: bool = False
    read: set[int] = field(default_factory=set)
    menu_open: bool = False
    areas: list[Area] = field(default_factory=list)
    free: Area = field(default_factory=lambda: Area(0, 0, 1, 1))
    gallery: Gallery | None = None
    pointer: tuple[float, float] | None = None
    over_world: tuple[float, float] | None = None
    inspected: tuple[float, list[tuple[str, str]]] = (0.0, [])
    now: float = 0.0

    def begin(self) -> None:
        """A frame begins, in which all that covers the world will be laid out anew."""
        at = self.pointer
        self.over_world = None if at is None or self.covers(*at) else at
        self.areas.clear()

    def covers(self, x: float, y: float) -> bool:
        """Whether a pixel is a panel's, and no longer the world's."""
        return self.menu_open or any(area.holds(x, y) for area in self.areas)

    @contextmanager
    def window(self, name: str, flags: int = 0) -> Iterator[None]:
        """An imgui window without decoration, where `imgui.set_next_window_pos` puts it, that covers the world."""
        kind = imgui.WindowFlags_
        plain = kind.no_title_bar | kind.no_resize | kind.no_move | kind.no_collapse | kind.no_saved_settings
        imgui.begin(name, None, int(plain | kind.no_nav | kind.no_bring_to_front_on_focus) | flags)
        try:
            yield
        finally:
            self.cover()
            imgui.end()

    def cover(self) -> None:
        """The window being drawn covers what lies below it."""
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        self.areas.append(Area(at.x, at.y, at.x + size.x, at.y + size.y))
