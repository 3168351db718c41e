"""What the pointer works with."""

from __future__ import annotations

from dataclasses import dataclass

PANELS = ("help", "palette", "inspector", "overlays", "statistics", "time", "scenes", "welcome")
MODES = ("paint", "erase", "replace", "fill", "line", "rectangle", "emitter", "drain", "remove", "pick")


@dataclass(frozen=True, slots=True)
class Tool:
    """What the pointer does.

    Args:
        material: what it paints with.
        mode: one of `MODES`.
        shape, size: of the brush, see `brush.stroke`.
        velocity: of what is painted, in cells a tick.
    """

    material: str
    mode: str = "paint"
    shape: str = "round"
    size: int = 5
    velocity: tuple[float, float] = (0.0, 0.0)
