"""The trace: for each atom, its cell at the beginning of the tick. Every pass that moves atoms also moves the trace."""

from __future__ import annotations

import moderngl
import numpy as np

from gpufluid.core.moves import origins
from gpufluid.gpu.device import Device
from gpufluid.gpu.readback import Readback
from gpufluid.gpu.textures import Pair, PlaneTexture, make_texture


class Trace:
    """A ping-pong pair of textures with the origin of each atom: its cell at the beginning of the tick.

    Args:
        device: the device that holds it.
        width, height: of the world, in cells.
    """

    def __init__(self, device: Device, width: int, height: int) -> None:
        first = origins(height, width)
        self._first: moderngl.Buffer = device.buffer(data=first.tobytes())
        self._textures = [make_texture(device, width, height, "r32ui", texels) for texels in (first, None)]
        self.pair = Pair(*self._textures)
        self._readback = Readback(width, height, "r32ui")

    @property
    def texture(self) -> PlaneTexture:
        """The texture with the current origins."""
        return self.pair.read

    def begin(self) -> None:
        """Begin a tick: set the origin of each cell to the cell itself, in both textures.

        A pass that writes the other texture does not visit sleeping tiles, so both textures must hold the same there.
        """
        for texture in self._textures:
            texture.write(self._first, alignment=1)

    def read(self) -> np.ndarray:
        """The current origins, (height, width) uint32. The next read overwrites the array."""
        return self._readback.read(self.pair.read)

    def release(self) -> None:
        """Release the textures."""
        self.pair.release()
        self._first.release()
