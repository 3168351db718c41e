"""A rule from outside gpufluid: each atom that can move carries a counter of its ticks.

Nothing in the package knows of it: not of its field, its plane, its quantity, its pass, its shader or its oracle.
"""

from __future__ import annotations

from pathlib import Path

from gpufluid.core.fields import ATOM_PLANE, Field, Plane, Quantity, Summary
from gpufluid.rules.passes import Over, Pass
from gpufluid.rules.schema import Parameter, Requirements, Rule, Variant

MOST = 1000
"""Largest value of the counter."""

FIRST = 3
"""First value of the counter of a new atom."""

RULE = Rule(
    name="walkers",
    about="Each atom that can move counts its ticks.",
    fields=("material", "velocity", "grain", "steps"),
    declares=(
        Quantity("steps", "steps that atoms have counted", glsl="_steps"),
        Plane("journey", 9, carried=True),
        Field(
            "steps",
            "uint16",
            ("journey",),
            unit="steps",
            high=MOST,
            counted="steps",
            empty=0,
            solid=0,
            enclosed=True,
            carried=True,
            fresh=lambda _laws, _material, _degrees: FIRST,
            quantity="steps",
            summary=Summary.EXTREMES,
            loss="steps in %s: not kept; what is there begins to count anew",
        ),
    ),
    requires=Requirements(needs=("atoms",)),
    parameters=(Parameter("stride", 1, "how many steps an atom counts in a tick", 0, 9, whole=True),),
    variants=(
        Variant(
            "cells",
            "one invocation a cell",
            (Pass("walkers", "walk", Over.CELLS, reads=(ATOM_PLANE,), updates=("journey",), counts=("made",)),),
            software=True,
        ),
    ),
    shaders=Path(__file__).parent,
    oracle="support.walkers.oracle",
)
