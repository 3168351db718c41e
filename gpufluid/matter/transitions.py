"""Temperatures in records of materials, and transitions: changes of state by temperature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.fields import LATENT_ONE, TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.core.numeric import is_plain_number

AS_AIR = "air"
"""The word in TOML for a material without a temperature of its own; new atoms take that of their surroundings."""

LATENT_MOST = 1000
"""The largest latent heat, in degrees. An age, a signed byte, holds up to 127 units of 8 degrees."""


def temperature_problem(value: object) -> str | None:
    """The problem of a value as a temperature in degrees C; None: the value is valid."""
    low, high = TEMPERATURE_LEAST / TEMPERATURE_ONE, TEMPERATURE_MOST / TEMPERATURE_ONE
    if is_plain_number(value, low, high):
        return None
    return f"{shown(value)}; expected a number from {low:g} to {high:g} degrees C"


def temperature_units(degrees: float) -> int:
    """Degrees C in units of the array ``temperature``, 1/8 degree, rounded to the nearest."""
    return round(degrees * TEMPERATURE_ONE)


@dataclass(frozen=True, slots=True)
class Transition:
    """A change of state by temperature: past the threshold an atom absorbs or releases the latent heat, then changes.

    Args:
        threshold: degrees C.
        product: the name of the material after the change; never ``empty``.
        latent: the latent heat, as the degrees by which that heat would warm the atom; rounded to a multiple of 8.
    """

    threshold: float
    product: str
    latent: float = 0.0

    @classmethod
    def of(cls, table: object) -> Self | None:
        """A transition from a table of TOML; None for an empty table.

        Raises: ValueError: no table, an unknown key or a missing one; the message is a sentence.
        """
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
        """The first problem of the record in every material table, as a sentence; None: the record is valid."""
        problem = temperature_problem(self.threshold)
        if problem:
            return f"threshold: {problem}"
        if not isinstance(self.product, str):
            return f"product: {shown(self.product)}; expected the name of a material"
        if not is_plain_number(self.latent, 0, LATENT_MOST):
            return f"latent: {shown(self.latent)}; expected a number from 0 to {LATENT_MOST} degrees"
        return None

    @property
    def latent_units(self) -> int:
        """The latent heat in units of 8 degrees, `core.fields.LATENT_ONE` units of temperature."""
        return round(self.latent * TEMPERATURE_ONE / LATENT_ONE)
