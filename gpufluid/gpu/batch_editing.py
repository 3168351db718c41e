"""Edits of the worlds of a batch by brushes: one dispatch for the strokes of all worlds, each its own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.runs import Runs
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_ledgers import BatchLedgers
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.editing import edit_program, sample_texels, stroke_values
from gpufluid.gpu.editing_texts import CELLS_EACH, parameters_of
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
        self._given = device.buffer(4096)
        self._unused = device.buffer(data=bytes(16))  # in place of copies, and of what is noted beside them

    def apply(self, strokes: Mapping[int, tuple[Stroke, Runs]]) -> None:
        """Apply the strokes of some worlds; does not wait for the device. The block of the tick must be bound.

        Args:
            strokes: by the index of the world: its stroke, which is valid in the worlds, and the cells that it touches,
                at least one.
        """
        kinds = {stroke.field if isinstance(stroke, Adding) else None for stroke, _ in strokes.values()}
        for added in sorted(kinds, key=str):
            own = {
                number: each
                for number, each in strokes.items()
                if (each[0].field if isinstance(each[0], Adding) else None) == added
            }
            self._apply(added, own)

    def _apply(self, added: str | None, strokes: Mapping[int, tuple[Stroke, Runs]]) -> None:
        """Apply strokes that all add to one field, or all lay materials."""
        names = [name for _, name, _ in parameters_of(added)]
        records = np.zeros((self._atlas.count, len(names)), np.int64)
        samples: dict[tuple[object, ...], int] = {}
        parts, place = [], records.size
        for number, (stroke, runs) in strokes.items():
            values = stroke_values(self._world, stroke)
            if isinstance(stroke, Laying):
                if stroke.sample_key not in samples:
                    samples[stroke.sample_key] = place
                    parts.append(sample_texels(self._world, stroke))
                    place += len(parts[-1])
                values["first_texel"] = samples[stroke.sample_key]
            values |= {"first_run": place, "run_count": len(runs.table)}
            parts.append(runs.table.reshape(-1))
            place += len(parts[-1])
            records[number] = [values[name] for name in names]
        longest = max(int((runs.table[:, 2] - runs.table[:, 1]).max()) for _, runs in strokes.values())
        self._dispatch(added, records, np.concatenate(parts), -(-longest // CELLS_EACH))

    def _dispatch(self, added: str | None, records: np.ndarray, rest: np.ndarray, across: int) -> None:
        """Run a program, more than once if a world has more runs of cells than a dispatch has groups.

        Args:
            added: as for `parameters_of`.
            records: (worlds, parameters) int64, the parameters of each world's stroke.
            rest: (words,) int32, the laid cells and the runs, which follow the records on the device.
            across: the number of invocations for the longest run.
        """
        names = [name for _, name, _ in parameters_of(added)]
        count, first = names.index("run_count"), names.index("first_run")
        if added not in self._programs:
            self._programs[added] = edit_program(self._device, self._world, self._texts, added, self._atlas)
        program = self._programs[added]
        textures = [self._planes[plane.name].read for plane in self._world.planes]
        buffers = [self._ledgers.buffer, self._given, self._unused, self._unused]
        while (rows := int(records[:, count].max())) > 0:
            now = records.copy()
            now[:, count] = np.minimum(now[:, count], GROUPS_LIMIT)
            given = np.concatenate([now.reshape(-1).astype(np.uint32).view(np.int32), rest]).astype("<i4").tobytes()
            self._make_room(len(given))
            self._given.write(given)
            buffers[1] = self._given
            assert len(buffers) == WORLDS_BINDING
            program.dispatch((across, min(rows, GROUPS_LIMIT)), textures, _NO_COPIES, [*buffers, self._worlds.buffer])
            records[:, first] += 3 * GROUPS_LIMIT
            records[:, count] -= now[:, count]

    def _make_room(self, size: int) -> None:
        """Make the buffer that the shader reads as large as ``size`` bytes; a dispatch may still read its content."""
        if self._given.size >= size:
            self._given.orphan()
            return
        larger = self._device.buffer(2 * size)
        self._given.release()
        self._given = larger

    def release(self) -> None:
        """Release the buffers."""
        self._given.release()
        self._unused.release()
