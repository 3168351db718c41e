"""Actions that take edits back: undo, redo, and a return to the time before an edit."""

from __future__ import annotations

from contextlib import AbstractContextManager
from enum import Enum, auto

import numpy as np

from gpufluid.viewer._paint import change_ports
from gpufluid.viewer.actions import action
from gpufluid.viewer.edits import Arrays, Edit, still_there, write_of
from gpufluid.viewer.viewer import Viewer

_BACK = "Edit > Back to before the last stroke goes back in time"


class _Taken(Enum):
    """The extent to which an edit was taken back."""

    NO_EDIT = auto()
    """There is no edit."""
    NONE = auto()
    """No part: the cells no longer hold what the edit left there."""
    PART = auto()
    """A part: some of the cells no longer hold what the edit left there."""
    ALL = auto()
    """The whole edit."""


@action(
    "Paint",
    "Take the last stroke back where its matter still lies, and put back solids that it replaced; time goes on.",
    "ctrl+z",
    logged=True,
)
def undo(viewer: Viewer) -> None:
    taken = _taken(viewer, viewer.history.undoing(), "undo")
    if taken is _Taken.NONE:
        again = "; undo again takes the stroke before it" if viewer.history.has_earlier_edit else ""
        viewer.tell(f"all of it has moved on; {_BACK}{again}")
    elif taken is _Taken.PART:
        viewer.tell(f"what has moved since then stays where it is; {_BACK}")


@action("Paint", "Lay the stroke again that was last taken back.", "ctrl+shift+z ctrl+y", logged=True)
def redo(viewer: Viewer) -> None:
    taken = _taken(viewer, viewer.history.redoing(), "redo")
    if taken is _Taken.NONE:
        again = "; redo again lays the stroke after it" if viewer.history.has_later_edit else ""
        viewer.tell(f"its cells have changed since; it is not laid again{again}")
    elif taken is _Taken.PART:
        viewer.tell("some of its cells have changed since; it is laid again where they allow it")


@action("Paint", "Go back in time to before the last stroke.", "ctrl+alt+z", logged=True)
def back_before_edit(viewer: Viewer) -> None:
    viewer.pointer.cancel()
    if not viewer.history.can_go_back:
        viewer.tell("nothing to undo")
    elif viewer.history.back_before_edit(viewer.sim.read(), viewer.run_from):
        viewer.unsaved = True
        viewer.tell(f"back at tick {viewer.sim.tick:,}, before the stroke; Redo returns")
    else:
        viewer.tell(
            "too much has happened since the last edit to go back to before it; undo takes what still lies there"
        )


def _taken(viewer: Viewer, found: AbstractContextManager[Edit | None], verb: str) -> _Taken:
    """Apply the edit that the history gives for an undo or a redo, or tell the user that there is none."""
    viewer.pointer.cancel()
    with found as edit:
        if edit is None:
            viewer.tell(f"nothing to {verb}")
            return _Taken.NO_EDIT
        taken = take_back(viewer, edit)
    viewer.unsaved |= taken is not _Taken.NONE
    return taken


def take_back(viewer: Viewer, edit: Edit) -> _Taken:
    """Take an edit back. If it was a jump to another world, jump back; else restore its cells, emitters and drains.

    Cells that no longer hold what the edit left there stay as they are. But a solid that the edit has replaced comes
    back, unless another solid is there now.

    Returns: how much was taken back; never `NO_EDIT`.
    """
    if edit.world is not None:
        before = viewer.sim.read()
        viewer.show(edit.world)
        viewer.history.note_jump(before, edit.world, edit.timeline)
        return _Taken.ALL
    if edit.ports is not None:
        change_ports(viewer, *edit.ports)
    if not edit.before:
        return _Taken.NONE if edit.ports is None else _Taken.ALL
    left, top = (min(part.at[axis] for part in edit.before) for axis in (0, 1))
    right, bottom = (max(part.at[axis] + part.size[axis] for part in edit.before) for axis in (0, 1))
    at, size = (left, top), (right - left, bottom - top)
    now = viewer.sim.read_window(at, size)
    arrays = {name: array.copy() for name, array in now.items()}
    edited = np.zeros((size[1], size[0]), bool)
    for part in edit.before:
        part.put_into(arrays, at)
        rows, columns = part.at[1] - top, part.at[0] - left
        edited[rows : rows + part.size[1], columns : columns + part.size[0]] |= part.cells
    there = edited & still_there(edit, at, now)
    edit.has_moved_on = bool((edited & ~there).any())
    cells = there | edited & _solids_to_put_back(viewer, arrays, now)
    if not cells.any():
        return _Taken.NONE if edit.ports is None else _Taken.PART
    after = {name: array.copy() for name, array in now.items()}
    write_of(viewer.sim.tick, at, cells, arrays).put_into(after, at)
    viewer.write(at, cells, now, after)
    return _Taken.PART if edit.has_moved_on else _Taken.ALL


def _solids_to_put_back(viewer: Viewer, before: Arrays, now: Arrays) -> np.ndarray:
    """The cells that held a solid before an edit, and hold none now.

    Args:
        viewer: the viewer.
        before, now: all fields of a rectangle by name, each (height, width) or with more axes, of the field's type.
    Returns: (height, width) bool.
    """
    solid = viewer.sim.blank.materials.solid
    return solid[before["material"]] & ~solid[now["material"]]
