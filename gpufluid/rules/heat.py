"""Rule ``heat``: every atom has a temperature, which it takes along and shares with its neighbours.

Source: seed 002, "Fire Physics".
"""

from __future__ import annotations

from gpufluid.rules.declaration import Rule, Variant

RULE = Rule(
    name="heat",
    about="Temperatures that travel with atoms and even out between neighbours.",
    fields=("material", "velocity", "grain", "temperature", "integrity", "age"),
    needs=("atoms",),
    parameters=(),
    variants=(Variant("strips", "each invocation works down a strip of cells", (), software=True),),
)
