"""The history of a viewer: the worlds that it stores, drops and thins out."""

from __future__ import annotations

from gpufluid import World, oracle
from gpufluid.viewer.history import History


def at(tick: int, seed: int = 0) -> World:
    world = World(4, 4, ("atoms",), seed=seed)
    world.tick = tick
    return world


def ahead(world: World, ticks: int) -> World:
    return oracle.step(world, ticks)


def test_the_history_stays_within_its_budget_and_reaches_every_tick() -> None:
    history = History(at(0), budget=10 * 4 * 16)
    for tick in range(10, 500, 10):
        history.keep(at(tick))
    assert len(history._rewind_points) <= 10
    for tick in (495, 333, 100, 3):
        assert history.back_to(tick, ahead).tick == tick


def test_thinning_out_keeps_edited_worlds() -> None:
    history = History(at(0), budget=6 * 4 * 16)
    for tick in range(1, 60):
        history.keep(at(tick, seed=tick), root=tick in (20, 40))
    kept = {one.world.tick for one in history._rewind_points}
    assert {20, 40} <= kept


def test_an_edit_drops_later_worlds() -> None:
    history = History(at(0))
    for tick in (10, 20, 30):
        history.keep(at(tick))
    history.keep(at(15, seed=9), root=True)
    assert history.back_to(16, ahead).seed == 9


def test_the_last_edited_world_of_a_tick_is_restored() -> None:
    history = History(at(0))
    history.keep(at(5, seed=1))
    history.keep(at(5, seed=2), root=True)
    history.keep(at(5, seed=3), root=True)
    assert history.back_to(5, ahead).seed == 3


def test_an_edit_after_undo_clears_redo() -> None:
    history = History(at(0))
    history.before_edit(at(1))
    assert history.undo(at(2)) is not None
    assert history.can_redo
    history.before_edit(at(3))
    assert not history.can_redo
    assert history.redo(at(4)) is None


def test_a_reset_drops_later_worlds() -> None:
    history = History(at(0), budget=4 * 4 * 16)
    for tick in range(10, 100, 10):
        history.keep(at(tick), root=True)
    assert history.earliest > 0
    history.keep(at(0), root=True)
    assert history.earliest == 0
    assert history.back_to(9, ahead).tick == 9
