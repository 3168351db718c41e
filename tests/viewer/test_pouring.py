"""A held brush goes on laying, erasing and replacing, once in each tick."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from support.scenes import assert_balanced

from gpufluid import FULL, World
from gpufluid.core.errors import UsageError
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer import pacing
from gpufluid.viewer.viewer import Viewer, replay

pytestmark = pytest.mark.usefixtures("device")


def made(rules: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Viewer:
    """A running viewer of an empty world, 64 x 40 cells."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(World(40, 64, rules, seed=3), window=(640, 400))
    viewer.clock.rate = 10
    viewer.do("material", name="water")
    viewer.advance(0.0)
    return viewer


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    viewer = made(("atoms",), tmp_path, monkeypatch)
    yield viewer
    viewer.close()


def pixel(viewer: Viewer, column: int, row: int) -> tuple[float, float]:
    return viewer.camera.pixel_of((column + 0.5, row + 0.5))


def ticks(viewer: Viewer, count: int) -> None:
    viewer.run_to(viewer.sim.tick + count)


def frames_until(viewer: Viewer, tick: int) -> None:
    """Frames of 0.1 seconds each until a tick has run, on a slow machine more than one for a tick."""
    now = viewer.clock._last or 0.0
    while viewer.sim.tick < tick:
        now += 0.1
        viewer.advance(now)


def held(viewer: Viewer, material: str = "water") -> int:
    return viewer.sim.counts()[material]


def test_a_brush_held_still_goes_on_laying_until_it_is_released(viewer: Viewer) -> None:
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    first = held(viewer)
    assert first == 21
    frames_until(viewer, 120)
    poured = held(viewer)
    assert poured > 4 * first
    viewer.pointer.release("left", *pixel(viewer, 30, 5))
    frames_until(viewer, viewer.sim.tick + 20)
    assert held(viewer) == poured


def test_more_is_laid_at_a_higher_rate(viewer: Viewer) -> None:
    laid = []
    for share in (0.02, 0.2, 1.0):
        viewer.do("reset")
        viewer.do("pour_rate", share=share)
        viewer.pointer.press("left", *pixel(viewer, 30, 5))
        ticks(viewer, 60)
        viewer.pointer.release("left", *pixel(viewer, 30, 5))
        laid.append(held(viewer) - 21)
    assert 0.4 * 60 * 21 * 0.02 < laid[0] < 1.6 * 60 * 21 * 0.02
    assert laid[0] < laid[1] / 3
    assert laid[1] < 0.8 * laid[2], "which is as much as falls out of the brush"


def test_a_spray_lays_its_share_at_the_press_and_in_each_tick(viewer: Viewer) -> None:
    viewer.do("shape", name="spray")
    viewer.do("brush_size", cells=21)
    viewer.do("pour_rate", share=0.05)
    viewer.pointer.press("left", *pixel(viewer, 30, 12))
    assert 0 < held(viewer) < 0.15 * 349
    before = held(viewer)
    ticks(viewer, 10)
    assert held(viewer) > 3 * before


def test_what_is_poured_has_the_velocity_of_the_brush(viewer: Viewer) -> None:
    viewer.do("velocity", x=6.0, y=-1.0)
    viewer.do("brush_size", cells=3)
    viewer.pointer.press("left", *pixel(viewer, 5, 10))
    ticks(viewer, 30)
    world = viewer.sim.read()
    columns = np.nonzero(world["material"])[1]
    assert columns.max() > 30, "the water is thrown to the right"


def test_a_held_stroke_is_one_undo_and_its_ledgers_balance(viewer: Viewer) -> None:
    before = viewer.sim.read()
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    ticks(viewer, 10)
    viewer.pointer.move(*pixel(viewer, 40, 5))
    ticks(viewer, 10)
    viewer.pointer.release("left", *pixel(viewer, 40, 5))
    assert_balanced(before, viewer.sim.read())
    laid = viewer.sim.atoms["water"].painted
    assert laid - viewer.sim.atoms["water"].erased == held(viewer) > 40
    now = viewer.sim.tick
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.digest()) == (0, before.digest()), "what was poured has fallen"
    viewer.do("undo_in_place")
    assert_balanced(before, viewer.sim.read())
    world = viewer.sim.read()
    assert world.tick == now == 20
    assert not world["material"][4:7, 29:41].any(), "the cells of the stroke are as they were"
    assert not viewer.history.can_undo


def test_back_in_time_to_before_a_held_stroke_is_exact(viewer: Viewer) -> None:
    before = viewer.sim.read()
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    ticks(viewer, 10)
    viewer.pointer.release("left", *pixel(viewer, 30, 5))
    ticks(viewer, 5)
    viewer.do("back_before_edit")
    assert (viewer.sim.tick, viewer.sim.digest()) == (before.tick, before.digest())


def test_a_held_eraser_takes_all_that_comes_under_it(viewer: Viewer) -> None:
    viewer.do("material", name="sand")
    viewer.do("brush_size", cells=9)
    viewer.do("rectangle", start=(30, 0), end=(30, 10))
    viewer.pointer.press("right", *pixel(viewer, 30, 25))
    ticks(viewer, 60)
    assert held(viewer, "sand") == 0
    assert viewer.sim.atoms["sand"].erased == 11


