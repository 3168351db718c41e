"""Rule ``heat``: every atom carries a temperature and conducts heat to its neighbours.

1. `conduct`: two neighbours exchange a part of the difference of their temperatures. One atom gets exactly the units
   that the other gives. The part is rounded at random, so that small differences even out as large ones do. Empty
   cells, and cells beyond an open edge, are air, which always has the ambient temperature. How well an atom exchanges
   heat with air depends on its material's `cooling`; that heat is counted. A difference of less than two units (a
   quarter of a degree) is not exchanged, so that a world comes to rest.
2. `transition`: an atom hotter or colder than a threshold of its material first absorbs or releases latent heat, and
   then becomes another material. Until then its temperature stays within 8 degrees of the threshold. The latent heat
   absorbed so far is kept, with a sign, in the atom's age.

3. `change_water`: water by mass boils and freezes, a full cell of it to an atom.

In a world with water by mass, or with a mixture, what flows in a cell has heat, too: field `water_heat`, the heat
beyond that of the same amount as warm as the air, so that water as warm as the air has 0. `WATER_HEAT_ONE` units of it
are a unit of an atom's heat. All parts of a mixture in a cell share one heat and one temperature; a unit of any of them
has the heat capacity of a unit of water. The heat goes along with the water that flows (`flow.share_heat`,
`inertia.share_heat`), with the parts of a mixture that move, and with what changes places with an atom. `conduct` lets
water and mixtures exchange heat with atoms, air and each other: water conducts like an atom of material water, a
mixture like an atom of its largest part, in proportion to how full the cell is. Less than a sixteenth of a cell
exchanges no heat: to atoms such a cell is air. Between two such cells, and between one and air, the heat is not rounded
at random, because its unit is small. A mixture does not boil or freeze by heat.

An atom that becomes water by mass, by melting or condensing, leaves a full cell of such water, which gets all its heat.
A cell of water by mass past a threshold of material water stores latent heat at the temperature of the threshold, in
its ``water_heat``. When it has the latent heat of an atom, it becomes one, of as much mass as fills a cell. What it
lacks comes from the other cells of its 2x2 block, what is left goes to one of these. The ledger ``heat`` counts the
heat that atoms give to water, the ledger ``water_heat`` the heat that water takes from atoms; the second counts only
heat beyond that of water as warm as the air.

Every atom has the same heat capacity, so a temperature measures heat. The sum of all temperatures and of `LATENT_ONE`
times the latent heat kept in ages changes only by the heat that the ledger counts.

Source: seed 002, "Fire Physics".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gpufluid.core.fields import (
    AMOUNT_PLANES,
    FULL,
    LATENT_ONE,
    NOT_SET,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    TEMPERATURE_ONE,
    WATER_HEAT_LIMIT,
    WATER_HEAT_ONE,
    Declaration,
    Field,
    Following,
    Measure,
    Plane,
    Quantity,
    Summary,
)
from gpufluid.matter.materials import EVEN, PROPERTIES, Material, MaterialTable, transition_problems
from gpufluid.matter.reactions import WHOLE
from gpufluid.matter.transitions import temperature_units
from gpufluid.rules.laws import Laws, amount_in
from gpufluid.rules.passes import OWN_CELLS, Layout, Over, Pass
from gpufluid.rules.schema import Fault, Numbers, Overlay, Parameter, Requirements, Rule, Stream, Variant, Word

NEVER = 1 << 15
"""A threshold beyond every temperature, with either sign."""

_NO_LIMIT = (1 << 16) - 1
"""A conductivity above that of every material."""

TURN = 7
"""The number of successive ticks that certainly contain all four partition offsets."""

_COOLING_ONE = next(key.one for key in PROPERTIES if key.name == "cooling")

WORDS = {
    "thresholds": Word({"above": 16, "below": 16}, signed=frozenset({"above", "below"})),
    # A material's conductivity to another material, and to air.
    "contacts": Word({"conductivity": 16, "surface": 16}),
    "products": Word(
        {"hotter": 8, "colder": 8, "takes": 8, "gives": 8}
    ),  # a product of 0: no transition; latent heat in LATENT_ONE
}
"""The tables of packed words, by material."""


NEITHER = {"no_thresholds": WORDS["thresholds"].packed({"above": [NEVER - 1], "below": [-NEVER]})[0]}
"""The packed thresholds of a material without transitions."""


WATER_CHANGES = ("threshold", "product", "latent")
"""The values of table ``water_changes`` for each of the two changes of water by mass, boiling, then freezing: the
threshold in units of temperature, the number of the product, and the latent heat in units of temperature. If the number
of the product is 0, water does not change so."""

WATER_CONSTANTS = {
    "conducts_from": FULL >> 4,  # units: less water, or less of a mixture, exchanges no heat and changes no state
    "changes_below": 32 * FULL,  # units: water pressed as much as this does not change its state
    "capacity_heat": 1 << 29,  # units, more than any cell has: the heat up to a threshold is cut there
    "latent_reserve": LATENT_ONE,  # units of temperature of a full cell: stored beyond the latent heat of an atom
}


def _tables(laws: Laws) -> dict[str, Sequence[int]]:
    """The tables by material: the columns of `WORDS`, packed."""
    materials = laws.materials
    count = len(materials)
    columns: dict[str, list[int]] = {"above": [NEVER - 1] * count, "below": [-NEVER] * count}
    columns |= {name: [0] * count for name in WORDS["products"].parts}
    for number, record in enumerate(materials):
        for side, product, latent in (("above", "hotter", "takes"), ("below", "colder", "gives")):
            change = record.transitions.get(side)
            if change is not None:
                columns[side][number] = temperature_units(change.threshold)
                columns[product][number] = materials[change.product]
                columns[latent][number] = record.latent_units(side)
    columns["conductivity"], columns["surface"] = _contacts(laws)
    packed: dict[str, Sequence[int]] = {name: word.packed(columns) for name, word in WORDS.items()}
    if not laws.amounts_beside_atoms:
        return packed
    contacts = [int(packed["contacts"][materials[name]]) for name in amount_materials(laws)]
    return packed | {"water_changes": _water_changes(laws), "amount_contacts": contacts}


def amount_materials(laws: Laws) -> tuple[str, ...]:
    """The materials of the amounts beside atoms: that of each layer of the mixture, or water."""
    return laws.mixture.names if laws.amounts_beside_atoms == "mixture" else ("water",)


def _water_changes(laws: Laws) -> list[int]:
    """The changes of water by mass: `WATER_CHANGES`, first for boiling, then for freezing. A mixture has none."""
    record, found = laws.materials.records[laws.materials["water"]] if laws.water_and_atoms else None, []
    for side, never in (("above", NEVER - 1), ("below", -NEVER)):
        change = None if record is None else record.transitions.get(side)
        if record is None or change is None:
            found += [never, 0, 0]
        else:
            latent = record.latent_units(side) * LATENT_ONE
            found += [temperature_units(change.threshold), laws.materials[change.product], latent]
    return found


def _contacts(laws: Laws) -> tuple[list[int], list[int]]:
    """The conductivities by material, in 65536ths of a temperature difference: to another material, and to air.

    Where a material meets air its factor `cooling` acts on the conductivity of the air, and the lower of that and its
    own conductivity counts. Between two cells the lower value counts, so air, which has none of its own, has the
    largest.
    """
    count = len(laws.materials)
    inside, cooling = (laws.materials.column(name)[1:count] for name in ("conductivity", "cooling"))
    beside_air = np.minimum(inside, (laws.constants["heat"]["air"] * cooling + _COOLING_ONE // 2) // _COOLING_ONE)
    return [_NO_LIMIT, *inside.tolist()], [_NO_LIMIT, *beside_air.tolist()]


def _span(laws: Laws) -> tuple[float, float]:
    return min(float(laws.parameters["heat"]["ambient"]), 0.0) - 20.0, 1200.0


_CONDUCT = Pass(
    "heat",
    "conduct",
    Over.COLUMNS,
    reads=("cells",),
    gathers=("warmth",),
    counts=("air", "water", "atoms"),
    marks_active=True,
    wakes="atoms",
    reads_there=AMOUNT_PLANES,
    activated_by="conduct",
    reach=(1, 1),
)
_TRANSITION = Pass(
    "heat",
    "transition",
    Over.COLUMNS,
    updates=("cells",),
    counts=("made", "used", "bound", "water", "atoms"),
    marks_active=True,
    wakes="atoms",
    amounts="moves",
    needs=("transitions",),
    activated_by="transition",
    reach=OWN_CELLS,
)
_CHANGE_WATER = Pass(
    "heat",
    "change_water",
    Over.BLOCKS,
    updates=("cells",),
    counts=("made", "used", "bound", "water", "atoms", "air"),
    marks_active=True,
    wakes="atoms",
    amounts="moves",
    beside="flow",
    activated_by="change_water",
    layout=Layout("single_blocks"),
    reach=(1, 1),
)


def _latent(materials: MaterialTable, material: np.ndarray, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The latent heat that each atom has absorbed, in `LATENT_ONE`: the age of materials with transitions, else 0."""
    return np.where(materials.keeps_latent[material], arrays["age"].view(np.int8), 0).astype(np.int64)


