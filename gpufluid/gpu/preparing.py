"""Progress of the compilation of a world's passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preparing:
    """A pass that is about to be compiled.

    A driver compiles a pass in two steps: when its program is made, and when it first runs. Software OpenGL spends
    most of the time in the second one. So each pass counts as two steps of the preparation.

    Args:
        rule: the name of its rule.
        number: its number among the passes of the world, from 1.
        count: the number of these passes.
        runs: whether it is about to run for the first time; False: its program is about to be made.
    """

    rule: str
    number: int
    count: int
    runs: bool

    @property
    def done(self) -> float:
        """The part of the preparation of the world that is done, 0 to 1."""
        return (self.number - 1 + self.count * self.runs) / (2 * self.count)

    def __str__(self) -> str:
        step = self.number + self.count * self.runs
        return f"Preparing rule {self.rule}, step {step} of {2 * self.count} (the driver keeps the result)"


Announce = Callable[[Preparing], None]
"""Called before a pass is compiled."""
