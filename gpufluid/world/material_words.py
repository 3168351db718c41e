"""The behaviour of a material in a world, in a few words.

The words follow from the material's keys and transitions, and from the rules, reactions and mixture of the world. The
tooltips of the palette and the command ``materials`` show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.matter.materials import SHIPPED_TABLE, Material, State
from gpufluid.matter.outcomes import ALL_TEMPERATURES, STAYS, ReactionOutcome, members, outcomes_of
from gpufluid.matter.reactions import EMPTY, WATER
from gpufluid.rules import Laws
from gpufluid.world.laws import moved_by

_HOT = 300.0
"""Degrees C: a material that is at least this hot when it is new glows or burns."""

_BOUNCY = 0.5
"""The least ``bounce`` that is worth a word."""

_EATS = 3
"""A material that wears away so many others, or more, eats them. One that wears away fewer is eaten by them."""

_LISTED = 3
"""The most materials that a part of a sentence names. After these it says ``others``."""

_PLAIN_NAMES = {
    "blast": "the hot gas of an explosion",
    "bud": "the growing tip of a plant",
    "sap": "a piece of a plant that is full of water",
    "shoot": "a young piece of a plant",
}
"""Descriptions of shipped materials whose names do not explain them."""

_PUSHES = "drives matter apart"

_VERBS = {
    (State.SOLID, State.LIQUID): "melts",
    (State.POWDER, State.LIQUID): "melts",
    (State.LIQUID, State.GAS): "boils",
    (State.GAS, State.LIQUID): "condenses",
    (State.LIQUID, State.SOLID): "freezes",
}
"""The verb for a change of state; ``turns`` for all others."""


class MaterialWords:
    """Describes the materials of a world in words.

    Args:
        laws: those of the world.
    """

    def __init__(self, laws: Laws) -> None:
        self.laws = laws
        self._records = laws.materials.records
        outcomes = outcomes_of(laws.reactions, self._records)
        self._alone = {number: decay.chain for number, decay in outcomes.alone.items()}
        self._beside: dict[int, list[tuple[int, ReactionOutcome]]] = {}
        for (mine, other), chain in outcomes.pairs.items():
            self._beside.setdefault(mine, []).extend((other, outcome) for outcome in chain)
        self._flames = {
            outcome.become[0]
            for mine, found in self._beside.items()
            for _, outcome in found
            if mine and not self._is_hot(mine) and outcome.become[0] != STAYS and self._is_hot(outcome.become[0])
        }
        self._eaters = {
            mine
            for mine, found in self._beside.items()
            if len({other for other, outcome in found if all(outcome.wear)}) >= _EATS
        }
        self._swallowers = {
            mine
            for mine, found in self._beside.items()
            if sum(outcome.become == (STAYS, 0) for _, outcome in found) > len(self._records) / 2
        }
        self._told: dict[int, tuple[str, ...]] = {}

    def of(self, name: str) -> tuple[str, ...]:
        """Describe a material in parts of a sentence, such as ``("solid", "burns", "eaten by acid")``.

        The first part is its state of matter. Heat and reactions are told in worlds with these rules only.

        Raises: UnknownNameError: no such material.
        """
        number = self.laws.materials[name]
        if number not in self._told:
            self._told[number] = tuple(dict.fromkeys(self._tell(number)))
        return self._told[number]

    def _tell(self, number: int) -> Iterator[str]:
        record = self._records[number]
        yield record.state.name.lower()
        if record.name in _PLAIN_NAMES and record == SHIPPED_TABLE.records[SHIPPED_TABLE[record.name]]:
            yield _PLAIN_NAMES[record.name]
        yield from self._motion(record)
        if "heat" in self.laws.rules:
            yield from self._heat(record)
        yield from self._reactions(number)
        yield from self._conversions(record.name)

    def _motion(self, record: Material) -> Iterator[str]:
        """Describe the motion of the material; say if it floats on water or sinks."""
        rules, materials = self.laws.rules, self.laws.materials
        constituent = next((each for each in self.laws.mixture.constituents if each.material == record.name), None)
        falls = moved_by(rules, record)
        assert record.gravity is not None
        assert record.bounce is not None
        if constituent is not None and constituent.vertical is not None:
            yield "falls" if constituent.vertical.direction == "down" else "rises"
        elif record.state is State.LIQUID:
            yield "flows"
        elif falls:
            yield "falls" if record.gravity > 0 else "rises" if record.gravity < 0 else "drifts"
        if record.state is State.SOLID and "collapse" in rules:
            yield "stays, and holds what touches it" if record.anchored else "falls if nothing holds it"
        if not falls:
            return
        if record.bounce >= _BOUNCY:
            yield "bounces"
        water = self._records[materials["water"]] if "water" in materials else record
        if record.state is not State.GAS and moved_by(rules, water) and record.density != water.density:
            yield "floats on water" if record.density < water.density else "sinks in water"
        if record.state is State.POWDER and record.carried_at and not record.elastic and "inertia" in rules:
            yield f"carried by water faster than {record.carried_at:g} cells a tick"

    def _heat(self, record: Material) -> Iterator[str]:
        """The temperature of new atoms, and the changes of state by temperature."""
        if record.temperature is not None:
            yield f"{_degrees(record.temperature)} {'hot' if record.temperature > 0 else 'cold'}"
        for side, change in record.transitions.items():
            product = self._records[self.laws.materials[change.product]]
            verb = _VERBS.get((record.state, product.state), "turns")
            yield f"{verb} to {change.product} {side} {_degrees(change.threshold)}"

    def _reactions(self, number: int) -> Iterator[str]:
        """Describe the changes of the material in reactions, then the changes that it causes in other materials."""
        for words_of in (self._suffered, self._done):
            partners: dict[tuple[str, str], dict[int, None]] = {}
            for other, outcome in self._beside.get(number, ()):
                words, product = words_of(number, other, outcome)
                if words:
                    partners.setdefault((words, product), {})[other] = None
            merged: dict[tuple[str, tuple[int, ...]], list[str]] = {}
            for (words, product), others in partners.items():
                merged.setdefault((words, tuple(others)), []).append(product)
            for (words, others), products in merged.items():
                if words != _PUSHES or len(others) > len(self._records) / 2:
                    yield words.format(self._several(words, others), _joined(products, "or"))
        yield from self._with_water(number)
        yield from self._in_time(self._alone.get(number, ()))

    def _with_water(self, number: int) -> Iterator[str]:
        """Say if the material gives or takes up water by mass; nothing in a world without such water."""
        for reaction in self.laws.reactions if self.laws.water_and_atoms else ():
            side = reaction.water_side
            if side is None or number not in (members(reaction.between[1 - side], self.laws.materials) or ()):
                continue
            if reaction.become[side] == WATER:
                yield "gives water"
            elif reaction.become[side] == EMPTY:
                yield "takes up water"

    def _suffered(self, mine: int, other: int, outcome: ReactionOutcome) -> tuple[str, str]:
        """Describe the change of a material in a reaction with another.

        Returns: the words, in which ``{0}`` stands for the other materials and ``{1}`` for the product; the product.
            The words are empty if the reaction needs no mention.
        """
        product, theirs = outcome.become
        if product == STAYS or (product, theirs) == (other, mine):  # the second: they change places
            return "", ""
        name, liquid = self._records[product].name, self._records[other].state is State.LIQUID
        if product == 0 and other in self._swallowers:
            return "", ""  # the other material swallows everything, and says so
        if product in self._flames and mine not in self._flames:
            return "explodes when lit" if outcome.push else "burns", ""
        if mine in self._flames and product not in self._flames and other:
            return "put out by {0}", ""
        if all(outcome.wear):
            return "used up by what it eats" if mine in self._eaters else "eaten by {0}", ""
        if other == 0:
            return "turns to {1} in air", name
        is_liquid = self._records[mine].state is State.LIQUID
        if product == 0:
            return "soaked up by {0}" if is_liquid else "dissolves in {0}" if liquid else "used up by {0}", ""
        return "turns to {1} in {0}" if liquid and not is_liquid else "turns to {1} beside {0}", name

    def _done(self, mine: int, other: int, outcome: ReactionOutcome) -> tuple[str, str]:
        """Describe the change that a material causes in another by a reaction; returns as `_suffered` does."""
        theirs, product = outcome.become
        if outcome.copies[1]:
            return "fills the air around with it", ""
        if outcome.notes[0]:
            return "copies the first matter that touches it", ""
        if mine in self._swallowers and product == 0:
            return "swallows what touches it", ""
        if product == STAYS or (product, theirs) == (mine, other):
            return _PUSHES if outcome.push and other else "", ""
        if product in self._flames and other not in self._flames:
            return "makes flames" if other == 0 else "sets off {0}" if outcome.push else "sets fire to {0}", ""
        if all(outcome.wear):
            return "eats {0}" if mine in self._eaters else "", ""
        if other in self._flames and product not in self._flames:
            return "puts out {0}", ""
        if product == 0:
            return "soaks up {0}" if self._records[other].state is State.LIQUID else "dissolves {0}", ""
        return "turns {0} to {1}" if other else "grows {1}", self._records[product].name

    def _several(self, words: str, numbers: Iterable[int]) -> str:
        """The names of some materials as a list in a sentence, or a word for many of them, if the sentence has one."""
        there = [self._records[number] for number in numbers if number]
        if len(there) > _LISTED and words.startswith("sets fire"):
            return "what burns and touches it"
        if len(there) > _LISTED and words.startswith("eats"):
            return "many " + _joined(list(dict.fromkeys(f"{record.state.name.lower()}s" for record in there)), "and")
        return _joined([record.name for record in there], "and")

    def _in_time(self, chain: Iterable[ReactionOutcome]) -> Iterator[str]:
        """Describe the reactions of a material alone: the products of its decay."""
        products: dict[str, None] = {}
        for outcome in chain:
            product = outcome.become[0]
            if product == STAYS:
                continue
            if outcome.age == 0 and outcome.least != ALL_TEMPERATURES[0]:
                yield f"turns to {self._records[product].name} above {_degrees(outcome.least / TEMPERATURE_ONE)}"
            else:
                products[f"becomes {self._records[product].name}" if product else "vanishes"] = None
        if products:
            yield f"{_joined(list(products), 'or').replace('or becomes', 'or')} in time".replace(", becomes", ",")

    def _conversions(self, name: str) -> Iterator[str]:
        """Describe the conversions of a mixture that change a material, or that the material takes part in."""
        for conversion in self.laws.mixture.conversions:
            for mine, product in conversion.changes:
                others = [other for other in (*conversion.between, conversion.beside) if other not in (None, mine)]
                if mine == name:
                    yield " ".join(["turns to", product, *(["beside", _joined(others, "and")] if others else [])])
                elif name in others:
                    yield f"turns {mine} to {product}"

    def _is_hot(self, number: int) -> bool:
        temperature = self._records[number].temperature
        return temperature is not None and temperature >= _HOT


def _joined(names: list[str], last: str) -> str:
    """Names as a list in a sentence, such as ``wood, oil and sand``."""
    if len(names) > _LISTED:
        names = [*names[:_LISTED], "others"]
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def _degrees(value: float) -> str:
    return f"{value:g} °C"
