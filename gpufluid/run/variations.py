"""Variations of a data set: what differs between its worlds, and the value of each of them in each world."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.io.labels import SEED
from gpufluid.rules import RULES
from gpufluid.scene.changes import Changes, is_place
from gpufluid.scene.ranges import COUNT, draw, problem_of_ends
from gpufluid.scene.toml_lines import TomlValue

GRAVITY = "gravity"
"""The name of the variation of gravity. That of `SEED` gives each world the seed after that of the world before."""

How = Literal["steps", "powers", "draw"]

WAYS: tuple[How, ...] = ("steps", "powers", "draw")
"""How values go from a first to a last one: in equal steps, by equal factors, or drawn between them."""

Parameters = Mapping[str, Mapping[str, object]]
"""Values of parameters by rule and name."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A value that differs between the worlds of a data set.

    Args:
        name: `SEED`, `GRAVITY`, ``rule.parameter``, ``material.property``, or a value of a fill, an emitter or a drain
            of the scene, such as ``fill[0].at``.
        first, last: the ends of the values, numbers or lists of as many numbers. Between two int there are only int.
        how: one of `WAYS`.
        number: of values that are combined with those of other variations; None: one for each world.
        choices: the values, in place of ends; they are combined with those of other variations, or drawn.

    With neither ends nor choices it is the seed, or a range of the scene, which each world draws for itself.
    """

    name: str
    first: TomlValue = None
    last: TomlValue = None
    how: How = "steps"
    number: int | None = None
    choices: Sequence[Any] = ()

    def __post_init__(self) -> None:
        if self.first is not None and (problem := self._problem()):
            raise UsageError(f"--vary {self.name}: {problem}")

    def _problem(self) -> str | None:
        """The problem of the ends; None: they are valid."""
        if problem := problem_of_ends(self.first, self.last, ordered=self.how == "draw"):
            return problem
        if self.how == "powers" and min(_flat([self.first, self.last])) <= 0:
            return f"from {shown(self.first)} to {shown(self.last)}; expected numbers over 0, which have powers"
        return None

    @property
    def is_range(self) -> bool:
        """True if the scene has the range of this variation."""
        return self.first is None and not self.choices and self.name != SEED

    @property
    def is_listed(self) -> bool:
        """True if the values are known without a seed."""
        return self.how != "draw" and (self.first is not None or bool(self.choices))

    @property
    def is_combined(self) -> bool:
        """True if the values are combined with those of other variations; else each world has its own value."""
        return self.is_listed and (bool(self.choices) or self.number is not None)

    @property
    def combined(self) -> int:
        """The number of values that are combined with those of others; 1 if there are none."""
        return (len(self.choices) or self.number or 1) if self.is_combined else 1

    @property
    def span(self) -> object:
        """The values in short, of JSON's types: the first and the last one, all of them, or ``drawn``."""
        return list(self.choices) if self.choices else "drawn" if self.is_range else [self.first, self.last]

    def values(self, count: int) -> list[Any]:
        """``count`` values, if they are not drawn."""
        if self.choices:
            return list(self.choices)
        return [_between(self.first, self.last, number, count, self.how) for number in range(count)]

    def drawn(self, seed: int) -> TomlValue:
        """The value that a world of this seed draws, if it draws one."""
        range_ = {"choice": list(self.choices)} if self.choices else {"from": self.first, "to": self.last}
        return draw(range_, self.name, seed)

    @property
    def extremes(self) -> list[Any]:
        """Values that are all valid if any value is: both ends, or all choices. Empty: those of the scene."""
        return list(self.choices) if self.choices else [] if self.first is None else [self.first, self.last]


@dataclass(frozen=True, slots=True)
class Own:
    """What one world of a data set has in place of values of the scene.

    Args:
        parameters: by rule and name.
        changes: everything else.
        values: by the name of the variation, without the seed and ranges of the scene.
    """

    parameters: Parameters = field(default_factory=dict)
    changes: Changes = field(default_factory=Changes)
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def laws(self) -> object:
        """What worlds that step together have in common."""
        return self.parameters, self.changes.materials, self.changes.gravity


