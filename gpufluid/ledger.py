"""What has entered and left a world: the exact account by which nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ledger:
    """What has entered and left a world since its first tick, exactly: in units of mass, or in atoms of a material.

    In every world ``first + emitted - drained - left == now``.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0

    def __add__(self, other: Ledger) -> Ledger:
        return Ledger(self.emitted + other.emitted, self.drained + other.drained, self.left + other.left)


class AtomLedger(Mapping[str, Ledger]):
    """A ledger a material, counted in atoms; it cannot be changed, only added to: ``world.atoms += ...``.

    A material that is absent has all zeros: ``atoms["sand"]`` is always a ledger, and one of zeros is never kept.

    Args:
        ledgers: by the names of materials.
    """

    def __init__(self, ledgers: Mapping[str, Ledger] | None = None) -> None:
        self._ledgers = {name: ledger for name, ledger in (ledgers or {}).items() if ledger != Ledger()}

    def __getitem__(self, name: str) -> Ledger:
        return self._ledgers.get(name, Ledger())

    def __contains__(self, name: object) -> bool:
        return name in self._ledgers

    def __iter__(self) -> Iterator[str]:
        return iter(self._ledgers)

    def __len__(self) -> int:
        return len(self._ledgers)

    def __add__(self, other: AtomLedger) -> AtomLedger:
        return AtomLedger({name: self[name] + other[name] for name in dict.fromkeys([*self, *other])})

    def __repr__(self) -> str:
        return f"AtomLedger({self._ledgers})"
