"""Data sets: many worlds of one scene, which differ in their seeds or parameters, in one file or store of arrays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from threading import Event
from typing import Any, Protocol, TypeVar

import numpy as np

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.interrupts import stopped_by_signal
from gpufluid.core.version import __version__
from gpufluid.gpu.variants import Wanted
from gpufluid.io import snapshots
from gpufluid.run.data_set_sinks import Sink, sink_of
from gpufluid.run.recording import Progress
from gpufluid.runtime.batch import Batch
from gpufluid.scene import Scene
from gpufluid.world.limits import check_step

SEED = "seed"
"""The name of the variation in which each world has the seed of the one before plus 1."""

WORLDS_MOST = 1 << 16
"""Most worlds of a data set."""

_CELLS_AT_ONCE = 1 << 23
"""Cells of the worlds that step together. Larger batches are not faster, and need more memory."""

_TICKS_AT_ONCE = 8
"""Most ticks between two reports of progress."""

Value = TypeVar("Value")

Parameters = Mapping[str, Mapping[str, object]]
"""Values of parameters by rule and name."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A parameter that goes from one value to another over the worlds, in equal steps; or the seed.

    Args:
        name: ``rule.parameter``, or `SEED`.
        first, last: the values of the first and of the last world. Between two int there are only int.
    """

    name: str
    first: float = 0
    last: float = 0

    def values(self, count: int) -> list[int] | list[float]:
        """The values of ``count`` worlds."""
        steps = np.linspace(self.first, self.last, count)
        if isinstance(self.first, int) and isinstance(self.last, int):
            return np.rint(steps).astype(np.int64).tolist()
        return steps.tolist()


@dataclass(frozen=True, slots=True)
class DataSet:
    """The settings of a data set.

    Args:
        path: the file to write, whose name ends in ``.npz``, or the store, whose name ends in ``.zarr``.
        count: the number of worlds.
        ticks: the ticks that each world runs.
        every: ticks between two states of a world, from the first state on; None: only the last state.
        variations: what differs between the worlds.
    """

    path: Path
    count: int
    ticks: int
    every: int | None = None
    variations: Sequence[Variation] = (Variation(SEED),)

    def check(self) -> None:
        """Raise UsageError for invalid settings, before anything runs."""
        if not 1 <= self.count <= WORLDS_MOST:
            raise UsageError(f"--count: {self.count}; expected a whole number from 1 to {WORLDS_MOST}")
        if self.ticks < 0:
            raise UsageError(f"ticks: {self.ticks}; expected a whole number from 0 on")
        if self.every is not None and self.every < 1:
            raise UsageError(f"every: {self.every}; expected a whole number from 1 on")
        names = [each.name for each in self.variations]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"--vary: {shown(name)} is given twice")
        if self.path.suffix.lower() not in snapshots.ENDINGS:
            raise UsageError(f"{self.path}: a data set (--count) is one file whose name ends in .npz or .zarr")
        snapshots.check_place(self.path)

    def running(self, ticks: int) -> DataSet:
        """A copy of the data set with another number of ticks."""
        return replace(self, ticks=ticks)

    @property
    def moments(self) -> list[int]:
        """The numbers of ticks after which a state is kept."""
        return [self.ticks] if self.every is None else sorted({*range(0, self.ticks, self.every), self.ticks})

    def parameters_of_worlds(self) -> list[dict[str, dict[str, object]]]:
        """The varied parameters of each world."""
        found: list[dict[str, dict[str, object]]] = [{} for _ in range(self.count)]
        for each in self.variations:
            rule, _, parameter = each.name.partition(".")
            for own, value in zip(found, each.values(self.count) if parameter else (), strict=False):
                own.setdefault(rule, {})[parameter] = value
        return found

    @property
    def varies_seed(self) -> bool:
        """True if the worlds have different seeds."""
        return any(each.name == SEED for each in self.variations)

    def spans(self, seed: int) -> dict[str, list[float]]:
        """The first and the last value of what is varied, by name. The first world has the seed ``seed``."""
        found = {each.name: [each.first, each.last] for each in self.variations if each.name != SEED}
        return {**found, SEED: [seed, (seed + self.count - 1) & 0xFFFFFFFF]} if self.varies_seed else found


@dataclass(frozen=True, slots=True)
class DataSetResult:
    """The result of `record_data_set`.

    Args:
        data_set: the settings.
        scene: the scene, with the parameters of the first world.
        shapes: the arrays of the file by name, with their shapes.
        digests: the digest of the last state of each world that ran to its end.
        interrupted: whether a signal, such as that of Ctrl-C, ended the run. Then there is no file.
    """

    data_set: DataSet
    scene: Scene
    shapes: dict[str, tuple[int, ...]]
    digests: list[str]
    interrupted: bool = False


class Ranks(Protocol):
    """The processes that share out the worlds of a data set; `cluster.equal_ranks.EqualRanks` describes the methods."""

    @property
    def rank(self) -> int:
        """The number of this process, from 0."""
        ...

    @property
    def count(self) -> int:
        """The number of processes."""
        ...

    def agreeing(self) -> AbstractContextManager[None]:
        """Raise a GpufluidError that leaves the block on one rank on all of them."""
        ...

    def from_first(self, value: Value) -> Value:
        """The value that rank 0 gives."""
        ...

    def joined(self, values: list[Value]) -> list[Value]:
        """The lists of all ranks, one after the other."""
        ...

    def brought(self, rank: int, arrays: Mapping[str, np.ndarray] | None) -> Mapping[str, np.ndarray] | None:
        """The arrays of a rank, by name, each of any shape and type, on rank 0; None on the others."""
        ...


class OneProcess:
    """`Ranks` of one process."""

    rank, count = 0, 1

    def agreeing(self) -> AbstractContextManager[None]:
        """Errors need no agreement."""
        return nullcontext()

    def from_first(self, value: Value) -> Value:
        """The value."""
        return value

    def joined(self, values: list[Value]) -> list[Value]:
        """The list."""
        return values

    def brought(self, rank: int, arrays: Mapping[str, np.ndarray] | None) -> Mapping[str, np.ndarray] | None:  # noqa: ARG002
        """The arrays, by name, each of any shape and type."""
        return arrays


def record_data_set(
    load: Callable[[Parameters, int | None], Scene],
    data_set: DataSet,
    variant: Wanted = None,
    *,
    sleeping: bool = True,
    progress: Progress | None = None,
    ranks: Ranks | None = None,
) -> DataSetResult:
    """Run all worlds and write their exact states, and what was varied, into one file or store: whole or not at all.

    It has an array for each field, ``[world, moment, row, column]``, with one more axis where the field has one;
    ``ticks`` (moments,) int64, ``seeds`` (worlds,) uint32, ``digests`` (worlds,) of the last states, an array (worlds,)
    for each varied parameter, and ``manifest``, a text of JSON. A store is written shard by shard while the worlds run,
    so it can be larger than the memory. It has the manifest in its attributes, and ``digests`` as bytes (worlds, 16).

    Args:
        load: reads the scene with some parameters in place of its own, and a seed; None: the scene's own seed.
        data_set: the settings.
        variant, sleeping: as for `Batch`.
        progress: called with the number of ticks that have run, summed over the worlds; None: no reports.
        ranks: the processes that share out the worlds; all of them call this function, and rank 0 writes. None: this
            process alone.
    Raises: UsageError: invalid settings, or a data set larger than the free memory, before the first tick. OutputError:
        the file could not be written; no part of it is left. All ranks raise an error that one of them finds.
    """
    ranks = ranks or OneProcess()
    with ranks.agreeing():
        if ranks.rank == 0:
            data_set.check()
    parameters = data_set.parameters_of_worlds()
    with ranks.agreeing():
        scene = load(parameters[0], None)
        # Values between two valid ends of a range are valid, so an invalid one is found before the first tick.
        load(parameters[-1], None)
        check_step(data_set.ticks, scene.world.tick)
    first_seed = scene.world.seed if data_set.varies_seed else None
    seeds: list[int] = []
    digests: list[str] = []
    most = max(_CELLS_AT_ONCE // (scene.world.width * scene.world.height), 1)
    manifest, moments = _manifest(data_set, scene), len(data_set.moments)
    with ExitStack() as stack:
        stop, sink = stack.enter_context(stopped_by_signal()), None
        with ranks.agreeing():
            if ranks.rank == 0:
                made = sink_of(data_set.path, scene.world, data_set.count, moments, manifest, most)
                sink = stack.enter_context(made)
        most = ranks.from_first(0 if sink is None else sink.together)
        # The states of all ranks are held at the same time, until their shards are complete.
        together = max(min(most // ranks.count, -(-data_set.count // ranks.count)), 1)
        groups = list(_groups(data_set, parameters, together))
        for first in range(0, len(groups), ranks.count):
            running = [numbers for _, numbers in groups[first : first + ranks.count]]
            with ExitStack() as batches:
                batch = None
                with ranks.agreeing():
                    if ranks.rank < len(running):
                        own, numbers = groups[first + ranks.rank]
                        worlds = [load(own, seed).world for seed in _seeds(first_seed, numbers)]
                        batch = batches.enter_context(Batch(worlds, variant=variant, sleeping=sleeping))
                for moment in _moments(batch, data_set, stop, progress, running, ranks):
                    _put_all(sink, batch, running, moment, ranks)
                seeds += ranks.joined([] if batch is None else batch.seeds.tolist())
                digests += ranks.joined([] if batch is None else batch.digests())
            if ranks.from_first(stop.is_set()):
                return DataSetResult(data_set, scene, {}, digests[: running[0][0]], interrupted=True)
        with ranks.agreeing():
            if sink is not None:
                described = _described(data_set, scene, seeds, digests)
                sink.end(described | {"manifest": np.array(json.dumps(manifest))})
    return DataSetResult(data_set, scene, {} if sink is None else sink.shapes, digests)


def _put_all(
    sink: Sink | None, batch: Batch | None, running: Sequence[Sequence[int]], moment: int, ranks: Ranks
) -> None:
    """Put the states of all ranks at a moment into the sink, which rank 0 has.

    Args:
        sink: on rank 0 the sink; None on the others.
        batch: the worlds of this rank; None: it has none.
        running: the numbers of the worlds of each rank that has some.
        moment: the number of the moment.
        ranks: all ranks.
    """
    own = None if batch is None else batch.read().arrays
    for rank, numbers in enumerate(running):
        arrays = ranks.brought(rank, own)
        with ranks.agreeing():
            if sink is not None:
                assert arrays is not None
                sink.put(numbers, moment, arrays)


def _moments(
    batch: Batch | None,
    data_set: DataSet,
    stop: Event,
    progress: Progress | None,
    running: Sequence[Sequence[int]],
    ranks: Ranks,
) -> Iterator[int]:
    """Run a batch to its last tick, or until rank 0 has the event set, and yield the number of each moment.

    Args:
        batch: worlds that have run no tick; None: this rank has none.
        data_set: its moments.
        stop: ends the run.
        progress: as for `record_data_set`.
        running: the numbers of the worlds of each rank that has some.
        ranks: all ranks, which call this function together.
    """
    done, before, worlds = 0, running[0][0] * data_set.ticks, sum(map(len, running))
    for number, moment in enumerate(data_set.moments):
        while done < moment:
            ticks = min(_TICKS_AT_ONCE, moment - done)
            if batch is not None:
                batch.step(ticks)
                batch.finish()
            done += ticks
            if progress is not None:
                progress(before + done * worlds)
            if ranks.from_first(stop.is_set()):
                return
        yield number


def _seeds(first: int | None, numbers: Sequence[int]) -> list[int | None]:
    """The seeds of worlds, by their numbers, from that of world 0; None: each world has the scene's own."""
    return [None if first is None else (first + number) & 0xFFFFFFFF for number in numbers]


