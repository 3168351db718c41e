"""A session without a network: pages are stand-ins that keep what they are sent, and time is set by the test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gpufluid import World
from gpufluid.serve.folder import Folder
from gpufluid.serve.frames import HEAD
from gpufluid.serve.loop import Connected, Disconnected, Received, ServeLoop
from gpufluid.serve.messages import read_message
from gpufluid.serve.session import Session
from gpufluid.viewer import Viewer


class Page:
    """A page: says what a test has it say, and keeps what it is sent. It answers frames only when told to."""

    def __init__(self, table: Table, name: str) -> None:
        self._table, self._name = table, name
        self.facts_said: dict = {}
        self.states: list[dict] = []
        self.frames: list[bytes] = []
        self.notes: list[dict] = []
        self.ends: list[int] = []
        self.statistics_said: list[dict] = []
        self.folders: list[dict] = []
        self.arrive()

    def arrive(self) -> None:
        self._table.loop.events.put(Connected(self._name, self))

    def go(self) -> None:
        self._table.loop.events.put(Disconnected(self))

    def state(self, text: str) -> None:
        self.states.append(json.loads(text))

    def facts(self, text: str) -> None:
        self.facts_said = json.loads(text)

    def folder(self, text: str) -> None:
        self.folders.append(json.loads(text))

    def statistics(self, text: str) -> None:
        self.statistics_said.append(json.loads(text))

    def frame(self, number: int, picture: bytes) -> None:  # noqa: ARG002  it is in the picture's head
        self.frames.append(picture)

    def close(self, code: int, reason: str) -> None:  # noqa: ARG002
        self.ends.append(code)

    def note(self, text: str) -> None:
        self.notes.append(json.loads(text))

    def say(self, kind: str, /, **words: object) -> None:
        message = read_message(json.dumps({"type": kind, **words}))
        self._table.loop.events.put(Received(self, message, lambda: None))

    def act(self, name: str, /, **arguments: object) -> None:
        self.say("act", name=name, arguments=arguments)

    def answer(self) -> None:
        """Say that the last frame is shown."""
        if self.frames:
            self.say("got", frame=HEAD.unpack_from(self.frames[-1])[0])

    @property
    def told(self) -> dict:
        return self.states[-1]

    @property
    def errors(self) -> list[str]:
        return [note["text"] for note in self.notes if note.get("kind") == "error"]


class Table:
    """A session, and pages at it."""

    def __init__(self, world: World, folder: Path, shared: bool) -> None:
        self.now = 100.0
        self.viewer = Viewer(world, source="pond")
        self.viewer.clock.paused = True
        self.session = Session(self.viewer, Folder(folder), shared)
        self.loop = ServeLoop(self.session, lambda: self.now)

    def page(self, name: str = "first") -> Page:
        page = Page(self, name)
        self.turn()
        return page

    def turn(self, times: int = 1, seconds: float = 0.125) -> None:
        for _ in range(times):
            self.now += seconds
            self.loop.turn(0)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Table]]:
    """``table(world, shared=False)`` is a session with a paused world; its folder is empty, and so are the settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    (tmp_path / "files").mkdir(exist_ok=True)
    with ExitStack() as stack:

        def lay(world: World | None = None, shared: bool = False) -> Table:
            found = Table(world or World(48, 64, ("atoms",)), tmp_path / "files", shared)
            stack.callback(found.loop.close)
            return found

        yield lay
