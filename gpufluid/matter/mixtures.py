"""Mixtures: the materials that a cell can hold at once, how each of them flows, and the conversions between them.

The shipped mixture is data: ``mixtures.toml``, which also documents each key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from gpufluid.core.errors import (
    NAMES_SHOWN,
    UnknownNameError,
    UsageError,
    WorldError,
    did_you_mean,
    listed,
    named,
    shown,
)
from gpufluid.core.numeric import is_number, is_whole
from gpufluid.core.paths import mixtures_file

CONSTITUENTS_MOST = 8
"""The most constituents of a mixture."""

CONVERSIONS_MOST = 32
"""The most conversions of a mixture."""

FLUIDITY_MOST = 1000
"""The largest divisor of a horizontal flow."""

NAME_LIMIT = 64
"""The longest name of a conversion, in characters."""

DIRECTIONS = ("down", "up")


@dataclass(frozen=True, slots=True)
class VerticalFlow:
    """The vertical flow of a constituent, which falls or rises; ``mixtures.toml`` documents each key.

    ``speed`` and ``astray_speed`` are amounts in full cells a tick, ``chance`` and ``astray`` are probabilities.
    """

    direction: str = "down"
    speed: float = 1.0
    chance: float = 1.0
    astray: float = 0.0
    astray_speed: float = 0.0


@dataclass(frozen=True, slots=True)
class HorizontalFlow:
    """The sideways flow of a constituent; ``mixtures.toml`` documents each key.

    ``direction`` is the side of the supporting cell. ``viscosity`` and ``stickiness`` are amounts in full cells,
    ``fluidity`` is a divisor of the flow, ``chance`` is a probability. A material that ``slides`` flows only to
    neighbours that are not supported.
    """

    direction: str = "down"
    viscosity: float = 1.0
    stickiness: float = 0.0
    fluidity: int = 1
    chance: float = 1.0
    slides: bool = False


@dataclass(frozen=True, slots=True)
class PressureFlow:
    """The flow of a constituent from surface to surface by rule ``pressure``; ``mixtures.toml`` documents each key.

    ``direction`` is the side of the surface. All other values are amounts in full cells.
    """

    direction: str = "up"
    minliquid: float = 0.5
    minpressure: float = 0.1
    connectedliquid: float = 0.5
    minflow: float = 0.1


Flow = VerticalFlow | HorizontalFlow | PressureFlow

_FLOWS: dict[str, type[Flow]] = {"vertical": VerticalFlow, "horizontal": HorizontalFlow, "pressure": PressureFlow}


@dataclass(frozen=True, slots=True)
class Constituent:
    """One material of a mixture, with its flows.

    Args:
        material: the name of the material.
        vertical, horizontal, pressure: how it flows; None: it has no such flow.
    """

    material: str
    vertical: VerticalFlow | None = None
    horizontal: HorizontalFlow | None = None
    pressure: PressureFlow | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """A constituent from a table of TOML. Raises WorldError: a flow is no table, or has an unknown key."""
        flows: dict[str, Any] = {name: _flow(name, record[name]) for name in _FLOWS if record.get(name, {}) != {}}
        return cls(record["material"], **flows)

    def record(self) -> dict[str, Any]:
        """The constituent as a table of TOML; the inverse of `of`."""
        found: dict[str, Any] = {"material": self.material}
        for name in _FLOWS:
            flow = getattr(self, name)
            found[name] = {} if flow is None else asdict(flow)
        return found

    def problems(self) -> Iterator[WorldError]:
        """The problems of the record in every mixture; each names its key."""
        if not isinstance(self.material, str) or not self.material.isprintable():
            yield WorldError("material", f"{shown(self.material)}; expected the name of a material")
        for name, kind in _FLOWS.items():
            flow = getattr(self, name)
            if flow is None:
                continue
            if not isinstance(flow, kind):
                yield WorldError(name, f"{shown(flow)}; expected a gpufluid.matter.mixtures.{kind.__name__}")
                continue
            for key in fields(flow):
                if problem := _value_problem(key.name, getattr(flow, key.name)):
                    yield WorldError(f"{name}.{key.name}", problem)


@dataclass(frozen=True, slots=True)
class Conversion:
    """A change of one or two constituents of a cell into others, unit for unit, so that mass is conserved.

    Args:
        name: identifies the conversion; a scene replaces a conversion by its name.
        between: one or two constituents.
        become: the product of each constituent, in the same order.
        beside: with one constituent, the material that one of the four neighbouring cells must hold; None: no
            condition.
        most: the largest amount converted in a cell in one tick, in full cells, 0 to 1.
    """

    name: str
    between: tuple[str, ...]
    become: tuple[str, ...]
    beside: str | None = None
    most: float = 1.0

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """A conversion from a table of TOML. For one constituent its ``from`` and ``become`` are names, not lists."""
        given = {key: value for key, value in record.items() if key != "from"}
        if "from" in record:
            given["between"] = record["from"]
        for key in ("between", "become"):
            given[key] = tuple(given[key]) if isinstance(given[key], list | tuple) else (given[key],)
        return cls(**given)

    def record(self) -> dict[str, Any]:
        """The conversion as a table of TOML; the inverse of `of`."""
        alone = len(self.between) == 1
        said: dict[str, Any] = {"name": self.name}
        said["from" if alone else "between"] = self.between[0] if alone else list(self.between)
        said["become"] = self.become[0] if alone else list(self.become)
        return said | ({"beside": self.beside} if self.beside is not None else {}) | {"most": self.most}

    @property
    def materials(self) -> tuple[str, ...]:
        """The names of all materials in the conversion."""
        return (*self.between, *self.become, *(() if self.beside is None else (self.beside,)))

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """The pairs (constituent, product), without the constituents that do not change."""
        return tuple((old, new) for old, new in zip(self.between, self.become, strict=True) if old != new)

    def problems(self) -> Iterator[WorldError]:
        """The problems of the record in every mixture; each names its key."""
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= NAME_LIMIT or not self.name.isprintable():
            yield WorldError("name", f"{shown(self.name)}; expected text of 1 to {NAME_LIMIT} printable characters")
        alone = len(self.between) == 1
        if not 1 <= len(self.between) <= 2 or not all(isinstance(name, str) for name in self.between):
            yield WorldError("between", f"{shown(self.between)}; expected two names, or 'from' with one")
        elif len(set(self.between)) < len(self.between):
            yield WorldError("between", f"{shown(self.between)}; expected two different materials")
        elif len(self.become) != len(self.between) or not all(isinstance(name, str) for name in self.become):
            yield WorldError("become", f"{shown(self.become)}; expected {'a name' if alone else 'two names'}")
        elif sorted(self.become) == sorted(self.between):
            yield WorldError("become", "changes nothing; expected another material")
        if self.beside is not None and not isinstance(self.beside, str):
            yield WorldError("beside", f"{shown(self.beside)}; expected the name of a material")
        elif self.beside is not None and not alone:
            yield WorldError("beside", "belongs to a conversion of one material, which has 'from'")
        if problem := _value_problem("most", self.most):
            yield WorldError("most", problem)


class MixtureTable:
    """The constituents and conversions of one world.

    Args:
        constituents: 1 to 8, in the order of the layers of the array ``mixture``.
        conversions: in the order in which they act.
    Raises: UsageError: too many records, two of one material or name, an invalid record, or a conversion that names a
        material which is no constituent.
    """

    def __init__(self, constituents: Sequence[Constituent] = (), conversions: Sequence[Conversion] = ()) -> None:
        self.constituents, self.conversions = tuple(constituents), tuple(conversions)
        self.names = tuple(each.material for each in self.constituents)
        if len(self.names) > CONSTITUENTS_MOST or len(self.conversions) > CONVERSIONS_MOST:
            wanted = f"at most {CONSTITUENTS_MOST} and {CONVERSIONS_MOST}"
            found = f"{len(self.names)} constituents and {len(self.conversions)} conversions"
            raise UsageError(f"mixture: {found}; expected {wanted}")
        for kind, records in (("constituents", self.constituents), ("conversions", self.conversions)):
            for number, record in enumerate(records):
                for problem in record.problems():
                    raise UsageError(f"mixture.{kind}[{number}].{problem}")
        if len(set(self.names)) < len(self.names):
            raise UsageError(f"mixture: {shown(list(self.names))} names a material twice; expected each once")
        conversion_names = [each.name for each in self.conversions]
        for name in conversion_names:
            if conversion_names.count(name) > 1:
                raise UsageError(f"mixture: two conversions have the name {shown(name)}; expected names that differ")
        for number, conversion in enumerate(self.conversions):
            for name in conversion.materials:
                if name not in self.names:
                    hint = did_you_mean(name, self.names)
                    raise UsageError(f"mixture.conversions[{number}]: {shown(name)} is no constituent{hint}")

    def __getitem__(self, name: str) -> int:
        """The layer of a constituent.

        Raises: UnknownNameError, which is a KeyError: the material is no constituent; lists similar names.
        """
        if name not in self.names:
            hint = did_you_mean(str(name), self.names)
            raise UnknownNameError(f"{shown(name)} is no constituent of this mixture{hint}")
        return self.names.index(name)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def layers_with(self, flow: str) -> tuple[int, ...]:
        """The layers of the constituents with a flow: ``vertical``, ``horizontal`` or ``pressure``."""
        return tuple(layer for layer, each in enumerate(self.constituents) if getattr(each, flow) is not None)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<MixtureTable {listed(self.names, NAMES_SHOWN)}; {len(self.conversions)} conversions>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MixtureTable):
            return NotImplemented
        return self.constituents == other.constituents and self.conversions == other.conversions

    def __hash__(self) -> int:
        return hash((self.constituents, self.conversions))


def conversions_among(conversions: Sequence[Conversion], names: Sequence[str]) -> tuple[Conversion, ...]:
    """The conversions whose materials are all among these names."""
    return tuple(each for each in conversions if set(each.materials) <= set(names))


def _flow(name: str, table: object) -> Flow:
    """A flow from a table of TOML. Raises WorldError: no table, or an unknown key."""
    kind = _FLOWS[name]
    known = [key.name for key in fields(kind)]
    if not isinstance(table, Mapping):
        raise WorldError(name, f"{shown(table)}; expected a table such as {{ direction = {kind().direction!r} }}")
    for key in table:
        if key not in known:
            raise WorldError(f"{name}.{named(key)}", f"unknown key{did_you_mean(str(key), known)}")
    return kind(**table)


def _value_problem(key: str, value: object) -> str | None:
    """The problem of a value of a flow or conversion, by its key in TOML; None: the value is valid."""
    if key == "direction":
        return None if value in DIRECTIONS else f"{shown(value)}; expected 'down' or 'up'"
    if key == "fluidity":
        wanted = f"expected a whole number from 1 to {FLUIDITY_MOST}"
        return None if is_whole(value, 1, FLUIDITY_MOST) else f"{shown(value)}; {wanted}"
    if key == "slides":
        return None if isinstance(value, bool) else f"{shown(value)}; expected true or false"
    return None if is_number(value, 0, 1) else f"{shown(value)}; expected a number from 0 to 1"


_RECORDS: dict[str, Any] = tomllib.loads(mixtures_file().read_text(encoding="utf-8"))

SHIPPED = MixtureTable(
    [Constituent.of(record) for record in _RECORDS["constituent"]],
    [Conversion.of(record) for record in _RECORDS["conversion"]],
)
"""The shipped mixture: the materials of seed 003."""
