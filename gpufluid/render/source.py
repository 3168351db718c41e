"""`Source`: the picture of cells that a picture is made of. It can be drawn in pieces, each from some of the cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from gpufluid.render.framing import Framing
from gpufluid.render.look import Colour
from gpufluid.render.scale import Scale
from gpufluid.render.settings import Layout


@dataclass(frozen=True, slots=True)
class Source:
    """The picture of cells that is placed in a picture, maybe enlarged before, or averaged to another size.

    Args:
        framing: how the cells are drawn; they fill the source.
        zoom: the pixels a side that each pixel of it becomes in the picture, if it is placed there.
    """

    framing: Framing
    zoom: int

    @classmethod
    def of(cls, layout: Layout, has_details: bool) -> Self:
        """The source of a picture.

        Args:
            layout: that of the picture.
            has_details: whether the picture has details smaller than a cell. If not, one pixel a cell is drawn.
        """
        scale, part = layout.framing.scale, layout.framing.part
        if has_details or scale.zoom == 1:
            return cls(Framing(scale, part), 1)
        return cls(Framing(Scale(), part), scale.zoom)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return self.framing.scale.picture_size(self.framing.part.width, self.framing.part.height)

    def pixels_of(self, cells: tuple[int, int], axis: int) -> tuple[int, int]:
        """The columns or rows of pixels whose first cells are among some columns or rows of cells.

        So each pixel belongs to one of several pieces of a world, though it may average cells of two.

        Args:
            cells: (first, end) of the columns or rows of cells.
            axis: 0: columns; 1: rows.
        Returns: (first, end); equal, if there are none.
        """
        scale, part = self.framing.scale, self.framing.part
        begins = (part.x, part.y)[axis]
        first, end = (-(-(cell - begins) * scale.zoom // scale.cells_a_pixel) for cell in cells)
        most = self.size[axis]
        return min(max(first, 0), most), min(max(end, 0), most)

    def placed(self, drawn: np.ndarray, layout: Layout, beyond: Colour) -> np.ndarray:
        """The picture in which the source is placed.

        Args:
            drawn: the source, (rows, columns, 3) uint8.
            layout: that of the picture, without a `Layout.place`.
            beyond: the colour around the cells.
        Returns: (rows, columns, 3) uint8.
        """
        picture = drawn.repeat(self.zoom, axis=0).repeat(self.zoom, axis=1) if self.zoom > 1 else drawn
        (height, width, _), (x, y) = picture.shape, layout.framing.offset
        if (width, height) == layout.size:
            return picture
        whole = np.full((layout.size[1], layout.size[0], 3), beyond, np.uint8)
        whole[y : y + height, x : x + width] = picture
        return whole
