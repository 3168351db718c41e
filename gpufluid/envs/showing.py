"""Pictures of environments: in a window while they are played, and in films of episodes."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import gymnasium
import numpy as np

from gpufluid.core.errors import DeviceError, UsageError, shown
from gpufluid.core.extras import require
from gpufluid.render.film import FILM_ENDINGS, Film, check_rate, encoder

FRAMES_A_SECOND = 15
"""Pictures a second, of which each step of an environment makes one."""

_GAP = 4
"""Pixels between the pictures of two worlds."""

_BETWEEN = 160
"""Their grey, also where a row has no further world."""


def tiled(frames: np.ndarray) -> np.ndarray:
    """Pictures of worlds side by side, row by row, as square as they fit.

    Args:
        frames: (worlds, rows, columns, 3) uint8, sRGB.
    Returns: (rows, columns, 3) uint8; the picture itself if there is one.
    """
    count, height, width, _ = frames.shape
    across = max(round(math.sqrt(count * height / width)), 1)
    down = math.ceil(count / across)
    whole = np.full((down * (height + _GAP) - _GAP, across * (width + _GAP) - _GAP, 3), _BETWEEN, np.uint8)
    for number, frame in enumerate(frames):
        top, left = number // across * (height + _GAP), number % across * (width + _GAP)
        whole[top : top + height, left : left + width] = frame
    return whole


class PlayWindow:
    """A window in a process of its own that shows pictures, `FRAMES_A_SECOND` at most.

    Once the user has closed it, further pictures are not shown.

    Args:
        title: of the window.
    """

    def __init__(self, title: str) -> None:
        require("view", "render_mode='human'")
        self._title, self._process, self._next = title, None, 0.0
        self._pictures: IO[bytes] | None = None

    def show(self, frame: np.ndarray) -> None:
        """Show a picture.

        Args:
            frame: (rows, columns, 3) uint8, sRGB; all pictures of a window have one size.
        Raises: DeviceError: no window can be opened; the message says what to do.
        """
        if self._process is None:
            self._open(frame.shape[1], frame.shape[0])
        time.sleep(max(self._next - time.monotonic(), 0))
        self._next = time.monotonic() + 1 / FRAMES_A_SECOND
        if self._pictures is not None:
            try:
                self._pictures.write(np.ascontiguousarray(frame).data)
                self._pictures.flush()
            except OSError:  # the user has closed the window
                self._pictures = None

    def _open(self, width: int, height: int) -> None:
        command = [sys.executable, "-m", "gpufluid.viewer.picture_window"]
        pipe = subprocess.PIPE
        process = self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with suppress(OSError):  # it has ended; its message follows
            process.stdin.write(f"{self._title}\n{width} {height}\n".encode())
            process.stdin.flush()
        if process.stdout.readline().strip() != b"open":
            said = process.stderr.read().decode(errors="replace").strip().splitlines()
            self.close()
            raise DeviceError(f"render_mode='human': {said[-1] if said else 'the window did not open'}")
        self._pictures = process.stdin

    def close(self) -> None:
        """Close the window; a second call does nothing."""
        if self._process is not None:
            process, self._process, self._pictures = self._process, None, None
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            process.wait()


class FilmRecorder(gymnasium.Wrapper):
    """Writes a film of each episode, with a frame for its beginning and for each step.

    A film is complete when its episode ends, or at the next `reset` or `close`. To record a world of a vector, record
    a single environment with the seed of that world: it plays alike.

    Args:
        env: an environment with ``render_mode="rgb_array"``, of gpufluid or not.
        folder: where the films are written, ``episode_0.mp4`` and so on; it is made if it is missing.
        episodes: whether an episode is recorded, by its number from 0; None: each is.
        ending: of the films, ``.mp4``, ``.webm``, ``.webp`` or ``.gif``.
        fps: frames a second; None: as the environment says.
    Raises: UsageError: a wrong argument. MissingExtraError: the library that brings ffmpeg is not installed.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        folder: str | Path,
        episodes: Callable[[int], bool] | None = None,
        ending: str = ".mp4",
        fps: float | None = None,
    ) -> None:
        if not isinstance(env, gymnasium.Env):
            wanted = "expected one environment; a world of a vector plays like the one with its seed"
            raise UsageError(f"env: {shown(env)}; {wanted}")
        super().__init__(env)
        if env.render_mode != "rgb_array":
            raise UsageError(f"render_mode: {shown(env.render_mode)}; expected 'rgb_array', of which films are made")
        if ending not in FILM_ENDINGS:
            raise UsageError(f"ending: {shown(ending)}; expected one of: {', '.join(FILM_ENDINGS)}")
        self._rate = env.metadata.get("render_fps", FRAMES_A_SECOND) if fps is None else fps
        check_rate(self._rate, ending)
        encoder()
        self._folder, self._ending = Path(folder), ending
        if self._folder.exists() and not self._folder.is_dir():
            raise UsageError(f"folder: {str(folder)!r} is a file; expected a folder, which is made if it is missing")
        self._chosen = (lambda _: True) if episodes is None else episodes
        self._episode, self._film = -1, None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and its film; arguments and results are those of the environment."""
        self._end()
        found = self.env.reset(seed=seed, options=options)
        self._episode += 1
        if self._chosen(self._episode):
            self._add()
        return found

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:  # noqa: ANN401  as in Gymnasium
        """Act, and add a frame; arguments and results are those of the environment."""
        found = self.env.step(action)
        if self._film is not None:
            self._add()
            if found[2] or found[3]:
                self._end()
        return found

    def close(self) -> None:
        """Complete the film and close the environment."""
        self._end()
        super().close()

    def _add(self) -> None:
        """Add a frame to the film, which begins with the first one."""
        frame = np.asarray(self.env.render())
        if self._film is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"episode_{self._episode}{self._ending}"
            self._film = Film(path, frame.shape[1], frame.shape[0], self._rate).__enter__()
        try:
            self._film.add(frame)
        except BaseException:
            film, self._film = self._film, None
            film.__exit__(*sys.exc_info())
            raise

    def _end(self) -> None:
        """Complete the film, if there is one."""
        if self._film is not None:
            film, self._film = self._film, None
            film.__exit__(None, None, None)
