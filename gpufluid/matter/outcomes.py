"""Reactions resolved to material numbers: the outcomes of each ordered pair of materials, and of each material alone.

This module alone resolves the names in reactions. `rules.reactions` packs the outcomes into words, which the device and
the oracle both read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any

from gpufluid.core.errors import UsageError, WorldError, did_you_mean, shown
from gpufluid.core.fields import TEMPERATURE_ONE, VELOCITY_ONE
from gpufluid.matter.materials import Material, MaterialTable, State
from gpufluid.matter.reactions import ANY, CHANCE_ONE, COPY, COPYING, OTHER, SAME, WORDS, Reaction, ReactionTable

STAYS = 255
"""Instead of a material's number: the material does not change. Material numbers end at 254."""

INERT = "inert"
"""The tag of materials that ``any`` and the names of states leave out; their name and their tags still mean them."""

_STATES = {state.name.lower(): state for state in State if state is not State.EMPTY}
_OF_EACH = ("become", "keeps", "notes", "copies", "wear")
_ALWAYS = -(1 << 15), (1 << 15) - 1


@dataclass(frozen=True, slots=True)
class ReactionOutcome:
    """One reaction of an ordered pair of materials, or of one material alone, in the integers that rules compute with.

    A pair of values belongs to the first and the second atom; a reaction of one material uses the first value only.

    Args:
        become: the material number after the reaction, or `STAYS`.
        keeps: whether the atom, if it changes, keeps its velocity.
        notes: whether the atom records the material of the other one in its age.
        copies: whether the atom becomes the material that the other one has recorded.
        wear: the integrity that the atom loses, in 256ths.
        chance: in 65536ths.
        least, below: the range of temperatures, in 1/8 degree C: ``least`` is inside, ``below`` is not.
        heat: given to both atoms together, in 1/8 degree C.
        push: in 1/16 cell a tick.
        age: the least age of the first atom; see `Decay.stride`.
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


@dataclass(frozen=True, slots=True)
class Decay:
    """The reactions of one material alone.

    Args:
        chain: in the order in which they are tried.
        stride: the age of an atom grows by 1 in each tick that is a multiple of this power of two; 0: atoms do not age.
    """

    chain: tuple[ReactionOutcome, ...]
    stride: int


@dataclass(frozen=True, slots=True)
class ReactionOutcomes:
    """The outcomes of all reactions of a table.

    Args:
        pairs: by (first, second) material number, in both orders; a chain is tried in its order.
        alone: by material number.
    """

    pairs: Mapping[tuple[int, int], tuple[ReactionOutcome, ...]]
    alone: Mapping[int, Decay]


def members(name: str, materials: MaterialTable) -> frozenset[int] | None:
    """The material numbers that a name in a reaction means: a material, a tag, a state or ``any``; None: unknown name.

    The set is empty if a state, or ``any``, has no materials.
    """
    if name in materials:
        return frozenset({materials[name]})
    records = [(number, record) for number, record in enumerate(materials) if record.state is not State.EMPTY]
    tagged = frozenset(number for number, record in records if name in record.tags)
    if name == ANY or name in _STATES:
        return frozenset(
            number
            for number, record in records
            if INERT not in record.tags and (name == ANY or record.state is _STATES[name])
        )
    return tagged or None


def missing(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """A problem for each name in a reaction that the material table does not have; its field is the key in TOML."""
    found = []
    key = "from" if len(reaction.between) == 1 else "between"
    tags = {tag for record in materials for tag in record.tags}
    known = [*(record.name for record in materials), *tags, ANY, *_STATES]
    for name in reaction.between:
        if members(name, materials) is None:
            hint = did_you_mean(name, known)
            found.append(WorldError(key, f"{shown(name)} is no material, no state and no tag{hint}"))
    for name in reaction.become:
        if name not in WORDS and name not in materials:
            hint = did_you_mean(name, [*(record.name for record in materials), *WORDS])
            found.append(WorldError("become", f"{shown(name)} is no material{hint}"))
    if not found and reaction.between and all(members(name, materials) == {0} for name in reaction.between):
        found.append(WorldError(key, "is nothing but 'empty', which does not react; expected a material"))
    return found


def fitting(reactions: ReactionTable, materials: MaterialTable) -> ReactionTable:
    """The reactions whose materials and tags all exist in the material table."""
    return ReactionTable(tuple(record for record in reactions if not missing(record, materials)))


def wears_into(reactions: ReactionTable, materials: MaterialTable) -> dict[int, int]:
    """The product of wear by material number: for acid, which thins as it corrodes, the number of water.

    Only products of the same state count: a liquid that wears into a liquid dilutes, a solid that wears into a liquid
    dissolves.
    """
    found: dict[int, int] = {}
    state = materials.column("state")
    for reaction in fitting(reactions, materials):
        for name, word, wear in zip(reaction.between, reaction.become, reaction.wear, strict=False):
            if wear and word not in WORDS:
                product = materials[word]
                found |= {n: product for n in members(name, materials) or () if state[n] == state[product]}
    return found


@lru_cache(maxsize=16)
def resolved(reactions: ReactionTable, records: tuple) -> ReactionOutcomes:
    """The outcomes of reactions between materials.

    Args:
        reactions: in the order in which they are tried.
        records: the records of a `MaterialTable`, in the order of their numbers.
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
        for key in _ordered_pairs(first, second, reaction, materials):
            outcome = _outcome(reaction, key, materials)
            if _acts(outcome, key):
                pairs.setdefault(key, []).append(outcome)
                if key[0] != key[1]:
                    pairs.setdefault((key[1], key[0]), []).append(_turned(outcome))
    return ReactionOutcomes(
        {key: tuple(chain) for key, chain in pairs.items()},
        {number: _decay(number, chain, materials) for number, chain in sorted(alone.items())},
    )


