"""What one pass did, as exact sums."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpufluid.matter.materials import MaterialTable
from gpufluid.world.ledger import AmountLedger, AtomLedger, HeatLedger, Ledger


@dataclass(frozen=True, slots=True)
class Tally:
    """What a pass, or a tick, did.

    Args:
        moved: units of mass, or of a mixture, that moved between cells.
        emitted, drained, left: units of mass that entered, were taken, and left over an open edge.
        atoms: the atoms of each material that entered and left.
        heat: the heat that did.
        amounts: the units of each material of a mixture that did.
    """

    moved: int = 0
    emitted: int = 0
    drained: int = 0
    left: int = 0
    atoms: AtomLedger = field(default_factory=AtomLedger)
    heat: HeatLedger = field(default_factory=HeatLedger)
    amounts: AmountLedger = field(default_factory=AmountLedger)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.moved + other.moved,
            self.emitted + other.emitted,
            self.drained + other.drained,
            self.left + other.left,
            self.atoms + other.atoms,
            self.heat + other.heat,
            self.amounts + other.amounts,
        )

    @property
    def ledger(self) -> Ledger:
        """The part that a world's ledger of mass keeps."""
        return Ledger(self.emitted, self.drained, self.left)


def changed(materials: MaterialTable, before: np.ndarray, after: np.ndarray) -> AtomLedger:
    """The atoms of each material that others have become, and those that have become others or nothing, cell by cell.

    Args:
        materials: the world's.
        before, after: what lies in the same cells, numbers of materials; 0 is nothing, and is not counted.
    """
    differ = before != after
    made, used = (np.bincount(numbers[differ], minlength=256).tolist() for numbers in (after, before))
    return AtomLedger(
        {record.name: Ledger(made=made[number], used=used[number]) for number, record in enumerate(materials) if number}
    )
