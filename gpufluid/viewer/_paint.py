"""Actions that edit the world: strokes, shapes, emitters and drains, undo; and the tool settings they use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.fields import FIELDS, VELOCITY_ONE
from gpufluid.core.hashing import pcg4d
from gpufluid.matter.ports import Drain, Emitter, velocity_problem
from gpufluid.scene.matter import cells_of, has_velocity, material_in, put_material
from gpufluid.viewer.actions import action
from gpufluid.viewer.brush import SHAPES, SIZE_MOST, Patch, flood_fill, stroke
from gpufluid.viewer.brush import rectangle as rectangle_patch
from gpufluid.viewer.pointer import Cell
from gpufluid.viewer.tool import MODES
from gpufluid.viewer.viewer import Viewer
from gpufluid.world import World

_DRAWN = 0x6A41
"""Added to the seed, so that a brush draws other bytes than the world."""

Arrays = dict[str, np.ndarray]


@action("Paint", "Paint a brush stroke through a list of cells.", logged=True)
def paint(viewer: Viewer, points: Sequence[Cell], mode: str = "paint", more: bool = False) -> None:
    """Paint, erase or replace along a stroke.

    Args:
        points: cells that the stroke passes through, (column, row).
        mode: ``paint``, ``erase``, or ``replace`` (only cells of the material at the stroke's start).
        more: whether this continues the previous stroke, so that both are undone together.
    """
    if mode not in ("paint", "erase", "replace"):
        raise UsageError(f"paint: mode {shown(mode)}{did_you_mean(str(mode), ['paint', 'erase', 'replace'])}")
    cells = [(int(x), int(y)) for x, y in points]
    if not more:
        begin(viewer)
        viewer.replaced = material_at(viewer, cells[0]) if mode == "replace" else None
    if mode == "replace" and viewer.replaced is None:
        return  # the stroke began outside the world: no material to replace
    for start, end in zip(cells, cells[1:] or cells, strict=False):
        patch = stroke(viewer.tool.shape, viewer.tool.size, start, end, size_of(viewer), viewer.serial)
        viewer.serial += 1
        if patch is not None:
            put(viewer, patch, "empty" if mode == "erase" else viewer.tool.material)
    end_edit(viewer)


@action("Paint", "Paint a straight line between two cells.", logged=True)
def line(viewer: Viewer, start: Cell, end: Cell) -> None:
    paint(viewer, [start, end])


@action("Paint", "Fill the rectangle between two cells.", logged=True)
def rectangle(viewer: Viewer, start: Cell, end: Cell) -> None:
    patch = rectangle_patch(start, end, size_of(viewer))
    if patch is not None:
        begin(viewer)
        put(viewer, patch, viewer.tool.material)
        end_edit(viewer)


@action("Paint", "Flood-fill the connected area of one material around a cell.", logged=True)
def fill(viewer: Viewer, at: Cell) -> None:
    if not inside(viewer, at):
        return
    world = viewer.sim.read()
    found = cells_of(world, material_at(viewer, at) or "")
    assert found is not None
    begin(viewer)
    put(viewer, flood_fill(found, at), viewer.tool.material)
    end_edit(viewer)


@action(
    "Paint",
    "Place an emitter of the brush's size at a cell; x and y are its velocity.",
    logged=True,
)
def emitter(viewer: Viewer, at: Cell, x: float = 0.0, y: float = 0.0) -> None:
    laws = viewer.sim.blank
    (left, top), size = placed(viewer, at)
    thrown = (float(x), float(y)) if has_velocity(laws, viewer.tool.material) else None
    made = Emitter((left, top), size, material=viewer.tool.material, velocity=thrown)
    for problem in laws.port_problems(made):
        raise UsageError(str(problem))
    change_ports(viewer, (*laws.emitters, made), laws.drains)


@action("Paint", "Place a drain in the rectangle between two cells.", logged=True)
def drain(viewer: Viewer, start: Cell, end: Cell) -> None:
    patch = rectangle_patch(start, end, size_of(viewer))
    if patch is None:
        return
    height, width = patch.mask.shape
    laws = viewer.sim.blank
    change_ports(viewer, laws.emitters, (*laws.drains, Drain((patch.left, patch.top), (width, height))))


@action("Paint", "Remove the emitters and drains at a cell.", logged=True)
def remove(viewer: Viewer, at: Cell) -> None:
    laws = viewer.sim.blank

    def elsewhere(port: Emitter | Drain) -> bool:
        rows, columns = port.slices
        return not (rows.start <= at[1] < rows.stop and columns.start <= at[0] < columns.stop)

    change_ports(viewer, tuple(filter(elsewhere, laws.emitters)), tuple(filter(elsewhere, laws.drains)))


@action("Paint", "Undo the last edit; time goes back to it too.", "ctrl+z", logged=True)
def undo(viewer: Viewer) -> None:
    go_to(viewer, viewer.history.undo(viewer.sim.read()), "nothing to undo")


@action("Paint", "Redo the edit that was last undone.", "ctrl+shift+z ctrl+y", logged=True)
def redo(viewer: Viewer) -> None:
    go_to(viewer, viewer.history.redo(viewer.sim.read()), "nothing to redo")


TOOL_KEYS = {"b": "paint", "e": "erase", "shift+e": "replace", "g": "fill", "l": "line", "u": "rectangle"}
TOOL_KEYS |= {"m": "emitter", "k": "drain", "shift+k": "remove", "i": "pick"}
TOOL_KEYS |= {"h": "warm", "shift+h": "cool"}


@action("Paint", "Choose a tool.", {key: {"mode": mode} for key, mode in TOOL_KEYS.items()}, logged=True)
def tool(viewer: Viewer, mode: str) -> None:
    if mode not in MODES:
        raise UsageError(f"tool: {shown(mode)}{did_you_mean(str(mode), MODES)}")
    viewer.tool = replace(viewer.tool, mode=mode)


@action("Paint", "Set the brush shape: round, square or spray; the key chooses the next.", {"shift+b": {}}, logged=True)
def shape(viewer: Viewer, name: str | None = None) -> None:
    """Set the brush shape; None: the shape after the current one."""
    name = SHAPES[(SHAPES.index(viewer.tool.shape) + 1) % len(SHAPES)] if name is None else name
    if name not in SHAPES:
        raise UsageError(f"shape: {shown(name)}{did_you_mean(str(name), SHAPES)}")
    viewer.tool = replace(viewer.tool, shape=name)


@action("Paint", "Make the brush larger.", "]", logged=True)
def bigger(viewer: Viewer) -> None:
    brush_size(viewer, viewer.tool.size + max(1, viewer.tool.size // 4))


@action("Paint", "Make the brush smaller.", "[", logged=True)
def smaller(viewer: Viewer) -> None:
    brush_size(viewer, viewer.tool.size - max(1, viewer.tool.size // 5))


@action("Paint", "Set the brush width, in cells.", logged=True)
def brush_size(viewer: Viewer, cells: int) -> None:
    viewer.tool = replace(viewer.tool, size=min(max(int(cells), 1), SIZE_MOST))


@action(
    "Paint",
    "Set the velocity of painted matter, in cells a tick to the right and down; the key sets zero.",
    {"v": {}},
    logged=True,
)
def velocity(viewer: Viewer, x: float = 0.0, y: float = 0.0) -> None:
    """Set the velocity of painted matter; at rest by default."""
    problem = velocity_problem((x, y))
    if problem:
        raise UsageError(f"velocity: {problem}")
    viewer.tool = replace(viewer.tool, velocity=(float(x), float(y)))


def begin(viewer: Viewer) -> World:
    """Begin an edit: store the current world for undo. Returns that world."""
    world = viewer.sim.read()
    viewer.history.before_edit(world)
    viewer.replaced = None
    return world


def end_edit(viewer: Viewer) -> None:
    """End an edit: mark the world as unsaved, and as to be stored for rewinding before the next tick."""
    viewer.edited = viewer.unsaved = True


def change_ports(viewer: Viewer, emitters: tuple[Emitter, ...], drains: tuple[Drain, ...]) -> None:
    """Replace the world's emitters and drains, as one edit."""
    before = viewer.sim.read()
    viewer.sim.replace_ports(emitters, drains)
    viewer.history.before_edit(before)
    viewer.replaced = None
    end_edit(viewer)


def put(viewer: Viewer, patch: Patch, material: str) -> None:
    """Write a material into the cells of a patch; in mode ``replace`` only into cells of the replaced material."""
    laws, height_width = viewer.sim.blank, patch.mask.shape
    at = patch.left, patch.top
    arrays: Arrays = viewer.sim.read_window(at, (height_width[1], height_width[0]))
    alike = cells_of(laws, viewer.replaced, arrays) if viewer.replaced is not None else None
    cells = patch.mask if alike is None else patch.mask & alike
    put_material(laws, arrays, cells, material)
    if has_velocity(laws, material):
        rows, columns = (span.start + np.arange(span.stop - span.start) for span in patch.window)
        for number, name in enumerate(name for name in arrays if FIELDS[name].drawn):
            drawn = pcg4d(columns[None, :], rows[:, None], viewer.serial, laws.seed ^ (_DRAWN + number))[0]
            arrays[name][cells] = drawn[cells] >> np.uint32(24)
        arrays["velocity"][cells] = np.round(np.array(viewer.tool.velocity) * VELOCITY_ONE)
    viewer.sim.write_window(at, arrays)


def go_to(viewer: Viewer, world: World | None, nothing: str) -> None:
    """Continue from a world of the history; None: show the message `nothing` instead."""
    if world is None:
        viewer.tell(nothing)
        return
    viewer.show(world)
    end_edit(viewer)


def material_at(viewer: Viewer, at: Cell) -> str | None:
    """Name of the material at a cell of the running world; None outside the world."""
    return material_in(viewer.sim.blank, viewer.sim.read_window(at, (1, 1))) if inside(viewer, at) else None


def inside(viewer: Viewer, at: Cell) -> bool:
    """Whether a cell (column, row) lies in the world."""
    width, height = size_of(viewer)
    return 0 <= at[0] < width and 0 <= at[1] < height


def placed(viewer: Viewer, at: Cell) -> tuple[Cell, Cell]:
    """(left, top), (width, height) of the brush's square around a cell, clipped to the world.

    Raises: UsageError: no cell of the square lies in the world.
    """
    (width, height), reach = size_of(viewer), viewer.tool.size // 2
    left, top = max(at[0] - reach, 0), max(at[1] - reach, 0)
    right, bottom = min(at[0] + reach + 1, width), min(at[1] + reach + 1, height)
    if left >= right or top >= bottom:
        raise UsageError(f"emitter: {tuple(at)} lies outside the world")
    return (left, top), (right - left, bottom - top)


def size_of(viewer: Viewer) -> Cell:
    """(width, height) of the world."""
    return viewer.sim.blank.width, viewer.sim.blank.height
