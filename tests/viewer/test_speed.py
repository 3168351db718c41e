"""The speed shown: that of the ticks that ran last, also of a world that takes seconds for a tick."""

from __future__ import annotations

import pytest

from gpufluid import World
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer.live_statistics import LiveStatistics
from gpufluid.viewer.speed import Speed, in_words


def shown(ticks_in_frames: list[int], seconds: float, paused: tuple[int, ...] = ()) -> list[float]:
    """The speed after each frame; the frames are so far apart, and time is paused in those of ``paused``."""
    speed, found = Speed(), []
    speed.update(0.0, 0)
    for number, count in enumerate(ticks_in_frames, start=1):
        speed.update(number * seconds, count, paused=number in paused)
        found.append(speed.a_second)
    return found


def test_a_steady_speed_is_shown_after_a_quarter_of_a_second() -> None:
    found = shown([1] * 60, 1 / 60)
    assert found[:14] == [0.0] * 14
    assert found[16:] == pytest.approx([60.0] * 44)


@pytest.mark.parametrize("frames_a_tick", [20, 200])
def test_a_world_that_takes_seconds_for_a_tick_shows_its_speed_and_never_0(frames_a_tick: int) -> None:
    found = shown(([0] * (frames_a_tick - 1) + [1]) * 4, 1 / 60)
    speed = 60 / frames_a_tick
    assert found[frames_a_tick:] == pytest.approx([speed] * (3 * frames_a_tick), rel=0.01)


def test_a_world_that_hangs_falls_towards_0() -> None:
    found = shown([1] * 60 + [0] * 600, 1 / 60)
    assert found[-1] == pytest.approx(0.1, rel=0.05)
    assert sorted(found[60:], reverse=True) == found[60:]


def test_a_pause_is_0_and_counts_for_nothing_after_it() -> None:
    found = shown([1] * 60 + [0] * 60 + [1] * 60, 1 / 60, paused=tuple(range(61, 121)))
    assert found[60:120] == [0.0] * 60
    assert found[-1] == pytest.approx(60.0)


@pytest.mark.parametrize(
    ("speed", "words"), [(0, "0"), (0.3, "0.3"), (9.94, "9.9"), (9.96, "10"), (12.4, "12"), (1234.5, "1,234")]
)
def test_a_slow_speed_has_a_decimal(speed: float, words: str) -> None:
    assert in_words(speed) == words


@pytest.mark.usefixtures("device")
def test_a_slow_reading_of_the_counts_delays_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first reading waits for the compiler; the next one then comes twenty times as long after it."""
    world = World(8, 8, ("atoms",))
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr("gpufluid.viewer.live_statistics.time.perf_counter", lambda: float(next(clock)))
    with Workbench(world) as sim:
        statistics = LiveStatistics(world)
        for frame in range(30):
            statistics.update(sim, 100 + frame / 20, 3, shown=False, paused=False)
        assert statistics.ticks_a_second == pytest.approx(60)
        assert statistics.frames_a_second == pytest.approx(20)
