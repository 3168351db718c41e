"""Recording of a film in real time while the viewer runs."""

from __future__ import annotations

import math
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.render.film import FILM_ENDINGS, Film
from gpufluid.render.look import Look
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World

FRAMES_A_SECOND = 30

FILM_SIDE = 1280
"""Longest side of a film, in pixels; the film's scale is the largest that fits."""


class Recorder:
    """A film being recorded.

    Args:
        sim: shown in the first frame.
        overlay: name of the overlay to draw, or None.
        look: the choices of the plain picture.
        path: of the film, ending in ``.mp4`` or ``.gif``.
    Raises: UsageError: another ending. OutputError: the file cannot be created.
    """

    def __init__(self, sim: Simulation, overlay: str | None, look: Look, path: Path) -> None:
        if path.suffix.lower() not in FILM_ENDINGS:
            raise UsageError(f"{path}: expected a film's name ending in {' or '.join(FILM_ENDINGS)}")
        self.path = path
        self._size = sim.blank.width, sim.blank.height
        self._scale = film_scale(max(self._size))
        first = sim.frame(self._scale, overlay, tint=look.tint)
        self._stack = ExitStack()
        film = Film(path, first.shape[1], first.shape[0], FRAMES_A_SECOND, keep_part=True)
        self._film = self._stack.enter_context(film)
        self._film.add(first)
        self._due: float | None = None

    def shows(self, world: World) -> bool:
        """Whether the film can go on with a world: it has the size of the film's first world."""
        return (world.width, world.height) == self._size

    def update(self, sim: Simulation, overlay: str | None, look: Look, now: float) -> None:
        """Add the frames due at time `now` (s). The world has the size of the first one, see `shows`.

        Raises: OutputError: the disk is full. The film up to here can be played once it is stopped.
        """
        self._due = now if self._due is None else self._due
        if now < self._due:
            return
        frame: np.ndarray = sim.frame(self._scale, overlay, tint=look.tint)
        while now >= self._due:  # a window slower than the film adds a frame several times
            self._due += 1 / FRAMES_A_SECOND
            self._film.add(frame)

    def stop(self) -> None:
        """Finish the film. Raises: OutputError: the film could not be written."""
        self._stack.close()


def film_scale(longest: int) -> str:
    """The largest scale at which a world of this longer side, in cells, fits in a film, as for `Simulation.frame`."""
    if longest > FILM_SIDE:
        return f"1/{min(math.ceil(longest / FILM_SIDE), 64)}"
    return str(min(FILM_SIDE // longest, 8))
