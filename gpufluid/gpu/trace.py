"""The trace: where each atom was when the tick began, carried along by every pass that moves atoms."""

from __future__ import annotations

import moderngl
import numpy as np

from gpufluid.core.moves import origins
from gpufluid.gpu.device import Device
from gpufluid.gpu.readback import Readback
from gpufluid.gpu.textures import Pair, make_texture


class Trace:
    """A ping-pong pair of the origins that atoms carry.

    Args:
        device: where it lies.
        width, height: of the world, in cells.
    """

    def __init__(self, device: Device, width: int, height: int) -> None:
        first = origins(height, width)
        self._first: moderngl.Buffer = device.buffer(data=first.tobytes())
        self.pair = Pair(
            make_texture(device, width, height, "r32ui", first), make_texture(device, width, height, "r32ui")
        )
        self._readback = Readback(width, height, "r32ui")

    @property
    def texture(self) -> moderngl.Texture:
        """The origins now."""
        return self.pair.read

    def begin(self) -> None:
        """Give every cell its own place: a tick begins."""
        self.pair.read.write(self._first, alignment=1)

    def read(self) -> np.ndarray:
        """(height, width) uint32: the origins now. The array is overwritten by the next read."""
        return self._readback.read(self.pair.read)

    def release(self) -> None:
        """Give the memory back."""
        self.pair.release()
        self._first.release()
