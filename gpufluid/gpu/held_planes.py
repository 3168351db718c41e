"""`HeldPlanes`: textures with the planes of some cells of a world, from which a piece of a picture is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.growing import GrowingBuffer
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.readback import Window
from gpufluid.gpu.textures import bytes_a_texel, make_texture, write_texels
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
        self._layers = {plane.name: len(world.mixture) if plane.layered else 1 for plane in world.planes}
        self._size = 0, 0
        self._textures: dict[str, moderngl.Texture] = {}
        self._buffer = GrowingBuffer(device, "texels", in_shaders=False)

    @property
    def textures(self) -> Mapping[str, moderngl.Texture]:
        """The textures by plane: the cells begin at the first texel, and layers lie one below the other."""
        return self._textures

    @property
    def most_layers(self) -> int:
        """The layers of the plane that has the most of them."""
        return max(self._layers.values())

    def reserve(self, size: tuple[int, int]) -> None:
        """Make room for rectangles of up to (width, height) cells; what the textures hold may be lost.

        Raises: WorldError: a side over the device's limit. DeviceError: too little memory.
        """
        width, height = size
        for name, plane in self._planes.items():
            rows, there = height * self._layers[name], self._textures.get(name)
            if there is not None and there.width >= width and there.height >= rows:
                continue
            if there is not None:
                self._textures.pop(name).release()
            self._textures[name] = make_texture(self._device, width, rows, plane.image)

    def hold(self, size: tuple[int, int]) -> None:
        """Prepare for another rectangle of (width, height) cells; the texels are undefined until they are written.

        Raises: as `reserve`.
        """
        self.reserve(size)
        self._size = size

    def copy(self, planes: PlaneTextures, cells: Window, at: tuple[int, int]) -> None:
        """Copy cells of a simulation on the same device; does not wait for it.

        Args:
            planes: the simulation's planes.
            cells: column and row of the top left cell in them, width and height.
            at: (column, row) of that cell in this rectangle.
        """
        for name, plane in self._planes.items():
            buffer = self._buffer.reserve(cells[2] * cells[3] * bytes_a_texel(plane.image))
            for layer in range(self._layers[name]):
                planes.copy_layer(name, layer, cells, buffer)
                place = at[0], at[1] + layer * self._size[1], *cells[2:]
                self._textures[name].write(buffer, place, alignment=1)

    def write(self, name: str, at: tuple[int, int], texels: np.ndarray) -> None:
        """Write texels of a plane.

        Args:
            name: the name of the plane.
            at: (column, row) of their first cell in this rectangle.
            texels: (layers, height, width) of the type of the plane's image, such as uint32.
        """
        for layer, rows in enumerate(texels):
            write_texels(self._textures[name], (at[0], at[1] + layer * self._size[1]), rows)

    def release(self) -> None:
        """Release the textures and the buffer."""
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()
        self._buffer.release()
