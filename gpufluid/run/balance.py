"""Balance of a run: the contents of its world before and after, and all that entered and left in between."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World
from gpufluid.world.laws import moved_by
from gpufluid.world.ledger import AmountLedger, AtomLedger, Ledger
from gpufluid.world.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Balance:
    """The contents of a world at a tick, and its ledgers: a few KiB, however large the world is.

    Args:
        held: the statistics of its cells.
        ledger, atoms, amounts: the ledgers of mass, of atoms and of a mixture.
    """

    held: Statistics
    ledger: Ledger
    atoms: AtomLedger
    amounts: AmountLedger


def balance_of(simulation: Simulation) -> Balance:
    """The balance of a simulation now, summed on the device; no plane is read back."""
    return Balance(simulation.statistics(), simulation.ledger, simulation.atoms, simulation.amounts)


def accounts(laws: World, before: Balance, after: Balance) -> dict[str, Any]:
    """Accounts of mass, mixture and atoms between two balances of the same world, as plain data.

    ``mass_units`` is there only in a world with mass, ``mixture_units`` only in a world with a mixture, and ``atoms``
    only if there are or were atoms.

    Args:
        laws: the world, whose arrays are not read.
        before, after: the earlier and the later balance.
    """
    found: dict[str, Any] = {}
    if "mass" in laws.fields:
        found["mass_units"] = _account(before.held.mass, before.ledger, after.ledger, after.held.mass)
    if "mixture" in laws.fields:
        found["mixture_units"] = {
            name: _account(before.held.amounts[name], before.amounts[name], after.amounts[name], now)
            for name, now in after.held.amounts.items()
        }
    changing = {name for name, ledger in after.atoms.items() if ledger.made or ledger.used}
    began, ended = (_atoms_held(laws, each, changing) for each in (before, after))
    atoms = {
        name: _account(began.get(name, 0), before.atoms[name], after.atoms[name], ended.get(name, 0))
        for name in (record.name for record in laws.materials)
    }
    occurring = {name: account for name, account in atoms.items() if any(account.values())}
    return found | ({"atoms": occurring} if occurring else {})


def _atoms_held(laws: World, balance: Balance, changing: Collection[str]) -> dict[str, int]:
    """The number of cells of each material that a rule moves or that reactions change, such as a solid that melts."""
    return {
        record.name: balance.held.cells[record.name]
        for record in laws.materials
        if record.name in changing or moved_by(laws.rules, record)
    }


def _account(before: int, began: Ledger, ended: Ledger, now: int) -> dict[str, int]:
    """An account with the law ``before + emitted + made - drained - left - used == now``."""
    made, used = ended.made - began.made, ended.used - began.used
    return {
        "before": before,
        "emitted": ended.emitted - began.emitted,
        "drained": ended.drained - began.drained,
        "left": ended.left - began.left,
        **({"made": made, "used": used} if made or used else {}),
        "now": now,
    }
