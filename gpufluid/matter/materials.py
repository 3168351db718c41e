"""The materials, one record each; every table, in Python and in GLSL, is derived from these records.

Those that come with gpufluid are data: ``materials.toml``, which also says what each key means.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

import numpy as np

from gpufluid.core.errors import UsageError, WorldError, did_you_mean, shown
from gpufluid.core.paths import materials_file
from gpufluid.matter.reactions import ANY, WORDS
from gpufluid.matter.transitions import AS_AIR, Transition, temperature_problem

EVEN = 13107
"""The conductivity of 1 in 65536ths of a difference of temperatures: so an atom and four like it even out at once."""


@dataclass(frozen=True, slots=True)
class Property:
    """One number of every material: what a scene may say, and the integer that shaders and oracle compute with.

    Args:
        name: its key.
        low, high: its range, both ends allowed.
        one: the integer that stands for 1.0.
    """

    name: str
    low: float
    high: float
    one: int

    def fixed(self, value: float) -> int:
        """A value as that integer, to the nearest: the one way by which these decimals enter a rule."""
        return round(value * self.one)

    def problem(self, value: object) -> str | None:
        """What keeps a value from being one of this property, if anything does."""
        if isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high:
            return None
        return f"{shown(value)}; expected a number from {self.low:g} to {self.high:g}"


PROPERTIES = (
    Property("shade", 0, 1, 256),
    Property("gravity", -4, 4, 256),
    Property("terminal", 0, 7.9, 16),
    Property("drag", 0, 7.9, 16),
    Property("bounce", 0, 1, 256),
    Property("slide", 0, 1, 256),
    Property("spread", 0, 1, 256),
    Property("stick", 0, 1, 256),
    Property("conductivity", 0, 1, EVEN),
    Property("strength", 0, 255, 1),
)
"""Speeds are in 1/16 cell a tick, as velocities are; conductivity in 65536ths of a difference; chances and shares in
256ths."""


LIMIT = 255
"""A table has at most so many materials: their numbers are 0 to 254."""

NAME_LIMIT = 32
"""No name is longer: names stand in messages and in shaders."""

DENSITY_LIMIT = 65535
"""kg/m3."""

_NAME = re.compile("[a-z][a-z0-9]*( [a-z0-9]+)*")  # a space is an underline in GLSL, which forbids two in a row
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


class State(IntEnum):
    """How matter behaves. The numbers are those that shaders see."""

    EMPTY = 0
    SOLID = 1
    POWDER = 2
    LIQUID = 3
    GAS = 4

    @classmethod
    def of(cls, word: object) -> State:
        """The state that a scene's word names. Raises ValueError: a sentence; ``empty`` is no word for it."""
        words = [state.name.lower() for state in cls if state is not cls.EMPTY]
        if not isinstance(word, str) or word not in words:
            raise ValueError(f"{shown(word)} is not known{did_you_mean(str(word)[:60], words)}")
        return cls[word.upper()]


RESERVED = frozenset({*WORDS, ANY, *(state.name.lower() for state in State)})
"""Words that mean something else in a reaction: no name and no tag. Number 0 alone may be called empty."""


COLUMNS = ("state", "density", *(key.name for key in PROPERTIES))
"""What a table has a column of integers for."""


def colour_of(text: object) -> tuple[int, int, int]:
    """``#rrggbb`` as red, green and blue, 0 to 255. Raises ValueError: a sentence."""
    if not isinstance(text, str) or not _COLOUR.fullmatch(text):
        raise ValueError(f"{shown(text)} is no colour; expected one like '#3070e0'")
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


