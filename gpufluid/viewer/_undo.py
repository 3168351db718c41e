"""Actions that take edits back: undo, redo, and a return to the time before an edit."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from gpufluid.viewer._paint import change_ports
from gpufluid.viewer.actions import action
from gpufluid.viewer.edits import Arrays, Edit, still_there, write_of
from gpufluid.viewer.messages import Offer
from gpufluid.viewer.texts import keys_of
from gpufluid.viewer.viewer import Viewer

_BACK = "Edit > Back to before the last stroke goes back in time"
_KEEP_TIME = Offer("Keep the time, take back what still lies", "undo_in_place")


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
    "Take the last stroke back; if its matter has moved on, go back in time to before the stroke.",
    "ctrl+z",
    logged=True,
)
def undo(viewer: Viewer, back: bool | None = None) -> dict[str, object] | None:
    """Take the last edit back in place, so that time goes on, or go back in time to before it.

    Args:
        viewer: the viewer.
        back: whether to go back in time, as far as worlds are stored; None: if matter of the edit has moved on. A
            replay, which stores others, passes what was done.
    """
    viewer.pointer.cancel()
    edit = viewer.history.next_to_undo()
    if edit is None:
        viewer.tell("nothing to undo")
        return None
    if back is None:
        back = _has_moved_on(viewer, edit)
    if back and viewer.history.back_before_edit(viewer.sim.read(), viewer.run_from, edit):
        viewer.unsaved = True
        key = keys_of(viewer, "redo", {}).partition(",")[0]
        again = f"Redo ({key})" if key else "Redo"  # a phone has no keys
        said = f"its matter has moved on, so time is back at tick {viewer.sim.tick:,}, before the stroke"
        viewer.tell(f"{said}; {again} goes forward again", offer=_KEEP_TIME)
        return {"back": True}
    _undo_in_place(viewer, too_late=back)
    return {"back": False}


@action(
    "Paint",
    "Keep the time, or go forward to it again, and take back only what still lies of the last stroke.",
    "ctrl+alt+shift+z",
    logged=True,
)
def undo_in_place(viewer: Viewer) -> None:
    if viewer.history.has_gone_back:
        redo(viewer)
    _undo_in_place(viewer)


def _undo_in_place(viewer: Viewer, too_late: bool = False) -> None:
    """Take the last edit back where its matter still lies; ``too_late``: too little is stored to go back in time."""
    back = "too much has happened since to go back in time" if too_late else _BACK
    taken = _taken(viewer, viewer.history.undoing(), "undo")
    if taken is _Taken.NONE:
        again = "; undo again takes the stroke before it" if viewer.history.has_earlier_edit else ""
        viewer.tell(f"all of it has moved on; {back}{again}")
    elif taken is _Taken.PART:
        viewer.tell(f"what has moved since then stays where it is; {back}")


@action(
    "Paint",
    "Lay the stroke again that was last taken back, or go forward in time again.",
    "ctrl+shift+z ctrl+y",
    logged=True,
)
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
        taken = _take_back(viewer, edit)
    viewer.unsaved |= taken is not _Taken.NONE
    return taken


@dataclass(frozen=True, slots=True)
class _Place:
    """The rectangle with all cells of an edit.

    Args:
        at: (column, row) of its top left cell.
        before, now: all its fields by name, with the cells of the edit as they were before it, and as they are.
        edited: (height, width) bool, the cells of the edit.
        there: (height, width) bool, those of them that hold what the edit left there.
    """

    at: tuple[int, int]
    before: Arrays
    now: Arrays
    edited: np.ndarray
    there: np.ndarray

    @property
    def has_moved_on(self) -> bool:
        """True if a cell holds something else than the edit left there."""
        return bool((self.edited & ~self.there).any())


def _place_of(viewer: Viewer, edit: Edit) -> _Place:
    """The place of an edit that has changed cells."""
    left, top = (min(part.at[axis] for part in edit.before) for axis in (0, 1))
    right, bottom = (max(part.at[axis] + part.size[axis] for part in edit.before) for axis in (0, 1))
    at, size = (left, top), (right - left, bottom - top)
    now = viewer.sim.read_window(at, size)
    before = {name: array.copy() for name, array in now.items()}
    edited = np.zeros((size[1], size[0]), bool)
    for part in edit.before:
        part.put_into(before, at)
        rows, columns = part.at[1] - top, part.at[0] - left
        edited[rows : rows + part.size[1], columns : columns + part.size[0]] |= part.cells
    return _Place(at, before, now, edited, edited & still_there(edit, at, now))


def _has_moved_on(viewer: Viewer, edit: Edit) -> bool:
    """Return True if an edit has changed cells, of which some hold something else now."""
    return edit.world is None and bool(edit.before) and _place_of(viewer, edit).has_moved_on


def _take_back(viewer: Viewer, edit: Edit) -> _Taken:
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
    place = _place_of(viewer, edit)
    edit.has_moved_on = place.has_moved_on
    cells = place.there | place.edited & _solids_to_put_back(viewer, place.before, place.now)
    if not cells.any():
        return _Taken.NONE if edit.ports is None else _Taken.PART
    after = {name: array.copy() for name, array in place.now.items()}
    write_of(viewer.sim.tick, place.at, cells, place.before).put_into(after, place.at)
    viewer.write(place.at, cells, place.now, after)
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
