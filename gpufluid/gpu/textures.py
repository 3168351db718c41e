"""Planes on the device: single textures and ping-pong pairs."""

from __future__ import annotations

import moderngl
import numpy as np

from gpufluid.gpu.buffer_textures import BAND_BYTES, PlaneTexture
from gpufluid.gpu.device import Device

# GLSL image format: components, moderngl's dtype, NumPy's dtype.
FORMATS = {
    "r8ui": (1, "u1", "uint8"),
    "r32i": (1, "i4", "int32"),
    "r32ui": (1, "u4", "uint32"),
    "rg32ui": (2, "u4", "uint32"),
    "rgba32ui": (4, "u4", "uint32"),
    "rgba8": (4, "f1", "uint8"),
}


def bytes_a_texel(image: str) -> int:
    """The size of one texel of an image format, in bytes."""
    components, _, dtype = FORMATS[image]
    return components * np.dtype(dtype).itemsize


def make_texture(
    device: Device, width: int, height: int, image: str, data: np.ndarray | None = None
) -> moderngl.Texture:
    """Make a texture.

    Args:
        device: the device that holds it.
        width, height: in texels.
        image: its GLSL image format, a key of `FORMATS`.
        data: (height, width[, components]) of the type that `FORMATS` gives the format, such as uint32; None: zeros.
    Raises: UsageError: a side over the device's limit. DeviceError: there is too little memory.
    """
    device.check_side(width, height)
    device.check_room(size := width * height * bytes_a_texel(image))
    components, kind, dtype = FORMATS[image]
    texture = device.context.texture((width, height), components, dtype=kind, alignment=1)
    device.allocations.add(texture, size)
    if data is not None:
        write_texels(texture, (0, 0), np.ascontiguousarray(data, dtype))
        return texture
    nothing = np.zeros((max(bands(height, size), key=lambda band: band[1])[1], width, components), dtype)
    for first, rows in bands(height, size):
        texture.write(nothing[:rows], (0, first, width, rows), alignment=1)
    return texture


def bands(height: int, size: int) -> list[tuple[int, int]]:
    """Divide rows into transfers of at most `BAND_BYTES`, because moderngl counts bytes in 31 bits.

    Args:
        height: number of rows.
        size: bytes of all rows.
    Returns: (first row, number of rows) of each transfer.
    """
    rows = max(1, BAND_BYTES * height // max(size, 1))
    return [(first, min(rows, height - first)) for first in range(0, height, rows)]


def write_texels(texture: PlaneTexture, at: tuple[int, int], texels: np.ndarray) -> None:
    """Write a rectangle of texels.

    Args:
        texture: the texture to write to.
        at: (column, row) of the first texel.
        texels: (height, width[, components]) of the type that `FORMATS` gives the format, such as uint32.
    """
    height, width = texels.shape[:2]
    for first, rows in bands(height, texels.nbytes):
        band = np.ascontiguousarray(texels[first : first + rows])
        texture.write(band, (at[0], at[1] + first, width, rows), alignment=1)


class Pair:
    """A ping-pong pair: a pass reads `read` and writes every texel of `write`; then `swap` exchanges the two.

    A plane that no pass gathers needs no second texture; its pair has only `read`.
    """

    def __init__(self, read: PlaneTexture, write: PlaneTexture | None = None) -> None:
        self.read = read
        self._write = write

    @property
    def write(self) -> PlaneTexture:
        """The texture for the next state. Raises LookupError: no pass gathers this plane."""
        if self._write is None:
            raise LookupError("this plane has one texture only: no pass gathers it")
        return self._write

    def swap(self) -> None:
        """Make the texture that was written the one to read."""
        self.read, self._write = self.write, self.read

    def release(self) -> None:
        """Release the textures."""
        self.read.release()
        if self._write is not None:
            self._write.release()
