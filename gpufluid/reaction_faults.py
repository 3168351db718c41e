"""What keeps reactions from being ones between the materials of a table, one by one and all together.

An atom has one byte for its age. It counts ticks, or holds latent heat, or the number of a material of which it has
taken note: of one material it can be only one of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from gpufluid.errors import WorldError, shown
from gpufluid.materials import Material, MaterialTable
from gpufluid.outcomes import can_act, members, missing
from gpufluid.reactions import CHANCE_ONE, COPY, COPYING, Reaction

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
