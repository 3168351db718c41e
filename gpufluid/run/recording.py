"""Runs a world and records it: pictures, films, snapshots, stores and statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

import numpy as np

from gpufluid.core.errors import OutputError, UsageError, did_you_mean
from gpufluid.core.interrupts import stopped_by_signal
from gpufluid.io import snapshots
from gpufluid.io.states import StateOfSimulation
from gpufluid.render.film import FILM_ENDINGS, Film, check_rate, encoder, save_picture
from gpufluid.render.framing import Crop
from gpufluid.render.legend import HEIGHT, LEAST_WIDTH, draw_legend, with_legend
from gpufluid.render.look import Look
from gpufluid.render.painter import find_overlay, overlay_span
from gpufluid.render.settings import PictureSettings
from gpufluid.run import timeseries
from gpufluid.run.balance import Balance, balance_of
from gpufluid.run.recordable import Recordable
from gpufluid.world import World
from gpufluid.world.limits import check_step

ENDINGS = (".png", *snapshots.ENDINGS, *FILM_ENDINGS)
"""The endings of output files."""

_REPORT_SECONDS = 0.1
"""Seconds between two reports of progress. Before each report the run waits for the device, so the report is exact."""

STATS_EVERY = 10
"""Default number of ticks between two rows of statistics."""

Progress = Callable[[int], None]
"""A function that reports progress; it gets the number of ticks that have run."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The settings of a recorded run.

    Args:
        ticks: the largest number of ticks.
        outputs: files to write. By its ending, one of `ENDINGS`, a file is a picture of the last state, a snapshot or a
            store of the last state, or a film of the run.
        every: ticks between two frames of a film.
        rate: frames a second of a film.
        scale: pixels a cell; see `Simulation.frame`.
        overlay: the overlay to draw, with a legend; None: the plain picture.
        overlay_max: the value of the overlay's last colour; None: computed from the world's laws.
        tint: whether warm and cold matter is tinted; see `Simulation.frame`.
        theme: the theme of pictures and films; see `Simulation.frame`.
        background: the colour of cells without matter, as "#rrggbb"; None: that of the theme.
        size: (width, height) of pictures and films, in pixels, with the legend of an overlay; None: by the scale.
        crop: (x, y, width, height) of the cells to draw; None: all.
        until_settled: whether to stop as soon as no later tick can change anything.
        stats: files of statistics over the ticks. By its ending, one of `timeseries.ENDINGS`, a file is a table or a
            picture.
        stats_every: ticks between two rows of statistics; by default `STATS_EVERY`.
        title: the title of the picture of statistics.
        snapshot_every: ticks between two states of which a snapshot or a store is written, each in place of the one
            before; None: only the last state.
    """

    ticks: int
    outputs: Sequence[Path] = ()
    every: int = 1
    rate: float = 50
    scale: float | str = 1
    overlay: str | None = None
    overlay_max: float | None = None
    tint: bool = True
    theme: str = "day"
    background: str | None = None
    size: tuple[int, int] | None = None
    crop: tuple[int, int, int, int] | None = None
    until_settled: bool = False
    stats: Sequence[Path] = ()
    stats_every: int | None = None
    title: str = ""
    snapshot_every: int | None = None

    def check(self) -> None:
        """Raise UsageError for invalid settings, before anything runs."""
        counts = (
            ("ticks", self.ticks, 0),
            ("every", self.every, 1),
            ("stats-every", self.stats_every, 1),
            ("snapshot-every", self.snapshot_every, 1),
        )
        for name, value, least in counts:
            if value is not None and value < least:
                raise UsageError(f"{name}: {value}; expected a whole number from {least} on")
        for ending in ("", *(path.suffix.lower() for path in self.outputs)):
            check_rate(self.rate, ending)
        self._check_files()
        self.picture_settings.check()
        self._check_effects()
        if self.stats_every is not None and not self.stats:
            raise UsageError("--stats-every: has no effect without --stats")
        if self.snapshot_every is not None and not self.states:
            raise UsageError("--snapshot-every: has no effect without a .npz or .zarr file in --out")
        if any(path.suffix.lower() in FILM_ENDINGS for path in self.outputs):
            encoder()

    def _check_effects(self) -> None:
        """Raise UsageError for a setting of pictures that would have no effect."""
        if self.overlay_max is not None and self.overlay is None:
            raise UsageError("--overlay-max: has no effect without --overlay")
        plain = Recording(0)
        for name in ("theme", "background", "size", "crop"):
            if getattr(self, name) != getattr(plain, name) and not self.pictures:
                raise UsageError(f"--{name}: has no effect without a picture or film in --out")

    @property
    def picture_settings(self) -> PictureSettings:
        """The settings of pictures and films, without the legend of an overlay."""
        look = Look.of(self.theme, self.background, self.tint)
        return PictureSettings(self.scale, self.overlay, self.overlay_max, look, self.crop, self.size)

    def _check_tint(self, world: World) -> None:
        """Raise UsageError if leaving out the tint would have no effect in a world."""
        if self.tint:
            return
        if not self.pictures:
            raise UsageError("--no-tint: has no effect without a picture or film in --out")
        if "heat" not in world.rules:
            raise UsageError("--no-tint: has no effect in a world without rule heat")
        if self.has_legend(world):
            raise UsageError(f"--no-tint: has no effect on --overlay {self.overlay}")

    def has_legend(self, world: World) -> bool:
        """True if pictures have a legend. Raises UsageError: an overlay that the world does not have."""
        return self.overlay is not None and not find_overlay(world, self.overlay).lines

    def sized_picture(self, world: World) -> PictureSettings:
        """The settings of pictures of a world, which have, with their legend, the size of the recording.

        Raises: UsageError: the size has no room for the legend.
        """
        settings = self.picture_settings
        if self.size is None or not self.has_legend(world):
            return settings
        if self.size[0] < LEAST_WIDTH or self.size[1] <= HEIGHT:
            least = f"{LEAST_WIDTH}x{HEIGHT + 1}"
            given = f"{self.size[0]}x{self.size[1]}"
            raise UsageError(f"size: {given}; expected at least {least}, because the overlay has a legend")
        return replace(settings, size=(self.size[0], self.size[1] - HEIGHT))

    def _check_files(self) -> None:
        """Raise UsageError for an unknown ending, a file that cannot be written, or one twice or inside another."""
        for paths, endings in ((self.outputs, ENDINGS), (self.stats, timeseries.ENDINGS)):
            for path in paths:
                if path.suffix.lower() not in endings:
                    hint = did_you_mean(path.suffix, endings)
                    wrong = f"unknown ending {path.suffix!r}" if path.suffix else "its name has no ending"
                    raise UsageError(f"{path}: {wrong}{hint}")
                snapshots.check_place(path)
        paths = [*self.outputs, *self.stats]
        files = [path.resolve() for path in paths]
        for path, file in zip(paths, files, strict=True):
            if files.count(file) > 1:
                raise UsageError(f"{path}: is named twice as an output")
            around = next((other for other, place in zip(paths, files, strict=True) if place in file.parents), None)
            if around is not None:  # a store, which is replaced with all in it
                raise UsageError(f"{path}: lies inside of {str(around)!r}, another output; expected a file beside it")

    def check_for(self, world: World) -> bool:
        """Raise UsageError for settings that do not suit a world: its overlays, or the cells that are drawn.

        Returns: whether the overlay draws moves; then the simulation needs ``trace=True``.
        """
        self.sized_picture(world)
        Crop.of(self.crop, (world.width, world.height))
        self._check_tint(world)
        if self.overlay is None:
            return False
        overlay = find_overlay(world, self.overlay)
        if not self.pictures:
            raise UsageError("--overlay: has no effect without a picture or film in --out")
        if overlay.lines and self.overlay_max is not None:
            raise UsageError(f"--overlay-max: has no effect on the lines of --overlay {self.overlay}")
        return overlay.traces

    @property
    def states(self) -> list[Path]:
        """The outputs that are snapshots or stores."""
        return [path for path in self.outputs if path.suffix.lower() in snapshots.ENDINGS]

    @property
    def pictures(self) -> bool:
        """True if any output is a picture or a film."""
        return any(path.suffix.lower() in (".png", *FILM_ENDINGS) for path in self.outputs)


@dataclass(slots=True)
class RunResult:
    """The result of a run.

    Args:
        blank: a world with the laws of the simulation; its arrays are all 0.
        before, after: the balance before the first and after the last tick.
        digest: the digest of the last state.
        ticks: the number of ticks that ran.
        seconds: the time of the run, including drawing.
        activity: units of mass, or of a mixture, that moved in the last tick; None: the world has neither.
        settled: whether no later tick can change anything.
        interrupted: whether a signal, such as that of Ctrl-C, ended the run. All outputs are complete even then.
        outputs: the files written.
        until_settled: whether the run was asked to stop as soon as the world settled.
    """

    blank: World
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


def record(simulation: Recordable, recording: Recording, progress: Progress | None = None) -> RunResult:
    """Run a world and write the outputs. The whole state is read back only for a snapshot.

    Args:
        simulation: the simulation to run.
        recording: the settings.
        progress: called about every 0.1 seconds; None: no reports.
    Raises: UsageError: invalid settings, before the first tick. OutputError: a file could not be written; no part of it
        is left. The run ended then, and all other outputs were completed.
    """
    recording.check()
    if not recording.until_settled:  # which ends at any tick
        check_step(recording.ticks, simulation.tick)
    before = balance_of(simulation)
    start = time.perf_counter()
    with ExitStack() as stack:
        stop = stack.enter_context(stopped_by_signal())
        recorded = _RecordedRun(simulation, recording, stack)
        recorded.series.note(before.held)
        recorded.run(progress, stop)
        after = balance_of(simulation)
        for path in recording.outputs:  # before the films end, so that these files are written even if a film fails
            if path.suffix.lower() == ".png":
                with recorded.errors_noted():
                    save_picture(recorded.frame(), path)
        recorded.save_states()
        recorded.series.note(after.held)  # the last tick, if the run ended between two rows
        for path in recording.stats:
            with recorded.errors_noted():
                recorded.series.save(path)
        recorded.end_films()
    if recorded.failure is not None:
        raise recorded.failure
    seconds = time.perf_counter() - start
    return RunResult(
        blank=simulation.blank,
        before=before,
        after=after,
        digest=simulation.digest(),
        ticks=after.held.tick - before.held.tick,
        seconds=seconds,
        activity=simulation.activity() if simulation.blank.has_amounts else None,
        settled=simulation.settled,
        interrupted=stop.is_set(),
        outputs=[*recording.outputs, *recording.stats],
        until_settled=recording.until_settled,
    )


class _RecordedRun:
    """Runs ticks, and adds a frame to each film and a row to the statistics at their ticks.

    A film begins with the first state.

    Args:
        simulation: the simulation to run.
        recording: the settings.
        stack: deletes films that were not completed when it is closed.
    """

    def __init__(self, simulation: Recordable, recording: Recording, stack: ExitStack) -> None:
        self._simulation = simulation
        self._recording = recording
        self._last = simulation.tick + recording.ticks
        self._settings = recording.sized_picture(simulation.blank)
        self._legend: np.ndarray | None = None
        self._films: list[tuple[Film, ExitStack]] = []  # each with what deletes it unless it is completed
        self.series = timeseries.TimeSeries(simulation.blank, recording.title)
        self.failure: OutputError | None = None  # the first error of an output; it ends the run, others are written
        self._savers = [stack.enter_context(snapshots.writing(path)) for path in recording.states]
        if recording.overlay is not None:
            overlay_span(simulation.blank, recording.overlay, recording.overlay_max)
        if recording.pictures:
            simulation.check_picture(self._settings)
        if recording.overlay is not None:
            simulation.check_overlay(recording.overlay)
        film_paths = [path for path in recording.outputs if path.suffix.lower() in FILM_ENDINGS]
        if film_paths:
            first = self.frame()
            height, width, _ = first.shape
            for path in film_paths:
                opened = stack.enter_context(ExitStack())
                film = opened.enter_context(
                    Film(path, width, height, recording.rate, fixed=self._settings.keeps_pixels)
                )
                self._films.append((film, opened))
            self._add_to_films(first)

    def run(self, progress: Progress | None, stop: Event) -> None:
        """Run until all ticks are done, the event is set, an output fails, or the world settles if that is wanted."""
        done = 0
        most = 1  # ticks until the next report of progress
        recorders = [(self._recording.every, self._add_frame)] if self._films else []
        if self._recording.stats:
            recorders.append((self._recording.stats_every or STATS_EVERY, self._add_row))
        if self._recording.snapshot_every is not None:
            recorders.append((self._recording.snapshot_every, self._save_between))
        while done < self._recording.ticks and not stop.is_set() and self.failure is None:
            until_due = [every - done % every for every, _ in recorders]
            ticks = min(most, self._recording.ticks - done, *until_due)
            began = time.perf_counter()
            ran = self._step(ticks)
            done += ran
            if progress is not None:
                progress(done)
            for every, add in recorders:
                if ran and (ran < ticks or done % every == 0 or done == self._recording.ticks):
                    add()
            if ran < ticks:
                return
            seconds = time.perf_counter() - began
            most = max(1, min(2 * ticks, int(ticks * _REPORT_SECONDS / max(seconds, 1e-6))))

    def frame(self) -> np.ndarray:
        """The current picture, (height, width, 3) uint8, with a legend if the overlay has colours."""
        settings, world = self._settings, self._simulation.blank
        frame = self._simulation.picture(settings)
        if settings.overlay is None or not self._recording.has_legend(world):
            return frame
        if self._legend is None:
            span = overlay_span(world, settings.overlay, settings.overlay_max)
            self._legend = draw_legend(
                find_overlay(world, settings.overlay), *span, frame.shape[1], self._recording.theme
            )
        return with_legend(frame, self._legend)

    def _step(self, ticks: int) -> int:
        """Run at most ``ticks`` ticks and wait for them; fewer if the world settles. Returns the number that ran."""
        if not self._recording.until_settled:
            self._simulation.step(ticks)
            self._simulation.finish()
            return ticks
        for done in range(ticks):
            if self._simulation.settled:
                return done
            self._simulation.step()
        return ticks

    def _add_frame(self) -> None:
        self._add_to_films(self.frame())

    def _add_to_films(self, frame: np.ndarray) -> None:
        """Add a frame, (height, width, 3) uint8, to all films."""
        for film, opened in self._films.copy():
            with self.errors_noted():
                try:
                    film.add(frame)
                except OutputError as error:  # no part of this film is left, and other films go on
                    self._films.remove((film, opened))
                    opened.__exit__(OutputError, error, None)
                    raise

    def end_films(self) -> None:
        """Complete all films."""
        for _, opened in self._films:
            with self.errors_noted():
                opened.close()

    def _add_row(self) -> None:
        self.series.note(self._simulation.statistics())

    def _save_between(self) -> None:
        """Write snapshots and stores, but not those of the last tick, which `record` writes."""
        if self._simulation.tick < self._last:
            self.save_states()

    def save_states(self) -> None:
        """Write the current state into each snapshot and store, in place of the state before."""
        if self._savers:
            state = StateOfSimulation(self._simulation)
            for save in self._savers:
                with self.errors_noted():
                    save(state)

    @contextmanager
    def errors_noted(self) -> Iterator[None]:
        """Keep the first OutputError for the end of the run, so that other outputs are completed before."""
        try:
            yield
        except OutputError as error:
            self.failure = self.failure or error
