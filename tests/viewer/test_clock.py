"""The clock: number of ticks due."""

from __future__ import annotations

import pytest

from gpufluid.viewer.clock import RATES, Clock


@pytest.mark.parametrize("rate", [1, 7, 60, 1000, 10_000])
def test_the_ticks_due_follow_the_rate(rate: int) -> None:
    clock = Clock(rate)
    total = 0
    for frame in range(601):
        due = clock.due(frame / 60)
        assert due is not None
        clock.ran(due)
        total += due
    assert abs(total - 10 * rate) <= 1


def test_ticks_due_are_bounded_after_a_late_frame() -> None:
    clock = Clock(1000)
    clock.due(0.0)
    for second in range(1, 20):
        due = clock.due(float(second))
        assert due is not None
        assert due <= 100


def test_no_tick_is_due_while_paused() -> None:
    clock = Clock(60)
    clock.due(0.0)
    clock.paused = True
    assert clock.due(5.0) == 0
    clock.paused = False
    assert clock.due(5.0) == 0


def test_faster_and_slower_select_the_next_rate() -> None:
    clock = Clock(1)
    seen = [clock.rate]
    for _ in RATES:
        clock.faster()
        seen.append(clock.rate)
    assert tuple(seen[: len(RATES)]) == RATES
    assert clock.due(1.0) is None
    for _ in range(20):
        clock.slower()
    assert clock.rate == 1
    clock.rate = 33
    clock.faster()
    assert clock.rate == 60
