"""Actions that take edits back: undo, redo, and back in time to before an edit."""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np

from gpufluid.viewer._paint import change_ports
from gpufluid.viewer.actions import action
from gpufluid.viewer.history import Edit, still_there, write_of
from gpufluid.viewer.viewer import Viewer


@action("Paint", "Take the last stroke back where its matter still lies; time goes on.", "ctrl+z", logged=True)
def undo(viewer: Viewer) -> None:
    if _is_refused(viewer, viewer.history.undoing(), "undo"):
        again = "; undo again takes the stroke before it" if viewer.history.has_earlier_edit else ""
        viewer.tell(f"all of it has moved on; Edit > Back to before the last stroke goes back in time{again}")


@action("Paint", "Lay the stroke again that was last taken back.", "ctrl+shift+z ctrl+y", logged=True)
def redo(viewer: Viewer) -> None:
    if _is_refused(viewer, viewer.history.redoing(), "redo"):
        again = "; redo again lays the stroke after it" if viewer.history.has_later_edit else ""
        viewer.tell(f"its cells have changed since; it is not laid again{again}")


@action("Paint", "Go back in time to before the last stroke.", "ctrl+alt+z", logged=True)
def back_before_edit(viewer: Viewer) -> None:
    viewer.pointer.cancel()
    if not viewer.history.can_undo:
        viewer.tell("nothing to undo")
    elif viewer.history.back_before_edit(viewer.sim.read(), viewer.run_from):
        viewer.unsaved = True
    else:
        viewer.tell(
            "too much has happened since the last edit to go back to before it; undo takes what still lies there"
        )


def _is_refused(viewer: Viewer, found: AbstractContextManager[Edit | None], verb: str) -> bool:
    """Take back the edit that the history has found, or say that there is none to undo or redo.

    Returns: whether there is an edit, and nothing of it could be taken back.
    """
    viewer.pointer.cancel()
    with found as edit:
        if edit is None:
            viewer.tell(f"nothing to {verb}")
            return False
        changed = take_back(viewer, edit)
    viewer.unsaved |= changed
    return not changed


def take_back(viewer: Viewer, edit: Edit) -> bool:
    """Take an edit back: a jump to another world by a jump back, other edits by their cells, emitters and drains.

    Cells that no longer hold what the edit left there stay as they are.

    Returns: whether anything has changed.
    """
    if edit.world is not None:
        before = viewer.sim.read()
        viewer.show(edit.world)
        viewer.history.note_jump(before, edit.world, edit.course)
        return True
    if edit.ports is not None:
        change_ports(viewer, *edit.ports)
    if not edit.before:
        return edit.ports is not None
    left, top = (min(part.at[axis] for part in edit.before) for axis in (0, 1))
    right, bottom = (max(part.at[axis] + part.size[axis] for part in edit.before) for axis in (0, 1))
    at, size = (left, top), (right - left, bottom - top)
    before = viewer.sim.read_window(at, size)
    arrays = {name: array.copy() for name, array in before.items()}
    cells = np.zeros((size[1], size[0]), bool)
    for part in edit.before:
        part.put_into(arrays, at)
        rows, columns = part.at[1] - top, part.at[0] - left
        cells[rows : rows + part.size[1], columns : columns + part.size[0]] |= part.cells
    cells &= still_there(edit, at, before)
    if not cells.any():
        return edit.ports is not None
    after = {name: array.copy() for name, array in before.items()}
    write_of(viewer.sim.tick, at, cells, arrays).put_into(after, at)
    viewer.write(at, cells, before, after)
    return True
