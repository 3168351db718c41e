"""`Mailbox`: takes messages from the viewer's thread to the connection of one page. It holds only the newest."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpufluid.viewer.messages import Offer

NOTES_MOST = 20
"""Most messages to be shown that wait for a page."""

FULL, TAKEN = 4429, 4409
"""Codes with which a connection ends: too many pages are open; a newer connection has the name of this page."""


class Mailbox:
    """The `Outbox` of one connection. It holds the newest message of each kind, and the last `NOTES_MOST` notes.

    The number of messages does not grow if the page is slow.

    Args:
        loop: the loop of the connection.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._filled = loop, asyncio.Event()
        self._lock = Lock()
        self._newest: dict[str, str] = {}
        self._frame: bytes | None = None
        self._frame_number = 0  # of the newest frame
        self._notes: deque[str] = deque(maxlen=NOTES_MOST)
        self._closed: tuple[int, str] | None = None

    def facts(self, text: str) -> None:
        """See `Outbox`."""
        with self._lock:
            self._newest["facts"] = text
        self._tell()

    def state(self, text: str) -> None:
        """See `Outbox`."""
        with self._lock:
            self._newest["state"] = text
        self._tell()

    def folder(self, text: str) -> None:
        """See `Outbox`."""
        with self._lock:
            self._newest["folder"] = text
        self._tell()

    def statistics(self, text: str) -> None:
        """See `Outbox`."""
        with self._lock:
            self._newest["statistics"] = text
        self._tell()

    def frame(self, number: int, picture: bytes) -> None:
        """See `Outbox`."""
        with self._lock:
            if number <= self._frame_number:
                return
            self._frame_number, self._frame = number, picture
        self._tell()

    def note(self, text: str) -> None:
        """See `Outbox`."""
        with self._lock:
            self._notes.append(text)
        self._tell()

    def close(self, code: int, reason: str) -> None:
        """See `Outbox`."""
        with self._lock:
            self._closed = code, reason
        self._tell()

    def _tell(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._filled.set)

    async def take(self) -> list[str | bytes] | tuple[int, str]:
        """Wait until there is something to send. Returns: the messages in order, or the code and reason of the end."""
        await self._filled.wait()
        self._filled.clear()
        with self._lock:
            if self._closed is not None:
                return self._closed
            # The facts come first, because the state names what they explain.
            kinds = [kind for kind in ("facts", "state", "folder", "statistics") if kind in self._newest]
            found: list[str | bytes] = [self._newest[kind] for kind in kinds]
            found += self._notes
            found += [] if self._frame is None else [self._frame]
            self._newest, self._frame = {}, None
            self._notes.clear()
        return found


def as_note(text: str, kind: str, offer: Offer | None = None) -> str:
    """A message to be shown, as text for a page; arguments as of `Message`."""
    return json.dumps({"type": "note", "text": text, "kind": kind, "offer": offer and offer._asdict()})
