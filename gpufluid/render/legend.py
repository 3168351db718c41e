"""The strip below a false-colour picture that says what its colours mean."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from gpufluid.render.painter import colour_table
from gpufluid.rules import Overlay

HEIGHT = 48
LEAST_WIDTH = 280
_PAPER, _INK = (255, 255, 255), (30, 32, 36)
_MARGIN, _BAR_TOP, _BAR_HEIGHT, _TEXT_SIZE = 12, 6, 12, 11


def with_legend(frame: np.ndarray, legend: np.ndarray) -> np.ndarray:
    """A picture with its legend below; whichever is narrower is widened with paper."""
    width = max(frame.shape[1], legend.shape[1])
    parts = [
        np.pad(part, ((0, 0), (0, width - part.shape[1]), (0, 0)), constant_values=255) for part in (frame, legend)
    ]
    return np.concatenate(parts)


def draw_legend(overlay: Overlay, low: float, high: float, width: int) -> np.ndarray:
    """A colour bar with five values and its unit: (`HEIGHT`, max(width, `LEAST_WIDTH`), 3) uint8."""
    width = max(width, LEAST_WIDTH)
    picture = Image.new("RGB", (width, HEIGHT), _PAPER)
    bar = width - 2 * _MARGIN
    colours = colour_table(overlay)[:, :3][np.linspace(0, 255, bar).round().astype(int)]
    strip = np.broadcast_to(colours, (_BAR_HEIGHT, bar, 3))
    picture.paste(Image.fromarray(np.ascontiguousarray(strip)), (_MARGIN, _BAR_TOP))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(_TEXT_SIZE)
    below = _BAR_TOP + _BAR_HEIGHT + 2
    for place, anchor in ((0.0, "la"), (0.25, "ma"), (0.5, "ma"), (0.75, "ma"), (1.0, "ra")):
        value = value_at(place, overlay, low, high)
        draw.text((_MARGIN + place * bar, below), in_few_digits(value), _INK, font, anchor)
    draw.text((width / 2, below + _TEXT_SIZE + 2), overlay.label, _INK, font, "ma")
    return np.asarray(picture)


def in_few_digits(value: float) -> str:
    """A value as a legend has room for it: two digits, or all that are before the point."""
    return f"{value:.0f}" if 100 <= abs(value) < 1e5 else f"{value:.2g}"


def value_at(place: float, overlay: Overlay, low: float, high: float) -> float:
    """The value whose colour stands at a place of the bar, 0 to 1: ``shaders/render/overlay.glsl`` the other way."""
    match overlay.curve:
        case "logarithm":
            return low * (high / low) ** place
        case "square root":
            return low + (high - low) * place * place
    return low + (high - low) * place
