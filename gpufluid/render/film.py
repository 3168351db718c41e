"""Writing of films and pictures to files; each file is written whole or not at all."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import numpy as np
from PIL import Image

from gpufluid.core.errors import OutputError, UsageError, shown
from gpufluid.core.extras import require
from gpufluid.core.files import written_whole
from gpufluid.core.new_files import descriptors_of
from gpufluid.core.numeric import is_number
from gpufluid.render.few_colours import Held, Palettes

# BT.709 colours, named in the file: without the name players guess, and colours shift.
_COLOURS = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -pix_fmt yuv420p"
_SCALE = "scale=iw*{0}:ih*{0}:flags=neighbor+accurate_rnd+full_chroma_int:out_color_matrix=bt709:out_range=tv"
# Nearly without loss: players of H.264 without loss are few. Coefficients are not dropped, and there are no B-frames,
# which are coarser: either leaves marks of earlier frames. Colour planes are as fine as can be.
_MP4 = (
    f"{_COLOURS} -c:v libx264 -preset veryfast -movflags +faststart -x264-params qp=4:ipratio=1:chroma-qp-offset=-4:"
    "bframes=0:weightp=0:8x8dct=0:no-dct-decimate=1:no-fast-pskip=1:no-psy=1:aq-mode=0"
)
# VP9 without loss: of flat cells that is smaller than a fine quality, and all browsers that play WebM play it.
_WEBM = f"{_COLOURS} -c:v libvpx-vp9 -lossless 1 -deadline realtime -cpu-used 6 -row-mt 1"
# Frames have their palettes already. These differ, so a frame must not be stored as a difference of palette indices.
_GIF = "-gifflags -offsetting-transdiff"
# Without loss. A lossy WebP keeps blocks that are similar to the new ones, which leaves marks of earlier frames.
_WEBP = "-c:v libwebp_anim -lossless 1 -quality 75 -compression_level 3 -loop 0"
_ENCODERS = {".mp4": _MP4.split(), ".webm": _WEBM.split(), ".gif": _GIF.split(), ".webp": _WEBP.split()}

_IN_PARTS = {
    ".mp4": ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-g", "30"],
    ".webm": ["-cluster_time_limit", "1000"],
}
"""Options for a file in parts of some frames: a fragment for every 30 frames of an MP4, a cluster for every second of a
WebM. A file that was cut off plays up to its last whole part."""

_HALVED = (".mp4", ".webm")
"""The endings of films whose colour planes are halved: 2 x 2 pixels of the file have one hue."""

_MOST_BLOCKS, _MOST_SIDE = 36_864, 4096
"""The most blocks of 16 x 16 pixels, and the longest side, of a video that is enlarged: level 5.1 of H.264, beyond
which few devices play it."""

_WHOLE = (".webp",)
"""The endings of films that are written when all frames are known."""

FILM_ENDINGS = tuple(_ENCODERS)


def encoder() -> str:
    """Return the path of ffmpeg.

    Raises: MissingExtraError: the library that brings ffmpeg is not installed. OutputError: no ffmpeg runs here.
    """
    require("film", "a film")
    import imageio_ffmpeg

    try:
        return imageio_ffmpeg.get_ffmpeg_exe()
    except (RuntimeError, OSError) as error:
        raise OutputError(
            f"no film can be written: ffmpeg does not run here ({' '.join(str(error).split())})"
        ) from None


def check_rate(rate: float, ending: str = "") -> None:
    """Raise UsageError for a number of frames a second that a film, or one of the ending given, cannot have."""
    if not is_number(rate, 1, 1000):
        found = f"{rate:g}" if isinstance(rate, int | float) else shown(rate)
        raise UsageError(f"fps: {found}; expected 1 to 1000 frames a second")
    if rate > 100 and ending == ".gif":
        raise UsageError(f"fps: {rate:g}; a .gif holds at most 100 frames a second")


class Film:
    """A film file to which frames are appended.

    A context manager: on exit the finished film is moved to its path; after an error no file is left. The encoder runs
    in its own process group, so that Ctrl-C in a terminal stops the run and not the encoder.

    Args:
        path: of the film, ending in one of `FILM_ENDINGS`.
        width, height: of each frame, in pixels.
        rate: frames a second.
        fixed: whether a video must have this size, but for an odd side. Else each pixel becomes 2 x 2 if players can
            show that: 2 x 2 pixels of a video have one hue, which would smear cells of one pixel.
        keep_part: whether to keep the part of the film that was encoded before the disk was full; a WebP has no parts.
    Raises: MissingExtraError: see `encoder`. OutputError: the encoder failed or the disk is full; the message has the
        encoder's reason.
    """

    def __init__(
        self, path: Path, width: int, height: int, rate: float, *, keep_part: bool = False, fixed: bool = False
    ) -> None:
        self.path = path
        self._shape = (height, width, 3)
        ending = path.suffix.lower()
        halved = ending in _HALVED
        self._times = 2 if halved and not fixed and _plays_enlarged(width, height) else 1
        # The sides of halved planes must be even: pad with the edge, never scale.
        even = halved and self._times == 1
        self._padded = (height + height % 2, width + width % 2) if even else (height, width)
        self._held = Held() if ending == ".webp" else None
        self._palettes = Palettes() if ending == ".gif" else None
        self._rate, self._keep_part = rate, keep_part and path.suffix.lower() not in _WHOLE
        self._told = False  # whether `add` has raised the failure of the encoder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        program = encoder()
        file = self._stack.enter_context(written_whole(self.path))
        self._inherited = descriptors_of(file)
        self._said: IO[bytes] = self._stack.enter_context(tempfile.TemporaryFile())
        height, width = self._padded
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{self._rate:g}", "-i", "-"]
        if self._palettes is not None:
            source = ["-f", "image2pipe", "-c:v", "bmp", "-framerate", f"{self._rate:g}", "-i", "-"]
        ending = self.path.suffix.lower()
        scale = ["-vf", _SCALE.format(self._times)] if ending in _HALVED else []
        command = [program, "-y", "-loglevel", "error", "-xerror", *source, *scale, *_ENCODERS[ending]]
        in_parts = _IN_PARTS.get(ending, []) if self._keep_part else []
        kind = ["-f", ending.removeprefix(".")]  # the path of a new file has no ending
        try:
            self._encoder = self._start([*command, *in_parts, *kind, str(file)])
        except BaseException as error:
            self._stack.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            pass_fds=self._inherited,
            start_new_session=True,  # POSIX
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows
        )

    def add(self, frame: np.ndarray) -> None:
        """Append a frame.

        Args:
            frame: (height, width, 3) uint8, sRGB.
        Raises: ValueError: another shape. OutputError: the encoder has ended; the message has its reason.
        """
        if frame.shape != self._shape:
            raise ValueError(f"frame of shape {frame.shape}; expected {self._shape}, as of this film")
        assert self._encoder.stdin is not None
        try:
            self._encoder.stdin.write(self._prepared(frame))
        except BrokenPipeError:
            self._told = True
            raise self._failure() from None

    def _prepared(self, frame: np.ndarray) -> bytes | memoryview:
        """What the encoder reads of a frame."""
        if self._palettes is not None:
            with BytesIO() as file:
                self._palettes.reduce(frame).save(file, "BMP")
                return file.getvalue()
        if self._held is not None:
            frame = self._held.reduce(frame)
        more = [(0, wanted - there) for wanted, there in zip(self._padded, frame.shape[:2], strict=True)]
        padded = np.pad(frame, (*more, (0, 0)), mode="edge") if max(more) > (0, 0) else frame
        return np.ascontiguousarray(padded).data

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        finished = self._close(abandon=kind is not None)
        failure = None if finished or kind is not None else self._failure()
        if failure is not None and not self._keep_part:
            self._stack.__exit__(OutputError, failure, None)
            raise failure
        self._stack.__exit__(kind, error, trace)
        if failure is not None and not self._told:  # the encoder failed when it wrote what it had kept back
            raise failure

    def _close(self, *, abandon: bool) -> bool:
        """Stop the encoder. Returns whether the encoder wrote the whole film."""
        assert self._encoder.stdin is not None
        if abandon:
            self._encoder.kill()
        try:
            self._encoder.stdin.close()
        except BrokenPipeError:  # the encoder ended before it had read all frames; its exit status also shows this
            abandon = True
        return self._encoder.wait() == 0 and not abandon

    def _failure(self) -> OutputError:
        self._encoder.wait()
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip().splitlines()
        reason = next((line for line in said if "No space left" in line), said[-1] if said else "the encoder stopped")
        reason = reason.rpartition("] ")[2]  # strip the name of the encoder's component
        return OutputError(f"{self.path}: could not be written: {reason}")


def _plays_enlarged(width: int, height: int) -> bool:
    """True if players can show a video of frames of a size in which each pixel is 2 x 2 pixels."""
    blocks = -(-width // 8) * -(-height // 8)
    return blocks <= _MOST_BLOCKS and 2 * max(width, height) <= _MOST_SIDE


def png_of(frame: np.ndarray) -> bytes:
    """A frame, (height, width, 3) uint8 sRGB, as the content of a PNG file."""
    with BytesIO() as file:
        Image.fromarray(frame).save(file, format="PNG")
        return file.getvalue()


def save_picture(frame: np.ndarray, path: Path) -> None:
    """Write a frame, (height, width, 3) uint8 sRGB, as PNG. Raises: OutputError: the disk is full or not writable."""
    with written_whole(path) as temporary:
        Image.fromarray(frame).save(temporary, format="PNG")
