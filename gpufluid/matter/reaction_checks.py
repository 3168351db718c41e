"""Checks of reactions that need a material table: unknown names, missing ages, effect, number, instant loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import prod

from gpufluid.core.errors import WorldError, shown
from gpufluid.matter.materials import Material, MaterialTable
from gpufluid.matter.outcomes import (
    ALL_TEMPERATURES,
    STAYS,
    ReactionOutcome,
    ReactionOutcomes,
    can_act,
    members,
    missing,
    outcomes_of,
)
from gpufluid.matter.reactions import COPY, COPYING, REACTION_CHANCE_ONE, Reaction, ReactionTable

COMBINATIONS_MOST = 1 << 18
"""The most combinations of materials, summed over all reactions of a table. To resolve so many takes a few seconds."""


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


_Node = tuple[int, ...]
"""One material number, or those of two adjacent atoms, ascending."""

_Edge = tuple[_Node, int, int]
"""An instant reaction: the node after it, and the range of temperatures in which it acts: least, below."""


def instant_loop(reactions: ReactionTable, materials: MaterialTable) -> list[str] | None:
    """A loop of instant reactions, as the sequence of materials: ``["a", "b", "a"]``; None: there is no loop.

    A reaction is instant if its chance is 1 and it has no ``after``, no ``wear`` and no ``heat``. A pair of adjacent
    atoms changes by a reaction between the two, or by a reaction of one of them alone. All reactions of a loop must act
    at one common temperature.
    """
    edges = _edges(outcomes_of(reactions, materials.records))
    for start in edges:
        found = _loop_through(edges, start)
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
    """The instant outcomes of a chain. An outcome that an earlier certain outcome always prevents is left out."""
    certain: list[ReactionOutcome] = []
    for outcome in chain:
        if any(first.least <= outcome.least and outcome.below <= first.below for first in certain):
            continue
        if outcome.chance == REACTION_CHANCE_ONE and outcome.age == 0:
            certain.append(outcome)
        changes = outcome.become != (STAYS, STAYS)
        if changes and outcome.chance == REACTION_CHANCE_ONE and outcome.wear == (0, 0) and outcome.heat == 0:
            yield outcome


def _edges_from(edges: Mapping[_Node, list[_Edge]], node: _Node) -> Iterator[_Edge]:
    """The edges from a node: those of the node itself, and for a pair those of each atom alone."""
    yield from edges.get(node, [])
    if len(node) == 2:
        for own, other in (node, node[::-1]):
            for (after,), least, below in edges.get((own,), []):
                yield tuple(sorted((after, other))), least, below


def _loop_through(edges: Mapping[_Node, list[_Edge]], start: _Node) -> list[_Node] | None:
    """A path from a node back to itself whose reactions share a common temperature; None: there is no such path."""
    todo: list[tuple[list[_Node], int, int]] = [([start], *ALL_TEMPERATURES)]
    seen = set()
    while todo:
        path, path_least, path_below = todo.pop()
        for node, least, below in _edges_from(edges, path[-1]):
            common = max(path_least, least), min(path_below, below)
            if common[0] >= common[1] or (node, *common) in seen:
                continue
            seen.add((node, *common))
            if node == start:
                return [*path, node]
            todo.append(([*path, node], *common))
    return None
