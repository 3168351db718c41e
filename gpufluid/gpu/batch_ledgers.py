"""The ledgers of the worlds of a batch, in one storage buffer; `gpu.ledger` describes the words of each world."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np

from gpufluid.gpu.atlas import WORLDS_MOST
from gpufluid.gpu.device import Device
from gpufluid.gpu.ledger import ACTIVE_WORD, HEAD_WORDS, words_of_ledgers
from gpufluid.gpu.word_writer import WordWriter

_FIRST = 8 * WORLDS_MOST
"""Bytes before the ledgers: the units of a mixture that have moved in the current tick, two words a world."""


def bytes_for(worlds: int) -> int:
    """Bytes of the buffer of so many worlds."""
    return _FIRST + 4 * words_of_ledgers() * worlds


class BatchLedgers:
    """A storage buffer with the ledgers of each world of a batch.

    Args:
        device: the device that holds it.
        words: the ledgers that each world begins with, (words,) uint32, see `gpu.ledger.ledger_words`.
    """

    def __init__(self, device: Device, words: Sequence[np.ndarray]) -> None:
        self._count = len(words)
        self.buffer: moderngl.Buffer = device.buffer(bytes_for(self._count))
        self.buffer.write(np.concatenate([np.zeros(2 * WORLDS_MOST, "<u4"), *words]))

    def begin(self, number: int, words: np.ndarray) -> None:
        """Begin a world anew, by index, with no units moved.

        Args:
            number: the index of the world.
            words: its ledgers, (words,) uint32, see `gpu.ledger.ledger_words`.
        """
        self.buffer.write(words, offset=_FIRST + 4 * words_of_ledgers() * number)
        self.buffer.write(bytes(8), offset=8 * number)

    def disturb(self, numbers: np.ndarray, ticks: np.ndarray, writer: WordWriter) -> None:
        """Record a change of some worlds from outside before a tick, see `LedgerBuffer.disturb`.

        Args:
            numbers: (count,) int64, the indices of the worlds.
            ticks: (count,) int64, the tick of each.
            writer: writes the words.
        """
        places = _FIRST // 4 + words_of_ledgers() * numbers + ACTIVE_WORD
        writer.write(self.buffer, places, ((ticks - 1) & 0xFFFFFFFF).astype("<u4"))

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
