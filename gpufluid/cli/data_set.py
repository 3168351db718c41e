"""``gpufluid run --count``: run many worlds of a scene and write a data set."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from gpufluid.cli import terminal
from gpufluid.cli.opening import decide_variants, load_with
from gpufluid.cli.options import settings_of
from gpufluid.cli.terminal import preparation_remarked, progress_of_ticks, remark
from gpufluid.core.errors import SceneError, UsageError

if TYPE_CHECKING:
    from gpufluid.run.data_set import DataSet, DataSetResult, Ranks
    from gpufluid.run.recording import Recording
    from gpufluid.run.variations import Own
    from gpufluid.scene import Scene

_OPTIONS = {"rate": "fps", "tint": "no-tint"}
"""The options of settings with another name."""

_USED = ("ticks", "outputs", "every")
"""The settings of a recorded run that a data set has, too."""


def data_set_of(
    recording: Recording, count: int | None, vary: list[str] | None, every: int | None, kept: str | None
) -> DataSet:
    """The data set that the options of ``gpufluid run`` describe.

    Args:
        recording: the settings of a run without ``--count``.
        count, vary, every: the values of these options. Without ``--count`` there is one world for each combination.
        kept: the value of ``--fields``.
    Raises: UsageError: an option without effect on a data set, no file, or more than one.
    """
    from gpufluid.cli.vary import variation_of
    from gpufluid.run.data_set import DataSet
    from gpufluid.run.recording import Recording
    from gpufluid.run.variations import SEED, Variation

    variations = [variation_of(word) for word in vary or ()] or [Variation(SEED)]
    if count is None and not any(each.is_combined for each in variations):
        raise UsageError("--vary: has no effect without --count, the number of worlds")
    plain = Recording(recording.ticks, scale="1", stats=[])  # what the options give by default
    for name in (each.name for each in fields(Recording) if each.name not in _USED):
        if getattr(recording, name) != getattr(plain, name):
            raise UsageError(f"--{_OPTIONS.get(name, name).replace('_', '-')}: has no effect with --count")
    if len(recording.outputs) != 1:
        raise UsageError(
            f"--count: {len(recording.outputs)} files in --out; expected one, whose name ends in .npz or .zarr"
        )
    fields_kept = None if kept is None else [name.strip() for name in kept.split(",")]
    found = DataSet(recording.outputs[0], 1, recording.ticks, every, variations, fields_kept)
    return replace(found, count=found.combinations if count is None else count)


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
    from gpufluid.run.variations import Own

    given, prints = settings_of(settings or []), ranks.rank == 0

    def load(own: Own, own_seed: int | None) -> Scene:
        mine = own.parameters
        merged = {rule: {**given.get(rule, {}), **mine.get(rule, {})} for rule in {**given, **mine}}
        try:
            return load_with(name, seed if own_seed is None else own_seed, merged, changes=own.changes)
        except SceneError as error:
            if not own.changes:
                raise
            wrong = error.problems[0]  # the scene is valid without the changes
            raise UsageError(f"--vary: {wrong.field}: {wrong.message}") from None

    variants = None
    with ranks.agreeing():
        if prints:
            data_set.check()
        scene = load(Own(), None)
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
        else:
            for said in remarks_of(data_set, scene):
                remark(said)
    return not result.interrupted


def remarks_of(data_set: DataSet, scene: Scene) -> list[str]:
    """A remark about worlds that differ in their seeds only and begin with the same cells; empty: they do not."""
    seeds_only = data_set.count > 1 and all(each.name == "seed" for each in data_set.variations)
    if not seeds_only or scene.begins_by_seed:
        return []
    return [f"all {data_set.count} worlds begin with the same cells: {scene.title!r} has no range and no noise"]


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
    rows = {name: " x ".join(map(str, shape)) or "text" for name, shape in result.shapes.items()}
    if not result.interrupted:
        rows["wrote"] = str(data_set.path)
    width = max(map(len, rows), default=0)  # an interrupted data set has no rows
    return "\n".join([*lines, *(f"{name:{width}}  {words}" for name, words in rows.items())])