def can_act(reaction: Reaction, materials: MaterialTable) -> bool:
    """Whether a reaction has an effect for at least one combination of its materials, which all exist in the table."""
    sides = [members(name, materials) or frozenset() for name in reaction.between]
    keys: Iterable[tuple[int, ...]]
    if len(sides) == 1:
        keys = ((number,) for number in sides[0] - {0})
    else:
        keys = _ordered_pairs(sides[0], sides[1], reaction, materials)
    return any(_acts(_outcome(reaction, key, materials), key) for key in keys)


def _ordered_pairs(
    first: Iterable[int], second: Iterable[int], reaction: Reaction, materials: MaterialTable
) -> list[tuple[int, int]]:
    """The pairs of material numbers to which a reaction applies; if both orders do, the lower number comes first."""
    strength = materials.column("strength")
    most = 255 if reaction.strength is None else reaction.strength
    found = {(a, b) for a in first for b in second if (a, b) != (0, 0) and strength[b] <= most}
    return sorted((a, b) for a, b in found if a <= b or (b, a) not in found)


def _outcome(reaction: Reaction, key: tuple[int, ...], materials: MaterialTable) -> ReactionOutcome:
    """The outcome of a reaction for one or two material numbers."""
    sides = range(len(key))
    become, keeps = [STAYS, STAYS], [False, False]
    for side in sides:
        word = reaction.become[side]
        if word == OTHER:
            become[side] = key[1 - side]
        elif word not in WORDS:
            become[side] = materials[word]
        become[side] = STAYS if become[side] == key[side] else become[side]
        if become[side] != STAYS:
            keeps[side] = materials.records[become[side]].state >= State.POWDER
    wear = (*reaction.wear, 0, 0)
    words = (*reaction.become, SAME)
    return ReactionOutcome(
        (become[0], become[1]),
        (keeps[0], keeps[1]),
        (words[0] == COPYING, words[1] == COPYING),
        (words[0] == COPY, words[1] == COPY),
        (wear[0], wear[1]),
        round(reaction.chance * CHANCE_ONE),
        _ALWAYS[0] if reaction.above is None else round(reaction.above * TEMPERATURE_ONE),
        _ALWAYS[1] if reaction.below is None else round(reaction.below * TEMPERATURE_ONE),
        round(reaction.heat * TEMPERATURE_ONE),
        round(reaction.push * VELOCITY_ONE),
    )


def _acts(outcome: ReactionOutcome, key: tuple[int, ...]) -> bool:
    """Whether an outcome has an effect: a reaction of tags or states can be without effect for some of its pairs."""
    lasting = outcome.become != (STAYS, STAYS) or any(outcome.copies)
    noting = any(notes and other for notes, other in zip(outcome.notes, reversed(key), strict=False))
    return outcome.chance > 0 and (lasting or noting or outcome.heat != 0 or outcome.push != 0)


