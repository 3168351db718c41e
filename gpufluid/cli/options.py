"""Options of the command line: their types and help texts, and the parsing of their values."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from gpufluid.core.errors import UsageError

SceneName = Annotated[
    str, typer.Argument(metavar="SCENE", help="The name of a scene, a .toml file, or a .npz snapshot.")
]
Seed = Annotated[int | None, typer.Option("--seed", help="The seed of all randomness, instead of the scene's own.")]
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
Awake = Annotated[bool, typer.Option("--awake", help="Let no tile sleep: slower, with the same digest.")]
WindowSize = Annotated[str, typer.Option("--size", metavar="WIDTHxHEIGHT", help="The size of the window.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Ticks = Annotated[
    int | None,
    typer.Option(
        "--ticks", help="The number of ticks; by default that of the scene, or a million with --until-settled."
    ),
]
Out = Annotated[
    list[Path] | None,
    typer.Option(
        "--out", metavar="FILE", help="Write .png or .npz (the last tick), or .mp4 or .gif (a film). Repeatable."
    ),
]
Scale = Annotated[str, typer.Option("--scale", help="Pixels a cell: 1, 2, 3, ... or 1/2, 1/3, ...")]
Overlay = Annotated[
    str | None,
    typer.Option("--overlay", help="Draw a quantity in false colour, or moves as lines; `gpufluid info` lists them."),
]
OverlayMax = Annotated[float | None, typer.Option("--overlay-max", help="The highest value of the overlay.")]
NoTint = Annotated[bool, typer.Option("--no-tint", help="Do not tint warm matter red and cold matter blue.")]
Every = Annotated[int, typer.Option("--every", help="Ticks between two frames of a film.")]
Fps = Annotated[float, typer.Option("--fps", help="Frames a second of a film.")]
Stats = Annotated[
    list[Path] | None,
    typer.Option(
        "--stats", metavar="FILE", help="Write a time series of the world: .csv, or .png (a plot). Repeatable."
    ),
]
StatsEvery = Annotated[
    int | None,
    typer.Option("--stats-every", metavar="N", help="Ticks between two rows of the time series; 10 by default."),
]
BenchSizes = Annotated[
    list[int] | None, typer.Option("--size", metavar="N", help="Measure worlds of N by N cells. Repeatable.")
]
BenchScenes = Annotated[list[str] | None, typer.Option("--scene", metavar="SCENE", help="Measure a scene. Repeatable.")]
BenchRules = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME", help="Measure only this rule, or a sum such as flow+atoms. Repeatable."),
]
BenchWorkloads = Annotated[
    list[str] | None,
    typer.Option(
        "--workload", metavar="NAME", help="Measure only dense, typical, settled, sparse or empty worlds. Repeatable."
    ),
]
BenchVariants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="NAME",
        help="Measure this variant of a rule; `auto`: the one chosen on this machine. Repeatable.",
    ),
]
BenchTicks = Annotated[
    int | None, typer.Option("--ticks", min=1, help="Ticks a run; by default as many as a steady figure needs.")
]
BenchRuns = Annotated[int, typer.Option("--runs", min=1, help="Runs a row; the median is reported.")]
BenchJson = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write all figures as JSON.")]
BenchPlot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Write a plot of speed against size, as .png.")
]
BenchCompare = Annotated[
    Path | None, typer.Option("--compare", metavar="OLD.json", help="Compare with an earlier --json, row by row.")
]
UntilSettled = Annotated[bool, typer.Option("--until-settled", help="Stop when nothing can move any more.")]


def window_size(text: str) -> tuple[int, int]:
    """``1280x800`` as (width, height). Raises UsageError: another form, or a side outside 64 to 16384."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and 64 <= int(part) <= 16384 for part in parts):
        raise UsageError(f"--size: {text[:40]!r}; expected width and height in points, such as 1280x800")
    return int(parts[0]), int(parts[1])


def settings_of(words: list[str]) -> dict[str, dict[str, object]]:
    """Parse settings such as ``flow.max_compress=0.05`` into parameters by rule and name.

    A value is parsed as TOML; a value that is no TOML is taken as a string.

    Raises: UsageError: a word of another form, or more than one value.
    """
    parameters: dict[str, dict[str, object]] = {}
    for word in words:
        name, equals, text = word.partition("=")
        rule, dot, parameter = name.strip().partition(".")
        if not (equals and dot and rule and parameter):
            raise UsageError(f"--set {word}: expected RULE.PARAMETER=VALUE, such as flow.max_compress=0.05")
        try:
            tables = tomllib.loads(f"value = {text}")
        except (ValueError, RecursionError):  # not TOML: a string without quotes
            tables = {"value": text.strip()}
        if set(tables) != {"value"}:
            raise UsageError(f"--set {word!r}: expected one value, such as flow.max_compress=0.05")
        value = tables["value"]
        parameters.setdefault(rule, {})[parameter] = value
    return parameters
