"""Edits of a world on the device by a brush: programs, and their dispatches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import moderngl
import numpy as np

from gpufluid.core.packing import to_texels
from gpufluid.core.runs import Runs
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_planes import BatchPlanes
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.edit_copies import EditCopies, Part
from gpufluid.gpu.editing_texts import CELLS_EACH, amount_numbers, edit_glsl, members_of, stroke_glsl
from gpufluid.gpu.growing import SentContent
from gpufluid.gpu.images import Image
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.scene.strokes import ALL, Adding, Laying, Stroke
from gpufluid.world import World


class Editing:
    """Applies strokes to the planes of one world, and counts in its ledgers what they change.

    Args:
        device: the device that holds the world.
        world: a world with the same laws; its arrays are not read.
        texts: the world's generated includes.
        planes: its planes.
        ledger: its ledgers.
    """

    def __init__(
        self, device: Device, world: World, texts: Mapping[str, str], planes: PlaneTextures, ledger: LedgerBuffer
    ) -> None:
        self._device, self._world, self._texts = device, world, texts
        self._planes, self._ledger = planes, ledger
        self._programs: dict[str | None, Program] = {}  # by the field to which is added; None: a material is laid
        self._given = SentContent(device, "the runs of a stroke")  # what the shader reads
        self._sampled: tuple[object, np.ndarray] | None = None  # the last sample, see `_sample`
        self._copies: moderngl.Buffer | None = None  # bound in place of copies by a stroke without copies
        self._found: moderngl.Buffer | None = None  # likewise, in place of `EditCopies.found`

    def apply(self, stroke: Stroke, runs: Runs, moment: int = 1, copies: EditCopies | None = None) -> None:
        """Apply a stroke; does not wait for the device.

        Args:
            stroke: what the brush does.
            runs: the cells that it touches, at least one, all in the world.
            moment: kept with the first copy of each cell, 1 to 2**32 - 1.
            copies: the copies of the edit to which it belongs; None: no cell is copied.
        """
        sample = self._sample(stroke)
        uniforms: dict[str, Uniform] = {**stroke_values(self._world, stroke)}
        uniforms |= {"moment": moment, "copies_cells": copies is not None, "first_texel": 0, "first_run": len(sample)}
        program = self._program(stroke.field if isinstance(stroke, Adding) else None)
        if copies is None:
            parts = [Part(runs, self._without_copies()[0], (0, 0), np.zeros((0, 1), np.int32))]
            noted = self._without_copies()[1]
        else:
            parts, noted = list(copies.parts(runs)), copies.found
        dispatches = [(each, own, _given(sample, own, each)) for each in parts for own in _at_most(each.runs)]
        self._given.reserve(max(len(given) for _, _, given in dispatches), len(dispatches))  # before a cell changes
        for each, own, given in dispatches:
            uniforms |= {"first_tile": each.first_tile, "tiles_across": each.slots.shape[1]}
            uniforms["first_slot"] = len(sample) + own.table.size
            self._dispatch(program, own, uniforms, given, (each.buffer, noted))

    def check(self, stroke: Stroke) -> None:
        """Raise WorldError if a stroke lays or adds what cells of the world cannot hold."""
        if isinstance(stroke, Adding):
            stroke.check(self._world)
        else:
            self._sample(stroke)

    def prepare(self) -> None:
        """Compile the program that lays materials, so that the first stroke need not wait for the compiler.

        Drivers compile it when it first runs: it runs for no cell.
        """
        nothing: dict[str, Uniform] = dict.fromkeys(self._program(None).uniforms, 0)
        nothing |= {"size": (self._world.width, self._world.height), "first_tile": (0, 0)}
        textures = [self._planes[plane.name].read for plane in self._world.planes]
        copies, found = self._without_copies()
        self._program(None).dispatch((1, 1), textures, nothing, [self._ledger.buffer, copies, copies, found])

    def _dispatch(
        self,
        program: Program,
        runs: Runs,
        uniforms: Mapping[str, Uniform],
        given: bytes,
        buffers: Sequence[moderngl.Buffer],
    ) -> None:
        """Run a program over some cells.

        Args:
            program: the program.
            runs: the cells.
            uniforms: those of the stroke and of the part.
            given: what the program reads, from `_given`.
            buffers: of the copies, and of what the stroke notes.
        """
        read = self._given.write(given)
        size = self._world.width, self._world.height
        own: dict[str, Uniform] = {"size": size, "run_count": len(runs.table)}
        longest = int((runs.table[:, 2] - runs.table[:, 1]).max())
        textures = [self._planes[plane.name].read for plane in self._world.planes]
        invocations = -(-longest // CELLS_EACH), len(runs.table)
        program.dispatch(invocations, textures, {**uniforms, **own}, [self._ledger.buffer, read, *buffers])

    def _without_copies(self) -> tuple[moderngl.Buffer, moderngl.Buffer]:
        """The buffers of a stroke without copies."""
        if self._copies is None:
            self._copies = self._device.buffer(data=bytes(16))
        if self._found is None:
            self._found = self._device.buffer(data=bytes(8))
        return self._copies, self._found

    def _program(self, added: str | None) -> Program:
        if added not in self._programs:
            self._programs[added] = edit_program(self._device, self._world, self._texts, self._planes, added)
        return self._programs[added]

    def _sample(self, stroke: Stroke) -> np.ndarray:
        """The texels of the laid cell, (texels,) int32; empty for a stroke that lays none."""
        if isinstance(stroke, Adding):
            return np.zeros(0, np.int32)
        if self._sampled is None or self._sampled[0] != stroke.sample_key:
            self._sampled = stroke.sample_key, sample_texels(self._world, stroke)
        return self._sampled[1]

    def release(self) -> None:
        """Release the buffers."""
        self._given.release()
        for buffer in (self._copies, self._found):
            if buffer is not None:
                buffer.release()


def _given(sample: np.ndarray, runs: Runs, part: Part) -> bytes:
    """The content of the buffer that the shader reads: the laid cell, the runs, the slots of the part's tiles."""
    return np.concatenate([sample, runs.table.reshape(-1), part.slots.reshape(-1)]).astype("<i4").tobytes()


