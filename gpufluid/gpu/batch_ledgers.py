"""The ledgers of the worlds of a batch, in one storage buffer; `gpu.ledger` describes the words of each world."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np

from gpufluid.gpu.atlas import WORLDS_MOST
from gpufluid.gpu.device import Device
from gpufluid.gpu.ledger import HEAD_WORDS, ledger_words, words_of_ledgers
from gpufluid.world import World

_FIRST = 8 * WORLDS_MOST
"""Bytes before the ledgers: the units of a mixture that have moved in the current tick, two words a world."""


def bytes_for(worlds: int) -> int:
    """Bytes of the buffer of so many worlds."""
    return _FIRST + 4 * words_of_ledgers() * worlds


class BatchLedgers:
    """A storage buffer with the ledgers of each world of a batch.

    Args:
        device: the device that holds it.
        worlds: the worlds whose ledgers it begins with.
    """

    def __init__(self, device: Device, worlds: Sequence[World]) -> None:
        self._count = len(worlds)
        self.buffer: moderngl.Buffer = device.buffer(bytes_for(self._count))
        of_world = {id(world): ledger_words(world) for world in worlds}  # several may begin with the same world
        words = np.stack([of_world[id(world)] for world in worlds])
        self.buffer.write(np.concatenate([np.zeros(2 * WORLDS_MOST, "<u4"), words.ravel()]))

    def write(self, number: int, words: np.ndarray) -> None:
        """Write the ledgers of a world, by index: (words,) uint32, see `gpu.ledger.ledger_words`."""
        self.buffer.write(words, offset=_FIRST + 4 * words_of_ledgers() * number)

    def read(self) -> np.ndarray:
        """The ledgers of all worlds, (worlds, words) uint32."""
        words = np.frombuffer(self.buffer.read(bytes_for(self._count) - _FIRST, offset=_FIRST), "<u4")
        return words.reshape(self._count, -1)

    def heads(self) -> np.ndarray:
        """The first words of each world's ledgers, (worlds, words) uint32; see `gpu.ledger.changed_in`."""
        read = self.buffer.read_chunks(4 * HEAD_WORDS, _FIRST, 4 * words_of_ledgers(), self._count)
        return np.frombuffer(read, "<u4").reshape(self._count, -1)

    def forget_moved(self) -> None:
        """Begin a tick: set the units of a mixture that have moved to 0 in each world."""
        self.buffer.write(bytes(8 * self._count))

    def read_moved(self) -> np.ndarray:
        """(worlds,) uint64: units of a mixture that have moved in each world since `forget_moved`."""
        return np.frombuffer(self.buffer.read(8 * self._count), "<u8")

    def release(self) -> None:
        """Release the buffer."""
        self.buffer.release()
