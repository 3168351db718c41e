"""`Line`: flow control for the frames to one page. It limits the frames in flight, so that no picture is late."""

from __future__ import annotations

from collections import deque
from math import ceil

FRAME_SECONDS = 1 / 40
"""Least time between two frames to a page."""

WANTED = 30
"""The frames a second that a connection with a long delay should carry."""

MOST = 8
"""Most frames on their way to a page."""

_KEPT = 32
"""The number of recent delays whose least is taken for the delay of the idle connection."""

_SLACK = 0.05
"""Seconds by which a delay must exceed twice the least delay for the connection to count as full."""


class Line:
    """Flow control of one page: counts the frames that were sent and not yet shown, and limits their number.

    A page says which frame it has shown. The least delay of the last frames is taken for the delay of the idle
    connection. So many frames may be on their way as `WANTED` a second need for that delay. When a delay is much
    longer, the connection is full: then only one frame may be on its way. No frame waits here: each is drawn when it is
    sent.
    This is the idea of TCP Vegas, with a window of frames.

    Source: Brakmo and Peterson 1995, "TCP Vegas: End to End Congestion Avoidance on a Global Internet".
    """

    def __init__(self) -> None:
        self._sent: dict[int, float] = {}  # the time at which a frame was sent, by its number; in order
        self._delays: deque[float] = deque(maxlen=_KEPT)
        self._number = 0
        self.last = -1.0
        """The time of the last frame."""

    @property
    def allowed(self) -> int:
        """The most frames that may be on their way now."""
        if not self._delays:
            return 1
        least, last = min(self._delays), self._delays[-1]
        return 1 if last > 2 * least + _SLACK else min(ceil(least * WANTED) + 1, MOST)

    def wait(self, now: float) -> float | None:
        """Seconds until a frame may be sent, 0 if it may be now; None: the page must first answer."""
        if len(self._sent) >= self.allowed:
            return None
        return max(self.last + FRAME_SECONDS - now, 0.0)

    def send(self, now: float) -> int:
        """Note that a frame is sent. Returns its number, from 1 on."""
        self._number += 1
        self._sent[self._number], self.last = now, now
        return self._number

    def skip(self, now: float) -> None:
        """Note that a frame was drawn and not sent, because it shows nothing new."""
        self.last = now

    def got(self, number: int, now: float) -> None:
        """Note that the page has shown a frame; those before it will not be answered any more."""
        if number not in self._sent:  # of an earlier connection, or made up
            return
        self._delays.append(now - self._sent[number])
        self._sent = {each: when for each, when in self._sent.items() if each > number}
