"""Makes and checks `Laws`: size, edges, gravity, seed, rules that can run together, parameters and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import get_args

from gpufluid.core.errors import WorldError, did_you_mean, named, shown, suggested
from gpufluid.core.numeric import is_whole
from gpufluid.matter import mixtures
from gpufluid.matter.materials import Material, MaterialTable, State
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.matter.outcomes import reactions_among
from gpufluid.matter.reaction_checks import misread_ages, reaction_problems, too_many
from gpufluid.matter.reaction_loops import instant_loop
from gpufluid.matter.reactions import SHIPPED, ReactionTable
from gpufluid.rules import RULES, Laws, ParameterError, Value, constants_of
from gpufluid.rules.atoms import STEPS
from gpufluid.rules.laws import Edges, Gravity, amounts_beside_atoms

SIZE_LIMIT = 1 << 16
"""The longest side of a world in cells, on any device. A simulation also checks the limit of its own device."""

EDGES: tuple[str, ...] = get_args(Edges)
"""``closed``: walls outside; ``open``: matter leaves the world and is counted; ``wrap``: a torus."""

GRAVITIES: tuple[str, ...] = get_args(Gravity)
"""The directions in which matter falls; ``down`` is toward larger rows, ``right`` toward larger columns."""


def check_edges(edges: object) -> None:
    """Raise WorldError unless ``edges`` is one of `EDGES`."""
    _check_known("edges", edges, EDGES)


def check_gravity(gravity: object) -> None:
    """Raise WorldError unless ``gravity`` is one of `GRAVITIES`."""
    _check_known("gravity", gravity, GRAVITIES)


def check_seed(seed: object) -> None:
    """Raise WorldError unless ``seed`` is a whole number from 0 to 2**32 - 1."""
    check_whole("seed", seed, 0, 2**32 - 1)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise WorldError unless ``value`` is a whole number from low to high; ``name`` is its field."""
    if not is_whole(value, low, high):
        raise WorldError(name, f"{shown(value)}; expected a whole number from {low} to {high}")


def _check_known(name: str, word: object, known: Sequence[str]) -> None:
    if not isinstance(word, str) or word not in known:
        raise WorldError(name, f"{shown(word)} is not known{did_you_mean(str(word), known)}")


def law_conflicts(rules: Sequence[str], edges: str, height: int, width: int) -> Iterator[WorldError]:
    """Errors for laws under which one of the rules cannot run; their field is ``edges``.

    Args:
        rules, edges: valid laws of a world, each by itself.
        height, width: in cells.
    """
    for name in rules:
        if RULES[name].requires.in_blocks and edges == "wrap" and (height % 2 or width % 2):
            reason = f"rule {name} divides the torus into blocks of 2 by 2 cells"
            yield WorldError("edges", f"'wrap' of {width} by {height} cells: {reason}; expected even sides")


def checked_rules(rules: Sequence[str]) -> tuple[str, ...]:
    """The names of a world's rules. Raises WorldError: an unknown rule, one named twice, or rules that conflict."""
    if isinstance(rules, str) or not isinstance(rules, Iterable) or not rules:
        raise WorldError("rules", f"{shown(rules)}; expected a list of rules, such as ['flow']")
    for rule in rules:
        if rule not in RULES:
            raise WorldError("rules", f"unknown rule {shown(rule)}{did_you_mean(str(rule), RULES)}")
    if len(set(rules)) < len(rules):
        raise WorldError("rules", f"{shown(list(rules))} names a rule twice")
    for problem in rule_conflicts(rules):
        raise problem
    return tuple(rules)


def rule_conflicts(rules: Sequence[str]) -> Iterator[WorldError]:
    """Errors for rules whose requirements the other rules do not meet; their field is ``rules``."""
    for rule in rules:
        for needed in RULES[rule].requires.needs:
            if needed not in rules:
                yield WorldError("rules", f"{list(rules)}: rule {rule} also needs rule {needed}")
        works_on = RULES[rule].requires.works_on
        if works_on and not any(each in rules for each in works_on):
            wanted = " or ".join(f"rule {each}" for each in works_on)
            yield WorldError("rules", f"{list(rules)}: rule {rule} also needs {wanted}")
        for conflicting in RULES[rule].requires.conflicts:
            if conflicting in rules:
                yield WorldError("rules", f"{list(rules)}: rule {rule} cannot run with rule {conflicting}")


