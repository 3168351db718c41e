"""What reactions come to in the numbers of a material table: for each ordered pair of materials, and for each one.

The one owner of how names are resolved. Rules make words of it, for the device and for the oracle alike.
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
"""In place of a material's number: it does not change. No table has so many materials."""

INERT = "inert"
"""What has this tag reacts only where it is named, or called by a tag."""

_STATES = {state.name.lower(): state for state in State if state is not State.EMPTY}
_OF_EACH = ("become", "keeps", "notes", "copies", "wear")
_ALWAYS = -(1 << 15), (1 << 15) - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One reaction of a first and a second material, or of a first alone; numbers as rules compute with them.

    Args:
        become: the materials' numbers after it, or `STAYS`.
        keeps: whether each, if it changes, moves on as fast as it was.
        notes: whether each takes note of the other's kind.
        copies: whether each becomes what the other has taken note of.
        wear: parts that each loses.
        chance: in 65536ths.
        least, below: in units of temperature.
        heat: in the same, for both together.
        push: in 1/16 cell a tick.
        age: that the first must have; see `Alone.stride`.
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
class Alone:
    """The reactions of one material by itself.

    Args:
        chain: in the order in which they are tried.
        stride: its age grows by 1 in each tick that is a multiple of this power of two; 0: it does not.
    """

    chain: tuple[Outcome, ...]
    stride: int


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All that reactions come to.

    Args:
        pairs: by (first, second) number; both orders are there. A chain is tried in its order.
        alone: by number.
    """

    pairs: Mapping[tuple[int, int], tuple[Outcome, ...]]
    alone: Mapping[int, Alone]


def members(name: str, materials: MaterialTable) -> frozenset[int] | None:
    """The numbers of the materials that a name of a reaction means; None: it means none that there is."""
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
    """What a reaction names that this table has not; each names its key, as TOML has it."""
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
        found.append(WorldError(key, "is nothing but 'empty', which does not react"))
    return found


def fitting(reactions: ReactionTable, materials: MaterialTable) -> ReactionTable:
    """Those of which a table has all that they name: a world of few materials has few reactions."""
    return ReactionTable(tuple(record for record in reactions if not missing(record, materials)))


def wears_into(reactions: ReactionTable, materials: MaterialTable) -> dict[int, int]:
    """The number of what a material becomes bit by bit, by its own: of acid that thins, water.

    Only what wears into something of its own state does: what dissolves is eaten away.
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
def resolved(reactions: ReactionTable, records: tuple) -> Outcomes:
    """What reactions come to between the records of a material table.

    Raises: UsageError: one of them names what is not there.
    """
    materials = MaterialTable(records)
    pairs: dict[tuple[int, int], list[Outcome]] = {}
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
    return Outcomes(
        {key: tuple(chain) for key, chain in pairs.items()},
        {number: _alone(number, chain, materials) for number, chain in sorted(alone.items())},
    )


def can_act(reaction: Reaction, materials: MaterialTable) -> bool:
    """Whether a reaction changes anything between any of the materials that it names, all of them in the table."""
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
    """The pairs that a reaction is between, each once: where both orders fit, as the lower number first."""
    strength = materials.column("strength")
    most = 255 if reaction.strength is None else reaction.strength
    found = {(a, b) for a in first for b in second if (a, b) != (0, 0) and strength[b] <= most}
    return sorted((a, b) for a, b in found if a <= b or (b, a) not in found)


