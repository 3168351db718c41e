"""A copy of one texture into another by a compute shader: the upper limit for the speed of passes."""

from __future__ import annotations

import numpy as np

from gpufluid.core.errors import DeviceError
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.images import Image
from gpufluid.gpu.textures import FORMATS, bytes_a_texel, make_texture

_TEST_VALUE = 7
"""A value written into a corner of the first texture; after a copy the second texture must have it there."""


class Copy:
    """Two textures of one size and format, and a dispatch that copies the first into the second.

    Args:
        device: the device that holds them.
        size: (width, height) in texels.
        image: their GLSL image format.
    """

    def __init__(self, device: Device, size: tuple[int, int], image: str) -> None:
        self._device, self._size, self._image = device, size, image
        self._programs: dict[tuple[int, int], Program] = {}
        self._textures = [make_texture(device, *size, image)]
        try:
            self._textures.append(make_texture(device, *size, image))
            device.check_memory()
        except BaseException:
            self.release()
            raise

    @property
    def bytes(self) -> int:
        """Bytes that one copy reads and writes: each texel is read once and written once."""
        return 2 * self._size[0] * self._size[1] * bytes_a_texel(self._image)

    def run(self, strip: tuple[int, int] = (1, 1)) -> None:
        """Queue a copy in which each invocation copies ``strip``, (columns, rows) of texels."""
        if strip not in self._programs:
            self._programs[strip] = self._program(strip)
        invocations = -(-self._size[0] // strip[0]), -(-self._size[1] // strip[1])
        self._programs[strip].dispatch(invocations, self._textures, {})

    def _program(self, strip: tuple[int, int]) -> Program:
        images = [Image("copy", self._image, "readonly", "old"), Image("copy", self._image, "writeonly", "new")]
        texts = {"generated/strip.glsl": f"const int STRIP_WIDTH = {strip[0]};\nconst int STRIP_HEIGHT = {strip[1]};\n"}
        return Program(self._device, "benchmark/copy.comp", images, self._device.group_size, texts)

    def check(self) -> None:
        """Raise DeviceError unless a copy works: a device that was lost or reset does nothing and reports no error."""
        components, kind, dtype = FORMATS[self._image]
        texel = np.full((1, 1, components), _TEST_VALUE, dtype)
        self._textures[0].write(texel, (0, 0, 1, 1), alignment=1)
        self.run()
        found = np.zeros_like(texel)
        framebuffer = self._device.context.framebuffer(self._textures[1])
        framebuffer.read_into(found, (0, 0, 1, 1), components, dtype=kind, alignment=1)
        framebuffer.release()
        if self._device.context.error != "GL_NO_ERROR" or not (found == _TEST_VALUE).all():
            raise DeviceError(f"{self._device.renderer} no longer computes: its driver was reset, or its context lost")

    def release(self) -> None:
        """Release the textures."""
        for texture in self._textures:
            texture.release()
