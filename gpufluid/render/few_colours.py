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
            lower, higher = np.minimum(frame, self._shown), np.maximum(frame, self._shown)
            far = (higher - lower > TOLERANCE).any(axis=2, keepdims=True)
            np.copyto(self._shown, frame, where=far)
        return self._shown


class Palettes:
    """Gives each frame at most 256 colours, without dithering, which would flicker.

    A frame of at most 256 colours is exact. Else colours are joined in cubes of 3, 5 or 7 levels a side, the smallest
    that suffice. If none does, median cut chooses most colours, and the rest are those of still pixels that it misses.
    """

    def __init__(self) -> None:
        self._before: np.ndarray | None = None

    def reduce(self, frame: np.ndarray) -> Image.Image:
        """The frame in few colours.

        Args:
            frame: (height, width, 3) uint8, sRGB.
        Returns: an image of mode P.
        """
        still = np.zeros(frame.shape[:2], bool) if self._before is None else (frame == self._before).all(axis=2)
        self._before = frame.copy()
        colours, places = np.unique(_packed(frame), return_inverse=True)
        middles = frame
        for reach in range(1, TOLERANCE + 1):
            if len(colours) <= _COLOURS:
                break
            side = 2 * reach + 1
            middles = np.minimum(frame // side * side + reach, 255).astype(np.uint8)
            colours, places = np.unique(_packed(middles), return_inverse=True)
        palette = _unpacked(colours)
        if len(colours) > _COLOURS:
            palette, places = _fitted(frame, middles, still)
        image = Image.fromarray(places.reshape(frame.shape[:2]).astype(np.uint8))
        # Whole: ffmpeg takes missing entries for transparent ones.
        image.putpalette(np.pad(palette, ((0, _COLOURS - len(palette)), (0, 0)), mode="edge").tobytes())
        return image


def _fitted(frame: np.ndarray, middles: np.ndarray, still: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A palette for a frame by median cut, with the middles of cubes of still pixels that it would miss.

    Returns: the palette, (count, 3) uint8, and the number of each pixel's colour in it.
    """
    colours, places = np.unique(_packed(frame), return_inverse=True)
    places = places.reshape(frame.shape[:2])
    cut = Image.fromarray(frame).quantize(_COLOURS - _RESERVED, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    palette = np.array(cut, np.uint8).reshape(-1, 3)[: _COLOURS - _RESERVED]
    shown = palette[_nearest(_unpacked(colours), palette)[places]]
    missed = still & (np.maximum(frame, shown) - np.minimum(frame, shown) > TOLERANCE).any(axis=2)
    cubes, counts = np.unique(_packed(middles)[missed], return_counts=True)
    most = cubes[np.argsort(-counts.astype(np.int64), kind="stable")[:_RESERVED]]
    palette = np.concatenate([palette, _unpacked(most)])
    return palette, _nearest(_unpacked(colours), palette)[places]


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
