"""Bounds of what a page can make the server read, and of what waits for a page that does not read."""

from __future__ import annotations

import asyncio

import pytest

from gpufluid.serve import rate_limit
from gpufluid.serve.mailbox import NOTES_MOST, Mailbox
from gpufluid.serve.rate_limit import AT_ONCE, MESSAGES_A_SECOND, RateLimit


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 50.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(rate_limit, "time", found)
    monkeypatch.setattr(rate_limit, "asyncio", found)
    return found


def read(limit: RateLimit, messages: int) -> None:
    """Read so many messages that have all arrived."""

    async def every() -> None:
        for _ in range(messages):
            await limit.wait()

    asyncio.run(every())


def test_messages_are_read_at_a_bounded_rate(clock: Clock) -> None:
    limit, began = RateLimit(), clock.now
    read(limit, AT_ONCE)
    assert clock.now == began  # no wait
    read(limit, 10 * MESSAGES_A_SECOND)
    assert clock.now - began == pytest.approx(10, abs=0.01)


def test_a_pause_permits_no_more_than_the_first_messages(clock: Clock) -> None:
    limit = RateLimit()
    read(limit, AT_ONCE)
    clock.now += 3600
    began = clock.now
    read(limit, AT_ONCE + MESSAGES_A_SECOND)
    assert clock.now - began == pytest.approx(1, abs=0.01)


def test_a_page_that_does_not_read_has_only_the_newest_messages_waiting() -> None:
    async def fill() -> list[str | bytes] | tuple[int, str]:
        mailbox = Mailbox(asyncio.get_running_loop())
        for number in range(10_000):
            mailbox.facts(f"facts {number}")
            mailbox.state(f"state {number}")
            mailbox.statistics(f"statistics {number}")
            mailbox.note(f"note {number}")
            mailbox.frame(number + 1, b"frame %d" % number)
        return await mailbox.take()

    notes = [f"note {number}" for number in range(10_000 - NOTES_MOST, 10_000)]
    assert asyncio.run(fill()) == ["facts 9999", "state 9999", "statistics 9999", *notes, b"frame 9999"]


def test_a_connection_that_ends_sends_nothing_more() -> None:
    async def end() -> list[str | bytes] | tuple[int, str]:
        mailbox = Mailbox(asyncio.get_running_loop())
        mailbox.state("state")
        mailbox.close(4409, "another connection")
        return await mailbox.take()

    assert asyncio.run(end()) == (4409, "another connection")
