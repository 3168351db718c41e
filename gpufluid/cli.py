"""The command line: words to calls, and answers to words. Nothing else."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gpufluid import options, terminal
from gpufluid.errors import GpufluidError
from gpufluid.terminal import progress_of_ticks, remark

if TYPE_CHECKING:
    from gpufluid.recording import Recording
    from gpufluid.scene import Scene

app = typer.Typer(
    name="gpufluid",
    help="Fluids and falling matter as cellular automata in GPU compute shaders, exact to the last unit.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_UNTIL_SETTLED_TICKS = 1_000_000
MANY_CELLS = 1 << 24
"""A world of more takes so long to build that a sign of life is due."""

_BY_CTRL_C = 130
"""What typer makes of Ctrl-C, wherever a command does not see to it itself."""


def _show_version(wanted: bool) -> None:
    if wanted:
        from gpufluid import __version__

        print(f"gpufluid {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error; anywhere.")] = False,
) -> None:
    pass


@app.command()
def view(
    scene: options.SceneName = "waterfall",
    seed: options.Seed = None,
    settings: options.Set = None,
    size: options.WindowSize = "1280x800",
    variant: options.Variants = None,
) -> None:
    """Open a window: watch a scene, paint into it, stop it, look closer. F1 shows the keys."""
    width, height = options.window_size(size)
    loaded = _load(scene, seed, settings, headless=False)
    from gpufluid.gpu.variants import asked
    from gpufluid.tuning import decide
    from gpufluid.viewer.viewer import Viewer
    from gpufluid.viewer.window import show

    rules, wanted = loaded.world.rules, asked(loaded.world.rules, variant)  # before there is a window
    show(
        lambda device: Viewer(loaded.world, device, scene, variant=decide(rules, wanted, device, remark)),
        (width, height),
    )


@app.command()
def run(
    scene: options.SceneName,
    ticks: options.Ticks = None,
    seed: options.Seed = None,
    out: options.Out = None,
    settings: options.Set = None,
    scale: options.Scale = "1",
    overlay: options.Overlay = None,
    overlay_max: options.OverlayMax = None,
    every: options.Every = 1,
    fps: options.Fps = 50,
    until_settled: options.UntilSettled = False,
    stats: options.Stats = None,
    stats_every: options.StatsEvery = None,
    variant: options.Variants = None,
    awake: options.Awake = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a scene and keep a film, a picture, an array, its statistics or just its digest."""
    from gpufluid.recording import Recording

    loaded = _load(scene, seed, settings)
    recording = Recording(
        ticks=ticks if ticks is not None else _UNTIL_SETTLED_TICKS if until_settled else loaded.ticks,
        outputs=[path.expanduser() for path in out or []],
        every=every,
        rate=fps,
        scale=scale,
        overlay=overlay,
        overlay_max=overlay_max,
        until_settled=until_settled,
        stats=[path.expanduser() for path in stats or []],
        stats_every=stats_every,
        title=loaded.title,
    )
    _run(loaded, recording, variant, awake=awake, as_json=as_json)


def _run(loaded: Scene, recording: Recording, wanted: list[str] | None, *, awake: bool, as_json: bool) -> None:
    from gpufluid import reporting
    from gpufluid.recording import record
    from gpufluid.simulation import Simulation

    recording.check()
    trace = recording.check_overlay(loaded.world)
    variants = _decide(loaded, wanted)
    with (
        Simulation(loaded.world, trace=trace, variant=variants, sleeping=not awake) as simulation,
        progress_of_ticks(recording.ticks) as progress,
    ):
        outcome = record(simulation, recording, progress)
        renderer = simulation.renderer
    answer = reporting.answer(loaded.title, outcome, renderer, variants)
    terminal.answer(answer, reporting.text(answer), as_json=as_json)
    if outcome.interrupted:
        kept = "; what was asked for is written up to there" if outcome.outputs else ""
        remark(f"interrupted at tick {outcome.world.tick}{kept}")
        raise typer.Exit(1)


