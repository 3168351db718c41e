"""Temperatures as records of materials have them, and changes of state by temperature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from gpufluid.cell import LATENT_ONE, TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.errors import did_you_mean, shown

if TYPE_CHECKING:
    from gpufluid.materials import Material

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


def transition_problems(records: Sequence[Material]) -> Iterator[tuple[int, str, str]]:
    """What is wrong with changes of state that only the whole table can show: (number, key, sentence)."""
    named = {record.name: record for record in records}
    for number, record in enumerate(records):
        for way, change in record.transitions.items():
            product = named.get(change.product)
            if product is None or product is records[0]:
                hint = did_you_mean(change.product, [name for name in named if name != records[0].name])
                yield number, way, f"product: unknown material {shown(change.product)}{hint}"
                continue
            back = product.below if way == "above" else None
            if back is not None and back.product == record.name and back.threshold > change.threshold:
                to_and_fro = f"{shown(product.name)} becomes {shown(record.name)} again below {back.threshold:g}"
                yield number, way, f"threshold: {change.threshold:g}, but {to_and_fro}: neither would hold still"
            elif product is record:
                yield number, way, f"product: {shown(record.name)} is the material itself"
            elif circle := _circle(record, way, named):
                yield number, way, f"goes round in a circle at once: {' -> '.join(circle)}"


def _circle(start: Material, way: str, named: Mapping[str, Material]) -> list[str] | None:
    """The names along changes without latent heat, from one of a material back to it at one temperature."""
    todo: list[tuple[list[str], str, float, float]] = [([start.name], way, float("-inf"), float("inf"))]
    while todo:
        names, way, low, high = todo.pop()
        change = named[names[-1]].transitions[way]
        low, high = (max(low, change.threshold), high) if way == "above" else (low, min(high, change.threshold))
        if change.latent_units or low >= high:
            continue
        if change.product == start.name:
            return [*names, start.name]
        if change.product in named and change.product not in names:
            todo += [([*names, change.product], each, low, high) for each in named[change.product].transitions]
    return None
