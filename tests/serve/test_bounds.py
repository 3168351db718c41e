"""Bounds of what a page can make the server read, and of what waits for a page that does not read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gpufluid.serve import rate_limit
from gpufluid.serve.folder import FILES_MOST
from gpufluid.serve.frames import QUALITY, REST_SECONDS
from gpufluid.serve.line import MOST
from gpufluid.serve.mailbox import NOTES_MOST, Mailbox
from gpufluid.serve.messages import MESSAGE_BYTES
from gpufluid.serve.rate_limit import AT_ONCE, MESSAGES_A_SECOND, RateLimit
from gpufluid.serve.session import ACTIONS_MOST, CLIENTS_MOST
from gpufluid.serve.status import STATE_SECONDS, STATISTICS_SECONDS

PAGE = Path(__file__).parents[2] / "docs" / "serve.md"
IN_WORDS = {8: "eight", 10: "ten", 1_000_000: "a million"}


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


def test_the_page_of_the_documentation_has_these_numbers() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    for sentence in (
        f"at most {MESSAGE_BYTES} bytes, and at most {MESSAGES_A_SECOND} of a page are read in a second",
        f"after a pause {AT_ONCE} at once",
        f"After {FILES_MOST} files in a session the server writes no more",
        f"At most {CLIENTS_MOST} pages are open at once",
        f"The log of a world has room for {IN_WORDS[ACTIONS_MOST]} actions",
        f"up to {IN_WORDS[MOST]} pictures are on their way",
        f"a JPEG (quality {QUALITY}, full colour); {REST_SECONDS} seconds after the last change",
        f"at most {IN_WORDS[round(1 / STATE_SECONDS)]} times a second",
    ):
        assert sentence in text, sentence
    assert STATISTICS_SECONDS == 1
    assert "statistics once a second" in text
