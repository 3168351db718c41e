"""`WordWriter`: writes scattered words of buffers on the device, those of one buffer in one dispatch."""

from __future__ import annotations

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.growing import SentContent

_ROW = 4096
"""Pairs in a row of invocations, so that no axis has more groups than OpenGL runs."""


class WordWriter:
    """Writes words of storage buffers; waits for the device as `SentContent` does, once in some writes.

    Args:
        device: the device, which holds the buffers.
    """

    def __init__(self, device: Device) -> None:
        self._pairs = SentContent(device, "words to write")
        texts = {"generated/pairs.glsl": f"const int ROW = {_ROW};\n"}
        self._program = Program(device, "batch/write_words.comp", [], (64, 1), texts)

    def reserve(self, count: int) -> None:
        """Make room for so many words that are written at once. Raises DeviceError: there is too little memory."""
        self._pairs.reserve(8 * count)

    def write(self, buffer: moderngl.Buffer, places: np.ndarray, values: np.ndarray) -> None:
        """Write words of a buffer.

        Args:
            buffer: the buffer.
            places: (words,) int64, their places in the buffer, counted in words. A place that occurs twice has one
                value.
            values: (words,) uint32.
        """
        if not len(places):
            return
        pairs = np.stack([places, values], axis=1).astype("<u4")
        rows = -(-len(pairs) // _ROW)
        given = self._pairs.write(pairs.tobytes())
        self._program.dispatch((min(len(pairs), _ROW), rows), [], {"pair_count": len(pairs)}, [given, buffer])

    def release(self) -> None:
        """Release the buffer of pairs."""
        self._pairs.release()
