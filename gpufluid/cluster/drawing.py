"""Pictures of a shared world: each rank draws the pixels of its cells, from these and those around them.

The pixels of a rank are those whose first cell, at the left or at the top, it computes. So the borders between the
pieces of a picture lie between pixels, though a pixel may average cells of several ranks. What a piece needs of the
cells of other ranks, these send before it is drawn: the rest of such pixels, and what air and light around the cells
depend on. Nothing is computed from the halos of ticks, which can be out of date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gpufluid.cluster.grid import Crossing, Grid
from gpufluid.cluster.parts import own_cells
from gpufluid.core.frame import area_in_frame, area_in_world
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.gpu.held_planes import HeldPlanes
from gpufluid.gpu.planes import PlaneTextures, texels_of
from gpufluid.render.framing import Cells, Pixels
from gpufluid.render.painter import Painter, cells_for, source_of
from gpufluid.render.settings import PictureSettings
from gpufluid.world import World
from gpufluid.world.pieces import Box, common

BAND = 1 << 22
"""About the most cells, and the most pixels, of which a rank draws a piece at once, to limit its memory."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The piece of the source of a picture (`render.source`) that a rank draws.

    Args:
        pixels: the pixels.
        cells: the cells that they are drawn from. On a torus they may lie outside the world.
    """

    pixels: Pixels
    cells: Cells


class PicturePlan:
    """Which rank draws what of a picture, and what ranks send each other for this; the same on all ranks.

    Args:
        world: a world with the laws of the whole one; its arrays are not used.
        grid: the parts of all ranks.
        settings: of the picture.
        most: the largest side of a picture, in pixels.
    Raises: UsageError: invalid settings, or a picture that is too large.
    """

    def __init__(self, world: World, grid: Grid, settings: PictureSettings, most: int) -> None:
        self.world, self.grid, self.settings = world, grid, settings
        self._size = world.width, world.height
        self._along = 0 if world.gravity in ("left", "right") else 1  # the axis along which a piece is cut into bands
        self.layout = settings.layout(self._size, most)
        self.source = source_of(world, settings, self.layout)
        self.pieces = [self._piece(rank) for rank in range(grid.ranks)]
        """By rank: the piece that it draws; None: it has no pixel."""
        needed = [each and area_in_frame(_box(each.cells), self._size, world.gravity) for each in self.pieces]
        self.crossings = grid.crossings_to(needed)
        """The cells that ranks need beside their own. On a torus a rank may need some of its own a second time."""

    def _piece(self, rank: int) -> Piece | None:
        """The piece that a rank draws; None: it has no pixel."""
        x, y, width, height = own_cells(self.world, self.grid, rank)
        left, right = self.source.pixels_of((x, x + width), 0)
        top, bottom = self.source.pixels_of((y, y + height), 1)
        return self._of((left, top, right, bottom)) if left < right and top < bottom else None

    def _of(self, pixels: Pixels) -> Piece:
        """The piece of a rectangle of pixels."""
        cells = [*cells_for(self.world, self.settings, self.source, pixels)]
        across = 1 - self._along
        if self.grid.shape[1] == 1 and (cells[across] < 0 or cells[across + 2] > self._size[across]):
            cells[across], cells[across + 2] = 0, self._size[across]  # shaders go around such a torus themselves
        return Piece(pixels, (cells[0], cells[1], cells[2], cells[3]))

    def bands(self, rank: int, most_rows: int) -> Iterator[Piece]:
        """Divide the piece of a rank into pieces that are drawn one after the other.

        Args:
            rank: the rank.
            most_rows: the most rows of gravity's frame whose cells a texture can hold.
        """
        piece, along = self.pieces[rank], self._along
        if piece is None:
            return

        def between(first: int, end: int) -> Piece:
            pixels = [*piece.pixels]
            pixels[along], pixels[along + 2] = first, end
            return self._of((pixels[0], pixels[1], pixels[2], pixels[3]))

        first, end, across = piece.pixels[along], piece.pixels[along + 2], 1 - along
        pixels_across, cells_across = (each[across + 2] - each[across] for each in (piece.pixels, piece.cells))
        one = between(first, first + 1).cells
        around = 2 * (one[along + 2] - one[along])  # twice, because at an edge of the world one side may have none
        scale = self.source.framing.scale
        rows = max(min(BAND // cells_across, most_rows - around), 1)
        most = max(min(rows * scale.zoom // scale.cells_a_pixel, BAND // pixels_across), 1)
        count = -(-(end - first) // most)
        cuts = [first + (end - first) * number // count for number in range(count + 1)]
        for begin, stop in pairwise(cuts):
            yield between(begin, stop)

    def sent(self, crossing: Crossing, part: World) -> Box:
        """The cells of a crossing in the sender's part of the world."""
        return area_in_world(crossing.sent, (part.width, part.height), part.gravity)

    def received(self, crossing: Crossing) -> Box:
        """The cells of a crossing in the whole world, where the receiver needs them: on a torus maybe outside of it."""
        piece = self.pieces[crossing.receiver]
        assert piece is not None
        needed = area_in_frame(_box(piece.cells), self._size, self.world.gravity)
        columns, rows = (
            (needed[axis][0] + first, needed[axis][0] + end) for axis, (first, end) in enumerate(crossing.received)
        )
        return area_in_world((columns, rows), self._size, self.world.gravity)


