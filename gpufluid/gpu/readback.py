"""Bringing texels back to the host: at once into a reused array, or late without stalling."""

from __future__ import annotations

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import FORMATS


class Readback:
    """Reads textures of one size and format into one array, again and again.

    Reusing the array is about nine times as fast as a fresh one each time.
    """

    def __init__(self, width: int, height: int, image: str) -> None:
        components, _, dtype = FORMATS[image]
        shape = (height, width) if components == 1 else (height, width, components)
        self._array = np.empty(shape, dtype)

    def read(self, texture: moderngl.Texture) -> np.ndarray:
        """The texels now, after all work before. The array is overwritten by the next read."""
        texture.read_into(self._array, alignment=1)
        return self._array


class LateReadback:
    """Reads a texture without waiting for it: what is asked for now is handed out at the next request.

    The copy goes into one of two buffers on the device, by turns, and only the older one is mapped: by then the
    device has long written it.
    """

    def __init__(self, device: Device, width: int, height: int, image: str) -> None:
        components, _, dtype = FORMATS[image]
        self._array = np.empty((height, width) if components == 1 else (height, width, components), dtype)
        self._buffers = [device.buffer(self._array.nbytes) for _ in range(2)]
        self._labels: list[int | None] = [None, None]
        self._turn = 0

    def request(self, texture: moderngl.Texture, label: int) -> tuple[int, np.ndarray] | None:
        """Ask for the texels as they are now and get those asked for one request earlier.

        Args:
            texture: what to copy.
            label: handed back with the texels, such as their tick.
        Returns: (label, array) of the request before, None at the first. The array is overwritten by the next.
        """
        texture.read_into(self._buffers[self._turn], alignment=1)
        self._labels[self._turn] = label
        self._turn = 1 - self._turn
        earlier = self._labels[self._turn]
        if earlier is None:
            return None
        self._buffers[self._turn].read_into(self._array)
        return earlier, self._array

    def release(self) -> None:
        """Give the memory back."""
        for buffer in self._buffers:
            buffer.release()
