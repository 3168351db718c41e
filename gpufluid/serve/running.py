"""The loop of a served viewer: it handles messages of the pages, runs ticks, and sends frames and states."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from gpufluid.serve.desk import Desk
from gpufluid.serve.facts import facts, laws_of
from gpufluid.serve.frames import Frames
from gpufluid.serve.messages import Message
from gpufluid.serve.post import FULL, TAKEN, as_note
from gpufluid.serve.seat import Post, Seat
from gpufluid.serve.status import STATE_SECONDS, STATISTICS_SECONDS, Digests, statistics, status, status_of

TURN_SECONDS = 1 / 60
"""Time between two turns of the loop while time runs; input is handled at once."""

IDLE_SECONDS = 0.1
"""Time between two turns of the loop while time is paused, or no page is connected."""

LEAST_SECONDS = 0.001
"""Least time between two turns, however long they take, in which the web server can work."""


@dataclass(frozen=True, slots=True)
class Came:
    """A page has connected: the random name that the page gave itself, and the `Post` that sends to it."""

    page: str
    post: Post


@dataclass(frozen=True, slots=True)
class Said:
    """A page has sent a message."""

    post: Post
    message: Message
    handled: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Went:
    """A connection has ended."""

    post: Post


Mail = Came | Said | Went


class Running:
    """The turns of a served viewer, in the one thread in which OpenGL is used.

    While no page is there, time stands still, unless a film is recorded. So a page whose connection broke comes back
    to the world that it left.

    Args:
        desk: the viewer and its pages.
        clock: returns the time in seconds.
    """

    def __init__(self, desk: Desk, clock: Callable[[], float] = time.monotonic) -> None:
        self.mail: SimpleQueue[Mail] = SimpleQueue()
        """The events of the connections; their threads add them."""
        self._desk, self._clock = desk, clock
        self._frames, self._digests = Frames(desk.viewer), Digests()
        self._of_post: dict[Post, Seat] = {}
        self._stated = 0.0
        self._told = 0.0  # the time of the last message of the viewer that the pages know

    def turn(self, wait: float) -> float:
        """Handle the messages that have arrived, run the ticks that are due, and send new frames and states.

        Args:
            wait: seconds to wait for something to arrive.
        Returns: seconds after which the next turn is due.
        Raises: OutputError, DeviceError: as `Viewer.advance`. Also the error by which an encoder has failed, if any.
        """
        self._handle(wait)
        desk, now = self._desk, self._clock()
        present = desk.present
        if present or desk.viewer.recording:
            desk.advance(now)
        soonest = self._frames.send(present, now)
        if self._frames.failure is not None:
            raise self._frames.failure
        if now - self._stated >= STATE_SECONDS:
            self._stated = now
            self._tell(present, now)
        stands = desk.viewer.clock.paused and not desk.viewer.sim.in_tick and not desk.viewer.pointer.waiting
        usual = IDLE_SECONDS if stands or not (present or desk.viewer.recording) else TURN_SECONDS
        due = usual if soonest is None else min(usual, soonest)
        return max(due - (self._clock() - now), LEAST_SECONDS)

    def _handle(self, wait: float) -> None:
        """Handle the messages that have arrived, after waiting for one at most so many seconds."""
        try:
            mail = self.mail.get(timeout=max(wait, 0.0))
            for _ in range(max(self.mail.qsize(), 0) + 1):  # not what arrives meanwhile, so that the world goes on
                self._open(mail)
                mail = self.mail.get_nowait()
        except Empty:
            return
        self._open(mail)

    def _open(self, mail: Mail) -> None:
        now = self._clock()
        if isinstance(mail, Came):
            seat = self._desk.join(mail.page, mail.post, now)
            if seat is None:
                mail.post.close(FULL, "too many pages are open")
                return
            for post in [post for post, other in self._of_post.items() if other is seat]:
                del self._of_post[post]
                post.close(TAKEN, "this page has another connection")  # such as of the copy of a tab
            self._of_post[mail.post] = seat
            self._stated = 0.0  # so that the page is told all there is at once
        elif isinstance(mail, Went):
            seat = self._of_post.pop(mail.post, None)
            if seat is not None:
                self._desk.leave(seat, mail.post, now)
        else:
            seat = self._of_post.get(mail.post)
            if seat is not None:
                self._desk.hear(seat, mail.message, now)
            mail.handled()

    def _tell(self, present: list[Seat], now: float) -> None:
        """Send each page the facts, the state and the messages that it does not know yet."""
        viewer = self._desk.viewer
        if present:
            self._digests.update(viewer, now)
        common = status(self._desk, self._digests) if present else {}
        for message in viewer.messages:
            if message.when > self._told:
                self._told = message.when
                self._desk.tell_all(message.text, message.kind)
        laws = laws_of(viewer)
        for seat in present:
            post, known = seat.post, seat.known
            if post is None:
                continue
            if known.facts != laws:
                known.facts = laws
                post.facts(json.dumps(facts(viewer)))
            text = json.dumps(common | status_of(self._desk, seat))
            if text != known.state:
                known.state = text
                post.state(text)
            if seat.panels["statistics"] and now - known.counted >= STATISTICS_SECONDS:
                known.counted = now
                self._tell_statistics(post, seat)
            for note in known.notes:
                post.note(as_note(self._desk.folder.without_path(note.text), note.kind))
            for name in known.files:
                post.note(json.dumps({"type": "file", "name": name}))
            known.notes, known.files = [], []

    def _tell_statistics(self, post: Post, seat: Seat) -> None:
        text = json.dumps(statistics(self._desk.viewer))
        if text != seat.known.statistics:
            seat.known.statistics = text
            post.statistics(text)

    def close(self) -> None:
        """End the encoders, finish a film, and release the viewer. Raises: OutputError: the film is not finished."""
        self._frames.close()
        self._desk.viewer.close()