def moved_by(rules: Sequence[str], material: Material) -> bool:
    """True if one of the rules moves atoms of a material."""
    return any(material.state in RULES[rule].moves for rule in rules)


def can_hold(rules: Sequence[str], material: Material) -> bool:
    """True if cells may have a material in a world with these rules: empty, a solid, or matter that a rule moves."""
    return material.state in (State.EMPTY, State.SOLID) or moved_by(rules, material)


def resolved_parameters(
    rules: tuple[str, ...], parameters: Mapping[str, Mapping[str, object]]
) -> Mapping[str, Mapping[str, Value]]:
    """The value of every parameter of a world's rules, by rule and name. The mappings are read-only.

    Args:
        rules: the rules of the world.
        parameters: the given values by rule and name; the others take their defaults.
    Raises: WorldError: a rule that the world does not have, an unknown name, or an invalid value.
    """
    if not isinstance(parameters, Mapping):
        raise WorldError("parameters", f"{shown(parameters)}; expected values by rule and name")
    for rule, given in parameters.items():
        if not isinstance(given, Mapping):
            word, _, name = str(rule).partition(".")
            hint = f": {{{word!r}: {{{name!r}: {shown(given)}}}}}" if word in RULES and name else ""
            raise WorldError(f"parameters.{named(rule)}", f"{shown(given)}; expected names and values{hint}")
        if rule not in rules:
            hint = f"; add {rule!r} to rules" if rule in RULES else suggested(str(rule), rules)
            raise WorldError("parameters", f"rule {shown(rule)} is not among this world's rules {list(rules)}{hint}")
    found = {}
    for rule in rules:
        try:
            found[rule] = MappingProxyType(RULES[rule].resolve(parameters.get(rule, {})))
        except ParameterError as error:
            raise WorldError(f"{rule}.{named(error.name)}", str(error)) from None
    return MappingProxyType(found)


def laws_of(
    height: int,
    width: int,
    rules: Sequence[str],
    edges: Edges,
    gravity: Gravity,
    seed: int,
    parameters: Mapping[str, Mapping[str, object]],
    materials: MaterialTable,
    reactions: ReactionTable | None,
    mixture: MixtureTable | None,
) -> Laws:
    """Check the laws of a world and make the immutable `Laws`. All users of `Laws` rely on these checks.

    Args:
        height, width: in cells.
        rules, edges, gravity, seed, materials: as for `World`.
        parameters: values by rule and name; the others take their defaults.
        reactions, mixture: the tables; None: the entries of the shipped table whose materials are in ``materials``.
    Raises: WorldError: an invalid law; the message has the field, the value and what was expected.
    """
    check_whole("height", height, 1, SIZE_LIMIT)
    check_whole("width", width, 1, SIZE_LIMIT)
    rules = checked_rules(rules)
    check_edges(edges)
    check_gravity(gravity)
    check_seed(seed)
    for problem in law_conflicts(rules, edges, height, width):
        raise problem
    values = resolved_parameters(rules, parameters)
    check_materials(materials, rules)
    if reactions is None:
        reactions = known_reactions(materials) if "reactions" in rules else ReactionTable()
    check_reactions(reactions, materials, rules)
    mixture = known_mixture(materials, rules) if mixture is None else mixture
    check_mixture(mixture, materials, rules)
    constants = MappingProxyType({rule: MappingProxyType(constants_of(rule, values[rule])) for rule in rules})
    size = int(height), int(width)
    return Laws(*size, rules, edges, gravity, int(seed), values, constants, materials, reactions, mixture)


def rechecked(laws: Laws) -> Laws:
    """Check laws again after one of them was replaced. Raises: WorldError: as `laws_of`."""
    return laws_of(
        laws.height,
        laws.width,
        laws.rules,
        laws.edges,
        laws.gravity,
        laws.seed,
        laws.parameters,
        laws.materials,
        laws.reactions,
        laws.mixture,
    )