@app.command()
def check(
    scene: options.SceneName,
    ticks: Annotated[int, typer.Option("--ticks", help="How many to compare.", min=0)] = 200,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.Variants = None,
    awake: options.Awake = False,
    as_json: options.AsJson = False,
) -> None:
    """Hold the GPU against the oracle, bit for bit; exit 1 where they differ."""
    from gpufluid import checking

    loaded = _load(scene, seed, settings)
    variants = _decide(loaded, variant)
    with progress_of_ticks(ticks) as progress:
        difference = checking.check(loaded.world, ticks, progress, variants, sleeping=not awake)
    verdict = "equal" if difference is None else "different"
    answer = {"scene": loaded.title, "ticks": ticks, "verdict": verdict, "difference": str(difference or "") or None}
    answer["variants"] = variants
    text = f"{loaded.title}: GPU and oracle are equal, bit for bit, for {ticks} ticks"
    terminal.answer(answer, text if difference is None else f"{loaded.title}: {difference}", as_json=as_json)
    if difference is not None:
        raise typer.Exit(1)


@app.command()
def bench(
    size: options.BenchSizes = None,
    scene: options.BenchScenes = None,
    rule: options.BenchRules = None,
    workload: options.BenchWorkloads = None,
    variant: options.BenchVariants = None,
    ticks: options.BenchTicks = None,
    runs: options.BenchRuns = 5,
    json: options.BenchJson = None,
    plot: options.BenchPlot = None,
    compare: options.BenchCompare = None,
) -> None:
    """Measure what this machine does with worlds of every rule; without words, small ones, in about two minutes."""
    from gpufluid.benchmark import command
    from gpufluid.benchmark.planning import Asked
    from gpufluid.benchmark.timing import Effort

    files = command.Files(*(path and path.expanduser() for path in (json, plot, compare)))
    asked = Asked(size or (), scene or (), rule or (), workload or (), variant or ())
    if not command.bench(asked, Effort(runs=runs, ticks=ticks), files):
        raise typer.Exit(1)


@app.command()
def info(as_json: options.AsJson = False) -> None:
    """Say what there is here: renderer, versions, limits, what will and will not run."""
    from gpufluid.environment import describe, table

    answer = describe()
    terminal.answer(answer, table(answer), as_json=as_json)
    if not answer["runs"]:
        raise typer.Exit(1)


@app.command()
def scenes(as_json: options.AsJson = False) -> None:
    """List the scenes that come with gpufluid."""
    from gpufluid.scene import headings

    answer = headings()
    width = max(len(heading["name"]) for heading in answer)
    terminal.answer(answer, "\n".join(f"{h['name']:{width}}  {h['about']}" for h in answer), as_json=as_json)


def main() -> None:
    """Run the command line; an error that a user can act on is one message, with an exit code of its own."""
    debug = "--debug" in sys.argv
    sys.argv = [sys.argv[0], *(word for word in sys.argv[1:] if word != "--debug")]
    try:
        app()
    except GpufluidError as error:
        if debug:
            raise
        remark(str(error))
        sys.exit(error.exit_code)
    except SystemExit as leaving:
        if leaving.code != _BY_CTRL_C:
            raise
        remark("interrupted")
        sys.exit(1)
    except MemoryError:
        if debug:
            raise
        remark("there is not enough memory for this")
        sys.exit(1)
    except BrokenPipeError:  # the reader of our answer has gone, as `head` does: nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _load(name: str, seed: int | None, settings: list[str] | None, *, headless: bool = True) -> Scene:
    """Read a scene. With a window no headless device is made: two OpenGLs in one thread get in each other's way."""
    from gpufluid.gpu.device import shared_device
    from gpufluid.loading import load_scene
    from gpufluid.world import SIZE_LIMIT

    parameters = options.settings_of(settings or [])
    max_side = shared_device().max_side if headless else SIZE_LIMIT
    loaded = load_scene(name, seed, parameters, max_side, _tell_if_large)
    for said in loaded.remarks:
        remark(said)
    return loaded


def _decide(loaded: Scene, wanted: list[str] | None) -> dict[str, str]:
    """The variants by which the scene's rules run, by rule; measured first if that was never done here."""
    from gpufluid.gpu.device import shared_device
    from gpufluid.tuning import decide

    return decide(loaded.world.rules, wanted, shared_device(), remark)


def _tell_if_large(width: int, height: int) -> None:
    if width * height > MANY_CELLS:
        remark(f"building {width}x{height} cells ...")
