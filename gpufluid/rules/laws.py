"""`Laws`: the constants of a world, as one frozen record that the callbacks of rules take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, Self, TypeVar

import numpy as np

from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.matter.reactions import ReactionTable

Value = float | int | str
"""A parameter's value: a number, or one word of several."""

Edges = Literal["closed", "open", "wrap"]
Gravity = Literal["down", "up", "left", "right", "off"]

Made = TypeVar("Made")


def water_and_atoms(rules: Iterable[str]) -> bool:
    """True if a world with these rules has water by mass and atoms: a cell then holds an atom or water, never both."""
    return {"flow", "atoms"}.issubset(rules)


def amounts_beside_atoms(rules: Iterable[str]) -> str:
    """The plane of the amounts that share no cell with an atom, ``mass`` or ``mixture``; empty: there is none."""
    found = [plane for rule, plane in (("flow", "mass"), ("mixture", "mixture")) if {rule, "atoms"}.issubset(rules)]
    return found[0] if found else ""


def amount_in(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The units of mass that flow in each cell: water by mass, or all parts of a mixture together.

    Args:
        arrays: the fields of some cells by name, of any height and width: ``mass``, (height, width) int32, or
            ``mixture``, (layers, height, width) int32.
    Returns: (height, width) int64.
    """
    if "mixture" in arrays:
        return np.asarray(arrays["mixture"]).sum(axis=0, dtype=np.int64)
    return np.asarray(arrays["mass"], np.int64)


@dataclass(frozen=True, slots=True, repr=False)
class Laws:
    """The constants of a world while it runs. `gpufluid.world.laws.laws_of` makes and checks the record, once.

    Args:
        height, width: of the whole world, in cells.
        rules: the names of the world's rules.
        edges: closed (walls), open (matter leaves and is counted) or wrap (a torus).
        gravity: the direction in which matter falls.
        seed: the seed of all random numbers, 0 to 2**32 - 1.
        parameters: every parameter of every rule, by rule and name.
        constants: the integers that each rule's passes compute with, by rule and name; see `constants_of`.
        materials: the material table.
        reactions: the reaction table; empty in a world without rule ``reactions``.
        mixture: the constituents and conversions of the mixture; empty in a world without rule ``mixture``.
    """

    height: int
    width: int
    rules: tuple[str, ...]
    edges: Edges
    gravity: Gravity
    seed: int
    parameters: Mapping[str, Mapping[str, Value]]
    constants: Mapping[str, Mapping[str, int]]
    materials: MaterialTable
    reactions: ReactionTable
    mixture: MixtureTable
    _made: dict[Callable[..., object], Any] = field(default_factory=dict, init=False, compare=False)

    def once(self, make: Callable[[Laws], Made]) -> Made:
        """Return the result of a function of these laws, such as a table. It is made at the first call, then kept.

        All callers get the same result, so dictionaries, lists and arrays become read-only.

        Args:
            make: a function or class at the top level of a module.
        """
        if make not in self._made:
            self._made[make] = _read_only(make(self))
        return self._made[make]

    @property
    def exclusive(self) -> bool:
        """True if all materials of the mixture share the room of a cell, False if each has a cell's room for itself."""
        return bool(self.parameters.get("mixture", {}).get("exclusive", False))

    @property
    def water_and_atoms(self) -> bool:
        """True if a cell holds an atom or water by mass, never both; see `water_and_atoms`."""
        return water_and_atoms(self.rules)

    @property
    def amounts_beside_atoms(self) -> str:
        """The plane of the amounts that share no cell with an atom; see `amounts_beside_atoms`."""
        return amounts_beside_atoms(self.rules)

    def obstacles(self, material: np.ndarray) -> np.ndarray:
        """The cells that no amount of matter can enter: solids, and in a world with atoms all atoms.

        Args:
            material: the material of each cell, (height, width) uint8.
        Returns: (height, width) bool.
        """
        return material != 0 if self.amounts_beside_atoms else self.materials.solid[material]

    def __repr__(self) -> str:
        laws = f"{'+'.join(self.rules)} {self.edges} gravity {self.gravity} seed {self.seed}"
        return f"<Laws {self.width}x{self.height} {laws}, {len(self.materials)} materials>"

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """The laws for pickling, with dictionaries for the read-only mappings, which cannot be pickled."""
        state = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return state | {name: {rule: dict(values) for rule, values in state[name].items()} for name in _BY_RULE}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_made", {})
        for name, value in state.items():
            by_rule = {rule: MappingProxyType(values) for rule, values in value.items()} if name in _BY_RULE else {}
            object.__setattr__(self, name, MappingProxyType(by_rule) if name in _BY_RULE else value)


def _read_only(value: Made) -> Made | MappingProxyType[Any, Any] | tuple[Any, ...]:
    """Return a read-only value: mapping proxies for dictionaries, tuples for lists, arrays that cannot be written."""
    if isinstance(value, dict):
        return MappingProxyType({key: _read_only(each) for key, each in value.items()})
    if isinstance(value, list):
        return tuple(map(_read_only, value))
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


_BY_RULE = ("parameters", "constants")
"""The read-only mappings of `Laws`, by rule and name."""
