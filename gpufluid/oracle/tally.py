"""What one pass did, as exact sums."""

from __future__ import annotations

from dataclasses import dataclass

from gpufluid.world import Ledger


@dataclass(frozen=True, slots=True)
class Tally:
    """Units of mass that a pass, or a tick, moved between cells, emitted, drained, and let go over an open edge."""

    moved: int = 0
    emitted: int = 0
    drained: int = 0
    left: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.moved + other.moved,
            self.emitted + other.emitted,
            self.drained + other.drained,
            self.left + other.left,
        )

    @property
    def ledger(self) -> Ledger:
        """The part that a world's ledger keeps."""
        return Ledger(self.emitted, self.drained, self.left)
