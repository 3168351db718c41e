"""``gpufluid run --count``: run many worlds of a scene and write a data set."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import fields
from typing import TYPE_CHECKING

from gpufluid.cli import terminal
from gpufluid.cli.opening import decide_variants, load_with
from gpufluid.cli.options import settings_of
from gpufluid.cli.terminal import preparation_remarked, progress_of_ticks, remark
from gpufluid.core.errors import UsageError, shown

if TYPE_CHECKING:
    from gpufluid.run.data_set import DataSet, DataSetResult, Ranks, Variation
    from gpufluid.run.recording import Recording
    from gpufluid.scene import Scene

_OPTIONS = {"rate": "fps", "tint": "no-tint"}
"""The options of settings with another name."""

_LARGEST = 1e15
"""Numbers from here on are no values of a parameter; those below are exact."""

_USED = ("ticks", "outputs", "every")
"""The settings of a recorded run that a data set has, too."""


def data_set_of(recording: Recording, count: int | None, vary: list[str] | None, every: int | None) -> DataSet:
    """The data set that the options of ``gpufluid run`` describe.

    Args:
        recording: the settings of a run without ``--count``.
        count, vary, every: the values of these options.
    Raises: UsageError: an option without effect on a data set, no file, or more than one.
    """
    from gpufluid.run.data_set import SEED, DataSet, Variation
    from gpufluid.run.recording import Recording

    if count is None:
        raise UsageError("--vary: has no effect without --count, the number of worlds")
    plain = Recording(recording.ticks, scale="1", stats=[])  # what the options give by default
    for name in (each.name for each in fields(Recording) if each.name not in _USED):
        if getattr(recording, name) != getattr(plain, name):
            raise UsageError(f"--{_OPTIONS.get(name, name).replace('_', '-')}: has no effect with --count")
    if len(recording.outputs) != 1:
        raise UsageError(
            f"--count: {len(recording.outputs)} files in --out; expected one, whose name ends in .npz or .zarr"
        )
    variations = [variation_of(word) for word in vary or ()] or [Variation(SEED)]
    return DataSet(recording.outputs[0], count, recording.ticks, every, variations)


def variation_of(word: str) -> Variation:
    """A variation, from ``seed`` or a text such as ``flow.max_compress=0.01:0.05``.

    Raises: UsageError: another form, or values that are no numbers.
    """
    from gpufluid.run.data_set import SEED, Variation

    if word == SEED:
        return Variation(SEED)
    name, _, span = word.partition("=")
    rule, _, parameter = name.strip().partition(".")
    first, colon, last = span.partition(":")
    if not (rule and parameter and colon):
        raise UsageError(
            f"--vary {shown(word)}: expected seed or RULE.PARAMETER=FROM:TO, such as flow.max_compress=0.01:0.05"
        )
    return Variation(f"{rule}.{parameter}", _number(word, first), _number(word, last))


def _number(word: str, text: str) -> float:
    """The value of a text as TOML, an int or a float. Raises UsageError: no finite number."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < _LARGEST:
        raise UsageError(f"--vary {shown(word)}: {shown(text)} is no number; expected FROM:TO, such as 0.01:0.05")
    return value


def run_data_set(
    name: str,
    data_set: DataSet,
    seed: int | None,
    settings: list[str] | None,
    wanted: list[str] | None,
    *,
    ticks: int | None,
    awake: bool,
    as_json: bool,
    ranks: Ranks,
) -> bool:
    """Run the worlds of a data set and print what was written, on rank 0.

    Args:
        name, seed, settings, wanted, awake, as_json: as for ``gpufluid run``.
        data_set: the data set.
        ticks: the value of ``--ticks``; None: those of the scene.
        ranks: the processes that share out the worlds; all of them call this function.
    Returns: whether the data set was written; if not, a signal ended the run.
    """
    from gpufluid.gpu.device import shared_device
    from gpufluid.run.data_set import record_data_set

    given, prints = settings_of(settings or []), ranks.rank == 0

    def load(own: Mapping[str, Mapping[str, object]], own_seed: int | None) -> Scene:
        merged = {rule: {**given.get(rule, {}), **own.get(rule, {})} for rule in {**given, **own}}
        return load_with(name, seed if own_seed is None else own_seed, merged)

    variants = None
    with ranks.agreeing():
        if prints:
            data_set.check()
        scene = load({}, None)
        if prints:
            for said in scene.remarks:
                remark(said)
            variants = decide_variants(scene, wanted)
    variants = ranks.from_first(variants)
    if ticks is None:
        data_set = data_set.running(scene.ticks)
    with (
        preparation_remarked(shared_device()) if prints else nullcontext(),
        progress_of_ticks(data_set.count * data_set.ticks) if prints else nullcontext() as progress,
    ):
        result = record_data_set(load, data_set, variants, sleeping=not awake, progress=progress, ranks=ranks)
    if prints:
        terminal.answer(answer(result), text(result), as_json=as_json)
        if result.interrupted:
            remark(f"interrupted; {data_set.path} was not written")
    return not result.interrupted


def answer(result: DataSetResult) -> dict[str, object]:
    """The report of a data set as plain data."""
    data_set = result.data_set
    return {
        "scene": result.scene.title,
        "worlds": data_set.count,
        "ticks": data_set.ticks,
        "moments": data_set.moments,
        "varied": data_set.spans(result.scene.world.seed),
        "arrays": {name: list(shape) for name, shape in result.shapes.items()},
        "digests": result.digests,
        "interrupted": result.interrupted,
        "outputs": [] if result.interrupted else [str(data_set.path)],
    }


def text(result: DataSetResult) -> str:
    """The report of a data set as text."""
    data_set = result.data_set
    varied = ", ".join(each.name for each in data_set.variations)
    lines = [f"{result.scene.title}: {data_set.count} worlds that differ in {varied}, {data_set.ticks} ticks each"]
    lines += [f"{name:14} {' x '.join(map(str, shape)) or 'text'}" for name, shape in result.shapes.items()]
    return "\n".join(lines + ([] if result.interrupted else [f"wrote          {data_set.path}"]))
