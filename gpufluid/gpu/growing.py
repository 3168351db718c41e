"""Buffers on the device that are replaced by larger ones when their content needs more room."""

from __future__ import annotations

import moderngl

from gpufluid.core.errors import DeviceError
from gpufluid.core.memory import in_units
from gpufluid.gpu.device import Device

_BUFFERS = 4
"""Buffers of a `SentContent`, which waits for the device once in so many writes."""

_LEAST_SENT = 4096
"""Bytes of each at first."""


class GrowingBuffer:
    """A buffer that is made when it is first needed.

    A larger one is at least twice as large as the one before, if the limit allows it, so that few are made.

    Args:
        device: the device that holds it.
        holds: the words for its content, a plural, in messages.
        least: the size of the first buffer, in bytes, if no more is needed.
        in_shaders: whether shaders use it, so that it can be no larger than a storage buffer of the device.
    """

    def __init__(self, device: Device, holds: str, least: int = 0, in_shaders: bool = True) -> None:
        self._device, self._holds = device, holds
        self._least, self._in_shaders = least, in_shaders
        self._buffer: moderngl.Buffer | None = None

    @property
    def size(self) -> int:
        """Bytes of the present buffer; 0: none has been made."""
        return 0 if self._buffer is None else self._buffer.size

    def check(self, size: int) -> None:
        """Raise DeviceError if no shader of the device can use ``size`` bytes in one buffer."""
        most = self._device.storage_bytes
        if self._in_shaders and size > most:
            limit = f"expected at most {in_units(most)} ({self._device.renderer})"
            raise DeviceError(f"{self._holds} take {in_units(size)} in one buffer; {limit}")

    def reserve(self, size: int) -> moderngl.Buffer:
        """The buffer, with room for at least ``size`` bytes. What it held is lost if it has to be replaced.

        Raises: DeviceError: there is too little memory, or as `check`. Then the old buffer stays.
        """
        if self._buffer is None or self._buffer.size < size:
            self.check(size)
            wanted = 2 * self.size or self._least
            wanted = min(wanted, self._device.storage_bytes) if self._in_shaders else wanted
            larger = self._device.buffer(max(size, wanted))
            self.release()
            self._buffer = larger
        return self._buffer

    def release(self) -> None:
        """Give the memory back; the next use makes a buffer again."""
        if self._buffer is not None:
            self._buffer.release()
            self._buffer = None


class SentContent:
    """Content that the host writes again and again, for shaders that only read it.

    Writes go to four buffers in turn. Before a buffer is written again, the host waits for the device: NVIDIA's driver
    580.159 overwrites a buffer that shaders only read while an earlier dispatch has still to read it.

    Args:
        device: the device that holds them.
        holds: the words for the content, a plural, in messages.
    """

    def __init__(self, device: Device, holds: str) -> None:
        self._device = device
        self._buffers = [GrowingBuffer(device, holds, least=_LEAST_SENT) for _ in range(_BUFFERS)]
        self._written = 0

    @property
    def size(self) -> int:
        """Bytes of the largest buffer; 0: none has been made."""
        return max(buffer.size for buffer in self._buffers)

    def reserve(self, size: int, writes: int = 1) -> None:
        """Make room for the next writes, each of at most ``size`` bytes. Raises: as `GrowingBuffer.reserve`."""
        for number in range(min(writes, _BUFFERS)):
            self._buffers[(self._written + number) % _BUFFERS].reserve(size)

    def write(self, content: bytes) -> moderngl.Buffer:
        """Return a buffer that begins with ``content``, valid until four further writes. Raises: as `reserve`."""
        if self._written and self._written % _BUFFERS == 0:
            self._device.finish()
        buffer = self._buffers[self._written % _BUFFERS].reserve(len(content))
        buffer.write(content)
        self._written += 1
        return buffer

    def release(self) -> None:
        """Give the memory back; the next use makes buffers again."""
        for buffer in self._buffers:
            buffer.release()
