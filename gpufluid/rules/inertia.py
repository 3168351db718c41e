"""Rule ``inertia``: water by mass that keeps its momentum. It takes the place of the pass ``flow.flow``.

A face between two cells remembers the speed of the water that passes through it. A tick has four passes:

1. `press`: a cell that would hold more than a full cell after the next flow presses on its neighbours. Its excess is
   smoothed over a diamond of four cells before it acts, so a pressure wave may run faster than a cell a tick.
2. `push`: pressure and weight change the speed at each face. Water under pressure loses a part of its speed, `drag`.
3. `send`: each cell sends mass through its faces: down and up first, then to both sides from what is left. A cell
   never sends more than it holds.
4. `carry`: each cell adds and subtracts what was sent. The water that passes takes its speed along: the new speed at a
   face is the mean of the speeds of the water there, weighted by mass.

A speed below `NOTICED` counts as 0. So water that nothing drives comes to rest exactly.

Source: O'Brien and Hodgins 1995 for remembered fluxes; Harlow and Welch 1965 for speeds on faces. The smoothing is a
damped Chebyshev polynomial of the Laplacian, of degree 4.
"""

from __future__ import annotations

from dataclasses import replace

from gpufluid.core.fields import FULL, Field, Plane
from gpufluid.rules.flow import FLOW
from gpufluid.rules.passes import Over, Pass, Scratch
from gpufluid.rules.schema import Numbers, Parameter, Requirements, Rule, Variant

HEAD = Scratch("head", Over.CELLS, "r32i")
"""The pressure of each cell, in units of speed a tick."""

SENT = Scratch("sent", Over.CELLS, "rgba32ui")
"""The mass that each cell sends down, to the left, to the right and up, in units."""

_SPEEDS = ("speed_right", "speed_down")

_OWN = Pass("inertia", "", Over.STRIPS, repeats="substeps", wakes="flow", activated_by="press")
_PRESS = replace(_OWN, name="press", reads=("mass", *_SPEEDS), writes=(HEAD,), reach=(4, 4))
_PUSH = replace(_OWN, name="push", reads=("mass",), gathers=_SPEEDS, takes=(HEAD,), marks_active=True, reach=(1, 1))
_SEND = replace(_OWN, name="send", reads=("mass", *_SPEEDS), writes=(SENT,), reach=(1, 1))
_CARRY = replace(
    _OWN,
    name="carry",
    gathers=("mass", *_SPEEDS),
    takes=(SENT,),
    counts=("left",),
    measures=True,
    marks_active=True,
    reach=(2, 2),
)


def _speed(name: str, about: str) -> tuple[Plane, Field]:
    plane = Plane(name, {"speed_right": 4, "speed_down": 5}[name], "r32i")
    return plane, Field(
        name, "int32", (name,), one=FULL, unit=about, low=-FULL, high=FULL, solid=0, enclosed=True, counted="units"
    )


RULE = Rule(
    name="inertia",
    about="Water by mass that keeps its momentum: waves, jets and arcs.",
    fields=("material", "mass", *_SPEEDS),
    declares=(
        *_speed("speed_right", "cells a tick, through the right face"),
        *_speed("speed_down", "cells a tick, through the lower face"),
    ),
    requires=Requirements(needs=("flow",), only_gravity="down"),
    replaces=(FLOW,),
    parameters=(
        Parameter("acceleration", 0.01, "the speed that water gains in a tick of fall, in cells a tick", 0.0, 0.03125),
        Parameter(
            "drag", 0.0088, "the part of its speed that water under pressure loses in a tick", 0.0, 0.5, one=1 << 12
        ),
        Parameter("substeps", 1, "the number of times the rule runs in a tick", 1, 1000, whole=True),
    ),
    variants=(
        Variant("strips", "each invocation works down a strip of cells", (_PRESS, _PUSH, _SEND, _CARRY), software=True),
    ),
    numbers=Numbers(
        constants={
            "dry": 64,  # largest mass, in units, that has no speed of its own
            "noticed": 64,  # the least speed other than 0
            "friction": 4,  # what every speed loses in a tick
            "fastest": 996147,  # 0.95 cells a tick
            "fastest_pressed": 629145,  # 0.6 cells a tick, of water under pressure: faster flows would be unstable
            "leaving": 1 << 18,  # the least speed with which water leaves at an open edge
        },
    ),
    settle_ticks=lambda _laws: 1,
)
