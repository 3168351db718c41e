"""Rule ``reactions``: reactions between neighbouring atoms, and of single atoms, by a table in TOML.

In a tick the atoms of each 2x2 block react in pairs (`react`): the upper two, the lower two, then those of each column.
So no two invocations change the same atom, and each two neighbours meet in two of four ticks. Then each atom may react
alone (`decay`). In a world with water by mass a cell of water reacts, too: an atom takes a mass from it, or gives a
mass to it or to a dry cell, counted to the unit. `matter.outcomes` resolves the table; this module packs the outcomes
into words, which the shaders read as texels and the oracle as arrays.

Source: seed 002, "Fire Physics" and "Corrosion Physics"; Toffoli & Margolus 1987, ch. 12, for the blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gpufluid.matter.outcomes import STAYS, ReactionOutcome, ReactionOutcomes, outcomes_of, water_number
from gpufluid.matter.reactions import PLACES, WHOLE
from gpufluid.rules.heat import TURN
from gpufluid.rules.laws import Laws
from gpufluid.rules.passes import OWN_CELLS, Layout, Lookup, Over, Pass
from gpufluid.rules.schema import Numbers, Overlay, Requirements, Rule, Stream, Variant, Word

RECORD = (
    Word({"first": 8, "second": 8, "first_wear": 8, "second_wear": 8}),
    Word({"least": 16, "below": 16}, signed=frozenset({"least", "below"})),
    Word(
        {
            "chance": 17,
            "push": 7,
            "first_keeps": 1,
            "second_keeps": 1,
            "first_notes": 1,
            "second_notes": 1,
            "first_copies": 1,
            "second_copies": 1,
            "more": 1,
        }
    ),
    Word({"heat": 16, "least_age": 8, "placing": 2}, signed=frozenset({"heat"})),
)
"""The four words of a record, which packs one outcome of a reaction:

1. the product and the wear of both atoms;
2. the temperatures from which on, and below which, the reaction happens;
3. the chance in 65536ths, the push, flags of both atoms (keep the velocity, note the other's material, become the noted
   material), and `more`: the next record belongs to the same pair;
4. the heat, the smallest age of the first atom, and the place of the two atoms, see `ReactionOutcome.place`.
"""

WATER_RECORD = (
    Word({"first_water": 32}, signed=frozenset({"first_water"})),
    Word({"second_water": 32}, signed=frozenset({"second_water"})),
    Word({"first_least_water": 32}, signed=frozenset({"first_least_water"})),
    Word({"second_least_water": 32}, signed=frozenset({"second_least_water"})),
)
"""The four words of a record that say what the reaction does to water by mass, in units. They are only there, and only
read, in a world with such water: in the texture of records, `ROW` columns right of the other four."""

ENTRY = Word({"place": 24, "stride": 7, "ages": 1})
"""The entry of a pair of materials, or of a material alone: the number of its first record, 0 for none; for a material
that ages, the binary logarithm of the ticks in which its age grows by 1."""

ROW = 256
"""Records in a row of the texture of records."""

ENTRIES, RECORDS = Lookup("entries", "r32ui"), Lookup("records", "rgba32ui")

ALONE, KIN = 2, 3
"""Columns of the entries, counted from the number of materials: the entry of a material alone, and its `KINSHIP`. The
two columns before belong to cells outside the world and to cells of water by mass."""

KINSHIP = Word({"partners": 27, "kind": 5})
"""A material's kind, from 1 on, 0 for a material without reactions; and one bit for each kind that it may react with.

