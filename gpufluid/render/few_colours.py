"""Frames of films with fewer changes or fewer colours, at most `TOLERANCE` levels from the true frames."""

from __future__ import annotations

import numpy as np
from PIL import Image

TOLERANCE = 3
"""The largest difference of a channel from the true frame, of 255 levels, which nobody sees."""

_COLOURS = 256
"""A frame of at most so many colours stays exact."""

_RESERVED = 96
"""Colours of a palette that are kept for pixels that stand still."""


class Held:
    """Keeps the colour of a pixel as long as the true colour is near, so that faint changes of light cost nothing.

    Every pixel of every frame is within `TOLERANCE` of the true frame, and a frame of at most 256 colours is exact.
    """

    def __init__(self) -> None:
        self._shown: np.ndarray | None = None

    def reduce(self, frame: np.ndarray) -> np.ndarray:
        """The frame to show.

        Args:
            frame: (height, width, 3) uint8, sRGB.
        Returns: (height, width, 3) uint8, sRGB, valid until the next call.
        """
        if self._shown is None or len(np.unique(_packed(frame))) <= _COLOURS:
            self._shown = frame.copy()
        else:
            np.copyto(self._shown, frame, where=_is_far(frame, self._shown)[..., None])
        return self._shown


class Palettes:
    """Gives each frame at most 256 colours, without dithering, which would flicker.

    A frame of at most 256 colours is exact. Else colours are joined in cubes of 3 levels a side, if that suffices. Else
    median cut chooses most colours, and the rest are those of still pixels that it misses. Only if it misses more of
    them, colours are joined in cubes of 5 or 7 levels, if these suffice: in a faint gradient they show as contours.
    """

    def __init__(self) -> None:
        self._before: np.ndarray | None = None

    def reduce(self, frame: np.ndarray) -> Image.Image:
        """The frame in few colours.

        Args:
            frame: (height, width, 3) uint8, sRGB.
        Returns: an image of mode P.
        """
        still = np.ones(frame.shape[:2], bool) if self._before is None else (frame == self._before).all(axis=2)
        self._before = frame.copy()
        palette, places = self._chosen(frame, still)
        image = Image.fromarray(places.reshape(frame.shape[:2]).astype(np.uint8))
        # Whole: ffmpeg takes missing entries for transparent ones.
        image.putpalette(np.pad(palette, ((0, _COLOURS - len(palette)), (0, 0)), mode="edge").tobytes())
        return image

    @staticmethod
    def _chosen(frame: np.ndarray, still: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The palette of a frame, (count, 3) uint8, and the number of each pixel's colour in it."""
        for reach in (0, 1):
            found = _numbered(_joined(frame, reach))
            if len(found[0]) <= _COLOURS:
                return found
        fitted = _fitted(frame, still)
        if not _is_far(frame, fitted[0][fitted[1]])[still].any():
            return fitted
        for reach in range(2, TOLERANCE + 1):
            found = _numbered(_joined(frame, reach))
            if len(found[0]) <= _COLOURS:
                return found
        return fitted


def _joined(frame: np.ndarray, reach: int) -> np.ndarray:
    """A frame with the middle of its cube in place of each colour: all of a cube are within ``reach`` levels of it."""
    side = 2 * reach + 1
    return np.minimum(frame // side * side + reach, 255).astype(np.uint8)


def _numbered(frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The colours of a frame, (count, 3) uint8, and the number of each pixel's colour among them."""
    colours, places = np.unique(_packed(frame), return_inverse=True)
    return _unpacked(colours), places.reshape(frame.shape[:2])


def _is_far(frame: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """(height, width) bool: the pixels that differ by more than `TOLERANCE`."""
    return np.any(np.maximum(frame, shown) - np.minimum(frame, shown) > TOLERANCE, axis=2)


def _fitted(frame: np.ndarray, still: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A palette for a frame by median cut, with the middles of cubes of still pixels that it would miss.

    Args:
        frame: (height, width, 3) uint8, sRGB.
        still: (height, width) bool, the pixels that stand still.
    Returns: the palette, (count, 3) uint8, and the number of each pixel's colour in it.
    """
    colours, places = _numbered(frame)
    cut = Image.fromarray(frame).quantize(_COLOURS - _RESERVED, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    palette = np.array(cut, np.uint8).reshape(-1, 3)[: _COLOURS - _RESERVED]
    missed = still & _is_far(frame, palette[_nearest(colours, palette)[places]])
    cubes, counts = np.unique(_packed(_joined(frame, TOLERANCE))[missed], return_counts=True)
    most = cubes[np.argsort(-counts.astype(np.int64), kind="stable")[:_RESERVED]]
    palette = np.concatenate([palette, _unpacked(most)])
    return palette, _nearest(colours, palette)[places]


def _nearest(colours: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """The number of the palette's nearest colour, for each of some colours: both are (count, 3) uint8."""
    one, other = colours.astype(np.float32), palette.astype(np.float32)
    return ((other**2).sum(axis=1) - 2 * one @ other.T).argmin(axis=1)


def _packed(frame: np.ndarray) -> np.ndarray:
    """(height, width, 3) uint8 as (height, width) uint32, a number for each colour."""
    wide = frame.astype(np.uint32)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def _unpacked(colours: np.ndarray) -> np.ndarray:
    """The reverse of `_packed`: (count,) uint32 as (count, 3) uint8."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.uint8)
