"""Actions that change cells, and the tools that do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.fields import VELOCITY_ONE
from gpufluid.core.hashing import pcg4d
from gpufluid.matter.ports import Drain, Emitter, velocity_problem
from gpufluid.scene.matter import cells_of, has_velocity, lay, material_in
from gpufluid.viewer.actions import action
from gpufluid.viewer.brush import SHAPES, SIZE_MOST, Patch, area, stroke
from gpufluid.viewer.brush import rectangle as rectangle_patch
from gpufluid.viewer.tool import MODES
from gpufluid.viewer.viewer import Viewer
from gpufluid.world import World

Cell = tuple[int, int]
Arrays = dict[str, np.ndarray]


@action("Paint", "Draw with the brush through these cells.", lasting=True)
def paint(viewer: Viewer, points: Sequence[Cell], mode: str = "paint", more: bool = False) -> None:
    """`more` says that it belongs to the stroke before: both are undone together."""
    if mode not in ("paint", "erase", "replace"):
        raise UsageError(f"paint: mode {shown(mode)}{did_you_mean(str(mode), ['paint', 'erase', 'replace'])}")
    cells = [(int(x), int(y)) for x, y in points]
    if not more:
        begin(viewer)
        viewer.replaced = material_at(viewer, cells[0]) if mode == "replace" else None
    if mode == "replace" and viewer.replaced is None:
        return  # it began outside the world: there is nothing to replace
    for start, end in zip(cells, cells[1:] or cells, strict=False):
        patch = stroke(viewer.tool.shape, viewer.tool.size, start, end, size_of(viewer), viewer.serial)
        viewer.serial += 1
        if patch is not None:
            put(viewer, patch, "empty" if mode == "erase" else viewer.tool.material)
    end_edit(viewer)


@action("Paint", "Draw a straight line from one cell to another.", lasting=True)
def line(viewer: Viewer, start: Cell, end: Cell) -> None:
    paint(viewer, [start, end])


@action("Paint", "Fill the rectangle between two cells.", lasting=True)
def rectangle(viewer: Viewer, start: Cell, end: Cell) -> None:
    patch = rectangle_patch(start, end, size_of(viewer))
    if patch is not None:
        begin(viewer)
        put(viewer, patch, viewer.tool.material)
        end_edit(viewer)


@action("Paint", "Fill all that is joined to a cell and like it.", lasting=True)
def fill(viewer: Viewer, at: Cell) -> None:
    if not inside(viewer, at):
        return
    world = viewer.sim.read()
    found = cells_of(world, material_at(viewer, at) or "")
    assert found is not None
    begin(viewer)
    put(viewer, area(found, at), viewer.tool.material)
    end_edit(viewer)


@action(
    "Paint",
    "Put an emitter at a cell, as large as the brush; x and y are its velocity.",
    lasting=True,
)
def emitter(viewer: Viewer, at: Cell, x: float = 0.0, y: float = 0.0) -> None:
    world = viewer.sim.read()
    (left, top), size = placed(viewer, at)
    thrown = (float(x), float(y)) if has_velocity(world, viewer.tool.material) else None
    made = Emitter((left, top), size, material=viewer.tool.material, velocity=thrown)
    for problem in world.port_problems(made):
        raise UsageError(str(problem))
    change_ports(viewer, (*world.emitters, made), world.drains)


@action("Paint", "Put a drain into the rectangle between two cells.", lasting=True)
def drain(viewer: Viewer, start: Cell, end: Cell) -> None:
    patch = rectangle_patch(start, end, size_of(viewer))
    if patch is None:
        return
    height, width = patch.mask.shape
    laws = viewer.sim.laws
    change_ports(viewer, laws.emitters, (*laws.drains, Drain((patch.left, patch.top), (width, height))))


@action("Paint", "Take away the emitters and drains at a cell.", lasting=True)
def remove(viewer: Viewer, at: Cell) -> None:
    laws = viewer.sim.laws

    def elsewhere(port: Emitter | Drain) -> bool:
        rows, columns = port.slices
        return not (rows.start <= at[1] < rows.stop and columns.start <= at[0] < columns.stop)

    change_ports(viewer, tuple(filter(elsewhere, laws.emitters)), tuple(filter(elsewhere, laws.drains)))


@action("Paint", "Take back the last edit; time goes back with it.", "ctrl+z", lasting=True)
def undo(viewer: Viewer) -> None:
    go_to(viewer, viewer.history.undo(viewer.sim.read()), "nothing to undo")


@action("Paint", "Do again what was taken back.", "ctrl+shift+z ctrl+y", lasting=True)
def redo(viewer: Viewer) -> None:
    go_to(viewer, viewer.history.redo(viewer.sim.read()), "nothing to redo")


TOOL_KEYS = {"b": "paint", "e": "erase", "shift+e": "replace", "g": "fill", "l": "line", "u": "rectangle"}
TOOL_KEYS |= {"m": "emitter", "k": "drain", "shift+k": "remove", "i": "pick"}
TOOL_KEYS |= {"h": "warm", "shift+h": "cool"}


@action("Paint", "Take a tool.", {key: {"mode": mode} for key, mode in TOOL_KEYS.items()}, lasting=True)
def tool(viewer: Viewer, mode: str) -> None:
    if mode not in MODES:
        raise UsageError(f"tool: {shown(mode)}{did_you_mean(str(mode), MODES)}")
    viewer.tool = replace(viewer.tool, mode=mode)


@action("Paint", "The brush's shape: round, square or spray.", {"shift+b": {}}, lasting=True)
def shape(viewer: Viewer, name: str | None = None) -> None:
    """Without a name the next one."""
    name = SHAPES[(SHAPES.index(viewer.tool.shape) + 1) % len(SHAPES)] if name is None else name
    if name not in SHAPES:
        raise UsageError(f"shape: {shown(name)}{did_you_mean(str(name), SHAPES)}")
    viewer.tool = replace(viewer.tool, shape=name)


@action("Paint", "A larger brush.", "]", lasting=True)
def bigger(viewer: Viewer) -> None:
    brush_size(viewer, viewer.tool.size + max(1, viewer.tool.size // 4))


@action("Paint", "A smaller brush.", "[", lasting=True)
def smaller(viewer: Viewer) -> None:
    brush_size(viewer, viewer.tool.size - max(1, viewer.tool.size // 5))


@action("Paint", "A brush of so many cells across.", lasting=True)
def brush_size(viewer: Viewer, cells: int) -> None:
    viewer.tool = replace(viewer.tool, size=min(max(int(cells), 1), SIZE_MOST))


@action(
    "Paint",
    "What is painted moves so many cells a tick to the right and down; by the key none.",
    {"v": {}},
    lasting=True,
)
def velocity(viewer: Viewer, x: float = 0.0, y: float = 0.0) -> None:
    """Without numbers none."""
    problem = velocity_problem((x, y))
    if problem:
        raise UsageError(f"velocity: {problem}")
    viewer.tool = replace(viewer.tool, velocity=(float(x), float(y)))


def begin(viewer: Viewer) -> World:
    """An edit begins: the world before it is kept. Returns it."""
    world = viewer.sim.read()
    viewer.history.before_edit(world)
    viewer.replaced = None
    return world


def end_edit(viewer: Viewer) -> None:
    """An edit is done: before time goes on, it is kept to be rewound to; and there is something to save."""
    viewer.edited = viewer.unsaved = True


def change_ports(viewer: Viewer, emitters: tuple[Emitter, ...], drains: tuple[Drain, ...]) -> None:
    """An edit of what enters and leaves."""
    changed = begin(viewer).copy()
    changed.emitters, changed.drains = emitters, drains
    viewer.show(changed)
    end_edit(viewer)


def put(viewer: Viewer, patch: Patch, material: str) -> None:
    """Lay a material into the cells of a patch, in place of whatever is there, or of what a stroke replaces."""
    laws, height_width = viewer.sim.laws, patch.mask.shape
    at = patch.left, patch.top
    arrays: Arrays = viewer.sim.read_window(at, (height_width[1], height_width[0]))
    alike = cells_of(laws, viewer.replaced, arrays) if viewer.replaced is not None else None
    cells = patch.mask if alike is None else patch.mask & alike
    lay(laws, arrays, cells, material)
    if "grain" in arrays and has_velocity(laws, material):
        rows, columns = (span.start + np.arange(span.stop - span.start) for span in patch.window)
        drawn = pcg4d(columns[None, :], rows[:, None], viewer.serial, laws.seed ^ 0x6A41)[0] >> np.uint32(24)
        arrays["grain"][cells] = drawn[cells]
        arrays["velocity"][cells] = np.round(np.array(viewer.tool.velocity) * VELOCITY_ONE)
    viewer.sim.write_window(at, arrays)


def go_to(viewer: Viewer, world: World | None, nothing: str) -> None:
    """Show a world of the history, if there is one."""
    if world is None:
        viewer.tell(nothing)
        return
    viewer.show(world)
    end_edit(viewer)


def material_at(viewer: Viewer, at: Cell) -> str | None:
    """What a cell of the running world holds, by name; None outside it."""
    return material_in(viewer.sim.laws, viewer.sim.read_window(at, (1, 1))) if inside(viewer, at) else None


def inside(viewer: Viewer, at: Cell) -> bool:
    """Whether a cell lies in the world."""
    width, height = size_of(viewer)
    return 0 <= at[0] < width and 0 <= at[1] < height


def placed(viewer: Viewer, at: Cell) -> tuple[Cell, Cell]:
    """(left, top), (width, height) of the brush around a cell, inside the world."""
    (width, height), reach = size_of(viewer), viewer.tool.size // 2
    left, top = max(at[0] - reach, 0), max(at[1] - reach, 0)
    right, bottom = min(at[0] + reach + 1, width), min(at[1] + reach + 1, height)
    if left >= right or top >= bottom:
        raise UsageError(f"emitter: {tuple(at)} lies outside the world")
    return (left, top), (right - left, bottom - top)


def size_of(viewer: Viewer) -> Cell:
    """(width, height) of the world."""
    return viewer.sim.laws.width, viewer.sim.laws.height