def edit_program(
    device: Device,
    world: World,
    texts: Mapping[str, str],
    planes: PlaneTextures | BatchPlanes,
    added: str | None,
    atlas: Atlas | None = None,
) -> Program:
    """The program that applies a stroke.

    Args:
        device: the device.
        world: a world with the laws.
        texts: its generated includes; those for a batch, if there is an atlas.
        planes: its planes, or those of a batch.
        added: the field to which the stroke adds; None: it lays a material.
        atlas: the worlds of a batch; None: one world.
    """
    images = [Image.of(plane, "both").holding(planes[plane.name].read) for plane in world.planes]
    own = {
        "generated/stroke.glsl": stroke_glsl(added, atlas is not None),
        "generated/edit.glsl": edit_glsl(world, added, atlas is not None),
    }
    name = "edit/brush.comp" if added is None else "edit/add.comp"
    return Program(device, name, images, device.group_size, {**texts, **own}, atlas)


def sample_texels(world: World, laying: Laying) -> np.ndarray:
    """The texels of the laid cell, (texels,) int32, in the order of `members_of`. Raises: as `Laying.sample`."""
    arrays, words = laying.sample(world), []
    nothing_solid = np.full((1, 1), False)
    for plane in dict.fromkeys(each.plane for each in members_of(world)):
        texels = to_texels(plane, arrays, nothing_solid).reshape(-1)
        words.append(texels if plane.image == "r32i" else texels.astype(np.uint32).view(np.int32))
    return np.concatenate(words)


def stroke_values(world: World, stroke: Stroke) -> dict[str, int]:
    """The values of the parameters of a stroke, by name, but for its cells and for the place of the laid cell.

    Args:
        world: a world with the laws.
        stroke: the stroke.
    """
    found: dict[str, int] = {
        "share": min(stroke.chance.units, ALL - 1),
        "all_chosen": stroke.chance.units >= ALL,
        "choice": stroke.chance.serial & 0xFFFFFFFF,
        "origin_x": world.domain.origin[0],
        "origin_y": world.domain.origin[1],
    }
    if isinstance(stroke, Adding):
        return found | {"units": stroke.units}
    numbers, materials, replaced = amount_numbers(world), world.materials, stroke.replaced
    return found | {
        "material": materials[stroke.material],
        "amount_number": numbers.get(stroke.material, -1),
        "amount": stroke.units,
        "replaced": -1 if replaced is None else materials[replaced],
        "replaced_amount": -1 if replaced is None else numbers.get(replaced, -1),
        "only_new": bool(stroke.only_new),
        "mixes": stroke.mixes_in(world),
        "warmer": sum(world.new_amount(material=stroke.material).values()),
        "spares_walls": bool(stroke.spares_walls),
        "draws": stroke.draws(world),
        "serial": stroke.serial & 0xFFFFFFFF,
    }


def _at_most(runs: Runs) -> Iterator[Runs]:
    """Runs in parts that one dispatch can work on."""
    for first in range(0, len(runs.table), GROUPS_LIMIT):
        yield Runs(runs.table[first : first + GROUPS_LIMIT])
