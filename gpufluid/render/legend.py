"""The legend of an overlay: a strip with a colour bar, values and the unit."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from gpufluid.render.look import THEMES
from gpufluid.render.painter import colour_table
from gpufluid.rules import Overlay

HEIGHT = 48
LEAST_WIDTH = 280
_MARGIN, _BAR_TOP, _BAR_HEIGHT, _TEXT_SIZE = 12, 6, 12, 11


def with_legend(frame: np.ndarray, legend: np.ndarray) -> np.ndarray:
    """Append a legend below a picture; the narrower one is padded on the right, the legend with its own colour.

    Args:
        frame, legend: (rows, columns, 3) uint8, sRGB.
    Returns: (rows, columns, 3) uint8, with the rows of both and the columns of the wider one.
    """
    width = max(frame.shape[1], legend.shape[1])
    joined = np.empty((frame.shape[0] + legend.shape[0], width, 3), np.uint8)
    joined[:] = legend[0, 0]
    joined[: frame.shape[0], : frame.shape[1]] = frame
    joined[frame.shape[0] :, : legend.shape[1]] = legend
    return joined


def draw_legend(overlay: Overlay, low: float, high: float, width: int, theme: str = "day") -> np.ndarray:
    """Draw a colour bar with five values and the overlay's label, which is smaller where the bar is short.

    Args:
        overlay: gives the colours, the curve and the label.
        low, high: values of the first and the last colour.
        width: wanted, in pixels.
        theme: a name of `look.THEMES`; gives the colours of paper and ink.
    Returns: (height, width, 3) uint8, sRGB; the height is `HEIGHT`, the width at least `LEAST_WIDTH`.
    """
    width = max(width, LEAST_WIDTH)
    colours = THEMES[theme]
    picture = Image.new("RGB", (width, HEIGHT), colours.paper)
    bar = width - 2 * _MARGIN
    table = colour_table(overlay)[:, :3][np.linspace(0, 255, bar).round().astype(int)]
    strip = np.broadcast_to(table, (_BAR_HEIGHT, bar, 3))
    picture.paste(Image.fromarray(np.ascontiguousarray(strip)), (_MARGIN, _BAR_TOP))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(_TEXT_SIZE)
    below = _BAR_TOP + _BAR_HEIGHT + 2
    for place, anchor in ((0.0, "la"), (0.25, "ma"), (0.5, "ma"), (0.75, "ma"), (1.0, "ra")):
        value = value_at(place, overlay, low, high)
        draw.text((_MARGIN + place * bar, below), in_few_digits(value), colours.ink, font, anchor)
    size = _TEXT_SIZE
    while size > 1 and font.getlength(overlay.label) > bar:
        size -= 1
        font = ImageFont.load_default(size)
    draw.text((width / 2, below + _TEXT_SIZE + 2), overlay.label, colours.ink, font, "ma")
    return np.asarray(picture)


def in_few_digits(value: float) -> str:
    """Format a value for a legend: two significant digits, or all digits before the decimal point from 100 on."""
    return f"{value:.0f}" if 100 <= abs(value) < 1e5 else f"{value:.2g}"


def value_at(place: float, overlay: Overlay, low: float, high: float) -> float:
    """The value at a position of the colour bar, 0 to 1; inverts the mapping of ``shaders/render/overlay.glsl``."""
    match overlay.curve:
        case "logarithm":
            return low * (high / low) ** place
        case "square root":
            return low + (high - low) * place * place
    return low + (high - low) * place
