"""What reactions come to in the numbers of a material table: for each ordered pair of materials, and for each one.

The one owner of how names are resolved. Rules make words of it, for the device and for the oracle alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from gpufluid.cell import TEMPERATURE_ONE, VELOCITY_ONE
from gpufluid.errors import UsageError, WorldError, did_you_mean, shown
from gpufluid.materials import MaterialTable, State
from gpufluid.reactions import ANY, CHANCE_ONE, COPY, COPYING, OTHER, SAME, WORDS, Reaction, ReactionTable

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
