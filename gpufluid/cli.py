"""The command line: words to calls, and answers to words. Nothing else."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpufluid import terminal
from gpufluid.errors import GpufluidError, UsageError
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

SceneName = Annotated[str, typer.Argument(metavar="SCENE", help="A scene's name, a .toml file, or a .npz snapshot.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Of everything random, instead of the scene's own.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="RULE.PARAMETER=VALUE", help="Set a parameter; `gpufluid info` lists them."),
]
WindowSize = Annotated[str, typer.Option("--size", metavar="WIDTHxHEIGHT", help="Of the window.")]
AsJson = Annotated[bool, typer.Option("--json", help="Answer with JSON.")]
Ticks = Annotated[int | None, typer.Option("--ticks", help="How many; else what the scene says, or a million.")]
Out = Annotated[
    list[Path] | None,
    typer.Option("--out", metavar="FILE", help="Keep .png, .npz (the end), .mp4, .gif (a film). Repeatable."),
]
Scale = Annotated[str, typer.Option("--scale", help="Pixels a cell: 1, 2, 3, ... or 1/2, 1/3, ...")]
Overlay = Annotated[
    str | None, typer.Option("--overlay", help="Draw a quantity in false colour, or moves as lines: see info.")
]
OverlayMax = Annotated[float | None, typer.Option("--overlay-max", help="Its highest value.")]
Every = Annotated[int, typer.Option("--every", help="Ticks between two frames of a film.")]
Fps = Annotated[float, typer.Option("--fps", help="Frames a second of a film.")]
BenchSizes = Annotated[list[int] | None, typer.Option("--size", metavar="N", help="Worlds of N by N. Repeatable.")]
BenchScenes = Annotated[list[str] | None, typer.Option("--scene", metavar="SCENE", help="Measure a scene. Repeatable.")]
BenchRules = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME", help="Only this rule, or several: flow+atoms. Repeatable."),
]
BenchWorkloads = Annotated[
    list[str] | None,
    typer.Option("--workload", metavar="NAME", help="Only dense, typical, settled, sparse, empty worlds. Repeatable."),
]
BenchVariants = Annotated[
    list[str] | None, typer.Option("--variant", metavar="NAME", help="Run by this kernel variant. Repeatable.")
]
BenchTicks = Annotated[int | None, typer.Option("--ticks", min=1, help="Of a run, instead of what takes long enough.")]
BenchRuns = Annotated[int, typer.Option("--runs", min=1, help="The median of so many is reported.")]
BenchJson = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Keep all figures, as JSON.")]
BenchPlot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw speed against size, as .png.")]
BenchCompare = Annotated[
    Path | None, typer.Option("--compare", metavar="OLD.json", help="Faster or slower than then, row by row.")
]
UntilSettled = Annotated[bool, typer.Option("--until-settled", help="Stop when nothing can move any more.")]


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
    scene: SceneName = "waterfall",
    seed: Seed = None,
    settings: Set = None,
    size: WindowSize = "1280x800",
) -> None:
    """Open a window: watch a scene, paint into it, stop it, look closer. F1 shows the keys."""
    width, height = _window_size(size)
    loaded = _load(scene, seed, settings, headless=False)
    from gpufluid.viewer.viewer import Viewer
    from gpufluid.viewer.window import show

    show(lambda device: Viewer(loaded.world, device, scene), (width, height))


def _window_size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and 64 <= int(part) <= 16384 for part in parts):
        raise UsageError(f"--size: {text[:40]!r}; expected width and height in points, such as 1280x800")
    return int(parts[0]), int(parts[1])


@app.command()
def run(
    scene: SceneName,
    ticks: Ticks = None,
    seed: Seed = None,
    out: Out = None,
    settings: Set = None,
    scale: Scale = "1",
    overlay: Overlay = None,
    overlay_max: OverlayMax = None,
    every: Every = 1,
    fps: Fps = 50,
    until_settled: UntilSettled = False,
    as_json: AsJson = False,
) -> None:
    """Run a scene and keep a film, a picture, an array or just its digest."""
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
    )
    _run(loaded, recording, as_json=as_json)


def _run(loaded: Scene, recording: Recording, *, as_json: bool) -> None:
    from gpufluid import reporting
    from gpufluid.recording import record
    from gpufluid.simulation import Simulation

    recording.check()
    trace = recording.check_overlay(loaded.world)
    with Simulation(loaded.world, trace=trace) as simulation, progress_of_ticks(recording.ticks) as progress:
        outcome = record(simulation, recording, progress)
        renderer = simulation.renderer
    answer = reporting.answer(loaded.title, outcome, renderer)
    terminal.answer(answer, reporting.text(answer), as_json=as_json)
    if outcome.interrupted:
        kept = "; what was asked for is written up to there" if outcome.outputs else ""
        remark(f"interrupted at tick {outcome.world.tick}{kept}")
        raise typer.Exit(1)


@app.command()
def check(
    scene: SceneName,
    ticks: Annotated[int, typer.Option("--ticks", help="How many to compare.", min=0)] = 200,
    seed: Seed = None,
    settings: Set = None,
    as_json: AsJson = False,
) -> None:
    """Hold the GPU against the oracle, bit for bit; exit 1 where they differ."""
    from gpufluid import checking

    loaded = _load(scene, seed, settings)
    with progress_of_ticks(ticks) as progress:
        difference = checking.check(loaded.world, ticks, progress)
    verdict = "equal" if difference is None else "different"
    answer = {"scene": loaded.title, "ticks": ticks, "verdict": verdict, "difference": str(difference or "") or None}
    text = f"{loaded.title}: GPU and oracle are equal, bit for bit, for {ticks} ticks"
    terminal.answer(answer, text if difference is None else f"{loaded.title}: {difference}", as_json=as_json)
    if difference is not None:
        raise typer.Exit(1)


@app.command()
def bench(
    size: BenchSizes = None,
    scene: BenchScenes = None,
    rule: BenchRules = None,
    workload: BenchWorkloads = None,
    variant: BenchVariants = None,
    ticks: BenchTicks = None,
    runs: BenchRuns = 5,
    json: BenchJson = None,
    plot: BenchPlot = None,
    compare: BenchCompare = None,
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
def info(as_json: AsJson = False) -> None:
    """Say what there is here: renderer, versions, limits, what will and will not run."""
    from gpufluid.environment import describe, table

    answer = describe()
    terminal.answer(answer, table(answer), as_json=as_json)
    if not answer["runs"]:
        raise typer.Exit(1)


@app.command()
def scenes(as_json: AsJson = False) -> None:
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

    parameters = _settings(settings or [])
    max_side = shared_device().max_side if headless else SIZE_LIMIT
    loaded = load_scene(name, seed, parameters, max_side, _tell_if_large)
    for said in loaded.remarks:
        remark(said)
    return loaded


def _tell_if_large(width: int, height: int) -> None:
    if width * height > MANY_CELLS:
        remark(f"building {width}x{height} cells ...")


def _settings(words: list[str]) -> dict[str, dict[str, object]]:
    """``flow.max_compress=0.05`` as nested tables; a value is TOML, or else a word."""
    parameters: dict[str, dict[str, object]] = {}
    for word in words:
        name, equals, text = word.partition("=")
        rule, dot, parameter = name.strip().partition(".")
        if not (equals and dot and rule and parameter):
            raise UsageError(f"--set {word}: expected RULE.PARAMETER=VALUE, such as flow.max_compress=0.05")
        try:
            tables = tomllib.loads(f"value = {text}")
        except (ValueError, RecursionError):  # not TOML: a bare word
            tables = {"value": text.strip()}
        if set(tables) != {"value"}:
            raise UsageError(f"--set {word!r}: expected one value, such as flow.max_compress=0.05")
        value = tables["value"]
        parameters.setdefault(rule, {})[parameter] = value
    return parameters
