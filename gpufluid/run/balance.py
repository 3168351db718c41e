"""Balance of a run: the contents of its world before and after, and all that entered and left in between."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpufluid.core.fields import FIELDS, QUANTITIES, Field, Quantity, Summary
from gpufluid.run.recordable import Recordable
from gpufluid.world import World
from gpufluid.world.laws import moved_by
from gpufluid.world.ledger import Account, AnyLedger, entries_of
from gpufluid.world.statistics import Statistics

_RARE = (("made", "used"), ("painted", "erased"))
"""Entries that few worlds have: those of reactions, and those of edits."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The contents of a world at a tick, and its ledgers: a few KiB, however large the world is.

    Args:
        held: the statistics of its cells.
        ledgers: the ledger of each quantity, by the quantity's name.
    """

    held: Statistics
    ledgers: Mapping[str, AnyLedger]


def balance_of(simulation: Recordable) -> Balance:
    """The balance of a simulation now, summed on the device; no plane is read back."""
    return Balance(simulation.statistics(), simulation.ledgers)


def balanced_fields(names: Iterable[str]) -> Iterator[tuple[str, Field, Quantity]]:
    """The fields with an account: (key of the account, field, quantity), the key being ``<field>_units``.

    A field has an account if its sum is in the statistics and is the amount of the quantity that it conserves.

    Args:
        names: the names of fields, such as those of a world.
    """
    for field in (FIELDS[name] for name in names):
        quantity = QUANTITIES.get(field.quantity)
        if quantity is not None and quantity.measure is None and field.summary is not Summary.NONE:
            yield f"{field.name}_units", field, quantity


def accounts(world: World, before: Balance, after: Balance) -> dict[str, Any]:
    """Accounts of all fields that have one, and of atoms, between two balances of the same world, as plain data.

    There is ``<field>_units`` for each of `balanced_fields`, by material if the field is layered, and ``atoms`` only if
    there are or were atoms.

    Args:
        world: the world, whose arrays are not read.
        before, after: the earlier and the later balance.
    """
    found: dict[str, Any] = {}
    for key, field, quantity in balanced_fields(world.fields):
        began, ended = before.ledgers[quantity.name], after.ledgers[quantity.name]
        if field.layered:
            layers = before.held.layers[field.name], after.held.layers[field.name]
            found[key] = {
                name: _account(quantity, layers[0][name], began[name], ended[name], now)
                for name, now in layers[1].items()
            }
        else:
            sums = before.held.sums[field.name], after.held.sums[field.name]
            found[key] = _account(quantity, sums[0], began, ended, sums[1])
    atoms = _atoms(world, before, after)
    return found | ({"atoms": atoms} if atoms else {})


def _atoms(world: World, before: Balance, after: Balance) -> dict[str, dict[str, int]]:
    """The account of the atoms of each material that has or had some, by name."""
    quantity = QUANTITIES["atoms"]
    earlier, later = (each.ledgers[quantity.name] for each in (before, after))
    changing = {name for name, ledger in later.items() if any(getattr(ledger, name) for pair in _RARE for name in pair)}
    began, ended = (_atoms_held(world, each, changing) for each in (before, after))
    atoms = {
        name: _account(quantity, began.get(name, 0), earlier[name], later[name], ended.get(name, 0))
        for name in (record.name for record in world.materials)
    }
    return {name: account for name, account in atoms.items() if any(account.values())}


def _atoms_held(world: World, balance: Balance, changing: Collection[str]) -> dict[str, int]:
    """The number of cells of each material that a rule moves, or that reactions or edits change."""
    return {
        record.name: balance.held.cells[record.name]
        for record in world.materials
        if record.name in changing or moved_by(world.rules, record)
    }


def _account(quantity: Quantity, before: int, began: Account, ended: Account, now: int) -> dict[str, int]:
    """An account with the law ``before + signed entries == now``; entries of `_RARE` are left out if both are 0."""
    earlier, later = entries_of(began), entries_of(ended)
    entries = {name: later[at] - earlier[at] for at, name in enumerate(quantity.entries)}
    hidden = [name for pair in _RARE if not any(entries.get(name) for name in pair) for name in pair]
    return {"before": before, **{name: units for name, units in entries.items() if name not in hidden}, "now": now}
