"""The web application: the page, the files that were made, and a WebSocket for each page."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from urllib.parse import urlsplit

from starlette.applications import Starlette  # pyright: ignore[reportMissingImports]
from starlette.middleware import Middleware  # pyright: ignore[reportMissingImports]
from starlette.requests import HTTPConnection, Request  # pyright: ignore[reportMissingImports]
from starlette.responses import FileResponse, PlainTextResponse, Response  # pyright: ignore[reportMissingImports]
from starlette.routing import Route, WebSocketRoute  # pyright: ignore[reportMissingImports]
from starlette.types import ASGIApp, Message, Receive, Scope, Send  # pyright: ignore[reportMissingImports]
from starlette.websockets import WebSocket, WebSocketDisconnect  # pyright: ignore[reportMissingImports]

from gpufluid.core.errors import UsageError
from gpufluid.serve.loop import Connected, Disconnected, Event, Received
from gpufluid.serve.mailbox import Mailbox, as_note
from gpufluid.serve.messages import read_message
from gpufluid.serve.rate_limit import RateLimit

PAGE = Path(__file__).parent / "page"
"""The folder of the page's files."""

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

LOCAL = ("localhost", "127.0.0.1", "[::1]")
"""The names by which a browser reaches this machine, also through a tunnel."""

ANYWHERE = ("0.0.0.0", "::")
"""The addresses that stand for all of this machine."""

_UNHANDLED_MOST = 100
"""Messages of a page that may wait for the viewer before further ones are read."""

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",  # the address has the token
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Access control: decides which requests the server accepts.

    Args:
        token: the secret of the printed address.
        host: the address to which the server is bound.
    """

    token: str
    host: str

    def knows(self, token: str) -> bool:
        """True if a request has the token. The time of the comparison does not depend on the token."""
        return secrets.compare_digest(token.encode(), self.token.encode())

    def is_host(self, host: str) -> bool:
        """True if a request asks for a name that this server answers to.

        A page of another site can make a browser reach this server under a name of its own (DNS rebinding).
        """
        name = host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()
        return self.host in ANYWHERE or name in (*LOCAL, self.host.lower(), f"[{self.host.lower()}]")

    def is_own_origin(self, headers: Mapping[str, str]) -> bool:
        """True if a page of this very server opens the connection; a page of another site has another origin."""
        try:
            origin = urlsplit(headers.get("origin", ""))
        except ValueError:  # such as "http://["
            return False
        return origin.scheme in ("http", "https") and origin.netloc.lower() == headers.get("host", "").lower()

    def admits(self, connection: HTTPConnection) -> bool:
        """True if a request has the token and asks for a name of this server."""
        return self.is_host(connection.headers.get("host", "")) and self.knows(connection.query_params.get("token", ""))


class _Headers:
    """Adds the security headers of `_HEADERS` to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
            await send(message)

        await self._app(scope, receive, add)


def website(access: Access, events: SimpleQueue[Event], made: Mapping[str, Path]) -> Starlette:
    """The application.

    Args:
        access: decides which requests are accepted.
        events: takes what happens on the connections.
        made: the files that can be fetched, by name.
    """

    async def page(request: Request) -> Response:
        if not access.admits(request):
            return _refusal()
        return Response((PAGE / "index.html").read_bytes(), media_type=KINDS[".html"])

    async def part(request: Request) -> Response:
        """A file of the page. It is the same for everybody, so that it needs no token."""
        name = request.path_params["name"]
        if not access.is_host(request.headers.get("host", "")):
            return _refusal()
        if name not in parts:
            return PlainTextResponse("there is no such file", 404)
        return Response(parts[name], media_type=KINDS[Path(name).suffix])

    async def file(request: Request) -> Response:
        place = made.get(request.path_params["name"])
        if not access.admits(request):
            return _refusal()
        if place is None or not place.is_file():
            return PlainTextResponse("there is no such file", 404)
        return FileResponse(place, filename=place.name, media_type="application/octet-stream")

    async def live(socket: WebSocket) -> None:
        name = socket.query_params.get("page", "")
        welcome = access.admits(socket) and access.is_own_origin(socket.headers)
        if not welcome or not (8 <= len(name) <= 64 and name.isalnum() and name.isascii()):
            await socket.close()  # before it is accepted: the answer is 403, and the page sees no code
            return
        await socket.accept()
        await _Connection(socket, events).run(name)

    parts = {each.name: each.read_bytes() for each in PAGE.iterdir() if each.suffix in KINDS}
    routes = [
        Route("/", page),
        Route("/page/{name}", part),
        Route("/files/{name}", file),
        WebSocketRoute("/live", live),
    ]
    return Starlette(routes=routes, middleware=[Middleware(_Headers)])


def _refusal() -> Response:
    return PlainTextResponse("This address is not complete: use the whole one that gpufluid serve has printed.", 403)


class _Connection:
    """One WebSocket: reads the page's messages at a bounded rate, and sends the newest message of each kind."""

    def __init__(self, socket: WebSocket, events: SimpleQueue[Event]) -> None:
        self._socket, self._events = socket, events
        self._loop = asyncio.get_running_loop()
        self._mailbox = Mailbox(self._loop)
        self._unhandled = 0
        self._room = asyncio.Event()

    async def run(self, page: str) -> None:
        """Serve the page until either side ends the connection."""
        self._events.put(Connected(page, self._mailbox))
        try:
            await _first_of(self._read, self._write)
        finally:
            self._events.put(Disconnected(self._mailbox))

    async def _read(self) -> None:
        """Read messages. A wrong one is answered by a message that says what is wrong, and changes nothing."""
        limit = RateLimit()
        while True:
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            await limit.wait()
            text = event.get("text")
            try:
                if text is None:
                    raise UsageError("message: expected text, found bytes")
                message = read_message(text)
            except UsageError as error:
                self._mailbox.note(as_note(str(error), "error"))
                continue
            self._unhandled += 1
            self._events.put(Received(self._mailbox, message, self._handled))
            while self._unhandled > _UNHANDLED_MOST:
                self._room.clear()
                await self._room.wait()

    def _handled(self) -> None:
        """Called by the viewer's thread: it has handled a message."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._make_room)

    def _make_room(self) -> None:
        self._unhandled -= 1
        self._room.set()

    async def _write(self) -> None:
        """Send the newest messages. If the page does not read, this waits; the mailbox then keeps only the newest."""
        while True:
            found = await self._mailbox.take()
            if isinstance(found, tuple):
                await self._socket.close(*found)
                return
            for each in found:
                if isinstance(each, bytes):
                    await self._socket.send_bytes(each)
                else:
                    await self._socket.send_text(each)


async def _first_of(*works: Callable[[], Awaitable[None]]) -> None:
    """Run coroutines until the first of them ends, and cancel the others. A connection that breaks is no error."""
    tasks = [asyncio.ensure_future(work()) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            # RuntimeError: what starlette raises where something is sent on a connection that has just been closed.
            expected = isinstance(found, WebSocketDisconnect | asyncio.CancelledError | OSError | RuntimeError)
            if isinstance(found, BaseException) and not expected:
                raise found
