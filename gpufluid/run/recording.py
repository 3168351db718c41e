"""A world run from its first tick to its last, with what is kept of it: pictures, films, snapshots."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, current_thread, main_thread
from types import FrameType

import numpy as np

from gpufluid.core.errors import OutputError, UsageError, did_you_mean
from gpufluid.core.files import check_writable
from gpufluid.io import snapshots as storage
from gpufluid.render.film import FILM_ENDINGS, Film, encoder, save_picture
from gpufluid.render.legend import draw_legend, with_legend
from gpufluid.render.painter import find_overlay, overlay_span
from gpufluid.render.scale import Scale
from gpufluid.run import timeseries
from gpufluid.run.balance import Balance, balance_of
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World

ENDINGS = (".png", ".npz", *FILM_ENDINGS)
_SHOW_EVERY = 0.1
"""Seconds between two reports of progress. So often the device's queue is emptied, which is what makes them true."""

STATS_EVERY = 10
"""Ticks between two rows of statistics, unless another number is asked for."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Recording:
    """What to run and what to keep.

    Args:
        ticks: how many to run at most.
        outputs: files, each kept by its ending: a picture or snapshot of the end, a film of the whole.
        every: ticks between two frames of a film.
        rate: frames a second of a film.
        scale: pixels a cell; see `Simulation.frame`.
        overlay: draw this quantity in false colour, with a legend.
        overlay_max: the highest value of its colours; by default what suits the world's height.
        until_settled: stop as soon as nothing can move any more.
        stats: files of what was in the world over the ticks, each kept by its ending: a table or a picture.
        stats_every: ticks between two rows of them; by default `STATS_EVERY`.
        title: of such a picture.
    """

    ticks: int
    outputs: Sequence[Path] = ()
    every: int = 1
    rate: float = 50
    scale: float | str = 1
    overlay: str | None = None
    overlay_max: float | None = None
    until_settled: bool = False
    stats: Sequence[Path] = ()
    stats_every: int | None = None
    title: str = ""

    def check(self) -> None:
        """Refuse what cannot be done, before anything is begun. Raises UsageError."""
        least_of = (("ticks", self.ticks, 0), ("every", self.every, 1), ("stats-every", self.stats_every, 1))
        for name, value, least in least_of:
            if value is not None and value < least:
                raise UsageError(f"{name}: {value}; expected a whole number from {least} on")
        if not 1 <= self.rate <= 1000:
            raise UsageError(f"fps: {self.rate:g}; expected 1 to 1000 frames a second")
        if self.rate > 100 and any(path.suffix.lower() == ".gif" for path in self.outputs):
            raise UsageError(f"fps: {self.rate:g}; a .gif holds at most 100 frames a second")
        self._check_files()
        Scale.of(self.scale)
        if self.stats_every is not None and not self.stats:
            raise UsageError("--stats-every: has no effect without --stats")
        if self.overlay_max is not None and self.overlay is None:
            raise UsageError("--overlay-max: has no effect without --overlay")
        if any(path.suffix.lower() in FILM_ENDINGS for path in self.outputs):
            encoder()

    def _check_files(self) -> None:
        for paths, endings in ((self.outputs, ENDINGS), (self.stats, timeseries.ENDINGS)):
            for path in paths:
                if path.suffix.lower() not in endings:
                    hint = did_you_mean(path.suffix, endings)
                    raise UsageError(f"{path}: nothing is known of the ending {path.suffix!r}{hint}")
                check_writable(path)
        paths = [*self.outputs, *self.stats]
        places = [path.resolve() for path in paths]
        for path, place in zip(paths, places, strict=True):
            if places.count(place) > 1:
                raise UsageError(f"{path}: is named twice as an output")

    def check_overlay(self, world: World) -> bool:
        """Refuse an overlay that the world does not have, or that nothing would show. Raises UsageError.

        Returns: whether it draws the moves of the last tick, which a simulation must then keep.
        """
        if self.overlay is None:
            return False
        lines = find_overlay(world, self.overlay).lines
        if not self.pictures:
            raise UsageError("--overlay: has no effect without a picture or film in --out")
        if lines and self.overlay_max is not None:
            raise UsageError(f"--overlay-max: has no effect on the lines of --overlay {self.overlay}")
        return lines

    @property
    def pictures(self) -> bool:
        """Whether any of the outputs is one, or a film."""
        return any(path.suffix.lower() in (".png", *FILM_ENDINGS) for path in self.outputs)


@dataclass(slots=True)
class Outcome:
    """What a run came to.

    Args:
        laws: the size, rules and tables of the world that ran; its arrays are empty.
        before, after: what was in it and what is, with what has come and gone by then.
        digest: of its last state.
        ticks: how many ran.
        seconds: how long they took, with drawing.
        activity: units of mass, or of a mixture, that moved in the last tick; None in a world without either.
        settled: whether nothing can move any more.
        interrupted: whether Ctrl-C ended it; all outputs are whole all the same.
        outputs: the files written.
        until_settled: whether it was to end only when nothing could move any more.
    """

    laws: World
    before: Balance
    after: Balance
    digest: str
    ticks: int
    seconds: float
    activity: int | None
    settled: bool
    interrupted: bool
    outputs: list[Path] = field(default_factory=list)
    until_settled: bool = False


def record(simulation: Simulation, recording: Recording, progress: Progress | None = None) -> Outcome:
    """Run a world and keep what was asked for. The state is read back only to be kept as a snapshot.

    Args:
        simulation: at its first tick.
        recording: what to run and keep.
        progress: told now and then how many ticks have run.
    Returns: what it came to.
    Raises: UsageError: before the first tick. OutputError: a film or file could not be written; no half of it is left.
    """
    recording.check()
    before = balance_of(simulation)
    start = time.perf_counter()
    with ExitStack() as stack:
        stop = stack.enter_context(_stopped_by_signal())
        recorder = _Recorder(simulation, recording, stack)
        recorder.series.note(before.held)
        recorder.run(progress, stop)
        after = balance_of(simulation)
        for path in recording.outputs:  # before the films end, so that a film that fails takes nothing with it
            match path.suffix.lower():
                case ".png":
                    save_picture(recorder.frame(), path)
                case ".npz":
                    storage.save(simulation.read(), path)
        recorder.series.note(after.held)  # also of a run that ended between two rows
        for path in recording.stats:
            recorder.series.save(path)
        if recorder.failure is not None:
            raise recorder.failure
    seconds = time.perf_counter() - start
    return Outcome(
        laws=simulation.laws,
        before=before,
        after=after,
        digest=simulation.digest(),
        ticks=after.held.tick - before.held.tick,
        seconds=seconds,
        activity=simulation.activity() if simulation.laws.has_amounts else None,
        settled=simulation.settled,
        interrupted=stop.is_set(),
        outputs=[*recording.outputs, *recording.stats],
        until_settled=recording.until_settled,
    )


@contextmanager
def _stopped_by_signal() -> Iterator[Event]:
    """An event that Ctrl-C or a termination request sets, so that a run ends between two ticks with its films whole.

    A second one is obeyed at once. Outside the main thread Python delivers no signals, and the event stays unset.
    """
    stop = Event()
    if current_thread() is not main_thread():
        yield stop
        return

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Recorder:
    """Ticks in portions, a frame or a row of statistics where one is due. A film begins with the first state."""

    def __init__(self, simulation: Simulation, recording: Recording, stack: ExitStack) -> None:
        self._simulation = simulation
        self._recording = recording
        self._legend: np.ndarray | None = None
        self._films: list[Film] = []
        self.series = timeseries.TimeSeries(simulation.laws, recording.title)
        self.failure: OutputError | None = None  # of a film, which ends the run; what else was asked for is kept
        if recording.overlay is not None:
            overlay_span(simulation.laws, recording.overlay, recording.overlay_max)
        if recording.pictures:
            simulation.check_frame(recording.scale)
        endings = [path for path in recording.outputs if path.suffix.lower() in FILM_ENDINGS]
        if endings:
            first = self.frame()
            height, width, _ = first.shape
            self._films = [stack.enter_context(Film(path, width, height, recording.rate)) for path in endings]
            self._add(first)

    def run(self, progress: Progress | None, stop: Event) -> None:
        done = 0
        portion = 1
        keeping = [(self._recording.every, self._film)] if self._films else []
        if self._recording.stats:
            keeping.append((self._recording.stats_every or STATS_EVERY, self._note))
        while done < self._recording.ticks and not stop.is_set() and self.failure is None:
            due = [every - done % every for every, _ in keeping]
            ticks = min(portion, self._recording.ticks - done, *due)
            began = time.perf_counter()
            ran = self._step(ticks)
            done += ran
            if progress is not None:
                progress(done)
            for every, keep in keeping:
                if ran and (ran < ticks or done % every == 0 or done == self._recording.ticks):
                    keep()
            if ran < ticks:
                return
            seconds = time.perf_counter() - began
            portion = max(1, min(2 * ticks, int(ticks * _SHOW_EVERY / max(seconds, 1e-6))))

    def frame(self) -> np.ndarray:
        """The picture now, with a legend if it is in false colour."""
        asked = self._recording
        frame = self._simulation.frame(asked.scale, asked.overlay, asked.overlay_max)
        world = self._simulation.laws
        if asked.overlay is None or find_overlay(world, asked.overlay).lines:
            return frame
        if self._legend is None:
            span = overlay_span(world, asked.overlay, asked.overlay_max)
            self._legend = draw_legend(find_overlay(world, asked.overlay), *span, frame.shape[1])
        return with_legend(frame, self._legend)

    def _step(self, ticks: int) -> int:
        """Run up to so many ticks and wait for them; fewer if the world settles. Returns how many ran."""
        if not self._recording.until_settled:
            self._simulation.step(ticks)
            self._simulation.finish()
            return ticks
        for done in range(ticks):
            if self._simulation.settled:
                return done
            self._simulation.step()
        return ticks

    def _film(self) -> None:
        self._add(self.frame())

    def _add(self, frame: np.ndarray) -> None:
        """Add a frame, (height, width, 3) uint8, to all films."""
        try:
            for film in self._films:
                film.add(frame)
        except OutputError as error:
            self.failure = error

    def _note(self) -> None:
        self.series.note(self._simulation.statistics())