def test_a_held_replacing_brush_changes_only_the_material_at_its_start(viewer: Viewer) -> None:
    viewer.do("rectangle", start=(0, 30), end=(63, 39))
    viewer.do("material", name="oil")
    viewer.do("tool", mode="replace")
    viewer.pointer.press("left", *pixel(viewer, 30, 36))
    ticks(viewer, 30)
    counts = viewer.sim.counts()
    assert counts["oil"] > 21
    assert counts["oil"] + counts["water"] == 640


def test_what_was_laid_goes_on_falling_while_more_is_laid(viewer: Viewer) -> None:
    """A brush that laid it at rest again in each tick would hold it up."""
    viewer.do("pour_rate", share=1.0)
    viewer.do("brush_size", cells=3)
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    ticks(viewer, 25)
    assert np.nonzero(viewer.sim.read()["material"])[0].max() > 30


def test_while_time_is_paused_a_held_brush_lays_once(viewer: Viewer) -> None:
    viewer.do("pause")
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    for frame in range(20):
        viewer.advance(10 + frame / 10)
    assert held(viewer) == 21
    viewer.do("step", ticks=5)
    assert held(viewer) > 21, "each tick that is run by hand counts"


def test_every_tick_of_a_fast_world_is_poured_into(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once in each frame: at 10,000 ticks a second a frame runs many."""
    monkeypatch.setattr(pacing, "TICK_BUDGET", 0.2)  # so long that a frame runs some on a busy machine, too
    viewer.do("pour_rate", share=1.0)
    viewer.do("tool", mode="erase")
    viewer.do("rate", ticks=10_000)
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    logged = len(viewer.log)
    viewer.advance(viewer.clock._last + 1.0 if viewer.clock._last else 1.0)
    acts = [entry.tick for entry in viewer.log[logged:]]
    assert acts == list(range(acts[0], viewer.sim.tick + 1))


def test_a_session_of_pouring_is_replayed_and_rewound_exactly(viewer: Viewer) -> None:
    viewer.do("pour_rate", share=0.3)
    viewer.pointer.press("left", *pixel(viewer, 30, 5))
    seen = {}
    for _ in range(12):
        ticks(viewer, 1)
        seen[viewer.sim.tick] = viewer.sim.digest()
    viewer.pointer.release("left", *pixel(viewer, 30, 5))
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()
    for back in (3, 4, 2):
        viewer.do("rewind", ticks=back)
        assert viewer.sim.digest() == seen[viewer.sim.tick]


@pytest.mark.parametrize(("rate", "density"), [(0.02, 0.18), (1.0, 0.5)])
def test_a_mixture_is_poured_as_a_continuous_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rate: float, density: float
) -> None:
    viewer = made(("mixture", "pressure"), tmp_path, monkeypatch)
    viewer.do("shape", name="square")
    viewer.do("brush_size", cells=9)
    viewer.do("pour_rate", share=rate)
    poured = []
    for tick in range(25):
        poured.append(viewer.sim.contents()["water"])
        viewer.do("paint", points=[(30, 5)], more=tick > 0, held=True)
        viewer.do("step")
    assert density == pytest.approx(min(81 * rate / 9, 0.5)), "the share of the brush, but at most half of each cell"
    stream = viewer.sim.read()["mixture"][viewer.sim.blank.mixture["water"], 10:24] / FULL
    np.testing.assert_allclose(stream[:, 26:35], density, atol=1e-6)
    assert not np.delete(stream, np.s_[26:35], axis=1).any(), "nothing lies beside the stream"
    assert (poured[24] - poured[14]) / FULL == pytest.approx(10 * 9 * density, rel=0.01)
    viewer.close()


def test_pouring_water_by_mass_takes_none_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer = made(("flow",), tmp_path, monkeypatch)
    world = viewer.sim.read()
    world["mass"][20:] = FULL + FULL // 16
    viewer.show(world)
    viewer.do("pour_rate", share=1.0)
    viewer.pointer.press("left", *pixel(viewer, 30, 4))
    ticks(viewer, 3)
    viewer.pointer.move(*pixel(viewer, 30, 35))
    before = viewer.sim.mass()
    ticks(viewer, 5)
    assert viewer.sim.mass() >= before
    viewer.close()


@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan"), "much", True])
def test_a_rate_that_is_no_share_is_refused(viewer: Viewer, share: object) -> None:
    with pytest.raises(UsageError, match=r"pour_rate: .*; expected a number above 0, 1 at most"):
        viewer.do("pour_rate", share=share)


def test_the_ticks_a_second_count_a_tick_that_a_stroke_finishes(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick of a large world is spread over frames; a stroke finishes it, because it edits between two ticks.

    The clock goes on by a part of the budget each time it is read, so that each frame runs one part of a tick.
    """
    part_of_tick = Workbench.step_within
    monkeypatch.setattr(Workbench, "step_within", lambda sim, ticks, _: part_of_tick(sim, ticks, 0.0))
    clock = count()
    monkeypatch.setattr(pacing, "time", SimpleNamespace(perf_counter=lambda: 0.6 * pacing.TICK_BUDGET * next(clock)))
    viewer.pointer.press("left", *pixel(viewer, 10, 5))
    shown = []
    for frame in range(1, 31):
        viewer.pointer.move(*pixel(viewer, 10 + frame, 5))
        viewer.advance(frame / 10)
        shown.append(viewer.statistics.ticks_a_second)
    assert viewer.sim.tick >= 20
    assert np.mean(shown[5:]) == pytest.approx(10 * viewer.sim.tick / 30, rel=0.2)
