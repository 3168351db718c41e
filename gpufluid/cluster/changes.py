"""Messages with the changed bytes of an array that one rank sends to others again and again.

Sender and receiver keep the last array; both begin with zeros. A message is one byte 0 if nothing changed. Otherwise it
is one byte 1, one bit for each piece of the array, and the pieces that changed, in order. So the receiver always has
the exact array. The test is a comparison of all bytes: it needs no knowledge of rules, tiles or ports.
"""

from __future__ import annotations

import numpy as np

PIECE = 256
"""The bytes of a piece; a bit for each is 1/2048 of the array."""

_NOTHING, _PIECES = 0, 1

UNCHANGED = np.array([_NOTHING], np.uint8)
"""The message of an array that has not changed, (1,) uint8."""


class Sender:
    """The sender's side of an array.

    Args:
        size: the bytes of the array.
    """

    def __init__(self, size: int) -> None:
        self._last = _pieces(size)

    def message(self, array: np.ndarray) -> np.ndarray:
        """The message from which the receiver restores an array, (bytes,) uint8; a new array of uint8."""
        coming = _pieces(array.size)
        coming.reshape(-1)[: array.size] = array
        changed = (coming.view(np.uint64) != self._last.view(np.uint64)).any(axis=1)
        self._last = coming
        if not changed.any():
            return UNCHANGED
        return np.concatenate([np.array([_PIECES], np.uint8), np.packbits(changed), coming[changed].reshape(-1)])


class Receiver:
    """A receiver's side of an array.

    Args:
        size: the bytes of the array.
    """

    def __init__(self, size: int) -> None:
        self._size, self._last = size, _pieces(size)

    @property
    def longest(self) -> int:
        """The bytes of the longest message."""
        return 1 + -(-len(self._last) // 8) + self._last.size

    def array(self, message: np.ndarray) -> np.ndarray:
        """The array after a message, (bytes,) uint8. The array is overwritten by the next message."""
        if message[0] == _PIECES:
            count = len(self._last)
            bits = -(-count // 8)
            changed = np.unpackbits(message[1 : 1 + bits], count=count).astype(bool)
            self._last[changed] = message[1 + bits :].reshape(-1, PIECE)
        return self._last.reshape(-1)[: self._size]


def _pieces(size: int) -> np.ndarray:
    """Zeros for so many bytes, in whole pieces: (pieces, PIECE) uint8."""
    return np.zeros((-(-size // PIECE), PIECE), np.uint8)
