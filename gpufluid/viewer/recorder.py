"""Recording of a film while the viewer runs: a frame for every so many ticks, encoded in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from threading import Thread

import numpy as np

from gpufluid.core.errors import UsageError, shown
from gpufluid.render.film import FILM_ENDINGS, Film
from gpufluid.render.scale import scale_within
from gpufluid.world import World

FRAMES_A_SECOND = 30

TICKS_A_FRAME = 2
"""Default number of ticks between two frames: at 60 ticks a second the film is as fast as the window."""

TICKS_MOST = 10_000
"""Largest number of ticks between two frames."""

FILM_SIDE, SOFTWARE_FILM_SIDE = 1280, 640
"""Longest side of a frame, in pixels; the scale is the largest that fits. A video has twice as many pixels a side. The
processor cores of software OpenGL also draw and encode the film."""

_WAITING_BYTES = 1 << 26
"""Most bytes of frames that wait for the encoder, if these are at least `_WAITING_LEAST` frames."""

_WAITING_LEAST = 4


class Recorder:
    """A film being recorded. No frame is dropped: while it is `full`, no tick may run.

    Args:
        draw: draws a frame at a scale, (height, width, 3) uint8; called in the caller's thread.
        world: the world shown in the first frame.
        path: of the film, ending in one of `FILM_ENDINGS`.
        every: the number of ticks between two frames; `check_every` checks it.
        side: the longest side of a frame, in pixels.
    Raises: UsageError: another ending. OutputError: the file cannot be created.
    """

    def __init__(
        self,
        draw: Callable[[str], np.ndarray],
        world: World,
        path: Path,
        every: int = TICKS_A_FRAME,
        side: int = FILM_SIDE,
    ) -> None:
        if path.suffix.lower() not in FILM_ENDINGS:
            raise UsageError(f"{path}: expected a film's name ending in {' or '.join(FILM_ENDINGS)}")
        self.path, self.every = path, every
        self.waited = False  # whether it was ever full
        self._size = world.width, world.height
        self._scale = scale_within(*self._size, side)
        self._draw = draw
        first = draw(self._scale)
        self._stack = ExitStack()
        film = Film(path, first.shape[1], first.shape[0], FRAMES_A_SECOND, keep_part=True)
        self._film = self._stack.enter_context(film)
        self._frames: Queue[np.ndarray | None] = Queue(max(_WAITING_BYTES // first.nbytes, _WAITING_LEAST))
        self._failure: Exception | None = None
        self._tick, self._left = 0, every
        self._encoder = Thread(target=self._encode, name="film", daemon=True)
        self._encoder.start()
        self._frames.put(first)

    def _encode(self) -> None:
        """Encode frames until there is a None instead. After a failure frames are thrown away, so that none waits."""
        while (frame := self._frames.get()) is not None:
            if self._failure is None:
                try:
                    self._film.add(frame)
                except Exception as error:  # `stop` raises it in the caller's thread
                    self._failure = error

    @property
    def ticks_left(self) -> int:
        """The number of ticks until the next frame."""
        return self._left

    @property
    def full(self) -> bool:
        """True if as many frames wait for the encoder as may wait. No tick may run until one has been encoded."""
        self.waited |= self._frames.full()
        return self._frames.full()

    @property
    def failed(self) -> bool:
        """True if the film could not be written. Once stopped, it can be played up to here."""
        return self._failure is not None

    def shows(self, world: World) -> bool:
        """True if the film can go on with a world: it has the size of the film's first world."""
        return (world.width, world.height) == self._size

    def seek(self, tick: int) -> None:
        """Go on from another tick, to which time has jumped."""
        self._tick = tick

    def follow(self, tick: int) -> None:
        """Add a frame if it is due. Call whenever ticks have run, at the latest after `ticks_left` of them.

        Waits for the encoder if the film is `full`.

        Args:
            tick: the present tick.
        """
        self._left -= tick - self._tick
        self._tick = tick
        if self._left <= 0:
            self._left = self.every
            self._frames.put(self._draw(self._scale))

    def stop(self) -> None:
        """Encode the waiting frames and finish the film. Raises: OutputError: the film could not be written."""
        self._frames.put(None)
        self._encoder.join()
        self._stack.close()
        if self._failure is not None:
            raise self._failure


def check_every(ticks: int) -> int:
    """The number of ticks between two frames. Raises: UsageError: it is none from 1 to `TICKS_MOST`."""
    if not isinstance(ticks, int) or isinstance(ticks, bool) or not 1 <= ticks <= TICKS_MOST:
        raise UsageError(f"every: {shown(ticks)}; expected a whole number of ticks from 1 to {TICKS_MOST}")
    return ticks
