"""`Laws`: all that a world runs by, as one frozen record. The callbacks of rules take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.matter.reactions import ReactionTable

Value = float | int | str
"""A parameter's value: a number, or one word of several."""

Edges = Literal["closed", "open", "wrap"]
Gravity = Literal["down", "up", "left", "right", "off"]


@dataclass(frozen=True, slots=True)
class Laws:
    """What does not change while a world runs. `gpufluid.world.laws.laws_of` makes one and checks it, once.

    Args:
        height, width: of the whole world, in cells.
        rules: the names of the rules that act.
        edges: what lies outside.
        gravity: the direction in which matter falls.
        seed: of everything random, 0 to 2**32 - 1.
        parameters: every parameter of every rule, by rule and name.
        constants: the integers that each rule's passes compute with, by rule and name; see `Rule.constants`.
        materials: the material table.
        reactions: the reaction table; empty in a world without rule ``reactions``.
        mixture: the constituents and conversions of a mixture; empty in a world without one.
    """

    height: int
    width: int
    rules: tuple[str, ...]
    edges: Edges
    gravity: Gravity
    seed: int
    parameters: Mapping[str, Mapping[str, Value]]
    constants: Mapping[str, Mapping[str, int]]
    materials: MaterialTable
    reactions: ReactionTable
    mixture: MixtureTable

    @property
    def exclusive(self) -> bool:
        """Whether the materials of its mixture share one cell's room."""
        return bool(self.parameters.get("mixture", {}).get("exclusive", False))
