"""The laws that a world runs by: its edges, its gravity, its rules; which are known, and which go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, get_args

from gpufluid.core.errors import WorldError, did_you_mean, shown
from gpufluid.matter.materials import Material, State
from gpufluid.matter.ports import is_whole
from gpufluid.rules import RULES, ParameterError, Value

Edges = Literal["closed", "open", "wrap"]
EDGES: tuple[str, ...] = get_args(Edges)
"""``closed``: walls outside; ``open``: what leaves is gone, and counted; ``wrap``: a torus."""

Gravity = Literal["down", "up", "left", "right", "off"]
GRAVITIES: tuple[str, ...] = get_args(Gravity)
"""Where matter falls to; ``down`` is toward larger rows, ``right`` toward larger columns."""


def check_edges(edges: object) -> None:
    """Raise WorldError unless it is one of `EDGES`."""
    _check_known("edges", edges, EDGES)


def check_gravity(gravity: object) -> None:
    """Raise WorldError unless it is one of `GRAVITIES`."""
    _check_known("gravity", gravity, GRAVITIES)


def check_seed(seed: object) -> None:
    """Raise WorldError unless it is a whole number of 32 bits."""
    check_whole("seed", seed, 0, 2**32 - 1)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise WorldError unless it is a whole number from low to high."""
    if not is_whole(value) or not low <= value <= high:  # pyright: ignore[reportOperatorIssue]
        raise WorldError(name, f"{shown(value)}; expected a whole number from {low} to {high}")


def _check_known(name: str, word: object, known: Sequence[str]) -> None:
    if not isinstance(word, str) or word not in known:
        raise WorldError(name, f"{shown(word)} is not known{did_you_mean(str(word)[:60], known)}")


def discords(rules: Sequence[str], edges: str, gravity: str, height: int, width: int) -> Iterator[WorldError]:
    """Each law that one of the rules cannot run by; it names the field ``gravity`` or ``edges``."""
    for name in rules:
        only = RULES[name].only_gravity
        if only is not None and gravity != only:
            yield WorldError("gravity", f"{gravity!r}: rule {name} knows only {only!r}")
        if RULES[name].in_blocks and edges == "wrap" and (height % 2 or width % 2):
            reason = f"rule {name} works in blocks of 2 by 2 cells, which must close around the torus"
            yield WorldError("edges", f"'wrap' of {width} by {height} cells: {reason}; expected even sides")


def checked_rules(rules: Sequence[str]) -> tuple[str, ...]:
    """The names of a world's rules. Raises WorldError unless each is known and is there once."""
    if isinstance(rules, str) or not rules:
        raise WorldError("rules", f"{rules!r}; expected a list of rules, such as ['flow']")
    for rule in rules:
        if rule not in RULES:
            raise WorldError("rules", f"unknown rule {rule!r}{did_you_mean(str(rule), RULES)}")
    if len(set(rules)) < len(rules):
        raise WorldError("rules", f"{list(rules)} names a rule twice")
    for problem in ill_assorted(rules):
        raise problem
    return tuple(rules)


def ill_assorted(rules: Sequence[str]) -> Iterator[WorldError]:
    """Each rule that lacks another beside it, or that cannot stand beside another; it names the field ``rules``."""
    for rule in rules:
        for needed in RULES[rule].needs:
            if needed not in rules:
                yield WorldError("rules", f"{list(rules)}: rule {rule} needs rule {needed} beside it")
        choice = RULES[rule].works_on
        there = [each for each in choice if each in rules]
        if choice and not there:
            wanted = " or ".join(f"rule {each}" for each in choice)
            yield WorldError("rules", f"{list(rules)}: rule {rule} needs {wanted} beside it")
        elif len(there) > 1:
            both = " and ".join(f"rule {each}" for each in there)
            yield WorldError("rules", f"{list(rules)}: rule {rule} cannot stand beside {both} at once; expected one")
        for shunned in RULES[rule].conflicts:
            if shunned in rules:
                yield WorldError("rules", f"{list(rules)}: rule {rule} cannot stand beside rule {shunned}")


def moved_by(rules: Sequence[str], material: Material) -> bool:
    """Whether one of the rules moves a material that is kept as an atom a cell."""
    return any(material.state in RULES[rule].moves for rule in rules)


def can_hold(rules: Sequence[str], material: Material) -> bool:
    """Whether a cell's material may be this one: a solid, or matter that one of the rules moves."""
    return material.state in (State.EMPTY, State.SOLID) or moved_by(rules, material)


def resolved(
    rules: tuple[str, ...], parameters: Mapping[str, Mapping[str, object]]
) -> Mapping[str, Mapping[str, Value]]:
    """Every parameter of a world's rules, by rule and name; nobody can write into them.

    Raises: WorldError: a rule that the world has not, an unknown name, a value that cannot be.
    """
    for rule, given in parameters.items():
        if not isinstance(given, Mapping):
            raise WorldError(f"parameters.{rule}", f"{shown(given)}; expected names and values")
        if rule not in rules:
            raise WorldError("parameters", f"rule {rule!r} is not among this world's rules {list(rules)}")
    found = {}
    for rule in rules:
        try:
            found[rule] = MappingProxyType(RULES[rule].resolve(parameters.get(rule, {})))
        except ParameterError as error:
            raise WorldError(f"{rule}.{error.name}", str(error)) from None
    return MappingProxyType(found)
