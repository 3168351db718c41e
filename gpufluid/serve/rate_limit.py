"""`RateLimit`: the rate at which messages of one page are read."""

from __future__ import annotations

import asyncio
import time

MESSAGES_A_SECOND = 250
"""Messages of a page that are read in a second; further ones wait in the page's connection."""

AT_ONCE = 500
"""Messages of a page that are read at once after a pause of two seconds or more."""


class RateLimit:
    """A token bucket: `AT_ONCE` messages at first, and `MESSAGES_A_SECOND` more in each second, up to `AT_ONCE`."""

    def __init__(self) -> None:
        self._left, self._then = float(AT_ONCE), time.monotonic()

    async def wait(self) -> None:
        """Wait until the next message may be read."""
        now = time.monotonic()
        self._left = min(self._left + (now - self._then) * MESSAGES_A_SECOND, AT_ONCE) - 1
        self._then = now
        if self._left < 0:
            await asyncio.sleep(-self._left / MESSAGES_A_SECOND)
