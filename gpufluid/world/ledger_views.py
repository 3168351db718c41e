"""The ledgers of a world under the names that users know: ``ledger``, ``atoms``, ``heat`` and ``amounts``."""

from __future__ import annotations

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.fields import QUANTITIES
from gpufluid.rules import Laws
from gpufluid.world.ledger import AmountLedger, AnyLedger, AtomLedger, HeatLedger, Ledger, ledger_type


class HasLedgers:
    """A world with ledgers; each property can be set, too. Setting raises WorldError: another type of ledger."""

    ledgers: dict[str, AnyLedger]
    """The ledger of each quantity, by its name."""

    _laws: Laws

    @property
    def ledger(self) -> Ledger:
        """The ledger of mass, in units; all zeros in a world without mass."""
        return self.ledgers["mass"]

    @ledger.setter
    def ledger(self, ledger: Ledger) -> None:
        self._set_ledger("mass", ledger)

    @property
    def atoms(self) -> AtomLedger:
        """The ledger of atoms, a ledger for each material; mass is counted in `ledger`."""
        return AtomLedger(self.ledgers["atoms"], self._laws.materials)

    @atoms.setter
    def atoms(self, atoms: AtomLedger) -> None:
        self._set_ledger("atoms", atoms)

    @property
    def heat(self) -> HeatLedger:
        """The ledger of heat, in units of temperature; all zeros in a world without temperatures."""
        return self.ledgers["heat"]

    @heat.setter
    def heat(self, heat: HeatLedger) -> None:
        self._set_ledger("heat", heat)

    @property
    def amounts(self) -> AmountLedger:
        """The ledger of the mixture, a ledger in units for each material."""
        return self.ledgers["amounts"]

    @amounts.setter
    def amounts(self, amounts: AmountLedger) -> None:
        self._set_ledger("amounts", amounts)

    def _set_ledger(self, name: str, ledger: AnyLedger) -> None:
        kind = ledger_type(QUANTITIES[name])
        if not isinstance(ledger, kind):
            known_as = QUANTITIES[name].known_as
            raise WorldError(known_as, f"{shown(ledger)}; expected gpufluid.{kind.__name__}(...)")
        self.ledgers[name] = ledger
