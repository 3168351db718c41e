"""Counting of edits: what a change of cells by hand puts into a world, and what it takes away."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.fields import ERASED, FIELDS, GIVEN, PAINTED, QUANTITIES, Quantity
from gpufluid.matter.materials import MaterialTable
from gpufluid.world.ledger import AnyLedger, Ledger, ledger_type
from gpufluid.world.world import World


def edited(laws: World, before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray]) -> dict[str, AnyLedger]:
    """The ledgers of an edit: of each quantity, the sum of what cells gained as painted, of what they lost as erased.

    Law: ``held before + painted - erased == held after``, for each account.

    Args:
        laws: a world with the laws; its arrays are not read.
        before, after: all fields of the same rectangle of cells by name, each (height, width) or with more axes, of the
            field's type.
    Returns: by quantity; quantities that the edit does not change are left out.
    """
    found = {}
    for name, quantity in QUANTITIES.items():
        if PAINTED in quantity.entries and ERASED in quantity.entries:
            ledger = _edited(quantity, laws, before, after)
            if ledger != ledger_type(quantity)():
                found[name] = ledger
    return found


def as_given(counted: Mapping[str, AnyLedger]) -> dict[str, AnyLedger]:
    """The ledgers of an edit that count its changes as given, of the quantities that have such an entry.

    Args:
        counted: ledgers as `edited` returns them.
    """
    return {
        name: ledger_type(QUANTITIES[name])(**{GIVEN: getattr(ledger, PAINTED) - getattr(ledger, ERASED)})
        for name, ledger in counted.items()
        if GIVEN in QUANTITIES[name].entries
    }


def _edited(
    quantity: Quantity, laws: World, before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray]
) -> AnyLedger:
    """The ledger of an edit for one quantity."""
    if quantity.by == "material":
        return ledger_type(quantity)(_atoms(laws.materials, before["material"], after["material"]))
    conserving = [name for name in laws.fields if FIELDS[name].quantity == quantity.name]
    if not conserving:
        return ledger_type(quantity)()
    if quantity.by == "layer":
        (name,) = conserving
        layers = zip(laws.mixture.names, before[name], after[name], strict=True)
        return ledger_type(quantity)({material: Ledger(**_change(old, new)) for material, old, new in layers})
    if quantity.measure is not None:
        old, new = (quantity.measure.twin(laws.materials, each["material"], each) for each in (before, after))
        return ledger_type(quantity)(**_change(old, new))
    changes = [_change(before[name], after[name]) for name in conserving]
    return ledger_type(quantity)(**{entry: sum(each[entry] for each in changes) for entry in (PAINTED, ERASED)})


def _atoms(materials: MaterialTable, before: np.ndarray, after: np.ndarray) -> dict[str, Ledger]:
    """The ledger of an edit for each material, in cells; ``before`` and ``after`` are (height, width) uint8."""
    changed = before != after
    gained, lost = (np.bincount(each[changed], minlength=256).tolist() for each in (after, before))
    numbered = list(enumerate(materials))[1:]  # number 0 is empty
    return {record.name: Ledger(**{PAINTED: gained[number], ERASED: lost[number]}) for number, record in numbered}


def _change(before: np.ndarray, after: np.ndarray) -> dict[str, int]:
    """The sum of all increases and the sum of all decreases, each 0 or more; arrays of whole numbers of one shape."""
    difference = after.astype(np.int64) - before
    return {PAINTED: int(difference[difference > 0].sum()), ERASED: -int(difference[difference < 0].sum())}
