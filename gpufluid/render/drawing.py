"""Drawing of a running simulation: pictures of the whole world, and the view of a window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Uniform
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.textures import PlaneTexture
from gpufluid.gpu.trace import Trace
from gpufluid.render.painter import Painter, Subject, find_overlay
from gpufluid.render.scale import Scale
from gpufluid.render.settings import Layout, PictureSettings
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl


class ShownPasses(Protocol):
    """The data of a simulation's passes that overlays show."""

    @property
    def scratch(self) -> Mapping[str, moderngl.Texture]:
        """The passes' scratch textures by name."""
        ...

    def outline_tiles(self, tick: int, picture: moderngl.Texture, uniforms: Mapping[str, Uniform]) -> None:
        """Draw a rectangle around each tile into a picture, before the tick of this number."""


class Drawing:
    """Draws the state of a simulation. The shaders are compiled when the first picture is drawn.

    Args:
        device: runs the simulation.
        world: gives the laws; its arrays are not used.
        texts: the world's generated includes, by name.
        planes: the state.
        trace: the moves of the last tick; None if the simulation does not record them.
        passes: what overlays show of the passes.
    """

    def __init__(
        self,
        device: Device,
        world: World,
        texts: Mapping[str, str],
        planes: PlaneTextures,
        trace: Trace | None,
        passes: ShownPasses,
    ) -> None:
        self._device, self._world, self._texts = device, world, texts
        self._planes, self._trace, self._passes = planes, trace, passes
        self._painter: Painter | None = None

    def frame(self, tick: int, settings: PictureSettings) -> np.ndarray:
        """A picture, (height, width, 3) uint8, sRGB; see `Simulation.frame`."""
        layout = self.layout(settings)
        return self._at(tick).draw(self._drawn(settings.overlay), settings, layout)

    def view(
        self,
        tick: int,
        scale: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        subject: Subject,
        rows: tuple[int, int] | None,
    ) -> moderngl.Texture:
        """See `Workbench.view`."""
        return self._at(tick).view(self._drawn(subject.overlay), scale, offset, size, subject, rows)

    def layout(self, settings: PictureSettings) -> Layout:
        """Lay out a picture. Raises: UsageError: bad settings, or a picture over the device's texture size."""
        return settings.layout((self._world.width, self._world.height), self._device.max_side)

    def release(self) -> None:
        """Release the textures."""
        if self._painter is not None:
            self._painter.release()

    def _at(self, tick: int) -> Painter:
        if self._painter is None:
            self._painter = Painter(self._device, self._world, self._texts, self._passes.outline_tiles)
        self._painter.tick = tick
        return self._painter

    def _drawn(self, overlay: str | None) -> dict[str, PlaneTexture]:
        """The textures that a picture is drawn from, by name."""
        planes: dict[str, PlaneTexture] = {**self._passes.scratch, **self._planes.textures()}
        if overlay is not None and find_overlay(self._world, overlay).traces:
            if self._trace is None:
                raise UsageError(f"overlay: {overlay!r} needs Simulation(world, trace=True), in a world of rule atoms")
            planes["trace"] = self._trace.texture
        return planes
