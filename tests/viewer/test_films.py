"""Films of the viewer: a frame for every so many ticks, none dropped, encoded in a thread of its own."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gpufluid import World
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.render.film import Film, encoder
from gpufluid.viewer import recorder as recorders
from gpufluid.viewer.recorder import Recorder
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer of sand that falls, 64 x 40 cells."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(40, 64, ("atoms",), seed=3)
    world["material"][2:8, 20:40] = world.materials["sand"]
    viewer = Viewer(world, source="heap", window=(640, 400))
    viewer.clock.paused = True
    yield viewer
    viewer.close()


def frames_of(path: Path, viewer: Viewer) -> np.ndarray:
    """The frames of a film, (frames, height, width, 3) uint8."""
    command = [encoder(), "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    height, width = (side * 16 for side in (viewer.sim.blank.height, viewer.sim.blank.width))
    return np.frombuffer(data, np.uint8).reshape(-1, height, width, 3)[:, ::2, ::2]  # each pixel is 2 x 2


def assert_shows(frames: np.ndarray, expected: list[np.ndarray]) -> None:
    """The frames are the expected ones, up to what the encoder loses."""
    assert len(frames) == len(expected)
    for frame, picture in zip(frames, expected, strict=True):
        assert np.abs(frame.astype(int) - picture).mean() < 2


@pytest.mark.parametrize("every", [1, 3])
def test_a_film_has_a_frame_for_every_so_many_ticks(viewer: Viewer, tmp_path: Path, every: int) -> None:
    viewer.do("film_every", ticks=every)
    expected = [viewer.sim.frame(8)]
    viewer.do("record", path=tmp_path / "a.mp4")
    for tick in range(1, 14):
        viewer.do("step")
        if tick % every == 0:
            expected.append(viewer.sim.frame(8))
    viewer.do("record")
    assert_shows(frames_of(tmp_path / "a.mp4", viewer), expected)


def test_a_window_slower_or_faster_than_the_film_makes_the_same_film(viewer: Viewer, tmp_path: Path) -> None:
    """The film does not depend on the time between frames of the window."""
    viewer.clock.paused = False
    counts = []
    for number, seconds in enumerate((0.01, 0.5)):
        viewer.do("reset")
        viewer.do("record", path=tmp_path / f"{number}.mp4")
        now = 10.0 * number
        while viewer.sim.tick < 40:
            now += seconds
            viewer.advance(now)
        ticks = viewer.sim.tick
        viewer.do("record")
        counts.append(len(frames_of(tmp_path / f"{number}.mp4", viewer)) - 1 - ticks // 2)
    assert counts == [0, 0]


def test_no_frame_is_made_while_time_stands_or_jumps(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("film_every", ticks=1)
    viewer.do("step", ticks=10)
    expected = [viewer.sim.frame(8)]
    viewer.do("record", path=tmp_path / "a.mp4")
    for now in range(5):
        viewer.advance(now)
    viewer.do("rewind", ticks=5)
    viewer.do("paint", points=[(9, 9)])
    viewer.do("step")
    expected.append(viewer.sim.frame(8))
    viewer.do("back_before_edit")
    viewer.do("redo")
    viewer.do("step")
    expected.append(viewer.sim.frame(8))
    viewer.do("record")
    assert_shows(frames_of(tmp_path / "a.mp4", viewer), expected)


@pytest.fixture
def stalled(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An encoder that encodes nothing until the event is set, and a queue of `recorders._WAITING_LEAST` frames."""
    go, add = threading.Event(), Film.add

    def late(film: Film, frame: np.ndarray) -> None:
        assert go.wait(600)
        add(film, frame)

    monkeypatch.setattr(Film, "add", late)
    monkeypatch.setattr(recorders, "_WAITING_BYTES", 1)
    yield go
    go.set()


def test_while_the_encoder_is_behind_the_world_waits_and_no_frame_is_lost(
    viewer: Viewer, tmp_path: Path, stalled: threading.Event
) -> None:
    viewer.do("film_every", ticks=1)
    viewer.do("record", path=tmp_path / "a.mp4")
    viewer.clock.paused = False
    for frame in range(400):
        viewer.advance(frame / 10)
    recorder = viewer.recorder
    assert recorder is not None
    assert recorder.full
    held = viewer.sim.tick
    assert held <= recorders._WAITING_LEAST + 1
    said = [message.text for message in viewer.messages]
    assert (
        said.count("The film is encoded more slowly than the world runs: the world waits, and no frame is lost.") == 1
    )
    stalled.set()
    now = 100.0
    while viewer.sim.tick < held + 10:
        now += 0.1
        viewer.advance(now)
    viewer.clock.paused = True
    ticks = viewer.sim.tick
    viewer.do("record")
    assert len(frames_of(tmp_path / "a.mp4", viewer)) == ticks + 1


def test_an_encoder_that_fails_ends_the_film_with_one_error(
    viewer: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = threading.Event()

    def fail(_: Film, frame: np.ndarray) -> None:  # noqa: ARG001
        failed.set()
        raise OutputError("a.mp4: could not be written: the disk is full")

    monkeypatch.setattr(Film, "add", fail)
    viewer.do("record", path=tmp_path / "a.mp4")
    assert failed.wait(600)
    while viewer.recording:
        viewer.do("step", ticks=2)
    errors = [message.text for message in viewer.messages if message.kind == "error"]
    assert errors == ["a.mp4: could not be written: the disk is full", "the recording has ended"]
    viewer.do("step", ticks=10)


def test_the_world_is_drawn_in_the_caller_and_encoded_in_another_thread(
    viewer: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, set[int]] = {"draw": set(), "encode": set()}
    frame, add = Viewer.film_frame, Film.add

    def drawn(self: Viewer, scale: str) -> np.ndarray:
        threads["draw"].add(threading.get_ident())
        return frame(self, scale)

    def encoded(self: Film, picture: np.ndarray) -> None:
        threads["encode"].add(threading.get_ident())
        add(self, picture)

    monkeypatch.setattr(Viewer, "film_frame", drawn)
    monkeypatch.setattr(Film, "add", encoded)
    viewer.do("record", path=tmp_path / "a.gif")
    viewer.do("step", ticks=6)
    viewer.do("record")
    assert threads["draw"] == {threading.get_ident()}
    assert len(threads["encode"]) == 1
    assert threads["draw"] != threads["encode"]


@pytest.mark.parametrize("ticks", [0, -1, 1.5, "two", True, 10_001])
def test_a_wrong_number_of_ticks_a_frame_is_refused(viewer: Viewer, ticks: object) -> None:
    with pytest.raises(UsageError, match=r"every: .*; expected a whole number of ticks from 1 to 10000"):
        viewer.do("film_every", ticks=ticks)
    with pytest.raises(UsageError, match=r"every: .*; expected a whole number of ticks from 1 to 10000"):
        Viewer(World(8, 8, rules=("flow",)), film_every=ticks)  # pyright: ignore[reportArgumentType]


def test_a_film_of_another_ending_is_refused(viewer: Viewer, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a film's name ending in"):
        Recorder(viewer.film_frame, viewer.sim.blank, tmp_path / "a.png")
