"""Rule ``flow``: mass-based, slightly compressible water.

A cell sends mass down, to both sides and up, in this order. Each flow brings two cells closer to the masses that they
would have at rest with the same total. Below a full cell, a cell at rest holds `max_compress` more than the full cell.
So pressure needs no field of its own, and water rises in communicating vessels. All flows are computed from the masses
before the pass: the whole rule is one gather. No water enters a solid, and beside rule ``atoms`` no atom.

Beside rule ``heat`` the water takes its heat along. Before the water flows, `share_heat` computes the heat that each
outflow takes: the same share as of the mass, rounded, and all of the heat if it takes all of the mass. Then `move_heat`
moves the heat. Heat that remains in a cell from which all water has flowed goes to the air and is counted.

Down is where gravity points. Without gravity water has no weight: it stays where it is, and only the mass above a full
cell evens out, to all four sides alike.

Source: seed 000, "Simple Fluid Simulation With Cellular Automata"; its Unity variant, seed 001.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gpufluid.core.fields import ATOM_PLANE, FULL, MASS_LIMIT, Field, Plane, Quantity, Summary
from gpufluid.core.frame import frame_size
from gpufluid.matter.ports import PORTS_MOST
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import OWN_CELLS, Layout, Over, Pass, Scratch
from gpufluid.rules.schema import Numbers, Overlay, Parameter, Rule, Stream, Variant


def _stable_ratio(fixed: Mapping[str, int]) -> dict[str, int]:
    """C / (M + C) in 2**32nds: the lower cell's share of the mass that two cells hold beyond one full cell.

    The seed derives b = (M*M + total*C) / (M + C); with total = M + excess this is M + excess * C / (M + C).
    """
    compress, mass = fixed["max_compress"], fixed["max_mass"]
    return {"stable_ratio": (compress << 32) // (mass + compress)}


def _rest_below(laws: Laws, mass: int) -> int:
    """The mass at rest of the cell below one with a mass, in units: the lower cell's share of what both hold together.

    The share is rounded down. It is the least solution of its equation, which fixed-point iteration finds.
    """
    fixed = laws.constants["flow"]
    most, below = fixed["max_mass"], -1
    share = 0
    while below != share and mass < most:
        below, share = share, (mass + share) * fixed["stable_ratio"] >> 32
    return most + share if mass < most else mass + fixed["max_compress"]


def _pressure_span(laws: Laws) -> tuple[float, float]:
    """The range of pressure: from 0 to the pressure at the bottom of a world full of water, in cells."""
    rows = frame_size(laws.width, laws.height, laws.gravity)[1]
    return 0.0, max(float(laws.parameters["flow"]["max_compress"]) * rows, 1e-3)


def _mass_span(laws: Laws) -> tuple[float, float]:
    return 0.0, float(laws.parameters["flow"]["max_mass"]) + _pressure_span(laws)[1]


_EMIT = Pass(
    "flow",
    "emit",
    Over.EMITTERS,
    updates=("mass",),
    counts=("emitted",),
    repeats="substeps",
    also_wakes="atoms",
    updates_there=("warmth",),
    reach=OWN_CELLS,
)
_DRAIN = replace(_EMIT, name="drain", over=Over.DRAINS, counts=("drained",))
MOTION = ("flow.emit", "flow.share_heat", "flow.flow", "flow.move_heat", "flow.drain")
"""The passes that another law of motion of the water may replace."""

PARAMETERS_OF_MOTION = ("preset", "max_compress", "min_flow", "max_speed", "side_divisor", "side_order", "substeps")
"""The parameters that only these passes use; the others say how water is drawn, too."""

_FLOW = Pass(
    "flow",
    "flow",
    Over.STRIPS,
    gathers=("mass",),
    counts=("left",),
    repeats="substeps",
    measures=True,
    marks_active=True,
    also_wakes="atoms",
    activated_by="flow",
    tests_tiles=True,
    layout=Layout(fetches=True, fours=True, two_ticks=True),
    reach=(2, 2),  # the outflow of a neighbour depends on the neighbour's own neighbours
)
HEAT_SENT = Scratch("heat_sent", Over.CELLS, "rgba32ui")
"""The heat that the water of each cell takes along: to the right, down, to the left and up in the gravity frame."""

SHARE_HEAT = Pass(
    "flow",
    "share_heat",
    Over.STRIPS,
    reads=("mass", "warmth"),
    writes=(HEAT_SENT,),
    repeats="substeps",
    activated_by="share_heat",
    tests_tiles=True,
    beside="heat",
    reach=(1, 1),
)
MOVE_HEAT = Pass(
    "flow",
    "move_heat",
    Over.STRIPS,
    reads=("mass",),
    updates=("warmth",),
    takes=(HEAT_SENT,),
    counts=("left", "air"),
    repeats="substeps",
    marks_active=True,
    also_wakes="atoms",
    activated_by="move_heat",
    tests_tiles=True,
    beside="heat",
    reach=(1, 1),
)
_WALLS = Pass(
    "flow",
    "walls",
    Over.TILES,
    reads=(ATOM_PLANE,),
    updates=("mass",),
    wakes="atoms",
    also_wakes="flow",
    activated_by="walls",
    tests_tiles=True,
    if_obstacles_change=True,
    reach=OWN_CELLS,
)


RULE = Rule(
    name="flow",
    about="Mass-based, slightly compressible water.",
    fields=("material", "mass"),
    declares=(
        Quantity("mass", "water, in units of mass", attribute="ledger"),
        Plane("mass", 1, "r32i", derived=("solid",)),
        Field(
            "mass",
            "int32",
            ("mass",),
            one=FULL,
            unit="cells",
            low=0,
            high=MASS_LIMIT,
            counted="units",
            solid=0,
            enclosed=True,
            quantity="mass",
            summary=Summary.SUM,
        ),
    ),
    holds={"water": "mass"},
    rest_below=_rest_below,
    drawn_within_cells=True,
    parameters=(
        Parameter("max_mass", 1.0, "the mass of a full cell without pressure, in cells", 0.01, 100.0),
        Parameter("max_compress", 0.02, "the additional mass of the cell below a full cell, in cells", 0.0, 10.0),
        Parameter(
            "min_mass", 0.0001, "the largest mass of a cell that counts as dry and is drawn so, in cells", 0.0, 1.0
        ),
        Parameter(
            "min_flow",
            0.01,
            "larger flows are halved, which smooths them, in cells a tick",
            0.0,
            100.0,
        ),
        Parameter("max_speed", 1.0, "the largest flow down or up, in cells a tick", 0.0, 100.0),
        Parameter(
            "side_divisor", 4, "a flow to a side is the difference of masses divided by this", 1, 1000, whole=True
        ),
        Parameter(
            "side_order", "alternate", "the side that gets its flow first", choices=("left", "right", "alternate")
        ),
        Parameter("substeps", 1, "the number of times the rule runs in a tick", 1, 1000, whole=True),
    ),
    presets={
        "default": {},
        # If only flows above min_flow are halved, still water can oscillate between two cells. Halving all avoids that.
        "calm": {"min_flow": 0.0},
        "seed-000": {"side_order": "left"},
        # In seed 001 "Left" is x + 1. The seed has no min_flow; it halves flows above MinMass.
        "seed-001": {"min_flow": 0.0001, "side_divisor": 2, "side_order": "right"},
    },
    variants=(
        Variant(
            "strips",
            "each invocation works down a strip of cells",
            (_EMIT, _WALLS, SHARE_HEAT, _FLOW, MOVE_HEAT, _DRAIN),
        ),
    ),
    awake="activate_flow",
    tile_flags=("changed",),
    overlays=(
        Overlay("mass", "mass", "cells", "viridis", _mass_span, "square root"),
        Overlay("flow", "outflow of a cell", "cells a substep", "magma", lambda _laws: (1e-6, 1.0), "logarithm"),
        Overlay("pressure", "mass above a full cell", "cells", "cividis", _pressure_span, "square root"),
    ),
    # Beside atoms flow marks the ticks in which it changes what they see. One tick without flow or marks proves rest:
    # each flow depends only on masses and walls, and `walls` runs before `flow` in a tick.
    settle_ticks=lambda laws: 1 if laws.water_and_atoms else 0,
    numbers=Numbers(derived=_stable_ratio, unsigned=frozenset({"stable_ratio"})),
    streams=(Stream("emit", count=PORTS_MOST, step=1 << 20),),
)
