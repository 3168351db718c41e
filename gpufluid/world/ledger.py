"""World ledgers: exact accounts of what has entered and left a world, one for each quantity that rules declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, fields, make_dataclass
from functools import cache
from typing import Any, Self

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.fields import QUANTITIES, Quantity
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.world.laws import check_whole


class Account:
    """The entries of one account, whole numbers; two add up entry by entry."""

    __slots__ = ()

    def __add__(self, other: Self) -> Self:
        return type(self)(*(mine + its for mine, its in zip(entries_of(self), entries_of(other), strict=True)))


def entries_of(account: Account) -> tuple[int, ...]:
    """The entries in the order of their declaration."""
    return astuple(account)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, slots=True)
class Ledger(Account):
    """What has entered and left a world since its first tick, exactly: in units of mass, or in atoms of a material.

    In every world ``first + emitted + made - drained - left - used == now``; reactions make and use. A world without
    mass has a ledger of mass all the same, of zeros; its atoms are in an `AtomLedger`.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0
    made: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True)
class HeatLedger(Account):
    """What heat has entered and left a world since its first tick, exactly, in units of temperature.

    In every world ``first + emitted + air + reacted + given - drained - left - bound == now``, of what
    `World.heat_held` says. Any of them may be negative.

    Args:
        emitted, drained, left: what atoms had in them that came and went.
        air: what the air has given, less what it has taken.
        bound: what changes of state have taken in, less what others have given off.
        reacted: what reactions have given, less what they have taken.
        given: what `Workbench.warm` has given by hand, less what it has taken. What is painted is not counted.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0
    air: int = 0
    bound: int = 0
    reacted: int = 0
    given: int = 0

    @property
    def balance(self) -> int:
        """All that has entered less all that has left."""
        gained = self.emitted + self.air + self.reacted + self.given
        return gained - self.drained - self.left - self.bound


class AtomLedger(Mapping[str, Ledger]):
    """A ledger a material, counted in atoms; it cannot be changed, only added to: ``world.atoms += ...``.

    A material that is absent has all zeros: ``atoms["sand"]`` is always a ledger, and one of zeros is never kept.

    Args:
        ledgers: by the names of materials.
        materials: those that may be asked for; by default any name.
    """

    def __init__(self, ledgers: Mapping[str, Ledger] | None = None, materials: MaterialTable | None = None) -> None:
        self._ledgers = {name: ledger for name, ledger in (ledgers or {}).items() if ledger != Ledger()}
        self._materials = materials

    def __getitem__(self, name: str) -> Ledger:
        """The ledger of a material. Raises UsageError with the near names where the world has no such material."""
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
    """A ledger for each material of a mixture, counted in units: 2**20 to a full cell."""


AnyLedger = Any
"""An `Account`, an `AtomLedger` or an `AmountLedger`: whichever `ledger_type` has for a quantity."""

_BY = {"material": AtomLedger, "layer": AmountLedger}


def ledger_type(quantity: Quantity) -> type[AnyLedger]:
    """The type of a quantity's ledger; called without arguments it makes one of zeros."""
    return _BY[quantity.by] if quantity.by else _account_of(tuple(quantity.entries))


@cache
def _account_of(entries: tuple[str, ...]) -> type[Account]:
    for known in (Ledger, HeatLedger):
        if entries == tuple(entry.name for entry in fields(known)):
            return known
    columns: list[tuple[str, Any, Any]] = [(name, int, 0) for name in entries]
    return make_dataclass("Account", columns, bases=(Account,), frozen=True, slots=True)


def no_ledgers() -> dict[str, AnyLedger]:
    """A ledger of zeros for each quantity that any rule declares, by its name."""
    return {name: ledger_type(quantity)() for name, quantity in QUANTITIES.items()}


def check_ledgers(ledgers: Mapping[str, AnyLedger], materials: MaterialTable, mixture: MixtureTable) -> None:
    """Raise WorldError unless ledgers, by quantity, count what can be counted, as a device can."""
    for name, ledger in ledgers.items():
        quantity = QUANTITIES[name]
        known_as, accounts = quantity.known_as, {quantity.known_as: ledger}
        if quantity.by:
            known, table = (mixture, "mixture") if quantity.by == "layer" else (materials, "material table")
            for counted in ledger:
                if counted not in known:
                    raise WorldError(known_as, f"counts {shown(counted)}, which is not in the {table}")
            accounts = {f"{known_as}[{counted!r}]": account for counted, account in ledger.items()}
        low = -(2**63) if quantity.signed else 0
        for said, account in accounts.items():
            for entry, units in zip(quantity.entries, entries_of(account), strict=True):
                check_whole(f"{said}.{entry}", units, low, 2**63 - 1)
