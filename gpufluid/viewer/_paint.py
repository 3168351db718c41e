"""Actions that edit the world: strokes, shapes, emitters and drains, undo; and the tool settings they use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.runs import Runs
from gpufluid.matter.ports import Drain, Emitter, velocity_problem
from gpufluid.scene.matter import amount_fields, cells_of, is_thrown, material_in
from gpufluid.scene.strokes import Chance, Laying
from gpufluid.viewer.actions import action
from gpufluid.viewer.brush import FAR, SHAPES, SIZE_MOST, flood_fill, stroke
from gpufluid.viewer.brush import rectangle as cells_between
from gpufluid.viewer.pointer import Cell
from gpufluid.viewer.tool import MODES, RATE_LEAST
from gpufluid.viewer.viewer import Viewer

EMPTY = "empty"
"""The material of cells without matter."""

_DENSEST = 0.5
"""The densest stream of a mixture, in cells. The head of a denser one spreads sideways in the air."""


@action("Paint", "Paint a brush stroke through a list of cells.", logged=True)
def paint(viewer: Viewer, points: Sequence[Cell], mode: str = "paint", more: bool = False, held: bool = False) -> None:
    """Paint, erase or replace along a stroke.

    Args:
        points: cells that the stroke passes through, (column, row).
        mode: ``paint``, ``erase``, or ``replace`` (only cells of the material at the stroke's start).
        more: whether this continues the previous stroke, so that both are undone together.
        held: whether the brush lays again because its button is held. Then it lays the tool's share of its cells, and
            leaves cells as they are that hold the material already: matter just laid goes on falling. Of a mixture it
            lays that share as a part in every cell; see `_density`.
    """
    if mode not in ("paint", "erase", "replace"):
        raise UsageError(f"paint: mode {shown(mode)}{did_you_mean(str(mode), ['paint', 'erase', 'replace'])}")
    cells = cells_along(points)
    if not more or not viewer.history.is_open:
        begin(viewer)
        viewer.replaced = material_at(viewer, cells[0]) if mode == "replace" else None
    if mode == "replace" and viewer.replaced is None:
        return  # the stroke began outside the world: no material to replace
    pours = held and mode != "erase"
    density = _density(viewer) if pours else None
    by_chance = viewer.tool.shape == "spray" or (pours and density is None)
    for start, end in zip(cells, cells[1:] or cells, strict=False):
        touched, chance = stroke(viewer.tool.shape, viewer.tool.size, start, end, size_of(viewer)), Chance()
        if by_chance:
            chance = Chance(min(viewer.tool.rate, 1.0), viewer.serial)
        viewer.serial += 1
        material = EMPTY if mode == "erase" else viewer.tool.material
        put(viewer, touched, material, held, 1.0 if density is None else density, chance)


def cells_along(points: Sequence[Cell]) -> list[Cell]:
    """The cells that a stroke passes through. Raises UsageError: one is too far away for the geometry of brushes."""
    cells = [(int(x), int(y)) for x, y in points]
    for cell in cells:
        if max(map(abs, cell)) > FAR:
            raise UsageError(f"{shown(cell)} is too far from the world for a stroke; expected cells within {FAR:,}")
    return cells


def _density(viewer: Viewer) -> float | None:
    """The part of the tool's amount that each cell of a held brush keeps while it pours a constituent of a mixture.

    A mixture falls by a row in each tick. So the stream is continuous, and as much is poured as if the tool's share of
    the cells were laid in each tick, but a cell keeps at most `_DENSEST`. Single full cells would spread sideways in
    the air, to long lines.

    Returns: 0 to 1; None: the material is no constituent, or the brush is a spray.
    """
    tool = viewer.tool
    if tool.shape == "spray" or tool.material not in viewer.sim.blank.mixture.names:
        return None
    return min(1.0, tool.rate * tool.size, _DENSEST / max(tool.amount, _DENSEST))


@action("Paint", "Paint a straight line between two cells.", logged=True)
def line(viewer: Viewer, start: Cell, end: Cell) -> None:
    paint(viewer, [start, end])


@action("Paint", "Fill the rectangle between two cells.", logged=True)
def rectangle(viewer: Viewer, start: Cell, end: Cell) -> None:
    if cells := cells_between(start, end, size_of(viewer)):
        begin(viewer)
        put(viewer, cells, viewer.tool.material)


@action("Paint", "Flood-fill the connected area of one material around a cell.", logged=True)
def fill(viewer: Viewer, at: Cell) -> None:
    if not inside(viewer, at):
        return
    world = viewer.sim.read()
    found = cells_of(world, material_at(viewer, at) or "")
    assert found is not None
    begin(viewer)
    put(viewer, flood_fill(found, at), viewer.tool.material)


@action(
    "Paint",
    "Place an emitter of the brush's size at a cell; x and y are its velocity.",
    logged=True,
)
def emitter(viewer: Viewer, at: Cell, x: float = 0.0, y: float = 0.0) -> None:
    laws = viewer.sim.blank
    first, size = placed(viewer, at)
    thrown = (float(x), float(y)) if is_thrown(laws, viewer.tool.material) else None
    made = Emitter(first, size, material=viewer.tool.material, velocity=thrown)
    for problem in laws.port_problems(made):
        raise UsageError(str(problem))
    begin(viewer)
    change_ports(viewer, (*laws.emitters, *_jet(made, size_of(viewer))), laws.drains)


def _jet(first: Emitter, world: Cell) -> Iterator[Emitter]:
    """An emitter, and copies of it along its velocity, which together are as long as the way of a tick.

    So the jet has no gaps: an emitter shorter than that way would make a chain of squares. Copies that do not lie
    wholly in the world, of (width, height) cells, are left out.
    """
    yield first
    (across, down), (width, height) = first.velocity or (0.0, 0.0), first.size
    fastest = max(abs(across), abs(down))
    stride, side = max(1, min(first.size) // 2), min(first.size)
    for number in range(1, ceil((ceil(fastest) - side) / stride) + 1):
        along = min(number * stride, ceil(fastest) - side) / fastest
        left, top = first.at[0] + round(across * along), first.at[1] + round(down * along)
        if 0 <= left <= world[0] - width and 0 <= top <= world[1] - height:
            yield replace(first, at=(left, top))


def _is_of_jet(port: Emitter, other: Emitter) -> bool:
    """Return True if two emitters belong to one jet: they have one velocity, differ only in place, and touch."""
    touch = all(abs(a - b) <= size for a, b, size in zip(port.at, other.at, port.size, strict=True))
    return touch and any(port.velocity or ()) and replace(port, at=other.at) == other


@action("Paint", "Place a drain in the rectangle between two cells.", logged=True)
def drain(viewer: Viewer, start: Cell, end: Cell) -> None:
    cells = cells_between(start, end, size_of(viewer))
    if cells:
        laws = viewer.sim.blank
        begin(viewer)
        change_ports(viewer, laws.emitters, (*laws.drains, Drain(cells.at, cells.size)))


@action("Paint", "Remove the emitters and drains at a cell.", logged=True)
def remove(viewer: Viewer, at: Cell) -> None:
    laws = viewer.sim.blank

    def is_here(port: Emitter | Drain) -> bool:
        rows, columns = port.slices
        return rows.start <= at[1] < rows.stop and columns.start <= at[0] < columns.stop

    gone = {number for number, port in enumerate(laws.emitters) if is_here(port)}
    while more := {
        number
        for number, port in enumerate(laws.emitters)
        if number not in gone and any(_is_of_jet(port, laws.emitters[other]) for other in gone)
    }:
        gone |= more
    begin(viewer)
    emitters = (port for number, port in enumerate(laws.emitters) if number not in gone)
    change_ports(viewer, tuple(emitters), tuple(port for port in laws.drains if not is_here(port)))


TOOL_KEYS = {"b": "paint", "e": "erase", "shift+e": "replace", "g": "fill", "l": "line", "u": "rectangle"}
TOOL_KEYS |= {"m": "emitter", "k": "drain", "shift+k": "remove", "i": "pick"}
TOOL_KEYS |= {"h": "warm", "shift+h": "cool"}


@action(
    "Paint",
    "Choose a tool.",
    {key: {"mode": mode} for key, mode in TOOL_KEYS.items()},
    logged=True,
    says=lambda mode: f"{mode.capitalize()}: {MODES[mode][0].lower()}{MODES[mode][1:]}",
)
def tool(viewer: Viewer, mode: str) -> None:
    if mode not in MODES:
        raise UsageError(f"tool: {shown(mode)}{did_you_mean(str(mode), MODES)}")
    viewer.tool = replace(viewer.tool, mode=mode)


@action(
    "Paint", "Change the shape of the brush: round, square, or a spray of single grains.", {"shift+b": {}}, logged=True
)
def shape(viewer: Viewer, name: str | None = None) -> None:
    """Set the brush shape; None: the shape after the current one."""
    name = SHAPES[(SHAPES.index(viewer.tool.shape) + 1) % len(SHAPES)] if name is None else name
    if name not in SHAPES:
        raise UsageError(f"shape: {shown(name)}{did_you_mean(str(name), SHAPES)}")
    viewer.tool = replace(viewer.tool, shape=name)


@action(
    "Paint", "Set the share of the brush that a held button lays in each tick, and a spray in a stroke.", logged=True
)
def pour_rate(viewer: Viewer, share: float) -> None:
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share <= 1:
        raise UsageError(f"pour_rate: {shown(share)}; expected a number above 0, 1 at most")
    viewer.tool = replace(viewer.tool, rate=max(float(share), RATE_LEAST))


@action("Paint", "Set the part of a cell that is laid of water by mass, or of a material of a mixture.", logged=True)
def amount(viewer: Viewer, cells: float) -> None:
    if not isinstance(cells, int | float) or isinstance(cells, bool) or not 0 <= cells <= 1:
        raise UsageError(f"amount: {shown(cells)}; expected 0 to 1 cells")
    viewer.tool = replace(viewer.tool, amount=float(cells))


@action("Paint", "Mix what you lay with what is there, or replace what is there.", "x", logged=True)
def mix(viewer: Viewer, on: bool | None = None) -> None:
    """Mix, or replace; None: the other one of the two."""
    viewer.tool = replace(viewer.tool, mix=not viewer.tool.mix if on is None else bool(on))


@action("Paint", "Paint over walls, or leave them as they are.", "w", logged=True)
def over_walls(viewer: Viewer, on: bool | None = None) -> None:
    """Lay matter over anchored solids as well, or not; None: the other one of the two."""
    viewer.tool = replace(viewer.tool, over_walls=not viewer.tool.over_walls if on is None else bool(on))


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
    "Set how fast what you lay flies, in cells a tick to the right and down; the key: lay it at rest.",
    {"v": {}},
    logged=True,
)
def velocity(viewer: Viewer, x: float = 0.0, y: float = 0.0) -> None:
    """Set the velocity of painted matter; at rest by default."""
    problem = velocity_problem((x, y))
    if problem:
        raise UsageError(f"velocity: {problem}")
    viewer.tool = replace(viewer.tool, velocity=(float(x), float(y)))


def begin(viewer: Viewer) -> None:
    """Begin an edit."""
    viewer.history.begin()
    viewer.replaced = None


def change_ports(viewer: Viewer, emitters: tuple[Emitter, ...], drains: tuple[Drain, ...]) -> None:
    """Replace the world's emitters and drains, as a part of the open edit, or of a new one."""
    laws = viewer.sim.blank
    before = laws.emitters, laws.drains
    viewer.sim.replace_ports(emitters, drains)
    viewer.history.note_ports(viewer.sim.tick, before, viewer.sim.read())
    viewer.unsaved = True


def put(
    viewer: Viewer,
    cells: Runs,
    material: str,
    only_new: bool = False,
    density: float = 1.0,
    chance: Chance = Chance(),  # noqa: B008 (it cannot change)
) -> None:
    """Lay a material in cells; in mode ``replace`` only in cells of the replaced material.

    Anchored solids, such as walls, stay, unless the tool paints over walls, erases, or replaces this very solid.

    Args:
        viewer: the viewer.
        cells: the cells.
        material: the name of the material.
        only_new: whether to leave cells as they are that hold the material already, or at least as much as is laid.
        density: the part of the tool's amount that is laid of a material stored as an amount, 0 to 1.
        chance: the cells that are drawn of these.
    """
    tool = viewer.tool
    mixes = tool.mix and material in amount_fields(viewer.sim.blank)  # which leaves all solids as they are
    laying = Laying(
        material,
        amount=tool.amount * density,
        mixes=mixes,
        replaced=viewer.replaced,
        only_new=only_new,
        spares_walls=material != EMPTY and viewer.replaced is None and not mixes and not tool.over_walls,
        velocity=tool.velocity,
        serial=viewer.serial,
        chance=chance,
    )
    viewer.lay(cells, laying)


def material_at(viewer: Viewer, at: Cell) -> str | None:
    """Name of the material at a cell of the running world; None outside the world."""
    return material_in(viewer.sim.blank, viewer.sim.read_window(at, (1, 1))) if inside(viewer, at) else None


def inside(viewer: Viewer, at: Cell) -> bool:
    """True if a cell (column, row) lies in the world."""
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