def _groups(data_set: DataSet, parameters: Sequence[Parameters], most: int) -> Iterator[tuple[Parameters, list[int]]]:
    """Yield the numbers of worlds that step together, at most ``most``, with the parameters that they share."""
    for own, group in groupby(range(data_set.count), key=parameters.__getitem__):
        numbers = list(group)
        for first in range(0, len(numbers), most):
            yield own, numbers[first : first + most]


def _described(data_set: DataSet, scene: Scene, seeds: Sequence[int], digests: Sequence[str]) -> dict[str, np.ndarray]:
    """The arrays that say what the states are."""
    varied = {each.name: np.array(each.values(data_set.count)) for each in data_set.variations if each.name != SEED}
    ticks = np.array(data_set.moments, np.int64) + scene.world.tick
    return {"seeds": np.array(seeds, np.uint32), "ticks": ticks, "digests": np.array(digests), **varied}


def _manifest(data_set: DataSet, scene: Scene) -> dict[str, Any]:
    """The laws of the worlds of a data set, and what was varied, of JSON's types.

    Parameters that were varied are not among ``parameters``, which hold for all worlds.
    """
    world, varied = scene.world, data_set.spans(scene.world.seed)
    return {
        "gpufluid": __version__,
        "scene": scene.title,
        "width": world.width,
        "height": world.height,
        "rules": list(world.rules),
        "edges": world.edges,
        "gravity": world.gravity,
        "parameters": {
            rule: {name: value for name, value in world.parameters[rule].items() if f"{rule}.{name}" not in varied}
            for rule in world.rules
        },
        "materials": [record.name for record in world.materials],
        "constituents": list(world.mixture.names),
        "worlds": data_set.count,
        "varied": varied,
    }
