"""The command ``run``: run a scene headless and write films, pictures, snapshots and time series."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from gpufluid.cli import options, terminal
from gpufluid.cli.opening import decide_variants, load, named, path_of
from gpufluid.cli.terminal import preparation_remarked, progress_of_ticks, remark
from gpufluid.core.errors import UsageError

if TYPE_CHECKING:
    from gpufluid.io.loading import WorldName
    from gpufluid.run.recording import Recording
    from gpufluid.scene import Scene
    from gpufluid.world import World

_UNTIL_SETTLED_TICKS = 1_000_000


def run(
    scene: options.SceneName,
    ticks: options.Ticks = None,
    seed: options.Seed = None,
    out: options.Out = None,
    settings: options.Set = None,
    scale: options.Scale = "1",
    overlay: options.Overlay = None,
    overlay_max: options.OverlayMax = None,
    no_tint: options.NoTint = False,
    theme: options.Theme = "day",
    background: options.Background = None,
    size: options.PictureSize = None,
    crop: options.Crop = None,
    every: options.EveryOfRun = None,
    fps: options.Fps = 50,
    until_settled: options.UntilSettled = False,
    stats: options.Stats = None,
    stats_every: options.StatsEvery = None,
    snapshot_every: options.SnapshotEvery = None,
    variant: options.Variants = None,
    awake: options.Awake = False,
    device: options.Device = None,  # noqa: ARG001  its callback uses it
    watch: options.Watch = False,
    ranks: options.Ranks = None,
    count: options.Count = None,
    vary: options.Vary = None,
    fields: options.Fields = None,
    as_json: options.AsJson = False,
) -> None:
    """Run a scene and write a film, a picture, a snapshot, a store or statistics, or print only its digest.

    With --count run many worlds of it at once and write a data set.
    """
    from gpufluid.cli import sharing
    from gpufluid.run.recording import Recording

    many = count is not None or bool(vary)
    if fields is not None and not many:
        raise UsageError("--fields: has no effect without --count; a snapshot has all fields")
    sharing.check_options(watch=watch)
    grid = sharing.checked_grid(ranks)
    if not many and sharing.follows():
        return
    recording = Recording(
        ticks=ticks if ticks is not None else _UNTIL_SETTLED_TICKS,
        outputs=[path.expanduser() for path in out or []],
        every=1 if every is None else every,
        rate=fps,
        scale=scale,
        overlay=overlay,
        overlay_max=overlay_max,
        tint=not no_tint,
        theme=theme,
        background=background,
        size=options.picture_size(size),
        crop=options.crop_cells(crop),
        until_settled=until_settled,
        stats=[path.expanduser() for path in stats or []],
        stats_every=stats_every,
        snapshot_every=snapshot_every,
    )
    if many:
        from gpufluid.cli.data_set import data_set_of, run_data_set

        if watch:
            raise UsageError("--watch: has no effect with --count")
        if grid is not None:
            raise UsageError("--ranks: has no effect with --count, whose worlds are not divided")
        data_set = data_set_of(recording, count, vary, every, fields)
        how = {"ticks": ticks, "awake": awake, "as_json": as_json}
        with sharing.side_by_side() as processes:
            written = run_data_set(scene, data_set, seed, settings, variant, **how, ranks=processes)
        if not written:
            raise typer.Exit(1)
        return

    def run_once(check: Callable[[], None] | None = None) -> None:
        loaded = load(scene, seed, settings, cells=not sharing.leads())
        own = loaded.ticks if ticks is None and not until_settled else recording.ticks
        _run(
            loaded,
            loaded.world if loaded.world.has_cells else named(scene, seed, settings),
            replace(recording, ticks=own, title=loaded.title),
            variant,
            awake=awake,
            as_json=as_json,
            check=check,
        )

    if not watch:
        with sharing.leading(grid):
            run_once()
        return
    from gpufluid.cli.watching import run_at_each_save

    recording.check()
    run_at_each_save(path_of(scene), run_once)


def _run(
    loaded: Scene,
    world: World | WorldName,
    recording: Recording,
    wanted: list[str] | None,
    *,
    awake: bool,
    as_json: bool,
    check: Callable[[], None] | None,
) -> None:
    """Run the world of a scene once and print the result; ``check`` is called repeatedly during the run."""
    from gpufluid.cli.sharing import simulated
    from gpufluid.gpu.device import shared_device
    from gpufluid.run import reporting
    from gpufluid.run.recording import record

    recording.check()
    trace = recording.check_for(loaded.world)
    variants = decide_variants(loaded, wanted)
    with (
        preparation_remarked(shared_device()),
        simulated(world, trace, variants, sleeping=not awake) as simulation,
        _progress(recording.ticks, check) as progress,
    ):
        result = record(simulation, recording, progress)
        renderer = simulation.renderer
    answer = reporting.answer(loaded.title, result, renderer, variants)
    terminal.answer(answer, reporting.text(answer), as_json=as_json)
    if not result.outputs and sys.stderr.isatty():
        remark("no file was written; --out pond.mp4 writes a film, --out pond.png the last picture")
    if result.interrupted:
        kept = "; the output files hold the run up to there" if result.outputs else ""
        remark(f"interrupted at tick {result.after.held.tick}{kept}")
        raise typer.Exit(1)


@contextmanager
def _progress(ticks: int, check: Callable[[], None] | None) -> Iterator[Callable[[int], None] | None]:
    """Yield a function that calls ``check`` and then shows the ticks done; None if it would do neither."""
    with progress_of_ticks(ticks) as show:
        if check is None:
            yield show
            return

        def report(done: int) -> None:
            check()
            if show is not None:
                show(done)

        yield report
