"""World ledgers: exact counts of what has entered and left a world, one for each quantity that rules declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, make_dataclass
from functools import cache
from typing import Any, Self

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.fields import COUNT_LIMIT, QUANTITIES, Quantity
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.world.laws import check_whole


class Account:
    """A named set of whole numbers, the entries; two accounts add entry by entry."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the entries by name: the type of an account with other names than those below has no place."""
        names = tuple(entry.name for entry in fields(self))  # pyright: ignore[reportArgumentType]
        return _account, (names, entries_of(self))

    def __add__(self, other: Self) -> Self:
        return type(self)(*(mine + its for mine, its in zip(entries_of(self), entries_of(other), strict=True)))


def entries_of(account: Account) -> tuple[int, ...]:
    """The entries of an account in the order of their declaration."""
    return tuple([getattr(account, entry.name) for entry in fields(account)])  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, slots=True)
class Ledger(Account):
    """Exact counts of what has entered and left a world since its first tick: units of mass, or atoms of a material.

    Law: ``first + emitted + made + painted - drained - left - used - erased == now``, where ``first`` and ``now`` are
    the contents of the world. A world without mass has a ledger of mass with zeros; an `AtomLedger` counts its atoms.

    Args:
        emitted: added by emitters.
        drained: removed by drains.
        left: lost through open edges.
        made, used: made and used up by reactions.
        painted, erased: put in and taken away by hand: the increases and decreases of single cells by
            `Workbench.write_window`.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0
    made: int = 0
    used: int = 0
    painted: int = 0
    erased: int = 0


@dataclass(frozen=True, slots=True)
class HeatLedger(Account):
    """Exact counts of the heat that has entered and left a world since its first tick, in units of temperature.

    Law: ``first + emitted + air + reacted + given + painted - drained - left - bound - water - erased == now``, where
    ``first`` and ``now`` are values of `World.heat_held`. Entries may be negative.

    Args:
        emitted, drained, left: heat of the atoms that emitters added, drains removed, or that left through open edges.
        air: heat given by the air, less heat taken by it.
        bound: heat taken in by changes of state, less heat given off by them.
        water: heat given to water by mass or to a mixture, less heat taken from it. An atom that becomes water by mass
            gives all its heat.
        reacted: heat given by reactions, less heat taken by them.
        given: heat given by `Workbench.warm` and the heat brush, less heat taken by them.
        painted, erased: heat put in and taken away by other edits; see `Ledger`.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0
    air: int = 0
    bound: int = 0
    water: int = 0
    reacted: int = 0
    given: int = 0
    painted: int = 0
    erased: int = 0

    @property
    def balance(self) -> int:
        """The sum of all entries with their signs: heat that entered, less heat that left."""
        gained = self.emitted + self.air + self.reacted + self.given + self.painted
        return gained - self.drained - self.left - self.bound - self.water - self.erased


class AtomLedger(Mapping[str, Ledger]):
    """A ledger for each material, in atoms. It is immutable; add another one to it: ``world.atoms += ...``.

    A material without a ledger has all zeros: ``atoms["sand"]`` is always a ledger. Ledgers of zeros are not stored.

    Args:
        ledgers: by the names of materials.
        materials: the materials of the world; None: any name is allowed.
    """

    def __init__(self, ledgers: Mapping[str, Ledger] | None = None, materials: MaterialTable | None = None) -> None:
        self._ledgers = {name: ledger for name, ledger in (ledgers or {}).items() if ledger != Ledger()}
        self._materials = materials

    def __getitem__(self, name: str) -> Ledger:
        """The ledger of a material. Raises UsageError: the world has no such material; says similar names."""
        if name not in self._ledgers and self._materials is not None:
            self._materials[name]
        return self._ledgers.get(name, Ledger())

    def __contains__(self, name: object) -> bool:
        return name in self._ledgers

    def __iter__(self) -> Iterator[str]:
        return iter(self._ledgers)

    def __len__(self) -> int:
        return len(self._ledgers)

    def __add__(self, other: AtomLedger) -> Self:
        ledgers = {name: self[name] + other[name] for name in dict.fromkeys([*self, *other])}
        return type(self)(ledgers, self._materials or other._materials)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._ledgers})"


class AmountLedger(AtomLedger):
    """A ledger for each material of a mixture, in units: 2**20 are a full cell."""


AnyLedger = Any
"""An `Account`, an `AtomLedger` or an `AmountLedger`: the `ledger_type` of a quantity."""

_BY = {"material": AtomLedger, "layer": AmountLedger}


def ledger_type(quantity: Quantity) -> type[AnyLedger]:
    """The type of a quantity's ledger; called without arguments it makes a ledger of zeros."""
    return _BY[quantity.by] if quantity.by else _account_of(tuple(quantity.entries))


@cache
def _account_of(entries: tuple[str, ...]) -> type[Account]:
    for known in (Ledger, HeatLedger):
        if entries == tuple(entry.name for entry in fields(known)):
            return known
    columns: list[tuple[str, Any, Any]] = [(name, int, 0) for name in entries]
    return make_dataclass("Account", columns, bases=(Account,), frozen=True, slots=True)


def _account(entries: tuple[str, ...], values: tuple[int, ...]) -> Account:
    """An account with these entries and values."""
    return _account_of(entries)(*values)


def no_ledgers() -> dict[str, AnyLedger]:
    """A ledger of zeros for each quantity that any rule declares, by its name."""
    return {name: ledger_type(quantity)() for name, quantity in QUANTITIES.items()}


def check_ledgers(ledgers: Mapping[str, AnyLedger], materials: MaterialTable, mixture: MixtureTable) -> None:
    """Raise WorldError unless all entries fit in 64 bits and all counted materials exist in the world.

    Args:
        ledgers: by quantity.
        materials, mixture: the tables of the world.
    """
    for name, ledger in ledgers.items():
        quantity = QUANTITIES[name]
        known_as, accounts = quantity.known_as, {quantity.known_as: ledger}
        if quantity.by:
            known, table = (mixture, "mixture") if quantity.by == "layer" else (materials, "material table")
            for counted in ledger:
                if counted not in known:
                    raise WorldError(known_as, f"counts {shown(counted)}, which is not in the {table}")
            accounts = {f"{known_as}[{counted!r}]": account for counted, account in ledger.items()}
        low = -COUNT_LIMIT - 1 if quantity.signed else 0
        for said, account in accounts.items():
            for entry, units in zip(quantity.entries, entries_of(account), strict=True):
                check_whole(f"{said}.{entry}", units, low, COUNT_LIMIT)
