"""Pictures of the worlds of a batch: each world is copied to textures of its own and drawn from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import ArrayTexture, layer_counts, make_plane
from gpufluid.render.painter import Painter, find_overlay
from gpufluid.render.settings import PictureSettings
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl


class BatchDrawing:
    """Draws worlds of a batch, one after the other.

    Args:
        device: the device; it must be current in all calls.
        blank: a world of the same laws; its seed is set to that of the world that is drawn.
    """

    def __init__(self, device: Device, blank: World) -> None:
        self._device, self._blank = device, blank.blank()
        layers, size = layer_counts(blank), (blank.width, blank.height)
        self._textures = {plane.name: make_plane(device, plane, size, layers[plane.name]) for plane in blank.planes}
        self._painter = Painter(device, self._blank, generated.for_world(blank), _no_tiles)

    @property
    def textures(self) -> Mapping[str, moderngl.Texture | ArrayTexture]:
        """The textures from which the next picture is drawn, by plane."""
        return self._textures

    def check(self, settings: PictureSettings) -> None:
        """Raise UsageError: settings by which no picture of a batch can be drawn."""
        settings.layout((self._blank.width, self._blank.height), self._device.max_side)
        if settings.overlay is not None:
            overlay = find_overlay(self._blank, settings.overlay)
            if overlay.lines or overlay.takes:
                raise UsageError(
                    f"overlay: {settings.overlay!r} shows more than the state, which a batch does not keep"
                )

    def frame(self, tick: int, seed: int, settings: PictureSettings) -> np.ndarray:
        """Draw the world in `textures`, of that tick and seed: (height, width, 3) uint8, sRGB."""
        if self._blank.seed != seed:
            self._blank.laws = replace(self._blank.laws, seed=seed)
        self._painter.tick = tick
        layout = settings.layout((self._blank.width, self._blank.height), self._device.max_side)
        return self._painter.draw(dict(self._textures), settings, layout)

    def release(self) -> None:
        """Release the textures."""
        self._painter.release()
        for texture in self._textures.values():
            texture.release()


def _no_tiles(*_: object) -> NoReturn:
    raise UsageError("overlay: 'tiles' is not drawn in a batch")  # `BatchDrawing.check` has refused it before
