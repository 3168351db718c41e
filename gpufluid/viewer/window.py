"""The viewer's window: its frame loop handles events, runs ticks and draws the world and the panels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gpufluid.core.errors import DeviceError
from gpufluid.core.interrupts import held_back
from gpufluid.gpu.device import Device, device_of

try:
    from imgui_bundle import imgui
except ImportError as error:
    raise DeviceError(f"the window needs imgui-bundle ({error}): pip install --force-reinstall imgui-bundle") from None

from gpufluid.gpu.imgui_renderer import ImguiRenderer
from gpufluid.gpu.picture_copy import PictureCopy
from gpufluid.render.look import light_of
from gpufluid.viewer import first_start, panels
from gpufluid.viewer.events import Events, held_keys
from gpufluid.viewer.glfw_window import GlfwWindow
from gpufluid.viewer.panels import outlines, style
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.preferences import Preferences, preferences_file, read_preferences, write_preferences
from gpufluid.viewer.starting import ClosedWindow, KeptEvents, PreparationPage, StartingPage

if TYPE_CHECKING:
    import moderngl

    from gpufluid.gpu.preparing import Preparing
    from gpufluid.viewer.camera import Camera
    from gpufluid.viewer.viewer import Viewer

FRAME_SECONDS = 1 / 60
"""Shortest time between two frames. The loop limits the frame rate because vsync may be off."""

_MINIMISED_FRAME_SECONDS = 0.1


def show(
    open_viewer: Callable[[Device], Viewer], size: tuple[int, int] = (1280, 800), chosen: Device | None = None
) -> None:
    """Open a window and run its frame loop until the window is closed.

    While the viewer is made, the window says what is compiled. Input waits, and a request to close ends it.

    Args:
        open_viewer: makes the viewer on a device. The viewer is closed with the window.
        size: (width, height) of the window, in the system's points.
        chosen: the device that runs and draws the world, whose pictures are then copied to that of the window; None:
            that of the window.
    Raises: UsageError: the user's choices cannot be read. DeviceError: no screen, or no OpenGL 4.3. Also any error of
        `open_viewer`.
    """
    preferences = read_preferences(preferences_file())  # before anything is compiled
    window = GlfwWindow("gpufluid", size)
    try:
        device = device_of(window.ctx)
        with device, with_imgui(window) as renderer:
            kept = window.listener = KeptEvents(lambda: held_keys(window))
            window.visible = True
            try:
                with _announcing(chosen or device, StartingPage(window, renderer, kept), device):
                    viewer = open_viewer(chosen or device)
            except ClosedWindow:
                return
            try:
                loop = _Loop(window, viewer, UiState(device, renderer), preferences)
                loop.begin_with(kept)
                loop.run()
            finally:
                viewer.close()
    finally:
        window.destroy()


@contextmanager
def _announcing(compiling: Device, page: PreparationPage, shown_by: Device) -> Iterator[None]:
    """Draw a page before each pass that a device compiles; ``shown_by``: the device of the window."""

    def announce(step: Preparing) -> None:
        with shown_by:
            page(step)

    with compiling.announcing(announce):
        yield


@contextmanager
def with_imgui(window: GlfwWindow) -> Iterator[ImguiRenderer]:
    """Yield the renderer of a window's panels, with imgui's context."""
    context = imgui.create_context()
    try:
        io = imgui.get_io()
        io.set_ini_filename("")
        io.set_log_filename("")
        style.load_font()
        renderer = ImguiRenderer(window.ctx)
        try:
            yield renderer
        finally:
            renderer.release()
    finally:
        imgui.destroy_context(context)


class _Loop:
    """The frame loop of a window."""

    def __init__(self, window: GlfwWindow, viewer: Viewer, ui: UiState, kept: Preferences) -> None:
        self._window, self._viewer, self._ui = window, viewer, ui
        self._scale = 0.0
        self._title = ""
        self._camera: Camera | None = None
        self._docked: tuple[object, ...] = ()
        self._copy = PictureCopy(ui.device)  # of the pictures of another device
        self._due_is_seen = False  # whether the panels were shown since something is due
        viewer.camera.resize(window.framebuffer_size)
        viewer.panels["welcome"] = first_start.is_first()
        self._kept = kept
        ui.column_widths.update(left=kept.left_column, right=kept.right_column)
        self._events = window.listener = Events(window, viewer, ui)

    def begin_with(self, kept: KeptEvents) -> None:
        """Handle the events that arrived before the loop."""
        kept.pass_on(self._events)

    def run(self) -> None:
        """Run frames until the window closes."""
        frame_ends = time.monotonic()
        first_start.mark_shown()
        while not self._finished:
            now = time.monotonic()
            self._viewer.advance(now)
            minimised = self._window.minimised
            if not minimised:
                self._frame(now)
            elif self._events.pending:  # such as a request to close, which waits for the panels
                self._fit(now, self._viewer.camera.window)
                self._lay_out(now, self._viewer.camera.window)
            self._do_due()
            frame_ends = max(frame_ends + (_MINIMISED_FRAME_SECONDS if minimised else FRAME_SECONDS), now)
            self._window.wait(frame_ends - time.monotonic())
        if self._ui.gallery is not None:
            self._ui.gallery.close()
        self._copy.release()

    def _do_due(self) -> None:
        """Do what is due, if the panels were shown since: the dialog that has asked for it is gone."""
        if self._due_is_seen:
            with self._preparing():
                self._ui.do_due()
        self._due_is_seen = bool(self._ui.due)

    @contextmanager
    def _preparing(self) -> Iterator[None]:
        """Draw which pass is compiled, if some are compiled meanwhile and that takes long. Input waits."""
        kept = KeptEvents(lambda: held_keys(self._window))
        self._window.listener = kept
        try:
            page = PreparationPage(self._window, self._ui.renderer)
            with _announcing(self._viewer.sim.device, page, self._ui.device):
                yield
        finally:
            self._window.listener = self._events
        kept.pass_on(self._events)

    @property
    def _finished(self) -> bool:
        return self._ui.close_confirmed or (self._viewer.closing and not self._viewer.unsaved)

    def _frame(self, now: float) -> None:
        window, viewer = self._window, self._viewer
        if viewer.full_screen != window.fullscreen:
            window.fullscreen = viewer.full_screen
        size = viewer.camera.window  # a resize waits for the events before it
        self._fit(now, size)
        renderer = self._ui.renderer
        beyond = light_of(viewer.look.colours.beyond)
        renderer.draw_picture(self._picture(), size, viewer.camera.stretch, outlines.box_of_world(viewer), beyond)
        self._lay_out(now, size)
        renderer.draw_grounds(outlines.edge_of_world(viewer), style.EDGE, size)
        renderer.draw_grounds([area.box for area in self._ui.areas], style.PAPER, size)
        renderer.draw_panels(size)
        window.swap_buffers()
        self._set_title()

    def _picture(self) -> moderngl.Texture:
        """The picture of the world, as a texture of the window's device."""
        picture, device = self._viewer.picture(), self._viewer.sim.device
        return picture if device is self._ui.device else self._copy.of(picture, device)

    def _fit(self, now: float, size: tuple[int, int]) -> None:
        """Fit a world that was just opened into the area that the panels leave free, before it is first drawn.

        It is fitted again when the window has another size, and when a panel beside the world opens or closes, unless
        the user has zoomed or moved the view. So no user sees a view that is about to change, and no zoom or move is
        lost: `Events` queues input until then.
        """
        camera, docked = self._viewer.camera, panels.docked(self._viewer, self._ui)
        changed = camera is not self._camera or (camera.fitted and docked != self._docked)
        self._camera, self._docked = camera, docked
        if changed:
            for _ in range(2):  # imgui knows the sizes of the panels from their second layout on
                self._run_layout(now, size)
            self._viewer.do("fit")

    def _lay_out(self, now: float, size: tuple[int, int]) -> None:
        """Lay out the panels for this frame; then handle the input that waited for that."""
        self._run_layout(now, size)
        with self._preparing():
            self._events.panels_drawn()
        self._keep_preferences()

    def _run_layout(self, now: float, size: tuple[int, int]) -> None:
        """Run imgui's layout of the panels, and tell the camera which margins they cover."""
        scale = self._window.content_scale * self._viewer.text_scale
        if scale != self._scale:
            self._scale = scale
            style.apply(scale)
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(*size)
        io.delta_time = min(max(now - self._ui.now, 1e-4), 0.1)
        self._ui.now = now
        with held_back():  # Ctrl-C between the beginning and the end of a panel would make imgui print an error
            imgui.new_frame()
            try:
                panels.draw(self._viewer, self._ui)
            finally:
                imgui.render()
        free = self._ui.free_area
        margins = round(free.left), round(free.top), round(size[0] - free.right), round(size[1] - free.bottom)
        self._viewer.camera.margins = margins

    def _keep_preferences(self) -> None:
        """Write the user's choices to their file if they have changed, and no drag is changing them."""
        widths = self._ui.column_widths
        chosen = Preferences(widths["left"], widths["right"])
        if chosen != self._kept and not imgui.is_any_mouse_down():
            self._kept = chosen
            self._viewer.attempt(lambda: write_preferences(preferences_file(), chosen))

    def _set_title(self) -> None:
        source = Path(self._viewer.source).stem
        title = f"{source} - gpufluid" if source else "gpufluid"
        if title != self._title:
            self._window.title = self._title = title
