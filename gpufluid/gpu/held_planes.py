"""`HeldPlanes`: textures with the planes of some cells of a world, from which a piece of a picture is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.growing import GrowingBuffer
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.readback import Window
from gpufluid.gpu.textures import (
    ArrayTexture,
    bytes_a_texel,
    layer_counts,
    layers_of,
    make_plane,
    write_texels,
)
from gpufluid.world import World


class HeldPlanes:
    """The planes of some cells of a world. The textures are kept for later rectangles that fit into them.

    Args:
        device: the device that holds them.
        world: a world with the laws of the one whose cells they hold; its arrays are not used.
    """

    def __init__(self, device: Device, world: World) -> None:
        self._device = device
        self._planes = {plane.name: plane for plane in world.planes}
        self._layers = layer_counts(world)
        self._textures: dict[str, moderngl.Texture | ArrayTexture] = {}
        self._buffer = GrowingBuffer(device, "texels", in_shaders=False)

    @property
    def textures(self) -> Mapping[str, moderngl.Texture | ArrayTexture]:
        """The textures by plane: the cells begin at the first texel."""
        return self._textures

    def reserve(self, size: tuple[int, int]) -> None:
        """Make room for rectangles of up to (width, height) cells; what the textures hold may be lost.

        Raises: WorldError: over the device's limits. DeviceError: too little memory.
        """
        for name, plane in self._planes.items():
            there = self._textures.get(name)
            if there is not None and there.width >= size[0] and there.height >= size[1]:
                continue
            if there is not None:
                self._textures.pop(name).release()
            self._textures[name] = make_plane(self._device, plane, size, self._layers[name])

    def copy(self, planes: PlaneTextures, cells: Window, at: tuple[int, int]) -> None:
        """Copy cells of a simulation on the same device; does not wait for it.

        Args:
            planes: the simulation's planes.
            cells: column and row of the top left cell in them, width and height.
            at: (column, row) of that cell in this rectangle.
        """
        for name, plane in self._planes.items():
            buffer = self._buffer.reserve(cells[2] * cells[3] * bytes_a_texel(plane.image))
            for number, layer in enumerate(layers_of(self._textures[name])):
                planes.copy_layer(name, number, cells, buffer)
                layer.write(buffer, (*at, *cells[2:]), alignment=1)

    def write(self, name: str, at: tuple[int, int], texels: np.ndarray) -> None:
        """Write texels of a plane.

        Args:
            name: the name of the plane.
            at: (column, row) of their first cell in this rectangle.
            texels: (layers, height, width) of the type of the plane's image, such as uint32.
        """
        for layer, rows in zip(layers_of(self._textures[name]), texels, strict=True):
            write_texels(layer, at, rows)

    def release(self) -> None:
        """Release the textures and the buffer."""
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()
        self._buffer.release()
