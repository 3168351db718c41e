"""What a scene may set of a rule: its parameters, one record each."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

from gpufluid.cell import FULL
from gpufluid.errors import did_you_mean, shown

Value = float | int | str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number or word that a scene may set.

    Args:
        name: as in the scene's table of the rule.
        default: its value where nothing is said.
        about: one sentence, with the unit.
        low, high: the range of a number, both ends allowed.
        choices: the words allowed, in the order of their numbers in GLSL; empty for a number.
        whole: whether the number is an integer.
        switch: whether it is no number: true or false.
        one: the integer that stands for 1.0 of a number that is not; by default units of mass in a cell.
    """

    name: str
    default: Value
    about: str
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    whole: bool = False
    switch: bool = False
    one: int = FULL

    def check(self, value: object) -> Value:
        """The value, if it is one that this parameter can take.

        Raises: ValueError: a sentence that says what was expected.
        """
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise ValueError(f"{shown(value)} is not known{did_you_mean(str(value)[:60], self.choices)}")
            return value
        if self.switch:
            if not isinstance(value, bool):
                raise ValueError(f"{shown(value)} is neither; expected true or false")
            return value
        kind = "a whole number" if self.whole else "a number"
        wanted = f"expected {kind} from {self.low:g} to {self.high:g}"
        if isinstance(value, bool) or not isinstance(value, Integral if self.whole else Real):
            raise ValueError(f"{shown(value)} is not {kind}; {wanted}")
        number = int(value) if isinstance(value, Integral) else float(value)
        if not self.low <= number <= self.high:
            raise ValueError(f"{shown(value)} is out of range; {wanted}")
        return number

    def fixed(self, value: Value) -> int:
        """The value as the integer that passes compute with: fixed point, a count, or a choice's number."""
        if isinstance(value, str):
            return self.choices.index(value)
        return int(value) if self.whole or self.switch else round(value * self.one)
