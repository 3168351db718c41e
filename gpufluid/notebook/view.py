"""`View`: a world that runs in a notebook, with buttons to play, step, paint and look closer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from weakref import WeakSet

import ipywidgets as widgets  # pyright: ignore[reportMissingImports] of an extra
from IPython.core.getipython import get_ipython  # pyright: ignore[reportMissingImports]

from gpufluid.core.errors import UsageError, shown
from gpufluid.io.loading import load
from gpufluid.notebook.canvas import Canvas
from gpufluid.runtime.editing import Workbench
from gpufluid.runtime.simulation import Simulation
from gpufluid.viewer import Viewer
from gpufluid.viewer.brush import SIZE_MOST
from gpufluid.viewer.tool import LABELS, MODES, PAGES
from gpufluid.world import World

_NO_OVERLAY = "none"
_LABEL = {"description_width": "initial"}

_SAID_SECONDS = 10
"""Time for which a message is shown."""

_of_cells: dict[str, tuple[str, WeakSet[View]]] = {}
"""By the identifier of a cell: the identifier of the request that ran it last, and the views that this run has made."""


class View(widgets.VBox):
    """A live view of a world: it runs, and can be painted in, as in the window of ``gpufluid view``.

    The left button uses the tool, the right one erases, the wheel zooms; a drag with the middle button, or with the
    space bar held, moves the view. After a click on the view the keys of the window work: space pauses, ``.`` runs a
    tick, ``d`` shows the next overlay, ``ctrl+z`` takes a stroke back. The view runs in a simulation of its own, `sim`,
    which begins with the present state of the one given; that one stays as it is. Time stands still while the view is
    not seen, and while the notebook runs a cell. A cell that is run again closes the views that it made before.

    Args:
        source: a simulation, a world, or the name or file of a scene, as for `gpufluid.load`.
        size: (width, height) of the picture, in the page's pixels; a corner can be dragged.
        paused: whether time stands still at first.
    Raises: UsageError: another source. SceneError, WorldError, DeviceError: the world cannot be made or run here.
    """

    def __init__(
        self, source: Simulation | World | str | Path, size: tuple[int, int] = (640, 480), paused: bool = False
    ) -> None:
        name, world = str(source) if isinstance(source, str | Path) else "notebook", _world_of(source)
        of_this_run = _of_this_run()
        self.viewer = Viewer(world, source=name, window=size)
        self.viewer.clock.paused = paused
        self.canvas = Canvas(self.viewer, self._refresh, size)
        self._refreshing = False
        self._make_controls()
        rows = [[self._play, self._step, self._restart, self._fit, self._status]]
        rows += [[self._mode, self._material, self._size, self._overlay]]
        layout = widgets.Layout(flex_flow="row wrap", align_items="center")
        super().__init__([*(widgets.HBox(row, layout=layout) for row in rows), self.canvas])
        self._refresh()
        of_this_run.add(self)

    def _make_controls(self) -> None:
        button = widgets.Layout(width="auto")
        self._play = widgets.Button(layout=button)
        self._step = widgets.Button(description="Step", icon="step-forward", tooltip="Run one tick", layout=button)
        self._restart = widgets.Button(description="Restart", icon="undo", tooltip="Start again", layout=button)
        self._fit = widgets.Button(description="Fit", icon="expand", tooltip="Show the whole world", layout=button)
        self._status = widgets.Label()
        modes = [(LABELS.get(name, name.capitalize()), name) for name in MODES]
        self._mode = widgets.Dropdown(options=modes, description="Tool", style=_LABEL, layout=button)
        self._material = widgets.Dropdown(description="Material", style=_LABEL, layout=button)
        short = widgets.Layout(width="9em")
        self._size = widgets.BoundedIntText(min=1, max=SIZE_MOST, description="Brush", style=_LABEL, layout=short)
        self._overlay = widgets.Dropdown(description="Overlay", style=_LABEL, layout=button)
        self._play.on_click(lambda _: self._act("pause"))
        self._step.on_click(lambda _: self._act("step"))
        self._restart.on_click(lambda _: self._act("reset"))
        self._fit.on_click(lambda _: self._act("fit"))
        for control, chosen in (
            (self._mode, lambda value: self._act("tool", mode=value)),
            (self._material, lambda value: self._act("material", name=value)),
            (self._size, lambda value: self._act("brush_size", cells=value)),
            (self._overlay, lambda value: self._act("overlay", name=None if value == _NO_OVERLAY else value)),
        ):
            control.observe(lambda change, chosen=chosen: chosen(change["new"]), "value")

    def _act(self, action: str, **arguments: object) -> None:
        if not self.canvas.ended and not self._refreshing:
            self.viewer.attempt(lambda: self.viewer.do(action, **arguments))
            self._refresh()

    def do(self, action: str, **arguments: object) -> None:
        """Run an action of the window by its name, such as ``do("paint", points=[(10, 4)])``.

        Raises: UsageError: an unknown action, wrong arguments, an action that only asks something in the window, or the
            view is closed. OutputError: a file could not be written.
        """
        if self.canvas.ended:
            raise UsageError("this view is closed")
        viewer = self.viewer
        viewer.do(action, **arguments)
        pages = [page for page in PAGES if viewer.panels[page]]
        if viewer.closing or viewer.question is not None or pages:
            viewer.do("stay")
            viewer.dialog = None
            viewer.panels |= dict.fromkeys(pages, False)
            raise UsageError(f"{action}: a notebook has no dialogs, pages and windows; expected another action")
        self._refresh()

    @property
    def sim(self) -> Workbench:
        """The simulation that is shown. It can be stepped and read; the picture follows."""
        return self.viewer.sim

    def _refresh(self) -> None:
        """Show what the viewer has in the controls, after a frame or an action."""
        viewer, self._refreshing = self.viewer, True  # to change a control is then no choice of the user
        try:
            paused = viewer.clock.paused
            _set(self._play, description="Play" if paused else "Pause", icon="play" if paused else "pause")
            _set(self._material, options=tuple(viewer.materials))
            overlays = (_NO_OVERLAY, *(overlay.name for overlay in viewer.overlays))
            _set(self._overlay, options=overlays)
            _set(self._mode, value=viewer.tool.mode)
            _set(self._material, value=viewer.tool.material)
            _set(self._size, value=viewer.tool.size)
            _set(self._overlay, value=viewer.overlay or _NO_OVERLAY)
            said = [each.text for each in viewer.messages[-1:] if time.monotonic() - each.when < _SAID_SECONDS]
            _set(self._status, value=". ".join([f"tick {viewer.sim.tick:,}", *said]))
        finally:
            self._refreshing = False

    def close(self) -> None:
        """Close the view and release the memory of its world; a second call does nothing."""
        canvas = getattr(self, "canvas", None)  # None: the constructor has failed, and Python disposes of the rest
        if canvas is not None and not canvas.ended:
            canvas.end()
            for row in self.children:  # ipywidgets keeps each of them until it is closed
                for part in getattr(row, "children", ()):
                    part.close()
                row.close()
        super().close()

    def __repr__(self) -> str:
        world = self.viewer.sim.blank
        closed = ", closed" if self.canvas.ended else ""
        return f"<View {world.width}x{world.height} tick {self.viewer.sim.tick}{closed}>"


def _of_this_run() -> WeakSet[View]:
    """Close the views that earlier runs of the notebook's cell have made. Returns those of this run, to be added to.

    Their place in the notebook is gone, and ipywidgets would keep them, with their worlds, for ever.
    """
    parent = getattr(get_ipython(), "get_parent", dict)()  # no such method: this is no notebook
    cell = parent.get("metadata", {}).get("cellId")
    if cell is None:
        return WeakSet()
    request = parent["header"]["msg_id"]
    last, made = _of_cells.get(cell, (request, WeakSet()))
    if last != request:
        for each in list(made):
            each.close()
        made = WeakSet()
    _of_cells[cell] = request, made
    return made


def _world_of(source: object) -> World:
    """The world to begin with. Raises: UsageError: something that is no world."""
    if isinstance(source, Simulation):
        return source.read()
    if isinstance(source, World):
        return source
    if isinstance(source, str | Path):
        return load(source)
    raise UsageError(f"View: {shown(source)}; expected a Simulation, a World, or the name or file of a scene")


def _set(widget: Any, **values: object) -> None:  # noqa: ANN401  traits have any type
    """Set those traits of a widget that change; each message to the browser costs."""
    for name, value in values.items():
        if getattr(widget, name) != value:
            setattr(widget, name, value)
