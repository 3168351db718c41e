"""Data sets: many worlds of one scene, which differ in their seeds or parameters, in one file or store of arrays."""

from __future__ import annotations

import json
import math
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
from gpufluid.io.labels import TICK
from gpufluid.run.data_set_sinks import Sink, check_fields, sink_of
from gpufluid.run.recording import Progress
from gpufluid.run.variations import GRAVITY, SEED, Own, Variation, check_name, labels_of_worlds, of_worlds, own_of
from gpufluid.runtime.batch import Batch
from gpufluid.scene import Scene
from gpufluid.world.limits import check_step

WORLDS_MOST = 1 << 16
"""Most worlds of a data set."""

_CELLS_AT_ONCE = 1 << 23
"""Cells of the worlds that step together. Larger batches are not faster, and need more memory."""

_TICKS_AT_ONCE = 8
"""Most ticks between two reports of progress."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class DataSet:
    """The settings of a data set.

    Args:
        path: the file to write, whose name ends in ``.npz``, or the store, whose name ends in ``.zarr``.
        count: the number of worlds.
        ticks: the ticks that each world runs.
        every: ticks between two states of a world, from the first state on; None: only the last state.
        variations: what differs between the worlds.
        fields: the names of the fields that are kept; None: all.
    """

    path: Path
    count: int
    ticks: int
    every: int | None = None
    variations: Sequence[Variation] = (Variation(SEED),)
    fields: Sequence[str] | None = None

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
        combinations = self.combinations
        if self.count % combinations:
            wanted = f"expected a multiple of {combinations}, the number of combinations of what varies"
            raise UsageError(f"--count: {self.count}; {wanted}")
        if self.count > combinations and all(each.is_combined for each in self.variations):
            equal = f"{self.count // combinations} worlds of each combination would be equal; add --vary seed"
            raise UsageError(f"--count: {self.count}; {equal}")
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

    @property
    def combinations(self) -> int:
        """The number of combinations of the values that are combined."""
        return math.prod(each.combined for each in self.variations)

    @property
    def varies_seed(self) -> bool:
        """True if the worlds have different seeds."""
        return any(each.name == SEED for each in self.variations)

    def spans(self, seed: int) -> dict[str, object]:
        """The values of what is varied, by name, as `Variation.span`. The first world has the seed ``seed``."""
        found = {each.name: each.span for each in self.variations if each.name != SEED}
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
    load: Callable[[Own, int | None], Scene],
    data_set: DataSet,
    variant: Wanted = None,
    *,
    sleeping: bool = True,
    progress: Progress | None = None,
    ranks: Ranks | None = None,
) -> DataSetResult:
    """Run all worlds and write their exact states, and what was varied, into one file or store: whole or not at all.

    It has an array for each field, ``[world, tick, row, column]``, with one more axis where the field has one; momentum
    is decoded, see `for_others`. Beside them are ``tick`` (ticks,) int64, ``seed`` (worlds,) uint32, ``digests``
    (worlds,) of the last states, the arrays of `labels_of_worlds`, and ``manifest``, a text of JSON. A store is written
    shard by shard while the worlds run, so it can be larger than the memory. It has the manifest in its attributes, and
    ``digests`` as bytes (worlds, 16).

    Args:
        load: reads the scene with some values in place of its own, and a seed; None: the scene's own seed.
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
    with ranks.agreeing():
        scene = load(Own(), None)
        for each in data_set.variations:
            check_name(each.name, [record.name for record in scene.world.materials])
            if each.is_range and each.name not in scene.ranges:
                wrong = f"the scene has no range there; expected {each.name}=FROM:TO"
                raise UsageError(f"--vary {shown(each.name)}: {wrong}")
        seed = scene.world.seed
        owns = of_worlds(data_set.variations, data_set.count, seed)
        scene = load(owns[0], None)
        # Values between two valid ends are valid, so an invalid one is found before the first tick.
        ends = ({each.name: end} for each in data_set.variations for end in each.extremes)
        for values in (owns[-1].values, *({**owns[0].values, **end} for end in ends)):
            load(own_of(values), None)
        check_fields(data_set.fields, scene.world)
        check_step(data_set.ticks, scene.world.tick)
    first_seed = seed if data_set.varies_seed else None
    drawn: list[Mapping[str, Sequence[Any]]] = []
    seeds: list[int] = []
    digests: list[str] = []
    most = max(_CELLS_AT_ONCE // (scene.world.width * scene.world.height), 1)
    manifest, moments = _manifest(data_set, scene), len(data_set.moments)
    with ExitStack() as stack:
        stop, sink = stack.enter_context(stopped_by_signal()), None
        with ranks.agreeing():
            if ranks.rank == 0:
                kept = scene.world.fields if data_set.fields is None else data_set.fields
                made = sink_of(data_set.path, scene.world, kept, data_set.count, moments, manifest, most)
                sink = stack.enter_context(made)
        most = ranks.from_first(0 if sink is None else sink.together)
        # The states of all ranks are held at the same time, until their shards are complete.
        together = max(min(most // ranks.count, -(-data_set.count // ranks.count)), 1)
        groups = list(_groups(owns, together))
        for first in range(0, len(groups), ranks.count):
            running = groups[first : first + ranks.count]
            own_drawn: list[Mapping[str, Sequence[Any]]] = []
            with ExitStack() as batches:
                batch = None
                with ranks.agreeing():
                    if ranks.rank < len(running):
                        numbers = running[ranks.rank]
                        scenes: list[Scene] = []
                        for at, own_seed in zip(numbers, _seeds(first_seed, numbers), strict=True):
                            if ranks.rank == 0 and stop.is_set():  # thousands of scenes are read for minutes
                                break
                            scenes.append(load(owns[at], own_seed))
                        own_drawn = [each.drawn for each in scenes]
                        worlds = [each.world for each in scenes]
                        if len(worlds) == len(numbers):
                            batch = batches.enter_context(Batch(worlds, variant=variant, sleeping=sleeping))
                if ranks.from_first(stop.is_set()):
                    return DataSetResult(data_set, scene, {}, digests, interrupted=True)
                for moment in _moments(batch, data_set, stop, progress, running, ranks):
                    _put_all(sink, batch, running, moment, ranks)
                seeds += ranks.joined([] if batch is None else batch.seeds.tolist())
                digests += ranks.joined([] if batch is None else batch.digests())
                drawn += ranks.joined(own_drawn)
            if ranks.from_first(stop.is_set()):
                return DataSetResult(data_set, scene, {}, digests[: running[0][0]], interrupted=True)
        with ranks.agreeing():
            if sink is not None:
                labels = labels_of_worlds(owns, drawn, data_set.variations, scene.ranges)
                described = _described(data_set, scene, seeds, digests) | labels
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


def _groups(owns: Sequence[Own], most: int) -> Iterator[list[int]]:
    """Yield the numbers of worlds that step together, at most ``most``: neighbours of the same laws."""
    for _, group in groupby(range(len(owns)), key=lambda number: owns[number].laws):
        numbers = list(group)
        for first in range(0, len(numbers), most):
            yield numbers[first : first + most]


def _described(data_set: DataSet, scene: Scene, seeds: Sequence[int], digests: Sequence[str]) -> dict[str, np.ndarray]:
    """The arrays that say what the states are."""
    ticks = np.array(data_set.moments, np.int64) + scene.world.tick
    return {SEED: np.array(seeds, np.uint32), TICK: ticks, "digests": np.array(digests)}


def _manifest(data_set: DataSet, scene: Scene) -> dict[str, Any]:
    """The laws of the worlds of a data set, what was varied, and the ranges of the scene, of JSON's types.

    Gravity and parameters that were varied are left out, because what is given holds for all worlds.
    """
    world, varied = scene.world, data_set.spans(scene.world.seed)
    return {
        "gpufluid": __version__,
        "scene": scene.title,
        "width": world.width,
        "height": world.height,
        "rules": list(world.rules),
        "edges": world.edges,
        **({} if GRAVITY in varied else {"gravity": world.gravity}),
        "parameters": {
            rule: {name: value for name, value in world.parameters[rule].items() if f"{rule}.{name}" not in varied}
            for rule in world.rules
        },
        "materials": [record.name for record in world.materials],
        "constituents": list(world.mixture.names),
        "worlds": data_set.count,
        "varied": varied,
        "ranges": dict(scene.ranges),
    }
