"""Reactions resolved to material numbers: the outcomes of each ordered pair of materials, and of each material alone.

This module alone resolves the names in reactions. `rules.reactions` packs the outcomes into words, which the device and
the oracle both read. A *chain* is the outcomes of one pair, or of one material, in the order in which they are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from gpufluid.core.errors import UsageError, WorldError, did_you_mean, shown
from gpufluid.core.fields import TEMPERATURE_ONE, VELOCITY_ONE
from gpufluid.matter.materials import Material, MaterialTable, State
from gpufluid.matter.reactions import (
    ANY,
    COPY,
    COPYING,
    EMPTY,
    OTHER,
    OVER,
    PLACES,
    REACTION_CHANCE_ONE,
    SAME,
    WORDS,
    Reaction,
    ReactionTable,
)

STAYS = 255
"""Stands for the number of a material that does not change. Material numbers end at 254."""

INERT = "inert"
"""The tag of materials that ``any`` and the names of states leave out. Only their names and tags include them."""

_STATES = {state.name.lower(): state for state in State if state is not State.EMPTY}
_PAIRS = ("become", "keeps", "notes", "copies", "wear", "water", "least_water")
"""The attributes of `ReactionOutcome` that are pairs of values, for the first and the second atom."""

ALL_TEMPERATURES = -(1 << 15), (1 << 15) - 1
"""The ``least`` and ``below`` of an outcome that acts at every temperature."""


@dataclass(frozen=True, slots=True)
class ReactionOutcome:
    """One reaction of an ordered pair of materials, or of one material alone, in the integers that rules compute with.

    A pair of values belongs to the first and the second atom; a reaction of one material uses the first value only.

    Args:
        become: the material number after the reaction, or `STAYS`.
        keeps: whether the atom, if it changes, keeps its velocity.
        notes: whether the atom records the material of the other one in its age.
        copies: whether the atom becomes the material that the age of the other one records.
        wear: the integrity that the atom loses, in 256ths.
        chance: the probability that the reaction acts in a tick, in 65536ths.
        least, below: the range of temperatures, in 1/8 degree C: ``least`` is inside, ``below`` is not.
        heat: the heat given to both atoms together, in 1/8 degree C of one atom.
        push: the speed away from the centre of the block that both atoms get, in 1/16 cell a tick.
        age: the least age of the first atom, in units of `Decay.stride` ticks.
        place: 0: any; 1: the first lies directly over the second; 2: side by side.
        water: the units of mass added to each of the two cells; negative: taken. The reaction does not act if an
            addition exceeds a full cell.
        least_water: the least mass in each of the two cells, in units. If the cell becomes an atom, its other water
            goes to a cell of the block without an atom; without room there the reaction does not act.
    """

    become: tuple[int, int]
    keeps: tuple[bool, bool]
    notes: tuple[bool, bool]
    copies: tuple[bool, bool]
    wear: tuple[int, int]
    chance: int
    least: int
    below: int
    heat: int
    push: int
    age: int = 0
    place: int = 0
    water: tuple[int, int] = (0, 0)
    least_water: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Decay:
    """The reactions of one material alone.

    Args:
        chain: the outcomes, in the order in which they are tried.
        stride: a power of two. The age of an atom grows by 1 in every tick that is a multiple of it. 0: atoms do not
            age.
    """

    chain: tuple[ReactionOutcome, ...]
    stride: int


@dataclass(frozen=True, slots=True)
class ReactionOutcomes:
    """The outcomes of all reactions of a table.

    Args:
        pairs: the chain of each pair (first, second) of material numbers. Each pair is in the mapping in both orders,
            except for outcomes of `OVER`.
        alone: the reactions of each material alone, by material number.
    """

    pairs: Mapping[tuple[int, int], tuple[ReactionOutcome, ...]]
    alone: Mapping[int, Decay]


def members(name: str, materials: MaterialTable) -> frozenset[int] | None:
    """The numbers of the materials that a name in a reaction means: a material, a tag, a state or ``any``.

    Returns: None if the name is unknown. Empty if the name is a state or ``any``, and no material belongs to it.
    """
    if name in materials:
        return frozenset({materials[name]})
    if name == ANY or name in _STATES:
        inert = materials.tagged.get(INERT, frozenset())
        return frozenset(
            number
            for number, record in enumerate(materials)
            if number and number not in inert and (name == ANY or record.state is _STATES[name])
        )
    return materials.tagged.get(name)


def missing(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """A problem for each name in a reaction that a material table does not have; its field is the key in TOML.

    If all names are known, a reaction that names only ``empty`` is a problem too.
    """
    found = []
    key = "from" if len(reaction.between) == 1 else "between"
    for name in reaction.between:
        if members(name, materials) is None:
            known = [*(record.name for record in materials), *materials.tagged, ANY, *_STATES]
            hint = did_you_mean(name, known)
            found.append(WorldError(key, f"{shown(name)} is no material, no state and no tag{hint}"))
    for name in reaction.become:
        if name not in WORDS and name not in materials:
            hint = did_you_mean(name, [*(record.name for record in materials), *WORDS])
            found.append(WorldError("become", f"{shown(name)} is no material{hint}"))
    if not found and reaction.between and all(members(name, materials) == {0} for name in reaction.between):
        found.append(WorldError(key, "names only 'empty', which does not react; expected a material"))
    return found


def reactions_among(reactions: ReactionTable, materials: MaterialTable) -> ReactionTable:
    """The reactions whose materials and tags all exist in a material table."""
    return ReactionTable(tuple(record for record in reactions if not missing(record, materials)))


def wears_into(reactions: ReactionTable, materials: MaterialTable) -> dict[int, int]:
    """The product into which each material wears: from material number to material number.

    For example acid, which corrodes other materials, becomes water. Only products of the same state are listed, because
    the material looks more like such a product the more it is worn.
    """
    found: dict[int, int] = {}
    state = materials.column("state")
    for reaction in reactions_among(reactions, materials):
        for name, word, wear in zip(reaction.between, reaction.become, reaction.wear, strict=False):
            if wear and word not in WORDS:
                product = materials[word]
                found |= {n: product for n in members(name, materials) or () if state[n] == state[product]}
    return found


def water_number(materials: Collection[Material]) -> int:
    """The number that stands in outcomes for a cell of water by mass, which has no material.

    It is the second number after those of all materials. The first stands for cells outside the world, which do not
    react.
    """
    return len(materials) + 1


@lru_cache(maxsize=16)
def outcomes_of(reactions: ReactionTable, records: tuple[Material, ...], by_mass: bool = False) -> ReactionOutcomes:
    """The outcomes of reactions between materials.

    Args:
        reactions: in the order in which they are tried.
        records: the records of a `MaterialTable`, in the order of their numbers.
        by_mass: whether the world has water by mass. Without it reactions with a `mass` have no outcome. With it they
            have outcomes of pairs with `water_number`.
    Raises: UsageError: a reaction names a material or tag that does not exist.
    """
    materials = MaterialTable(records)
    pairs: dict[tuple[int, int], list[ReactionOutcome]] = {}
    alone: dict[int, list[Reaction]] = {}
    for reaction in reactions:
        for problem in missing(reaction, materials):
            raise UsageError(f"reactions: {shown(reaction.name)}: {problem}")
        first = members(reaction.between[0], materials) or frozenset()
        if len(reaction.between) == 1:
            for number in first - {0}:
                alone.setdefault(number, []).append(reaction)
            continue
        second = members(reaction.between[1], materials) or frozenset()
        if reaction.mass:
            for key, outcome in _outcomes_with_water(reaction, materials) if by_mass else ():
                pairs.setdefault(key, []).append(outcome)
            continue
        alike: dict[object, tuple[ReactionOutcome, ReactionOutcome] | None] = {}  # most pairs have the same outcome
        for key in _ordered_pairs(first, second, reaction, materials):
            become = _products(reaction, key, materials)
            which = *become, key[0] == 0, key[1] == 0
            if which not in alike:
                outcome = _outcome(reaction, become, materials)
                alike[which] = (outcome, _exchanged(outcome)) if _acts(outcome, key) else None
            both = alike[which]
            if both is not None:
                pairs.setdefault(key, []).append(both[0])
                if key[0] != key[1] and reaction.place != OVER:
                    pairs.setdefault((key[1], key[0]), []).append(both[1])
    return ReactionOutcomes(
        {key: tuple(chain) for key, chain in pairs.items()},
        {number: _decay(number, chain, materials) for number, chain in sorted(alone.items())},
    )


def _outcomes_with_water(
    reaction: Reaction, materials: MaterialTable
) -> Iterator[tuple[tuple[int, int], ReactionOutcome]]:
    """The outcomes of a reaction with a `mass`, each with its pair, in both orders unless one must lie over the other.

    The cell of water is a pair's second if `Reaction.water_side` is 1. The cell may be dry or wet if it gets the mass;
    else it must be wet.
    """
    side = reaction.water_side
    if side is None or reaction.chance == 0:
        return
    makes, units = reaction.between[side] == EMPTY, reaction.mass_units
    change = units if makes else 0 if reaction.become[side] == SAME else -units
    least = 0 if makes else units
    wet = (0, water_number(materials.records)) if makes else (water_number(materials.records),)
    for number in sorted(members(reaction.between[1 - side], materials) or ()):
        if not number or (side == 0 and not _is_weak_enough(number, reaction, materials)):
            continue
        become = [STAYS, STAYS]
        product = reaction.become[1 - side]
        if product != SAME and materials[product] != number:
            become[1 - side] = materials[product]
        if not makes and reaction.become[side] not in (SAME, EMPTY):
            become[side] = materials[reaction.become[side]]
        outcome = replace(
            _outcome(reaction, (become[0], become[1]), materials),
            water=(0, change) if side else (change, 0),
            least_water=(0, least) if side else (least, 0),
        )
        if outcome.chance == 0 or not (change or _acts(outcome, (number,))):
            continue
        for other in wet:
            first, second = (number, other) if side else (other, number)
            yield (first, second), outcome
            if reaction.place != OVER:
                yield (second, first), _exchanged(outcome)


def _is_weak_enough(number: int, reaction: Reaction, materials: MaterialTable) -> bool:
    return reaction.strength is None or int(materials.column("strength")[number]) <= reaction.strength


def can_act(reaction: Reaction, materials: MaterialTable) -> bool:
    """True if a reaction has an effect for at least one combination of its materials, which all exist in the table."""
    if reaction.mass:
        return any(True for _ in _outcomes_with_water(reaction, materials))
    sides = [members(name, materials) or frozenset() for name in reaction.between]
    keys: Iterable[tuple[int, ...]]
    if len(sides) == 1:
        keys = ((number,) for number in sides[0] - {0})
    else:
        keys = _ordered_pairs(sides[0], sides[1], reaction, materials)
    return any(_acts(_outcome(reaction, _products(reaction, key, materials), materials), key) for key in keys)


def _ordered_pairs(
    first: Iterable[int], second: Iterable[int], reaction: Reaction, materials: MaterialTable
) -> list[tuple[int, int]]:
    """The pairs of material numbers to which a reaction applies; if both orders do, the lower number comes first."""
    strength = materials.column("strength")
    most = 255 if reaction.strength is None else reaction.strength
    found = {(a, b) for a in first for b in second if (a, b) != (0, 0) and strength[b] <= most}
    return sorted((a, b) for a, b in found if a <= b or (b, a) not in found or reaction.place == OVER)


def _products(reaction: Reaction, key: tuple[int, ...], materials: MaterialTable) -> tuple[int, int]:
    """The material numbers after a reaction of one or two material numbers, or `STAYS`."""
    become = [STAYS, STAYS]
    for side, number in enumerate(key):
        word = reaction.become[side]
        product = key[1 - side] if word == OTHER else STAYS if word in WORDS else materials[word]
        become[side] = STAYS if product == number else product
    return become[0], become[1]


def _outcome(reaction: Reaction, become: tuple[int, int], materials: MaterialTable) -> ReactionOutcome:
    """The outcome of a reaction with the products `_products`."""
    keeps = [number != STAYS and materials.records[number].state >= State.POWDER for number in become]
    wear = (*reaction.wear, 0, 0)
    words = (*reaction.become, SAME)
    return ReactionOutcome(
        become,
        (keeps[0], keeps[1]),
        (words[0] == COPYING, words[1] == COPYING),
        (words[0] == COPY, words[1] == COPY),
        (wear[0], wear[1]),
        round(reaction.chance * REACTION_CHANCE_ONE),
        ALL_TEMPERATURES[0] if reaction.above is None else round(reaction.above * TEMPERATURE_ONE),
        ALL_TEMPERATURES[1] if reaction.below is None else round(reaction.below * TEMPERATURE_ONE),
        round(reaction.heat * TEMPERATURE_ONE),
        round(reaction.push * VELOCITY_ONE),
        place=0 if reaction.place is None else 1 + PLACES.index(reaction.place),
    )


def _acts(outcome: ReactionOutcome, key: tuple[int, ...]) -> bool:
    """True if an outcome has an effect. A reaction of tags or states may have none for some of its materials."""
    changing = outcome.become != (STAYS, STAYS) or any(outcome.copies)
    recording = any(notes and other for notes, other in zip(outcome.notes, reversed(key), strict=False))
    return outcome.chance > 0 and (changing or recording or outcome.heat != 0 or outcome.push != 0)


def _exchanged(outcome: ReactionOutcome) -> ReactionOutcome:
    """The outcome with first and second material exchanged."""
    pairs: dict[str, Any] = {name: getattr(outcome, name)[::-1] for name in _PAIRS}
    return replace(outcome, **pairs)


def _decay(number: int, reactions: list[Reaction], materials: MaterialTable) -> Decay:
    """The reactions of one material alone. The stride is the least by which every ``after`` fits an age of 8 bits."""
    longest = max(reaction.after for reaction in reactions)
    stride = 1
    while longest > 255 * stride:
        stride *= 2
    chain = []
    for reaction in reactions:
        outcome = _outcome(reaction, _products(reaction, (number,), materials), materials)
        if _acts(outcome, (number,)):
            chain.append(replace(outcome, age=-(-reaction.after // stride)))
    return Decay(tuple(chain), stride if longest else 0)
