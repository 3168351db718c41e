"""The ways in which the same passes can be run: they differ in speed alone, never in what they compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpufluid.gpu.variants import asked, names_of
from gpufluid.rules import RULES

CHOSEN = "auto"
"""Each rule by the variant that was measured as the fastest here."""

_STRIPS = (
    *((1, 4), (1, 8), (1, 12), (2, 4)),  # larger ones do not fit into shared memory
    *((1, 16), (1, 64), (2, 16), (2, 32), (4, 16), (8, 8), (8, 12), (8, 32), (16, 8), (16, 16), (16, 32)),
)

AWAKE = "awake"
"""The same with no tile asleep."""

VARIANTS: dict[str, dict[str, Any]] = (
    {CHOSEN: {}, AWAKE: {"sleeping": False}}
    | {variant.name: {"variant": variant.name} for rule in RULES.values() for variant in rule.variants}
    | {f"strip-{columns}x{rows}": {"strip": (columns, rows)} for columns, rows in _STRIPS}
)
"""By name, what a `Simulation` is told in order to run so."""


def concerns(name: str, rules: Sequence[str]) -> bool:
    """Whether a name of `VARIANTS` says anything of a world with these rules; a rule's variant does not of others."""
    variant = VARIANTS[name].get("variant")
    return variant is None or any(variant in names_of(rule) for rule in rules)


def named(name: str, rules: Sequence[str]) -> dict[str, str]:
    """The rules' variants that a name of `VARIANTS` says, by rule."""
    return asked(rules, VARIANTS[name].get("variant"))
