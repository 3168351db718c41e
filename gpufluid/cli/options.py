"""Options of the command line: their types and help texts, and the parsing of their values."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated

import typer

from gpufluid.cli import completing
from gpufluid.cli.importing import import_package
from gpufluid.core.errors import UsageError
from gpufluid.core.launchers import launched

_SIZE = re.compile("([0-9]{1,5})[xX]([0-9]{1,5})")
_GRID = re.compile("([1-9][0-9]{0,5})[xX]([1-9][0-9]{0,5})")
_CROP = re.compile("([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})[xX]([0-9]{1,9})")


def _use_device(number: int | None) -> int | None:
    """Let the command use a device, by its number. Raises UsageError: there is no such device.

    Ranks that share a world check it together, in `cluster.ranks.share_machine`: not all machines may have it.
    """
    import_package()
    from gpufluid.gpu.egl_devices import use

    use(number, checked=launched()[1] == 1)
    return number


SceneName = Annotated[
    str,
    typer.Argument(
        metavar="SCENE",
        help="The name of a scene, a .toml file, a .npz snapshot, or a .zarr store.",
        autocompletion=completing.scenes,
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", help="The seed of all randomness, instead of the scene's own.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="RULE.PARAMETER=VALUE",
        help="Set a parameter; `gpufluid info --all` lists them.",
        autocompletion=completing.parameters,
    ),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="NAME",
        help="Run a rule by this variant; `gpufluid info --all` lists them. Repeatable.",
        autocompletion=completing.variants,
    ),
]
Device = Annotated[
    int | None,
    typer.Option(
        "--device",
        metavar="N",
        min=0,
        callback=_use_device,
        help="Run on the device of this number, instead of that in GPUFLUID_DEVICE or the first; `gpufluid info` lists"
        " them.",
    ),
]
DeviceOfWorld = Annotated[
    int | None,
    typer.Option(
        "--device",
        metavar="N",
        min=0,
        callback=_use_device,
        help="Run the world on the device of this number, or on that in GPUFLUID_DEVICE, and copy its pictures to the"
        " window. By default it runs on the window's own device. `gpufluid info` lists the devices.",
    ),
]
Awake = Annotated[bool, typer.Option("--awake", help="Let no tile sleep: slower, with the same digest.")]
WindowSize = Annotated[str, typer.Option("--size", metavar="WIDTHxHEIGHT", help="The size of the window.")]
Ranks = Annotated[
    str | None,
    typer.Option(
        "--ranks",
        metavar="ROWSxCOLUMNS",
        help="Under mpiexec: the rows and columns of ranks that share a world. By default one column, or as few as"
        " make each part fit into a texture.",
    ),
]
Watch = Annotated[
    bool,
    typer.Option("--watch", help="Run the scene again each time it or a file that it names is saved, until Ctrl-C."),
]
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
        "--out",
        "-o",
        metavar="FILE",
        help="Write .png, .npz or .zarr (the last tick), or .mp4, .webm, .webp or .gif (a film). Repeatable.",
    ),
]
Scale = Annotated[str, typer.Option("--scale", help="Pixels a cell: 1, 2, 3, ... or 1/2, 1/3, ...")]
Overlay = Annotated[
    str | None,
    typer.Option(
        "--overlay",
        help="Draw a quantity in false colour, or moves as lines; `gpufluid info --all` lists them.",
        autocompletion=completing.overlays,
    ),
]
OverlayMax = Annotated[float | None, typer.Option("--overlay-max", help="The highest value of the overlay.")]
NoTint = Annotated[bool, typer.Option("--no-tint", help="Do not tint warm matter red and cold matter blue.")]
Theme = Annotated[
    str, typer.Option("--theme", metavar="day|night", help="By night fire, lava and embers light what is near.")
]
Background = Annotated[
    str | None,
    typer.Option("--background", metavar="#RRGGBB", help="The colour of empty cells, instead of the theme's."),
]
PictureSize = Annotated[
    str | None,
    typer.Option(
        "--size",
        metavar="WIDTHxHEIGHT",
        help="The size of pictures and films in pixels, instead of --scale. The world is drawn as large as it fits:"
        " each cell as a square of whole pixels if that fits exactly, else each pixel averages the light of what it"
        " covers. The rest has the colour beyond the world.",
    ),
]
Crop = Annotated[
    str | None,
    typer.Option("--crop", metavar="X,Y,WIDTHxHEIGHT", help="Draw only these cells; 0,0 is the top left cell."),
]
SnapshotEvery = Annotated[
    int | None,
    typer.Option(
        "--snapshot-every",
        metavar="K",
        help="Write the .npz and .zarr files in --out every K ticks, too: a run that is killed goes on from them.",
    ),
]
Every = Annotated[int, typer.Option("--every", help="Ticks between two frames of a film.")]
EveryOfRun = Annotated[
    int | None,
    typer.Option("--every", help="Ticks between two frames of a film, 1 by default, or two states of a data set."),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count", metavar="N", help="Run so many worlds and write a data set, with --out FILE.npz or FILE.zarr."
    ),
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="NAME[=VALUES]",
        help="What differs between these worlds: seed (by default), gravity, RULE.PARAMETER, MATERIAL.PROPERTY, or a"
        " value of the scene such as 'fill[0].at'. VALUES are FROM:TO in equal steps, FROM:TO:powers by equal factors,"
        " FROM:TO:draw at random, or FROM:TO:N and A,B,C, which are combined with one another. Repeatable.",
        autocompletion=completing.parameters,
    ),
]
Fields = Annotated[
    str | None,
    typer.Option(
        "--fields", metavar="NAME,...", help="The fields that the data set keeps, such as material,temperature."
    ),
]
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
BenchScenes = Annotated[
    list[str] | None,
    typer.Option("--scene", metavar="SCENE", help="Measure a scene. Repeatable.", autocompletion=completing.scenes),
]
BenchRules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME",
        help="Measure only this rule, or a sum such as flow+atoms. Repeatable.",
        autocompletion=completing.rules,
    ),
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
BenchRuns = Annotated[
    int | None,
    typer.Option("--runs", min=1, help="Runs a row; the median is reported. By default 5; 2 to 4 if they take long."),
]
BenchJson = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write all figures as JSON.")]
BenchPlot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Write a plot of speed against size, as .png.")
]
BenchCompare = Annotated[
    Path | None, typer.Option("--compare", metavar="OLD.json", help="Compare with an earlier --json, row by row.")
]
UntilSettled = Annotated[bool, typer.Option("--until-settled", help="Stop when nothing can move any more.")]


def picture_size(text: str | None) -> tuple[int, int] | None:
    """``1280x720`` as (width, height); None as None. Raises UsageError: another form, or a side outside 1 to 16384."""
    return None if text is None else _size(text, 1, "width and height in pixels, such as 1280x720")


def grid_of_ranks(text: str | None) -> tuple[int, int] | None:
    """``2x3`` as (rows, columns) of ranks; None as None. Raises UsageError: another form."""
    if text is None:
        return None
    found = _GRID.fullmatch(text)
    if found is None:
        raise UsageError(f"--ranks: {text[:40]!r}; expected ROWSxCOLUMNS, such as 2x3")
    rows, columns = (int(number) for number in found.groups())
    return rows, columns


def crop_cells(text: str | None) -> tuple[int, int, int, int] | None:
    """``20,0,64x48`` as (x, y, width, height); None as None. Raises UsageError: another form."""
    if text is None:
        return None
    found = _CROP.fullmatch(text)
    if found is None:
        raise UsageError(f"--crop: {text[:40]!r}; expected X,Y,WIDTHxHEIGHT in cells, such as 20,0,64x48")
    x, y, width, height = (int(number) for number in found.groups())
    return x, y, width, height


def window_size(text: str) -> tuple[int, int]:
    """``1280x800`` as (width, height). Raises UsageError: another form, or a side outside 64 to 16384."""
    return _size(text, 64, "width and height in points, such as 1280x800")


def _size(text: str, least: int, expected: str) -> tuple[int, int]:
    """A size as (width, height). Raises UsageError: another form, or a side outside ``least`` to 16384."""
    found = _SIZE.fullmatch(text)
    if found is None or not all(least <= int(side) <= 16384 for side in found.groups()):
        raise UsageError(f"--size: {text[:40]!r}; expected {expected}")
    return int(found[1]), int(found[2])


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
