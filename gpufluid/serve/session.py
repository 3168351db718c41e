"""`Session`: the controller of one viewer that several pages share. One log has the actions of all pages, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from gpufluid.core.errors import UsageError
from gpufluid.serve.client import Client, Outbox
from gpufluid.serve.folder import Folder
from gpufluid.serve.messages import Act, FrameShown, Key, Message, Move, Press, Release, Size, TakeBrush, Wheel
from gpufluid.serve.permitted import IN_THE_PAGE, OF_FILES, PANEL_OF_FILES, checked, needs_brush
from gpufluid.serve.worlds import PAGE_ACTIONS
from gpufluid.viewer import Viewer
from gpufluid.viewer.actions import ACTIONS
from gpufluid.viewer.messages import Offer
from gpufluid.viewer.pointer import Pointer
from gpufluid.viewer.tool import PANELS, actions_of

CLIENTS_MOST = 64
"""Most pages at once, and most pages whose clients are kept, those that are away included."""

ACTIONS_MOST = 1_000_000
"""Most actions in the log of a served world: some 400 MB, enough for hours of painting."""

_STROKES = ("paint", "heat")
"""The actions that can go on with the edit of the action before."""

OTHER_STROKE = "somebody else paints meanwhile, so this stroke of the tool Replace has ended"


class Pointers(Pointer):
    """The pointers of all pages, as one pointer for the viewer. It is held while the pointer of any page is held."""

    def __init__(self, viewer: Viewer, clients: Callable[[], Iterable[Client]]) -> None:
        super().__init__(viewer)
        self._clients = clients

    @property
    def holding(self) -> bool:
        """True if a page holds a brush."""
        return any(client.pointer.holding for client in self._clients())

    @property
    def waiting(self) -> bool:
        """True if actions of a brush wait for the end of a tick."""
        return any(client.pointer.waiting for client in self._clients())

    def act_on_waiting(self) -> None:
        """Run the actions that wait for the end of a tick, page by page in the order in which the pages came."""
        for client in self._clients():
            client.pointer.act_on_waiting()

    def act_while_held(self) -> None:
        """Let each held brush act, page by page in the order in which the pages came."""
        for client in self._clients():
            client.pointer.act_while_held()

    def cancel(self) -> None:
        """End all strokes."""
        for client in self._clients():
            client.pointer.cancel()


class Session:
    """The controller of a viewer and the pages that show it: checks the actions of pages, and runs them in the viewer.

    One page has the brush, or all pages have it (``shared``). The brush permits all actions on the world, on time and
    on overlays. Each page has its own view, panels and tool. Before an action that needs the tool, the session sets the
    page's tool in the viewer, by actions that are logged, too. So ``replay(world, viewer.log)`` needs no pages.

    Args:
        viewer: the viewer; only this session may use it from now on.
        folder: for the files that pages ask for.
        shared: whether all pages may paint.
    """

    def __init__(self, viewer: Viewer, folder: Folder, shared: bool = False) -> None:
        self.viewer, self.folder, self.shared = viewer, folder, shared
        self.clients: dict[str, Client] = {}
        self._holder: Client | None = None
        self._last_stroke: Client | None = None  # the client of the last action that changed the world
        self._first = viewer.first, viewer.source  # the world that was served at first
        viewer.pointer = Pointers(viewer, self.clients.values)
        viewer.panels = dict.fromkeys(PANELS, False)

    @property
    def present(self) -> list[Client]:
        """The clients of the pages that have a connection, in the order in which the clients were made."""
        return [client for client in self.clients.values() if client.outbox is not None]

    def paints(self, client: Client) -> bool:
        """True if a page may change the world."""
        return self.shared or self._holder is client

    @property
    def somebody_paints(self) -> bool:
        """True if a page that is present has the brush."""
        return self._holder is not None and self._holder.outbox is not None

    def join(self, page: str, outbox: Outbox, now: float) -> Client | None:
        """Make the client of a page that connects, or find that of one that comes back. Returns None: too many pages.

        The first page gets the brush, and so does a new one when nobody is there who has it. A page that comes back
        does not: when a tunnel breaks, all pages come back in any order, and the brush stays with its page.
        """
        client = self.clients.get(page)
        is_new = client is None
        if client is None:
            if len(self.present) >= CLIENTS_MOST:
                return None
            self._forget_one()
            client = self.clients[page] = Client(self, page)
        client.arrive(outbox, now)
        if self._holder is None or (is_new and not self.somebody_paints):
            self._holder = client
        return client

    def _forget_one(self) -> None:
        """Make room for a client: forget the one whose page has been away for the longest time."""
        away = [client for client in self.clients.values() if client.outbox is None]
        if len(self.clients) >= CLIENTS_MOST and away:
            del self.clients[min(away, key=lambda client: client.came).page]

    def leave(self, client: Client, outbox: Outbox, now: float) -> None:
        """Note that a connection has ended. If the page has a newer connection, it goes on."""
        if client.outbox is outbox:
            client.leave(now)
            self._merge_panels()

    def hear(self, client: Client, message: Message, now: float) -> None:
        """Handle a message from a page; an error goes to the page."""
        if isinstance(message, FrameShown):
            client.line.got(message.frame, now)
            return
        client.attempt(lambda: self._obey(client, message))
        if not isinstance(message, Size | TakeBrush):
            client.last_input = message.number

    def _obey(self, client: Client, message: Message) -> None:
        match message:
            case Size():
                client.resize(message.width, message.height)
            case TakeBrush():
                self._give_brush(client)
            case Key():
                self._press_key(client, message.chord)
            case Act():
                self.act(client, message.name, dict(message.arguments))
            case Press() | Move() | Release() | Wheel():
                self._point(client, message)

    def _give_brush(self, client: Client) -> None:
        """Give the brush to a page, unless its holder is in the middle of a stroke."""
        if self.somebody_paints and self._holder is not None and self._holder.pointer.drag is not None:
            raise UsageError("the brush is in use; try again after the stroke")
        if self._holder is not None and not self.shared:
            self._holder.worlds.close_dialog()
        self._holder = client

    def _press_key(self, client: Client, chord: str) -> None:
        bound = self.viewer.bindings.get(chord)
        if bound is None or bound[0] in IN_THE_PAGE:
            return
        self.act(client, bound[0], dict(bound[1]))

    def _point(self, client: Client, message: Press | Move | Release | Wheel) -> None:
        """Hand a pointer event to the pointer of the page; without the brush each button moves the view."""
        held, client.hovered = frozenset(message.modifiers), True
        if isinstance(message, Wheel):
            held = held if self.paints(client) else held - {"ctrl"}
            client.pointer.wheel(message.steps, message.x, message.y, held)
        elif isinstance(message, Press):
            button = message.button if self.paints(client) else "middle"
            client.pointer.press(button, message.x, message.y, held)
        elif isinstance(message, Move):
            self._keep_to_view(client)
            client.pointer.move(message.x, message.y, held)
        else:
            self._keep_to_view(client)
            client.pointer.release(message.button, message.x, message.y, held)

    def _keep_to_view(self, client: Client) -> None:
        """End a stroke whose page has lost the brush."""
        if not self.paints(client) and client.pointer.drag not in (None, "pan"):
            client.pointer.cancel()

    def act(self, client: Client, name: str, arguments: dict[str, object]) -> None:
        """Run an action that a page asks for.

        Raises: UsageError: not permitted, or wrong arguments. OutputError: a file could not be written.
        """
        if name == "panel" and arguments == PANEL_OF_FILES:
            name, arguments = "ask_open", {}
        if needs_brush(name) and not self.paints(client):
            raise UsageError(f"{name}: this page has no brush; take it first")
        given = checked(name, arguments)
        if name in PAGE_ACTIONS:
            getattr(client.worlds, name)(**given)
        elif name in OF_FILES:
            self.write(client, name, given)
        else:
            self.perform(client, name, given)

    @property
    def first_name(self) -> str:
        """The name of the world that was served at first."""
        return Path(self._first[1]).stem or "world"

    def open_first(self, client: Client) -> None:
        """Show the world that was served at first, as it was then. Raises: as `Viewer.open`."""
        with _View(self.viewer, client):
            self.viewer.open(*self._first)
        self._suit_all()

    def write(self, client: Client, name: str, given: dict[str, object]) -> None:
        """Run an action that writes a file, and tell the page the name of the file in place of its path.

        Raises: UsageError: too many files. OutputError: the file cannot be written.
        """
        before = list(self.viewer.messages)
        ending = given.get("ending")
        records = self.viewer.recording
        with _View(self.viewer, client):
            made = self.folder.write(self.viewer, name, ending if isinstance(ending, str) else None)
        self.viewer.messages = before
        if name == "record" and not records:
            client.tell("recording; the same button ends the film")
        client.known.files += made

    def perform(self, client: Client, name: str, arguments: dict[str, object]) -> None:
        """Run an action for a client: in its view, and with its tool. Raises: as `Viewer.do`."""
        viewer = self.viewer
        if needs_tool(name) and (viewer.sim.in_tick or viewer.pointer.waiting):
            # The strokes that wait for it come first: not between this tool and its action, and not within an edit.
            viewer.finish_tick()
        if name in _STROKES and arguments.get("more") and self._last_stroke is not client:
            if client.pointer.drag == "replace":  # which material is replaced was found out by another stroke
                client.pointer.cancel()
                raise UsageError(OTHER_STROKE)
            arguments = {**arguments, "more": False}
        if ACTIONS[name].logged:
            self._check_log(1 + len(actions_of(client.tool)))
            self._last_stroke = client
        if needs_tool(name):
            self._put_tool(client)
        with _View(viewer, client):
            viewer.do(name, **arguments)
        if needs_tool(name):
            client.tool = viewer.tool
        self._suit_all()

    def _suit_all(self) -> None:
        """Suit the view and the tool of each page to the world."""
        for each in self.clients.values():
            each.suit()

    def _check_log(self, more: int) -> None:
        """Raise UsageError if the log has no room for so many further actions."""
        if len(self.viewer.log) + more > ACTIONS_MOST:
            raise UsageError(
                f"the log of this world is full: {ACTIONS_MOST:,} actions; save a snapshot and open it to go on"
            )

    def _put_tool(self, client: Client) -> None:
        """Give the viewer the tool of a client, by the actions that a replay needs."""
        viewer, there = self.viewer, self.viewer.tool
        if client.tool.material not in viewer.materials:
            client.tool = replace(client.tool, material=there.material)
        if client.tool == there:
            return
        now = actions_of(there)
        for name, arguments in actions_of(client.tool).items():
            if arguments != now[name]:
                viewer.do(name, **arguments)

    def _merge_panels(self) -> None:
        """Tell the viewer which panels are open on any page: some are measured only then."""
        opened = {name for client in self.present for name, is_open in client.panels.items() if is_open}
        self.viewer.panels = {name: name == "statistics" and name in opened for name in PANELS}

    def advance(self, now: float) -> None:
        """Run the ticks of a frame, and tell the pages if a film was finished."""
        self._merge_panels()
        self.viewer.advance(now)
        for name in self.folder.finished_film(self.viewer):
            self.tell_all(f"{name} is in the list of files")

    def tell_all(self, text: str, kind: str = "note", offer: Offer | None = None) -> None:
        """Show a message on all pages; arguments as for `Viewer.tell`."""
        for client in self.present:
            client.tell(text, kind, offer)


class _View:
    """Lets the viewer have the view and the panels of a client for an action."""

    def __init__(self, viewer: Viewer, client: Client) -> None:
        self._viewer, self._client = viewer, client

    def __enter__(self) -> None:
        viewer, client = self._viewer, self._client
        self._before = viewer.camera, viewer.panels
        viewer.camera, viewer.panels, viewer.pointer.at = client.camera, client.panels, client.pointer.at

    def __exit__(self, *_: object) -> None:
        self._client.camera = self._viewer.camera
        self._viewer.camera, self._viewer.panels = self._before


def needs_tool(name: str) -> bool:
    """True if an action uses or sets the tool."""
    return ACTIONS[name].group in ("Paint", "Material")
