"""Pictures of the scenes that come with gpufluid, drawn one after another while the scenes page is open."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from gpufluid.core.errors import GpufluidError
from gpufluid.core.interrupts import held_back
from gpufluid.gpu.textures import make_texture
from gpufluid.io.loading import load_scene
from gpufluid.runtime.simulation import Simulation
from gpufluid.scene import Scene, headings

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.gpu.imgui_renderer import ImguiRenderer

_WIDTH, _HEIGHT = 320, 200
"""Approximate size of a picture, in pixels."""

_TICKS = 80
"""Number of ticks that a scene runs before its picture is taken, so that the picture shows its action."""

_BUDGET, _SPENT_MOST = 0.012, 0.2
"""Seconds spent on a picture in one frame, and in all frames; a large world is drawn before its tick `_TICKS`."""


@dataclass
class Card:
    """A scene and its picture.

    Args:
        name, title, about, path: of the scene.
        picture: imgui's texture reference; None until the picture is drawn.
        size: (width, height) of the picture, in pixels.
        problem: the error that prevented the picture; empty if none.
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
        device: draws the pictures.
        renderer: shows the pictures.
    """

    def __init__(self, device: Device, renderer: ImguiRenderer) -> None:
        self.cards = [Card(found["name"], found["title"], found["about"], found["path"]) for found in headings()]
        self._device, self._renderer = device, renderer
        self._reader = ThreadPoolExecutor(1, "scenes")
        self._read: tuple[Card, Future[Scene]] | None = None
        self._running: tuple[Card, Simulation] | None = None
        self._spent = 0.0

    def work_on(self, card: Card) -> None:
        """Spend some milliseconds on the picture in progress; if there is none, begin the picture of this card."""
        at_work = self._running or self._read
        card = card if at_work is None else at_work[0]
        try:
            if self._running is not None:
                self._run(*self._running)
            elif self._read is None:
                with held_back():  # a thread that an interrupt leaves half started would never end
                    self._read = card, self._reader.submit(load_scene, card.path, max_side=self._device.max_side)
            elif self._read[1].done():
                scene, self._read, self._spent = self._read[1].result(), None, 0.0
                self._running = card, Simulation(scene.world, self._device)
        except GpufluidError as error:
            card.problem = str(error)
            self._stop()

    def close(self) -> None:
        """Stop drawing; finished pictures stay with the renderer."""
        self._reader.shutdown(cancel_futures=True)
        self._stop()

    def _stop(self) -> None:
        if self._running is not None:
            self._running[1].close()
        self._running = self._read = None

    def _run(self, card: Card, simulation: Simulation) -> None:
        began = time.monotonic()
        while simulation.tick < _TICKS and time.monotonic() - began < _BUDGET:
            simulation.step()
            simulation.finish()
        self._spent += time.monotonic() - began
        if simulation.tick >= _TICKS or self._spent > _SPENT_MOST:
            self._finish(card, simulation)

    def _finish(self, card: Card, simulation: Simulation) -> None:
        world = simulation.blank
        cells = max(-(-world.width // _WIDTH), -(-world.height // _HEIGHT))
        frame = simulation.frame("1/" + str(min(cells, 64)) if cells > 1 else 1)
        texels = np.dstack([frame, np.full(frame.shape[:2], 255, np.uint8)])
        with self._device:
            texture = make_texture(self._device, frame.shape[1], frame.shape[0], "rgba8", texels)
        card.picture, card.size = self._renderer.shown(texture), (frame.shape[1], frame.shape[0])
        self._stop()
