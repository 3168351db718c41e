"""Planes in buffers, for processors: a texel shows a shader one cell of such a plane, or four cells of a row.

Software OpenGL loads and stores four integers of a texel at once, almost as fast as one. But a texture has one format,
and most passes store single cells. A buffer can be bound to two textures at once, one of each format.
"""

from __future__ import annotations

from collections.abc import Iterable

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.gl_textures import IMAGE_FORMATS, TEXTURE_BUFFER, GlTexture, gl_functions
from gpufluid.rules import Pass
from gpufluid.world import World

BAND_BYTES = 1 << 30
"""Most bytes of one transfer to or from the device."""

CELLS_OF_FOUR = 4
"""Cells of a row in a texel of the image of fours."""

# GLSL image format: NumPy's dtype, the formats of a texel with one cell and with four.
_FORMATS = {"r32i": ("int32", "r32i", "rgba32i"), "r32ui": ("uint32", "r32ui", "rgba32ui")}


def planes_in_buffers(device: Device, world: World, passes: Iterable[Pass], strip: tuple[int, int]) -> frozenset[str]:
    """The names of the planes that lie in buffers: those of which a pass loads and stores four cells at once.

    On a GPU there are none. Nor are there any where the cells of four columns of gravity's frame do not lie side by
    side in memory, where a strip does not consist of fours, or where a plane has more texels than OpenGL shows of a
    buffer, or more bytes than one transfer.

    Args:
        device: the device.
        world: a world of that size and gravity.
        passes: those that run.
        strip: (columns, rows) of cells that an invocation owns.
    """
    in_fours = world.gravity not in ("left", "right") and world.width % CELLS_OF_FOUR == strip[0] % CELLS_OF_FOUR == 0
    if not device.software or not in_fours:
        return frozenset()
    cells = world.width * world.height
    if cells > device.max_buffer_texels or 4 * cells > BAND_BYTES or gl_functions() is None:
        return frozenset()
    return frozenset(name for pass_ in passes if pass_.layout.fours for name in pass_.gathers)


class BufferImage(GlTexture):
    """An image that shows a buffer to a shader.

    Args:
        buffer: the buffer, to which the texels belong.
        image: the GLSL image format of a texel.
    """

    def __init__(self, buffer: moderngl.Buffer, image: str) -> None:
        super().__init__(TEXTURE_BUFFER, IMAGE_FORMATS[image])
        with self.bound() as gl:
            gl.tex_buffer(self.target, self.image, buffer.glo)


class BufferTexture:
    """A plane of 32 bits a cell in a buffer, row by row. It has the methods of `moderngl.Texture` that planes need.

    Args:
        device: the device that holds it.
        width, height: in cells.
        image: the GLSL image format of a cell, ``r32i`` or ``r32ui``.
        data: (height, width) of the type of that format, such as uint32; None: zeros.
    Raises: DeviceError: there is too little memory.
    """

    def __init__(self, device: Device, width: int, height: int, image: str, data: np.ndarray | None = None) -> None:
        dtype, single, fours = _FORMATS[image]
        self.width, self.height, self.size = width, height, (width, height)
        self._bytes = np.dtype(dtype).itemsize * width * height
        self._row = self._bytes // height
        device.check_room(self._bytes)
        self._context = device.context
        self._buffer = device.context.buffer(reserve=self._bytes)
        self.single, self.fours = (BufferImage(self._buffer, each) for each in (single, fours))
        device.allocations.add(self, self._bytes)
        if data is None:
            self._buffer.clear()
        else:
            self._buffer.write(np.ascontiguousarray(data, dtype))

    @property
    def mglo(self) -> object:
        """The object of OpenGL that holds the texels; `moderngl.InvalidObject` once it is released."""
        return self._buffer.mglo

    def read_into(self, target: np.ndarray | moderngl.Buffer, alignment: int = 1) -> None:  # noqa: ARG002
        """Copy all cells into ``target``, (height, width) of the type of the format, such as uint32; or a buffer."""
        self.copy((0, 0, *self.size), target)

    def copy(
        self, window: tuple[int, int, int, int], target: np.ndarray | moderngl.Buffer, write_offset: int = 0
    ) -> None:
        """Copy a rectangle of cells.

        Args:
            window: column and row of the top left cell, width and height.
            target: an array (height, width) of the type of the format, such as uint32; or a buffer on the device, which
                gets the cells without a wait for the device, row by row: 0.6 microseconds for each.
            write_offset: the position of the first cell in the target, in bytes.
        """
        first, piece, step, pieces = self._pieces(window)
        if not isinstance(target, moderngl.Buffer):
            self._buffer.read_chunks_into(target, piece, first, step, pieces, write_offset=write_offset)
            return
        for number in range(pieces):
            places = {"read_offset": first + number * step, "write_offset": write_offset + number * piece}
            self._context.copy_buffer(target, self._buffer, piece, **places)

    def write(self, data: np.ndarray, viewport: tuple[int, int, int, int], alignment: int = 1) -> None:  # noqa: ARG002
        """Write a rectangle of cells.

        Args:
            data: (height, width) of the type of the format, such as uint32.
            viewport: column and row of the top left cell, width and height.
        """
        first, _, step, pieces = self._pieces(viewport)
        self._buffer.write_chunks(np.ascontiguousarray(data), first, step, pieces)

    def _pieces(self, window: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """Where a rectangle of cells lies in the buffer; each of its rows is a piece, or all of them if they are whole.

        Returns: its first byte, the bytes of a piece, those from one piece to the next, and the number of pieces.
        """
        x, y, width, height = window
        cell = self._row // self.width
        first, piece = y * self._row + x * cell, width * cell
        return (first, piece * height, piece * height, 1) if width == self.width else (first, piece, self._row, height)

    def release(self) -> None:
        """Release the buffer and both images. A second call does nothing."""
        if isinstance(self.mglo, moderngl.InvalidObject):
            return
        self.single.release()
        self.fours.release()
        self._buffer.release()
