"""A film of what is going on, in real time, made while it is watched."""

from __future__ import annotations

import math
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.render.film import FILM_ENDINGS, Film
from gpufluid.runtime.simulation import Simulation

FRAMES_A_SECOND = 30

FILM_SIDE = 1280
"""Pixels: a film's scale is the largest at which neither side is longer."""


class Recorder:
    """A film that grows as time goes by.

    Args:
        sim: whose world it shows first.
        overlay: drawn over it, or None.
        path: an ``.mp4`` or ``.gif``.
    Raises: UsageError: another ending. OutputError: it cannot be begun.
    """

    def __init__(self, sim: Simulation, overlay: str | None, path: Path) -> None:
        if path.suffix.lower() not in FILM_ENDINGS:
            raise UsageError(f"{path}: a film's name ends in {' or '.join(FILM_ENDINGS)}")
        self.path = path
        self._scale = film_scale(max(sim.laws.width, sim.laws.height))
        first = sim.frame(self._scale, overlay)
        self._stack = ExitStack()
        film = Film(path, first.shape[1], first.shape[0], FRAMES_A_SECOND, keep_part=True)
        self._film = self._stack.enter_context(film)
        self._film.add(first)
        self._shape = first.shape
        self._due: float | None = None

    def look(self, sim: Simulation, overlay: str | None, now: float) -> None:
        """Take a frame at a time in seconds, if one is due; a world of another size is not filmed.

        Raises: OutputError: the disk is full. What there is of the film can be played once it is stopped.
        """
        self._due = now if self._due is None else self._due
        if now < self._due:
            return
        frame: np.ndarray = sim.frame(self._scale, overlay)
        while now >= self._due:  # several times where the window is slower than the film
            self._due += 1 / FRAMES_A_SECOND
            if frame.shape == self._shape:
                self._film.add(frame)

    def stop(self) -> None:
        """End the film. Raises OutputError: it could not be written."""
        self._stack.close()


def film_scale(longest: int) -> str:
    """The largest scale at which a world whose longer side has so many cells is no larger than a film should be."""
    if longest > FILM_SIDE:
        return f"1/{min(math.ceil(longest / FILM_SIDE), 64)}"
    return str(min(FILM_SIDE // longest, 8))
