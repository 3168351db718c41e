"""How much of a frame goes into ticks and how much into drawing, so that the window answers however large the world."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gpufluid.runtime.editing import Workbench
from gpufluid.viewer.camera import Camera

if TYPE_CHECKING:
    import moderngl

TICKING = 0.009
"""Seconds of a frame for ticks. Where a tick takes longer, as many passes are run as fit, one at least."""

DRAWING = 0.008
"""Seconds of a frame for drawing the world. What takes longer is drawn in bands of rows, some a frame."""

_KEEP_TICKS = 60
_KEEP_SHARE = 50
"""A world is kept for rewinding so many ticks after the last, and not before so many times what keeping it took."""

_BANDS = 16


class Pacing:
    """What ticks and drawing took lately, and what that allows."""

    def __init__(self) -> None:
        self._tick_seconds = TICKING  # as long as nothing is known
        self._spent = 0.0  # on a tick that is not yet done
        self._draw_seconds = 0.0
        self._next_band = 0
        self._drawn: tuple[object, ...] = ()
        self._kept_tick, self._kept_at, self._keeping = 0, 0.0, 0.0
        self._answering = False

    def answer(self) -> None:
        """A key was pressed: the next frame comes as soon as it can, with as little of the world as can be."""
        self._answering = True

    def run(self, sim: Workbench, due: int | None) -> int:
        """Run the ticks that are due, as far as there is time; None: as many as there is time for."""
        if self._answering and self._tick_seconds > TICKING:
            return 0
        wanted = due if due is not None else 1 << 30
        began, ran = time.perf_counter(), 0
        while ran < wanted and time.perf_counter() - began < TICKING:
            left = TICKING - (time.perf_counter() - began)
            if self._tick_seconds > TICKING / 4:
                start = time.perf_counter()
                done = sim.step_within(1, left)
                self._spent += time.perf_counter() - start
                if done:
                    self._tick_seconds, self._spent = self._spent, 0.0
                ran += done
                continue
            batch = min(wanted - ran, max(1, int(left / 2 / max(self._tick_seconds, 1e-5))))
            start = time.perf_counter()
            sim.step(batch)
            sim.finish()
            self._tick_seconds = (time.perf_counter() - start) / batch
            ran += batch
        return ran

    def worth_keeping(self, tick: int) -> bool:
        """Whether it is time to keep a world for rewinding."""
        if tick < self._kept_tick:
            self._kept_tick = tick
        waited = time.perf_counter() - self._kept_at
        return tick - self._kept_tick >= _KEEP_TICKS and waited > _KEEP_SHARE * self._keeping

    def kept(self, tick: int, seconds: float) -> None:
        """A world was kept, which took so long."""
        self._kept_tick, self._kept_at, self._keeping = tick, time.perf_counter(), seconds

    def draw(self, sim: Workbench, camera: Camera, overlay: str | None) -> moderngl.Texture:
        """Draw what a camera sees: all of it, or, where that takes too long, the next bands."""
        height = camera.window[1]
        seen = (sim, camera.scale, camera.offset, camera.window, overlay)
        # Another texture, or shaders that are compiled first.
        new = self._drawn[:1] != seen[:1] or self._drawn[3:] != seen[3:]
        if self._draw_seconds <= DRAWING or new:
            bands, self._next_band = _BANDS, 0
        else:
            bands = 1 if self._answering else max(1, int(_BANDS * DRAWING / self._draw_seconds))
        self._drawn, self._answering = seen, False
        first = height * self._next_band // _BANDS
        last = min(self._next_band + bands, _BANDS)
        began = time.perf_counter()
        texture = sim.view(camera.scale, camera.offset, camera.window, overlay, (first, height * last // _BANDS))
        sim.device.finish()
        if not new:  # some bands cost less than others: what is known of the dearest fades slowly
            seconds = (time.perf_counter() - began) * _BANDS / max(last - self._next_band, 1)
            self._draw_seconds = max(seconds, 0.95 * self._draw_seconds)
        self._next_band = last % _BANDS
        return texture
