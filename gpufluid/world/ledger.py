"""What has entered and left a world: the exact account by which nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import Self

from gpufluid.matter.materials import MaterialTable


@dataclass(frozen=True, slots=True)
class Ledger:
    """What has entered and left a world since its first tick, exactly: in units of mass, or in atoms of a material.

    In every world ``first + emitted + made - drained - left - used == now``; reactions make and use. A world without
    mass has a ledger of mass all the same, of zeros; its atoms are in an `AtomLedger`.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0
    made: int = 0
    used: int = 0

    def __add__(self, other: Ledger) -> Ledger:
        return Ledger(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class HeatLedger:
    """What heat has entered and left a world since its first tick, exactly, in units of temperature.

    In every world ``first + emitted + air + reacted + given - drained - left - bound == now``, of what
    `World.heat_held` says. Any of them may be negative.

    Args:
        emitted, drained, left: what atoms had in them that came and went.
        air: what the air has given, less what it has taken.
        bound: what changes of state have taken in, less what others have given off.
        reacted: what reactions have given, less what they have taken.
        given: what `Workbench.warm` has given by hand, less what it has taken. What is painted is not counted.
    """

    emitted: int = 0
    drained: int = 0
    left: int = 0
    air: int = 0
    bound: int = 0
    reacted: int = 0
    given: int = 0

    def __add__(self, other: HeatLedger) -> HeatLedger:
        return HeatLedger(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    @property
    def balance(self) -> int:
        """All that has entered less all that has left."""
        gained = self.emitted + self.air + self.reacted + self.given
        return gained - self.drained - self.left - self.bound


class AtomLedger(Mapping[str, Ledger]):
    """A ledger a material, counted in atoms; it cannot be changed, only added to: ``world.atoms += ...``.

    A material that is absent has all zeros: ``atoms["sand"]`` is always a ledger, and one of zeros is never kept.

    Args:
        ledgers: by the names of materials.
        materials: those that may be asked for; by default any name.
    """

    def __init__(self, ledgers: Mapping[str, Ledger] | None = None, materials: MaterialTable | None = None) -> None:
        self._ledgers = {name: ledger for name, ledger in (ledgers or {}).items() if ledger != Ledger()}
        self._materials = materials

    def __getitem__(self, name: str) -> Ledger:
        """The ledger of a material. Raises UsageError with the near names where the world has no such material."""
        if name not in self._ledgers and self._materials is not None:
            self._materials[name]
        return self._ledgers.get(name, Ledger())

    def __contains__(self, name: object) -> bool:
        return name in self._ledgers

    def __iter__(self) -> Iterator[str]:
        return iter(self._ledgers)

    def __len__(self) -> int:
        return len(self._ledgers)

    def __add__(self, other: AtomLedger) -> Self:
        ledgers = {name: self[name] + other[name] for name in dict.fromkeys([*self, *other])}
        return type(self)(ledgers, self._materials or other._materials)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._ledgers})"


class AmountLedger(AtomLedger):
    """The same of the materials of a mixture, counted in units: 2**20 to a full cell."""
