"""Actions that change the whole world: a new one, another size, no matter, more rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.core.packing import any_component
from gpufluid.viewer._files import ask
from gpufluid.viewer._paint import begin, change_ports
from gpufluid.viewer.actions import action
from gpufluid.viewer.new_world import new_world, walls_left_out
from gpufluid.viewer.viewer import Viewer
from gpufluid.world import World
from gpufluid.world.reshaping import cleared, resized, with_rules


@action("Files", "Make a new, empty world in place of this one.")
def new(viewer: Viewer, **choices: object) -> None:
    """Make a new world; ``choices`` are the arguments of `new_world`."""
    world = _made(choices)
    viewer.creating = None
    viewer.open(world, "")
    viewer.tell(f"a new world of {world.width} by {world.height} cells")
    lacking = walls_left_out(world.width, world.height, world.gravity)
    if choices.get("surroundings", "floor") == "floor" and lacking is not None:
        viewer.tell(lacking)


@action("Files", "Make a new, empty world; unsaved changes are confirmed first.")
def request_new(viewer: Viewer, **choices: object) -> None:
    """Make a new world as `new` does; ask the user first if changes would be lost."""
    _made(choices)  # what cannot be made is said before the question
    viewer.dialog = None
    if viewer.unsaved:
        viewer.pointer.cancel()
        viewer.creating = dict(choices)
    else:
        new(viewer, **choices)


def _made(choices: dict[str, object]) -> World:
    try:
        return new_world(**choices)  # pyright: ignore[reportArgumentType]  it checks its arguments
    except TypeError as error:
        raise UsageError(f"new: {error}") from None


@action("Files", "Make a new, empty world: choose its size, edges, gravity and what happens in it.", "ctrl+n")
def ask_new(viewer: Viewer) -> None:
    ask(viewer, "new")


@action("Files", "Give the world another size, and keep what fits.", "ctrl+shift+n")
def ask_resize(viewer: Viewer) -> None:
    ask(viewer, "resize")


@action(
    "Paint",
    "Remove all matter, emitters and drains, but not the floor and walls along the edges.",
    "ctrl+delete",
    logged=True,
)
def clear(viewer: Viewer) -> None:
    viewer.pointer.cancel()
    world = viewer.sim.read()
    after = cleared(world)
    before, arrays = world.complete_arrays(), after.complete_arrays()
    cells = np.zeros((world.height, world.width), bool)
    for name, array in before.items():
        cells |= any_component(name, array != arrays[name])
    if not cells.any() and not world.emitters and not world.drains:
        viewer.tell("the world is empty")
        return
    begin(viewer)
    if world.emitters or world.drains:
        change_ports(viewer, (), ())
    if cells.any():
        viewer.write((0, 0), cells, before, arrays)
    viewer.history.close()


@action("Paint", "Give the world another size, and keep what fits.", logged=True)
def resize(viewer: Viewer, width: int, height: int, align: Sequence[float] | None = None) -> None:
    """Resize the world; arguments as for `gpufluid.resized`."""
    viewer.pointer.cancel()
    world = viewer.sim.read()
    if (world.width, world.height) == (width, height):
        viewer.dialog = None
        viewer.tell(f"the world has {width} by {height} cells already")
        return
    place = None if align is None else (align[0], align[1]) if len(align) == 2 else tuple(align)
    _go_on(viewer, world, resized(world, width, height, place))  # pyright: ignore[reportArgumentType]  it checks it
    viewer.dialog = None


@action("Material", "Add rules to the world, such as reactions, and the rules that they need.", logged=True)
def add_rules(viewer: Viewer, rules: Sequence[str]) -> None:
    viewer.pointer.cancel()
    world = viewer.sim.read()
    _go_on(viewer, world, with_rules(world, rules))


def _go_on(viewer: Viewer, world: World, changed: World) -> None:
    """Continue from a changed world, which can be undone."""
    begin(viewer)
    viewer.show(changed)
    viewer.history.note_jump(world, changed)
    viewer.history.close()
    viewer.unsaved = True
