"""Rule ``heat``: every atom has a temperature, which it takes along and shares with its neighbours.

1. `conduct`: two neighbours exchange a part of the difference of their temperatures: what the one gives the other gets,
   to the unit, rounded by chance, so that nothing is lost and small differences even out as large ones do. An empty
   cell, and what lies beyond an open edge, is air: as warm as its surroundings, whatever it is given. What it gives and
   takes is counted. Less than two units, a quarter of a degree, is not exchanged: so a world comes to rest.
2. `transition`: what has become hotter or colder than a threshold of its material first takes in, or gives off, its
   latent heat, and then becomes another material. Until then its temperature stays within 8 degrees of the threshold.
   The heat taken in, or given off, is kept in its age, with a sign.

Every atom has the same heat capacity, so temperatures are heat: the sum of temperatures and of `cell.LATENT_ONE` times
what is kept of latent heat changes only by what the ledger of heat counts.

Source: seed 002, "Fire Physics".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gpufluid.core.fields import (
    LATENT_ONE,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    TEMPERATURE_ONE,
    Declaration,
    Field,
    Measure,
    Plane,
    Quantity,
    Summary,
)
from gpufluid.matter.materials import EVEN, MaterialTable
from gpufluid.matter.transitions import temperature_units
from gpufluid.rules.laws import Laws
from gpufluid.rules.schema import (
    OWN_CELLS,
    Fault,
    Numbers,
    Over,
    Overlay,
    Parameter,
    Pass,
    Requirements,
    Rule,
    Stream,
    Variant,
    Word,
)

NEVER = 1 << 15
"""A threshold that no temperature is past, with either sign."""

WORDS = {
    "thresholds": Word({"above": 16, "below": 16}, signed=frozenset({"above", "below"})),
    "products": Word({"hotter": 8, "colder": 8, "takes": 8, "gives": 8}),  # empty is none; latent heat in LATENT_ONE
}
"""The tables of packed words, by material."""


NEITHER = {"no_thresholds": WORDS["thresholds"].packed({"above": [NEVER - 1], "below": [-NEVER]})[0]}
"""The thresholds of what never changes its state."""


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """What the passes look up by material: the columns of `WORDS`, packed, and ``shares``, its conductivity.

    Empty, as air, shares by the parameter that says so.
    """
    materials = laws.materials
    count = len(materials)
    columns: dict[str, list[int]] = {"above": [NEVER - 1] * count, "below": [-NEVER] * count}
    columns |= {name: [0] * count for name in WORDS["products"].parts}
    for number, record in enumerate(materials):
        for way, product, latent in (("above", "hotter", "takes"), ("below", "colder", "gives")):
            change = record.transitions.get(way)
            if change is not None:
                columns[way][number] = temperature_units(change.threshold)
                columns[product][number] = materials[change.product]
                columns[latent][number] = record.latent_units(way)
    shares = [laws.constants["heat"]["air"], *materials.column("conductivity")[1:count].tolist()]
    return {"shares": shares, **{name: word.packed(columns) for name, word in WORDS.items()}}


def _span(laws: Laws) -> tuple[float, float]:
    return min(float(laws.parameters["heat"]["ambient"]), 0.0) - 20.0, 1200.0


_CONDUCT = Pass(
    "heat",
    "conduct",
    Over.COLUMNS,
    reads=("cells",),
    gathers=("warmth",),
    counts=("air",),
    marks_active=True,
    wakes="atoms",
    layout="whole_patches",
    reach=(1, 1),
)
_TRANSITION = Pass(
    "heat",
    "transition",
    Over.COLUMNS,
    updates=("cells",),
    counts=("made", "used", "bound"),
    marks_active=True,
    wakes="atoms",
    layout="whole_patches",
    reach=OWN_CELLS,
)


def _latent(materials: MaterialTable, material: np.ndarray, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The latent heat that each atom has taken in, in `LATENT_ONE`; an age is that only of what changes its state."""
    return np.where(materials.keeps_latent[material], arrays["age"].view(np.int8), 0).astype(np.int64)


