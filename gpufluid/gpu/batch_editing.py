"""Edits of the worlds of a batch by brushes: one dispatch for the strokes of all worlds, each its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gpufluid.core.runs import Runs
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_ledgers import BatchLedgers
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.editing import edit_program, sample_texels, stroke_values
from gpufluid.gpu.editing_texts import CELLS_EACH, members_of, parameters_of
from gpufluid.gpu.growing import SentContent
from gpufluid.gpu.tick_block import WORLDS_BINDING, WorldBuffer
from gpufluid.scene.strokes import Adding, Laying, Stroke
from gpufluid.world import World

_NO_COPIES = {"copies_cells": False, "first_slot": 0, "first_tile": (0, 0), "tiles_across": 0, "moment": 0}
"""The uniforms of copies for undo, which a batch does not make."""


class BatchEditing:
    """Applies strokes to the planes of the worlds of a batch, and counts in their ledgers what they change.

    Law: each world is as `Editing` leaves it with the same stroke.

    Args:
        device: the device that holds the worlds.
        world: a world with the same laws; its arrays are not read.
        texts: the generated includes for a batch.
        planes: the planes of all worlds.
        ledgers: their ledgers.
        worlds: their seeds.
        atlas: their places.
    """

    def __init__(
        self,
        device: Device,
        world: World,
        texts: Mapping[str, str],
        planes: BatchPlanes,
        ledgers: BatchLedgers,
        worlds: WorldBuffer,
        atlas: Atlas,
    ) -> None:
        self._device, self._world, self._texts, self._atlas = device, world, texts, atlas
        self._planes, self._ledgers, self._worlds = planes, ledgers, worlds
        self._programs: dict[str | None, Program] = {}  # by the field to which is added; None: a material is laid
        self._given = SentContent(device, "the strokes of a batch")  # what the shader reads
        self._unused = device.buffer(data=bytes(16))  # in place of copies, and of what is noted beside them

    def prepare(self, strokes: Mapping[int, tuple[Stroke, Runs]]) -> list[StrokesDispatch]:
        """Make room for the strokes of some worlds, and compile what they need. No cell changes.

        Args:
            strokes: by the index of the world: its stroke, which is valid in the worlds, and the cells that it touches,
                at least one.
        Returns: what `apply` runs.
        Raises: DeviceError: there is too little memory.
        """
        dispatches = [
            each
            for added in sorted({_added(stroke) for stroke, _ in strokes.values()}, key=str)
            for each in self._dispatches(added, {n: each for n, each in strokes.items() if _added(each[0]) == added})
        ]
        self._given.reserve(max(each.nbytes for each in dispatches), len(dispatches))
        for each in dispatches:
            self._program(each.added)
        return dispatches

    def apply(self, dispatches: Sequence[StrokesDispatch]) -> None:
        """Apply the strokes that were prepared; does not wait for the device. The block of the tick must be bound."""
        textures = [self._planes[plane.name].read for plane in self._world.planes]
        for each in dispatches:
            buffers = [self._ledgers.buffer, self._given.write(each.content()), self._unused, self._unused]
            assert len(buffers) == WORLDS_BINDING
            program = self._program(each.added)
            program.dispatch(each.invocations, textures, _NO_COPIES, [*buffers, self._worlds.buffer])

    def _dispatches(self, added: str | None, strokes: Mapping[int, tuple[Stroke, Runs]]) -> Iterator[StrokesDispatch]:
        """Divide strokes among dispatches: what one reads fits in a storage buffer, and its runs are its groups.

        Args:
            added: as for `parameters_of`; all strokes are of this kind.
            strokes: as for `apply`.
        """
        count, room = self._atlas.count, self._device.storage_bytes // 4
        most = min(StrokesDispatch(self._world, added, count, room).runs_left, GROUPS_LIMIT)
        for first in range(0, max(len(runs.table) for _, runs in strokes.values()), most):
            dispatch = StrokesDispatch(self._world, added, count, room)
            for number, (stroke, runs) in strokes.items():
                table = runs.table[first : first + most]
                if not len(table):
                    continue
                if len(table) > dispatch.runs_left:
                    yield dispatch
                    dispatch = StrokesDispatch(self._world, added, count, room)
                dispatch.add(number, stroke, table)
            yield dispatch

    def _program(self, added: str | None) -> Program:
        if added not in self._programs:
            self._programs[added] = edit_program(
                self._device, self._world, self._texts, self._planes, added, self._atlas
            )
        return self._programs[added]

    def release(self) -> None:
        """Release the buffers."""
        self._given.release()
        self._unused.release()


class StrokesDispatch:
    """Strokes that one dispatch applies, at most one in each world.

    Args:
        world: a world with the laws.
        added: as for `parameters_of`; all strokes are of this kind.
        count: the number of worlds.
        room: words that the shader can read: the records of all worlds, then laid cells and runs.
    """

    def __init__(self, world: World, added: str | None, count: int, room: int) -> None:
        self.added = added
        self._world, self._room = world, room
        self._names = [name for _, name, _ in parameters_of(added)]
        self._records = np.zeros((count, len(self._names)), np.int64)
        self._samples: dict[tuple[object, ...], int] = {}
        self._parts: list[np.ndarray] = []
        self._words = self._records.size
        self._size = 0, 0

    @property
    def nbytes(self) -> int:
        """Bytes that the shader reads."""
        return 4 * self._words

    @property
    def invocations(self) -> tuple[int, int]:
        """The invocations that the longest run needs, and those that the most runs of a world need."""
        return -(-self._size[0] // CELLS_EACH), self._size[1]

    @property
    def runs_left(self) -> int:
        """The number of runs of a further stroke for which there is room."""
        sample = len(members_of(self._world)) if self.added is None else 0
        return (self._room - self._words - sample) // 3

    def add(self, number: int, stroke: Stroke, table: np.ndarray) -> None:
        """Add a stroke.

        Args:
            number: the index of the world, which has none yet.
            stroke: the stroke.
            table: (runs, 3) int32, its cells or some of them, at least one run and at most `runs_left`; see `Runs`.
        """
        values = stroke_values(self._world, stroke)
        if isinstance(stroke, Laying):
            if stroke.sample_key not in self._samples:
                self._samples[stroke.sample_key] = self._append(sample_texels(self._world, stroke))
            values["first_texel"] = self._samples[stroke.sample_key]
        values |= {"first_run": self._append(table.reshape(-1)), "run_count": len(table)}
        self._records[number] = [values[name] for name in self._names]
        longest = int((table[:, 2] - table[:, 1]).max())
        self._size = max(self._size[0], longest), max(self._size[1], len(table))

    def _append(self, words: np.ndarray) -> int:
        """Append words that the shader reads; returns the place of the first of them."""
        place = self._words
        self._parts.append(words)
        self._words += len(words)
        return place

    def content(self) -> bytes:
        """The content of the buffer that the shader reads: the records, then the words that were appended."""
        records = self._records.reshape(-1).astype(np.uint32).view(np.int32)
        return np.concatenate([records, *self._parts]).astype("<i4").tobytes()


def _added(stroke: Stroke) -> str | None:
    """The field to which a stroke adds; None: it lays a material."""
    return stroke.field if isinstance(stroke, Adding) else None