def check_materials(materials: object, rules: Sequence[str]) -> None:
    """Raise WorldError unless ``materials`` is a table with all materials that the rules need, and a solid 'wall'."""
    if not isinstance(materials, MaterialTable):
        raise WorldError("materials", f"{shown(materials)}; expected a gpufluid.matter.materials.MaterialTable")
    for rule in rules:
        for name in RULES[rule].holds:
            if name not in materials:
                raise WorldError("materials", f"rule {rule} needs {name!r}, which is not in the table")
        for number, key, message in RULES[rule].material_problems(materials.records):
            raise WorldError(f"materials[{number}].{key}", f"{materials.records[number].name!r}: {message}")
    plane = amounts_beside_atoms(rules)
    if plane and len(materials) > 256 - STEPS[plane]:
        holder = next(rule for rule in rules if plane in RULES[rule].fields)
        most = f"expected at most {256 - STEPS[plane]} beside rules {holder} and atoms"
        raise WorldError("materials", f"{len(materials)} of them; {most}")
    wanted = "expected a solid of that name"
    if "wall" not in materials:
        raise WorldError("materials", f"have no 'wall', which surrounds a closed world; {wanted}")
    wall = materials.records[materials["wall"]]
    if wall.state is not State.SOLID:
        raise WorldError("materials", f"'wall' is {wall.state.name.lower()}; {wanted}")


def known_mixture(materials: MaterialTable, rules: Sequence[str]) -> MixtureTable:
    """The shipped constituents that are in a material table, and their conversions; empty if no rule has a mixture."""
    if not any(RULES[rule].mixes for rule in rules):
        return MixtureTable()
    constituents = [each for each in mixtures.SHIPPED.constituents if each.material in materials]
    names = [each.material for each in constituents]
    return MixtureTable(constituents, mixtures.conversions_among(mixtures.SHIPPED.conversions, names))


def check_mixture(table: object, materials: MaterialTable, rules: Sequence[str]) -> None:
    """Raise WorldError unless ``table`` is a mixture that the rules can use: 1 or more known materials."""
    if not isinstance(table, MixtureTable):
        raise WorldError("mixture", f"{shown(table)}; expected a gpufluid.matter.mixtures.MixtureTable")
    if not any(RULES[rule].mixes for rule in rules):
        return
    if not len(table):
        raise WorldError("mixture", "has no constituents; expected 1 or more")
    for number, name in enumerate(table.names):
        problem = constituent_problem(name, materials)
        if problem:
            raise WorldError(f"mixture.constituents[{number}].material", problem)


def constituent_problem(name: str, materials: MaterialTable) -> str | None:
    """The reason why a material cannot be part of a mixture, as a message; None: it can."""
    if name not in materials:
        return f"unknown material {shown(name)}{did_you_mean(name, [record.name for record in materials])}"
    if name == "wall" or materials[name] == 0:
        return f"{shown(name)} cannot be part of a mixture: it is the material of cells without a mixture"
    return None


def known_reactions(materials: MaterialTable) -> ReactionTable:
    """The shipped reactions whose materials and tags are all in a material table."""
    return reactions_among(SHIPPED, materials)


def check_reactions(table: object, materials: MaterialTable, rules: Sequence[str]) -> None:
    """Raise WorldError unless ``table`` has only reactions between known materials, and no loop of instant ones."""
    if not isinstance(table, ReactionTable):
        raise WorldError("reactions", f"{shown(table)}; expected a gpufluid.matter.reactions.ReactionTable")
    if "reactions" not in rules:
        return
    for reaction in table:
        for problem in reaction_problems(reaction, materials):
            raise WorldError(f"reactions[{reaction.name!r}].{problem.field}", problem.message)
    for reaction, problem in misread_ages(table, materials):
        raise WorldError(f"reactions[{reaction.name!r}].{problem.field}", problem.message)
    if beyond := too_many(table, materials):
        reaction, problem = beyond
        raise WorldError(f"reactions[{reaction.name!r}].{problem.field}", problem.message)
    loop = instant_loop(table, materials)
    if loop:
        raise WorldError("reactions", f"instant reactions form a loop: {' -> '.join(loop)}")
