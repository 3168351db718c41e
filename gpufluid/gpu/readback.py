"""Readback of textures to the host: at once or late without a stall, the whole texture or a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import moderngl
import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.gpu.buffer_textures import BufferTexture
from gpufluid.gpu.device import Device
from gpufluid.gpu.growing import GrowingBuffer
from gpufluid.gpu.textures import FORMATS, FlatTexture, PlaneTexture, bands, layers_of

DEEP = 3
"""Default number of buffers in a ring: one is requested, one is being written, one is ready to read."""

Window = tuple[int, int, int, int]
"""Column and row of the top left texel, width and height in texels."""

Label = TypeVar("Label")


class Readback:
    """Reads textures of one size and format into one array.

    The array is reused, because a new array for each read is about nine times as slow.

    Args:
        width, height: of a layer, in texels.
        image: the GLSL image format.
        layers: the number of layers.
    """

    def __init__(self, width: int, height: int, image: str, layers: int = 1) -> None:
        self._image = image
        self._array = np.empty(_shape(image, width, layers * height), FORMATS[image][2])

    def read(self, texture: PlaneTexture) -> np.ndarray:
        """Read the texels of a texture; waits until the device has done all earlier work.

        Returns: (layers * height, width[, components]) of the type that `FORMATS` gives the format, such as uint32. The
            next read overwrites the array.
        """
        height = texture.height
        for number, layer in enumerate(layers_of(texture)):
            self._read(layer, self._array[number * height : (number + 1) * height])
        return self._array

    def _read(self, texture: FlatTexture, into: np.ndarray) -> None:
        """Read a texture without layers; ``into``: (height, width[, components]) of the type of the format."""
        parts = bands(texture.height, into.nbytes)
        if len(parts) == 1 or isinstance(texture, BufferTexture):
            texture.read_into(into, alignment=1)
            return
        components, kind, _ = FORMATS[self._image]
        framebuffer = texture.ctx.framebuffer(texture)
        for first, rows in parts:
            band = into[first : first + rows]
            framebuffer.read_into(band, (0, first, texture.width, rows), components, dtype=kind, alignment=1)
        framebuffer.release()


class WindowCopies:
    """Copies rectangles of textures of one format through a framebuffer for each texture.

    OpenGL reads part of a texture only through a framebuffer, but any part of a buffer. Framebuffers are kept, so the
    textures must not be released before this object.
    """

    def __init__(self, device: Device, image: str) -> None:
        self._device, self._image = device, image
        self._framebuffers: dict[moderngl.Texture, moderngl.Framebuffer] = {}

    def copy(self, texture: FlatTexture, window: Window, into: np.ndarray | moderngl.Buffer, offset: int = 0) -> None:
        """Copy texels as they are now. A copy into a buffer on the device does not wait for the device.

        Args:
            texture: of this format, at least as large as the window reaches.
            window: the part of the texture to copy.
            into: a buffer, or an array (height, width[, components]) of the type of the format, such as uint32.
            offset: the position of the first texel in ``into``, in bytes.
        """
        if isinstance(texture, BufferTexture):
            texture.copy(window, into, offset)
            return
        if texture not in self._framebuffers:
            self._framebuffers[texture] = self._device.context.framebuffer(texture)
        components, kind, _ = FORMATS[self._image]
        self._framebuffers[texture].read_into(into, window, components, dtype=kind, alignment=1, write_offset=offset)

    def release(self) -> None:
        """Release the framebuffers."""
        for framebuffer in self._framebuffers.values():
            framebuffer.release()
        self._framebuffers.clear()


class BufferRing(Generic[Label]):
    """Buffers on the device that are filled in turn. Each is read some turns later, when the device has written it.

    Args:
        device: the device that holds them.
        deep: number of buffers: each is returned `deep - 1` turns after it was filled.
    Raises: UsageError: fewer than two buffers.
    """

    def __init__(self, device: Device, deep: int = DEEP) -> None:
        if deep < 2:
            raise UsageError(f"deep: {deep}; expected 2 buffers or more, else each read would wait")
        self._buffers = [GrowingBuffer(device, "texels", in_shaders=False) for _ in range(deep)]
        self._labels: list[Label | None] = [None] * deep
        self._turn = 0

    def buffer(self, size: int) -> moderngl.Buffer:
        """The buffer to fill next, with at least ``size`` bytes."""
        return self._buffers[self._turn].reserve(size)

    def turn(self, label: Label) -> tuple[Label, moderngl.Buffer] | None:
        """End a turn: the buffer of `buffer` is filled, and the next one becomes the one to fill.

        Args:
            label: returned with the buffer later, such as its tick.
        Returns: the label and buffer that were filled first of all; None until all buffers have been filled.
        """
        self._labels[self._turn] = label
        self._turn = (self._turn + 1) % len(self._buffers)
        oldest = self._labels[self._turn]
        return None if oldest is None else (oldest, self._buffers[self._turn].reserve(0))

    def forget(self) -> None:
        """Forget what was filled: the next turns return None, as the first ones."""
        self._labels = [None] * len(self._buffers)

    def release(self) -> None:
        """Give the memory back."""
        for buffer in self._buffers:
            buffer.release()


class LateReadback:
    """Reads textures of one format without waiting: each result comes some requests later.

    Each request copies texels into a buffer of a ring on the device. Only the oldest buffer is read: by then the
    device has written it.

    Args:
        device: the device that holds the textures.
        image: their GLSL image format.
        copies: makes the copies of windows.
        deep: buffers of the ring: a result comes `deep - 1` requests later.
    Raises: UsageError: fewer than two buffers.
    """

    def __init__(self, device: Device, image: str, copies: WindowCopies, deep: int = DEEP) -> None:
        self._image, self._copies = image, copies
        self._ring: BufferRing[tuple[int, tuple[int, ...]]] = BufferRing(device, deep)
        self._array = np.empty(0, FORMATS[image][2])

    def request(self, texture: PlaneTexture, label: int, window: Window | None = None) -> tuple[int, np.ndarray] | None:
        """Request texels as they are now, and return those of the oldest request.

        Args:
            texture: the texture to copy.
            label: returned with the texels, such as their tick.
            window: the part of each layer to copy; None: all of it. Each request can have another window.
        Returns: (label, array), the array (layers * height, width[, components]) of the type of the format, such as
            uint32; None until there are enough requests. The next request overwrites the array.
        """
        layers = layers_of(texture)
        width, height = texture.size if window is None else window[2:]
        shape = _shape(self._image, width, len(layers) * height)
        size = int(np.prod(shape)) * self._array.itemsize
        buffer = self._ring.buffer(size)
        for layer, offset in zip(layers, range(0, size, size // len(layers)), strict=True):
            if window is None and len(layers) == 1:
                layer.read_into(buffer, alignment=1)
            else:
                self._copies.copy(layer, window or (0, 0, width, height), buffer, offset)
        return self._answer(self._ring.turn((label, shape)))

    def _answer(
        self, oldest: tuple[tuple[int, tuple[int, ...]], moderngl.Buffer] | None
    ) -> tuple[int, np.ndarray] | None:
        if oldest is None:
            return None
        (label, shape), buffer = oldest
        texels = int(np.prod(shape))
        if texels > self._array.size:
            self._array = np.empty(texels, self._array.dtype)
        found = self._array[:texels]
        buffer.read_into(found, texels * found.itemsize)
        return label, found.reshape(shape)

    def forget(self) -> None:
        """Forget all requests: the next ones return None, as the first ones."""
        self._ring.forget()

    def release(self) -> None:
        """Give the memory back."""
        self._ring.release()


@contextmanager
def together(forget: Callable[[], None]) -> Iterator[None]:
    """Make several late requests that belong together: if one fails, ``forget`` is called.

    Otherwise those made before the one that failed would be ahead of it, and later results would mix two moments.
    """
    try:
        yield
    except BaseException:
        forget()
        raise


def _shape(image: str, width: int, height: int) -> tuple[int, ...]:
    """The shape of an array for a texture: (height, width[, components])."""
    components = FORMATS[image][0]
    return (height, width) if components == 1 else (height, width, components)