def of_worlds(variations: Sequence[Variation], count: int, seed: int) -> list[Own]:
    """What each of ``count`` worlds has. Their seeds, if they vary, begin with ``seed``; draws follow from these.

    Values that are combined change the slower the earlier their variation stands; worlds of one combination are
    neighbours, because worlds of the same laws step together.
    """
    combinations = math.prod(each.combined for each in variations)
    listed = {
        each.name: each.values(each.combined if each.is_combined else count) for each in variations if each.is_listed
    }
    found = []
    for world in range(count):
        own_seed, values, ranges, left = (seed + world) & 0xFFFFFFFF, {}, {}, combinations
        combination = world * combinations // count
        for each in variations:
            if each.is_range:
                ranges[each.name] = own_seed
            elif each.is_combined:
                left //= each.combined
                values[each.name] = listed[each.name][combination // left % each.combined]
            elif each.is_listed:
                values[each.name] = listed[each.name][world]
            elif each.name != SEED:
                values[each.name] = each.drawn(own_seed)
        found.append(own_of(values, ranges))
    return found


def own_of(values: Mapping[str, Any], seeds: Mapping[str, int] | None = None) -> Own:
    """What a world has, from values by the names of variations, and the seeds of ranges by name.

    Raises: UsageError: no such rule, material or value.
    """
    parameters: dict[str, dict[str, Any]] = {}
    materials: dict[str, dict[str, Any]] = {}
    places, gravity = {}, None
    for name, value in values.items():
        owner, _, key = name.partition(".")
        if name == GRAVITY:
            gravity = value
        elif is_place(name):
            places[name] = value
        elif owner in RULES:
            parameters.setdefault(owner, {})[key] = value
        else:
            materials.setdefault(owner, {})[key] = value
    return Own(parameters, Changes(materials, gravity, places, seeds or {}), values)


def labels_of_worlds(
    owns: Sequence[Own],
    drawn: Sequence[Mapping[str, Sequence[Any]]],
    variations: Sequence[Variation],
    ranges: Mapping[str, Any],
) -> dict[str, np.ndarray]:
    """What was varied and drawn in the worlds of a data set, by name: (worlds,) or with more axes, int64 or float64.

    A range of a repeated table has a second axis, of the copies, with 0 where a world has fewer. Of words, and of lists
    of different lengths, an array has the places among the choices.

    Args:
        owns: what each world has in place of the scene's values.
        drawn: what each drew, as `Scene.drawn`.
        variations: those of the data set.
        ranges: those of the scene.
    """
    choices = {each.name: each.choices for each in variations}
    found = {name: _array([own.values[name] for own in owns], choices[name]) for name in owns[0].values}
    for name in drawn[0]:
        listed = [each[name] for each in drawn]
        copies = max(map(len, listed))
        if not copies:
            continue
        choice = ranges[name].get("choice", ()) if name in ranges else ()
        array = _array([value for values in listed for value in values], choice)
        whole = np.zeros((len(listed), copies, *array.shape[1:]), array.dtype)
        whole[np.arange(copies) < np.array([[len(values)] for values in listed])] = array
        repeated = f"{name.partition('.')[0]}.{COUNT}" in drawn[0] or copies > 1
        found[name] = whole if repeated and not name.endswith(f".{COUNT}") else whole[:, 0]
    return found


def _array(values: Sequence[Any], choices: Sequence[Any]) -> np.ndarray:
    """Values as an array, (values,) or with more axes; of those that are no numbers the places among the choices.

    So it is of lists that an array cannot have, because they have different lengths.
    """
    every = [*values, *choices]
    are_words = any(not isinstance(part, int | float) or isinstance(part, bool) for part in _flat(every))
    if are_words or len({_shape(value) for value in every}) > 1:
        values = [list(choices).index(value) for value in values]
    return np.array(values, np.float64 if any(isinstance(part, float) for part in _flat(list(values))) else np.int64)


def check_name(name: str, materials: Sequence[str]) -> None:
    """Raise UsageError unless a variation can have this name.

    Args:
        name: the name.
        materials: the names of the materials of the scene.
    """
    owner, _, key = name.partition(".")
    if name in (SEED, GRAVITY) or is_place(name):
        return
    known = [*RULES, *materials]
    if owner not in known:
        wrong = f"no rule and no material is called {shown(owner)}{did_you_mean(owner, known)}"
        raise UsageError(f"--vary {shown(name)}: {wrong}")
    if not key:
        raise UsageError(f"--vary {shown(name)}: expected RULE.PARAMETER or MATERIAL.PROPERTY")
    if owner not in RULES and key == "name":
        raise UsageError(f"--vary {shown(name)}: a material keeps its name; expected one of its properties")


def _between(first: TomlValue, last: TomlValue, number: int, count: int, how: How) -> TomlValue:
    """A number between two others, or a list of them."""
    if isinstance(first, list | tuple):
        return [_between(*pair, number, count, how) for pair in zip(first, last, strict=True)]
    part = number / max(count - 1, 1)
    value = first * (last / first) ** part if how == "powers" else first + (last - first) * part
    if isinstance(first, int) and isinstance(last, int):
        return round(value)
    if part == 1:
        return last
    # Functions of powers differ by rounding between machines, the first twelve digits do not.
    return float(f"{value:.12g}") if how == "powers" else value


def _flat(value: TomlValue) -> list[Any]:
    return [part for each in value for part in _flat(each)] if isinstance(value, list | tuple) else [value]


def _shape(value: TomlValue) -> tuple[object, ...]:
    """The shapes of the items of a list, of which two values differ if no array can have both."""
    return tuple(_shape(each) for each in value) if isinstance(value, list | tuple) else ()
