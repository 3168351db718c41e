"""The ways in which the same passes can be run: they differ in speed alone, never in what they compute."""

from __future__ import annotations

from typing import Any

from gpufluid.rules import RULES

CHOSEN = "auto"
"""What a simulation chooses by itself."""

_STRIPS = ((1, 16), (1, 64), (2, 16), (2, 32), (4, 16), (8, 8), (8, 12), (8, 32), (16, 8), (16, 16), (16, 32))

AWAKE = "awake"
"""The same with no tile asleep."""

VARIANTS: dict[str, dict[str, Any]] = (
    {CHOSEN: {}, AWAKE: {"sleeping": False}}
    | {variant.name: {"variant": variant.name} for rule in RULES.values() for variant in rule.variants}
    | {f"strip-{columns}x{rows}": {"strip": (columns, rows)} for columns, rows in _STRIPS}
)
"""By name, what a `Simulation` is told in order to run so."""
