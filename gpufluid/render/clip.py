"""A short film in memory, which plays in a notebook and can be saved."""

from __future__ import annotations

import tempfile
import zlib
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.files import check_writable
from gpufluid.render.film import FILM_ENDINGS, Film, check_rate


class Clip:
    """The frames of a film, all of one size. A clip plays in a notebook; `save` writes it to a file.

    The frames are kept compressed, without loss.

    Args:
        rate: frames a second, 1 to 1000.
        fixed: whether a video must have the size of the frames; see `Film`.
    Raises: UsageError: another rate.
    """

    def __init__(self, rate: float, fixed: bool = False) -> None:
        check_rate(rate)
        self.rate, self._fixed = rate, fixed
        self._shape: tuple[int, ...] = ()
        self._frames: list[bytes] = []
        self._mp4: bytes | None = None

    def add(self, frame: np.ndarray) -> None:
        """Append a frame, (height, width, 3) uint8, sRGB. Raises: ValueError: another size than the frames before."""
        if self._frames and frame.shape != self._shape:
            raise ValueError(f"frame of shape {frame.shape}; expected {self._shape}, as of this clip")
        self._shape, self._mp4 = frame.shape, None
        self._frames.append(zlib.compress(frame.tobytes(), 1))

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, number: int) -> np.ndarray:
        """A frame by its number, (height, width, 3) uint8, sRGB; negative numbers count from the end."""
        return np.frombuffer(zlib.decompress(self._frames[number]), np.uint8).reshape(self._shape)

    def __iter__(self) -> Iterator[np.ndarray]:
        """The frames in order, each (height, width, 3) uint8, sRGB."""
        return (self[number] for number in range(len(self)))

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels; (0, 0) without frames."""
        return (self._shape[1], self._shape[0]) if self._frames else (0, 0)

    @property
    def seconds(self) -> float:
        """The time that the clip plays, in seconds."""
        return len(self) / self.rate

    def save(self, path: str | Path) -> Path:
        """Write the clip to a file; it is written whole or not at all.

        Args:
            path: of the file, ending in .mp4, .webm, .gif or .webp.
        Returns: the path.
        Raises: UsageError: another ending, no frames, or a .gif of over 100 frames a second. OutputError: the file
            could not be written. MissingExtraError: the extra ``film`` is not installed.
        """
        path = Path(path).expanduser()
        ending = path.suffix.lower()
        if ending not in FILM_ENDINGS:
            raise UsageError(f"{path}: unknown ending {shown(path.suffix)}{did_you_mean(path.suffix, FILM_ENDINGS)}")
        if not self._frames:
            raise UsageError(f"{path}: the clip has no frames; expected at least one")
        check_rate(self.rate, ending)
        check_writable(path)
        width, height = self.size
        with Film(path, width, height, self.rate, fixed=self._fixed) as film:
            for frame in self:
                film.add(frame)
        return path

    @property
    def mp4(self) -> bytes:
        """The content of the clip as an .mp4 file. Raises: as `save`."""
        if self._mp4 is None:
            with tempfile.TemporaryDirectory() as folder:
                self._mp4 = self.save(Path(folder) / "clip.mp4").read_bytes()
        return self._mp4

    def _repr_html_(self) -> str:
        """The film with its controls, contained in the text."""
        if not self._frames:
            return "<em>a clip without frames</em>"
        data, (width, height) = b64encode(self.mp4).decode(), self.size
        kind = f'width="{width}" height="{height}" controls loop autoplay muted playsinline'
        return f'<video {kind} style="max-width:100%;height:auto" src="data:video/mp4;base64,{data}"></video>'

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Clip {width}x{height}, {len(self)} frames, {self.seconds:.3g} s>"
