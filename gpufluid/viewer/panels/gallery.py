"""Pictures of the scenes that come with gpufluid, drawn one after another while somebody looks."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from gpufluid.errors import GpufluidError
from gpufluid.gpu.textures import make_texture
from gpufluid.loading import load_scene
from gpufluid.scene import headings
from gpufluid.simulation import Simulation

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.viewer.imgui_renderer import ImguiRenderer

_WIDTH, _HEIGHT = 320, 200
"""A picture is averaged to about this many pixels."""

_TICKS = 80
"""So long a scene runs before its picture is taken: what only comes in time is then there."""

_BUDGET = 0.008
"""Seconds of a frame that go into a picture."""


@dataclass
class Card:
    """A scene, and its picture once it is drawn.

    Args:
        name, title, about, path: of the scene.
        picture: as imgui shows it.
        size: of the picture, in pixels.
        problem: why there is no picture.
    """

    name: str
    title: str
    about: str
    path: str
    picture: imgui.ImTextureRef | None = None
    size: tuple[int, int] = (1, 1)
    problem: str = ""


class Gallery:
    """Cards of all scenes that come with gpufluid.

    Args:
        device: where their pictures are drawn.
        renderer: what shows them.
    """

    def __init__(self, device: Device, renderer: ImguiRenderer) -> None:
        self.cards = [Card(**heading) for heading in headings()]
        self._device, self._renderer = device, renderer
        self._running: tuple[Card, Simulation] | None = None

    def work_on(self, card: Card) -> None:
        """Spend some milliseconds on the picture that is being drawn, or begin with this one."""
        try:
            if self._running is None:
                world = load_scene(card.path, max_side=self._device.max_side).world
                self._running = card, Simulation(world, self._device)
                return
            card, simulation = self._running
            end = time.monotonic() + _BUDGET
            while simulation.tick < _TICKS and time.monotonic() < end:
                simulation.step()
                simulation.finish()
            if simulation.tick >= _TICKS:
                self._keep(card, simulation)
        except GpufluidError as error:
            card.problem = str(error)
            self.close()

    def close(self) -> None:
        """Give the memory of a picture half done back; the renderer keeps those that are done."""
        if self._running is not None:
            self._running[1].close()
            self._running = None

    def _keep(self, card: Card, simulation: Simulation) -> None:
        world = simulation.laws
        cells = max(-(-world.width // _WIDTH), -(-world.height // _HEIGHT))
        frame = simulation.frame("1/" + str(min(cells, 64)) if cells > 1 else 1)
        texels = np.dstack([frame, np.full(frame.shape[:2], 255, np.uint8)])
        texture = make_texture(self._device, frame.shape[1], frame.shape[0], "rgba8", texels)
        card.picture, card.size = self._renderer.shown(texture), (frame.shape[1], frame.shape[0])
        self.close()
