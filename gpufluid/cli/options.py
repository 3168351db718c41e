"""The words of the command line: what each option takes and says of itself, and what its text means."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from gpufluid.core.errors import UsageError

SceneName = Annotated[str, typer.Argument(metavar="SCENE", help="A scene's name, a .toml file, or a .npz snapshot.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Of everything random, instead of the scene's own.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="RULE.PARAMETER=VALUE", help="Set a parameter; `gpufluid info` lists them."),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant", metavar="NAME", help="Run a rule by this variant; `gpufluid info` lists them. Repeatable."
    ),
]
Awake = Annotated[bool, typer.Option("--awake", help="No tile sleeps: slower, and the same digest.")]
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
Stats = Annotated[
    list[Path] | None,
    typer.Option(
        "--stats", metavar="FILE", help="Keep what is in the world over the ticks: .csv, .png (a plot). Repeatable."
    ),
]
StatsEvery = Annotated[
    int | None, typer.Option("--stats-every", metavar="N", help="Ticks between two rows of it; else 10.")
]
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
    list[str] | None,
    typer.Option("--variant", metavar="NAME", help="Measure by this variant of a rule; `auto`: as here. Repeatable."),
]
BenchTicks = Annotated[int | None, typer.Option("--ticks", min=1, help="Of a run, instead of what takes long enough.")]
BenchRuns = Annotated[int, typer.Option("--runs", min=1, help="The median of so many is reported.")]
BenchJson = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Keep all figures, as JSON.")]
BenchPlot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw speed against size, as .png.")]
BenchCompare = Annotated[
    Path | None, typer.Option("--compare", metavar="OLD.json", help="Faster or slower than then, row by row.")
]
UntilSettled = Annotated[bool, typer.Option("--until-settled", help="Stop when nothing can move any more.")]


def window_size(text: str) -> tuple[int, int]:
    """``1280x800`` as width and height. Raises UsageError."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and 64 <= int(part) <= 16384 for part in parts):
        raise UsageError(f"--size: {text[:40]!r}; expected width and height in points, such as 1280x800")
    return int(parts[0]), int(parts[1])


def settings_of(words: list[str]) -> dict[str, dict[str, object]]:
    """``flow.max_compress=0.05`` as nested tables; a value is TOML, or else a word. Raises UsageError."""
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
