"""The materials that can do nothing in a world, such as fire without reactions, and the rules that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gpufluid.core.errors import GpufluidError
from gpufluid.matter.materials import Material, MaterialTable, State
from gpufluid.matter.reactions import ANY, SAME, Reaction
from gpufluid.rules import RULES, Laws
from gpufluid.world.laws import can_hold, checked_rules, known_reactions, law_conflicts
from gpufluid.world.reshaping import rules_with

_REACTING = "reactions"
_EVERYTHING = frozenset({ANY, *(state.name.lower() for state in State)})
"""The words of reactions that name all materials, or all of one state."""


def idle_materials(laws: Laws) -> dict[str, tuple[str, ...]]:
    """The materials that can do nothing in a world, by name, each with the rules that it needs.

    A material can do nothing in two cases: no rule moves it and it is no solid; or it acts by reactions and the world
    has no rule ``reactions``. It acts by reactions if it changes by itself, as fire does, if it changes what it
    touches, as acid does, or if it becomes such a material, as gunpowder does. In a world with rule ``heat`` the second
    case does not apply to a material that changes its state by temperature.

    Args:
        laws: those of the world. Materials for which the world cannot have the rules are left out.
    Returns: the missing rules of each, as a tuple in the order in which they are needed; the last rule is the one that
    the material needs, and it needs the others.
    """
    held = {name for rule in laws.rules for name in RULES[rule].held(laws.mixture.names)}
    acting = set() if _REACTING in laws.rules else _acting(known_reactions(laws.materials), laws.materials)
    missing = {rule: _missing(laws, rule) for rule in RULES}
    found = {}
    for record in laws.materials:
        if record.state is State.EMPTY or record.name in held:
            continue
        melts = "heat" in laws.rules and record.transitions
        wanted = [_REACTING] if record.name in acting and not melts else []
        if not can_hold(laws.rules, record):
            wanted += [rule for rule in RULES if record.state in RULES[rule].moves]
        needed = next((missing[rule] for rule in wanted if missing[rule]), ())
        if needed:
            found[record.name] = needed
    return found


def _missing(laws: Laws, rule: str) -> tuple[str, ...]:
    """The rules to add so that a world has a rule, which is the last; empty: it has the rule, or cannot have it."""
    together = rules_with(laws.rules, [rule])
    try:
        checked_rules(together)
        for problem in law_conflicts(together, laws.edges, laws.height, laws.width):
            raise problem
    except GpufluidError:
        return ()
    return together[len(laws.rules) :]


def _acting(reactions: Iterable[Reaction], materials: MaterialTable) -> set[str]:
    """The names of the materials that act by reactions, whatever they touch and however warm they are; see above.

    Reactions with a `mass` are left out: a material that takes up water also moves or reacts without them.
    """
    records = {record.name: record for record in materials}
    known = [reaction for reaction in reactions if reaction.chance > 0 and not reaction.mass]
    acting = {name for reaction in known for word in _acts(reaction, records) for name in _named(word, materials)}
    becoming = {
        name
        for reaction in known
        for name, product in zip(reaction.between, reaction.become, strict=True)
        if product in acting and name in records and records[name].state in (State.SOLID, State.POWDER)
    }
    return acting | becoming


def _acts(reaction: Reaction, records: dict[str, Material]) -> Iterator[str]:
    """The words of a reaction for materials that act in it: alone, or on all materials of a kind, or on empty cells."""
    if reaction.above is not None:
        return
    if len(reaction.between) == 1:
        yield reaction.between[0]
        return
    for mine, other, product in zip(reaction.between, reaction.between[::-1], reaction.become[::-1], strict=True):
        is_kind = other not in records or records[other].state is State.EMPTY
        if mine not in _EVERYTHING and is_kind and product != SAME:
            yield mine


def _named(word: str, materials: MaterialTable) -> Iterator[str]:
    """The materials that a word of a reaction names: by their name, or by a tag."""
    return (record.name for record in materials if word == record.name or word in record.tags)
