"""The loop of a served viewer: it handles messages of the pages, runs ticks, and sends frames and states."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from gpufluid.serve.client import Client, Outbox
from gpufluid.serve.facts import facts, laws_of
from gpufluid.serve.frames import Frames
from gpufluid.serve.mailbox import FULL, TAKEN, as_note
from gpufluid.serve.messages import Message
from gpufluid.serve.session import Session
from gpufluid.serve.status import (
    FOLDER_SECONDS,
    STATE_SECONDS,
    STATISTICS_SECONDS,
    Digests,
    statistics,
    status,
    status_of,
)

TURN_SECONDS = 1 / 60
"""Time between two turns of the loop while time runs; input is handled at once."""

IDLE_SECONDS = 0.1
"""Time between two turns of the loop while time is paused, or no page is connected."""

LEAST_SECONDS = 0.001
"""Least time between two turns, however long they take, in which the web server can work."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A page has connected: the random name that the page gave itself, and the `Outbox` that sends to it."""

    page: str
    outbox: Outbox


@dataclass(frozen=True, slots=True)
class Received:
    """A page has sent a message."""

    outbox: Outbox
    message: Message
    handled: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Disconnected:
    """A connection has ended."""

    outbox: Outbox


Event = Connected | Received | Disconnected


class ServeLoop:
    """The turns of a served viewer, in the one thread in which OpenGL is used.

    While no page is there, time stands still, unless a film is recorded. So a page whose connection broke comes back
    to the world that it left.

    Args:
        session: the viewer and its pages.
        clock: returns the time in seconds.
    """

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self.events: SimpleQueue[Event] = SimpleQueue()
        """The events of the connections; their threads add them."""
        self._session, self._clock = session, clock
        self._frames, self._digests = Frames(session.viewer), Digests()
        self._of_outbox: dict[Outbox, Client] = {}
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
        session, now = self._session, self._clock()
        present = session.present
        if present or session.viewer.recording:
            session.advance(now)
        soonest = self._frames.send(present, now)
        if self._frames.failure is not None:
            raise self._frames.failure
        if now - self._stated >= STATE_SECONDS:
            self._stated = now
            self._tell(present, now)
        usual = self._usual_wait()
        due = usual if soonest is None else min(usual, soonest)
        return max(due - (self._clock() - now), LEAST_SECONDS)

    def _usual_wait(self) -> float:
        """Seconds from the beginning of a turn to that of the next, if no page waits for a picture."""
        viewer = self._session.viewer
        if not (self._session.present or viewer.recording):
            return IDLE_SECONDS
        if viewer.sim.in_tick:
            return 0.0  # a tick that takes longer than a turn goes on at once, because no picture comes before its end
        return IDLE_SECONDS if viewer.clock.paused and not viewer.pointer.waiting else TURN_SECONDS

    def _handle(self, wait: float) -> None:
        """Handle the messages that have arrived, after waiting for one at most so many seconds."""
        try:
            event = self.events.get(timeout=max(wait, 0.0))
            for _ in range(max(self.events.qsize(), 0) + 1):  # not what arrives meanwhile, so that the world goes on
                self._handle_event(event)
                event = self.events.get_nowait()
        except Empty:
            return
        self._handle_event(event)

    def _handle_event(self, event: Event) -> None:
        now = self._clock()
        if isinstance(event, Connected):
            client = self._session.join(event.page, event.outbox, now)
            if client is None:
                event.outbox.close(FULL, "too many pages are open")
                return
            for outbox in [outbox for outbox, other in self._of_outbox.items() if other is client]:
                del self._of_outbox[outbox]
                outbox.close(TAKEN, "this page has another connection")  # such as of the copy of a tab
            self._of_outbox[event.outbox] = client
            self._stated = 0.0  # so that the page is told all there is at once
        elif isinstance(event, Disconnected):
            client = self._of_outbox.pop(event.outbox, None)
            if client is not None:
                self._session.leave(client, event.outbox, now)
        else:
            client = self._of_outbox.get(event.outbox)
            if client is not None:
                self._session.hear(client, event.message, now)
            event.handled()

    def _tell(self, present: list[Client], now: float) -> None:
        """Send each page the facts, the state and the messages that it does not know yet."""
        viewer = self._session.viewer
        if present:
            self._digests.update(viewer, now)
        common = status(self._session, self._digests) if present else {}
        for message in viewer.messages:
            if message.when > self._told:
                self._told = message.when
                self._session.tell_all(message.text, message.kind, message.offer)
        laws = laws_of(viewer)
        for client in present:
            outbox, known = client.outbox, client.known
            if outbox is None:
                continue
            if known.facts != laws:
                known.facts = laws
                outbox.facts(json.dumps(facts(viewer)))
            text = json.dumps(common | status_of(self._session, client))
            if text != known.state:
                known.state = text
                outbox.state(text)
            if client.panels["statistics"] and now - known.counted >= STATISTICS_SECONDS:
                known.counted = now
                self._tell_statistics(outbox, client)
            self._tell_folder(outbox, client, now)
            for note in known.notes:
                outbox.note(as_note(self._session.folder.without_path(note.text), note.kind, note.offer))
            for name in known.files:
                outbox.note(json.dumps({"type": "file", "name": name}))
            known.notes, known.files = [], []

    def _tell_folder(self, outbox: Outbox, client: Client, now: float) -> None:
        """Send the folder that a page shows, if it has changed; it is listed again after `FOLDER_SECONDS`."""
        shown, known = client.worlds.state(), client.known
        if shown is None or shown["kind"] != "open":
            known.folder, known.listed = "", -1.0
            return
        if shown == known.shown and now - known.listed < FOLDER_SECONDS:
            return
        known.shown, known.listed = shown, now
        found = client.worlds.listing()
        text = json.dumps(found)
        if found is not None and text != known.folder:
            known.folder = text
            outbox.folder(text)

    def _tell_statistics(self, outbox: Outbox, client: Client) -> None:
        text = json.dumps(statistics(self._session.viewer))
        if text != client.known.statistics:
            client.known.statistics = text
            outbox.statistics(text)

    def close(self) -> None:
        """End the encoders, finish a film, and release the viewer. Raises: OutputError: the film is not finished."""
        self._frames.close()
        self._session.viewer.close()
