"""Checks of reactions that need a material table: unknown names, missing ages, effect, number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from gpufluid.core.errors import WorldError, shown
from gpufluid.matter.materials import Material, MaterialTable
from gpufluid.matter.outcomes import can_act, members, missing
from gpufluid.matter.reactions import COPY, COPYING, REACTION_CHANCE_ONE, Reaction

COMBINATIONS_MOST = 1 << 16
"""The most combinations of materials, summed over all reactions of a table. To resolve so many takes a second."""


def reaction_problems(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """The problems of a reaction with a material table; their field is the key in TOML.

    These are the unknown names. If there are none, it is the first material without an age that the reaction needs.
    """
    return missing(reaction, materials) or _ageless_problem(reaction, materials)


def without_effect(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """The problem of a reaction that has no effect with a material table, or an empty list.

    A chance of 0 switches a reaction off and is valid.
    """
    if reaction.chance == 0 or can_act(reaction, materials):
        return []
    if round(reaction.chance * REACTION_CHANCE_ONE) == 0:
        least = f"{1 / REACTION_CHANCE_ONE:.7f}"
        return [WorldError("chance", f"{reaction.chance:g} is rounded to 0; expected 0 or at least {least}")]
    if reaction.strength is not None:
        return [WorldError("strength", f"{reaction.strength}: all materials of the second name are stronger")]
    return [WorldError("become", "changes nothing: the products equal the materials, and the heat is rounded to 0")]


def too_many(reactions: Iterable[Reaction], materials: MaterialTable) -> tuple[Reaction, WorldError] | None:
    """The first reaction with which a table has more than `COMBINATIONS_MOST` combinations; None: there is none.

    A reaction has one combination for each pair of materials, or for each material, that its names mean.
    """
    combinations = 0
    for reaction in reactions:
        combinations += prod(len(members(name, materials) or ()) for name in reaction.between)
        if combinations > COMBINATIONS_MOST:
            reason = f"{combinations:,} pairs of materials up to this reaction; expected {COMBINATIONS_MOST:,} at most"
            return reaction, WorldError("between", reason)
    return None


def _ageless_problem(reaction: Reaction, materials: MaterialTable) -> list[WorldError]:
    """The problem of a reaction that needs the age of a material without an age, or an empty list."""
    reason = "has no age: it changes its state by heat (above, below)"
    return [WorldError(key, f"{shown(record.name)} {reason}") for key, record in ageless(reaction, materials)][:1]


def ageless(reaction: Reaction, materials: MaterialTable) -> list[tuple[str, Material]]:
    """The materials without an age whose age a reaction needs, each with the key that needs it.

    A material with transitions has no age, because its field ``age`` counts latent heat.
    """
    keys = {"after": reaction.between if reaction.after else (), "become": _recording_names(reaction)}
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
    recording: dict[int, Reaction] = {}  # by material number: the first reaction by which its age records a material
    counting: dict[int, Reaction] = {}  # by material number: the first reaction for which its age counts ticks
    for reaction in acting:
        for number in _numbers(_recording_names(reaction), materials):
            recording.setdefault(number, reaction)
        for number in _numbers(reaction.between if reaction.after else (), materials):
            counting.setdefault(number, reaction)
    for reaction in acting:
        problem = _misread_age(reaction, recording, counting, materials)
        if problem:
            yield reaction, problem
            # without this reaction the other one is valid
            recording = {number: each for number, each in recording.items() if each is not reaction}
            counting = {number: each for number, each in counting.items() if each is not reaction}


def _misread_age(
    reaction: Reaction, recording: dict[int, Reaction], counting: dict[int, Reaction], materials: MaterialTable
) -> WorldError | None:
    """The problem of one reaction with the use of an age; arguments as in `misread_ages`."""
    for number in recording:
        if number in counting and reaction in (recording[number], counting[number]):
            name = shown(materials.records[number].name)
            if reaction is counting[number]:
                return WorldError("after", f"the age of {name} records a material, by {shown(recording[number].name)}")
            return WorldError("become", f"the age of {name} counts ticks already, for {shown(counting[number].name)}")
    for name, word in zip(reversed(reaction.between), reaction.become, strict=True):
        for number in _numbers([name] if word == COPY else [], materials):
            if number not in recording:
                material = shown(materials.records[number].name)
                return WorldError("become", f"{material} records no material to copy: no reaction says 'copying'")
    return None


def _recording_names(reaction: Reaction) -> list[str]:
    """The names in ``between`` whose atoms record the material of the other atom."""
    return [name for name, word in zip(reaction.between, reaction.become, strict=True) if word == COPYING]


def _numbers(names: Iterable[str], materials: MaterialTable) -> list[int]:
    """The material numbers that names mean, without empty, ascending."""
    return sorted({number for name in names for number in members(name, materials) or () if number})
