"""Starting and ending a server: its socket, its thread, and the loop of the viewer."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import secrets
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn  # pyright: ignore[reportMissingImports]
from uvicorn.protocols.http.h11_impl import H11Protocol  # pyright: ignore[reportMissingImports]

from gpufluid.core.errors import DeviceError, UsageError
from gpufluid.serve.folder import Folder
from gpufluid.serve.loop import ServeLoop
from gpufluid.serve.messages import MESSAGE_BYTES
from gpufluid.serve.session import CLIENTS_MOST, Session
from gpufluid.serve.website import Access, website
from gpufluid.viewer import Viewer

TOKEN_BYTES = 24
"""Random bytes of a token."""

_PING_SECONDS = 20.0
"""A page that has not answered a ping for so long is gone."""

_REQUEST_SECONDS = 5.0
"""A connection is closed if it sends no whole request for so long: many of them would keep all others out."""

_END_SECONDS = 2
"""The time that connections have to end when the server does."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a server.

    Args:
        host: the address to bind to.
        port: its port; 0: any free one.
        shared: whether all pages may paint.
        folder: for files that pages ask for, which exists; None: a new one, which is deleted at the end.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    shared: bool = False
    folder: Path | None = None


def is_loopback(host: str) -> bool:
    """True if only programs of this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def _no_address(host: str, error: Exception) -> str:
    return f"--host {host}: is no address of this machine: {getattr(error, 'strerror', None) or error}"


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that is bound to an address. Raises: UsageError: the port is in use, or there is no such address."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:  # UnicodeError: a name that is too long
        raise UsageError(_no_address(host, error)) from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # else the port stays taken for a while
        try:
            found.bind(address)
            found.listen(CLIENTS_MOST)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise UsageError(_no_address(host, error)) from None
            raise UsageError(
                f"port {port} of {host} cannot be used: {error.strerror or error}; --port 0 takes any free one"
            ) from None
        yield found
    finally:
        found.close()


def serve(open_viewer: Callable[[], Viewer], plan: Plan, announce: Callable[[str], None]) -> None:
    """Serve a viewer until KeyboardInterrupt.

    The viewer runs in the calling thread, the web server in one of its own.

    Args:
        open_viewer: makes the viewer, which is closed at the end; called once the port is taken.
        plan: the settings of the server.
        announce: called with the address for a browser, once it can be opened.
    Raises: UsageError: the port is in use. Also any error of ``open_viewer``, and KeyboardInterrupt.
    """
    with ExitStack() as stack:
        taken = stack.enter_context(bound(plan.host, plan.port))
        folder = plan.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gpufluid-")))
        viewer = open_viewer()
        loop = None
        try:
            session = Session(viewer, Folder(folder), plan.shared)
            loop = ServeLoop(session)
            access = Access(secrets.token_urlsafe(TOKEN_BYTES), plan.host)
            server = stack.enter_context(_started(access, loop, session, taken))
            port = taken.getsockname()[1]
            name = f"[{plan.host}]" if ":" in plan.host else plan.host
            announce(f"http://{name}:{port}/?token={access.token}")
            wait = 0.0
            while True:
                wait = loop.turn(wait)
                server.check()
        finally:
            viewer.close() if loop is None else loop.close()


class _Protocol(H11Protocol):
    """HTTP; a connection is closed if a request of it, the first or a later one, is not whole in `_REQUEST_SECONDS`."""

    _waits = False  # for a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)  # which ends the library's own limit for an idle connection
        self._wait_for_request()

    def _wait_for_request(self) -> None:
        if not self._waits and self._is_without_request():
            self._waits = True
            self.loop.call_later(_REQUEST_SECONDS, self._close_if_silent, self.cycle)

    def _is_without_request(self) -> bool:
        """True if it is no WebSocket, and no request is in progress."""
        return self in self.connections and (self.cycle is None or self.cycle.response_complete)

    def _close_if_silent(self, before: object) -> None:
        self._waits = False
        if self.cycle is before and self._is_without_request():
            self.transport.close()
        else:
            self._wait_for_request()


class _Server:
    """The web server in its thread."""

    def __init__(self, access: Access, loop: ServeLoop, session: Session, taken: socket.socket) -> None:
        app = website(access, loop.events, session.folder.made)
        config = uvicorn.Config(
            app,
            http=_Protocol,
            ws="websockets-sansio",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",  # not a line for each wrong request of anybody
            access_log=False,  # it would have the token
            server_header=False,
            proxy_headers=False,
            ws_max_size=MESSAGE_BYTES,
            ws_ping_interval=_PING_SECONDS,
            ws_ping_timeout=_PING_SECONDS,
            ws_per_message_deflate=False,  # pictures are compressed
            limit_concurrency=4 * CLIENTS_MOST,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=_END_SECONDS,
        )
        self._server, self._taken = uvicorn.Server(config), taken
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="web server", daemon=True)
        self._ready = threading.Event()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def _run(self) -> None:
        try:
            asyncio.run(self._server.serve(sockets=[self._taken]))
        except BaseException as error:  # `check` raises it in the thread of the viewer
            self._failure = error

    def check(self) -> None:
        """Raise DeviceError if the web server has ended by itself."""
        if not self._thread.is_alive():
            raise DeviceError(f"the web server has ended: {self._failure or 'no reason is known'}")

    def stop(self) -> None:
        """End the connections and the thread."""
        self._server.should_exit = True
        self._thread.join()


@contextmanager
def _started(access: Access, loop: ServeLoop, session: Session, taken: socket.socket) -> Iterator[_Server]:
    server = _Server(access, loop, session, taken)
    server.start()
    try:
        yield server
    finally:
        server.stop()
