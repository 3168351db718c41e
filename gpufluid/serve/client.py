"""`Client`: one page, with a view, a tool and a pointer of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from gpufluid.core.errors import GpufluidError, UsageError
from gpufluid.runtime.editing import Workbench
from gpufluid.serve.folder import Folder
from gpufluid.serve.line import Line
from gpufluid.serve.worlds import WorldDialogs
from gpufluid.viewer import Viewer
from gpufluid.viewer.camera import Camera
from gpufluid.viewer.clock import Clock
from gpufluid.viewer.messages import Message, Offer
from gpufluid.viewer.pointer import Pointer
from gpufluid.viewer.tool import PANELS, Tool

VIEW = 640, 480
"""The size of a page's view until the page has said it, in pixels."""

PIXELS_MOST = 1 << 23
"""Most pixels of a page's view."""


class Outbox(Protocol):
    """Sends messages to one page. No call waits; called in the viewer's thread or in that of an encoder."""

    def state(self, text: str) -> None:
        """Send the state of the world. A state that still waits to be sent is replaced."""

    def facts(self, text: str) -> None:
        """Send the facts about the world, which seldom change. Facts that still wait to be sent are replaced."""

    def folder(self, text: str) -> None:
        """Send the listing of a folder. A listing that still waits to be sent is replaced."""

    def statistics(self, text: str) -> None:
        """Send the statistics, a long message. Statistics that still wait to be sent are replaced."""

    def frame(self, number: int, picture: bytes) -> None:
        """Send a frame. An older one than the last is dropped: one picture may take longer to encode than the next."""

    def note(self, text: str) -> None:
        """Send a message to be shown; of many that wait, the latest are kept."""

    def close(self, code: int, reason: str) -> None:
        """End the connection, with a code of the WebSocket protocol and a reason."""


class Performer(Protocol):
    """The part of `Session` that a client uses."""

    viewer: Viewer
    folder: Folder

    @property
    def first_name(self) -> str:
        """The name of the world that was served at first."""
        ...

    def perform(self, client: Client, name: str, arguments: dict[str, object]) -> None:
        """Run an action for a client."""

    def write(self, client: Client, name: str, given: dict[str, object]) -> None:
        """Run an action that writes a file for a client."""

    def open_first(self, client: Client) -> None:
        """Show the world that was served at first, in the view of a client."""


@dataclass
class Known:
    """The last messages that a page got, so that none is sent twice, and the notes and files still to be sent."""

    facts: object = None
    state: str = ""
    statistics: str = ""
    counted: float = -1.0
    """The time at which the statistics were compared last, in seconds."""
    shown: object = None
    """The folder that the page showed when it was listed last."""
    folder: str = ""
    listed: float = -1.0
    """The time at which the folder was listed last, in seconds."""
    shot: object = None
    """The last picture that was drawn, as a `Shot`, and its place on the page."""
    picture: object = None
    """The digest of the picture that was sent last, and its size and place."""
    exact: bool = False
    """True if this picture was sent without loss."""
    changed: float = 0.0
    """The time of the last change of the picture, in seconds."""
    notes: list[Message] = field(default_factory=list)
    """Messages that are still to be sent."""
    files: list[str] = field(default_factory=list)
    """The names of files that the page is still to be offered."""


class Client:
    """One page that shows the viewer, with its own view, tool and pointer.

    The server keeps it when the connection breaks, until the page connects again. It is the `PointerTarget` of its
    pointer: strokes lie in the view of this page and use the tool of this page.

    Args:
        session: performs the actions.
        page: the random name that the page has given itself.
    """

    def __init__(self, session: Performer, page: str) -> None:
        self._session = session
        self.page = page
        self.outbox: Outbox | None = None  # None: the page is away
        self.came = 0.0  # when it came or went, in seconds
        blank = session.viewer.sim.blank
        self._laws = blank.laws  # of the world that the tool suits
        self.camera = Camera((blank.width, blank.height), VIEW)
        self.tool: Tool = session.viewer.tool
        self.panels = dict.fromkeys(PANELS, False)
        self.worlds = WorldDialogs(self)
        self.pointer = Pointer(self)
        self.line, self.known = Line(), Known()
        self.last_input = 0  # the number of the last input that was handled
        self.hovered = False  # whether the pointer was ever over the world

    @property
    def viewer(self) -> Viewer:
        """The viewer that all pages share."""
        return self._session.viewer

    @property
    def folder(self) -> Folder:
        """The folder of the session."""
        return self._session.folder

    @property
    def first_name(self) -> str:
        """The name of the world that was served at first."""
        return self._session.first_name

    @property
    def clock(self) -> Clock:
        """The clock of the world."""
        return self._session.viewer.clock

    @property
    def sim(self) -> Workbench:
        """The world."""
        return self._session.viewer.sim

    @property
    def in_long_tick(self) -> bool:
        """See `Viewer.in_long_tick`."""
        return self._session.viewer.in_long_tick

    def do(self, action: str, **arguments: object) -> None:
        """Run an action for this client; see `Viewer.do`."""
        self._session.perform(self, action, arguments)

    def save(self) -> None:
        """Save a snapshot in the folder, and offer it to the page. Raises: as `Session.write`."""
        self._session.write(self, "save", {})

    def open_first(self) -> None:
        """Show the world that was served at first. Raises: as `Viewer.open`."""
        self._session.open_first(self)

    def attempt(self, act: Callable[[], None]) -> bool:
        """Call a function and send its `GpufluidError`, if any, to the page. Returns whether the call succeeded."""
        try:
            act()
        except GpufluidError as error:
            self.tell(str(error), "error")
            return False
        return True

    def tell(self, text: str, kind: str = "note", offer: Offer | None = None) -> None:
        """Show a message on the page; arguments as for `Viewer.tell`."""
        self.known.notes = [*self.known.notes[-9:], Message(text, "error" if kind == "error" else "note", offer)]

    def suit(self) -> None:
        """Suit the view and the tool to the world, if it is another one; a stroke in progress ends with the view."""
        viewer, blank = self._session.viewer, self.sim.blank
        if self._laws is not blank.laws:
            self._laws = blank.laws
            if self.tool.material not in viewer.materials:
                self.tool = replace(self.tool, material=viewer.tool.material)
        if self.camera.world != (blank.width, blank.height):
            self.camera = Camera((blank.width, blank.height), self.camera.window)
            self.pointer.cancel()

    def resize(self, width: int, height: int) -> None:
        """Set the size of the view in pixels. A view that shows the whole world goes on doing so.

        Raises: UsageError: more than `PIXELS_MOST` pixels.
        """
        if width * height > PIXELS_MOST:
            raise UsageError(f"size: {width} by {height} pixels; expected {PIXELS_MOST:,} pixels at most")
        fitted = self.camera.fitted
        self.camera.resize((width, height))
        if fitted:
            self.camera.fit()

    def arrive(self, outbox: Outbox, now: float) -> None:
        """Take a new connection of the page, to which nothing was sent yet."""
        self.outbox, self.came = outbox, now
        self.line, self.known, self.last_input = Line(), Known(), 0

    def leave(self, now: float) -> None:
        """Note that the connection has ended; a stroke in progress ends."""
        self.outbox, self.came = None, now
        self.pointer.cancel()
