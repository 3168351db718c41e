"""Rule ``atoms``: falling powders, liquids and gases, one atom to a cell.

An atom is a cell's whole word: its material, its velocity and its grain move together.

Source: seed 004, "Fluid Atom Movement".
"""

from __future__ import annotations

from gpufluid.materials import State
from gpufluid.rules.declaration import Rule

RULE = Rule(
    name="atoms",
    about="Falling powders, liquids and gases, one atom to a cell.",
    fields=("material", "velocity", "grain"),
    moves=frozenset({State.POWDER, State.LIQUID, State.GAS}),
    in_blocks=True,
    parameters=(),
    passes=(),
)
