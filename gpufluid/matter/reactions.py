"""The reactions, one record each: what becomes of two atoms that lie side by side, or of one by itself.

Those that come with gpufluid are data: ``reactions.toml``, which also says what each key means. What records say of
materials, states and tags is worked out for numbers of a material table in `outcomes.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Self

from gpufluid.core.errors import UsageError, WorldError, shown
from gpufluid.core.fields import TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.core.paths import reactions_file

LIMIT = 1024
"""A table has at most so many reactions."""

CHANCE_ONE = 1 << 16
"""A chance of 1, as rules compute with it."""

WHOLE = 256
"""Parts of an atom that has lost nothing; in its byte ``integrity`` that is 0, so that every new atom is whole."""

AFTER_MOST = 255 * 256
"""Ticks: no atom waits longer before it changes by itself."""

NAME_LIMIT = 64

SAME, OTHER, COPYING, COPY = "same", "other", "copying", "copy"
"""What `become` may say besides a material: it stays; it becomes the other's kind; it stays and, if it has none, takes
note of the other's kind in its age; it becomes what the other has taken note of."""

WORDS = (SAME, OTHER, COPYING, COPY)

ANY = "any"
"""All matter, in `between`."""

_COLDEST, _HOTTEST = TEMPERATURE_LEAST // TEMPERATURE_ONE, TEMPERATURE_MOST // TEMPERATURE_ONE
_RANGES = {
    "chance": (0, 1),
    "above": (_COLDEST, _HOTTEST),
    "below": (_COLDEST, _HOTTEST),
    "heat": (-_HOTTEST, _HOTTEST),
    "push": (0, 7.9),
}
_WHOLES = {"after": AFTER_MOST, "strength": 255}


