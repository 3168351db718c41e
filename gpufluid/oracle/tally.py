"""Exact sums of what one pass did."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.fields import QUANTITIES
from gpufluid.matter.materials import MaterialTable
from gpufluid.world.ledger import AnyLedger, AtomLedger, Ledger, ledger_type


class Tally:
    """Exact sums of what a pass, or a tick, did.

    Args:
        moved: units of mass, or of a mixture, that moved between cells.
        ledgers: a ledger of what entered and left the world for each quantity, by the quantity's name; a quantity
            without a ledger neither entered nor left.
    """

    def __init__(self, moved: int = 0, ledgers: Mapping[str, AnyLedger] | None = None, **named: AnyLedger) -> None:
        given = {**(ledgers or {}), **named}
        self.moved = moved
        self.ledgers = {name: ledger for name, ledger in given.items() if ledger != ledger_type(QUANTITIES[name])()}

    def __add__(self, other: Tally) -> Tally:
        both = dict(self.ledgers)
        for name, ledger in other.ledgers.items():
            both[name] = both[name] + ledger if name in both else ledger
        return Tally(self.moved + other.moved, both)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and (self.moved, self.ledgers) == (other.moved, other.ledgers)

    def __hash__(self) -> int:
        return hash((self.moved, *self.ledgers))

    def __repr__(self) -> str:
        return f"Tally({self.moved}, {self.ledgers})"


def changed(materials: MaterialTable, before: np.ndarray, after: np.ndarray) -> AtomLedger:
    """Count the atoms of each material that were made and used up, by comparing the cells before and after.

    Args:
        materials: the material table of the world.
        before, after: material numbers of the same cells, of any shape and any integer type; 0 (empty) is not counted.
    """
    differ = before != after
    made, used = (np.bincount(numbers[differ], minlength=256).tolist() for numbers in (after, before))
    return AtomLedger(
        {record.name: Ledger(made=made[number], used=used[number]) for number, record in enumerate(materials) if number}
    )
