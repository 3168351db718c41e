"""Materials, one record each; every table of materials, in Python and in GLSL, is derived from these records.

The shipped materials are data: ``materials.toml``, which also documents each key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from gpufluid.core.errors import NAMES_SHOWN, UnknownNameError, UsageError, WorldError, did_you_mean, listed, shown
from gpufluid.core.numeric import is_plain_number, is_plain_whole
from gpufluid.core.paths import materials_file
from gpufluid.matter.reactions import ANY, WORDS
from gpufluid.matter.transitions import AS_AIR, Transition, temperature_problem

EVEN = 13107
"""A conductivity of 1 in 65536ths of a temperature difference: 1/5, so that five atoms reach their mean."""


COHESION_ONE = 8
"""A cohesion of 1: it is stored in eighths, because four bits of a packed word are left for it."""

CARRIED_ONE = 1 << 14
"""A speed of 1 cell a tick, as key ``carried_at`` stores it."""


@dataclass(frozen=True, slots=True)
class Property:
    """A numeric property of materials: its range in a scene, and its fixed-point form in shaders and oracle.

    Args:
        name: the key in TOML.
        low, high: the range, both ends included.
        one: the integer that represents 1.0.
        whole: True if only whole numbers are valid.
    """

    name: str
    low: float
    high: float
    one: int
    whole: bool = False

    def fixed(self, value: float) -> int:
        """The fixed-point form of a value, rounded to the nearest integer."""
        return round(value * self.one)

    def problem(self, value: object) -> str | None:
        """The problem of a value for this property; None: the value is valid."""
        if is_plain_number(value, self.low, self.high) and (not self.whole or value == int(value)):
            return None
        kind = "whole number" if self.whole else "number"
        return f"{shown(value)}; expected a {kind} from {self.low:g} to {self.high:g}"


PROPERTIES = (
    Property("shade", 0, 1, 256),
    Property("gravity", -4, 4, 256),
    Property("terminal", 0, 7.9, 16),
    Property("drag", 0, 7.9, 16),
    Property("bounce", 0, 1, 256),
    Property("slide", 0, 1, 256),
    Property("spread", 0, 1, 256),
    Property("stick", 0, 1, 256),
    Property("cohesion", 0, 1, COHESION_ONE),
    Property("stray", 0, 1, 256),
    Property("splash", 0, 1, 256),
    Property("resistance", 0, 1, 256),
    Property("carried_at", 0, 1, CARRIED_ONE),
    Property("conductivity", 0, 1, EVEN),
    Property("cooling", 0, 64, 256),
    Property("strength", 0, 255, 1),
    Property("anchored", 0, 1, 1, whole=True),
)
"""The numeric properties. In fixed point, speeds are in 1/16 cell a tick, but ``carried_at`` in 1/16384; conductivity
is in 65536ths of a temperature difference, cohesion is in eighths, and all other chances, fractions and factors are in
256ths."""


LIMIT = 255
"""The most materials in a table; their numbers are 0 to 254."""

NAME_LIMIT = 32
"""The longest name, in characters; names appear in messages and in shaders."""

TAGS_MOST = 32
"""The most tags of a material."""

DENSITY_LIMIT = 65535
"""The largest density, in kg/m3."""

_NAME = re.compile("[a-z][a-z0-9]*( [a-z0-9]+)*")  # a space becomes an underscore in GLSL, which forbids two in a row
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


class State(IntEnum):
    """The state of a material; shaders use the same numbers."""

    EMPTY = 0
    SOLID = 1
    POWDER = 2
    LIQUID = 3
    GAS = 4

    @classmethod
    def of(cls, word: object) -> State:
        """The state that a word in a scene names. Raises ValueError: an unknown word, or ``empty``; a sentence."""
        words = [state.name.lower() for state in cls if state is not cls.EMPTY]
        if not isinstance(word, str) or word not in words:
            raise ValueError(f"{shown(word)} is not known{did_you_mean(str(word), words)}")
        return cls[word.upper()]


RESERVED = frozenset({*WORDS, ANY, *(state.name.lower() for state in State)})
"""Words with a meaning of their own in reactions; neither a name nor a tag. Only material 0 has the name ``empty``."""


COLUMNS = ("state", "density", *(key.name for key in PROPERTIES))
"""The names of the integer columns of a `MaterialTable`."""


def colour_of(text: object) -> tuple[int, int, int]:
    """``#rrggbb`` to (red, green, blue), 0 to 255. Raises ValueError: any other text or type; a sentence."""
    if not isinstance(text, str) or not _COLOUR.fullmatch(text):
        raise ValueError(f"{shown(text)} is no colour; expected one like '#3070e0'")
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


