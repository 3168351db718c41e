"""Temperatures as records of materials have them, and changes of state by temperature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.fields import LATENT_ONE, TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE

AS_AIR = "air"
"""The word for the temperature of what has none of its own."""

LATENT_MOST = 1000
"""Degrees: an age, a byte with a sign, counts no more than 127 times 8."""


def temperature_problem(value: object) -> str | None:
    """What keeps a value from being a temperature in degrees C, if anything does."""
    low, high = TEMPERATURE_LEAST / TEMPERATURE_ONE, TEMPERATURE_MOST / TEMPERATURE_ONE
    if is_number(value) and low <= value <= high:  # pyright: ignore[reportOperatorIssue]
        return None
    return f"{shown(value)}; expected a number from {low:g} to {high:g} degrees C"


def temperature_units(degrees: float) -> int:
    """A temperature in degrees C as what a cell holds, to the nearest."""
    return round(degrees * TEMPERATURE_ONE)


@dataclass(frozen=True, slots=True)
class Transition:
    """A change of state by temperature: past a threshold an atom first takes in, or gives off, its latent heat.

    Args:
        threshold: degrees C.
        product: the name of what it becomes; never ``empty``.
        latent: the heat that the change takes, as the degrees by which it would warm the atom; kept to the nearest 8.
    """

    threshold: float
    product: str
    latent: float = 0.0

    @classmethod
    def of(cls, table: object) -> Self | None:
        """A table of TOML; None of an empty one. Raises ValueError: a sentence."""
        keys = ("threshold", "product", "latent")
        if not isinstance(table, Mapping):
            raise ValueError(f"{shown(table)}; expected a table such as {{ threshold = 100, product = 'steam' }}")
        if not table:
            return None
        for key in table:
            if key not in keys:
                raise ValueError(f"unknown key {shown(key)}{did_you_mean(str(key), keys)}")
        for key in keys[:2]:
            if key not in table:
                raise ValueError(f"{key} is missing")
        return cls(**table)

    def problem(self) -> str | None:
        """What keeps it from being one of any material, if anything does."""
        problem = temperature_problem(self.threshold)
        if problem:
            return f"threshold: {problem}"
        if not isinstance(self.product, str):
            return f"product: {shown(self.product)}; expected the name of a material"
        if not is_number(self.latent) or not 0 <= self.latent <= LATENT_MOST:
            return f"latent: {shown(self.latent)}; expected a number from 0 to {LATENT_MOST} degrees"
        return None

    @property
    def latent_units(self) -> int:
        """The latent heat in `cell.LATENT_ONE` units of temperature."""
        return round(self.latent * TEMPERATURE_ONE / LATENT_ONE)


def is_number(value: object) -> bool:
    """Whether a value is a number and no truth."""
    return isinstance(value, int | float) and not isinstance(value, bool)
