"""Reactions, one record each: the change of two adjacent atoms, or of one atom alone.

The shipped reactions are data: ``reactions.toml``, which also documents each key. `matter.outcomes` resolves the names
of materials, states and tags in a record to material numbers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from gpufluid.core.errors import NAMES_SHOWN, UnknownNameError, UsageError, WorldError, did_you_mean, listed, shown
from gpufluid.core.fields import FULL, TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.core.numeric import is_number, is_whole
from gpufluid.core.paths import reactions_file

LIMIT = 1024
"""The most reactions in a table."""

REACTION_CHANCE_ONE = 1 << 16
"""The fixed-point form of a reaction's chance of 1."""

WHOLE = 256
"""The integrity of an undamaged atom, in 256ths. The array ``integrity`` stores it as 0, so every new atom is whole."""

AFTER_MOST = 255 * 256
"""The largest ``after``, in ticks."""

NAME_LIMIT = 64

SAME, OTHER, COPYING, COPY = "same", "other", "copying", "copy"
"""The words that `become` may have in place of a material.

``same``: the atom stays as it is. ``other``: it becomes the material of the other atom. ``copying``: it stays, and
records the material of the other atom in its age, unless a material is recorded there. ``copy``: it becomes the
material that the other atom has recorded.
"""

WORDS = (SAME, OTHER, COPYING, COPY)

ANY = "any"
"""The name of all materials in `between`, except empty and those tagged ``inert``."""

EMPTY, WATER = "empty", "water"
"""The names in `between` and `become` that mean water by mass, in a reaction with `mass`."""

OVER, BESIDE = "over", "beside"
PLACES = OVER, BESIDE
"""The values of `place`: the first material lies directly over the second; the two lie side by side."""

_COLDEST, _HOTTEST = TEMPERATURE_LEAST // TEMPERATURE_ONE, TEMPERATURE_MOST // TEMPERATURE_ONE
_RANGES = {
    "chance": (0, 1),
    "above": (_COLDEST, _HOTTEST),
    "below": (_COLDEST, _HOTTEST),
    "heat": (-_HOTTEST, _HOTTEST),
    "push": (0, 7.9),
    "mass": (0, 1),
}
_WHOLES = {"after": AFTER_MOST, "strength": 255}