_SHIPPED: dict[str, Any] = tomllib.loads(materials_file().read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Material:
    """One material. What is not given is as its state has it in ``materials.toml``, and is then never None.

    Args:
        name: as scenes write it.
        state: how it behaves.
        density: kg/m3; compared between materials, never summed.
        colour: sRGB, 0 to 255, in light.
        shade: how far its atoms' brightness varies, 0 to 1.
        gravity: the factor on the world's gravity, -4 to 4; what is negative rises.
        terminal: the largest speed at which it falls or rises, in cells a tick.
        drag: the speed that a tick of contact takes, in cells a tick.
        bounce: restitution, 0 to 1.
        slide: the chance to slide down a diagonal, 0 to 1.
        spread: the part of a blocked fall that becomes sideways speed, 0 to 1.
        stick: the chance to hold on to a neighbour, 0 to 1.
        conductivity: the part of a difference that it shares with a neighbour, 0 to 1; at 1 five like it even out.
        strength: what wears materials away must be as strong, 0 to 255.
        temperature: of new atoms in degrees C; None: that of their surroundings.
        above, below: what it becomes when it is hotter, or colder, than a threshold.
        tags: words by which reactions call it.
    """

    name: str
    state: State
    density: int
    colour: tuple[int, int, int]
    shade: float | None = None
    gravity: float | None = None
    terminal: float | None = None
    drag: float | None = None
    bounce: float | None = None
    slide: float | None = None
    spread: float | None = None
    stick: float | None = None
    conductivity: float | None = None
    strength: float | None = None
    temperature: float | None = None
    above: Transition | None = None
    below: Transition | None = None
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        usual = _SHIPPED["default"].get(self.state.name.lower(), {}) if isinstance(self.state, State) else {}
        for key in PROPERTIES:
            if getattr(self, key.name) is None:
                object.__setattr__(self, key.name, usual.get(key.name, 0.0))

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """A record as TOML has it: the state a word, the colour ``#rrggbb``."""
        made: dict[str, Any] = {name: Transition.of(record[name]) for name in ("above", "below") if name in record}
        if record.get("temperature") == AS_AIR:
            made["temperature"] = None
        words = {"state": State[record["state"].upper()], "colour": colour_of(record["colour"])}
        return cls(**{**record, **words, **made, "tags": tuple(record.get("tags", ()))})

    def problems(self) -> list[WorldError]:
        """All that keeps it from being a material; each names its key. A name is plain: it becomes part of shaders."""
        found = [
            WorldError(name, f"{shown(getattr(self, name))}; expected {wanted}")
            for name, sound, wanted in (
                ("name", _is_name(self.name), f"words of small letters and digits, at most {NAME_LIMIT} characters"),
                ("state", isinstance(self.state, State), "a gpufluid.matter.materials.State"),
                ("density", _is_whole(self.density, DENSITY_LIMIT), f"a whole number from 0 to {DENSITY_LIMIT}"),
                ("colour", _is_colour(self.colour), "three whole numbers from 0 to 255"),
                ("tags", _are_names(self.tags), "a list of words of small letters and digits"),
            )
            if not sound
        ]
        if not found:
            found = list(self._reserved_words())
        wrong = ((key.name, key.problem(getattr(self, key.name))) for key in PROPERTIES)
        found += [WorldError(name, message) for name, message in wrong if message]
        return found + list(self._heat_problems())

    def _reserved_words(self) -> Iterator[WorldError]:
        reason = "means something else in a reaction; expected another word"
        if self.name in RESERVED and (self.name, self.state) != ("empty", State.EMPTY):
            yield WorldError("name", f"{shown(self.name)} {reason}")
        yield from (WorldError("tags", f"{shown(tag)} {reason}") for tag in self.tags if tag in RESERVED)

    def _heat_problems(self) -> Iterator[WorldError]:
        if self.temperature is not None and (problem := temperature_problem(self.temperature)):
            yield WorldError("temperature", problem)
        problems = {}
        for name, change in (("above", self.above), ("below", self.below)):
            sound = change is None or isinstance(change, Transition)
            problem = change.problem() if isinstance(change, Transition) else None
            problems[name] = problem if sound else f"{shown(change)}; expected a gpufluid.matter.transitions.Transition"
        yield from (WorldError(name, problem) for name, problem in problems.items() if problem)
        if self.above and self.below and not any(problems.values()) and self.below.threshold > self.above.threshold:
            high, low = self.below.threshold, self.above.threshold
            yield WorldError("below", f"threshold: {high:g} is over that of above, {low:g}: it would never hold still")

    def problem(self) -> str | None:
        """The first of them as a sentence that names the record and the key; None for a sound record."""
        return next((f"{shown(self.name)}: {problem}" for problem in self.problems()), None)

    def fixed(self) -> dict[str, int]:
        """The integers that both shaders and oracle compute with, one for each of `COLUMNS`."""
        fixed = {key.name: key.fixed(getattr(self, key.name)) for key in PROPERTIES}
        return {"state": int(self.state), "density": self.density, **fixed}

    @property
    def transitions(self) -> dict[str, Transition]:
        """Its changes of state, by ``above`` and ``below``. With any, its age keeps latent heat."""
        both = {"above": self.above, "below": self.below}
        return {way: change for way, change in both.items() if change is not None}

    def latent_units(self, way: str) -> int:
        """The latent heat of a change, ``above`` or ``below``, in `cell.LATENT_ONE`; 0 of one that it has not."""
        change = self.transitions.get(way)
        return 0 if change is None else change.latent_units

    @property
    def constant(self) -> str:
        """The GLSL constant of its number: ``MATERIAL_SALT_WATER``."""
        return f"MATERIAL_{self.name.upper().replace(' ', '_')}"


RECORDS: dict[str, dict[str, Any]] = {record["name"]: record for record in _SHIPPED["material"]}
"""The materials that come with gpufluid as ``materials.toml`` has them, by name: only the keys that are given."""

SHIPPED = tuple(Material.of(record) for record in RECORDS.values())
"""The same in full, in the order of their numbers."""


class MaterialTable:
    """The materials of one world: names to numbers, numbers to records and to columns of integers.

    Args:
        records: the materials in the order of their numbers; number 0, and no other, is empty.
    Raises: UsageError: no such order, more than 255, two of one name, or a record that cannot be.
    """

    def __init__(self, records: tuple[Material, ...] = SHIPPED) -> None:
        if not 1 <= len(records) <= LIMIT:
            raise UsageError(f"materials: {len(records)} records; expected 1 to {LIMIT}, the first of them empty")
        for number, record in enumerate(records):
            problem = record.problem()
            if problem:
                raise UsageError(f"materials[{number}]: {problem}")
            if (record.state is State.EMPTY) != (number == 0):
                state = record.state.name.lower()
                raise UsageError(f"materials[{number}]: {record.name!r} is {state}; number 0 is empty, and no other")
        self.records = records
        self._numbers = {record.name: number for number, record in enumerate(records)}
        if len(self._numbers) < len(records):
            raise UsageError("materials: two records have one name")
        for number, problem in confused_tags(records):
            raise UsageError(f"materials[{number}]: {shown(records[number].name)}: {problem}")
        rows = [record.fixed() for record in records]
        self._columns = {name: _column([row[name] for row in rows]) for name in COLUMNS}

    def __getitem__(self, name: str) -> int:
        """The number of a material. Raises UsageError with the near names where there is none."""
        try:
            return self._numbers[name]
        except KeyError:
            raise UsageError(f"unknown material {name!r}{did_you_mean(name, self._numbers)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[Material]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def column(self, name: str) -> np.ndarray:
        """The integers of one of `COLUMNS` by material number: ``table.column("density")[material]`` is of cells.

        Returns: (256,) int32, read-only, in the units of `Material.fixed`; 0 where the table has no material.
        Raises: UsageError: no such column.
        """
        try:
            return self._columns[name]
        except KeyError:
            raise UsageError(f"no column {name!r} of materials{did_you_mean(name, COLUMNS)}") from None

    @property
    def keeps_latent(self) -> np.ndarray:
        """(256,) bool: of which materials the age is latent heat, because they change their state by temperature."""
        kept = np.zeros(256, bool)
        kept[: len(self.records)] = [bool(record.transitions) for record in self.records]
        return kept

    @property
    def solid(self) -> np.ndarray:
        """(256,) bool: which numbers are solids, so that ``table.solid[material]`` is the walls of a world."""
        return self.column("state") == State.SOLID


def confused_tags(records: Sequence[Material]) -> Iterator[tuple[int, WorldError]]:
    """The tags that are also a material's name, with the number of the record that has the tag."""
    names = {record.name for record in records}
    for number, record in enumerate(records):
        for tag in record.tags:
            if tag in names:
                yield number, WorldError("tags", f"{shown(tag)} is the name of a material; expected another word")


def _column(numbers: list[int]) -> np.ndarray:
    column = np.zeros(256, np.int32)
    column[: len(numbers)] = numbers
    column.flags.writeable = False
    return column


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(_NAME.fullmatch(value)) and len(value) <= NAME_LIMIT


def _are_names(value: object) -> bool:
    return isinstance(value, tuple) and all(_is_name(each) for each in value)


def _is_whole(value: object, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= high


def _is_colour(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(_is_whole(part, 255) for part in value)


def transition_problems(records: Sequence[Material]) -> Iterator[tuple[int, str, str]]:
    """What is wrong with changes of state that only the whole table can show: (number, key, sentence)."""
    named = {record.name: record for record in records}
    for number, record in enumerate(records):
        for way, change in record.transitions.items():
            product = named.get(change.product)
            if product is None or product.state is State.EMPTY:
                hint = did_you_mean(change.product, [name for name in named if name != records[0].name])
                yield number, way, f"product: unknown material {shown(change.product)}{hint}"
                continue
            back = product.below if way == "above" else None
            if back is not None and back.product == record.name and back.threshold > change.threshold:
                to_and_fro = f"{shown(product.name)} becomes {shown(record.name)} again below {back.threshold:g}"
                yield number, way, f"threshold: {change.threshold:g}, but {to_and_fro}: neither would hold still"
            elif product is record:
                yield number, way, f"product: {shown(record.name)} is the material itself"
            elif circle := _circle(record, way, named):
                yield number, way, f"goes round in a circle at once: {' -> '.join(circle)}"


def _circle(start: Material, way: str, named: Mapping[str, Material]) -> list[str] | None:
    """The names along changes without latent heat, from one of a material back to it at one temperature."""
    todo: list[tuple[list[str], str, float, float]] = [([start.name], way, float("-inf"), float("inf"))]
    while todo:
        names, way, low, high = todo.pop()
        change = named[names[-1]].transitions[way]
        low, high = (max(low, change.threshold), high) if way == "above" else (low, min(high, change.threshold))
        if change.latent_units or low >= high:
            continue
        if change.product == start.name:
            return [*names, start.name]
        if change.product in named and change.product not in names:
            todo += [([*names, change.product], each, low, high) for each in named[change.product].transitions]
    return None
