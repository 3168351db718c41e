"""Frame pacing: limits the time that a frame spends on ticks and on drawing, so that large worlds stay responsive."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.render.look import Look
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer.camera import Camera

if TYPE_CHECKING:
    import moderngl

TICK_BUDGET = 0.009
"""Seconds of a frame for ticks. A longer tick is spread over frames: each runs the passes that fit, at least one."""

DRAW_BUDGET = 0.008
"""Seconds of a frame for drawing the world. A longer drawing is split into bands of rows, a few for each frame."""

SLOW_TICK = 0.05
"""Seconds. If a tick takes longer, strokes wait for its end: to finish it at once would block the window."""

_KEEP_TICKS = 60
_KEEP_SHARE = 50
"""A world is stored for rewinding if at least `_KEEP_TICKS` ticks have run since the last stored one, and if the time
since then is more than `_KEEP_SHARE` times as long as it took to store that one."""

_BANDS = 16


class Pacing:
    """Recent times of ticks and drawing, and the work that they allow in the next frame."""

    def __init__(self) -> None:
        self._tick_seconds = TICK_BUDGET  # an assumption until the first tick is measured
        self._spent = 0.0  # on the tick in progress
        self._draw_seconds = 0.0
        self._next_band = 0
        self._bands_left = _BANDS  # to be drawn until the picture shows the state of `_drawn`
        self._drawn: tuple[object, ...] = ()
        self._texture: moderngl.Texture | None = None
        self._kept_tick, self._kept_at, self._keeping = 0, 0.0, 0.0
        self._input_first = False

    @property
    def is_slow(self) -> bool:
        """True if the last tick, or the one in progress, has taken longer than `SLOW_TICK`."""
        return max(self._tick_seconds, self._spent) > SLOW_TICK

    @property
    def drawn_whole(self) -> bool:
        """True if the last picture has all its bands; a later one of the same view would be the same."""
        return self._bands_left <= 0

    def prioritise_input(self) -> None:
        """Make the next frame as short as possible, because the user pressed a key: no slow tick, one band."""
        self._input_first = True

    def run(self, sim: Workbench, due: int | None, at_once: Callable[[], int], between: Callable[[], None]) -> int:
        """Run the ticks due, as far as the frame's time allows.

        Args:
            sim: the world.
            due: the number of ticks; None: unlimited.
            at_once: returns the number of ticks after which ``between`` must be called; 0: no tick may run now.
            between: called after ticks have run.
        Returns: the number of ticks that ran.
        """
        if self._input_first and self._tick_seconds > TICK_BUDGET:
            return 0
        wanted = due if due is not None else 1 << 30
        began, ran = time.perf_counter(), 0
        while ran < wanted and time.perf_counter() - began < TICK_BUDGET:
            most = min(wanted - ran, at_once())
            if most == 0:
                break
            left = TICK_BUDGET - (time.perf_counter() - began)
            if self._tick_seconds > TICK_BUDGET / 4:
                start = time.perf_counter()
                done = sim.step_within(1, left)
                self._spent += time.perf_counter() - start
                if done:
                    self._tick_seconds, self._spent = self._spent, 0.0
                    ran += done
                    between()
                    if self._tick_seconds > TICK_BUDGET:
                        break  # between long ticks, where a read of the world need not finish one first
                continue
            batch = min(most, max(1, int(left / 2 / max(self._tick_seconds, 1e-5))))
            batch = min(batch, max(1, COUNT_LIMIT - sim.tick))
            start = time.perf_counter()
            sim.step(batch)
            sim.finish()
            self._tick_seconds = (time.perf_counter() - start) / batch
            ran += batch
            between()
        return ran

    def worth_keeping(self, tick: int) -> bool:
        """True if the world is to be stored at this tick for rewinding."""
        if tick < self._kept_tick:
            self._kept_tick = tick
        waited = time.perf_counter() - self._kept_at
        return tick - self._kept_tick >= _KEEP_TICKS and waited > _KEEP_SHARE * self._keeping

    def kept(self, tick: int, seconds: float) -> None:
        """Record that the world at a tick was stored, and the seconds that storing took."""
        self._kept_tick, self._kept_at, self._keeping = tick, time.perf_counter(), seconds

    def draw(self, sim: Workbench, camera: Camera, overlay: str | None, look: Look) -> moderngl.Texture:
        """Draw the camera's view, or only the next bands of it if the whole takes too long.

        A view that already shows the last finished tick and the last edit is not drawn again.

        Returns: the texture, of the camera's `drawn_size`.
        """
        size = camera.drawn_size
        seen = (sim, camera.scale, camera.offset, size, overlay, look, sim.state_number)
        if seen != self._drawn:
            self._bands_left = _BANDS
        elif self._bands_left <= 0 and self._texture is not None:
            self._input_first = False
            return self._texture
        # A new simulation, window size, overlay or look: a new texture, or shaders still to be compiled.
        new = self._drawn[:1] != seen[:1] or self._drawn[3:6] != seen[3:6]
        if self._draw_seconds <= DRAW_BUDGET or new:
            bands, self._next_band = _BANDS, 0
        else:
            bands = 1 if self._input_first else max(1, int(_BANDS * DRAW_BUDGET / self._draw_seconds))
        self._drawn, self._input_first = seen, False
        first = size[1] * self._next_band // _BANDS
        last = min(self._next_band + bands, _BANDS)
        began = time.perf_counter()
        rows = first, size[1] * last // _BANDS
        self._bands_left -= last - self._next_band
        texture = self._texture = sim.view(camera.scale, camera.offset, size, overlay, rows, look)
        sim.device.finish()
        if not new:  # bands differ in cost: the estimate decays slowly from the most expensive band
            seconds = (time.perf_counter() - began) * _BANDS / max(last - self._next_band, 1)
            self._draw_seconds = max(seconds, 0.95 * self._draw_seconds)
        self._next_band = last % _BANDS
        return texture