def _heat(materials: MaterialTable, material: np.ndarray, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The heat of each atom in units of temperature, with its latent heat."""
    return arrays["temperature"] + LATENT_ONE * _latent(materials, material, arrays)


def _fresh(laws: Laws, material: int, degrees: float | None) -> int:
    """The temperature of a new atom in units: that given in degrees C, else its material's own, else the air's."""
    own = laws.materials.records[material].temperature
    found = next((each for each in (degrees, own) if each is not None), laws.parameters["heat"]["ambient"])
    return temperature_units(float(found))


_BEGINS_ANEW = "{} in %s: not kept; what is there begins anew"

_DECLARES: tuple[Declaration, ...] = (
    Quantity(
        "heat",
        "heat, in units of temperature of one atom",
        {"emitted": 1, "drained": -1, "left": -1, "air": 1, "bound": -1, "reacted": 1, "given": 1},
        signed=True,
        measure=Measure("heat_held", "heat/measures.glsl", _heat),
        glsl="_heat",
    ),
    Plane("warmth", 2, carried=True),
    Field(
        "temperature",
        "int16",
        ("warmth",),
        one=TEMPERATURE_ONE,
        unit="degrees C",
        low=TEMPERATURE_LEAST,
        high=TEMPERATURE_MOST,
        remark=", in 1/8 degree C",
        empty=0,
        carried=True,
        fresh=_fresh,
        quantity="heat",
        summary=Summary.EXTREMES,
        in_scene=True,
        loss="temperature in %s: not kept; it is that of new atoms",
    ),
    Field("integrity", "uint8", ("warmth",), empty=0, carried=True, loss=_BEGINS_ANEW.format("integrity")),
    Field(
        "age",
        "uint8",
        ("warmth",),
        empty=0,
        carried=True,
        quantity="heat",
        summary=Summary.SUM,
        measure=Measure("latent_held", "heat/measures.glsl", _latent),
        loss=_BEGINS_ANEW.format("age"),
    ),
)


def _faults(arrays: Mapping[str, np.ndarray], laws: Laws) -> Iterator[Fault]:
    """Ages that are more latent heat than the atom's material can have taken in, or given off."""
    for number, record in enumerate(laws.materials):
        if record.transitions:
            least, most = -record.latent_units("below"), record.latent_units("above")
            latent = arrays["age"].view(np.int8)
            wanted = f" ({record.name}): as latent heat, a byte with a sign, expected {least} to {most}"
            yield (arrays["material"] == number) & ((latent < least) | (latent > most)), "age", wanted


RULE = Rule(
    name="heat",
    about="Temperatures that travel with atoms and even out between neighbours; changes of state.",
    fields=("material", "velocity", "grain", "temperature", "integrity", "age"),
    declares=_DECLARES,
    changes_solids=True,
    faults=_faults,
    requires=Requirements(
        needs=("atoms",),
    ),
    parameters=(
        Parameter(
            "ambient",
            20.0,
            "the temperature of the air, in degrees C",
            TEMPERATURE_LEAST / TEMPERATURE_ONE,
            TEMPERATURE_MOST / TEMPERATURE_ONE,
            one=TEMPERATURE_ONE,
        ),
        Parameter("air", 0.002, "the conductivity of the air", 0.0, 1.0, one=EVEN),
    ),
    # Tiles sleep where those of rule atoms do; see `tile_flags_of`.
    variants=(
        Variant("strips", "each invocation writes a strip of the new temperatures", (_CONDUCT, _TRANSITION), False),
        Variant(
            "lines",
            "each invocation works on some columns of a tile that is awake",
            tuple(
                replace(each, over=Over.PATCHES, activated_by=each.name, layout="cpu/tile_patches")
                for each in (_CONDUCT, _TRANSITION)
            ),
            software=True,
        ),
    ),
    # Warm: a tile in which something could be exchanged, or has changed its state. Past: something in it may be past a
    # threshold.
    tile_flags=("warm", "past"),
    overlays=(
        Overlay("temperature", "temperature", "degrees C", "inferno", _span, "square root", in_solids=True),
        Overlay("latent", "latent heat taken in", "degrees", "magma", lambda _laws: (0.0, 560.0), in_solids=True),
    ),
    numbers=Numbers(constants=NEITHER, tables=_tables, words=WORDS, unsigned=frozenset({*WORDS, *NEITHER})),
    streams=(Stream("conduct"), Stream("transition")),
    settle_ticks=lambda _laws: 1,
)
