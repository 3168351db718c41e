"""Undo, redo and rewind.

A stroke whose matter still lies where it was laid is taken back by its cells: they become what they were before it, and
time goes on. If matter has moved on, undo rewinds to before the stroke. Where the user keeps the time, or where too
little is stored for rewinding, the cells that still hold what the stroke left there are taken back. The others stay as
they are: else undoing would bring matter back and take none away. Only a solid that the stroke has replaced comes back
in any case, unless another solid is there now: it was not the stroke's.
Rewinding runs forward from a stored world and repeats the writes and strokes of edits in between, which is exact
because ticks and strokes are deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.runs import Runs
from gpufluid.viewer.edits import Arrays, Edit, Event, Ports, RewindPoint, Timeline, Touch, write_of
from gpufluid.world import World

if TYPE_CHECKING:
    from gpufluid.gpu.edit_copies import EditCopies

BUDGET = 1 << 28
"""Most bytes for each of undo, redo, worlds for rewinding, and writes to repeat; the oldest are dropped first."""


_PARTS = 4
"""A brush that is held goes on as another edit before its copies exceed the budget of undo divided by this number."""


@dataclass(frozen=True, slots=True)
class _Undone:
    """An edit that was undone.

    Args:
        inverse: what takes the undoing back.
        edit: the edit; None: `inverse` only takes back that time went back to before the edit undone last.
    """

    inverse: Edit
    edit: Edit | None


class History:
    """The history of a viewer's world, for undo, redo and rewinding.

    Writes, changes of ports and jumps to other worlds are events, which are numbered in their order.

    Args:
        world: the initial state.
        budget: bytes for each of undo, redo, worlds and writes.
    """

    def __init__(self, world: World, budget: int = BUDGET) -> None:
        self._budget = budget
        self._serial = 0
        self._done: list[Edit] = []
        self._undone: list[_Undone] = []
        self._open: Edit | None = None
        self._touched = np.zeros(0, bool)  # the cells that the open edit has changed, (height, width)
        self._taking_back = False
        self._refused: Edit | None = None  # the edit that the last undo or redo could not take back
        self._points = [RewindPoint(world, True, 0)]
        self._unconfirmed: Edit | None = (
            None  # the last edit, if its strokes may have changed nothing; see `_confirm_last`
        )
        self._writes: list[tuple[int, Event]] = []  # by the number of the event
        self._written = 0  # bytes of these
        self._unstored = 0  # the effort of repeating those since the last stored world

    @property
    def _present(self) -> World:
        """The last stored world, which has the size and the fields of the present one."""
        return self._points[-1].world

    @property
    def _capacity(self) -> int:
        """The most worlds that are stored."""
        return max(self._budget // max(self._present.nbytes, 1), 4)

    @property
    def can_undo(self) -> bool:
        """True if there is an edit to undo."""
        self._confirm_last()
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """True if there is an undone edit to redo."""
        self._confirm_last()
        return bool(self._undone)

    @property
    def can_go_back(self) -> bool:
        """True if there is an edit for `back_before_edit`."""
        self._confirm_last()
        return self._edit_to_go_back_before is not None

    @property
    def has_gone_back(self) -> bool:
        """True if the last undoing went back in time to before an edit, so that redo goes forward again."""
        self._confirm_last()
        return bool(self._undone) and self._undone[-1].inverse.is_return

    @property
    def _edit_to_go_back_before(self) -> Edit | None:
        """The last edit: the one undone last if some of its matter is still in the world; None: there is no edit."""
        last = self._undone[-1] if self._undone else None
        if last is not None and not last.inverse.is_return and last.edit is not None and last.edit.has_moved_on:
            return last.edit
        return self._done[-1] if self._done else None

    @property
    def has_earlier_edit(self) -> bool:
        """True if a second undo would find another edit."""
        return len(self._done) > 1

    @property
    def has_later_edit(self) -> bool:
        """True if a second redo would find another edit."""
        return len(self._undone) > 1

    @property
    def is_open(self) -> bool:
        """True if an edit has begun that may go on."""
        return self._open is not None

    @property
    def earliest(self) -> int:
        """The earliest tick that `back_to` can reach."""
        return self._points[0].world.tick

    @property
    def wants_root(self) -> bool:
        """True if so many writes follow the last stored world that the present one should be stored."""
        return self._unstored > self._budget // 8

    def begin(self) -> None:
        """Begin an edit. It is listed for undo as soon as it changes something."""
        self._open = Edit()
        self._touched = np.zeros(
            (self._present.height, self._present.width), bool
        )  # the system provides memory for the touched parts only

    def close(self) -> None:
        """End the open edit, if any: later events belong to another one."""
        self._open = None

    def note(
        self, tick: int, at: tuple[int, int], cells: np.ndarray, before: Arrays, after: Arrays, given: bool = False
    ) -> None:
        """Record a write of the open edit.

        Args:
            tick: the tick of the world.
            at: (column, row) of the top left cell of a rectangle.
            cells: (height, width) bool, the cells of the rectangle that were written.
            before, after: all fields of the rectangle by name, each (height, width) or with more axes, of the field's
                type.
            given: whether the change of heat is counted as given.
        """
        write = write_of(tick, at, cells, after, given)
        edit = self._event(tick)
        self._writes.append((self._serial, write))
        self._written += write.nbytes
        self._unstored += write.effort
        part = slice(at[1], at[1] + cells.shape[0]), slice(at[0], at[0] + cells.shape[1])
        new = cells & ~self._touched[part]
        if new.any():
            self._touched[part] |= new
            edit.before.append(write_of(tick, at, new, before))
        edit.after.append(write)
        self._list(edit)
        self._bound()

    def copies_for(self, tick: int, cells: Runs, make: Callable[[], EditCopies]) -> tuple[EditCopies, int]:
        """The copies of the open edit, or of a new one, for a stroke that is about to change cells.

        If the copies of the open edit would exceed a quarter of the budget, another edit begins, so that undo has room
        for several edits of a brush that is held.

        Args:
            tick: the tick of the world.
            cells: the cells that the stroke touches.
            make: makes copies for an edit that has none yet.
        Returns: the copies, and the moment of the stroke in the edit.
        """
        edit = self._open
        if edit is None or (edit.copies is not None and edit.copies.bytes_with(cells) > self._budget // _PARTS):
            self.begin()
            edit = self._open
        assert edit is not None
        if edit.copies is None:
            edit.copies = make()
        return edit.copies, tick - edit.tick + 1 if edit.serial else 1

    def note_touch(self, touch: Touch) -> None:
        """Record a stroke of the open edit, for which `copies_for` has returned the copies."""
        edit = self._event(touch.tick)
        self._writes.append((self._serial, touch))
        self._written += touch.nbytes
        self._unstored += touch.effort
        self._list(edit)
        self._bound()

    def note_ports(self, tick: int, before: Ports, now: World) -> None:
        """Record that the open edit has replaced the emitters and drains.

        Args:
            tick: the tick of the world.
            before: the earlier ones.
            now: the world after the edit.
        """
        edit = self._event(tick)
        edit.ports = before if edit.ports is None else edit.ports
        self._list(edit)
        self.keep(now, root=True)

    def note_jump(self, before: World, now: World, timeline: Timeline | None = None) -> None:
        """Record that the open edit goes from one world to another, which is not what follows from it.

        Args:
            before, now: the worlds.
            timeline: the timeline that led to ``now``; None: none is known, but worlds before it stay reachable.
        """
        edit = self._event(now.tick)
        edit.world, edit.timeline = before, self._timeline
        self._list(edit)
        if timeline is not None:
            self._follow(timeline)
            return
        self._forget_after(now.tick)
        self.keep(now, root=True)

    @property
    def _timeline(self) -> Timeline:
        """The present timeline."""
        return Timeline(tuple(self._points), tuple(self._writes))

    def _follow(self, timeline: Timeline) -> None:
        """Make another timeline the present one."""
        self._points = list(timeline.points)
        self._keep_writes(list(timeline.writes))

    def _event(self, tick: int) -> Edit:
        """Number an event, and return the edit to which it belongs."""
        self._serial += 1
        self._refused = None
        if self._open is None:
            self.begin()
        assert self._open is not None
        if not self._open.serial:
            self._open.tick, self._open.serial = tick, self._serial
        return self._open

    def _list(self, edit: Edit) -> None:
        """List an edit for undo, unless it takes another one back. The edits listed for redo are forgotten."""
        if self._taking_back:
            return
        if not self._done or self._done[-1] is not edit:
            self._confirm_last()
            self._done.append(edit)
            self._unconfirmed = edit
            if edit.copies is None:
                self._confirm_last()
        if sum(each.nbytes for each in self._done) > self._budget:
            self._confirm_last()  # an edit that has changed nothing takes the place of no other
            _drop_first(self._done, [each.nbytes for each in self._done], self._budget)

    def _confirm_last(self) -> None:
        """Ask the device, once, if the strokes of the last edit have changed a cell. If not, it is not listed.

        The edits listed for redo are forgotten only by an edit that has changed something.
        """
        edit, self._unconfirmed = self._unconfirmed, None
        if edit is None:
            return
        if edit.copies is None or edit.before or edit.copies.any:
            self._undone.clear()
        elif self._done and self._done[-1] is edit:
            self._done.pop()

    def next_to_undo(self) -> Edit | None:
        """The edit that `undoing` yields, with its cells in its lists; None: there is none."""
        self._confirm_last()
        if self.has_earlier_edit and self._done[-1] is self._refused:
            self._done.pop()
        edit = self._done[-1] if self._done else None
        if edit is not None:
            edit.load()
        return edit

    @contextmanager
    def undoing(self) -> Iterator[Edit | None]:
        """Yield the last edit, for the caller to take back; None: there is none.

        What the caller does can be redone. If it does nothing, the edit stays the last one until undo is asked for
        again: then the edit before it is yielded, if there is one, and the last one is forgotten.
        """
        edit = self.next_to_undo()
        with self._other_way() as inverse:
            yield edit
        if edit is not None and inverse.is_empty:
            self._refused = edit
        elif edit is not None:
            self._done.pop()
            self._list_undone(inverse, edit)

    @contextmanager
    def redoing(self) -> Iterator[Edit | None]:
        """Yield what takes the last undoing back; None: nothing was undone.

        What the caller does can be undone. If it does nothing, redo asked for again yields the one after, as in
        `undoing`.
        """
        self._confirm_last()
        if self.has_later_edit and self._undone[-1].inverse is self._refused:
            self._undone.pop()
        last = self._undone[-1] if self._undone else None
        with self._other_way() as again:
            yield None if last is None else last.inverse
        if last is None:
            return
        if again.is_empty:
            self._refused = last.inverse
            return
        self._undone.pop()
        edit = last.edit if last.inverse.is_return else again
        if edit is not None:
            self._done.append(edit)
            _drop_first(self._done, [each.nbytes for each in self._done], self._budget)

    def _list_undone(self, inverse: Edit, edit: Edit | None) -> None:
        """List an edit for redo; arguments as for `_Undone`."""
        self._undone.append(_Undone(inverse, edit))
        _drop_first(self._undone, [each.inverse.nbytes for each in self._undone], self._budget)

    @contextmanager
    def _other_way(self) -> Iterator[Edit]:
        """Collect events in an edit of their own, which is not listed."""
        self.begin()
        assert self._open is not None
        inverse, self._taking_back = self._open, True
        try:
            yield inverse
        finally:
            self._taking_back = False
            self.close()

    def keep(self, world: World, root: bool = False) -> None:
        """Store the present world for rewinding; `root`: no earlier world leads to it by ticks and writes."""
        self._points.append(RewindPoint(world, root, self._serial))
        self._unstored = 0
        self._bound()

    def back_to(self, tick: int, run: Callable[[World, Sequence[Event], int], None]) -> None:
        """Go back to a tick, and forget all that came after it.

        Args:
            tick: to return to; raised to `earliest` if lower.
            run: brings a world to a tick and repeats writes on the way, each at its tick.
        """
        self._confirm_last()
        tick = max(tick, self.earliest)
        self._refused = None
        point = next(each for each in reversed(self._points) if each.world.tick <= tick)
        run(point.world, self._between(point, self._serial, tick), tick)
        self._forget_after(tick)
        self._forget_edits_after(tick)

    def back_before_edit(
        self, now: World, run: Callable[[World, Sequence[Event], int], None], edit: Edit | None = None
    ) -> bool:
        """Go back in time to before the last edit.

        Args:
            now: the present world, for redo.
            run: see `back_to`.
            edit: the edit that `next_to_undo` has returned; None: the last one, as which an edit counts that was just
                undone, and of which some matter has moved on.
        Returns: False if there is no edit, or too little is stored; then nothing has changed.
        """
        self._confirm_last()
        edit = edit or self._edit_to_go_back_before
        if edit is None or (edit.timeline is None and self._points[0].serial >= edit.serial):
            return False
        self._refused = None
        inverse = Edit(edit.tick, edit.serial, world=now, timeline=self._timeline, is_return=True)
        if edit.timeline is not None and edit.world is not None:
            run(edit.world, (), edit.world.tick)
            self._follow(edit.timeline)
        else:
            last = edit.serial - 1
            points = [point for point in self._points if point.serial <= last and point.world.tick <= edit.tick]
            run(points[-1].world, self._between(points[-1], last, edit.tick), edit.tick)
            self._points = points
            self._keep_writes([entry for entry in self._writes if entry[0] <= last])
        self.close()
        is_listed = bool(self._done) and self._done[-1] is edit
        self._list_undone(inverse, self._done.pop() if is_listed else None)
        return True

    def _between(self, point: RewindPoint, last: int, tick: int) -> list[Event]:
        """The writes and strokes after a stored world, up to an event and a tick."""
        return [write for serial, write in self._writes if point.serial < serial <= last and write.tick <= tick]

    def _forget_after(self, tick: int) -> None:
        """Forget the worlds and writes after a tick, which the new timeline replaces."""
        self._points = [point for point in self._points if point.world.tick <= tick]
        self._keep_writes([entry for entry in self._writes if entry[1].tick <= tick])

    def _forget_edits_after(self, tick: int) -> None:
        """Forget the edits after a tick, to which time has gone back. An edit undone after it is there again.

        Edits before a jump to that tick or to an earlier one are kept, whatever their ticks are.
        """
        self.close()
        returns = (number for number, each in enumerate(self._undone) if each.inverse.is_return)
        kept = max((number + 1 for number in returns if self._undone[number].inverse.tick <= tick), default=0)
        other_timeline, later = self._undone[:kept], self._undone[kept:]
        again = [each.edit for each in later if each.inverse.tick > tick and each.edit is not None]
        self._undone = other_timeline + [each for each in later if each.inverse.tick <= tick]
        listed = [*self._done, *reversed(again)]
        jumps = (number for number, edit in enumerate(listed) if edit.world is not None and edit.tick <= tick)
        jump = max(jumps, default=-1)
        self._done = listed[: jump + 1] + [edit for edit in listed[jump + 1 :] if edit.tick <= tick]
        for edit in self._done[jump + 1 :]:
            edit.load()
            edit.before, edit.after = (
                [part for part in parts if part.tick <= tick] for parts in (edit.before, edit.after)
            )

    def _keep_writes(self, writes: list[tuple[int, Event]]) -> None:
        self._writes, last = writes, self._points[-1].serial if self._points else 0
        self._written = sum(write.nbytes for _, write in writes)
        self._unstored = sum(write.effort for serial, write in writes if serial > last)

    def _bound(self) -> None:
        """Drop worlds and writes that exceed the budget: every other world that is not a root, then the oldest."""
        first = self._points[0]
        while len(self._points) > self._capacity:
            passing = [number for number, point in enumerate(self._points) if not point.root][:-1:2]
            for number in reversed(passing or [0]):
                del self._points[number]
        if self._points[0] is not first:
            self._forget_early_writes()
        while self._written > self._budget and len(self._points) > 1:
            del self._points[0]
            self._forget_early_writes()

    def _forget_early_writes(self) -> None:
        """Forget the writes before the first stored world."""
        self._keep_writes([entry for entry in self._writes if entry[0] > self._points[0].serial])


def _drop_first(listed: list, sizes: list[int], budget: int) -> None:
    """Drop the first entries of a list until the others, but at least one, have at most so many bytes together."""
    held, number = sum(sizes), 0
    while held > budget and number < len(listed) - 1:
        held -= sizes[number]
        number += 1
    del listed[:number]