def _turned(outcome: ReactionOutcome) -> ReactionOutcome:
    """The outcome with first and second material exchanged."""
    both: dict[str, Any] = {name: getattr(outcome, name)[::-1] for name in _OF_EACH}
    return replace(outcome, **both)


def _decay(number: int, reactions: list[Reaction], materials: MaterialTable) -> Decay:
    longest = max(reaction.after for reaction in reactions)
    stride = 1
    while longest > 255 * stride:
        stride *= 2
    chain = []
    for reaction in reactions:
        outcome = _outcome(reaction, (number,), materials)
        if _acts(outcome, (number,)):
            chain.append(replace(outcome, age=-(-reaction.after // stride)))
    return Decay(tuple(chain), stride if longest else 0)


MEETINGS_MOST = 1 << 18
"""The most pairs of materials over all reactions of a table; so many take a few seconds to resolve."""


def problems(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """The problems of a reaction with a material table: unknown names, else ages; the field is the key in TOML."""
    return missing(reaction, materials) or without_age(reaction, materials)


def idle(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """The problem of a reaction that has no effect with a material table, or an empty list.

    A chance of 0 switches a reaction off and is valid.
    """
    if reaction.chance == 0 or can_act(reaction, materials):
        return []
    if round(reaction.chance * CHANCE_ONE) == 0:
        least = f"{1 / CHANCE_ONE:.7f}"
        return [WorldError("chance", f"{reaction.chance:g} is rounded to 0; expected 0 or at least {least}")]
    if reaction.strength is not None:
        return [WorldError("strength", f"{reaction.strength}: all materials of the second name are stronger")]
    return [WorldError("become", "changes nothing: the products equal the materials, and the heat is rounded to 0")]


def too_many(reactions: Iterable[Reaction], materials: MaterialTable) -> tuple[Reaction, WorldError] | None:
    """The first reaction with which a table has more than `MEETINGS_MOST` pairs of materials; None: there is none."""
    meetings = 0
    for reaction in reactions:
        meetings += prod(len(members(name, materials) or ()) for name in reaction.between)
        if meetings > MEETINGS_MOST:
            reason = f"{meetings:,} pairs of materials up to this reaction; expected {MEETINGS_MOST:,} at most"
            return reaction, WorldError("between", reason)
    return None


def without_age(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """The problem of a reaction that needs the age of a material with transitions, or an empty list.

    The field ``age`` of such a material counts latent heat instead.
    """
    reason = "has no age: it changes its state by heat (above, below)"
    return [WorldError(key, f"{shown(record.name)} {reason}") for key, record in ageless(reaction, materials)][:1]


def ageless(reaction: Reaction, materials: MaterialTable) -> list[tuple[str, Material]]:
    """The materials without an age whose age a reaction needs, each with the key that needs it."""
    keys = {"after": reaction.between if reaction.after else (), "become": _noting(reaction)}
    return [
        (key, materials.records[number])
        for key, names in keys.items()
        for number in _numbers(names, materials)
        if materials.records[number].transitions
    ]


def misread_ages(reactions: Iterable[Reaction], materials: MaterialTable) -> Iterator[tuple[Reaction, WorldError]]:
    """The reactions that conflict over the use of an age, each with its problem.

    The age of an atom counts ticks for reactions with ``after``, or records a material for ``copying``; the age of one
    material cannot do both. And ``copy`` needs a neighbour whose age records a material. Reactions of chance 0 are
    left out. Of two reactions in conflict the one that is tried first is reported.

    Args:
        reactions: in the order in which they are tried; all names in them exist.
        materials: the material table.
    """
    acting = [reaction for reaction in reactions if reaction.chance > 0]
    notes, waits = {}, {}
    for reaction in acting:
        for number in _numbers(_noting(reaction), materials):
            notes.setdefault(number, reaction)
        for number in _numbers(reaction.between if reaction.after else (), materials):
            waits.setdefault(number, reaction)
    for reaction in acting:
        problem = _misread_age(reaction, notes, waits, materials)
        if problem:
            yield reaction, problem
            # without this reaction the other one is valid
            notes = {number: each for number, each in notes.items() if each is not reaction}
            waits = {number: each for number, each in waits.items() if each is not reaction}


def _misread_age(
    reaction: Reaction, notes: dict[int, Reaction], waits: dict[int, Reaction], materials: MaterialTable
) -> WorldError | None:
    both = [number for number in notes if number in waits and reaction in (notes[number], waits[number])]
    if both:
        name = shown(materials.records[both[0]].name)
        if reaction is waits[both[0]]:
            return WorldError("after", f"the age of {name} records a material, by {shown(notes[both[0]].name)}")
        return WorldError("become", f"the age of {name} counts ticks already, for {shown(waits[both[0]].name)}")
    for name, word in zip(reversed(reaction.between), reaction.become, strict=True):
        for number in _numbers([name] if word == COPY else [], materials):
            if number not in notes:
                material = shown(materials.records[number].name)
                return WorldError("become", f"{material} records no material to copy: no reaction says 'copying'")
    return None


def _noting(reaction: Reaction) -> list[str]:
    """The names in ``between`` that record the material of the other."""
    return [name for name, word in zip(reaction.between, reaction.become, strict=True) if word == COPYING]


def _numbers(names: Iterable[str], materials: MaterialTable) -> list[int]:
    """The material numbers that names mean, without empty, ascending."""
    return sorted({number for name in names for number in members(name, materials) or () if number})


_Node = tuple[int, ...]
_Edge = tuple[_Node, int, int]  # the next node, and the range of temperatures of the reaction: least, below


def loop(reactions: ReactionTable, materials: MaterialTable) -> list[str] | None:
    """A loop of instant reactions, as the sequence of materials: ``["a", "b", "a"]``; None: there is no loop.

    A reaction is instant if its chance is 1 and it has no ``after``, no ``wear`` and no ``heat``. A node is a material,
    or a pair of adjacent materials; a pair changes by a reaction between the two, or by a reaction of one of them
    alone. All reactions of a loop must act at one common temperature.
    """
    outcomes = resolved(reactions, materials.records)
    edges = _edges(outcomes)
    for start in edges:
        found = _circle(edges, start)
        if found:
            return [" + ".join(materials.records[number].name for number in node) for node in found]
    return None


def _edges(outcomes: ReactionOutcomes) -> Mapping[_Node, list[_Edge]]:
    """The instant reactions of each material and of each pair of materials."""
    edges: dict[_Node, list[_Edge]] = {}
    for number, alone in outcomes.alone.items():
        for outcome in _instant(alone.chain):
            if outcome.age == 0:
                edges.setdefault((number,), []).append(((outcome.become[0],), outcome.least, outcome.below))
    for key, chain in outcomes.pairs.items():
        if key[0] <= key[1]:
            for outcome in _instant(chain):
                after = [new if new != STAYS else old for new, old in zip(outcome.become, key, strict=True)]
                edges.setdefault(key, []).append((tuple(sorted(after)), outcome.least, outcome.below))
    return edges


def _instant(chain: tuple[ReactionOutcome, ...]) -> Iterator[ReactionOutcome]:
    """The instant outcomes of a chain, without those that an earlier certain outcome always precedes."""
    certain: list[ReactionOutcome] = []
    for outcome in chain:
        if any(first.least <= outcome.least and outcome.below <= first.below for first in certain):
            continue
        if outcome.chance == CHANCE_ONE and outcome.age == 0:
            certain.append(outcome)
        changes = outcome.become != (STAYS, STAYS)
        if changes and outcome.chance == CHANCE_ONE and outcome.wear == (0, 0) and outcome.heat == 0:
            yield outcome


def _onward(edges: Mapping[_Node, list[_Edge]], node: _Node) -> Iterator[_Edge]:
    """The edges from a node: those of the node itself, and for a pair those of each material alone."""
    yield from edges.get(node, [])
    if len(node) == 2:
        for own, other in (node, reversed(node)):
            for (after,), least, below in edges.get((own,), []):
                yield tuple(sorted((after, other))), least, below


def _circle(edges: Mapping[_Node, list[_Edge]], start: _Node) -> list[_Node] | None:
    """A path from a node back to itself whose reactions share a common temperature; None: there is no such path."""
    todo: list[tuple[list[_Node], int, int]] = [([start], -(1 << 15), (1 << 15) - 1)]
    seen = set()
    while todo:
        path, least, below = todo.pop()
        for node, from_, to in _onward(edges, path[-1]):
            warmest, coldest = min(below, to), max(least, from_)
            if coldest >= warmest or (node, coldest, warmest) in seen:
                continue
            seen.add((node, coldest, warmest))
            if node == start:
                return [*path, node]
            todo.append(([*path, node], coldest, warmest))
    return None
