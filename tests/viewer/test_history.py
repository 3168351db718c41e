"""The history of a viewer: the worlds and writes that it stores, drops and thins out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid import World
from gpufluid.viewer.edits import Edit, Event, Write
from gpufluid.viewer.history import History


class Timeline:
    """A world whose ticks shift its cells to the right, and its history."""

    def __init__(self, budget: int = 1 << 20) -> None:
        self.world = World(4, 4, ("atoms",))
        self.history = History(self.world.copy(), budget)

    def run(self, ticks: int) -> None:
        world = self.world.copy()
        world["material"] = np.roll(world["material"], ticks, axis=1)
        world.tick += ticks
        self.world = world

    def write(self, at: tuple[int, int], material: str) -> None:
        """Write one cell."""
        before = {name: self.world[name][at[1] : at[1] + 1, at[0] : at[0] + 1].copy() for name in self.world.fields}
        self.world["material"][at[1], at[0]] = self.world.materials[material]
        after = {name: self.world[name][at[1] : at[1] + 1, at[0] : at[0] + 1].copy() for name in self.world.fields}
        self.history.note(self.world.tick, at, np.ones((1, 1), bool), before, after)

    def keep(self, root: bool = False) -> None:
        self.history.keep(self.world.copy(), root)

    def go(self, world: World, writes: Sequence[Event], tick: int) -> None:
        """The steps by which a viewer brings a stored world to a tick."""
        self.world = world.copy()
        for write in writes:
            assert isinstance(write, Write)
            self.run(write.tick - self.world.tick)
            write.put_into({name: self.world[name] for name in self.world.fields}, (0, 0))
        self.run(tick - self.world.tick)

    @property
    def seen(self) -> tuple[int, str]:
        return self.world.tick, self.world.digest()


def test_the_history_stays_within_its_budget_and_reaches_every_tick() -> None:
    timeline = Timeline(budget=10 * 4 * 16)
    for _ in range(50):
        timeline.run(10)
        timeline.keep()
    assert len(timeline.history._points) <= 10
    for tick in (495, 333, 100, 3):
        timeline.history.back_to(tick, timeline.go)
        assert timeline.world.tick == tick


def test_every_tick_is_reached_with_the_writes_before_it() -> None:
    timeline, seen = Timeline(), {}
    for tick in range(40):
        if tick % 7 == 3:
            timeline.history.begin()
            timeline.write((tick % 4, 0), "sand")
            timeline.write(((tick + 1) % 4, 1), "water")
        seen[tick] = timeline.seen
        if tick % 10 == 5:
            timeline.keep()
        timeline.run(1)
    for tick in (38, 31, 30, 17, 16, 5, 0):
        timeline.history.back_to(tick, timeline.go)
        assert timeline.seen == seen[tick]


def test_writes_beyond_the_budget_are_dropped_with_the_worlds_before_them() -> None:
    timeline = Timeline(budget=4 * 4 * 16)
    for tick in range(300):
        timeline.write((tick % 4, 0), "sand")
        if timeline.history.wants_root:
            timeline.keep(root=True)
        timeline.run(1)
    assert timeline.history._written <= 4 * 4 * 16
    assert timeline.history.earliest > 200
    first = timeline.history.earliest
    timeline.history.back_to(0, timeline.go)
    assert timeline.world.tick == first


def test_what_came_after_is_forgotten_by_going_back() -> None:
    timeline = Timeline()
    timeline.run(5)
    timeline.history.begin()
    timeline.write((1, 0), "sand")
    timeline.run(5)
    timeline.keep()
    timeline.history.back_to(2, timeline.go)
    assert not timeline.history.can_undo, "the edit has not happened yet"
    timeline.run(10)
    assert not timeline.world["material"].any()
    timeline.history.back_to(11, timeline.go)
    assert not timeline.world["material"].any()


def test_an_edit_across_the_tick_gone_back_to_keeps_its_part_before_it() -> None:
    timeline = Timeline()
    timeline.history.begin()
    timeline.write((0, 3), "stone")
    timeline.run(5)
    timeline.write((1, 3), "stone")
    timeline.history.back_to(3, timeline.go)
    with timeline.history.undoing() as edit:
        assert edit is not None
        assert [part.at for part in edit.before] == [(0, 3)]


def test_a_cell_has_the_value_before_the_first_write_of_its_edit() -> None:
    timeline = Timeline()
    timeline.history.begin()
    for material in ("sand", "stone"):
        timeline.write((0, 3), material)
    with timeline.history.undoing() as edit:
        assert edit is not None
        (part,) = edit.before
        assert part.values["material"].tolist() == [0]


def test_a_new_edit_clears_redo_and_one_that_changes_nothing_does_not() -> None:
    timeline = Timeline()
    timeline.write((0, 3), "sand")
    with timeline.history.undoing():
        pass
    assert timeline.history.can_undo, "nothing was taken back"
    with timeline.history.undoing():
        timeline.write((0, 3), "water")
    timeline.history.begin()
    assert timeline.history.can_redo
    assert not timeline.history.can_undo
    timeline.write((0, 3), "sand")
    assert not timeline.history.can_redo


def column_of(edit: Edit | None) -> int:
    assert edit is not None
    return edit.after[0].at[0]


def three_edits() -> Timeline:
    """A timeline of three edits, in the columns 0 to 2."""
    timeline = Timeline()
    for column in range(3):
        timeline.history.begin()
        timeline.write((column, 3), "sand")
    return timeline


def test_an_undo_asked_again_takes_the_edit_before_one_that_cannot_be_taken_back() -> None:
    timeline = three_edits()
    history = timeline.history
    with history.undoing() as edit:
        assert column_of(edit) == 2
    with history.undoing() as edit:
        assert column_of(edit) == 1
        timeline.write((1, 3), "water")
    with history.undoing() as edit:
        assert column_of(edit) == 0
    assert not history.has_earlier_edit
    for _ in range(2):
        with history.undoing() as edit:
            assert column_of(edit) == 0, "the only one stays"
    with history.redoing():
        timeline.write((1, 3), "sand")
    assert history.has_earlier_edit


def test_an_edit_that_cannot_be_taken_back_is_tried_again_after_another_edit_or_a_way_back() -> None:
    def paint(timeline: Timeline) -> None:
        timeline.history.begin()
        timeline.write((3, 3), "sand")
        with timeline.history.undoing():
            timeline.write((3, 3), "water")

    def rewind(timeline: Timeline) -> None:
        timeline.history.back_to(0, timeline.go)

    def go_back_and_return(timeline: Timeline) -> None:
        assert timeline.history.back_before_edit(timeline.world.copy(), timeline.go)
        with timeline.history.redoing() as inverse:
            assert inverse is not None
            assert inverse.world is not None
            timeline.history.note_jump(timeline.world.copy(), inverse.world, inverse.timeline)

    for act in (paint, rewind, go_back_and_return):
        timeline = three_edits()
        with timeline.history.undoing():
            pass
        act(timeline)
        with timeline.history.undoing() as edit:
            assert column_of(edit) == 2, act.__name__


def test_a_redo_asked_again_takes_the_edit_after_one_that_cannot_be_laid_again() -> None:
    timeline = three_edits()
    history = timeline.history
    for column in (2, 1, 0):
        with history.undoing():
            timeline.write((column, 3), "water")
    for column in (0, 1):
        with history.redoing() as edit:
            assert column_of(edit) == column
    with history.redoing() as edit:
        assert column_of(edit) == 2
        timeline.write((2, 3), "sand")
    assert not history.can_redo


def test_an_undo_that_fails_leaves_the_edit_listed() -> None:
    timeline = Timeline()
    timeline.write((0, 3), "sand")
    try:
        with timeline.history.undoing():
            raise ValueError
    except ValueError:
        assert timeline.history.can_undo
        assert not timeline.history.can_redo


def test_a_jump_to_an_earlier_world_than_any_stored_one_is_possible() -> None:
    timeline = Timeline(budget=4 * 4 * 16)
    first = timeline.world.copy()
    for _ in range(10):
        timeline.run(10)
        timeline.keep(root=True)
    assert timeline.history.earliest > 0
    timeline.history.begin()
    timeline.history.note_jump(timeline.world.copy(), first)
    assert timeline.history.earliest == 0
    timeline.history.back_to(0, timeline.go)
    assert timeline.seen == (0, first.digest())