@dataclass(frozen=True, slots=True)
class Reaction:
    """One reaction of one or two atoms.

    Args:
        name: identifies the reaction; a scene replaces a reaction by its name.
        between: one or two names, each a material, a tag, a state such as ``liquid``, ``any`` or ``empty``. The order
            and the side on which an atom lies do not matter.
        become: for each name in ``between`` a material, or one of `WORDS`.
        chance: the probability that the reaction acts in a tick, 0 to 1; of two atoms, in a tick in which one block
            holds both.
        above, below: degrees C; the reaction acts only if the hotter atom is at ``above`` or hotter, and colder than
            ``below``; None: no limit.
        heat: degrees C given to the products, half to each of two.
        after: the age in ticks from which the reaction acts on one atom.
        wear: 256ths of its integrity that each atom loses instead of changing; an atom with none left changes. An atom
            with a wear of 0 changes together with the other one.
        strength: the reaction acts only if the second material's ``strength`` is no larger; None: no limit.
        push: cells a tick by which moving atoms are driven out of the block in which the reaction acts.
        mass: cells of water by mass, rounded to units; see ``reactions.toml``. More than 0: one of the two is a cell of
            water by mass, see `water_side`.
        place: one of `PLACES`, as gravity points; None: the reaction acts on neighbours in all four directions.
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
    mass: float = 0.0
    place: str | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """A reaction from a table of TOML.

        For one atom the keys are ``from``, ``become`` and ``wear``, with a value and not a list. Without a ``name`` the
        names in ``between`` are joined by `` + ``.
        """
        given = {key: value for key, value in record.items() if key != "from"}
        if "from" in record:
            given["between"] = record["from"]
        for key in ("between", "become", "wear"):
            if key in given:
                given[key] = tuple(given[key]) if isinstance(given[key], list | tuple) else (given[key],)
        given.setdefault("name", " + ".join(map(str, given["between"])))
        return cls(**given)

    def record(self) -> dict[str, Any]:
        """The reaction as a table of TOML, without values at their defaults; the inverse of `of`."""
        alone = len(self.between) == 1
        said = {"name": self.name, "from" if alone else "between": self.between, "become": self.become}
        usual = Reaction("", (), ())
        others = ("chance", "above", "below", "heat", "after", "wear", "strength", "push", "mass", "place")
        said |= {key: getattr(self, key) for key in others if getattr(self, key) != getattr(usual, key)}
        return {key: value[0] if alone and isinstance(value, tuple) else value for key, value in said.items()}

    def problems(self) -> list[WorldError]:
        """The problems of the record in every world; the field of each is the key in TOML."""
        found = [*self._wrong_words(), *self._wrong_numbers()]
        wrong = {problem.field for problem in found}
        low, high = self.above, self.below
        if not wrong & {"above", "below"} and low is not None and high is not None and low >= high:
            found.append(WorldError("below", f"{high:g}; expected more than above, {low:g}"))
        if len(self.between) == 2 and self.after and "after" not in wrong:
            found.append(WorldError("after", "belongs to a reaction of one material, which has 'from'"))
        if len(self.between) == 1:
            found += [
                WorldError(key, "belongs to a reaction of two materials, which has 'between'")
                for key in ("strength", "push", "mass", "place")
                if getattr(self, key) and key not in wrong
            ]
        if not found and self.mass:
            found += self._wrong_water()
        if not wrong & {"between", "from", "become", "wear"}:
            idle = self._worn_for_nothing()
            if self._changes_nothing and not idle and not wrong & {"heat", "push", "mass"}:
                expected = "another material, heat or push" if len(self.between) == 2 else "another material, or heat"
                idle = [WorldError("become", f"changes nothing; expected {expected}")]
            found += idle
        return found

    @property
    def mass_units(self) -> int:
        """`mass` in units."""
        return round(self.mass * FULL)

    @property
    def water_side(self) -> int | None:
        """The place in ``between``, 0 or 1, of the cell of water by mass; None: it is a reaction of atoms only."""
        sides = self._water_sides()
        return sides[0] if self.mass and len(sides) == 1 else None

    def _water_sides(self) -> list[int]:
        """The places in ``between`` that name water, or that are empty and become water."""
        pairs = zip(self.between, self.become, strict=False)
        return [side for side, (old, new) in enumerate(pairs) if WATER in (old, new if old == EMPTY else old)]

    def _wrong_water(self) -> Iterator[WorldError]:
        """The problems of a reaction with `mass`; the first one is enough."""
        sides = self._water_sides()
        side = sides[0] if sides else 0
        if len(sides) != 1:
            found = f"{self.mass:g}, but {len(sides)} of the two cells name water by mass"
            wanted = "expected one: 'water' in 'between', or an 'empty' that becomes 'water'"
            yield WorldError("mass", f"{found}; {wanted}")
        elif not self.mass_units:
            yield WorldError("mass", f"{self.mass:g} is rounded to 0; expected 0 or at least {1 / FULL:.7f} cells")
        elif self.between[side] == WATER and self.become[side] in (WATER, *WORDS[1:]):
            reason = "expected 'empty', 'same' or another material"
            yield WorldError("become", f"{shown(self.become[side])} for the cell of water by mass; {reason}")
        elif self.between[1 - side] == EMPTY:
            yield WorldError("between", "names no atom; expected one beside the water by mass")
        elif self.become[1 - side] in WORDS[1:]:
            reason = "expected a material or 'same'"
            yield WorldError("become", f"{shown(self.become[1 - side])} for the atom beside water by mass; {reason}")
        elif self.wear and self.wear[side]:
            yield WorldError("wear", f"{shown(self.wear)}; expected 0 for water by mass, which has no integrity")

    @property
    def _changes_nothing(self) -> bool:
        return set(self.become) == {SAME} and not (self.heat or self.push)

    def _worn_for_nothing(self) -> list[WorldError]:
        """The problem of wear without a product: an atom that loses its last part must become another material."""
        return [
            WorldError("wear", f"{wear}, but 'become' is {shown(word)}; expected 0, or another material in 'become'")
            for word, wear in zip(self.become, self.wear, strict=False)
            if wear and word in (SAME, COPYING)
        ][:1]

    def _wrong_words(self) -> Iterator[WorldError]:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= NAME_LIMIT or not self.name.isprintable():
            yield WorldError("name", f"{shown(self.name)}; expected text of 1 to {NAME_LIMIT} printable characters")
        alone = "from" if len(self.between) == 1 else "between"
        if not 1 <= len(self.between) <= 2 or not all(isinstance(name, str) for name in self.between):
            yield WorldError(alone, f"{shown(self.between)}; expected two names, or 'from' with one")
        elif len(self.become) != len(self.between) or not all(isinstance(name, str) for name in self.become):
            yield WorldError("become", f"{shown(self.become)}; expected {_counted(len(self.between), 'name')}")
        elif len(self.between) == 1 and set(self.become) & set(WORDS[1:]):
            yield WorldError("become", f"{shown(self.become[0])}: no other atom; expected a material or 'same'")
        if len(self.wear) not in (0, len(self.between)) or not all(is_whole(wear, 0, WHOLE - 1) for wear in self.wear):
            numbers = _counted(len(self.between), "whole number")
            yield WorldError("wear", f"{shown(self.wear)}; expected {numbers} from 0 to {WHOLE - 1}")

    def _wrong_numbers(self) -> Iterator[WorldError]:
        for key, (low, high) in _RANGES.items():
            value = getattr(self, key)
            if not is_number(value, low, high) and not (value is None and key in ("above", "below")):
                unit = " degrees C" if key in ("above", "below", "heat") else ""
                yield WorldError(key, f"{shown(value)}; expected a number from {low:g} to {high:g}{unit}")
        for key, high in _WHOLES.items():
            value = getattr(self, key)
            if not is_whole(value, 0, high) and not (value is None and key == "strength"):
                yield WorldError(key, f"{shown(value)}; expected a whole number from 0 to {high}")
        if self.place is not None and self.place not in PLACES:
            yield WorldError("place", f"{shown(self.place)}; expected {' or '.join(map(repr, PLACES))}")


def _counted(number: int, thing: str) -> str:
    return f"one {thing}" if number == 1 else f"two {thing}s"


class ReactionTable:
    """The reactions of one world.

    Args:
        records: the reactions, in the order in which they are tried.
    Raises: UsageError: too many reactions, two of one name, or an invalid record.
    """

    def __init__(self, records: tuple[Reaction, ...] = ()) -> None:
        if len(records) > LIMIT:
            raise UsageError(f"reactions: {len(records)} records; expected at most {LIMIT}")
        first: dict[str, int] = {}
        for number, record in enumerate(records):
            for problem in record.problems():
                raise UsageError(f"reactions[{number}]: {shown(record.name)}: {problem}")
            if record.name in first:
                raise UsageError(f"reactions[{number}]: the name {shown(record.name)} is given twice")
            first[record.name] = number
        self.records = records

    def __iter__(self) -> Iterator[Reaction]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, name: str) -> Reaction:
        """The reaction of a name. Raises UnknownNameError, which is a KeyError: no such name; lists similar names."""
        for record in self.records:
            if record.name == name:
                return record
        hint = did_you_mean(str(name), [record.name for record in self.records])
        raise UnknownNameError(f"unknown reaction {shown(name)}{hint}")

    def __repr__(self) -> str:
        return f"<ReactionTable {listed([record.name for record in self.records], NAMES_SHOWN)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReactionTable) and self.records == other.records

    def __hash__(self) -> int:
        return hash(self.records)


SHIPPED = ReactionTable(
    tuple(Reaction.of(record) for record in tomllib.loads(reactions_file().read_text(encoding="utf-8"))["reaction"])
)
"""The shipped reactions."""
