"""The server on the network: who is let in, what it withstands, and how it begins and ends."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from http.client import HTTPConnection
from itertools import count, islice

import pytest
from support.fuzzed import fuzzed
from support.patience import PATIENCE, wait_until
from support.served import Served, served

from gpufluid.core.errors import UsageError
from gpufluid.serve.frames import HEAD
from gpufluid.serve.messages import MESSAGE_BYTES

NETWORK = pytest.mark.long("of a server, which the extra serve is needed for")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install -e '.[serve]'")
    pytest.importorskip("starlette", reason="starlette is not installed: pip install -e '.[serve]'")
    with served(tmp_path_factory.mktemp("served")) as found:
        yield found


def get(server: Served, path: str, host: str | None = None) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(server.place, timeout=PATIENCE)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host or server.place)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


class Client:
    """A page without a browser."""

    def __init__(self, socket) -> None:
        self.socket = socket
        self.state: dict = {}
        self.frames = 0
        self.notes: list[str] = []

    @property
    def stands(self) -> bool:
        """True if time is paused, no tick is in progress, and the digest is that of this tick."""
        state = self.state
        paused = bool(state) and state["paused"] and not state["busy"]
        return paused and state["digest"]["tick"] == state["tick"]

    async def say(self, **message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> None:
        """Take one message; answer it if it is a frame."""
        async with asyncio.timeout(PATIENCE):
            found = await self.socket.recv()
        if isinstance(found, bytes):
            self.frames += 1
            await self.say(type="got", frame=HEAD.unpack_from(found)[0])
            return
        told = json.loads(found)
        if told["type"] == "state":
            self.state = told
        elif told["type"] == "note":
            self.notes.append(told["text"])

    async def until(self, condition) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end
            await self.hear()


@asynccontextmanager
async def client(server: Served, page: str, **how: object) -> AsyncIterator[Client]:
    from websockets.asyncio.client import connect

    given = {"origin": f"http://{server.place}", "max_size": None} | how
    async with connect(server.live(page), **given) as found:
        yield Client(found)


def messages(first: int) -> list[str | bytes]:
    """A thousand fuzzed messages of the permitted size; one that is larger ends its connection."""
    found = (fuzzed(number) for number in count(first))
    return list(islice((text for text in found if len(text) <= MESSAGE_BYTES), 1000))


def refusal(server: Served, page: str = "pagepage", token: str | None = None, **how: object) -> int:
    """The HTTP status with which a WebSocket is refused."""
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    with pytest.raises(InvalidStatus) as caught:
        connect(server.live(page, token), **how)
    return caught.value.response.status_code


@NETWORK
def test_the_page_needs_the_token_and_the_own_name(server: Served) -> None:
    status, headers, body = get(server, f"/?token={server.token}")
    assert (status, b"<title>gpufluid</title>" in body) == (200, True)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert (headers["referrer-policy"], headers["cache-control"]) == ("no-referrer", "no-store")
    for path in ("/", "/?token=", "/?token=" + "a" * 32, "/?token=%00%ff"):
        assert get(server, path)[0] == 403, path
    assert get(server, f"/?token={server.token}", host="evil.example:80")[0] == 403, "DNS rebinding"
    assert get(server, f"/?token={server.token}", host="localhost:9999")[0] == 200, "through a tunnel"


@NETWORK
def test_no_path_leads_to_another_file(server: Served) -> None:
    assert get(server, "/page/main.js")[0] == 200
    for path in (
        "/page/../session.py",
        "/page/%2e%2e/session.py",
        "/page/..%2fsession.py",
        "/files/pond.toml",
        "/files/../pond.toml",
        "/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/etc/passwd",
        "/page//etc/passwd",
    ):
        assert get(server, f"{path}?token={server.token}")[0] == 404, path


@NETWORK
def test_a_connection_needs_the_token_and_the_own_origin(server: Served) -> None:
    own = {"origin": f"http://{server.place}"}
    assert refusal(server, token="a" * 32, **own) == 403
    assert refusal(server, token="", **own) == 403
    for origin in ("http://evil.example", "null", f"http://{server.place}.evil.example", "http://127.0.0.1:1"):
        assert refusal(server, origin=origin) == 403, origin
    assert refusal(server) == 403, "no origin at all"
    for page in ("", "short", "../../etc/passwd", "a" * 65):
        assert refusal(server, page=page, **own) == 403, page


@NETWORK
def test_silent_connections_keep_nobody_out(server: Served) -> None:
    """Without the token, as another user of the machine could open them: more than the server takes at once."""
    host, _, port = server.place.partition(":")
    begun = b"", b"GET / HTTP/1.1\r\nHost: ", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nG"  # the last after a whole one
    with ExitStack() as stack:

        def is_full() -> bool:
            for number in range(30):
                each = stack.enter_context(socket.create_connection((host, int(port))))
                each.sendall(begun[number % len(begun)])
            return get(server, f"/?token={server.token}")[0] == 503

        wait_until(is_full, "all of them count")
        wait_until(lambda: get(server, f"/?token={server.token}")[0] == 200, "the page")


@NETWORK
def test_a_thousand_fuzzed_messages_change_nothing(server: Served) -> None:
    """From a page without the brush; the page with the brush goes on, and so does the connection."""

    async def work() -> None:
        async with client(server, "fuzz1holder") as holder, client(server, "fuzz2watcher") as watcher:
            await holder.say(type="brush")
            await holder.until(lambda: holder.state.get("brush"))
            if not holder.state["paused"]:
                await holder.say(type="act", name="pause")
            await holder.until(lambda: holder.stands)
            before = holder.state["digest"]
            reader = asyncio.ensure_future(watcher.until(lambda: False))
            for text in messages(0):
                await watcher.socket.send(text)
            await watcher.say(type="act", name="no such thing")
            while "'no such thing' is no action of this page" not in watcher.notes:
                assert not reader.done(), reader
                await asyncio.sleep(0.05)
            reader.cancel()
            await holder.say(type="act", name="panel", arguments={"name": "statistics"})
            await holder.until(lambda: "statistics" in holder.state["panels"])
            assert holder.state["digest"] == before
            assert holder.state["paused"]

    asyncio.run(work())


@NETWORK
def test_a_thousand_fuzzed_messages_of_the_page_with_the_brush_end_nothing(server: Served) -> None:
    async def work() -> None:
        async with client(server, "fuzz3holder") as holder:
            await holder.say(type="brush")
            await holder.until(lambda: holder.state.get("brush"))
            reader = asyncio.ensure_future(holder.until(lambda: False))
            for text in messages(5000):
                await holder.socket.send(text)
            await holder.say(type="act", name="no such thing")
            while "'no such thing' is no action of this page" not in holder.notes:
                assert not reader.done(), reader
                await asyncio.sleep(0.05)
            reader.cancel()
            await holder.say(type="act", name="reset")

    asyncio.run(work())
    assert server.process.poll() is None


@NETWORK
def test_an_oversize_message_ends_its_own_connection_only(server: Served) -> None:
    async def work() -> None:
        from websockets.exceptions import ConnectionClosed

        async with client(server, "oversize1") as first, client(server, "oversize2") as second:
            await first.socket.send("x" * (MESSAGE_BYTES + 1))
            with pytest.raises(ConnectionClosed) as caught:
                await first.until(lambda: False)
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1009
            await second.until(lambda: second.state and second.frames)

    asyncio.run(work())


@NETWORK
def test_fifty_pages_see_one_world(server: Served) -> None:
    async def one(number: int, seen: list[dict], gate: asyncio.Barrier) -> None:
        async with client(server, f"page{number:08}") as page:
            await page.say(type="size", width=320 + number, height=240)
            await page.until(lambda: page.frames and page.state.get("people") == 50)
            if page.state["brush"] and not page.state["paused"]:
                await page.say(type="act", name="pause")
            await page.until(lambda: page.stands)
            seen.append(page.state["digest"])
            await gate.wait()

    async def work() -> list[dict]:
        seen: list[dict] = []
        gate = asyncio.Barrier(50)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(one(number, seen, gate) for number in range(50)))
        return seen

    seen = asyncio.run(work())
    assert len(seen) == 50
    assert all(each == seen[0] for each in seen)


@NETWORK
def test_a_page_that_stops_reading_holds_up_nobody(server: Served) -> None:
    """The server sends it at most what its line takes, keeps only what is newest, and serves the others."""

    async def work() -> None:
        async with client(server, "deaf00000", max_queue=1) as deaf, client(server, "listens00") as other:
            await deaf.until(lambda: deaf.frames)
            await other.say(type="brush")
            await other.until(lambda: other.state.get("brush"))
            if other.state["paused"]:
                await other.say(type="act", name="pause")
            for number in range(40):
                await other.say(type="press", x=100 + number, y=60)
                await other.say(type="release", x=100 + number, y=60)
                told, frames = other.state, other.frames
                await other.until(lambda told=told, frames=frames: other.frames > frames and other.state is not told)
            await other.say(type="act", name="reset")

    asyncio.run(work())


@NETWORK
def test_a_broken_connection_comes_back_to_the_same_world(server: Served) -> None:
    """The connection is cut in the middle of a stroke, without a word; the page comes back under its name."""

    async def work() -> tuple[dict, dict]:
        async with client(server, "broken00000") as page:
            await page.say(type="brush")
            await page.until(lambda: page.state.get("brush"))
            if page.state["paused"]:
                await page.say(type="act", name="pause")
            await page.say(type="act", name="material", arguments={"name": "sand"})
            await page.say(type="press", x=200, y=100)
            await page.until(lambda: page.state["actions"] > 8)
            cut = page.socket.transport.get_extra_info("socket")
            cut.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            page.socket.transport.abort()
        await asyncio.sleep(0.5)
        seen = []
        for _ in range(2):
            async with client(server, "broken00000") as again:
                await again.until(lambda again=again: again.state)
                seen.append(again.state)
                if not again.state["paused"]:
                    await again.say(type="act", name="pause")
                await again.until(lambda again=again: again.stands)
                seen.append(again.state)
        return seen[1], seen[3]

    first, second = asyncio.run(work())
    assert first["brush"]
    assert first["tool"]["material"] == "sand"
    assert first["digest"] == second["digest"]
    assert first["actions"] == second["actions"]


@NETWORK
def test_a_file_is_made_and_fetched(server: Served) -> None:
    async def work() -> str:
        async with client(server, "files00000") as page:
            await page.say(type="brush")
            await page.say(type="act", name="screenshot")
            await page.until(lambda: any(name.endswith(".png") for name in page.state.get("files", ())))
            return next(name for name in page.state["files"] if name.endswith(".png"))

    name = asyncio.run(work())
    status, headers, body = get(server, f"/files/{name}?token={server.token}")
    assert (status, body[:4]) == (200, b"\x89PNG")
    assert headers["content-disposition"].startswith("attachment")
    assert get(server, f"/files/{name}?token=wrong")[0] == 403


def test_an_origin_is_the_own_one_and_a_host_a_known_one() -> None:
    """Without a network; starlette's requests are what is asked elsewhere."""
    pytest.importorskip("starlette", reason="starlette is not installed: pip install -e '.[serve]'")
    from gpufluid.serve.website import Access

    access = Access("secret", "127.0.0.1")
    assert access.knows("secret")
    assert not access.knows("secre\u00e9")
    for host in ("127.0.0.1:8765", "localhost", "localhost:1", "[::1]:80", "LOCALHOST:80"):
        assert access.is_host(host), host
    for host in ("", "evil.example", "127.0.0.1.evil.example:80", "evil.example:80", "127.0.0.2"):
        assert not access.is_host(host), host
    assert Access("secret", "0.0.0.0").is_host("any.example:80")
    assert access.is_own_origin({"origin": "http://localhost:9", "host": "localhost:9"})
    for origin in (
        "",
        "null",
        "http://localhost:8",
        "http://localhost:9.evil.example",
        "file://localhost:9",
        "http://[",
    ):
        assert not access.is_own_origin({"origin": origin, "host": "localhost:9"}), origin


@pytest.mark.parametrize("host", ["192.0.2.1", "a" * 70])
def test_an_address_of_another_machine_and_a_name_too_long_are_one_sentence(host: str) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install -e '.[serve]'")
    from gpufluid.serve.serving import bound

    with pytest.raises(UsageError, match=r"--host .*: is no address of this machine: "), bound(host, 0):
        pass