def _outcome(reaction: Reaction, key: tuple[int, ...], materials: MaterialTable) -> Outcome:
    """A reaction between materials of these numbers, one or two."""
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
    return Outcome(
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


def _acts(outcome: Outcome, key: tuple[int, ...]) -> bool:
    """Whether it can change anything: of a reaction by tags not every pair does."""
    lasting = outcome.become != (STAYS, STAYS) or any(outcome.copies)
    noting = any(notes and other for notes, other in zip(outcome.notes, reversed(key), strict=False))
    return outcome.chance > 0 and (lasting or noting or outcome.heat != 0 or outcome.push != 0)


def _turned(outcome: Outcome) -> Outcome:
    """The same with the second material first."""
    both: dict[str, Any] = {name: getattr(outcome, name)[::-1] for name in _OF_EACH}
    return replace(outcome, **both)


def _alone(number: int, reactions: list[Reaction], materials: MaterialTable) -> Alone:
    longest = max(reaction.after for reaction in reactions)
    stride = 1
    while longest > 255 * stride:
        stride *= 2
    chain = []
    for reaction in reactions:
        outcome = _outcome(reaction, (number,), materials)
        if _acts(outcome, (number,)):
            chain.append(replace(outcome, age=-(-reaction.after // stride)))
    return Alone(tuple(chain), stride if longest else 0)


MEETINGS_MOST = 1 << 18
"""Pairs of materials, over all reactions of a table: so many take some seconds to work out."""


def problems(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """What keeps a reaction from being one between the materials of a table; each names its key, as TOML has it."""
    return missing(reaction, materials) or without_age(reaction, materials)


def idle(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """Whether it can never act between the materials of a table; one of chance 0 is switched off, and sound."""
    if reaction.chance == 0 or can_act(reaction, materials):
        return []
    if round(reaction.chance * CHANCE_ONE) == 0:
        least = f"{1 / CHANCE_ONE:.7f}"
        return [WorldError("chance", f"{reaction.chance:g} is too little ever to act; expected 0 or at least {least}")]
    if reaction.strength is not None:
        return [WorldError("strength", f"{reaction.strength}: nothing that it is between is so weak")]
    return [WorldError("become", "changes nothing: its products are there already, its heat too little to count")]


def too_many(reactions: Iterable[Reaction], materials: MaterialTable) -> tuple[Reaction, WorldError] | None:
    """The first reaction with which there are more than `MEETINGS_MOST` meetings to work out, if there is one."""
    meetings = 0
    for reaction in reactions:
        meetings += prod(len(members(name, materials) or ()) for name in reaction.between)
        if meetings > MEETINGS_MOST:
            reason = f"with it there are {meetings:,} meetings of materials; expected {MEETINGS_MOST:,} at most"
            return reaction, WorldError("between", reason)
    return None


def without_age(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """Whether it looks at the age of what changes its state by heat, whose age keeps latent heat."""
    reason = "has no age: it changes its state by heat (above, below)"
    return [WorldError(key, f"{shown(record.name)} {reason}") for key, record in ageless(reaction, materials)][:1]


def ageless(reaction: Reaction, materials: MaterialTable) -> list[tuple[str, Material]]:
    """The materials whose age a reaction needs and which have none, each with the key that needs it."""
    keys = {"after": reaction.between if reaction.after else (), "become": _noting(reaction)}
    return [
        (key, materials.records[number])
        for key, names in keys.items()
        for number in _numbers(names, materials)
        if materials.records[number].transitions
    ]


def misread_ages(reactions: Iterable[Reaction], materials: MaterialTable) -> Iterator[tuple[Reaction, WorldError]]:
    """The reactions that take one use of an age for another, with what is wrong; each once.

    Only what takes note of a kind can be copied from, and what takes notes cannot wait: its ticks would be taken for a
    material. Reactions of chance 0 are passed over. Of two that do not go together it is the one that is tried first.

    Args:
        reactions: in their order; all that they name is in the table.
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
            # the other of the two is sound without it
            notes = {number: each for number, each in notes.items() if each is not reaction}
            waits = {number: each for number, each in waits.items() if each is not reaction}


def _misread_age(
    reaction: Reaction, notes: dict[int, Reaction], waits: dict[int, Reaction], materials: MaterialTable
) -> WorldError | None:
    both = [number for number in notes if number in waits and reaction in (notes[number], waits[number])]
    if both:
        name = shown(materials.records[both[0]].name)
        if reaction is waits[both[0]]:
            return WorldError("after", f"{name} takes note of others in its age, by {shown(notes[both[0]].name)}")
        return WorldError("become", f"{name} cannot take note: its age counts ticks for {shown(waits[both[0]].name)}")
    for name, word in zip(reversed(reaction.between), reaction.become, strict=True):
        for number in _numbers([name] if word == COPY else [], materials):
            if number not in notes:
                material = shown(materials.records[number].name)
                return WorldError("become", f"{material} takes no note to be copied: no reaction says 'copying'")
    return None


def _noting(reaction: Reaction) -> list[str]:
    """The names of what takes note in a reaction."""
    return [name for name, word in zip(reaction.between, reaction.become, strict=True) if word == COPYING]


def _numbers(names: Iterable[str], materials: MaterialTable) -> list[int]:
    """The numbers of the matter that names mean, in their order."""
    return sorted({number for name in names for number in members(name, materials) or () if number})


_Node = tuple[int, ...]
_Edge = tuple[_Node, int, int]  # where it leads, and the temperatures between which it does


def loop(reactions: ReactionTable, materials: MaterialTable) -> list[str] | None:
    """A circle of certain reactions, as the materials that follow one another: ``["a", "b", "a"]``; None: none.

    A reaction is instant if it is certain, waits for nothing and wears nothing. Those between two are a circle where
    the same two come back, also by what each becomes by itself; circles that no one temperature allows are none.
    """
    outcomes = resolved(reactions, materials.records)
    edges = _edges(outcomes)
    for start in edges:
        found = _circle(edges, start)
        if found:
            return [" + ".join(materials.records[number].name for number in node) for node in found]
    return None


def _edges(outcomes: Outcomes) -> Mapping[_Node, list[_Edge]]:
    """What each material, and each pair of them, certainly becomes."""
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


def _instant(chain: tuple[Outcome, ...]) -> Iterator[Outcome]:
    """Those that act at once. What stands behind a certain one, at the same temperatures, never acts at all."""
    certain: list[Outcome] = []
    for outcome in chain:
        if any(first.least <= outcome.least and outcome.below <= first.below for first in certain):
            continue
        if outcome.chance == CHANCE_ONE and outcome.age == 0:
            certain.append(outcome)
        changes = outcome.become != (STAYS, STAYS)
        if changes and outcome.chance == CHANCE_ONE and outcome.wear == (0, 0) and outcome.heat == 0:
            yield outcome


def _onward(edges: Mapping[_Node, list[_Edge]], node: _Node) -> Iterator[_Edge]:
    """What follows at once: a pair meets, or either of the two changes by itself."""
    yield from edges.get(node, [])
    if len(node) == 2:
        for own, other in (node, reversed(node)):
            for (after,), least, below in edges.get((own,), []):
                yield tuple(sorted((after, other))), least, below


def _circle(edges: Mapping[_Node, list[_Edge]], start: _Node) -> list[_Node] | None:
    """A way from a node back to it, along which one temperature lasts."""
    todo: list[tuple[list[_Node], int, int]] = [([start], -(1 << 15), (1 << 15) - 1)]
    seen = set()
    while todo:
        way, least, below = todo.pop()
        for node, from_, to in _onward(edges, way[-1]):
            warmest, coldest = min(below, to), max(least, from_)
            if coldest >= warmest or (node, coldest, warmest) in seen:
                continue
            seen.add((node, coldest, warmest))
            if node == start:
                return [*way, node]
            todo.append(([*way, node], coldest, warmest))
    return None
