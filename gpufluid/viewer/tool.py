"""What the pointer works with."""

from __future__ import annotations

from dataclasses import dataclass

PANELS = ("help", "palette", "inspector", "overlays", "statistics", "time", "scenes", "welcome")
MODES = ("paint", "erase", "replace", "fill", "line", "rectangle", "emitter", "drain", "remove", "pick", "warm", "cool")
DEGREES_LEAST, DEGREES_MOST = 0.125, 1024.0


@dataclass(frozen=True, slots=True)
class Tool:
    """What the pointer does.

    Args:
        material: what it paints with.
        mode: one of `MODES`.
        shape, size: of the brush, see `brush.stroke`.
        velocity: of what is painted, in cells a tick.
        degrees: C, by which it warms or cools in a tick, `DEGREES_LEAST` to `DEGREES_MOST`.
    """

    material: str
    mode: str = "paint"
    shape: str = "round"
    size: int = 5
    velocity: tuple[float, float] = (0.0, 0.0)
    degrees: float = 16.0
