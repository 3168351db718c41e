"""The numbers that every material has: what a scene may say, and the integers that rules compute with."""

from __future__ import annotations

from dataclasses import dataclass

from gpufluid.errors import shown

EVEN = 13107
"""The conductivity of 1 in 65536ths of a difference of temperatures: so an atom and four like it even out at once."""


@dataclass(frozen=True, slots=True)
class Property:
    """One number of every material: what a scene may say, and the integer that shaders and oracle compute with.

    Args:
        name: its key.
        low, high: its range, both ends allowed.
        one: the integer that stands for 1.0.
    """

    name: str
    low: float
    high: float
    one: int

    def fixed(self, value: float) -> int:
        """A value as that integer, to the nearest: the one way by which these decimals enter a rule."""
        return round(value * self.one)

    def problem(self, value: object) -> str | None:
        """What keeps a value from being one of this property, if anything does."""
        if isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high:
            return None
        return f"{shown(value)}; expected a number from {self.low:g} to {self.high:g}"


PROPERTIES = (
    Property("shade", 0, 1, 256),
    Property("gravity", -4, 4, 256),
    Property("terminal", 0, 7.9, 16),
    Property("drag", 0, 7.9, 16),
    Property("bounce", 0, 1, 256),
    Property("slide", 0, 1, 256),
    Property("spread", 0, 1, 256),
    Property("stick", 0, 1, 256),
    Property("conductivity", 0, 1, EVEN),
    Property("strength", 0, 255, 1),
)
"""Speeds are in 1/16 cell a tick, as velocities are; conductivity in 65536ths of a difference; chances and shares in
256ths."""