_SHIPPED: dict[str, Any] = tomllib.loads(materials_file().read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Material:
    """One material.

    A numeric property that is None takes the default of the material's state in ``materials.toml``.

    Args:
        name: the name in scenes: words of small letters and digits, joined by single spaces.
        state: empty, solid, powder, liquid or gas.
        density: kg/m3; compared between materials, never summed.
        colour: (red, green, blue), sRGB, 0 to 255.
        shade: the variation of brightness between atoms, 0 to 1.
        gravity: a factor on the gravity of the world, -4 to 4; a material with a negative factor rises.
        terminal: the largest speed of falling or rising, in cells a tick.
        drag: the loss of speed per tick of contact, in cells a tick.
        bounce: the restitution, 0 to 1.
        slide: the probability that an atom slides down a diagonal, 0 to 1.
        spread: the fraction of a blocked fall that becomes sideways speed, 0 to 1.
        stick: the probability that an atom holds on to a neighbour, 0 to 1.
        cohesion: the fraction of a difference of speed by which two moving neighbours of the material become equal. A
            powder with a cohesion of 1 is elastic: atoms that touch bounce as one body.
        stray: the probability per tick that a falling or rising atom is pushed to a side, 0 to 1.
        splash: the probability that an atom that lands with speed is thrown back, 0 to 1.
        resistance: of a fluid, the fraction of its speed that a body loses per tick of moving through it, 0 to 1.
        carried_at: of a powder, the speed of water in cells a tick above which rule ``inertia`` carries it along, 0 to
            1; 0: never.
        conductivity: the conduction of heat, 0 to 1; at 1 an atom takes the mean of itself and its four neighbours.
        cooling: a factor on the conductivity of the air where the material meets air, 0 to 64.
        strength: 0 to 255; a reaction with a lower ``strength`` does not act on this material.
        anchored: 1: of a solid, rule ``collapse`` does not move the material, and it holds what touches it; else 0.
        temperature: of new atoms, in degrees C; None: the temperature of the surroundings.
        above, below: the transition of atoms that are hotter, or colder, than its threshold; None: no transition.
        tags: words by which reactions name groups of materials.
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
    cohesion: float | None = None
    stray: float | None = None
    splash: float | None = None
    resistance: float | None = None
    carried_at: float | None = None
    conductivity: float | None = None
    cooling: float | None = None
    strength: float | None = None
    anchored: float | None = None
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
        """A material from a table of TOML, which has the state as a word and the colour as ``#rrggbb``."""
        made: dict[str, Any] = {name: Transition.of(record[name]) for name in ("above", "below") if name in record}
        if record.get("temperature") == AS_AIR:
            made["temperature"] = None
        words = {"state": State[record["state"].upper()], "colour": colour_of(record["colour"])}
        return cls(**{**record, **words, **made, "tags": tuple(record.get("tags", ()))})

    def problems(self) -> list[WorldError]:
        """The problems of the record in every table; each names its key."""
        found = [
            WorldError(name, f"{shown(getattr(self, name))}; expected {wanted}")
            for name, sound, wanted in (
                ("name", _is_name(self.name), f"words of small letters and digits, at most {NAME_LIMIT} characters"),
                ("state", isinstance(self.state, State), "a gpufluid.matter.materials.State"),
                (
                    "density",
                    is_plain_whole(self.density, 0, DENSITY_LIMIT),
                    f"a whole number from 0 to {DENSITY_LIMIT}",
                ),
                ("colour", _is_colour(self.colour), "three whole numbers from 0 to 255"),
                ("tags", _are_names(self.tags), f"a list of at most {TAGS_MOST} words of small letters and digits"),
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
            reason = f"{high:g} is over the threshold of above, {low:g}; expected at most {low:g}"
            yield WorldError("below", f"threshold: {reason}")

    def problem(self) -> str | None:
        """The first of `problems` as a sentence that names the record and the key; None: the record is valid."""
        return next((f"{shown(self.name)}: {problem}" for problem in self.problems()), None)

    def fixed(self) -> dict[str, int]:
        """The fixed-point numbers of the material, one for each of `COLUMNS`."""
        fixed = {key.name: key.fixed(getattr(self, key.name)) for key in PROPERTIES}
        return {"state": int(self.state), "density": self.density, **fixed}

    @property
    def elastic(self) -> bool:
        """True if its atoms form bodies that bounce as a whole: it is a powder with a cohesion of 1."""
        return self.state is State.POWDER and self.fixed()["cohesion"] == COHESION_ONE

    @property
    def transitions(self) -> dict[str, Transition]:
        """The transitions by ``above`` and ``below``. If there is one, the age of an atom counts latent heat."""
        both = {"above": self.above, "below": self.below}
        return {key: change for key, change in both.items() if change is not None}

    def latent_units(self, key: str) -> int:
        """The latent heat of the transition ``above`` or ``below``, in units of 8 degrees; 0 without the transition."""
        change = self.transitions.get(key)
        return 0 if change is None else change.latent_units

    @property
    def constant(self) -> str:
        """The name of the GLSL constant with the material's number, such as ``MATERIAL_SALT_WATER``."""
        return f"MATERIAL_{self.name.upper().replace(' ', '_')}"


RECORDS: dict[str, dict[str, Any]] = {record["name"]: record for record in _SHIPPED["material"]}
"""The records of ``materials.toml`` by name, with only the keys that are given there."""

SHIPPED = tuple(Material.of(record) for record in RECORDS.values())
"""The shipped materials, with defaults, in the order of their numbers."""


class MaterialTable:
    """The materials of one world: maps a name to a number, and a number to a record and to columns of integers.

    Args:
        records: the materials in the order of their numbers; number 0, and no other, is empty.
    Raises: UsageError: wrong order, more than 255 records, two of one name, or an invalid record.
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
                wanted = "expected material 0, and no other, to be empty"
                raise UsageError(f"materials[{number}]: {record.name!r} is {state}; {wanted}")
        self.records = records
        self._numbers: dict[str, int] = {}
        for number, record in enumerate(records):
            if self._numbers.setdefault(record.name, number) != number:
                raise UsageError(f"materials[{number}]: the name {record.name!r} is given twice")
        for number, problem in confused_tags(records):
            raise UsageError(f"materials[{number}]: {shown(records[number].name)}: {problem}")
        rows = [record.fixed() for record in records]
        self._columns = {name: _column([row[name] for row in rows]) for name in COLUMNS}

    def __getitem__(self, name: str) -> int:
        """The number of a material. Raises UnknownNameError, which is a KeyError: no such name; lists similar names."""
        try:
            return self._numbers[name]
        except KeyError:
            raise UnknownNameError(f"unknown material {shown(name)}{did_you_mean(str(name), self._numbers)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[Material]:
        return iter(self.records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaterialTable) and self.records == other.records

    def __hash__(self) -> int:
        return hash(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        return f"<MaterialTable {listed(list(self._numbers), NAMES_SHOWN)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the records: the columns follow from them."""
        return type(self), (self.records,)

    def column(self, name: str) -> np.ndarray:
        """One column of fixed-point numbers by material number; ``table.column("density")[material]`` is one per cell.

        Args:
            name: one of `COLUMNS`.
        Returns: (256,) int32, read-only, in the units of `Material.fixed`; 0 for numbers without a material.
        Raises: UsageError: an unknown column.
        """
        try:
            return self._columns[name]
        except KeyError:
            raise UsageError(f"no column {shown(name)} of materials{did_you_mean(name, COLUMNS)}") from None

    @cached_property
    def tagged(self) -> Mapping[str, frozenset[int]]:
        """The numbers of the materials with a tag, by tag, read-only; without material 0."""
        found: dict[str, set[int]] = {}
        for number, record in enumerate(self.records[1:], 1):
            for tag in record.tags:
                found.setdefault(tag, set()).add(number)
        return MappingProxyType({tag: frozenset(numbers) for tag, numbers in found.items()})

    @property
    def keeps_latent(self) -> np.ndarray:
        """(256,) bool: the materials with a transition, whose age counts latent heat."""
        kept = np.zeros(256, bool)
        kept[: len(self.records)] = [bool(record.transitions) for record in self.records]
        return kept

    @property
    def solid(self) -> np.ndarray:
        """(256,) bool: the solid materials; ``table.solid[material]`` marks the solid cells of a world."""
        return self.column("state") == State.SOLID


def confused_tags(records: Sequence[Material]) -> Iterator[tuple[int, WorldError]]:
    """The problem of each tag that is also the name of a material, with the number of the record with the tag."""
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
    return isinstance(value, tuple) and len(value) <= TAGS_MOST and all(_is_name(each) for each in value)


def _is_colour(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(is_plain_whole(part, 0, 255) for part in value)


def transition_problems(records: Sequence[Material]) -> Iterator[tuple[int, str, str]]:
    """The problems of transitions between the materials of a table: (number of the material, key, sentence)."""
    named = {record.name: record for record in records}
    loops = _loops(records)
    for number, record in enumerate(records):
        for key, change in record.transitions.items():
            product = named.get(change.product)
            if product is None or product.state is State.EMPTY:
                hint = did_you_mean(change.product, [name for name in named if name != records[0].name])
                yield number, key, f"product: unknown material {shown(change.product)}{hint}"
                continue
            back = product.below if key == "above" else None
            if back is not None and back.product == record.name and back.threshold > change.threshold:
                reverse = f"{shown(product.name)} becomes {shown(record.name)} again below {back.threshold:g}"
                wanted = f"expected at least {back.threshold:g}"
                yield number, key, f"threshold: {change.threshold:g}, but {reverse}; {wanted}"
            elif product is record:
                yield number, key, f"product: {shown(record.name)} is the material itself; expected another one"
            elif loop := loops.get((record.name, key)):
                yield number, key, f"transitions without latent heat form a loop: {' -> '.join(loop)}"


def _loops(records: Sequence[Material]) -> dict[tuple[str, str], list[str]]:
    """The paths of transitions without latent heat from a material back to itself at one temperature.

    At a temperature each material has at most one transition. Between two thresholds they are the same for all
    temperatures, so one temperature of each range is enough.

    Returns: by the name of a material and the key of its transition in the path: the names of the path.
    """
    thresholds = sorted({change.threshold for record in records for change in record.transitions.values()})
    if not thresholds:
        return {}
    between = [(low + high) / 2 for low, high in pairwise(thresholds)]
    found: dict[tuple[str, str], list[str]] = {}
    for degrees in (thresholds[0] - 1, *between, thresholds[-1] + 1):
        onward = {
            record.name: (key, change.product)
            for record in records
            for key, change in record.transitions.items()
            if not change.latent_units
            and (change.threshold < degrees if key == "above" else degrees < change.threshold)
        }
        for loop in _closed_paths({name: product for name, (_, product) in onward.items()}):
            for at, name in enumerate(loop):
                found.setdefault((name, onward[name][0]), [*loop[at:], *loop[:at], name])
    return found


def _closed_paths(onward: Mapping[str, str]) -> Iterator[list[str]]:
    """The closed paths of a mapping, each once: the names of a path, from which the mapping leads back to the first."""
    seen: set[str] = set()
    for start in onward:
        path: dict[str, None] = {}
        name = start
        while name in onward and name not in seen:
            seen.add(name)
            path[name] = None
            name = onward[name]
        if name in path:
            names = list(path)
            yield names[names.index(name) :]


SHIPPED_TABLE = MaterialTable()
"""The table of the shipped materials. Its records are checked here, once."""
