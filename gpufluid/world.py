"""`World`: the one state type, on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Literal, Self, get_args

import numpy as np

from gpufluid.cell import FIELDS, MASS_LIMIT
from gpufluid.digest import digest_text, field_lanes, header_lanes
from gpufluid.emitters import Drain, Emitter, Port, is_whole
from gpufluid.errors import WorldError, did_you_mean, shown
from gpufluid.materials import MaterialTable, State
from gpufluid.rules import RULES, ParameterError, Schedule, Value

Edges = Literal["closed", "open", "wrap"]
EDGES: tuple[str, ...] = get_args(Edges)
"""``closed``: walls outside; ``open``: what leaves is gone, and counted; ``wrap``: a torus."""

SIZE_LIMIT = 1 << 16
"""No device holds a side longer than this; the device's own limit is checked where there is a device."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What has entered and left a world since its first tick, in units of mass, exactly.

    In every world ``first + emitted - drained - left == now``.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0

    def __add__(self, other: Ledger) -> Ledger:
        return Ledger(self.emitted + other.emitted, self.drained + other.drained, self.left + other.left)


class World:
    """The whole state of a world as named integer arrays, and the laws that it runs by.

    Arrays are [row, column], row 0 at the top; gravity pulls toward larger rows. Only the fields that the rules
    need exist: for ``flow`` they are ``material`` (uint8, a number of the material table) and ``mass`` (int32,
    2**20 units to a full cell). Read them and write into them; `validate` says whether the result can run.

    Args:
        height, width: in cells.
        rules: the names of the rules that act.
        edges: what lies outside: ``closed``, ``open`` or ``wrap``.
        seed: of everything random, 0 to 2**32 - 1.
        parameters: by rule and name; what is not given has its default.
        emitters, drains: what enters and leaves.
        tick: how many ticks have passed.
        materials: the material table.
    Raises: WorldError: a size, rule, parameter or port that cannot be.
    """

    def __init__(
        self,
        height: int,
        width: int,
        rules: Sequence[str] = ("flow",),
        edges: Edges = "closed",
        seed: int = 0,
        parameters: Mapping[str, Mapping[str, object]] | None = None,
        emitters: Sequence[Emitter] = (),
        drains: Sequence[Drain] = (),
        tick: int = 0,
        materials: MaterialTable | None = None,
    ) -> None:
        _check_whole("height", height, 1, SIZE_LIMIT)
        _check_whole("width", width, 1, SIZE_LIMIT)
        _check_laws(edges, seed, tick)
        self.height, self.width = int(height), int(width)
        self.rules = _checked_rules(rules)
        self.edges: Edges = edges
        self.seed, self.tick = int(seed), int(tick)
        self.parameters = _resolved(self.rules, parameters or {})
        self.emitters = (emitters,) if isinstance(emitters, Emitter) else tuple(emitters)
        self.drains = (drains,) if isinstance(drains, Drain) else tuple(drains)
        self.materials = materials or MaterialTable()
        for rule in self.rules:
            for name in RULES[rule].holds:
                if name not in self.materials:
                    raise WorldError("materials", f"rule {rule} holds {name!r}, which is not in the table")
        self.ledger = Ledger()
        names = dict.fromkeys(name for rule in self.rules for name in RULES[rule].fields)
        shape = (self.height, self.width)
        self._arrays = {name: np.zeros(shape, FIELDS[name].dtype) for name in names}
        self._check_ports()

    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a field: (height, width), to be read and written."""
        try:
            return self._arrays[name]
        except KeyError:
            hint = did_you_mean(name, self._arrays)
            raise WorldError(name, f"a world with rules {list(self.rules)} has no such field{hint}") from None

    def __setitem__(self, name: str, values: object) -> None:
        """Copy values into a field; they must fit its type and broadcast to its shape."""
        array = self[name]
        given = np.asarray(values)
        limits = np.iinfo(array.dtype)
        wanted = f"expected whole numbers from {limits.min} to {limits.max}"
        if given.dtype.kind not in "iu":
            raise WorldError(name, f"{given.dtype}; {wanted}")
        for extreme in (given.min(), given.max()) if given.size else ():
            if not limits.min <= extreme <= limits.max:
                raise WorldError(name, f"{extreme}; {wanted}")
        try:
            array[...] = given
        except ValueError:
            raise WorldError(name, f"shape {given.shape} does not fit {array.shape}") from None

    def __repr__(self) -> str:
        return f"<World {self.width}x{self.height} {'+'.join(self.rules)} {self.edges} tick {self.tick}>"

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the arrays that this world has."""
        return tuple(self._arrays)

    @property
    def solid(self) -> np.ndarray:
        """(height, width) bool: the walls."""
        return self.materials.solid[self["material"]]

    def total(self, name: str = "mass") -> int:
        """The exact sum of a field over the world, in its units."""
        return int(self[name].sum(dtype=np.int64))

    def fixed(self, rule: str) -> dict[str, int]:
        """The integer constants that a rule's passes compute with in this world."""
        return RULES[rule].fixed(self.parameters[rule])

    def can_hold(self, material: str) -> bool:
        """Whether a cell's material may be this one: a solid, or matter that one of the rules moves."""
        moved = {state for rule in self.rules for state in RULES[rule].moves}
        return self.materials.records[self.materials[material]].state in moved | {State.EMPTY, State.SOLID}

    def schedule(self) -> Schedule:
        """What each tick of this world runs."""
        return Schedule(self.rules, self.parameters, self.emitters, self.drains)

    def blank(self) -> Self:
        """A world of the same size, laws, tick and ledger, its arrays all 0."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        other._arrays = {name: np.zeros_like(array) for name, array in self._arrays.items()}
        return other

    def copy(self) -> Self:
        """An independent world of the same state."""
        other = self.blank()
        for name, array in self._arrays.items():
            other[name][...] = array
        return other

    def digest(self) -> str:
        """32 hex digits that stand for the state: size, tick, seed and every cell of every field.

        A sum of hashes modulo 2**32 in four lanes, so that it can be taken in any order and on any device.
        """
        lanes = header_lanes(self.width, self.height, self.tick, self.seed)
        for name, array in self._arrays.items():
            lanes += field_lanes(array, FIELDS[name].number)
        return digest_text(lanes)

    def validate(self) -> None:
        """Say whether it can run as it is now: its laws, its emitters and drains, its ledger, every cell.

        Raises: WorldError: names the field, the cell and what was expected.
        """
        _check_laws(self.edges, self.seed, self.tick)
        self.parameters = _resolved(self.rules, self.parameters)
        self._check_ports()
        for name, units in asdict(self.ledger).items():
            _check_whole(f"ledger.{name}", units, 0, 2**63 - 1)
        material = self["material"]
        self._refuse(material >= len(self.materials), "material", f"; expected 0 to {len(self.materials) - 1}")
        for number, record in enumerate(self.materials):
            if not self.can_hold(record.name):
                held = "".join(
                    f"; rule {rule} holds it in field {RULES[rule].holds[record.name]!r}"
                    for rule in self.rules
                    if record.name in RULES[rule].holds
                )
                self._refuse(material == number, "material", f" ({record.name}): no rule of this world moves it{held}")
        if "mass" in self._arrays:
            mass = self["mass"]
            self._refuse((mass < 0) | (mass > MASS_LIMIT), "mass", f"; expected 0 to {MASS_LIMIT} units")
            self._refuse((mass != 0) & self.solid, "mass", "; expected 0 units in a solid cell")

    @staticmethod
    def check_ticks(ticks: object) -> None:
        """Raise WorldError unless it is a number of ticks that can be run."""
        if not is_whole(ticks) or ticks < 0:  # pyright: ignore[reportOperatorIssue]
            raise WorldError("ticks", f"{shown(ticks)}; expected a whole number from 0 on")

    def _refuse(self, wrong: np.ndarray, name: str, reason: str) -> None:
        if wrong.any():
            row, column = (int(i) for i in np.argwhere(wrong)[0])
            raise WorldError(f"{name}[{row}, {column}]", f"{self[name][row, column]}{reason}")

    def _check_ports(self) -> None:
        for kind, made, ports in (("emitter", Emitter, self.emitters), ("drain", Drain, self.drains)):
            for number, port in enumerate(ports):
                if not isinstance(port, made):
                    raise WorldError(f"{kind}[{number}]", f"{shown(port)}; expected gpufluid.{made.__name__}(...)")
                for problem in self.port_problems(port):
                    raise WorldError(f"{kind}[{number}].{problem.field}", problem.message)

    def port_problems(self, port: Port) -> list[WorldError]:
        """All that keeps an emitter or drain from acting in this world; each names its field."""
        problems = port.problems(self.width, self.height)
        if isinstance(port, Emitter):
            held = [name for rule in self.rules for name in RULES[rule].holds]
            if port.material not in self.materials:
                hint = did_you_mean(str(port.material), [record.name for record in self.materials])
                problems.append(WorldError("material", f"unknown material {port.material!r}{hint}"))
            elif port.material not in held:
                hint = did_you_mean("", held)
                problems.append(WorldError("material", f"no rule of this world emits {port.material!r}{hint}"))
        return problems


def _check_laws(edges: object, seed: object, tick: object) -> None:
    """The laws that can be set after a world was made."""
    check_edges(edges)
    check_seed(seed)
    _check_whole("tick", tick, 0, 2**63 - 1)


def check_edges(edges: object) -> None:
    """Raise WorldError unless it is one of `EDGES`."""
    if not isinstance(edges, str) or edges not in EDGES:
        raise WorldError("edges", f"{shown(edges)} is not known{did_you_mean(str(edges)[:60], EDGES)}")


def check_seed(seed: object) -> None:
    """Raise WorldError unless it is a whole number of 32 bits."""
    _check_whole("seed", seed, 0, 2**32 - 1)


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not is_whole(value) or not low <= value <= high:  # pyright: ignore[reportOperatorIssue]
        raise WorldError(name, f"{shown(value)}; expected a whole number from {low} to {high}")


def _checked_rules(rules: Sequence[str]) -> tuple[str, ...]:
    if isinstance(rules, str) or not rules:
        raise WorldError("rules", f"{rules!r}; expected a list of rules, such as ['flow']")
    for rule in rules:
        if rule not in RULES:
            raise WorldError("rules", f"unknown rule {rule!r}{did_you_mean(str(rule), RULES)}")
    if len(set(rules)) < len(rules):
        raise WorldError("rules", f"{list(rules)} names a rule twice")
    return tuple(rules)


def _resolved(
    rules: tuple[str, ...], parameters: Mapping[str, Mapping[str, object]]
) -> Mapping[str, Mapping[str, Value]]:
    for rule, given in parameters.items():
        if not isinstance(given, Mapping):
            raise WorldError(f"parameters.{rule}", f"{shown(given)}; expected names and values")
        if rule not in rules:
            raise WorldError("parameters", f"rule {rule!r} is not among this world's rules {list(rules)}")
    resolved = {}
    for rule in rules:
        try:
            resolved[rule] = MappingProxyType(RULES[rule].resolve(parameters.get(rule, {})))
        except ParameterError as error:
            raise WorldError(f"{rule}.{error.name}", str(error)) from None
    return MappingProxyType(resolved)
