"""The command ``run``: run a scene headless and write films, pictures, snapshots and time series."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from gpufluid.cli import options, terminal
from gpufluid.cli.opening import decide_variants, load
from gpufluid.cli.terminal import preparation_remarked, progress_of_ticks, remark

if TYPE_CHECKING:
    from gpufluid.run.recording import Recording
    from gpufluid.scene import Scene

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
    every: options.Every = 1,
    fps: options.Fps = 50,
    until_settled: options.UntilSettled = False,
    stats: options.Stats = None,
    stats_every: options.StatsEvery = None,
    variant: options.Variants = None,
    awake: options.Awake = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a scene and write a film, a picture, a snapshot or statistics, or print only its digest."""
    from gpufluid.run.recording import Recording

    pixels, cells = options.picture_size(size), options.crop_cells(crop)
    loaded = load(scene, seed, settings)
    recording = Recording(
        ticks=ticks if ticks is not None else _UNTIL_SETTLED_TICKS if until_settled else loaded.ticks,
        outputs=[path.expanduser() for path in out or []],
        every=every,
        rate=fps,
        scale=scale,
        overlay=overlay,
        overlay_max=overlay_max,
        tint=not no_tint,
        theme=theme,
        background=background,
        size=pixels,
        crop=cells,
        until_settled=until_settled,
        stats=[path.expanduser() for path in stats or []],
        stats_every=stats_every,
        title=loaded.title,
    )
    _run(loaded, recording, variant, awake=awake, as_json=as_json)


def _run(loaded: Scene, recording: Recording, wanted: list[str] | None, *, awake: bool, as_json: bool) -> None:
    from gpufluid.gpu.device import shared_device
    from gpufluid.run import reporting
    from gpufluid.run.recording import record
    from gpufluid.runtime.simulation import Simulation

    recording.check()
    trace = recording.check_for(loaded.world)
    variants = decide_variants(loaded, wanted)
    with (
        preparation_remarked(shared_device()),
        Simulation(loaded.world, trace=trace, variant=variants, sleeping=not awake) as simulation,
        progress_of_ticks(recording.ticks) as progress,
    ):
        result = record(simulation, recording, progress)
        renderer = simulation.renderer
    answer = reporting.answer(loaded.title, result, renderer, variants)
    terminal.answer(answer, reporting.text(answer), as_json=as_json)
    if result.interrupted:
        kept = "; the output files hold the run up to there" if result.outputs else ""
        remark(f"interrupted at tick {result.after.held.tick}{kept}")
        raise typer.Exit(1)
