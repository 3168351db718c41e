"""The variants that a benchmark can compare. Variants differ in speed only, never in their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpufluid.gpu.variants import names_of, requested
from gpufluid.rules import RULES

CHOSEN = "auto"
"""Each rule runs the variant that tuning has found the fastest on this device."""

_STRIPS = (
    *((1, 4), (1, 8), (1, 12), (1, 16), (1, 64), (2, 4), (2, 16), (2, 32), (2, 64), (4, 16)),
    *((8, 8), (8, 12), (8, 32), (16, 8), (16, 16), (16, 32)),
)

AWAKE = "awake"
"""The variants of `CHOSEN`, with all tiles active."""

VARIANTS: dict[str, dict[str, Any]] = (
    {CHOSEN: {}, AWAKE: {"sleeping": False}}
    | {variant.name: {"variant": variant.name} for rule in RULES.values() for variant in rule.variants}
    | {f"strip-{columns}x{rows}": {"strip": (columns, rows)} for columns, rows in _STRIPS}
)
"""Arguments of `Simulation` by the name of the variant."""


def applies_to(name: str, rules: Sequence[str]) -> bool:
    """True if a variant applies to a world with these rules. A variant of one rule applies only with that rule."""
    variant = VARIANTS[name].get("variant")
    return variant is None or any(variant in names_of(rule) for rule in rules)


def variants_by_rule(name: str, rules: Sequence[str]) -> dict[str, str]:
    """The variant of the passes of each rule that a name of `VARIANTS` sets, by rule."""
    return requested(rules, VARIANTS[name].get("variant"))
