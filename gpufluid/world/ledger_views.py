"""`LedgerView`: an attribute of a world that is the ledger of one quantity."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar, overload

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.fields import QUANTITIES
from gpufluid.rules import Laws
from gpufluid.world.ledger import AmountLedger, AnyLedger, AtomLedger, HeatLedger, Ledger, ledger_type

Kind = TypeVar("Kind", Ledger, AtomLedger, HeatLedger, AmountLedger)


class HasLedgers(Protocol):
    """The parts of a world that a view of its ledgers needs."""

    ledgers: dict[str, AnyLedger]
    """The ledger of each quantity, by its name."""

    @property
    def laws(self) -> Laws:
        """The laws of the world."""
        ...


class LedgerView(Generic[Kind]):
    """An attribute of a world: the ledger of one quantity. It can be set.

    A ledger of atoms is a new one at each access, in which the materials of the world without an entry count as 0.

    Args:
        kind: the type of the ledger.
        quantity: the name of the quantity.
    Raises: WorldError: it is set to another type.
    """

    def __init__(self, kind: type[Kind], quantity: str) -> None:
        self._kind, self._quantity = kind, quantity

    @overload
    def __get__(self, world: None, owner: object) -> LedgerView[Kind]: ...

    @overload
    def __get__(self, world: HasLedgers, owner: object) -> Kind: ...

    def __get__(self, world: HasLedgers | None, owner: object) -> LedgerView[Kind] | Kind:
        if world is None:
            return self
        ledger = world.ledgers[self._quantity]
        if self._kind is AtomLedger:
            ledger = AtomLedger(ledger, world.laws.materials)
        assert isinstance(ledger, self._kind)
        return ledger

    def __set__(self, world: HasLedgers, ledger: Kind) -> None:
        quantity = QUANTITIES[self._quantity]
        kind = ledger_type(quantity)
        if not isinstance(ledger, kind):
            raise WorldError(quantity.known_as, f"{shown(ledger)}; expected gpufluid.{kind.__name__}(...)")
        world.ledgers[self._quantity] = ledger