def _heat(materials: MaterialTable, material: np.ndarray, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The heat of each atom, latent heat included, in units of temperature."""
    return arrays["temperature"] + LATENT_ONE * _latent(materials, material, arrays)


def _fresh(laws: Laws, material: int, degrees: float | None) -> int:
    """The temperature of a new atom in units: the given one in degrees C, else its material's, else the ambient one."""
    own = laws.materials.records[material].temperature
    found = next((each for each in (degrees, own) if each is not None), laws.parameters["heat"]["ambient"])
    return temperature_units(float(found))


def water_temperature(laws: Laws, mass: np.ndarray, heat: np.ndarray) -> np.ndarray:
    """The temperature of water by mass, or of a mixture: that of the air where a cell has too little to conduct heat.

    Water that stores latent heat has the temperature of the threshold: it is never hotter, or colder.

    Args:
        laws: the laws of the world.
        mass: the units that flow in each cell, see `amount_in`; integers of any shape.
        heat: of each cell, integers of the same shape, in units of field ``water_heat``.
    Returns: int64 of the same shape, in units of field ``temperature``.
    """
    fixed = laws.constants["heat"]
    mass, heat = np.asarray(mass, np.int64), np.asarray(heat, np.int64)
    warmer = np.sign(heat) * (np.abs(heat) // np.maximum(mass * WATER_HEAT_ONE // FULL, 1))
    boils_at, _, _, freezes_at, _, _ = laws.once(_water_changes)
    own = np.clip(fixed["ambient"] + warmer, TEMPERATURE_LEAST, TEMPERATURE_MOST)
    return np.where(mass >= fixed["conducts_from"], np.minimum(np.maximum(own, freezes_at), boils_at), fixed["ambient"])


def water_latent(laws: Laws, mass: np.ndarray, heat: np.ndarray) -> np.ndarray:
    """The latent heat that the water of cells has stored to boil; below 0: what it has given off to freeze.

    Args:
        laws: the laws of the world.
        mass, heat: of each cell, integers of any shape, in units of fields ``mass`` and ``water_heat``.
    Returns: int64 of the same shape, in units of field ``water_heat``; 0 between the thresholds, for a change that the
        water does not undergo, and where a cell has too little water to conduct heat.
    """
    fixed, (boils_at, gas, _, freezes_at, ice, _) = laws.constants["heat"], laws.once(_water_changes)
    mass, heat = np.asarray(mass, np.int64), np.asarray(heat, np.int64)
    capacity = mass * WATER_HEAT_ONE // FULL
    beyond = np.maximum(heat - (boils_at - fixed["ambient"]) * capacity, 0) if gas else 0
    below = np.minimum(heat - (freezes_at - fixed["ambient"]) * capacity, 0) if ice else 0
    return np.where(mass >= fixed["conducts_from"], beyond + below, 0)


def _describe_temperature(laws: Laws, found: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:
    degrees = int(found["temperature"]) / TEMPERATURE_ONE
    air = f"{laws.parameters['heat']['ambient']:g} degrees C, the air's"
    if "water_heat" in found and not found["material"] and (amount := amount_in(found)):
        degrees = int(water_temperature(laws, amount, found["water_heat"])) / TEMPERATURE_ONE
        yield "temperature", f"{degrees:g} degrees C"
        return
    yield "temperature", f"{degrees:g} degrees C" if found["material"] else air


def _new_water(laws: Laws, degrees: float) -> int:
    """The heat of a full cell of water, or of a part of a mixture, at a temperature."""
    return WATER_HEAT_ONE * (temperature_units(degrees) - laws.constants["heat"]["ambient"])


def warmed_water(laws: Laws, mass: np.ndarray, heat: np.ndarray, units: int) -> np.ndarray:
    """The heat of water by mass, or of a mixture, in cells that are warmed by hand.

    Twin of ``shaders/heat/warmed_water.glsl``.

    A full cell gets `WATER_HEAT_ONE` for each unit of temperature, other cells in proportion to their mass. Nothing is
    added beyond the heat that water has at the ends of the scale of temperatures, if it neither boils nor freezes, nor
    beyond `WATER_HEAT_LIMIT`.

    Args:
        laws: the laws of the world.
        mass: the units that flow in each cell, see `amount_in`; integers of any shape.
        heat: of each cell, integers of the same shape, in units of field ``water_heat``.
        units: the change of temperature; below 0: the water is cooled.
    Returns: int64 of the same shape.
    """
    capacity, heat = np.asarray(mass, np.int64) * WATER_HEAT_ONE // FULL, np.asarray(heat, np.int64)
    lowest, highest = (
        np.clip(capacity * (end - laws.constants["heat"]["ambient"]), -WATER_HEAT_LIMIT, WATER_HEAT_LIMIT)
        for end in (TEMPERATURE_LEAST, TEMPERATURE_MOST)
    )
    return np.clip(heat + capacity * units, np.minimum(heat, lowest), np.maximum(heat, highest))


def _latent_heat(record: Material, held: float) -> tuple[str, str]:
    """The inspector's line on latent heat, in units of temperature: what is held, and what each change takes."""
    ends = [
        f"{change.product} at {'-' if side == 'below' else ''}{change.latent:g}"
        for side, change in record.transitions.items()
    ]
    return "latent heat", f"{held / TEMPERATURE_ONE:g} degrees; {', '.join(ends)}"


def _describe_water_heat(laws: Laws, found: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:
    """The latent heat that water by mass has stored, if it boils or freezes."""
    if not laws.water_and_atoms:
        return
    record = laws.materials.records[laws.materials["water"]]
    if not found["material"] and found["mass"] and record.transitions:
        held = int(water_latent(laws, found["mass"], found["water_heat"]))
        yield _latent_heat(record, round(held / WATER_HEAT_ONE))


def _describe_age(laws: Laws, found: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:
    """The latent heat that the atom has absorbed, if its material melts, boils or freezes; else its age."""
    record = laws.materials.records[int(found["material"])]
    if record.transitions:
        yield _latent_heat(record, int(found["age"].view(np.int8)) * LATENT_ONE)
    elif found["material"] and "reactions" in laws.rules:
        yield "age", str(found["age"])


def _describe_integrity(laws: Laws, found: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str]]:
    if found["material"] and "reactions" in laws.rules:
        yield "integrity", f"{int(found['integrity']) or WHOLE} of {WHOLE} parts"


_RESET = "{} in %s: not kept; the atoms begin as new ones do"

_DECLARES: tuple[Declaration, ...] = (
    Quantity(
        "heat",
        "heat, in units of temperature of one atom",
        {
            "emitted": 1,
            "drained": -1,
            "left": -1,
            "air": 1,
            "bound": -1,
            "water": -1,
            "reacted": 1,
            "given": 1,
            "painted": 1,
            "erased": -1,
        },
        signed=True,
        measure=Measure("heat_held", "heat/measures.glsl", _heat),
        glsl="_heat",
        most=1 << 17,  # the heat of an atom, and that of a reaction, are below 2**16
    ),
    Quantity(
        "water_heat",
        "heat of water by mass or of a mixture, beyond that of as much of it as warm as the air, in 1024ths of the unit"
        " of quantity heat",
        {
            "emitted": 1,
            "drained": -1,
            "left": -1,
            "air": 1,
            "atoms": 1,
            "reacted": 1,
            "given": 1,
            "painted": 1,
            "erased": -1,
        },
        signed=True,
        glsl="_water_heat",
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
        not_set=NOT_SET,
        quantity="heat",
        summary=Summary.EXTREMES,
        describe=_describe_temperature,
        in_scene=True,
        loss="temperature in %s: not kept; the atoms begin as new ones do",
    ),
    Field(
        "integrity",
        "uint8",
        ("warmth",),
        empty=0,
        carried=True,
        describe=_describe_integrity,
        loss=_RESET.format("integrity"),
    ),
    Field(
        "age",
        "uint8",
        ("warmth",),
        empty=0,
        carried=True,
        quantity="heat",
        summary=Summary.SUM,
        measure=Measure("latent_held", "heat/measures.glsl", _latent),
        describe=_describe_age,
        loss=_RESET.format("age"),
    ),
    Field(
        "water_heat",
        "int32",
        ("warmth",),
        one=WATER_HEAT_ONE * TEMPERATURE_ONE,
        unit="degrees times cells",
        low=-WATER_HEAT_LIMIT,
        high=WATER_HEAT_LIMIT,
        carried=True,
        without_atom=True,
        new_amount=_new_water,
        follows=Following("temperature", "warmed_water", "heat/warmed_water.glsl", warmed_water),
        quantity="water_heat",
        summary=Summary.SUM,
        describe=_describe_water_heat,
        loss="heat of water or a mixture in %s: not kept; it begins as warm as new matter",
    ),
)


def _products(laws: Laws, numbers: Collection[int]) -> set[int]:
    """The products of all transitions of some materials, and of water by mass."""
    water = {laws.materials["water"]} if laws.water_and_atoms else set()
    changes = (change for n in {*numbers, *water} for change in laws.materials.records[n].transitions.values())
    return {laws.materials[change.product] for change in changes}


def _faults(arrays: Mapping[str, np.ndarray], laws: Laws) -> Iterator[Fault]:
    """Ages that stand for more latent heat than the atom's material can have; and heat where nothing has it."""
    if "water_heat" in arrays:
        wrong = (arrays["water_heat"] != 0) & (arrays["material"] == 0) & (amount_in(arrays) == 0)
        held = "water" if laws.water_and_atoms else "a part of the mixture"
        yield wrong, "water_heat", f"; expected 0 in a cell without {held}"
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
    fields_beside={"flow": ("water_heat",), "mixture": ("water_heat",)},
    declares=_DECLARES,
    kinds={"transitions": lambda laws, numbers: any(laws.materials.records[n].transitions for n in numbers)},
    makes=_products,
    changes_solids=True,
    material_problems=transition_problems,
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
        Variant(
            "strips",
            "each invocation owns a column, or some 2x2 blocks of one, of an awake tile",
            tuple(replace(pass_, tests_tiles=True) for pass_ in (_CONDUCT, _TRANSITION, _CHANGE_WATER)),
            software=False,
        ),
        Variant(
            "lines",
            "each invocation works on some columns of an awake tile",
            (
                *(replace(each, over=Over.PATCHES) for each in (_CONDUCT, _TRANSITION)),
                replace(_CHANGE_WATER, over=Over.BLOCK_TILES, layout=Layout("cpu/tile_blocks")),
            ),
            software=True,
        ),
    ),
    # Each flag is the last tick in which something was found in the tile. warm: neighbours could exchange heat, or an
    # atom changed its state. past: an atom may be past a threshold. ready: water has the latent heat of an atom.
    awake="activate_conduct",
    tile_flags=("warm", "past", "ready"),
    carried_flag="warm",
    overlays=(
        Overlay("temperature", "temperature", "degrees C", "inferno", _span, "square root", in_solids=True),
        Overlay(
            "latent",
            "heat taken up to melt or boil (latent heat)",
            "degrees",
            "magma",
            lambda _laws: (0.0, 560.0),
            in_solids=True,
        ),
    ),
    numbers=Numbers(
        constants=NEITHER | WATER_CONSTANTS,
        tables=_tables,
        words=WORDS,
        unsigned=frozenset({*WORDS, *NEITHER, "amount_contacts"}),
    ),
    streams=(Stream("conduct"), Stream("transition"), Stream("water_blocks"), Stream("change_water")),
    settle_ticks=lambda laws: TURN if laws.water_and_atoms else 1,
)