@dataclass(frozen=True, slots=True)
class Reaction:
    """One reaction. It is between what names mean: a material, a tag, ``any``, or a state such as ``liquid``.

    Args:
        name: its own, by which a scene replaces it and errors name it.
        between: one or two of such names, or ``empty``; in either order and on any side.
        become: as many materials, or words of `WORDS`.
        chance: that it acts, in a tick in which the two lie in one block; of one atom, in each tick.
        above, below: degrees C; it acts only if the hotter is at least so hot, and less hot than that.
        heat: degrees C given to what comes of it, half to each of two.
        after: ticks for which one atom was there before it acts on it.
        wear: parts of 256 that each loses instead of changing; who has none left changes. Of whom this is 0 changes
            with the other.
        strength: it acts only if the second of the two is no stronger.
        push: cells a tick by which what moves is driven out of the block in which it acts.
    """

    name: str
    between: tuple[str, ...]
    become: tuple[str, ...]
    chance: float = 1.0
    above: float | None = None
    below: float | None = None
    heat: float = 0.0
    after: int = 0
    wear: tuple[int, ...] = ()
    strength: int | None = None
    push: float = 0.0

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """A record as TOML has it: of one atom ``from``, ``become`` and ``wear`` are no lists. It needs no name."""
        given = {key: value for key, value in record.items() if key != "from"}
        if "from" in record:
            given["between"] = record["from"]
        for key in ("between", "become", "wear"):
            if key in given:
                given[key] = tuple(given[key]) if isinstance(given[key], list | tuple) else (given[key],)
        given.setdefault("name", " + ".join(map(str, given["between"])))
        return cls(**given)

    def record(self) -> dict[str, Any]:
        """The same the other way: what a TOML table of it says, without what needs not be said."""
        alone = len(self.between) == 1
        said = {"name": self.name, "from" if alone else "between": self.between, "become": self.become}
        usual = Reaction("", (), ())
        others = ("chance", "above", "below", "heat", "after", "wear", "strength", "push")
        said |= {key: getattr(self, key) for key in others if getattr(self, key) != getattr(usual, key)}
        return {key: value[0] if alone and isinstance(value, tuple) else value for key, value in said.items()}

    def problems(self) -> list[WorldError]:
        """All that keeps it from being a reaction in any world; each names its key, as TOML has it."""
        found = [*self._wrong_words(), *self._wrong_numbers()]
        wanted = ("between", "become", "wear")
        if not found and self.above is not None and self.below is not None and self.above >= self.below:
            found.append(WorldError("below", f"{self.below:g}; expected more than above, {self.above:g}"))
        if not found and len(self.between) == 2 and self.after:
            found.append(WorldError("after", "is of a reaction of one material, which has 'from'"))
        if not found and len(self.between) == 1:
            found += [
                WorldError(key, "is of a reaction of two materials, which has 'between'")
                for key in ("strength", "push")
                if getattr(self, key)
            ]
        if not any(problem.field in wanted for problem in found):
            found += self._worn_for_nothing()
            if self._changes_nothing and not found:
                expected = "another material, heat or push" if len(self.between) == 2 else "another material, or heat"
                found.append(WorldError("become", f"changes nothing; expected {expected}"))
        return found

    @property
    def _changes_nothing(self) -> bool:
        return set(self.become) == {SAME} and not (self.heat or self.push)

    def _worn_for_nothing(self) -> list[WorldError]:
        """What wears away becomes another: what stays would be worn to its last part, and on."""
        return [
            WorldError("wear", f"{wear} of what stays, by {shown(word)}; expected 0, or another material in 'become'")
            for word, wear in zip(self.become, self.wear, strict=False)
            if wear and word in (SAME, COPYING)
        ][:1]

    def _wrong_words(self) -> Iterator[WorldError]:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= NAME_LIMIT:
            yield WorldError("name", f"{shown(self.name)}; expected text of 1 to {NAME_LIMIT} characters")
        alone = "from" if len(self.between) == 1 else "between"
        if not 1 <= len(self.between) <= 2 or not all(isinstance(name, str) for name in self.between):
            yield WorldError(alone, f"{shown(self.between)}; expected two names, or 'from' with one")
        elif len(self.become) != len(self.between) or not all(isinstance(name, str) for name in self.become):
            yield WorldError("become", f"{shown(self.become)}; expected {_counted(len(self.between), 'name')}")
        elif len(self.between) == 1 and set(self.become) & set(WORDS[1:]):
            yield WorldError("become", f"{shown(self.become[0])}: there is no other; expected a material or 'same'")
        if len(self.wear) not in (0, len(self.between)) or not all(_is_whole(wear, WHOLE - 1) for wear in self.wear):
            numbers = _counted(len(self.between), "whole number")
            yield WorldError("wear", f"{shown(self.wear)}; expected {numbers} from 0 to {WHOLE - 1}")

    def _wrong_numbers(self) -> Iterator[WorldError]:
        for key, (low, high) in _RANGES.items():
            value = getattr(self, key)
            sound = isinstance(value, Real) and not isinstance(value, bool) and low <= value <= high
            if not sound and not (value is None and key in ("above", "below")):
                unit = " degrees C" if key in ("above", "below", "heat") else ""
                yield WorldError(key, f"{shown(value)}; expected a number from {low:g} to {high:g}{unit}")
        for key, high in _WHOLES.items():
            value = getattr(self, key)
            if not _is_whole(value, high) and not (value is None and key == "strength"):
                yield WorldError(key, f"{shown(value)}; expected a whole number from 0 to {high}")


def _counted(number: int, thing: str) -> str:
    return f"one {thing}" if number == 1 else f"two {thing}s"


def _is_whole(value: object, high: int) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) <= high


class ReactionTable:
    """The reactions of one world, in the order in which they are tried: the earlier ones have their chance first.

    Raises: UsageError: too many, two of one name, or one that cannot be.
    """

    def __init__(self, records: tuple[Reaction, ...] = ()) -> None:
        if len(records) > LIMIT:
            raise UsageError(f"reactions: {len(records)} records; expected at most {LIMIT}")
        first: dict[str, int] = {}
        for number, record in enumerate(records):
            for problem in record.problems():
                raise UsageError(f"reactions[{number}]: {shown(record.name)}: {problem}")
            if record.name in first:
                raise UsageError(f"reactions[{number}]: {shown(record.name)} is there twice")
            first[record.name] = number
        self.records = records

    def __iter__(self) -> Iterator[Reaction]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, name: str) -> Reaction:
        """The reaction of a name. Raises KeyError: there is none."""
        return next((record for record in self.records if record.name == name), None) or _missing(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReactionTable) and self.records == other.records

    def __hash__(self) -> int:
        return hash(self.records)


def _missing(name: str) -> Reaction:
    raise KeyError(name)


SHIPPED = ReactionTable(
    tuple(Reaction.of(record) for record in tomllib.loads(reactions_file().read_text(encoding="utf-8"))["reaction"])
)
"""The reactions that come with gpufluid."""
