"""`Observation`: arrays on the host for what is observed of a batch, used again and again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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

    def array(self) -> np.ndarray:
        """The content of `packed`, as `Batch.observe` returns it: (worlds, ...) uint8 or float32."""
        worlds, rows, columns = self._shape
        if self.kind == "materials":
            return self.packed.view(np.uint8)[:, : rows * columns].reshape(self._shape)
        if self.kind == "pixels":
            return self.packed.view(np.uint8).reshape(*self._shape, 4)[..., :3]
        whole = self.packed.reshape(worlds, -1, rows, columns)
        return np.multiply(whole, self._factors, out=self._scaled, casting="unsafe", dtype=np.float32)