class PieceDrawing:
    """Draws the pieces of a rank. The shaders are compiled when it draws the first one.

    Args:
        device: the device of the rank.
        world: a world with the laws of the whole one; its arrays are not used.
        part: a world with the laws and the domain of the rank's part; its arrays are not used.
        planes: the planes of this part.
        rank: the rank.
    """

    def __init__(self, device: Device, world: World, part: World, planes: PlaneTextures, rank: int) -> None:
        self._part, self._planes, self._rank = part, planes, rank
        self._most_side = device.max_side
        self._names = [plane.name for plane in world.planes]
        self._painter = Painter(device, world, generated.for_world(world))
        self._held = HeldPlanes(device, world)

    def texels(self, plan: PicturePlan, crossing: Crossing) -> np.ndarray:
        """The cells of a crossing that this rank sends, all planes one after the other: (bytes,) uint8."""
        cells = plan.sent(crossing, self._part)
        return np.concatenate(
            [self._planes.read_texels(name, cells).reshape(-1).view(np.uint8) for name in self._names]
        )

    def texel_bytes(self, plan: PicturePlan, crossing: Crossing) -> int:
        """The bytes of the cells of a crossing, as `texels` returns them."""
        cells = plan.received(crossing)
        return sum(self._planes.texel_bytes(name, cells) for name in self._names)

    def reserve(self, plan: PicturePlan) -> list[Piece]:
        """Make room for the cells of each band of this rank. Returns the bands.

        Raises: DeviceError: too little memory.
        """
        bands = list(plan.bands(self._rank, self._most_side))
        if bands:
            sizes = [_box(band.cells)[2:] for band in bands]
            self._held.reserve((max(width for width, _ in sizes), max(height for _, height in sizes)))
        return bands

    def draw(self, plan: PicturePlan, tick: int, received: Mapping[Crossing, np.ndarray]) -> np.ndarray | None:
        """Draw the piece of this rank.

        Args:
            plan: the plan of the picture.
            tick: the tick of the state.
            received: what other ranks have sent, (bytes,) uint8 each, as `texels` returns it.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top; None: this rank has no pixel.
        Raises: UsageError: an unknown overlay, or a bad `overlay_max`. DeviceError: too little memory.
        """
        piece = plan.pieces[self._rank]
        if piece is None:
            return None
        self._painter.tick = tick
        left, top, right, bottom = piece.pixels
        drawn = np.empty((bottom - top, right - left, 3), np.uint8)
        own = [each for each in plan.crossings if each.sender == each.receiver == self._rank]
        for band in self.reserve(plan):
            self._hold(plan, band.cells, own, received)
            x, y, end, stop = band.pixels
            drawn[y - top : stop - top, x - left : end - left] = self._painter.draw_piece(
                self._held.textures, band.cells, plan.settings, plan.source, band.pixels
            )
        return drawn

    def complete(self, plan: PicturePlan, drawn: np.ndarray) -> np.ndarray:
        """Make the picture of its source.

        Args:
            plan: the plan of the picture.
            drawn: its source, (rows, columns, 3) uint8, sRGB.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top.
        """
        return self._painter.complete(drawn, plan.settings, plan.layout)

    def release(self) -> None:
        """Release the textures."""
        self._painter.release()
        self._held.release()

    def _hold(
        self, plan: PicturePlan, cells: Cells, own: list[Crossing], received: Mapping[Crossing, np.ndarray]
    ) -> None:
        """Bring some cells of the whole world to the textures that are drawn from.

        Args:
            plan: the plan of the picture.
            cells: the cells.
            own: the crossings on a torus from this rank to itself.
            received: as for `draw`.
        """
        held = _box(cells)
        x, y, _, _ = self._part.domain.own_cells(self._part.gravity)
        here = own_cells(plan.world, plan.grid, self._rank)
        self._copy(here, (x, y), held)
        for crossing in own:
            self._copy(plan.received(crossing), plan.sent(crossing, self._part)[:2], held)
        for crossing, words in received.items():
            there, first = plan.received(crossing), 0
            if (box := common(there, held)) is None:
                continue
            for name in self._names:
                size = self._planes.texel_bytes(name, there)
                texels = texels_of(name, there, words[first : first + size])
                rows = slice(box[1] - there[1], box[1] - there[1] + box[3])
                columns = slice(box[0] - there[0], box[0] - there[0] + box[2])
                self._held.write(name, (box[0] - held[0], box[1] - held[1]), texels[:, rows, columns])
                first += size

    def _copy(self, there: Box, place: tuple[int, int], held: Box) -> None:
        """Copy what a rectangle of cells, which begins at a place of this rank's part, has of those to hold."""
        if (box := common(there, held)) is not None:
            cells = place[0] + box[0] - there[0], place[1] + box[1] - there[1], *box[2:]
            self._held.copy(self._planes, cells, (box[0] - held[0], box[1] - held[1]))


def _box(cells: Cells) -> Box:
    """The same rectangle by its first cell and its size."""
    return cells[0], cells[1], cells[2] - cells[0], cells[3] - cells[1]
