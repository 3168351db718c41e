"""Planes on the device: single textures, textures with layers, and ping-pong pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import moderngl
import numpy as np

from gpufluid.core.fields import Plane
from gpufluid.gpu.buffer_textures import BAND_BYTES, BufferTexture
from gpufluid.gpu.device import Device
from gpufluid.gpu.gl_textures import IMAGE_FORMATS, TEXTURE_2D_ARRAY, GlTexture
from gpufluid.world import World

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
    components, kind, _ = FORMATS[image]
    texture = device.context.texture((width, height), components, dtype=kind, alignment=1)
    device.allocations.add(texture, size)
    _fill(texture, image, data)
    return texture


def _fill(texture: moderngl.Texture, image: str, data: np.ndarray | None) -> None:
    """Write all texels of a texture. Arguments as for `make_texture`."""
    components, _, dtype = FORMATS[image]
    if data is not None:
        write_texels(texture, (0, 0), np.ascontiguousarray(data, dtype))
        return
    width, height = texture.size
    parts = bands(height, width * height * bytes_a_texel(image))
    nothing = np.zeros((max(rows for _, rows in parts), width, components), dtype)
    for first, rows in parts:
        texture.write(nothing[:rows], (0, first, width, rows), alignment=1)


class ArrayTexture(GlTexture):
    """A plane with layers: an array texture of OpenGL, which shaders see as one image.

    Args:
        device: the device that holds it.
        width, height: of a layer, in texels.
        count: the number of layers.
        image: the GLSL image format, of one number a texel.
    Raises: WorldError: it is over the device's limits. DeviceError: there is too little memory.
    """

    def __init__(self, device: Device, width: int, height: int, count: int, image: str) -> None:
        device.check_side(width, height, count)
        device.check_room(size := width * height * count * bytes_a_texel(image))
        super().__init__(TEXTURE_2D_ARRAY, IMAGE_FORMATS[image])
        self.width, self.height, self.size = width, height, (width, height)
        self.make_layers(width, height, count)
        components, kind, _ = FORMATS[image]
        self._views = [self.view_layer(number) for number in range(count)]
        self.layers = tuple(
            device.context.external_texture(view.name.value, self.size, components, 0, kind) for view in self._views
        )
        """The texture of each layer, with the same texels."""
        device.allocations.add(self, size)
        device.check_memory()

    @property
    def mglo(self) -> object:
        """The object of OpenGL that holds the first layer; `moderngl.InvalidObject` once it is released."""
        return self.layers[0].mglo

    def release(self) -> None:
        """Release the texels. A second call does nothing."""
        if isinstance(self.mglo, moderngl.InvalidObject):
            return
        for layer, view in zip(self.layers, self._views, strict=True):
            layer.release()
            view.release()
        super().release()


FlatTexture = moderngl.Texture | BufferTexture
"""The texels of a plane without layers, or of one layer."""

PlaneTexture = FlatTexture | ArrayTexture
"""The texels of a plane on the device."""


@overload
def layers_of(texture: moderngl.Texture | ArrayTexture) -> Sequence[moderngl.Texture]: ...
@overload
def layers_of(texture: PlaneTexture) -> Sequence[FlatTexture]: ...
def layers_of(texture: PlaneTexture) -> Sequence[FlatTexture]:
    """The texture of each layer of a plane; a plane without layers has one."""
    return texture.layers if isinstance(texture, ArrayTexture) else (texture,)


def layer_counts(world: World) -> dict[str, int]:
    """The number of layers of each plane of a world, by name; 1 for a plane without layers."""
    return {plane.name: len(world.mixture) if plane.layered else 1 for plane in world.planes}


def make_plane(
    device: Device, plane: Plane, size: tuple[int, int], layers: int, data: np.ndarray | None = None
) -> moderngl.Texture | ArrayTexture:
    """Make the texture of a plane.

    Args:
        device: the device that holds it.
        plane: the plane.
        size: (width, height) in texels, of a layer.
        layers: the number of layers; 1 for a plane without layers.
        data: (layers * height, width[, components]) of the type that `FORMATS` gives the format, such as uint32; None:
            zeros.
    Raises: WorldError: it is over the device's limits. DeviceError: there is too little memory.
    """
    if not plane.layered:
        return make_texture(device, *size, plane.image, data)
    made = ArrayTexture(device, *size, layers, plane.image)
    for number, layer in enumerate(made.layers):
        _fill(layer, plane.image, None if data is None else data[number * size[1] : (number + 1) * size[1]])
    return made


def bands(height: int, size: int) -> list[tuple[int, int]]:
    """Divide rows into transfers of at most `BAND_BYTES`, because moderngl counts bytes in 31 bits.

    Args:
        height: number of rows.
        size: bytes of all rows.
    Returns: (first row, number of rows) of each transfer.
    """
    rows = max(1, BAND_BYTES * height // max(size, 1))
    return [(first, min(rows, height - first)) for first in range(0, height, rows)]


def write_texels(texture: FlatTexture, at: tuple[int, int], texels: np.ndarray) -> None:
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


def write_layers(texture: PlaneTexture, at: tuple[int, int], texels: np.ndarray) -> None:
    """Write a rectangle of texels of each layer of a plane.

    Args:
        texture: the texture to write to.
        at: (column, row) of the first texel.
        texels: (layers * height, width[, components]) of the type that `FORMATS` gives the format, such as uint32.
    """
    layers = layers_of(texture)
    for layer, rows in zip(layers, np.split(texels, len(layers)), strict=True):
        write_texels(layer, at, rows)


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
