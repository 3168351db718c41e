"""`Observation`: arrays on the host for what is observed of a batch, used again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gpufluid.core.dlpack import CUDA, DeviceTensor
from gpufluid.scene.observed import ObservedPlane


class Observation:
    """The arrays of one form of observation, of all worlds of a batch.

    Args:
        kind: one of `gpufluid.scene.observed.KINDS`.
        observed: the planes, for "planes".
        pool: the side of a block that becomes one number, in cells.
        shape: (worlds, rows, columns) of the blocks.
        words: the words that are packed of each world.
    """

    def __init__(
        self, kind: str, observed: Sequence[ObservedPlane], pool: int, shape: tuple[int, int, int], words: int
    ) -> None:
        self.kind, self.observed, self.pool = kind, tuple(observed), pool
        self._shape = shape
        self.packed = np.empty((shape[0], words), np.int32)
        """(worlds, words) int32, as the device packs them."""
        factors = [1 / (plane.scale * pool * pool) for plane in observed]
        self._factors = np.array(factors, np.float32).reshape(1, -1, 1, 1)
        self._scaled = np.empty((shape[0], len(factors), *shape[1:]), np.float32)

    def tensor(self, address: int, device: int, wait: Callable[[], object]) -> DeviceTensor:
        """The packed observation on the device, as `Batch.observe` hands it over, in the shape of `array`.

        Args:
            address: of the words on the device.
            device: its number in CUDA.
            wait: as for `DeviceTensor`.
        """
        worlds, rows, columns = self._shape
        words = self.packed.shape[1]
        place = address, (CUDA, device)
        if self.kind == "planes":
            shape, strides = self._scaled.shape, (words, rows * columns, columns, 1)
            return DeviceTensor(place[0], shape, strides, np.dtype(np.int32), place[1], wait, self._factors.ravel())
        shape, strides = (worlds, rows, columns), (4 * words, columns, 1)
        if self.kind == "pixels":
            shape, strides = (*shape, 3), (4 * words, 4 * columns, 4, 1)
        return DeviceTensor(place[0], shape, strides, np.dtype(np.uint8), place[1], wait)

    def array(self) -> np.ndarray:
        """The content of `packed`, as `Batch.observe` returns it: (worlds, ...) uint8 or float32."""
        worlds, rows, columns = self._shape
        if self.kind == "materials":
            return self.packed.view(np.uint8)[:, : rows * columns].reshape(self._shape)
        if self.kind == "pixels":
            return self.packed.view(np.uint8).reshape(*self._shape, 4)[..., :3]
        whole = self.packed.reshape(worlds, -1, rows, columns)
        return np.multiply(whole, self._factors, out=self._scaled, casting="unsafe", dtype=np.float32)
