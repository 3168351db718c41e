"""What one pass did, as exact sums."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpufluid.ledger import AmountLedger, AtomLedger, HeatLedger, Ledger


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