Materials with the same partners are of one kind; if there are more kinds than bits, some share a number. Two materials
react only if the partners of one include the kind of the other. So one look at each excludes most pairs that do not
react."""

CONSTANTS = {
    "alone": ALONE,
    "kin": KIN,
    "stays": STAYS,
    "whole": WHOLE,
    "record_row": ROW,
    "turn": TURN,
    **{f"lies_{place}": number for number, place in enumerate(PLACES, start=1)},  # see `ReactionOutcome.place`
}


def _outcomes(laws: Laws) -> ReactionOutcomes:
    return outcomes_of(laws.reactions, laws.materials.records, laws.water_and_atoms)


def _partners(laws: Laws, numbers: Collection[int]) -> Iterator[tuple[ReactionOutcome, ...]]:
    """The chains of all pairs among some materials, empty cells and water by mass."""
    there = {0, water_number(laws.materials.records), *numbers}
    return (chain for pair, chain in laws.once(_outcomes).pairs.items() if there.issuperset(pair))


def _alone(laws: Laws, numbers: Collection[int]) -> Iterator[tuple[ReactionOutcome, ...]]:
    """The chains of some materials that react by themselves."""
    return (decay.chain for number, decay in laws.once(_outcomes).alone.items() if number in numbers)


def _products(laws: Laws, numbers: Collection[int]) -> set[int]:
    """The products of all reactions of some materials; all materials if an atom can become one that an age records."""
    chains = (*_partners(laws, numbers), *_alone(laws, numbers))
    if any(any(outcome.copies) for chain in chains for outcome in chain):
        return set(range(len(laws.materials)))
    return {number for chain in chains for outcome in chain for number in outcome.become if number != STAYS}


def lookups(laws: Laws) -> Mapping[str, np.ndarray]:
    """Pack the reactions of a world into lookup tables.

    Returns:
        ``entries``: (n + 2, n + 4) uint32 for n materials: the entry of the pair (first, second). Number n represents
            cells outside the world, which do not react, and n + 1 cells of water by mass. Column n + `ALONE` has the
            entry of `first` alone.
        ``records``: (rows, `ROW`, 4) uint32; (rows, 2 * `ROW`, 4) in a world with water by mass, see `WATER_RECORD`.
    """
    outcomes = laws.once(_outcomes)
    count = len(laws.materials)
    entries = np.zeros((count + 2, count + 1 + KIN), np.uint32)
    words: list[list[int]] = [[0] * 8]  # record 0: no reaction
    places: dict[tuple[ReactionOutcome, ...], int] = {(): 0}
    for key, chain in outcomes.pairs.items():
        entries[key] = _entry(_placed(chain, words, places))
    for number, alone in outcomes.alone.items():
        entries[number, count + ALONE] = _entry(_placed(alone.chain, words, places), alone.stride)
    entries[:, count + KIN] = _kinships(entries[:, : count + 2] != 0)
    rows = -(-len(words) // ROW)
    records = np.zeros((rows * ROW, 8), np.uint32)
    records[: len(words)] = words
    beside = records.reshape(rows, ROW, 2, 4).swapaxes(1, 2).reshape(rows, 2 * ROW, 4)
    return {"entries": entries, "records": beside[:, : ROW * (1 + laws.water_and_atoms)].copy()}


def _kinships(react: np.ndarray) -> list[int]:
    """The words of `KINSHIP`, one for each material, from a square bool array: True where two materials react."""
    react = react | react.T  # some react only if one lies over the other
    kinds: dict[bytes, int] = {}
    most = KINSHIP.parts["partners"] - 1
    alike = [row.tobytes() if row.any() else b"" for row in react]
    for row in alike:
        if row:
            kinds.setdefault(row, len(kinds) % most + 1)
    kind = [kinds.get(row, 0) for row in alike]
    partners = [sum(1 << each for each in {kind[other] for other in np.flatnonzero(row)}) for row in react]
    return KINSHIP.packed({"partners": partners, "kind": kind})


def _placed(
    chain: tuple[ReactionOutcome, ...], words: list[list[int]], places: dict[tuple[ReactionOutcome, ...], int]
) -> int:
    """The number of the first record of a chain; adds the records to ``words`` unless an equal chain is there."""
    if chain not in places:
        places[chain] = len(words)
        words += [_record(outcome, more=outcome is not chain[-1]) for outcome in chain]
    return places[chain]


def _entry(place: int, stride: int = 0) -> int:
    power = max(stride.bit_length() - 1, 0)
    return ENTRY.packed({"place": [place], "stride": [power], "ages": [int(stride > 0)]})[0]


def _record(outcome: ReactionOutcome, more: bool) -> list[int]:
    columns: dict[str, Sequence[int]] = {
        "least": [outcome.least],
        "below": [outcome.below],
        "chance": [outcome.chance],
        "push": [outcome.push],
        "heat": [outcome.heat],
        "least_age": [outcome.age],
        "placing": [outcome.place],
        "more": [int(more)],
    }
    for side, name in enumerate(("first", "second")):
        columns[name] = [outcome.become[side]]
        columns[f"{name}_wear"] = [outcome.wear[side]]
        columns[f"{name}_keeps"] = [int(outcome.keeps[side])]
        columns[f"{name}_notes"] = [int(outcome.notes[side])]
        columns[f"{name}_copies"] = [int(outcome.copies[side])]
        columns[f"{name}_water"] = [outcome.water[side]]
        columns[f"{name}_least_water"] = [outcome.least_water[side]]
    return [word.packed(columns)[0] for word in (*RECORD, *WATER_RECORD)]


_CHANGE = Pass(
    "reactions",
    "",
    Over.COLUMNS,
    updates=("cells",),
    looks_up=(ENTRIES, RECORDS),
    counts=("made", "used", "reacted"),
    marks_active=True,
    wakes="atoms",
)
_REACT = replace(_CHANGE, name="react", activated_by="react", reach=(1, 1), amounts="moves", needs=("partners",))
_DECAY = replace(_CHANGE, name="decay", activated_by="decay", reach=OWN_CELLS, needs=("alone",))

RULE = Rule(
    name="reactions",
    about="Fire, corrosion, growth and explosions, by a table of reactions.",
    fields=("material", "velocity", "grain", "temperature", "integrity", "age"),
    kinds={
        "partners": lambda laws, numbers: any(_partners(laws, numbers)),
        "alone": lambda laws, numbers: any(_alone(laws, numbers)),
    },
    makes=_products,
    changes_solids=True,
    requires=Requirements(needs=("atoms", "heat"), in_blocks=True),
    parameters=(),
    variants=(
        Variant(
            "blocks",
            "each invocation works on some blocks, or a strip, of a column",
            (
                replace(_REACT, over=Over.BLOCKS, layout=Layout("single_blocks"), tests_tiles=True),
                replace(_DECAY, tests_tiles=True),
            ),
            software=False,
        ),
        Variant(
            "tiles",
            "each invocation works on a part of an awake tile",
            (replace(_REACT, over=Over.BLOCK_TILES, layout=Layout("cpu/tile_blocks")), _DECAY),
            software=True,
        ),
    ),
    # Each flag is the last tick in which something was found in the tile. reactive: two atoms of a block could react.
    # changing: an atom could react alone, or ages.
    awake="is_awake",
    tile_flags=("reactive", "changing"),
    overlays=(
        Overlay(
            "integrity",
            "what acid has left of each cell (integrity)",
            "parts of 256",
            "cividis",
            lambda _laws: (0.0, 256.0),
            in_solids=True,
        ),
        Overlay("age", "age", "", "viridis", lambda _laws: (0.0, 255.0), in_solids=True),
    ),
    numbers=Numbers(constants=CONSTANTS, lookups=lookups, packed=(*RECORD, *WATER_RECORD, ENTRY, KINSHIP)),
    streams=(Stream("meet"), Stream("react"), Stream("decay")),
    settle_ticks=lambda _laws: TURN,
)
