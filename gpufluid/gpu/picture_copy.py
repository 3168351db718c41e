"""`PictureCopy`: shows in one context the pictures that another device draws. Contexts of two devices share nothing."""

from __future__ import annotations

import moderngl

from gpufluid.gpu.device import Device


class PictureCopy:
    """A texture of one device, into which pictures of another one are copied through the machine's memory.

    Args:
        device: the device that shows the pictures. It must outlive this object, whose texture it holds.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._texture: moderngl.Texture | None = None

    def of(self, picture: moderngl.Texture, device: Device) -> moderngl.Texture:
        """A texture of `device` with the content of a picture.

        Args:
            picture: an rgba8 texture.
            device: the device that has drawn it.
        """
        with device:
            texels = picture.read(alignment=1)
        with self._device:
            if self._texture is None or self._texture.size != picture.size:
                self.release()
                self._texture = self._device.context.texture(picture.size, picture.components, alignment=1)
            self._texture.write(texels, alignment=1)
        return self._texture

    def release(self) -> None:
        """Release the texture; the device's context must still exist."""
        texture, self._texture = self._texture, None
        if texture is not None:
            with self._device:
                texture.release()
